//! Plans and publishes snapshots of Paimon tables.
