//! The first schema of a new table.

use std::collections::BTreeMap;

use headwater_types::{DataField, TypeKind, assign_field_ids, options};

use crate::{Error, ErrorKind, Result, Schema};

/// The version of the schema files that are written.
pub(super) const VERSION: i32 = 3;

impl Schema {
    /// The first schema of a table. Columns get new ids, primary-key columns become NOT NULL, the options `primary-key`
    /// and `partition` become keys. `time_millis` is the creation time, epoch milliseconds.
    ///
    /// # Errors
    /// `InvalidInput` naming the rule that is broken, `Unsupported` for features of the format Headwater lacks.
    ///
    /// # Source
    /// Spec page 01 §2.3 to §2.5, `paimon-core/…/schema/SchemaValidation.java@release-2.0.0`.
    pub fn create(
        mut fields: Vec<DataField>,
        mut partition_keys: Vec<String>,
        mut primary_keys: Vec<String>,
        mut options: BTreeMap<String, String>,
        comment: Option<String>,
        time_millis: i64,
    ) -> Result<Self> {
        take_keys(&mut options, "primary-key", &mut primary_keys)?;
        take_keys(&mut options, "partition", &mut partition_keys)?;
        options::validate_new(&options, !primary_keys.is_empty())?;
        if options.get("auto-create").is_some_and(|v| v.eq_ignore_ascii_case("true")) {
            return Err(Error::new(ErrorKind::InvalidInput, "auto-create must not be true for a new table"));
        }
        let mut highest_field_id = -1;
        assign_field_ids(&mut fields, &mut highest_field_id);
        for field in &mut fields {
            refuse_directive(field)?;
            if primary_keys.contains(&field.name) {
                field.data_type = field.data_type.with_nullable(false);
            }
        }
        let schema = Self {
            version: VERSION,
            id: 0,
            fields,
            highest_field_id,
            partition_keys,
            primary_keys,
            options,
            comment,
            time_millis,
        };
        schema.validate()?;
        schema.check_defaults()?;
        Ok(schema)
    }

    fn check_defaults(&self) -> Result<()> {
        self.fields.iter().try_for_each(check_default)
    }
}

/// The default of a column must be a value of its type.
pub(super) fn check_default(field: &DataField) -> Result<()> {
    let Some(text) = &field.default_value else { return Ok(()) };
    let bare = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')).unwrap_or(text);
    headwater_types::parse_datum(bare, &field.data_type).map_err(|e| {
        let message = format!("the default value {text} is no {}", field.data_type);
        Error::new(ErrorKind::InvalidInput, message).with("column", &field.name).with_source(e)
    })?;
    Ok(())
}

/// Moves a key given as an option to where it belongs.
pub(super) fn take_keys(options: &mut BTreeMap<String, String>, option: &str, keys: &mut Vec<String>) -> Result<()> {
    let Some(text) = options.remove(option) else { return Ok(()) };
    if !keys.is_empty() {
        let message = format!("the option {option} cannot be given beside the same clause of the statement");
        return Err(Error::new(ErrorKind::InvalidInput, message));
    }
    *keys = text.split(',').map(str::trim).filter(|key| !key.is_empty()).map(str::to_owned).collect();
    Ok(())
}

/// Comments that the reference takes as orders to change the column's type.
pub(super) fn refuse_directive(field: &DataField) -> Result<()> {
    let comment = field.description.as_deref().unwrap_or_default();
    let directives = ["__BLOB_FIELD", "__BLOB_DESCRIPTOR_FIELD", "__BLOB_VIEW_FIELD", "__VECTOR_FIELD"];
    if directives.iter().any(|directive| comment.starts_with(directive)) {
        let message = "column comments that declare blob or vector fields are not supported; use the type itself";
        return Err(Error::new(ErrorKind::Unsupported, message).with("column", &field.name));
    }
    if matches!(field.data_type.kind(), TypeKind::Blob) {
        let message = "tables with BLOB columns cannot be created yet; use BYTES";
        return Err(Error::new(ErrorKind::Unsupported, message).with("column", &field.name));
    }
    Ok(())
}
