//! Random histories on both engines: `cargo xtask differential` starts it with the class path it has set up.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program prints")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use headwater_suites::differential::{History, history, minimised};
use headwater_suites::scenario::{Actor, HeadwaterSide, JavaSide, Outcome, Play, Script, Verdict, judge, rows_seen};

/// How often a failing history is played again to make it smaller.
const TRIES: usize = 200;

/// What the command line asks for.
#[derive(Debug)]
struct Request {
    class_path: String,
    seed: u64,
    /// Operations after which to end.
    ops: usize,
    /// Time after which to end.
    time: Option<Duration>,
}

fn main() -> ExitCode {
    match request().and_then(|request| run(&request)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("differential: {message}");
            ExitCode::FAILURE
        }
    }
}

fn request() -> Result<Request, String> {
    let mut request =
        Request { class_path: String::new(), seed: fastrand::u64(..1_000_000), ops: usize::MAX, time: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} takes a value"));
        let number = |text: String| text.parse::<u64>().map_err(|_| format!("'{text}' is no number"));
        match argument.as_str() {
            "--class-path" => request.class_path = value()?,
            "--seed" => request.seed = number(value()?)?,
            "--ops" => request.ops = usize::try_from(number(value()?)?).unwrap_or(usize::MAX),
            "--seconds" => request.time = Some(Duration::from_secs(number(value()?)?)),
            _ => return Err(format!("there is no '{argument}': --seed S, --ops N, --seconds T")),
        }
    }
    if request.class_path.is_empty() {
        return Err("start me with `cargo xtask differential`, which sets the reference up".to_owned());
    }
    if request.ops == usize::MAX && request.time.is_none() {
        request.ops = 2_000;
    }
    Ok(request)
}

/// Both engines.
struct Engines {
    java: JavaSide,
    headwater: HeadwaterSide,
}

fn run(request: &Request) -> Result<(), String> {
    let java = JavaSide::start(&request.class_path).map_err(|e| e.to_string())?;
    let mut engines = Engines { java, headwater: HeadwaterSide::new().map_err(|e| e.to_string())? };
    let started = Instant::now();
    let (mut ops, mut histories, mut lacking) = (0, 0, 0);
    let seed = request.seed;
    while ops < request.ops && request.time.is_none_or(|time| started.elapsed() < time) {
        let at = seed.wrapping_mul(1_000_003).wrapping_add(histories);
        let history = history(at);
        let play = Play::ALL.into_iter().skip(1).cycle().nth(usize::try_from(at % 5).unwrap_or(0));
        let play = play.unwrap_or(Play::Alone(Actor::Headwater));
        match engines.compare(&history, play)? {
            Outcome::Equal => {}
            Outcome::Missing(_) => lacking += 1,
            Outcome::Different(how) => return Err(engines.report(seed, &history, play, &how)),
        }
        // The reference alone, then the play.
        ops += 2 * history.len();
        histories += 1;
    }
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "differential: seed {seed}: {ops} operations in {histories} histories agree ({lacking} of them refused) in {seconds:.1} s"
    );
    if lacking * 4 > histories {
        return Err("more than a quarter of the histories were refused: they judge nothing".to_owned());
    }
    Ok(())
}

impl Engines {
    /// Plays a history by the reference alone, then as `play` says.
    fn compare(&mut self, history: &History, play: Play) -> Result<Outcome, String> {
        let scripts = Script::parse("differential", &history.to_text()).map_err(|e| e.to_string())?;
        let Some(script) = scripts.first() else { return Ok(Outcome::Equal) };
        let alone = self.judge(script, Play::Alone(Actor::Java), None)?;
        if alone.outcome != Outcome::Equal {
            return Ok(alone.outcome);
        }
        if !history.picks_by_size() {
            return Ok(self.judge(script, play, Some(&alone.transcript))?.outcome);
        }
        let verdict = self.judge(script, play, None)?;
        let (wanted, found) = (rows_seen(&alone.transcript), rows_seen(&verdict.transcript));
        Ok(match verdict.outcome {
            Outcome::Equal if wanted != found => {
                let at = wanted.iter().zip(&found).position(|(w, f)| w != f).unwrap_or(0);
                let line = |lines: &[String]| lines.get(at).cloned().unwrap_or_default();
                Outcome::Different(format!("the reference {}\n      headwater {}", line(&wanted), line(&found)))
            }
            outcome => outcome,
        })
    }

    fn judge(&mut self, script: &Script, play: Play, baseline: Option<&[String]>) -> Result<Verdict, String> {
        let folder = tempfile::tempdir().map_err(|e| format!("cannot make a directory: {e}"))?;
        let path = folder.path().join("table");
        judge(script, play, &path, &mut self.java, &mut self.headwater, baseline).map_err(|e| e.to_string())
    }

    /// What a person needs to see a disagreement again.
    fn report(&mut self, seed: u64, history: &History, play: Play, how: &str) -> String {
        let mut last = how.to_owned();
        let smallest = minimised(history, TRIES, |smaller| match self.compare(smaller, play) {
            Ok(Outcome::Different(how)) => {
                last = how;
                true
            }
            _ => false,
        });
        format!("seed {seed} [{}]: {last}\n\n{}", play.name(), smallest.to_text())
    }
}
