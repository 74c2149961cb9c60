//! Plays a scenario and compares what both sides saw.

use std::collections::BTreeMap;
use std::path::Path;

use super::headwater::HeadwaterSide;
use super::play::{Actor, Play};
use super::rows;
use super::script::{Op, Script, Step};
use super::side::{Failure, Played, Scene, Side};
use crate::Result;

/// Lists longer than this are shortened in transcripts, their digest kept.
const LONGEST_LIST: usize = 40;

/// How a play came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Both sides saw the same after every step, and the same as the reference alone.
    Equal,
    /// Headwater lacks a feature that its part needs: the name.
    Missing(String),
    /// They differ: the step and what each saw.
    Different(String),
}

/// What one play gave.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The play.
    pub play: Play,
    /// How it came out.
    pub outcome: Outcome,
    /// What was seen, step by step.
    pub transcript: Vec<String>,
}

/// The two sides of a play, either of which may be absent.
struct Stage<'a> {
    java: Option<&'a mut dyn Side>,
    headwater: &'a mut HeadwaterSide,
    /// The message of the last operation that failed: for whoever looks into a difference, never compared.
    refusal: Option<String>,
}

/// Performs the script in `path` in that play. `baseline` is the transcript of the reference alone; without it only the
/// two sides' views of the same table are compared.
///
/// # Errors
/// `InvalidInput` for a scenario that says nothing sensible.
pub fn judge(
    script: &Script,
    play: Play,
    path: &Path,
    java: &mut dyn Side,
    headwater: &mut HeadwaterSide,
    baseline: Option<&[String]>,
) -> Result<Verdict> {
    let stage = Stage { java: Some(java), headwater, refusal: None };
    run(script, play, path, stage, baseline)
}

/// Performs the script by Headwater alone and compares with a recorded transcript of the reference: needs no JVM.
///
/// # Errors
/// As [`judge`].
pub fn perform_alone(
    script: &Script,
    path: &Path,
    headwater: &mut HeadwaterSide,
    baseline: &[String],
) -> Result<Verdict> {
    let stage = Stage { java: None, headwater, refusal: None };
    run(script, Play::Alone(Actor::Headwater), path, stage, Some(baseline))
}

fn run(script: &Script, play: Play, path: &Path, mut stage: Stage<'_>, baseline: Option<&[String]>) -> Result<Verdict> {
    let actors = play.actors(script.steps.iter().map(|step| &step.op));
    let (mut transcript, mut snapshots, mut lacking) = (Vec::new(), 0, None);
    for ((at, step), actor) in script.steps.iter().enumerate().zip(actors) {
        let begun = transcript.len();
        transcript.push(format!("> {}", step.text));
        let identifier = i64::try_from(at).unwrap_or(0) + 1;
        let trouble = stage.step(step, actor, path, identifier, &mut snapshots, &mut transcript)?;
        match trouble {
            // The reference goes on alone: what it does is recorded for the day Headwater can.
            Some(Outcome::Missing(feature)) if play == Play::Alone(Actor::Java) => {
                lacking.get_or_insert(feature);
            }
            Some(outcome) => return Ok(Verdict { play, outcome, transcript }),
            None => {}
        }
        let seen = transcript.get(begun..).unwrap_or_default();
        if let Some(wanted) = baseline.and_then(|lines| lines.get(begun..))
            && let Some(how) = first_difference(wanted, seen)
        {
            let refusal = stage.refusal.map(|message| format!("\n      refusal    {message}")).unwrap_or_default();
            let how = format!("at '{}' by {actor:?}, not as the reference alone: {how}{refusal}", step.text);
            let outcome = Outcome::Different(how);
            return Ok(Verdict { play, outcome, transcript });
        }
    }
    Ok(Verdict { play, outcome: lacking.map_or(Outcome::Equal, Outcome::Missing), transcript })
}

