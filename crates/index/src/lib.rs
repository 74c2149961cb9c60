//! Deletion vectors, hash bucket index and file indexes of Paimon tables.
