//! Merge trees over Arrow batches: sort buffer, levels, compaction picker, merge engines.
