//! The crate's error.

headwater_types::define_error!(
    "headwater-catalog";
    from headwater_types::Error, headwater_io::Error, headwater_metadata::Error
);
