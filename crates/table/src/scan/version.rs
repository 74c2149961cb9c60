//! Which snapshot a scan reads.

use headwater_metadata::Snapshot;
use headwater_types::ErrorKind;

use crate::{Error, Result, Table};

/// A snapshot by one of its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Version {
    Latest,
    Snapshot(i64),
    Tag(String),
    /// Milliseconds since 1970 UTC.
    Timestamp(i64),
}

impl Version {
    /// When the scan itself names none: what the options `scan.*` of the table handle name.
    pub(super) async fn or_options(self, table: &Table) -> Result<Self> {
        if self != Self::Latest {
            return Ok(self);
        }
        let options = table.options();
        if let Some(id) = options.scan_snapshot_id() {
            return Ok(Self::Snapshot(id));
        }
        if let Some(name) = options.scan_tag_name() {
            return Ok(Self::Tag(name));
        }
        if let Some(millis) = options.scan_timestamp_millis() {
            return Ok(Self::Timestamp(millis));
        }
        match options.scan_version() {
            None => Ok(Self::Latest),
            Some(name) => {
                if table.tags().list().await?.contains(&name) {
                    return Ok(Self::Tag(name));
                }
                let id = name.parse().map_err(|_| {
                    Error::new(ErrorKind::NotFound, "scan.version is neither a tag nor the id of a snapshot")
                        .with("version", &name)
                })?;
                Ok(Self::Snapshot(id))
            }
        }
    }

    pub(super) async fn resolve(&self, table: &Table) -> Result<Option<Snapshot>> {
        let store = table.snapshots();
        match self {
            Self::Latest => Ok(store.latest().await?),
            Self::Snapshot(id) => match store.get(*id).await {
                Ok(snapshot) => Ok(Some(snapshot)),
                Err(error) if error.kind() == ErrorKind::NotFound => Err(missing(table, *id).await?),
                Err(error) => Err(error.into()),
            },
            Self::Tag(name) => match table.tags().get(name).await {
                Ok(snapshot) => Ok(Some(snapshot)),
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    let tags = table.tags().list().await?;
                    let known =
                        if tags.is_empty() { "it has none".to_owned() } else { format!("it has {}", tags.join(", ")) };
                    Err(Error::new(ErrorKind::NotFound, format!("the table has no tag '{name}'; {known}"))
                        .with("table", table.location()))
                }
                Err(error) => Err(error.into()),
            },
            Self::Timestamp(millis) => {
                let found = store.at_or_before(*millis).await?;
                found.map(Some).ok_or_else(|| {
                    Error::new(ErrorKind::NotFound, "no snapshot is as old as the time asked for")
                        .with("timestamp_millis", millis)
                        .with("table", table.location())
                })
            }
        }
    }
}

async fn missing(table: &Table, id: i64) -> Result<Error> {
    let store = table.snapshots();
    let message = match (store.earliest_id().await?, store.latest_id().await?) {
        (Some(first), Some(last)) => format!("there is no snapshot {id}; the table has snapshots {first} to {last}"),
        _ => format!("there is no snapshot {id}; the table was never written to"),
    };
    Ok(Error::new(ErrorKind::NotFound, message).with("snapshot", id).with("table", table.location()))
}
