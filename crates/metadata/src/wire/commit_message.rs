//! Commit messages as engines carry them between processes: version 12.

mod rows;
#[cfg(test)]
mod tests;

use headwater_types::BinaryRow;

use crate::{CommitMessage, CompactIncrement, DataIncrement, Error, ErrorKind, Result};

impl CommitMessage {
    /// The version of the bytes, which their carrier keeps beside them.
    pub const VERSION: i32 = 12;

    /// The message in the form the reference's classes exchange.
    ///
    /// # Errors
    /// `InvalidInput` when a part is longer than the form can say.
    ///
    /// # Source
    /// Spec page 05 §2, `paimon-core/…/table/sink/CommitMessageSerializer.java@release-2.0.0`.
    pub fn serialize(&self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let partition = self.partition.to_serialized();
        put_length(partition.len(), &mut out)?;
        out.extend_from_slice(&partition);
        out.extend_from_slice(&self.bucket.to_be_bytes());
        out.push(u8::from(self.total_buckets.is_some()));
        if let Some(total) = self.total_buckets {
            out.extend_from_slice(&total.to_be_bytes());
        }
        let (data, compact) = (&self.data_increment, &self.compact_increment);
        for files in [&data.new_files, &data.deleted_files, &data.changelog_files] {
            put_list(files, rows::data_file, &mut out)?;
        }
        for files in [&data.new_index_files, &data.deleted_index_files] {
            put_list(files, rows::index_file, &mut out)?;
        }
        for files in [&compact.compact_before, &compact.compact_after, &compact.changelog_files] {
            put_list(files, rows::data_file, &mut out)?;
        }
        for files in [&compact.new_index_files, &compact.deleted_index_files] {
            put_list(files, rows::index_file, &mut out)?;
        }
        Ok(out)
    }

    /// Reads a message of the given version.
    ///
    /// # Errors
    /// `Unsupported` for a version other than [`CommitMessage::VERSION`], `Corrupt` when the bytes are damaged.
    pub fn deserialize(version: i32, bytes: &[u8]) -> Result<Self> {
        if version != Self::VERSION {
            let message = format!("commit messages of version {version} are not supported, only {} is", Self::VERSION);
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let mut input = Input(bytes);
        let length = input.length()?;
        let partition = BinaryRow::from_serialized(input.take(length)?)?;
        let bucket = input.int()?;
        let total_buckets = match input.take(1)? {
            [0] => None,
            _ => Some(input.int()?),
        };
        let mut data = DataIncrement::default();
        for files in [&mut data.new_files, &mut data.deleted_files, &mut data.changelog_files] {
            *files = input.list(rows::DATA_FILE_FIELDS, rows::read_data_file)?;
        }
        for files in [&mut data.new_index_files, &mut data.deleted_index_files] {
            *files = input.list(rows::INDEX_FILE_FIELDS, rows::read_index_file)?;
        }
        let mut compact = CompactIncrement::default();
        for files in [&mut compact.compact_before, &mut compact.compact_after, &mut compact.changelog_files] {
            *files = input.list(rows::DATA_FILE_FIELDS, rows::read_data_file)?;
        }
        for files in [&mut compact.new_index_files, &mut compact.deleted_index_files] {
            *files = input.list(rows::INDEX_FILE_FIELDS, rows::read_index_file)?;
        }
        if !input.0.is_empty() {
            return Err(corrupt(format!("{} bytes are left at the end of a commit message", input.0.len())));
        }
        Ok(Self { partition, bucket, total_buckets, data_increment: data, compact_increment: compact })
    }
}

fn put_length(length: usize, out: &mut Vec<u8>) -> Result<()> {
    let length = i32::try_from(length)
        .map_err(|_| Error::new(ErrorKind::InvalidInput, "a part of a commit message is longer than 2 GiB"))?;
    out.extend_from_slice(&length.to_be_bytes());
    Ok(())
}

fn put_list<T>(items: &[T], row: impl Fn(&T) -> Result<BinaryRow>, out: &mut Vec<u8>) -> Result<()> {
    put_length(items.len(), out)?;
    for item in items {
        let row = row(item)?;
        put_length(row.bytes().len(), out)?;
        out.extend_from_slice(row.bytes());
    }
    Ok(())
}

struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (head, tail) =
            self.0.split_at_checked(length).ok_or_else(|| corrupt("a commit message ends too early".to_owned()))?;
        self.0 = tail;
        Ok(head)
    }

    fn int(&mut self) -> Result<i32> {
        let bytes = self.take(4)?;
        Ok(bytes.iter().fold(0i32, |value, byte| (value << 8) | i32::from(*byte)))
    }

    fn length(&mut self) -> Result<usize> {
        let length = self.int()?;
        usize::try_from(length).map_err(|_| corrupt(format!("a part of a commit message has the length {length}")))
    }

    fn list<T>(&mut self, fields: usize, read: impl Fn(&BinaryRow) -> Result<T>) -> Result<Vec<T>> {
        let count = self.length()?;
        let mut items = Vec::with_capacity(count.min(self.0.len()));
        for _ in 0..count {
            let length = self.length()?;
            items.push(read(&BinaryRow::from_bytes(fields, self.take(length)?.to_vec())?)?);
        }
        Ok(items)
    }
}

fn corrupt(message: String) -> Error {
    Error::new(ErrorKind::Corrupt, message)
}
