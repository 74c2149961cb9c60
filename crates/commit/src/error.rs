//! The crate's error.

headwater_types::define_error!(
    "headwater-commit";
    from headwater_types::Error, headwater_io::Error, headwater_metadata::Error
);
