//! Stores over memory.
