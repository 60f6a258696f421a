//! `percept debrief`: the author's report about the matches that people played at tables.

mod html;

use std::collections::BTreeMap;

use percept_report::speech::phrase;
use percept_table::debrief::{Before, Match, Role, debrief};
use percept_table::lines;
use serde::Serialize;

use super::table::of_texts;
use crate::args::{Debrief, Format};
use crate::failure::{Failure, OK, Outcome};
use crate::work::Work;
use crate::{output, save};

/// The number of decisions that are named.
const SLOWEST: usize = 5;

/// All games and matches of a table's file.
#[derive(Serialize)]
struct Answer {
    games: Vec<Summary>,
    matches: Vec<Match>,
}

/// All matches of a game.
#[derive(Serialize)]
struct Summary {
    game: String,
    /// The number of texts of the game that were played.
    versions: usize,
    matches: usize,
    /// Matches that were played to the end by all people.
    finished: usize,
    gave_up: usize,
    decisions: usize,
    /// The seconds of the decision in the middle.
    median: Option<f64>,
    late: usize,
    tried: usize,
    notes: usize,
    /// Roles whose goal was certain while they still had decisions.
    certain: usize,
}

pub(crate) fn run(args: &Debrief) -> Outcome {
    let read = lines::read(&args.file).map_err(|error| Failure::new(error.to_string()))?;
    let Some((_, lines)) = read else {
        let failure = Failure::new(format!("there is no {}", lines::beside(&args.file).display()));
        return Err(failure.note("name the file that `percept table --out FILE` wrote; FILE.table is beside it"));
    };
    let work = Work::begin(args.time);
    work.say("reading the matches");
    let set_up = work.budget();
    let game = |it: &lines::GameLine| of_texts(&it.name, &it.texts, it.terminal.as_deref(), &set_up);
    let matches = debrief(&lines, game, &work.budget()).map_err(|error| Failure::new(error.to_string()))?;
    drop(work);
    let answer = Answer { games: summaries(&matches), matches };
    if let Some(path) = &args.html {
        save::file(path, html::page(&args.file, &answer))?;
    }
    match args.format {
        Format::Json => output::json("debrief", &answer),
        Format::Human => output::print(&human(&answer)),
    }
    Ok(OK)
}

fn summaries(matches: &[Match]) -> Vec<Summary> {
    let mut by_game: BTreeMap<&str, Vec<&Match>> = BTreeMap::new();
    for it in matches {
        by_game.entry(&it.game).or_default().push(it);
    }
    by_game.into_iter().map(|(game, matches)| summary(game, &matches)).collect()
}