impl Stage<'_> {
    /// Performs a step; returns what ends the play.
    fn step(
        &mut self,
        step: &Step,
        actor: Actor,
        path: &Path,
        identifier: i64,
        snapshots: &mut i64,
        transcript: &mut Vec<String>,
    ) -> Result<Option<Outcome>> {
        let fields = self.headwater.fields(path)?;
        if fields.is_empty() && !matches!(step.op, Op::Create { .. }) {
            // The table could not be created.
            transcript.push("  ERROR".to_owned());
            return Ok(None);
        }
        let rows = match &step.op {
            Op::Write { rows, .. } | Op::StreamWrite { rows, .. } | Op::Overwrite { rows, .. } => {
                rows::parse(rows, &fields)?
            }
            _ => Vec::new(),
        };
        let scene = Scene { path, op: &step.op, fields: &fields, rows: &rows, identifier };
        if !step.op.changes() {
            return Ok(self.both("read", transcript, |side| side.perform(&scene)));
        }
        let performed = match (actor, &mut self.java) {
            (Actor::Java, Some(java)) => java.perform(&scene),
            _ => self.headwater.perform(&scene),
        };
        match performed {
            Ok(_) => {}
            Err(Failure::Missing(feature)) => return Ok(Some(Outcome::Missing(feature))),
            Err(Failure::Refused(message)) => {
                transcript.push("  ERROR".to_owned());
                self.refusal = Some(message);
                if self.headwater.fields(path)?.is_empty() {
                    return Ok(None);
                }
            }
        }
        let after = *snapshots;
        let facts = self.both("facts", transcript, |side| side.facts(path, after));
        if matches!(facts, Some(Outcome::Different(_))) {
            return Ok(facts);
        }
        *snapshots = newest(transcript).unwrap_or(after);
        let read = Op::Read { options: BTreeMap::new() };
        let fields = self.headwater.fields(path)?;
        let scene = Scene { path, op: &read, fields: &fields, rows: &[], identifier };
        Ok(self.both("rows", transcript, |side| side.perform(&scene)).or(facts))
    }

    /// Lets both sides look, and compares.
    fn both(
        &mut self,
        what: &str,
        transcript: &mut Vec<String>,
        mut look: impl FnMut(&mut dyn Side) -> Played,
    ) -> Option<Outcome> {
        let ours = look(self.headwater);
        let theirs = match &mut self.java {
            Some(java) => look(&mut **java),
            None => ours.clone(),
        };
        transcript.push(format!("  {what}"));
        match (ours, theirs) {
            (Err(Failure::Missing(feature)), theirs) => {
                match theirs {
                    Ok(theirs) => transcript.extend(shortened(&theirs).iter().map(|line| format!("    {line}"))),
                    Err(_) => transcript.push("  ERROR".to_owned()),
                }
                return Some(Outcome::Missing(feature));
            }
            (Err(Failure::Refused(_)), Err(_)) => transcript.push("  ERROR".to_owned()),
            (Err(Failure::Refused(ours)), Ok(_)) => {
                return Some(Outcome::Different(format!("{what}: only Headwater fails: {ours}")));
            }
            (Ok(_), Err(theirs)) => {
                return Some(Outcome::Different(format!("{what}: only the reference fails: {theirs:?}")));
            }
            (Ok(ours), Ok(theirs)) => {
                if let Some(how) = first_difference(&theirs, &ours) {
                    return Some(Outcome::Different(format!("{what} of the same table: {how}")));
                }
                transcript.extend(shortened(&ours).iter().map(|line| format!("    {line}")));
            }
        }
        None
    }
}

/// What a transcript says of rows and refusals, without snapshots and files: those depend on the sizes of files where
/// compaction is picked by size.
#[must_use]
pub fn rows_seen(transcript: &[String]) -> Vec<String> {
    let mut of_files = false;
    let mut seen = Vec::new();
    for line in transcript {
        if line.starts_with("    ") {
            if !of_files {
                seen.push(line.clone());
            }
            continue;
        }
        of_files = line == "  facts";
        seen.push(line.clone());
    }
    seen
}

/// The newest snapshot a transcript names.
fn newest(transcript: &[String]) -> Option<i64> {
    let id = |line: &String| line.trim_start().strip_prefix("snapshot ")?.split(' ').next()?.parse().ok();
    transcript.iter().rev().find_map(id)
}

/// A long list by its ends and a digest.
fn shortened(lines: &[String]) -> Vec<String> {
    if lines.len() <= LONGEST_LIST {
        return lines.to_vec();
    }
    let digest = crc32fast::hash(lines.join("\n").as_bytes());
    let head = lines.iter().take(3).cloned();
    let tail = lines.iter().skip(lines.len() - 3).cloned();
    head.chain([format!("… {} lines in all, digest {digest:08x} …", lines.len())]).chain(tail).collect()
}

/// The first line that differs, with both texts.
pub(crate) fn first_difference(wanted: &[String], found: &[String]) -> Option<String> {
    let wanted_next = |at: usize| wanted.get(at).map_or("(nothing)", String::as_str);
    if let Some(at) = found.iter().enumerate().position(|(at, line)| wanted.get(at) != Some(line)) {
        let found = found.get(at).map_or("(nothing)", String::as_str);
        return Some(format!("line {at}:\n      reference  {}\n      headwater  {found}", wanted_next(at)));
    }
    // A baseline goes on after this step with the next one.
    let rest = wanted.get(found.len()).filter(|line| !line.starts_with("> "))?;
    Some(format!("line {}:\n      reference  {rest}\n      headwater  (nothing)", found.len()))
}
