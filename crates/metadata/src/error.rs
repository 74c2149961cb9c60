//! The crate's error.

#[cfg(feature = "store")]
headwater_types::define_error!("headwater-metadata"; from headwater_types::Error, headwater_io::Error);
#[cfg(not(feature = "store"))]
headwater_types::define_error!("headwater-metadata"; from headwater_types::Error);
