//! Files for Headwater: stores that never overwrite, ranged reads, and the Env that carries every effect.
