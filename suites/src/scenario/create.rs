//! Columns of `create`.

use headwater_types::{DataField, DataType, TypeKind, assign_field_ids};

use super::script::{invalid, top_level};
use crate::Result;

/// Columns written `name TYPE`; types are SQL's: `ARRAY<T>`, `MAP<K, V>`, `MULTISET<T>`, `ROW<name T, …>` or atomic.
pub(super) fn columns(texts: &[String]) -> Result<Vec<DataField>> {
    let mut fields = texts.iter().map(|text| column(text)).collect::<Result<Vec<_>>>()?;
    assign_field_ids(&mut fields, &mut -1);
    Ok(fields)
}

fn column(text: &str) -> Result<DataField> {
    let (name, data_type) =
        text.trim().split_once(' ').ok_or_else(|| invalid("a column is written `name TYPE`").with("column", text))?;
    Ok(DataField::new(0, name, data_type_of(data_type)?))
}

/// The type a text names.
pub(super) fn data_type_of(text: &str) -> Result<DataType> {
    let text = text.trim();
    let (bare, nullable) = match text.strip_suffix(" NOT NULL") {
        Some(bare) => (bare.trim(), false),
        None => (text, true),
    };
    let Some((constructor, inside)) = bare.split_once('<').filter(|_| bare.ends_with('>')) else {
        return Ok(text.parse()?);
    };
    let parts = top_level(inside.strip_suffix('>').unwrap_or(inside));
    let kind = match (constructor.trim(), parts.as_slice()) {
        ("ARRAY", [element]) => TypeKind::Array(Box::new(data_type_of(element)?)),
        ("MULTISET", [element]) => TypeKind::Multiset(Box::new(data_type_of(element)?)),
        ("MAP", [key, value]) => {
            TypeKind::Map { key: Box::new(data_type_of(key)?), value: Box::new(data_type_of(value)?) }
        }
        ("ROW", fields) => TypeKind::Row(fields.iter().map(|field| column(field)).collect::<Result<_>>()?),
        _ => return Ok(text.parse()?),
    };
    Ok(DataType::new(kind, nullable))
}
