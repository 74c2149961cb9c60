//! Raw input cut at the ends of records, as soon as it arrives.

use std::io::Read;

/// What ends a record.
#[derive(Clone, Copy, Debug)]
pub(super) enum Boundary {
    /// Every newline.
    Line,
    /// A newline outside double quotes; quotes open only at the start of a field.
    Csv {
        /// The separator of fields.
        delimiter: u8,
    },
}

/// Reads blocks of whole records. A block is handed out after the read that completed it, however small: a slow input
/// is seen as it comes.
pub(super) struct Blocks<R> {
    input: R,
    boundary: Boundary,
    buffer: Vec<u8>,
    scanned: usize,
    complete: usize,
    state: State,
    ended: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    FieldStart,
    Plain,
    Quoted,
    QuoteInQuoted,
}

const READ_BYTES: usize = 1 << 20;

impl<R: Read> Blocks<R> {
    pub(super) fn new(input: R, boundary: Boundary) -> Self {
        Self { input, boundary, buffer: Vec::new(), scanned: 0, complete: 0, state: State::FieldStart, ended: false }
    }

    /// The next whole records; the last block may lack its newline.
    pub(super) fn next(&mut self) -> std::io::Result<Option<Vec<u8>>> {
        while !self.ended {
            let filled = self.buffer.len();
            self.buffer.resize(filled + READ_BYTES, 0);
            let target = self.buffer.get_mut(filled..).unwrap_or_default();
            let read = loop {
                match self.input.read(target) {
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    other => break other,
                }
            };
            self.buffer.truncate(filled + *read.as_ref().unwrap_or(&0));
            self.ended = read? == 0;
            self.scan();
            if self.complete > 0 {
                let rest = self.buffer.split_off(self.complete);
                self.scanned -= self.complete;
                self.complete = 0;
                return Ok(Some(std::mem::replace(&mut self.buffer, rest)));
            }
        }
        let last = std::mem::take(&mut self.buffer);
        Ok((!last.is_empty()).then_some(last))
    }

    fn scan(&mut self) {
        let fresh = self.buffer.get(self.scanned..).unwrap_or_default();
        match self.boundary {
            Boundary::Line => {
                if let Some(at) = fresh.iter().rposition(|byte| *byte == b'\n') {
                    self.complete = self.scanned + at + 1;
                }
            }
            Boundary::Csv { delimiter } => {
                for (at, byte) in fresh.iter().enumerate() {
                    self.state = match (self.state, *byte) {
                        (State::Quoted, b'"') => State::QuoteInQuoted,
                        (State::Quoted, _) | (State::FieldStart | State::QuoteInQuoted, b'"') => State::Quoted,
                        (_, b'\n') => {
                            self.complete = self.scanned + at + 1;
                            State::FieldStart
                        }
                        (_, byte) if byte == delimiter => State::FieldStart,
                        _ => State::Plain,
                    };
                }
            }
        }
        self.scanned = self.buffer.len();
    }
}

#[cfg(test)]
mod tests;
