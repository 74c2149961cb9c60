use crate::{CachedReads, FileIo};

#[tokio::test]
async fn the_least_recently_used_file_leaves_first() {
    let io = FileIo::memory();
    for name in ["a", "b", "c", "d", "e"] {
        io.write_durable(name, vec![0_u8; 10].into()).await.unwrap();
    }
    let cache = CachedReads::new(io.clone(), 40);
    for name in ["a", "b", "c", "d", "a", "e"] {
        cache.read(name).await.unwrap();
    }
    assert_eq!(cache.bytes(), 40);
    io.delete_dir("").await.unwrap();
    assert!(cache.read("a").await.is_ok(), "was used again before e came");
    assert!(cache.read("b").await.is_err(), "was the oldest");
}

#[tokio::test]
async fn large_files_pass_through() {
    let io = FileIo::memory();
    io.write_durable("large", vec![0_u8; 100].into()).await.unwrap();
    let cache = CachedReads::new(io, 200);
    assert_eq!(cache.read("large").await.unwrap().len(), 100);
    assert_eq!(cache.bytes(), 0);
}
