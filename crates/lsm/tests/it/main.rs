//! The public interface as a table uses it.

#[cfg(test)]
mod bucket;
#[cfg(test)]
mod reference_examples;