fn summary(game: &str, matches: &[&Match]) -> Summary {
    let people: Vec<&Role> = matches.iter().flat_map(|it| &it.roles).filter(|role| role.person).collect();
    let mut seconds: Vec<f64> = people.iter().flat_map(|role| &role.decisions).map(|it| it.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let mut rules: Vec<&str> = matches.iter().map(|it| it.rules.as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    let is_finished = |it: &Match| it.ended.is_some() && it.roles.iter().all(|role| role.gave_up.is_none());
    Summary {
        game: game.into(),
        versions: rules.len(),
        matches: matches.len(),
        finished: matches.iter().filter(|it| is_finished(it)).count(),
        gave_up: people.iter().filter(|role| role.gave_up.is_some()).count(),
        decisions: seconds.len(),
        median: seconds.get(seconds.len() / 2).copied(),
        late: people.iter().flat_map(|role| &role.decisions).filter(|it| it.late).count(),
        tried: people.iter().map(|role| role.tried.len()).sum(),
        notes: people.iter().map(|role| role.notes.len()).sum(),
        certain: people.iter().filter(|role| in_vain(role) > 0).count(),
    }
}

/// The decisions of a person after its goal was certain.
fn in_vain(role: &Role) -> usize {
    role.certain.as_ref().map_or(0, |it| role.decisions.iter().filter(|made| made.round > it.after).count())
}

/// The name of a match: `table 1, match 2`.
fn name(it: &Match) -> String {
    format!("table {}, match {}", it.table + 1, it.number + 1)
}

/// A role and its player: `white (ann)`.
fn player(role: &Role) -> String {
    format!("{} ({})", role.role, role.player)
}

/// The sum of the bits of all rounds, and true if some round is not known exactly.
fn bits(role: &Role) -> (f64, bool) {
    let all = || role.surprise.iter();
    (all().flatten().map(|it| it.bits).sum(), all().any(|it| it.is_none_or(|it| !it.exact)))
}

/// The greatest surprise: its round, and its bits.
fn greatest(role: &Role) -> Option<(usize, f64)> {
    let all = role.surprise.iter().enumerate().filter_map(|(at, it)| Some((at + 1, (*it)?.bits)));
    all.filter(|it| it.1 > 0.0).max_by(|one, other| one.1.total_cmp(&other.1))
}

/// The time from which a role's goal was certain, in words, if it had decisions after that.
fn fate(role: &Role) -> Option<String> {
    let it = role.certain.as_ref()?;
    let goals: Vec<String> = it.goal.iter().map(ToString::to_string).collect();
    let since = match it.before {
        Before::Start => "from the start".to_string(),
        Before::Open => format!("from round {} on", it.after),
        Before::Unknown => format!("from round {} on, or before that", it.after),
    };
    let goals = if goals.is_empty() { "none".into() } else { goals.join(", ") };
    let vain = match in_vain(role) {
        0 => return None,
        1 => "1 decision".to_string(),
        count => format!("{count} decisions"),
    };
    Some(format!("{}: its goal was certain ({goals}) {since}, with {vain} to come", player(role)))
}

fn human(answer: &Answer) -> String {
    let mut out = String::new();
    let mut line = |text: String| out.push_str(&(text + "\n"));
    for it in &answer.games {
        let median = it.median.map_or(String::new(), |seconds| format!(", half of them within {seconds:.1} s"));
        line(format!(
            "{}: {} matches, {} finished; {} decisions{median}; {} too late, {} not legal, {} not understood, {} gave up",
            it.game, it.matches, it.finished, it.decisions, it.late, it.tried, it.notes, it.gave_up
        ));
    }
    for it in &answer.matches {
        line(format!(
            "\n{}: {}, {} rounds, {}",
            name(it),
            it.game,
            it.rounds,
            it.ended.as_deref().unwrap_or("interrupted")
        ));
        for role in &it.roles {
            let goal = role.goal.map_or("none".into(), |goal| goal.to_string());
            let (sum, about) = bits(role);
            let most =
                greatest(role).map_or(String::new(), |(round, bits)| format!(", {bits:.1} of them in round {round}"));
            let about = if about { "about " } else { "" };
            line(format!("  {}: goal {goal}, surprised by {about}{sum:.1} bits{most}", player(role)));
        }
        for (role, made) in slowest(it) {
            line(format!(
                "  {:.1} s  round {}, {}: {}",
                made.seconds,
                made.round,
                player(role),
                phrase(&it.says, &made.mv)
            ));
        }
        for role in &it.roles {
            let who = player(role);
            role.gave_up.iter().for_each(|round| line(format!("  {who} gave up after round {round}")));
            role.tried
                .iter()
                .for_each(|mv| line(format!("  {who} tried {} after round {}", phrase(&it.says, &mv.text), mv.round)));
            role.notes
                .iter()
                .for_each(|it| line(format!("  {who} did not understand, after round {}: {}", it.round, it.text)));
            fate(role).iter().for_each(|text| line(format!("  {text}")));
        }
    }
    if answer.matches.is_empty() {
        line("no match was played".into());
    }
    out
}

/// The slowest decisions of a match, the slowest first.
fn slowest(it: &Match) -> Vec<(&Role, &percept_table::debrief::Decision)> {
    let mut all: Vec<_> =
        it.roles.iter().flat_map(|role| role.decisions.iter().map(move |made| (role, made))).collect();
    all.sort_by(|one, other| other.1.seconds.total_cmp(&one.1.seconds));
    all.truncate(SLOWEST);
    all
}
