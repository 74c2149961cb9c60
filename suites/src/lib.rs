//! Long tests of the whole: fixtures, interop, faults.
