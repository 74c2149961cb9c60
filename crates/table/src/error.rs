//! The crate's error.

use headwater_types::ErrorKind;

headwater_types::define_error!(
    "headwater-table";
    from headwater_types::Error, headwater_io::Error, headwater_metadata::Error, headwater_format::Error,
    headwater_lsm::Error, headwater_index::Error, headwater_catalog::Error, headwater_commit::Error
);

/// An Arrow kernel that failed on columns this crate made itself.
pub(crate) fn arrow(doing: &'static str) -> impl Fn(arrow_schema::ArrowError) -> Error {
    move |source| Error::new(ErrorKind::Internal, format!("could not {doing}")).with_source(source)
}

/// A background task that panicked or was cancelled.
pub(crate) fn task(source: tokio::task::JoinError) -> Error {
    Error::new(ErrorKind::Internal, "a background task of the table ended unexpectedly").with_source(source)
}
