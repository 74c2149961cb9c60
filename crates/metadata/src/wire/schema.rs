//! `schema/schema-N`.

use headwater_types::DataField;
use serde_json::Value;

use super::json::{Builder, Reader, print, text_object};
use crate::{Error, ErrorKind, Result, Schema};

impl Schema {
    /// Reads a schema file of any version and writer. What old versions left to defaults that changed since becomes an
    /// explicit option: `bucket=1` up to version 1, `file.format=orc` up to version 2.
    ///
    /// # Errors
    /// `Corrupt` when it is no schema, with the key at fault.
    ///
    /// # Source
    /// Spec page 01 §2.1, `paimon-api/…/schema/TableSchema.java@release-2.0.0`.
    pub fn from_json(bytes: &[u8]) -> Result<Self> {
        let json = Reader::parse("schema", bytes)?;
        let version = json.int("version")?.unwrap_or(1);
        let fields = json
            .array("fields")?
            .ok_or_else(|| json.missing("fields"))?
            .iter()
            .map(|field| DataField::from_json(field).map_err(|e| unreadable(e.into())))
            .collect::<Result<Vec<_>>>()?;
        let mut options = json.text_map("options")?.unwrap_or_default();
        if version <= 1 {
            options.entry("bucket".to_owned()).or_insert_with(|| "1".to_owned());
        }
        if version <= 2 {
            options.entry("file.format".to_owned()).or_insert_with(|| "orc".to_owned());
        }
        let schema = Self {
            version,
            id: json.long("id")?.ok_or_else(|| json.missing("id"))?,
            fields,
            highest_field_id: json.int("highestFieldId")?.ok_or_else(|| json.missing("highestFieldId"))?,
            partition_keys: json.texts("partitionKeys")?.unwrap_or_default(),
            primary_keys: json.texts("primaryKeys")?.unwrap_or_default(),
            options,
            comment: json.text("comment")?,
            time_millis: json.long("timeMillis")?.unwrap_or(0),
        };
        schema.check_consistent()?;
        Ok(schema)
    }

    /// Writes the schema file as the reference does.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        let texts = |names: &[String]| Value::Array(names.iter().cloned().map(Value::String).collect());
        let object = Builder::default()
            .put("version", self.version)
            .put("id", self.id)
            .put("fields", Value::Array(self.fields.iter().map(DataField::to_json).collect()))
            .put("highestFieldId", self.highest_field_id)
            .put("partitionKeys", texts(&self.partition_keys))
            .put("primaryKeys", texts(&self.primary_keys))
            .put("options", text_object(&self.options))
            .put_some("comment", self.comment.clone())
            .put("timeMillis", self.time_millis)
            .build();
        print(&object)
    }

    /// What every use of the schema relies on: keys name columns, ids are unique.
    fn check_consistent(&self) -> Result<()> {
        for key in self.partition_keys.iter().chain(&self.primary_keys) {
            if self.field(key).is_none() {
                return Err(Error::new(ErrorKind::Corrupt, "a key of the schema file is no column").with("column", key));
            }
        }
        let mut ids = Vec::new();
        crate::schema::collect_ids(&self.fields, &mut ids);
        ids.sort_unstable();
        match ids.windows(2).find(|pair| pair.first() == pair.last()) {
            Some(pair) => Err(Error::new(ErrorKind::Corrupt, "a field id occurs twice in the schema file")
                .with("id", pair.first().copied().unwrap_or_default())),
            None => Ok(()),
        }
    }
}

fn unreadable(error: Error) -> Error {
    let parts = error.into_parts();
    let message = format!("a column of the schema file is unreadable: {}", parts.message);
    parts
        .context
        .into_iter()
        .fold(Error::new(ErrorKind::Corrupt, message), |error, (key, value)| error.with(key, value))
}
