//! What went wrong, for people (a sentence and what to do next) and for programs (an exit code, JSON).

use std::process::ExitCode;

use headwater_types::ErrorKind;
use serde_json::json;

headwater_types::define_error!(
    "headwater-cli";
    from headwater_types::Error, headwater_io::Error, headwater_metadata::Error, headwater_format::Error,
        headwater_lsm::Error, headwater_catalog::Error, headwater_table::Error, headwater_datafusion::Error
);

/// `InvalidInput` with that message.
pub(crate) fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidInput, message)
}

/// An error of the user's own file or terminal.
pub(crate) fn from_os(error: std::io::Error, doing: &str, path: impl std::fmt::Display) -> Error {
    let kind = match error.kind() {
        std::io::ErrorKind::NotFound => ErrorKind::NotFound,
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::IsADirectory => ErrorKind::InvalidInput,
        _ => ErrorKind::Unavailable,
    };
    Error::new(kind, format!("cannot {doing}: {error}")).with("path", path).with_source(error)
}

/// The exit code of a failure; the table is in the README.
pub(crate) fn exit_code(kind: ErrorKind) -> ExitCode {
    ExitCode::from(match kind {
        ErrorKind::InvalidInput => 2,
        ErrorKind::NotFound => 3,
        ErrorKind::Exists => 4,
        ErrorKind::Conflict => 5,
        ErrorKind::Unavailable => 6,
        ErrorKind::Corrupt => 7,
        ErrorKind::Unsupported => 8,
        _ => 1,
    })
}

/// The text for standard error.
pub(crate) fn render(error: Error, as_json: bool) -> String {
    let sentence = error.to_string();
    let mut causes = Vec::new();
    let mut source = std::error::Error::source(&error);
    while let Some(below) = source {
        causes.push(below.to_string());
        source = below.source();
    }
    let hint = hint(error.kind());
    if as_json {
        let parts = error.into_parts();
        let context: serde_json::Map<String, serde_json::Value> =
            parts.context.into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect();
        let body = json!({"error": {
            "kind": parts.kind, "message": parts.message, "context": context, "causes": causes, "hint": hint,
        }});
        return format!("{body}\n");
    }
    let causes = causes.iter().map(|cause| format!("  caused by: {cause}\n"));
    let hint = hint.map(|hint| format!("  {hint}\n"));
    std::iter::once(format!("error: {sentence}\n")).chain(causes).chain(hint).collect()
}

fn hint(kind: ErrorKind) -> Option<&'static str> {
    match kind {
        ErrorKind::Conflict => Some("somebody else changed the table first: run the command again"),
        ErrorKind::Unavailable => Some("the table is as it was or the change is whole: run the command again"),
        ErrorKind::Corrupt => Some(
            "the table was not changed; an earlier snapshot may be whole: `headwater inspect … snapshots`, then `headwater cat … --snapshot ID`",
        ),
        ErrorKind::Unsupported => Some("the table was not changed; docs/compatibility.md lists what is supported"),
        ErrorKind::Internal => {
            Some("this is a bug of Headwater: please report it with the command and the message above")
        }
        _ => None,
    }
}
