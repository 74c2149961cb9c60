//! Headwater: Apache Paimon tables in Rust (facade).
