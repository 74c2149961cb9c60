//! `MERGE INTO`.

use datafusion::sql::sqlparser::tokenizer::Token;
use headwater_types::ErrorKind;

use super::change_rows::{Assignment, Target, assignments};
use super::verbatim::Verbatim;
use crate::{Error, Result};

/// `MERGE INTO target [AS alias] USING source [AS alias] ON condition clause …`.
#[derive(Debug, PartialEq)]
pub(crate) struct Merge {
    pub(crate) target: Target,
    /// A table or a query in parentheses, with its alias, as written.
    pub(crate) source: String,
    /// The name of the source's columns.
    pub(crate) source_alias: String,
    /// As written.
    pub(crate) condition: String,
    /// In order: the first that applies to a row is taken.
    pub(crate) clauses: Vec<MergeClause>,
}

/// `WHEN … [AND condition] THEN …`.
#[derive(Debug, PartialEq)]
pub(crate) struct MergeClause {
    pub(crate) when: MergeWhen,
    pub(crate) condition: Option<String>,
    pub(crate) action: MergeAction,
}

/// Which rows a clause is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MergeWhen {
    /// Rows of both sides.
    Matched,
    /// Rows of the source alone.
    NotMatched,
    /// Rows of the target alone.
    NotMatchedBySource,
}

/// What a clause does.
#[derive(Debug, PartialEq)]
pub(crate) enum MergeAction {
    Delete,
    /// `UPDATE SET *`: every column from the source's column of that name.
    UpdateAll,
    Update(Vec<Assignment>),
    /// `INSERT *`
    InsertAll,
    /// `INSERT (columns) VALUES (expressions)`
    Insert(Vec<Assignment>),
}

impl Merge {
    /// Reads a whole statement that begins with MERGE.
    pub(crate) fn parse(sql: &str) -> Result<Self> {
        let mut tokens = Verbatim::new(sql)?;
        tokens.word("MERGE")?;
        tokens.word("INTO")?;
        let target = Target::parse(&mut tokens, &["USING"])?;
        tokens.word("USING")?;
        let (source, source_alias) = source(&mut tokens)?;
        tokens.word("ON")?;
        let condition = tokens.text_until("a condition", &["WHEN"], None)?;
        let mut clauses = Vec::new();
        while tokens.take_word("WHEN") {
            clauses.push(clause(&mut tokens)?);
        }
        if !tokens.is_done() {
            return Err(tokens.unexpected("WHEN or the end of the statement"));
        }
        if clauses.is_empty() {
            return Err(Error::new(ErrorKind::InvalidInput, "MERGE INTO needs a WHEN clause"));
        }
        check_order(&clauses)?;
        Ok(Self { target, source, source_alias, condition, clauses })
    }
}

fn source(tokens: &mut Verbatim) -> Result<(String, String)> {
    let query = tokens.peek() == Some(&Token::LParen);
    let text = tokens.text_until("a table or a query in parentheses", &["ON"], None)?;
    let mut words = Verbatim::new(&text)?;
    let mut last_name = None;
    if query {
        words.skip_parentheses()?;
    } else {
        last_name = words.object_name("a table name")?.pop();
        words.skip_version();
    }
    let alias = if words.take_word("AS") || !words.is_done() { Some(words.name("an alias")?) } else { None };
    if !words.is_done() {
        return Err(words.unexpected("ON"));
    }
    match (alias, last_name) {
        (Some(alias), _) => Ok((text, alias)),
        (None, Some(name)) => Ok((text, name)),
        (None, None) => Err(Error::new(ErrorKind::InvalidInput, "the query after USING needs an alias")),
    }
}

fn clause(tokens: &mut Verbatim) -> Result<MergeClause> {
    let when = if tokens.take_word("MATCHED") {
        MergeWhen::Matched
    } else if tokens.take_words(&["NOT", "MATCHED", "BY", "SOURCE"]) {
        MergeWhen::NotMatchedBySource
    } else if tokens.take_words(&["NOT", "MATCHED"]) {
        tokens.take_words(&["BY", "TARGET"]);
        MergeWhen::NotMatched
    } else {
        return Err(tokens.unexpected("MATCHED or NOT MATCHED"));
    };
    let condition =
        if tokens.take_word("AND") { Some(tokens.text_until("a condition", &["THEN"], None)?) } else { None };
    tokens.word("THEN")?;
    Ok(MergeClause { when, condition, action: action(tokens, when)? })
}

fn action(tokens: &mut Verbatim, when: MergeWhen) -> Result<MergeAction> {
    match when {
        MergeWhen::NotMatched => {
            tokens.word("INSERT")?;
            if tokens.take(&Token::Mul) { Ok(MergeAction::InsertAll) } else { insert(tokens) }
        }
        _ if tokens.take_word("DELETE") => Ok(MergeAction::Delete),
        _ => {
            tokens.word("UPDATE")?;
            tokens.word("SET")?;
            if !tokens.take(&Token::Mul) {
                return Ok(MergeAction::Update(assignments(tokens, &["WHEN"])?));
            }
            if when == MergeWhen::NotMatchedBySource {
                let text = "UPDATE SET * has no source to take values from; name the columns";
                return Err(Error::new(ErrorKind::InvalidInput, text));
            }
            Ok(MergeAction::UpdateAll)
        }
    }
}

fn insert(tokens: &mut Verbatim) -> Result<MergeAction> {
    let columns = tokens.columns()?;
    tokens.word("VALUES")?;
    tokens.expect(&Token::LParen)?;
    let mut expressions = vec![tokens.text_until("an expression", &[], Some(&Token::Comma))?];
    while tokens.take(&Token::Comma) {
        expressions.push(tokens.text_until("an expression", &[], Some(&Token::Comma))?);
    }
    tokens.expect(&Token::RParen)?;
    if columns.len() != expressions.len() {
        let text = format!("INSERT names {} columns and gives {} values", columns.len(), expressions.len());
        return Err(Error::new(ErrorKind::InvalidInput, text));
    }
    let pairs = columns.into_iter().zip(expressions);
    Ok(MergeAction::Insert(pairs.map(|(column, expression)| Assignment { column, expression }).collect()))
}

/// A clause without a condition takes all rows of its kind: one after it would never apply.
fn check_order(clauses: &[MergeClause]) -> Result<()> {
    for (at, clause) in clauses.iter().enumerate() {
        let hidden = clauses.iter().skip(at + 1).any(|later| later.when == clause.when);
        if clause.condition.is_none() && hidden {
            let text = "a WHEN clause without condition must be the last of its kind";
            return Err(Error::new(ErrorKind::InvalidInput, text));
        }
    }
    Ok(())
}
