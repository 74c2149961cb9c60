//! The schema that follows from another one by changes.

mod columns;
mod options;
mod path;
mod rename;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use headwater_types::DataField;

use super::create::{VERSION, take_keys};
use super::validate::invalid;
use crate::{Result, Schema, SchemaChange};

/// A schema being changed.
struct Draft<'a> {
    /// The schema the changes are made to; rules about keys and options look here.
    old: &'a Schema,
    /// Whether the table has rows, or had.
    has_snapshots: bool,
    fields: Vec<DataField>,
    highest_field_id: i32,
    primary_keys: Vec<String>,
    options: BTreeMap<String, String>,
    comment: Option<String>,
}

impl Schema {
    /// The next version of the schema: this one with all the changes, in order. `has_snapshots` says whether the table has
    /// a snapshot, after which some options are fixed; `time_millis` is the time of the change, epoch milliseconds.
    ///
    /// # Errors
    /// `InvalidInput` naming the change that is refused and why; `Unsupported` for options and types Headwater lacks.
    ///
    /// # Source
    /// Spec page 01 §3, `SchemaManager.generateTableSchema` of release-2.0.0.
    pub fn with_changes(&self, changes: &[SchemaChange], has_snapshots: bool, time_millis: i64) -> Result<Self> {
        let mut draft = Draft {
            old: self,
            has_snapshots,
            fields: self.fields.clone(),
            highest_field_id: self.highest_field_id,
            primary_keys: self.primary_keys.clone(),
            options: self.options.clone(),
            comment: self.comment.clone(),
        };
        for change in changes {
            draft.apply(change)?;
        }
        draft.finish(changes, time_millis)
    }
}

impl Draft<'_> {
    fn apply(&mut self, change: &SchemaChange) -> Result<()> {
        match change {
            SchemaChange::SetOption { key, value } => self.set_option(key, value),
            SchemaChange::RemoveOption { key } => self.remove_option(key),
            SchemaChange::UpdateComment { comment } => {
                self.comment.clone_from(comment);
                Ok(())
            }
            SchemaChange::AddColumn { path, data_type, comment, position } => {
                self.add_column(path, data_type, comment.as_deref(), position.as_ref())
            }
            SchemaChange::RenameColumn { path, new_name } => self.rename_column(path, new_name),
            SchemaChange::DropColumn { path } => self.drop_column(path),
            SchemaChange::UpdateColumnType { path, data_type, keep_nullability } => {
                self.update_type(path, data_type, *keep_nullability)
            }
            SchemaChange::UpdateColumnNullability { path, nullable } => self.update_nullability(path, *nullable),
            SchemaChange::UpdateColumnComment { path, comment } => self.update_comment(path, comment.as_deref()),
            SchemaChange::UpdateColumnDefault { path, default_value } => {
                self.update_default(path, default_value.as_deref())
            }
            SchemaChange::UpdateColumnPosition { name, position } => self.move_column(name, position),
            SchemaChange::DropPrimaryKey if self.has_snapshots => {
                Err(invalid("the primary key can be dropped only before the first snapshot of the table"))
            }
            SchemaChange::DropPrimaryKey => {
                self.primary_keys.clear();
                Ok(())
            }
        }
    }

    fn finish(self, changes: &[SchemaChange], time_millis: i64) -> Result<Schema> {
        let renames = rename::Renames::of(changes);
        let mut options = renames.in_options(self.options);
        let mut primary_keys = renames.in_names(self.primary_keys);
        let mut partition_keys = self.old.partition_keys.clone();
        take_keys(&mut options, "primary-key", &mut primary_keys)?;
        take_keys(&mut options, "partition", &mut partition_keys)?;
        let mut fields = self.fields;
        for field in fields.iter_mut().filter(|field| primary_keys.contains(&field.name)) {
            field.data_type = field.data_type.with_nullable(false);
        }
        let schema = Schema {
            version: VERSION,
            id: self.old.id.saturating_add(1),
            fields,
            highest_field_id: self.highest_field_id,
            partition_keys,
            primary_keys,
            options,
            comment: self.comment,
            time_millis,
        };
        schema.validate()?;
        Ok(schema)
    }

    /// Whether a switch of the table is on before the changes.
    fn is_on(&self, option: &str, default: bool) -> bool {
        self.old.options.get(option).map_or(default, |value| value.trim().eq_ignore_ascii_case("true"))
    }
}
