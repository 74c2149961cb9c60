//! Splitting a script into statements.

/// The statements of a script: split at semicolons outside quotes and comments, blank ones left out.
pub(crate) fn split_statements(script: &str) -> Vec<&str> {
    let bytes = script.as_bytes();
    let mut statements = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\'' | b'"' | b'`' => at = skip_quoted(bytes, at),
            b'-' if bytes.get(at + 1) == Some(&b'-') => at = skip_until(bytes, at, b"\n"),
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = skip_until(bytes, at + 2, b"*/"),
            b';' => {
                statements.extend(script.get(start..at));
                at += 1;
                start = at;
            }
            _ => at += 1,
        }
    }
    statements.extend(script.get(start..));
    statements.into_iter().map(str::trim).filter(|s| !is_blank(s)).collect()
}

fn skip_quoted(bytes: &[u8], open: usize) -> usize {
    let quote = bytes.get(open);
    let mut at = open + 1;
    while at < bytes.len() {
        if bytes.get(at) == quote {
            if bytes.get(at + 1) != quote {
                return at + 1;
            }
            at += 1;
        }
        at += 1;
    }
    bytes.len()
}

fn skip_until(bytes: &[u8], from: usize, end: &[u8]) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.windows(end.len()).position(|w| w == end).map_or(bytes.len(), |p| from + p + end.len())
}

/// Whether nothing but blanks and comments is left.
fn is_blank(statement: &str) -> bool {
    let bytes = statement.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'-' if bytes.get(at + 1) == Some(&b'-') => at = skip_until(bytes, at, b"\n"),
            b'/' if bytes.get(at + 1) == Some(&b'*') && bytes.get(at + 2) != Some(&b'+') => {
                at = skip_until(bytes, at + 2, b"*/");
            }
            b if b.is_ascii_whitespace() => at += 1,
            _ => return false,
        }
    }
    true
}
