//! `CALL sys.…` and `TRUNCATE`.

use headwater_table::Table;

use crate::insert::spec;
use crate::session::{SqlSession, StatementResult, message};
use crate::statement::Call;
use crate::{Error, ErrorKind, Result};

/// Removes all rows.
pub(crate) async fn truncate(table: &Table) -> Result<()> {
    table.truncate().await?;
    Ok(())
}

/// Runs a procedure under the reference's name.
pub(crate) async fn run(session: &SqlSession, call: &Call) -> Result<StatementResult> {
    match call.procedure.as_str() {
        "compact" => compact(session, call).await,
        "drop_partition" => drop_partition(session, call).await,
        other => {
            let text = format!("procedure sys.{other}; sys.compact and sys.drop_partition exist");
            Err(Error::new(ErrorKind::Unsupported, text))
        }
    }
}

/// Arguments by name, or by position in the order of the reference.
fn arguments<'a>(call: &'a Call, names: &[&'static str]) -> Result<Vec<Option<&'a str>>> {
    if let Some(unknown) = call.named.keys().find(|name| !names.contains(&name.as_str())) {
        let text = format!("sys.{} has no argument '{unknown}'; it takes {}", call.procedure, names.join(", "));
        return Err(Error::new(ErrorKind::InvalidInput, text));
    }
    if call.positional.len() > names.len() {
        let text = format!("sys.{} takes {} arguments: {}", call.procedure, names.len(), names.join(", "));
        return Err(Error::new(ErrorKind::InvalidInput, text));
    }
    if let Some(twice) = names.iter().take(call.positional.len()).find(|name| call.named.contains_key(**name)) {
        let text = format!("sys.{} is given '{twice}' twice, by position and by name", call.procedure);
        return Err(Error::new(ErrorKind::InvalidInput, text));
    }
    let by_position = |i: usize| call.positional.get(i).map(String::as_str);
    let values =
        names.iter().enumerate().map(|(i, name)| call.named.get(*name).map(String::as_str).or_else(|| by_position(i)));
    Ok(values.map(|value| value.filter(|v| !v.is_empty())).collect())
}

async fn open(session: &SqlSession, call: &Call, name: Option<&str>) -> Result<Table> {
    let name =
        name.ok_or_else(|| Error::new(ErrorKind::InvalidInput, format!("sys.{} needs a table", call.procedure)))?;
    let parts: Vec<String> = name.split('.').map(str::to_owned).collect();
    session.warehouse.table(&session.resolve(&parts)?).await
}

async fn compact(session: &SqlSession, call: &Call) -> Result<StatementResult> {
    let arguments = arguments(call, &["table", "partitions", "compact_strategy"])?;
    let [name, partitions, strategy] = arguments.as_slice() else {
        return Err(Error::new(ErrorKind::Internal, "three arguments were read"));
    };
    let full = match strategy {
        None | Some("full") => true,
        Some("minor") => false,
        Some(other) => {
            let text = format!("'{other}' is not a compact_strategy: full or minor");
            return Err(Error::new(ErrorKind::InvalidInput, text));
        }
    };
    let specs = partitions.map(|text| text.split(';').map(spec).collect::<Result<Vec<_>>>()).transpose()?;
    let table = open(session, call, *name).await?;
    let report = table.compact_all(full, &specs.unwrap_or_default()).await?;
    message(match report.snapshots.last() {
        Some(id) => format!("compacted; snapshot {id}"),
        None => "nothing to compact".to_owned(),
    })
}

async fn drop_partition(session: &SqlSession, call: &Call) -> Result<StatementResult> {
    let arguments = arguments(call, &["table", "partitions"])?;
    let [name, Some(partitions)] = arguments.as_slice() else {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            "sys.drop_partition needs a table and partitions, such as 'dt=2024'",
        ));
    };
    let specs = partitions.split(';').map(spec).collect::<Result<Vec<_>>>()?;
    open(session, call, *name).await?.drop_partitions(&specs).await?;
    message("partitions are dropped".to_owned())
}
