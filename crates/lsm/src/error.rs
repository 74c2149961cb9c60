//! The crate's error.

use arrow_schema::ArrowError;

headwater_types::define_error!("headwater-lsm"; from headwater_types::Error, headwater_metadata::Error);

/// An error of the Arrow library while doing something, which the columns given cannot cause by their values.
pub(crate) fn arrow(doing: &'static str) -> impl Fn(ArrowError) -> Error {
    move |source| {
        Error::new(headwater_types::ErrorKind::Internal, format!("Arrow failed to {doing}")).with_source(source)
    }
}
