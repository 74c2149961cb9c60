//! Speed of decoding, by hand: `cargo test --release -p headwater-metadata -- --ignored --nocapture decode_speed`.

use headwater_metadata::{ManifestCompression, decode_manifest, encode_manifest};

use crate::fixtures::files;

#[test]
#[ignore = "a measurement"]
fn decode_speed() {
    let (_, bytes) = files("manifest", "manifest-").into_iter().find(|(_, b)| decode_manifest(b).is_ok()).unwrap();
    let entry = decode_manifest(&bytes).unwrap().remove(0);
    let entries: Vec<_> = (0..100_000)
        .map(|i| {
            let mut entry = entry.clone();
            entry.file.file_name = format!("data-e79c1b85-3f6e-4c6b-9b7a-2d41c1f0{i:04x}-{i}.parquet");
            entry.file.max_sequence_number = i;
            entry
        })
        .collect();
    let env = headwater_io::Env::system();
    let start = env.monotonic();
    let file = encode_manifest(&entries, ManifestCompression::default()).unwrap();
    let encoded = env.monotonic();
    let decoded = decode_manifest(&file).unwrap();
    let done = env.monotonic();
    println!("100000 entries, {} bytes: encode {:?}, decode {:?}", file.len(), encoded - start, done - encoded);
    assert_eq!(decoded.len(), entries.len());
}
