//! `percept play`: plays random matches, and checks that the game is well-formed.

mod coverage;
mod human;
pub(crate) mod report;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use percept_analysis::Settings;
use percept_game::Game;
use percept_game::play::{Limits, MANY, Summary, play, play_match};
use percept_infoset::Budget;
use percept_judge::properties::{Checked, Inquiry, Property, check};
use percept_judge::{Bounds, GaveUp, Options};
use percept_report::book;
use percept_syntax::{Source, Syntax};

use crate::args::{Format, Play};
use crate::failure::{FOUND, OK, OPEN, Outcome};
use crate::load::{self, Loaded, Loader};
use crate::output;
use crate::save;
use crate::work::Work;
use report::{Finding, Report};

/// The default time for the matches.
const PLAYING: Duration = Duration::from_secs(60);
/// The default time for all judging of a command that a person waits for. Most games need less; in large ones, more of
/// it decides hardly anything.
const JUDGING: Duration = Duration::from_secs(2);
/// The default time to judge a game whose expectations are tested.
const TESTING: Duration = Duration::from_secs(20);

/// The matches to play, and their limits.
pub(crate) struct Matches {
    pub count: usize,
    pub seed: u64,
    /// The number of rounds after which a match is given up.
    pub max_rounds: usize,
    /// Every state is visited if there are at most this many.
    pub states: usize,
}

impl Matches {
    fn limits(&self, start: Instant, work: &Work) -> Limits {
        let left = work.deadline.map(|deadline| deadline.saturating_duration_since(start));
        Limits {
            seed: self.seed,
            max_rounds: u32::try_from(self.max_rounds).unwrap_or(u32::MAX),
            // A third of the remaining time is for judging the rules.
            deadline: start.checked_add(left.map_or(PLAYING, |left| left.mul_f64(2.0 / 3.0))),
        }
    }
}

/// Plays random matches.
fn played(game: &Game, matches: &Matches, limits: &Limits, work: &Work) -> Summary {
    let done = AtomicU64::new(0);
    let progress = |ended: u64| {
        let done = done.fetch_add(ended, Ordering::Relaxed) + ended;
        work.say(format!("{done} of {} matches", matches.count));
        !work.is_cancelled() && !limits.is_late()
    };
    play(game, matches.count as u64, limits, &progress)
}

/// Checks the properties of every correct game, after random matches.
fn judged(loaded: &Loaded, matches: &Matches, limits: &Limits, summary: &Summary, budget: &Budget) -> Checked {
    let description = loaded.files.iter().find_map(|(_, source)| match &source.syntax {
        Syntax::Gdl(description) => Some(description),
        Syntax::Pddl(_) => None,
    });
    let bounds = Bounds { states: matches.states, ..Bounds::default() };
    check(&loaded.game, &Inquiry { description, bounds, summary, limits, budget })
}

/// The faults of a game: properties that every correct game has, each with its message.
pub(crate) fn faults(loaded: &Loaded, matches: &Matches, work: &Work) -> Vec<(Property, String)> {
    let limits = matches.limits(Instant::now(), work);
    let summary = played(&loaded.game, matches, &limits, work);
    let deadline = work.deadline.unwrap_or(Instant::now() + TESTING);
    let checked = judged(loaded, matches, &limits, &summary, &work.budget().until(deadline));
    let faults = report::faults(&loaded.game, &loaded.speech, &checked.checks);
    faults.into_iter().map(|fault| (fault.property, fault.message)).collect()
}

pub(crate) fn run(args: &Play) -> Outcome {
    let work = Work::begin(args.work.time);
    let loaded = Loader::new(&args.game, &work).load()?.warned();
    let game = &*loaded.game;
    let start = Instant::now();
    let matches =
        Matches { count: args.matches, seed: args.work.seed, max_rounds: args.max_rounds, states: args.states };
    let limits = matches.limits(start, &work);
    let summary = played(game, &matches, &limits, &work);
    let seconds = start.elapsed().as_secs_f64();
    if let Some(path) = &args.save_trace {
        let (_, rounds) = play_match(game, 0, &limits);
        let text = load::trace_text(game, &rounds, &args.game.game, path);
        save::file(path, text)?;
    }
    loaded.sound()?;
    let mut report = Report::new(game, args.matches as u64, &summary, seconds);
    if args.format == Format::Human {
        // Judging takes longer than most matches: a reader need not wait for it.
        work.suspend(|| output::println(&human::matches(&report)));
    }
    // A few matches are played in an instant, whatever was given up.
    if let Some(given_up) = game.rules.given_up().filter(|_| summary.matches >= MANY) {
        output::say(&format!("note: {given_up}"));
    }
    work.say("judging the rules");
    // All judging shares one time: properties get half of it, and each other check half of the remainder.
    let judged_by = work.deadline.unwrap_or(Instant::now() + JUDGING);
    let half = || Some(Instant::now() + judged_by.saturating_duration_since(Instant::now()) / 2);
    let budget = Budget { deadline: half(), ..work.budget() };
    let checked = judged(&loaded, &matches, &limits, &summary, &budget);
    // The same rules as in `check`, with more time.
    let sources: Vec<&Source> = loaded.files.iter().map(|(_, source)| source).collect();
    let deadline = if args.coverage { half() } else { Some(judged_by) };
    let budget = Budget { cancel: Some(work.cancel.clone()), deadline, ..Budget::default() };
    let bounds = Bounds { states: args.states, ..Bounds::default() };
    let options = Options { bounds, seed: args.work.seed, ..Options::default() };
    let judged = percept_report::judge(game, &sources, &options, &budget);
    let findings = percept_report::join(Vec::new(), &judged, &sources, &book::knowing(Settings::default()));
    let met = args.coverage.then(|| {
        work.say("counting the rules that fire");
        let budget = Budget { cancel: Some(work.cancel.clone()), deadline: Some(judged_by), ..Budget::default() };
        coverage::of(&loaded, args, &budget)
    });
    let is_late = Instant::now() >= judged_by || matches!(checked.every_state, Err(GaveUp::Time(_)));
    let hurried = work.deadline.is_none() && is_late;
    drop(work);
    loaded.sound()?;
    report.hurried = hurried;
    report.judge(game, &loaded.speech, &checked);
    report.findings = findings.iter().map(|finding| Finding::new(finding, &loaded.files)).collect();
    match args.format {
        Format::Json => {
            report.coverage = met;
            output::json("play", &report);
        }
        Format::Human => {
            output::println(&human::judgement(&report));
            if let Some(met) = &met {
                output::println(&coverage::text(met));
            }
        }
    }
    let has_no_match = summary.matches == 0 && args.matches > 0;
    Ok(if !report.faults.is_empty() {
        FOUND
    } else if has_no_match {
        OPEN
    } else {
        OK
    })
}
