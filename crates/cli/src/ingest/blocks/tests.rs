use std::io::Read;

use super::{Blocks, Boundary};

/// Hands out a text in pieces of so many bytes.
struct Trickle<'a>(&'a [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, target: &mut [u8]) -> std::io::Result<usize> {
        let (now, later) = self.0.split_at(self.1.min(self.0.len()));
        target[..now.len()].copy_from_slice(now);
        self.0 = later;
        Ok(now.len())
    }
}

fn check(text: &str, boundary: Boundary, records: &[&str]) {
    for piece in 1..=text.len() {
        let mut blocks = Blocks::new(Trickle(text.as_bytes(), piece), boundary);
        let mut whole = String::new();
        while let Some(block) = blocks.next().unwrap() {
            let block = String::from_utf8(block).unwrap();
            whole.push_str(&block);
            let starts_record = |at: usize| at == 0 || records.concat().get(..at).is_some();
            assert!(starts_record(whole.len()));
            let ends: Vec<usize> = records
                .iter()
                .scan(0, |sum, r| {
                    *sum += r.len();
                    Some(*sum)
                })
                .collect();
            assert!(ends.contains(&whole.len()), "a block ends within a record at {}", whole.len());
        }
        assert_eq!(whole, text);
    }
}

#[test]
fn lines_stay_whole() {
    check("{\"a\":1}\n{\"a\":2}\n{\"a\":3}", Boundary::Line, &["{\"a\":1}\n", "{\"a\":2}\n", "{\"a\":3}"]);
}

#[test]
fn quoted_newlines_do_not_end_a_record() {
    let csv = Boundary::Csv { delimiter: b',' };
    check(
        "a,b\n\"x\ny\",\"say \"\"hi\"\"\n\"\n5\" pipe,z\n",
        csv,
        &["a,b\n", "\"x\ny\",\"say \"\"hi\"\"\n\"\n", "5\" pipe,z\n"],
    );
}
