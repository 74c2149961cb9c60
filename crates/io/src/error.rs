//! The error of this crate, in the shape every crate of the workspace shares.

use std::fmt;
use std::io;

/// What the caller of a failed file operation can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file is not there.
    NotFound,
    /// The file to be created is there already.
    Exists,
    /// The store did not answer or lost its answer; the same call may succeed later.
    Unavailable,
    /// The file is shorter than a reader was told.
    Corrupt,
    /// The store cannot do this.
    Unsupported,
    /// The location, path, permission or option is wrong.
    InvalidInput,
    /// A bug of Headwater.
    Internal,
}

impl ErrorKind {
    /// The stable name of this kind, as printed and as exchanged between crates.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "NotFound",
            Self::Exists => "Exists",
            Self::Unavailable => "Unavailable",
            Self::Corrupt => "Corrupt",
            Self::Unsupported => "Unsupported",
            Self::InvalidInput => "InvalidInput",
            Self::Internal => "Internal",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A boxed lower-level error kept as the source of one of ours.
pub type BoxError = Box<dyn std::error::Error + Send + Sync + 'static>;

/// The owned parts of an error, used to carry it into an upper crate's type.
pub struct ErrorParts {
    /// [`ErrorKind::as_str`] of the kind.
    pub kind: &'static str,
    /// One sentence saying what happened.
    pub message: String,
    /// Where: `path`, `location`, … in the order they were added.
    pub context: Vec<(&'static str, String)>,
    /// The error below.
    pub source: Option<BoxError>,
}

/// The error of `headwater-io`: what the caller can do ([`ErrorKind`]), what happened, and where.
pub struct Error(Box<Body>);

struct Body {
    kind: ErrorKind,
    message: String,
    context: Vec<(&'static str, String)>,
    source: Option<BoxError>,
}

/// The result of `headwater-io`.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of that kind with a one-sentence message.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Body { kind, message: message.into(), context: Vec::new(), source: None }))
    }

    /// Adds where it happened (`path`, `location`, …).
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl fmt::Display) -> Self {
        self.0.context.push((key, value.to_string()));
        self
    }

    /// Adds the error below.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<BoxError>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// What the caller can do.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What happened, without context and source.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The value of a context key, such as `path`.
    #[must_use]
    pub fn context(&self, key: &str) -> Option<&str> {
        self.0.context.iter().find(|(k, _)| *k == key).map(|(_, v)| v.as_str())
    }

    /// Whether the same call may succeed later (`Unavailable`).
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.0.kind == ErrorKind::Unavailable
    }

    /// The parts, to be carried into an upper crate's error.
    #[must_use]
    pub fn into_parts(self) -> ErrorParts {
        let body = *self.0;
        ErrorParts { kind: body.kind.as_str(), message: body.message, context: body.context, source: body.source }
    }

    /// The same error with its `path` rewritten.
    pub(crate) fn map_path(mut self, rewrite: impl Fn(&str) -> String) -> Self {
        for (key, value) in &mut self.0.context {
            if *key == "path" {
                *value = rewrite(value);
            }
        }
        self
    }

    /// An error of the local file system, sorted into kinds; `doing` completes the sentence "cannot …".
    pub(crate) fn from_os(error: io::Error, doing: &str, path: impl fmt::Display) -> Self {
        use io::ErrorKind as Os;
        let (kind, message) = match error.kind() {
            Os::NotFound => (ErrorKind::NotFound, "there is no such file".to_owned()),
            Os::AlreadyExists => (ErrorKind::Exists, "the file is there already".to_owned()),
            Os::PermissionDenied => (
                ErrorKind::InvalidInput,
                format!(
                    "cannot {doing}: permission denied; grant this user access to the directory or choose another location"
                ),
            ),
            Os::ReadOnlyFilesystem => (
                ErrorKind::InvalidInput,
                format!("cannot {doing}: the file system is read-only; choose another location"),
            ),
            Os::NotADirectory | Os::IsADirectory | Os::InvalidFilename | Os::InvalidInput => {
                (ErrorKind::InvalidInput, format!("cannot {doing}: {error}"))
            }
            Os::StorageFull | Os::QuotaExceeded | Os::FileTooLarge => {
                (ErrorKind::Unavailable, format!("cannot {doing}: {error}; free some space and try again"))
            }
            Os::UnexpectedEof => (ErrorKind::Corrupt, "the file is shorter than expected".to_owned()),
            Os::Unsupported => (ErrorKind::Unsupported, format!("cannot {doing}: {error}")),
            _ => (ErrorKind::Unavailable, format!("cannot {doing}: {error}")),
        };
        Self::new(kind, message).with("path", path).with_source(error)
    }

    /// An error of an object store, sorted into kinds.
    pub(crate) fn from_store(error: object_store::Error, doing: &str, path: impl fmt::Display) -> Self {
        use object_store::Error as Store;
        let (kind, message) = match &error {
            Store::NotFound { .. } => (ErrorKind::NotFound, "there is no such file".to_owned()),
            Store::AlreadyExists { .. } | Store::Precondition { .. } => {
                (ErrorKind::Exists, "the file is there already".to_owned())
            }
            Store::PermissionDenied { .. } | Store::Unauthenticated { .. } => (
                ErrorKind::InvalidInput,
                format!("cannot {doing}: the store refused the credentials; check the access key and its rights"),
            ),
            Store::InvalidPath { .. } | Store::UnknownConfigurationKey { .. } => {
                (ErrorKind::InvalidInput, format!("cannot {doing}: {error}"))
            }
            Store::NotSupported { .. } | Store::NotImplemented { .. } => {
                (ErrorKind::Unsupported, format!("cannot {doing}: the store does not offer this"))
            }
            _ => (ErrorKind::Unavailable, format!("cannot {doing}: the store did not answer as expected")),
        };
        Self::new(kind, message).with("path", path).with_source(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.kind, self.0.message)?;
        for (i, (key, value)) in self.0.context.iter().enumerate() {
            write!(f, "{}{key}={value}", if i == 0 { " (" } else { ", " })?;
        }
        if self.0.context.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        let mut source = std::error::Error::source(self);
        while let Some(below) = source {
            write!(f, "\n  caused by: {below}")?;
            source = below.source();
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|s| &**s as &(dyn std::error::Error + 'static))
    }
}
