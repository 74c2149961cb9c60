//! The crate's error.

headwater_types::define_error!("headwater-index"; from headwater_types::Error, headwater_metadata::Error);
