//! The crate's error.

headwater_types::define_error!("headwater-format"; from headwater_types::Error, headwater_io::Error);
