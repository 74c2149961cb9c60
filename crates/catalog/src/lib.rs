//! Catalogs of Paimon warehouses.
