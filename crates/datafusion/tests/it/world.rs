//! A session over a warehouse in memory whose clock is the test's.

use std::sync::Arc;

use arrow_cast::display::{ArrayFormatter, FormatOptions};
use futures::TryStreamExt as _;
use headwater_catalog::FilesystemCatalog;
use headwater_datafusion::{Error, ErrorKind, SessionOptions, SqlSession, StatementResult};
use headwater_io::{Env, FileIo};

pub(crate) struct World {
    pub(crate) env: Env,
    files: FileIo,
    sql: SqlSession,
}

impl World {
    /// An empty database `db`, in use.
    pub(crate) async fn new() -> Self {
        let env = Env::deterministic(7);
        let files = FileIo::memory();
        let catalog = Arc::new(FilesystemCatalog::new(files.clone(), &env));
        let options = SessionOptions { parallelism: 2, ..SessionOptions::default() };
        let world = Self { sql: SqlSession::new(catalog, env.clone(), options).unwrap(), files, env };
        world.run("CREATE DATABASE db; USE db").await;
        world
    }

    /// With the tables of a script.
    pub(crate) async fn with(script: &str) -> Self {
        let world = Self::new().await;
        world.run(script).await;
        world
    }

    /// Runs statements that must succeed and returns their messages.
    pub(crate) async fn run(&self, script: &str) -> Vec<String> {
        let results = self.sql.execute(script).await.unwrap_or_else(|e| panic!("{script}: {e}"));
        let messages = results.into_iter().filter_map(|result| match result {
            StatementResult::Message(text) => Some(text),
            StatementResult::Rows(..) => None,
        });
        messages.collect()
    }

    /// Overwrites every file of a directory with as many other bytes.
    pub(crate) async fn damage(&self, dir: &str) {
        for file in self.files.list(dir).await.unwrap() {
            let size = usize::try_from(file.size).unwrap();
            self.files.overwrite(&file.path, vec![0x5a; size].into()).await.unwrap();
        }
    }

    /// Tags a snapshot: a tag file is that of the snapshot under another name, as the reference writes it.
    pub(crate) async fn tag(&self, table: &str, snapshot: i64, name: &str) {
        let text = self.files.read(&format!("db.db/{table}/snapshot/snapshot-{snapshot}")).await.unwrap();
        self.files.create_new(&format!("db.db/{table}/tag/tag-{name}"), text).await.unwrap();
    }

    async fn try_rows(&self, query: &str) -> Result<Vec<String>, Error> {
        let mut lines = Vec::new();
        for result in self.sql.execute(query).await? {
            let StatementResult::Rows(batches, schema) = result else { continue };
            for batch in batches.try_collect::<Vec<_>>().await? {
                assert_eq!(batch.schema().fields().len(), schema.fields().len(), "{query}");
                let options = FormatOptions::default().with_null("null");
                let columns = batch.columns().iter().map(|c| ArrayFormatter::try_new(c.as_ref(), &options).unwrap());
                let columns: Vec<_> = columns.collect();
                lines.extend((0..batch.num_rows()).map(|row| {
                    columns.iter().map(|column| column.value(row).to_string()).collect::<Vec<_>>().join("|")
                }));
            }
        }
        Ok(lines)
    }

    /// The rows of a query as they come, values joined by `|`.
    pub(crate) async fn rows(&self, query: &str) -> Vec<String> {
        self.try_rows(query).await.unwrap_or_else(|e| panic!("{query}: {e}"))
    }

    /// Runs queries and compares their rows.
    pub(crate) async fn check(&self, cases: &[(&str, &[&str])]) {
        for (query, expected) in cases {
            assert_eq!(self.rows(query).await, *expected, "{query}");
        }
    }

    /// Runs statements that must fail with that kind, saying all of the texts.
    pub(crate) async fn refuse(&self, cases: &[(&str, ErrorKind, &[&str])]) {
        for (statement, kind, texts) in cases {
            let Err(error) = self.try_rows(statement).await else { panic!("{statement} succeeded") };
            assert_eq!(error.kind(), *kind, "{statement}: {error}");
            for text in *texts {
                assert!(error.to_string().contains(text), "{statement}: {error} does not say '{text}'");
            }
        }
    }
}
