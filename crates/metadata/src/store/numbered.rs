//! Files named by a number: `snapshot-7`, `schema-0`.

use headwater_io::FileIo;

use crate::Result;

/// The numbers of the files `dir/PREFIXn`, ascending. Other names (temporary files of other writers) are passed over.
pub(super) async fn ids(io: &FileIo, dir: &str, prefix: &str) -> Result<Vec<i64>> {
    let files = io.list(dir).await?;
    let mut ids: Vec<i64> = files.iter().filter_map(|file| number(file_name(&file.path), prefix)).collect();
    ids.sort_unstable();
    Ok(ids)
}

pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn number(name: &str, prefix: &str) -> Option<i64> {
    let digits = name.strip_prefix(prefix)?;
    if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// The number in a hint file; anything wrong with it counts as no hint.
pub(super) async fn hint(io: &FileIo, path: &str) -> Option<i64> {
    let bytes = io.read(path).await.ok()?;
    let id: i64 = std::str::from_utf8(&bytes).ok()?.trim().parse().ok()?;
    (id > 0).then_some(id)
}
