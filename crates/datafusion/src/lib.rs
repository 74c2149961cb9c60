//! SQL over Headwater tables through DataFusion.
