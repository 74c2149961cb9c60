//! Finding the place a column path names, and building the types around it anew.

use headwater_types::{DataField, DataType, TypeKind};

use crate::schema::validate::invalid;
use crate::{Error, Result};

/// Changes a column or ROW member among its siblings, itself included, by its name.
type FieldEdit<'a> = &'a mut dyn FnMut(&mut Vec<DataField>, &str) -> Result<()>;

/// Gives what is in an ARRAY or MAP another type.
type ContentEdit<'a> = &'a mut dyn FnMut(&DataType) -> Result<DataType>;

/// What to do at the end of a path.
pub(super) struct Edit<'a> {
    /// When the path ends at a column or ROW member.
    pub(super) of_field: FieldEdit<'a>,
    /// When it ends at what is in an ARRAY or MAP; `None` when that makes no sense.
    pub(super) of_content: Option<ContentEdit<'a>>,
}

/// Edits what `path` names.
pub(super) fn edit(fields: &mut Vec<DataField>, path: &[String], edit: &mut Edit<'_>) -> Result<()> {
    in_fields(fields, path, edit).map_err(|e| if path.len() > 1 { e.with("path", path.join(".")) } else { e })
}

fn in_fields(fields: &mut Vec<DataField>, path: &[String], edit: &mut Edit<'_>) -> Result<()> {
    match path {
        [] => Err(invalid("a change of a column needs its name")),
        [name] => (edit.of_field)(fields, name),
        [name, below @ ..] => {
            let at = position(fields, name)?;
            if let Some(field) = fields.get_mut(at) {
                field.data_type = in_type(&field.data_type, below, edit)?;
            }
            Ok(())
        }
    }
}

fn in_type(data_type: &DataType, path: &[String], edit: &mut Edit<'_>) -> Result<DataType> {
    let kind = match (data_type.kind(), path) {
        (TypeKind::Row(members), _) => {
            let mut members = members.clone();
            in_fields(&mut members, path, edit)?;
            TypeKind::Row(members)
        }
        (TypeKind::Array(content), [name, below @ ..]) if name == "element" => {
            TypeKind::Array(Box::new(in_content(content, below, edit)?))
        }
        (TypeKind::Map { key, value }, [name, below @ ..]) if name == "value" => {
            TypeKind::Map { key: key.clone(), value: Box::new(in_content(value, below, edit)?) }
        }
        (TypeKind::Array(_), _) => return Err(invalid("below an ARRAY the path goes on with 'element'")),
        (TypeKind::Map { .. }, _) => {
            return Err(invalid("below a MAP the path goes on with 'value'; the type of its keys cannot be changed"));
        }
        _ => return Err(invalid(format!("there are no columns in a {data_type}"))),
    };
    Ok(DataType::new(kind, data_type.is_nullable()))
}

fn in_content(content: &DataType, path: &[String], edit: &mut Edit<'_>) -> Result<DataType> {
    match (path, &mut edit.of_content) {
        ([], Some(of_content)) => of_content(content),
        ([], None) => Err(invalid("what is in an ARRAY or MAP is no column: only its type can be changed")),
        (_, _) => in_type(content, path, edit),
    }
}

/// Where a name is among its siblings.
pub(super) fn position(fields: &[DataField], name: &str) -> Result<usize> {
    fields.iter().position(|field| field.name == name).ok_or_else(|| no_column(fields, name))
}

/// Refuses a name that is taken.
pub(super) fn refuse_taken(fields: &[DataField], name: &str) -> Result<()> {
    if fields.iter().any(|field| field.name == name) {
        return Err(invalid("there is a column of this name already").with("column", name));
    }
    Ok(())
}

fn no_column(fields: &[DataField], name: &str) -> Error {
    let known: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    invalid(format!("there is no column '{name}'; there are {}", known.join(", ")))
}
