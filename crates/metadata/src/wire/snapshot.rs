//! `snapshot/snapshot-N`, also the content of tags and of long-lived changelogs.

use serde_json::Value;

use super::json::{Builder, Reader, print, text_object};
use crate::{CommitKind, Error, ErrorKind, Result, Snapshot};

impl CommitKind {
    /// The word in snapshot files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Append => "APPEND",
            Self::Compact => "COMPACT",
            Self::Overwrite => "OVERWRITE",
            Self::Analyze => "ANALYZE",
        }
    }
}

impl Snapshot {
    /// Reads a snapshot file of any version and writer.
    ///
    /// # Errors
    /// `Corrupt` when it is no snapshot, `Unsupported` for a kind of commit this version does not know.
    ///
    /// # Source
    /// Spec page 01 §4.1, `paimon-api/…/Snapshot.java@release-2.0.0`.
    pub fn from_json(bytes: &[u8]) -> Result<Self> {
        read(&Reader::parse("snapshot", bytes)?)
    }

    /// Writes the snapshot file as the reference does.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        print(&object(self))
    }
}

pub(super) fn read(json: &Reader) -> Result<Snapshot> {
    let kind = json.required_text("commitKind")?;
    let commit_kind = match kind.as_str() {
        "APPEND" => CommitKind::Append,
        "COMPACT" => CommitKind::Compact,
        "OVERWRITE" => CommitKind::Overwrite,
        "ANALYZE" => CommitKind::Analyze,
        _ => return Err(Error::new(ErrorKind::Unsupported, format!("unknown commitKind '{kind}' in a snapshot"))),
    };
    Ok(Snapshot {
        version: json.int("version")?.unwrap_or(0),
        uuid: json.text("uuid")?,
        id: json.long("id")?.unwrap_or(0),
        schema_id: json.long("schemaId")?.unwrap_or(0),
        base_manifest_list: json.required_text("baseManifestList")?,
        base_manifest_list_size: json.long("baseManifestListSize")?,
        delta_manifest_list: json.required_text("deltaManifestList")?,
        delta_manifest_list_size: json.long("deltaManifestListSize")?,
        changelog_manifest_list: json.text("changelogManifestList")?,
        changelog_manifest_list_size: json.long("changelogManifestListSize")?,
        index_manifest: json.text("indexManifest")?,
        commit_user: json.required_text("commitUser")?,
        commit_identifier: json.long("commitIdentifier")?.unwrap_or(0),
        commit_kind,
        time_millis: json.long("timeMillis")?.unwrap_or(0),
        total_record_count: json.long("totalRecordCount")?.unwrap_or(0),
        delta_record_count: json.long("deltaRecordCount")?.unwrap_or(0),
        changelog_record_count: json.long("changelogRecordCount")?,
        watermark: json.long("watermark")?,
        statistics: json.text("statistics")?,
        properties: json.text_map("properties")?,
        next_row_id: json.long("nextRowId")?,
        operation: json.text("operation")?,
    })
}

fn object(snapshot: &Snapshot) -> Value {
    let s = snapshot;
    Builder::default()
        .put("version", s.version)
        .put_some("uuid", s.uuid.clone())
        .put("id", s.id)
        .put("schemaId", s.schema_id)
        .put("baseManifestList", s.base_manifest_list.clone())
        .put_some("baseManifestListSize", s.base_manifest_list_size)
        .put("deltaManifestList", s.delta_manifest_list.clone())
        .put_some("deltaManifestListSize", s.delta_manifest_list_size)
        .put_some("changelogManifestList", s.changelog_manifest_list.clone())
        .put_some("changelogManifestListSize", s.changelog_manifest_list_size)
        .put_some("indexManifest", s.index_manifest.clone())
        .put("commitUser", s.commit_user.clone())
        .put("commitIdentifier", s.commit_identifier)
        .put("commitKind", s.commit_kind.as_str())
        .put("timeMillis", s.time_millis)
        .put("totalRecordCount", s.total_record_count)
        .put("deltaRecordCount", s.delta_record_count)
        .put_some("changelogRecordCount", s.changelog_record_count)
        .put_some("watermark", s.watermark)
        .put_some("statistics", s.statistics.clone())
        .put_some("properties", s.properties.as_ref().filter(|p| !p.is_empty()).map(text_object))
        .put_some("nextRowId", s.next_row_id)
        .put_some("operation", s.operation.clone())
        .build()
}
