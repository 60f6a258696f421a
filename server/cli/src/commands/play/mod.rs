//! `percept play`: random matches, and whether the game is well-formed.

mod coverage;
mod human;
mod report;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use percept_analysis::Settings;
use percept_game::play::{Limits, play, play_match};
use percept_infoset::Budget;
use percept_judge::properties::{Asked, check};
use percept_judge::{Bounds, Options};
use percept_report::book;
use percept_syntax::{Source, Syntax};

use crate::args::{Format, Play};
use crate::failure::{FOUND, OK, Outcome};
use crate::load::{self, Loader};
use crate::output;
use crate::save;
use crate::work::Work;
use report::{Finding, Report};

/// How long the matches may take where no time is given, and how long all judging.
const PLAYING: Duration = Duration::from_secs(60);
const JUDGING: Duration = Duration::from_secs(20);

pub(crate) fn run(args: &Play) -> Outcome {
    let begin = Instant::now();
    let work = Work::begin(args.work.time);
    work.say("setting the game up");
    let loaded = Loader::new(&args.game).within(begin, args.work.time).load()?.warned();
    let game = &*loaded.game;
    let start = Instant::now();
    let left = work.deadline.map(|deadline| deadline.saturating_duration_since(start));
    let limits = Limits {
        seed: args.work.seed,
        max_rounds: u32::try_from(args.max_rounds).unwrap_or(u32::MAX),
        // A third of what is left of the time is for judging the rules.
        deadline: start.checked_add(left.map_or(PLAYING, |left| left.mul_f64(2.0 / 3.0))),
    };
    let done = AtomicU64::new(0);
    let progress = |ended: u64| {
        let done = done.fetch_add(ended, Ordering::Relaxed) + ended;
        work.say(format!("{done} of {} matches", args.matches));
        !work.is_cancelled() && !limits.is_late()
    };
    let summary = play(game, args.matches as u64, &limits, &progress);
    let seconds = start.elapsed().as_secs_f64();
    if let Some(path) = &args.save_trace {
        let (_, rounds) = play_match(game, 0, &limits);
        let text = load::trace_text(game, &rounds, &args.game.game, path);
        save::file(path, text)?;
    }
    work.say("judging the rules");
    // All judging shares one time: properties have half of it, and each of the rest half of what they leave.
    let judged_by = work.deadline.unwrap_or(Instant::now() + JUDGING);
    let half = || Some(Instant::now() + judged_by.saturating_duration_since(Instant::now()) / 2);
    let budget = Budget { deadline: half(), ..work.budget() };
    let description = loaded.files.iter().find_map(|(_, source)| match &source.syntax {
        Syntax::Gdl(description) => Some(description),
        Syntax::Pddl(_) => None,
    });
    let bounds = Bounds { states: args.states, ..Bounds::default() };
    let checked = check(game, &Asked { description, bounds, summary: &summary, limits: &limits, budget: &budget });
    // The same rules as in `check`, with more time.
    let sources: Vec<&Source> = loaded.files.iter().map(|(_, source)| source).collect();
    let deadline = if args.coverage { half() } else { Some(judged_by) };
    let budget = Budget { cancel: Some(work.cancel.clone()), deadline, ..Budget::default() };
    let options = Options { bounds, seed: args.work.seed, ..Options::default() };
    let judged = percept_report::judge(game, &sources, &options, &budget);
    let findings = percept_report::join(Vec::new(), &judged, &sources, &book::knowing(Settings::default()));
    let met = args.coverage.then(|| {
        work.say("counting what rules do");
        let budget = Budget { cancel: Some(work.cancel.clone()), deadline: Some(judged_by), ..Budget::default() };
        coverage::of(&loaded, args, &budget)
    });
    drop(work);
    loaded.sound()?;
    let mut report = Report::new(game, args.matches as u64, &summary, &checked, seconds);
    report.findings = findings.iter().map(|finding| Finding::new(finding, &loaded.files)).collect();
    match args.format {
        Format::Json => {
            report.coverage = met;
            output::json("play", &report);
        }
        Format::Human => {
            output::println(&human::text(&report));
            if let Some(met) = &met {
                output::println(&coverage::text(met));
            }
        }
    }
    Ok(if report.faults.is_empty() { OK } else { FOUND })
}
