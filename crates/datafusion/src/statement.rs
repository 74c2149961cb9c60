//! The statements that Headwater runs itself; everything else is a query for DataFusion.

mod alter_table;
mod change_rows;
mod create_table;
mod insert;
mod merge;
mod parse;
mod split;
#[cfg(test)]
mod tests;
mod time_travel;
mod tokens;
mod types;
mod verbatim;

pub(crate) use alter_table::{AlterAction, AlterTable, ColumnChange};
pub(crate) use change_rows::{Assignment, Delete, Target, Update};
pub(crate) use create_table::CreateTable;
pub(crate) use insert::Insert;
pub(crate) use merge::{Merge, MergeAction, MergeClause, MergeWhen};
pub(crate) use parse::{Call, Statement, parse};
pub(crate) use split::split_statements;
pub(crate) use time_travel::{TableVersion, rewrite_time_travel, split_versioned_name};
