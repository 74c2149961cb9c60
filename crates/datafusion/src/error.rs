//! The crate's error.

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
            DataFusionError::External(inner) => match inner.downcast::<Self>() {
                Ok(ours) => *ours,
                Err(inner) => match inner.downcast::<headwater_table::Error>() {
                    Ok(table) => Self::from(*table),
                    Err(other) => Self::new(ErrorKind::Internal, other.to_string()),
                },
            },
            DataFusionError::Context(_, inner) => Self::from(*inner),
            DataFusionError::ArrowError(inner, _) => Self::from_arrow(*inner),
            DataFusionError::ResourcesExhausted(message) => Self::new(ErrorKind::Unavailable, message),
            DataFusionError::NotImplemented(message) => Self::new(ErrorKind::Unsupported, message),
            DataFusionError::Internal(message) => Self::new(ErrorKind::Internal, message),
            other => Self::new(ErrorKind::InvalidInput, other.strip_backtrace()),
        }
    }
}

impl Error {
    /// An Arrow error of a query; an error of ours inside it is taken out.
    pub(crate) fn from_arrow(error: datafusion::arrow::error::ArrowError) -> Self {
        match error {
            datafusion::arrow::error::ArrowError::ExternalError(inner) => Self::from(DataFusionError::External(inner)),
            other => Self::new(ErrorKind::InvalidInput, other.to_string()),
        }
    }
}

impl From<Error> for DataFusionError {
    fn from(error: Error) -> Self {
        Self::External(Box::new(error))
    }
}
