//! Data files of Paimon tables as Arrow batches, with statistics.
