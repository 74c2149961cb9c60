//! Catalogs of Paimon warehouses: which databases and tables there are, and where a table lies.
//!
//! May depend on `types`, `io`, `metadata` and `commit`; knows neither data files nor SQL.
//!
//! # Examples
//! ```
//! use headwater_catalog::{Catalog as _, FilesystemCatalog, Identifier, NewTable};
//! use headwater_io::{Env, FileIo};
//! use headwater_types::{DataField, TypeKind};
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
//! # runtime.block_on(async {
//! let catalog = FilesystemCatalog::new(FileIo::memory(), &Env::system());
//! catalog.create_database("shop", false).await?;
//! let table = NewTable {
//!     fields: vec![DataField::new(0, "id", TypeKind::BigInt), DataField::new(1, "price", TypeKind::Double)],
//!     primary_keys: vec!["id".to_owned()],
//!     options: [("bucket".to_owned(), "1".to_owned())].into(),
//!     ..NewTable::default()
//! };
//! catalog.create_table(&Identifier::new("shop", "orders"), table, false).await?;
//! assert_eq!(catalog.list_tables("shop").await?, ["orders"]);
//! # Ok::<(), headwater_catalog::Error>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod catalog;
mod error;
mod filesystem;
mod identifier;

pub use catalog::{Catalog, NewTable, TableLocation};
pub use error::{Error, Result};
pub use filesystem::FilesystemCatalog;
pub use headwater_types::ErrorKind;
pub use identifier::Identifier;
