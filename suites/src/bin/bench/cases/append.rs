//! Rows into a table without primary key, in ten commits.

use super::upsert;
use crate::Outcome;
use crate::case::Place;
use crate::checks::Checks;
use crate::data::Keys;
use crate::measure::{Clock, Measured};
use crate::tables::{self, COMMITS};

pub(super) fn prepare(place: &Place) -> Outcome<Checks> {
    tables::write_inputs(place, Keys::Unique)?;
    Ok(Checks::of_upserts(place.rows, Keys::Unique))
}

pub(super) async fn measure(place: &Place, durable: bool) -> Outcome<Measured> {
    let table = tables::create(place, &[], &[], &[("bucket", "-1")], durable).await?;
    let inputs = (0..COMMITS).map(|commit| tables::read_input(place, commit)).collect::<Outcome<Vec<_>>>()?;
    let clock = Clock::start();
    upsert::stream(&table, inputs).await?;
    let measured = Measured::new(place.rows, &clock);
    upsert::read_back(&table, measured).await
}
