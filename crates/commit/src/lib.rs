//! Plans and publishes snapshots of Paimon tables.
//!
//! A commit is two steps. [`plan()`] is a function of values: the state of the table and the changes, giving what the
//! next snapshot holds or why it cannot be. Publishing writes its manifests and creates `snapshot-N` with a call that
//! never overwrites; the loser of a race plans again on top of the winner. When the store does not answer, the snapshot
//! is read back: user, identifier and kind say whose it is. Data files are none of this crate's business.
//!
//! ```text
//! messages ─▶ CollectedChanges ─▶ plan(base, changes) ─▶ Plan | Conflict ─▶ manifests ─▶ lists ─▶ snapshot-N
//!                                      ▲                                                    │ lost or unknown
//!                                      └────────────────────────────────────────────────────┘
//! ```
//!
//! # Examples
//! ```
//! use headwater_commit::{CommitOptions, FileStoreCommit};
//! use headwater_io::{Env, FileIo};
//! use headwater_metadata::{ManifestCommittable, Schema, SchemaStore};
//! use headwater_types::{DataField, TypeKind};
//!
//! # let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
//! # runtime.block_on(async {
//! let (io, env) = (FileIo::memory(), Env::system());
//! let fields = vec![DataField::new(0, "k", TypeKind::Int)];
//! let options = [("bucket".to_owned(), "1".to_owned())].into();
//! let schema = Schema::create(fields, vec![], vec!["k".to_owned()], options, None, 0)?;
//! SchemaStore::new(io.clone(), None).create(&schema).await?;
//!
//! let commit = FileStoreCommit::new(&io, &schema, "me", &env)?;
//! let nothing = ManifestCommittable { identifier: 1, watermark: None, properties: Default::default(), messages: vec![] };
//! let options = CommitOptions { ignore_empty: false, ..CommitOptions::default() };
//! assert_eq!(commit.commit(&nothing, options).await?, [1]);
//! # Ok::<(), headwater_commit::Error>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod changes;
mod conflict;
mod detect;
mod error;
mod facts;
mod file_store_commit;
mod fold;
mod index_combine;
mod merge_manifests;
mod overwrite;
mod plan;
mod publish;

pub use changes::{Changes, CollectedChanges};
pub use conflict::{Conflict, Refusal};
pub use error::{Error, Result};
pub use facts::TableFacts;
pub use file_store_commit::{CommitOptions, FileStoreCommit};
pub use headwater_types::ErrorKind;
pub use merge_manifests::{MergeChoice, MergeSizes, choose};
pub use plan::{Attempt, BaseState, Plan, is_outcome_of, plan};
