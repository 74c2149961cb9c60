//! Changes of columns.

use headwater_types::{DataField, DataType, TypeKind, assign_field_ids, can_change_type};

use super::Draft;
use super::path::{Edit, edit, position, refuse_taken};
use crate::schema::create::{check_default, refuse_directive};
use crate::schema::validate::invalid;
use crate::{ColumnPosition, Error, Result};

impl Draft<'_> {
    pub(super) fn add_column(
        &mut self,
        path: &[String],
        data_type: &DataType,
        comment: Option<&str>,
        place: Option<&ColumnPosition>,
    ) -> Result<()> {
        let name = path.last().ok_or_else(|| invalid("a new column needs a name"))?;
        if !data_type.is_nullable() {
            let message = "a column added to a table must be nullable: rows written before have no value for it";
            return Err(invalid(message).with("column", name));
        }
        let mut field = DataField::new(0, name, data_type.clone());
        field.description = comment.map(str::to_owned);
        refuse_directive(&field)?;
        assign_field_ids(std::slice::from_mut(&mut field), &mut self.highest_field_id);
        let before_partition = place.is_none() && path.len() == 1 && self.is_on("add-column-before-partition", false);
        let partition_keys = &self.old.partition_keys;
        let mut add = |siblings: &mut Vec<DataField>, name: &str| {
            refuse_taken(siblings, name)?;
            let end = siblings.len();
            let at = match place {
                Some(ColumnPosition::First) => 0,
                Some(ColumnPosition::After(reference)) => position(siblings, reference)? + 1,
                Some(ColumnPosition::Before(reference)) => position(siblings, reference)?,
                None if before_partition => {
                    siblings.iter().position(|f| partition_keys.contains(&f.name)).unwrap_or(end)
                }
                Some(ColumnPosition::Last) | None => end,
            };
            siblings.insert(at, field.clone());
            Ok(())
        };
        edit(&mut self.fields, path, &mut Edit { of_field: &mut add, of_content: None })
    }

    pub(super) fn rename_column(&mut self, path: &[String], new_name: &str) -> Result<()> {
        self.refuse_partition_key(path, "renamed")?;
        self.refuse_index_column(path, "renamed")?;
        let mut rename = |siblings: &mut Vec<DataField>, name: &str| {
            let at = position(siblings, name)?;
            refuse_taken(siblings, new_name)?;
            match siblings.get_mut(at) {
                Some(field) if is_blob(&field.data_type) => {
                    Err(invalid("a BLOB column cannot be renamed").with("column", name))
                }
                Some(field) => {
                    new_name.clone_into(&mut field.name);
                    Ok(())
                }
                None => Ok(()),
            }
        };
        edit(&mut self.fields, path, &mut Edit { of_field: &mut rename, of_content: None })
    }

    pub(super) fn drop_column(&mut self, path: &[String]) -> Result<()> {
        self.refuse_partition_key(path, "dropped")?;
        self.refuse_primary_key(path, "dropped")?;
        self.refuse_index_column(path, "dropped")?;
        let mut remove = |siblings: &mut Vec<DataField>, name: &str| {
            let at = position(siblings, name)?;
            if siblings.len() == 1 {
                return Err(invalid("the last column cannot be dropped").with("column", name));
            }
            siblings.remove(at);
            Ok(())
        };
        edit(&mut self.fields, path, &mut Edit { of_field: &mut remove, of_content: None })
    }

    pub(super) fn update_type(&mut self, path: &[String], to: &DataType, keep_nullability: bool) -> Result<()> {
        self.refuse_partition_key(path, "given another type")?;
        self.refuse_primary_key(path, "given another type")?;
        self.refuse_index_column(path, "given another type")?;
        let explicit = !self.is_on("disable-explicit-type-casting", false);
        let null_to_not_null = !self.is_on("alter-column-null-to-not-null.disabled", true);
        let retype = |from: &DataType| {
            let to = if keep_nullability { to.with_nullable(from.is_nullable()) } else { to.clone() };
            check_nullability(from, to.is_nullable(), null_to_not_null)?;
            if is_blob(from) != is_blob(&to) {
                return Err(invalid("no column can become or stop being a BLOB"));
            }
            if !can_change_type(from, &to, explicit) {
                return Err(invalid(format!("a column of type {from} cannot be changed to {to}")));
            }
            Ok(to)
        };
        let mut of_field = |siblings: &mut Vec<DataField>, name: &str| {
            with_field(siblings, name, |field| {
                // Members that lie deeper have ids; a type that is allowed here has none inside.
                field.data_type = retype(&field.data_type)?;
                check_default(field)
            })
        };
        edit(&mut self.fields, path, &mut Edit { of_field: &mut of_field, of_content: Some(&mut |from| retype(from)) })
    }

    pub(super) fn update_nullability(&mut self, path: &[String], nullable: bool) -> Result<()> {
        if nullable {
            self.refuse_primary_key(path, "made nullable")?;
        }
        let null_to_not_null = !self.is_on("alter-column-null-to-not-null.disabled", true);
        let change = |from: &DataType| {
            check_nullability(from, nullable, null_to_not_null)?;
            Ok(from.with_nullable(nullable))
        };
        let mut of_field = |siblings: &mut Vec<DataField>, name: &str| {
            with_field(siblings, name, |field| {
                field.data_type = change(&field.data_type)?;
                Ok(())
            })
        };
        edit(&mut self.fields, path, &mut Edit { of_field: &mut of_field, of_content: Some(&mut |from| change(from)) })
    }

    pub(super) fn update_comment(&mut self, path: &[String], comment: Option<&str>) -> Result<()> {
        let mut change = |siblings: &mut Vec<DataField>, name: &str| {
            with_field(siblings, name, |field| {
                field.description = comment.map(str::to_owned);
                refuse_directive(field)
            })
        };
        edit(&mut self.fields, path, &mut Edit { of_field: &mut change, of_content: None })
    }

    pub(super) fn update_default(&mut self, path: &[String], default_value: Option<&str>) -> Result<()> {
        let mut change = |siblings: &mut Vec<DataField>, name: &str| {
            with_field(siblings, name, |field| {
                field.default_value = default_value.map(str::to_owned);
                check_default(field)
            })
        };
        edit(&mut self.fields, path, &mut Edit { of_field: &mut change, of_content: None })
    }

    pub(super) fn move_column(&mut self, name: &str, to: &ColumnPosition) -> Result<()> {
        let from = position(&self.fields, name)?;
        let itself = |at: usize| {
            if at == from { Err(invalid("a column cannot be moved onto itself").with("column", name)) } else { Ok(at) }
        };
        let at = match to {
            ColumnPosition::First => itself(0)?,
            ColumnPosition::Last => itself(self.fields.len().saturating_sub(1))?,
            ColumnPosition::After(reference) => {
                let at = itself(position(&self.fields, reference)?)?;
                at + usize::from(from > at)
            }
            ColumnPosition::Before(reference) => {
                let at = itself(position(&self.fields, reference)?)?;
                at - usize::from(from < at)
            }
        };
        let field = self.fields.remove(from);
        self.fields.insert(at, field);
        Ok(())
    }

    fn refuse_partition_key(&self, path: &[String], what: &str) -> Result<()> {
        refuse_key(&self.old.partition_keys, path, "a partition column", what)
    }

    fn refuse_primary_key(&self, path: &[String], what: &str) -> Result<()> {
        refuse_key(&self.old.primary_keys, path, "a column of the primary key", what)
    }

    fn refuse_index_column(&self, path: &[String], what: &str) -> Result<()> {
        for kind in ["vector", "btree", "bitmap", "full-text"] {
            let listed = self.old.options.get(&format!("pk-{kind}.index.columns")).map_or("", String::as_str);
            let columns: Vec<String> = listed.split(',').map(|column| column.trim().to_owned()).collect();
            refuse_key(&columns, path, "a column of a primary-key index", what)?;
        }
        Ok(())
    }
}

fn refuse_key(keys: &[String], path: &[String], whose: &str, what: &str) -> Result<()> {
    match path {
        [name] if keys.contains(name) => Err(invalid(format!("{whose} cannot be {what}")).with("column", name)),
        _ => Ok(()),
    }
}

fn with_field(fields: &mut [DataField], name: &str, change: impl FnOnce(&mut DataField) -> Result<()>) -> Result<()> {
    let at = position(fields, name)?;
    match fields.get_mut(at) {
        Some(field) => change(field).map_err(|e: Error| e.with("column", name)),
        None => Ok(()),
    }
}

fn check_nullability(from: &DataType, nullable: bool, allowed: bool) -> Result<()> {
    if from.is_nullable() && !nullable && !allowed {
        let message = "a nullable column cannot become NOT NULL unless the table has \
                       'alter-column-null-to-not-null.disabled' = 'false'";
        return Err(invalid(message));
    }
    Ok(())
}

fn is_blob(data_type: &DataType) -> bool {
    match data_type.kind() {
        TypeKind::Blob => true,
        TypeKind::Array(content) => is_blob(content),
        TypeKind::Map { value, .. } => is_blob(value),
        _ => false,
    }
}
