//! Paimon tables: scan, read, write, compact.
