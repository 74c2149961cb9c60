//! The crate's error.

use std::error::Error as StdError;
use std::sync::Arc;

use datafusion::arrow::error::ArrowError;
use datafusion::error::DataFusionError;
use headwater_types::ErrorKind;

headwater_types::define_error!(
    "headwater-datafusion";
    from headwater_types::Error, headwater_io::Error, headwater_metadata::Error, headwater_catalog::Error,
    headwater_commit::Error, headwater_table::Error
);

impl From<DataFusionError> for Error {
    /// Takes an error of ours out of DataFusion's wrapping; the rest is a request that cannot be planned or run.
    fn from(error: DataFusionError) -> Self {
        match error {
            DataFusionError::External(inner) => Self::from_boxed(inner),
            DataFusionError::Context(_, inner) | DataFusionError::Diagnostic(_, inner) => Self::from(*inner),
            DataFusionError::ArrowError(inner, _) => Self::from_arrow(*inner),
            // Several parts of a plan got the same error, such as one side of a join.
            DataFusionError::Shared(inner) => match Arc::try_unwrap(inner) {
                Ok(only) => Self::from(only),
                Err(shared) => Self::copy_of(shared.as_ref()),
            },
            DataFusionError::ResourcesExhausted(message) => Self::new(ErrorKind::Unavailable, message),
            DataFusionError::NotImplemented(message) => Self::new(ErrorKind::Unsupported, message),
            DataFusionError::Internal(message) => Self::new(ErrorKind::Internal, message),
            DataFusionError::ExecutionJoin(task) => Self::new(ErrorKind::Internal, task.to_string()),
            other => Self::new(ErrorKind::InvalidInput, other.strip_backtrace()),
        }
    }
}

impl Error {
    /// An Arrow error of a query; an error of ours inside it is taken out.
    pub(crate) fn from_arrow(error: ArrowError) -> Self {
        match error {
            ArrowError::ExternalError(inner) => Self::from_boxed(inner),
            other => Self::new(ErrorKind::InvalidInput, other.to_string()),
        }
    }

    fn from_boxed(error: headwater_types::BoxError) -> Self {
        let error = match error.downcast::<Self>() {
            Ok(ours) => return *ours,
            Err(other) => other,
        };
        let error = match error.downcast::<headwater_table::Error>() {
            Ok(table) => return Self::from(*table),
            Err(other) => other,
        };
        // DataFusion and Arrow wrap each other's errors.
        let error = match error.downcast::<DataFusionError>() {
            Ok(inner) => return Self::from(*inner),
            Err(other) => other,
        };
        match error.downcast::<ArrowError>() {
            Ok(inner) => Self::from_arrow(*inner),
            Err(other) => Self::new(ErrorKind::Internal, other.to_string()),
        }
    }

    /// Kind and text of an error that others hold as well.
    fn copy_of(error: &DataFusionError) -> Self {
        let mut below: Option<&(dyn StdError + 'static)> = Some(error);
        while let Some(error) = below {
            if let Some(ours) = error.downcast_ref::<Self>() {
                let copy = Self::new(ours.kind(), ours.message());
                return CONTEXT.iter().fold(copy, |copy, key| match ours.context(key) {
                    Some(value) => copy.with(key, value),
                    None => copy,
                });
            }
            below = error.source();
        }
        let kind = match error.find_root() {
            DataFusionError::ResourcesExhausted(_) => ErrorKind::Unavailable,
            DataFusionError::NotImplemented(_) => ErrorKind::Unsupported,
            DataFusionError::Internal(_) => ErrorKind::Internal,
            _ => ErrorKind::InvalidInput,
        };
        Self::new(kind, error.strip_backtrace())
    }
}

/// Context that a copied error keeps.
const CONTEXT: [&str; 6] = ["path", "file", "table", "column", "snapshot", "option"];

impl From<Error> for DataFusionError {
    fn from(error: Error) -> Self {
        Self::External(Box::new(error))
    }
}
