use std::io::Read;

use crate::Env;

#[test]
fn a_file_is_read_back_and_leaves_nothing_behind() {
    let parent = tempfile::tempdir().unwrap();
    let dir = Env::system().spill_dir(Some(parent.path())).unwrap();
    let mut file = dir.create().unwrap();
    let mut expected = Vec::new();
    for i in 0..2000_u32 {
        let chunk = vec![i.to_le_bytes()[0]; 1000];
        file.write(&chunk).unwrap();
        expected.extend(chunk);
    }
    file.write(&vec![9; 600_000]).unwrap();
    expected.extend(vec![9; 600_000]);
    assert_eq!(file.len(), expected.len() as u64);
    assert_eq!(file.read_at(999, 2).unwrap(), [0, 1][..]);
    assert!(file.read_at(file.len(), 1).is_err());
    assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 0);

    let mut reader = file.reader().unwrap();
    drop(file);
    let mut content = Vec::new();
    reader.read_to_end(&mut content).unwrap();
    assert_eq!(content, expected);
    assert_eq!(dir.used_bytes(), expected.len() as u64);
    drop(reader);
    assert_eq!(dir.used_bytes(), 0);
}
