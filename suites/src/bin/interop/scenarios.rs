//! All plays of all scenarios.

use std::time::Instant;

use headwater_suites::scenario::{Actor, HeadwaterSide, JavaSide, Outcome, Play, ScenarioFile, Script, Verdict, judge};

use crate::Request;
use crate::matrix::Matrix;

/// Plays every scenario that is asked for; returns what differs.
pub(crate) fn check(
    request: &Request,
    java: &mut JavaSide,
    headwater: &mut HeadwaterSide,
) -> Result<Vec<String>, String> {
    let started = Instant::now();
    let (mut failures, mut matrix) = (Vec::new(), Matrix::default());
    for mut file in ScenarioFile::all().map_err(|e| e.to_string())? {
        let mut transcripts = Vec::new();
        let scripts = std::mem::take(&mut file.scripts);
        for script in &scripts {
            let wanted = |only: &String| file.name.contains(only.as_str()) || script.title.contains(only.as_str());
            if !request.only.as_ref().is_none_or(wanted) {
                continue;
            }
            let verdicts = plays(script, java, headwater)?;
            for verdict in &verdicts {
                if let Outcome::Different(how) = &verdict.outcome {
                    let (name, title, play) = (&file.name, &script.title, verdict.play.name());
                    failures.push(format!("{name}: {title} [{play}]\n    {how}"));
                }
            }
            if let Some(first) = verdicts.first() {
                transcripts.push((script.title.clone(), first.transcript.clone()));
            }
            matrix.add(&file.name, &script.title, &verdicts);
        }
        if request.only.is_some() {
            continue;
        }
        if request.record {
            file.record(&transcripts).map_err(|e| e.to_string())?;
        } else if file.recorded().map_err(|e| e.to_string())? != transcripts {
            failures.push(format!("{}: the recorded transcript is not what the reference does: --record", file.name));
        }
    }
    println!("interop: {} in {:.1} s", matrix.summary(), started.elapsed().as_secs_f64());
    if request.only.is_none() {
        failures.extend(matrix.settle(request.record)?);
    }
    Ok(failures)
}

/// The verdicts of all plays; the first is the reference alone.
fn plays(script: &Script, java: &mut JavaSide, headwater: &mut HeadwaterSide) -> Result<Vec<Verdict>, String> {
    let mut verdicts: Vec<Verdict> = Vec::new();
    for play in Play::ALL {
        let folder = tempfile::tempdir().map_err(|e| format!("cannot make a directory: {e}"))?;
        let baseline = verdicts.first().map(|verdict| verdict.transcript.as_slice());
        let verdict = judge(script, play, &folder.path().join("table"), java, headwater, baseline);
        let verdict = verdict.map_err(|e| format!("{}: {e}", script.title))?;
        let over = play == Play::Alone(Actor::Java) && matches!(verdict.outcome, Outcome::Different(_));
        verdicts.push(verdict);
        if over {
            break;
        }
    }
    Ok(verdicts)
}
