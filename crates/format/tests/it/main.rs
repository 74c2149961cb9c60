//! Files of real tables and files of our own.

mod fixtures;
mod round_trip;
