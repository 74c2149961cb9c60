//! The error shape every crate of the workspace shares: what the caller can do, what happened, where.

use std::fmt;

/// What the caller of a failed operation can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The named thing is not there.
    NotFound,
    /// The thing to be created is there already.
    Exists,
    /// Somebody else changed the table first: read again, plan again, retry.
    Conflict,
    /// A store or a service did not answer; the same call may succeed later.
    Unavailable,
    /// Bytes do not mean what their format says; retrying cannot help.
    Corrupt,
    /// A feature of the format that Headwater does not have; the message names it.
    Unsupported,
    /// The request itself is wrong: a bad option, value, name or SQL text.
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
            Self::Conflict => "Conflict",
            Self::Unavailable => "Unavailable",
            Self::Corrupt => "Corrupt",
            Self::Unsupported => "Unsupported",
            Self::InvalidInput => "InvalidInput",
            Self::Internal => "Internal",
        }
    }

    /// The kind of that name; `Internal` for a name this version does not know.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        match name {
            "NotFound" => Self::NotFound,
            "Exists" => Self::Exists,
            "Conflict" => Self::Conflict,
            "Unavailable" => Self::Unavailable,
            "Corrupt" => Self::Corrupt,
            "Unsupported" => Self::Unsupported,
            "InvalidInput" => Self::InvalidInput,
            _ => Self::Internal,
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

/// The owned parts of an error, used to carry it from one crate's type into another's.
pub struct ErrorParts {
    /// [`ErrorKind::as_str`] of the kind.
    pub kind: &'static str,
    /// One sentence saying what happened.
    pub message: String,
    /// Where: `path`, `table`, `snapshot`, `column`, … in the order they were added.
    pub context: Vec<(&'static str, String)>,
    /// The error below.
    pub source: Option<BoxError>,
}

/// Defines a crate's public `Error` and `Result`: a kind, a message, context pairs and a source.
///
/// `define_error!("headwater-x"; from headwater_types::Error, headwater_io::Error);` also implements `From`
/// for the listed errors of lower crates: kind, message and context are carried over, nothing is re-wrapped.
#[macro_export]
macro_rules! define_error {
    ($crate_name:literal $(; from $($lower:path),+ $(,)?)?) => {
        #[doc = concat!("The error of `", $crate_name, "`: what the caller can do ([`ErrorKind`]), what happened, and where.")]
        pub struct Error(Box<ErrorBody>);

        struct ErrorBody {
            kind: $crate::ErrorKind,
            message: String,
            context: Vec<(&'static str, String)>,
            source: Option<$crate::BoxError>,
        }

        #[doc = concat!("The result of `", $crate_name, "`.")]
        pub type Result<T, E = Error> = std::result::Result<T, E>;

        impl Error {
            /// An error of that kind with a one-sentence message.
            pub fn new(kind: $crate::ErrorKind, message: impl Into<String>) -> Self {
                Self(Box::new(ErrorBody { kind, message: message.into(), context: Vec::new(), source: None }))
            }

            /// Adds where it happened (`path`, `table`, `snapshot`, `column`, …).
            #[must_use]
            pub fn with(mut self, key: &'static str, value: impl std::fmt::Display) -> Self {
                self.0.context.push((key, value.to_string()));
                self
            }

            /// Adds the error below.
            #[must_use]
            pub fn with_source(mut self, source: impl Into<$crate::BoxError>) -> Self {
                self.0.source = Some(source.into());
                self
            }

            /// What the caller can do.
            #[must_use]
            pub fn kind(&self) -> $crate::ErrorKind {
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

            /// Whether the same call may succeed later (`Unavailable`, `Conflict`).
            #[must_use]
            pub fn is_retryable(&self) -> bool {
                matches!(self.0.kind, $crate::ErrorKind::Unavailable | $crate::ErrorKind::Conflict)
            }

            /// The parts, to be carried into an upper crate's error.
            #[must_use]
            pub fn into_parts(self) -> $crate::ErrorParts {
                let body = *self.0;
                $crate::ErrorParts { kind: body.kind.as_str(), message: body.message, context: body.context, source: body.source }
            }
        }

        impl std::fmt::Display for Error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}: {}", self.0.kind, self.0.message)?;
                for (i, (key, value)) in self.0.context.iter().enumerate() {
                    write!(f, "{}{key}={value}", if i == 0 { " (" } else { ", " })?;
                }
                if !self.0.context.is_empty() {
                    f.write_str(")")?;
                }
                Ok(())
            }
        }

        impl std::fmt::Debug for Error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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

        $($(
            impl From<$lower> for Error {
                fn from(lower: $lower) -> Self {
                    let parts = lower.into_parts();
                    Self(Box::new(ErrorBody {
                        kind: $crate::ErrorKind::from_name(parts.kind),
                        message: parts.message,
                        context: parts.context,
                        source: parts.source,
                    }))
                }
            }
        )+)?
    };
}

define_error!("headwater-types");
