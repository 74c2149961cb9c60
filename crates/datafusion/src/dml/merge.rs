//! The query behind MERGE INTO.

use headwater_types::DataField;

use super::query::{Changed, check_columns, of, quoted, typed};
use crate::Result;
use crate::statement::{Merge, MergeAction, MergeClause, MergeWhen};

/// Columns of the query before those of the table: the clause that applies, from 0; whether the row is one too many for its
/// target row; whether its key would change.
pub(super) const CONTROL_COLUMNS: [&str; 3] = ["__clause", "__again", "__moved"];

const OF_TARGET: &str = "\"__headwater_target\"";
const OF_SOURCE: &str = "\"__headwater_source\"";

/// Whether some clause deletes rows.
pub(super) fn deletes(statement: &Merge) -> bool {
    statement.clauses.iter().any(|clause| clause.action == MergeAction::Delete)
}

/// Rows that a clause applies to, as they shall be: [`CONTROL_COLUMNS`], the address of the target row where the table has
/// no key, then the columns of the table.
pub(super) fn query(changed: &Changed<'_>, statement: &Merge) -> Result<String> {
    let table = changed.table;
    for clause in &statement.clauses {
        if let MergeAction::Update(assignments) | MergeAction::Insert(assignments) = &clause.action {
            check_columns(table, assignments.iter().map(|a| a.column.as_str()))?;
        }
    }
    let fields = &table.schema().fields;
    let identity = changed.identity();
    let target = &changed.alias;
    let cases = Cases { target, source: quoted(&statement.source_alias), statement };
    let mut columns = vec![cases.clause()];
    columns.push(format!("({OF_TARGET} AND {OF_SOURCE}) AS \"__both\""));
    let old: Vec<String> = identity.iter().map(|name| quoted(&format!("__old_{name}"))).collect();
    columns.extend(identity.iter().zip(&old).map(|(name, old)| format!("{} AS {old}", of(target, name))));
    columns.extend(fields.iter().map(|field| cases.column(field)));
    let found = format!(
        "SELECT {} FROM (SELECT *, TRUE AS {OF_TARGET} FROM {}) AS {target} {} JOIN \
         (SELECT *, TRUE AS {OF_SOURCE} FROM {}) AS {} ON {}",
        columns.join(", "),
        changed.relation,
        join(statement),
        statement.source,
        cases.source,
        statement.condition,
    );
    let names = fields.iter().map(|field| quoted(&field.name));
    let (moved, names): (String, Vec<String>) = if table.has_primary_key() {
        let moved = identity.iter().zip(&old).map(|(key, old)| format!("({} IS DISTINCT FROM {old})", quoted(key)));
        let moved = moved.collect::<Vec<_>>().join(" OR ");
        (format!("\"__clause\" IN ({}) AND ({moved})", updates(statement)), names.collect())
    } else {
        ("FALSE".to_owned(), old.iter().cloned().chain(names).collect())
    };
    // Rows of the source alone are all new and never one too many.
    Ok(format!(
        "SELECT \"__clause\", \"__both\" AND row_number() OVER (PARTITION BY \"__both\", {}) > 1 AS \"__again\", \
         {moved} AS \"__moved\", {} FROM ({found}) WHERE \"__clause\" IS NOT NULL",
        old.join(", "),
        names.join(", "),
    ))
}

/// The numbers of the clauses that update; one that is none when no clause does.
fn updates(statement: &Merge) -> String {
    let is_update = |clause: &MergeClause| matches!(clause.action, MergeAction::Update(_) | MergeAction::UpdateAll);
    let numbers = statement.clauses.iter().enumerate().filter(|(_, clause)| is_update(clause));
    let numbers: Vec<String> = numbers.map(|(at, _)| at.to_string()).collect();
    if numbers.is_empty() { "-1".to_owned() } else { numbers.join(", ") }
}

fn join(statement: &Merge) -> &'static str {
    let has = |when| statement.clauses.iter().any(|clause| clause.when == when);
    match (has(MergeWhen::NotMatchedBySource), has(MergeWhen::NotMatched)) {
        (false, false) => "INNER",
        (true, false) => "LEFT",
        (false, true) => "RIGHT",
        (true, true) => "FULL",
    }
}

struct Cases<'a> {
    target: &'a str,
    source: String,
    statement: &'a Merge,
}

impl Cases<'_> {
    /// The number of the first clause that applies.
    fn clause(&self) -> String {
        let branches = self.statement.clauses.iter().enumerate().map(|(at, clause)| {
            let applies = applies(clause);
            format!("WHEN {applies} THEN CAST({at} AS INT)")
        });
        format!("CASE {} END AS \"__clause\"", branches.collect::<Vec<_>>().join(" "))
    }

    /// What the first clause that applies makes of a column.
    fn column(&self, field: &DataField) -> String {
        let branches = self.statement.clauses.iter().map(|clause| {
            let value = typed(&self.value(clause, field), field);
            format!("WHEN {} THEN {value}", applies(clause))
        });
        format!("CASE {} END AS {}", branches.collect::<Vec<_>>().join(" "), quoted(&field.name))
    }

    fn value(&self, clause: &MergeClause, field: &DataField) -> String {
        let assigned = |assignments: &[crate::statement::Assignment]| {
            assignments.iter().find(|a| a.column == field.name).map(|a| a.expression.clone())
        };
        match &clause.action {
            MergeAction::Delete => of(self.target, &field.name),
            MergeAction::UpdateAll | MergeAction::InsertAll => of(&self.source, &field.name),
            MergeAction::Update(assignments) => assigned(assignments).unwrap_or_else(|| of(self.target, &field.name)),
            MergeAction::Insert(assignments) => assigned(assignments).unwrap_or_else(|| "NULL".to_owned()),
        }
    }
}

fn applies(clause: &MergeClause) -> String {
    let sides = match clause.when {
        MergeWhen::Matched => format!("{OF_TARGET} AND {OF_SOURCE}"),
        MergeWhen::NotMatched => format!("{OF_SOURCE} AND {OF_TARGET} IS NULL"),
        MergeWhen::NotMatchedBySource => format!("{OF_TARGET} AND {OF_SOURCE} IS NULL"),
    };
    match &clause.condition {
        Some(condition) => format!("({sides} AND ({condition}))"),
        None => format!("({sides})"),
    }
}
