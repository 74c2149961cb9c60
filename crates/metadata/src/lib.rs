//! Schema, snapshot and manifest files of Apache Paimon tables.
