//! Logical types, BinaryRow, bucket functions, predicates and the options registry of the Paimon table format.
