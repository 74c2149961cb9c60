//! The project's own commands: `cargo xtask test`, `ci`, `graph`, `interop`.
fn main() {}
