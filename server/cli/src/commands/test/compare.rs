//! Answers the question behind an expectation with the functions of the commands, and reports the differences.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use percept_infoset::prove::query::{Question, Reply, answer};
use percept_infoset::prove::{self, Finding, many};
use percept_infoset::{Member, ObserveOptions, Options, Property, Verdict};
use percept_report::verdict::Emptiness;
use percept_solve::RoleValue;
use toml_edit::Array;

use super::ask::{Case, Kind};
use super::format::{Expected, Infoset, Observe, Prove, Query, Solve, Step};
use crate::args::{GameArgs, SolveArgs, SolveMethod, positive};
use crate::commands::{infoset, play, prove as proving, solve, step};
use crate::failure::Failure;
use crate::load::{Loaded, Loader};
use crate::work::Work;

/// A difference between the expected and the actual value.
#[derive(Clone, Debug)]
pub(crate) struct Difference {
    /// The keys that lead to the value, below the expectation's own table.
    pub keys: Vec<String>,
    pub expected: toml_edit::Value,
    pub found: toml_edit::Value,
    /// A note that the values alone do not show.
    pub note: Option<String>,
}

/// The game of an expectation, and the time limit of the answer.
struct OpenGame<'a> {
    folder: &'a Path,
    game: GameArgs,
    begin: Instant,
    time: Duration,
}

impl OpenGame<'_> {
    fn load(&self) -> Result<Loaded, Failure> {
        Loader::new(&self.game, &self.work()).load()
    }

    fn work(&self) -> Work {
        Work::piece(self.begin, self.time)
    }
}

/// The differences.
///
/// # Errors
/// The reason why there is no answer to compare.
pub(super) fn differences(
    expected: &Expected,
    case: &Case,
    folder: &Path,
    time: Duration,
) -> Result<Vec<Difference>, Failure> {
    let game = GameArgs { game: folder.join(&case.game), domain: None, pogddl_terminal: None };
    let open = OpenGame { folder, game, begin: Instant::now(), time };
    let mut found = Differences::default();
    match case.kind {
        Kind::Play => play(&expected.faults, &open, &mut found)?,
        Kind::Step => step(&expected.step[case.index], &open, &mut found)?,
        Kind::Infoset => infoset(&expected.infoset[case.index], &open, &mut found)?,
        Kind::Observe => observe(&expected.observe[case.index], &open, &mut found)?,
        Kind::Prove => prove(&expected.prove[case.index], &open, &mut found)?,
        Kind::Query => query(&expected.query[case.index], &open, &mut found)?,
        Kind::Solve => solve(&expected.solve[case.index], &open, &mut found)?,
    }
    Ok(found.0)
}

#[derive(Default)]
struct Differences(Vec<Difference>);

impl Differences {
    fn unless_equal<T: Into<toml_edit::Value> + PartialEq<U>, U: Into<toml_edit::Value>>(
        &mut self,
        keys: &[&str],
        expected: T,
        found: U,
        note: Option<String>,
    ) {
        if expected != found {
            self.add(keys, expected, found, note);
        }
    }

    fn add(
        &mut self,
        keys: &[&str],
        expected: impl Into<toml_edit::Value>,
        found: impl Into<toml_edit::Value>,
        note: Option<String>,
    ) {
        let keys = keys.iter().map(ToString::to_string).collect();
        self.0.push(Difference { keys, expected: expected.into(), found: found.into(), note });
    }

    fn unless_same(&mut self, keys: &[&str], expected: &BTreeSet<String>, found: &BTreeSet<String>) {
        if expected != found {
            self.add(keys, list(expected), list(found), None);
        }
    }
}

fn play(expected: &[String], open: &OpenGame<'_>, found: &mut Differences) -> Result<(), Failure> {
    let loaded = open.load()?;
    let matches = play::Matches { count: 50, seed: 1, max_rounds: 10_000, states: 100_000 };
    let faults = play::faults(&loaded, &matches, &open.work());
    loaded.sound()?;
    let these: BTreeSet<String> = faults.iter().map(|(property, _)| property.name().to_string()).collect();
    if expected.iter().cloned().collect::<BTreeSet<_>>() != these {
        let messages: Vec<&str> = faults.iter().map(|(_, message)| message.as_str()).collect();
        let note = (!messages.is_empty()).then(|| messages.join("; "));
        found.add(&["faults"], list(expected), list(&these), note);
    }
    Ok(())
}

fn step(expected: &Step, open: &OpenGame<'_>, found: &mut Differences) -> Result<(), Failure> {
    let trace = open.folder.join(&expected.trace);
    let loaded = step::loader(&open.game, Some(&trace), &open.work()).load()?;
    let mut stepper = step::at_end(&loaded, &trace)?;
    let last = stepper.len();
    let round = expected.round.unwrap_or(last);
    if round > last {
        return Err(Failure::new(format!("the trace has {last} rounds, and this is about round {round}")));
    }
    stepper.jump(round);
    let place = stepper.view();
    loaded.sound()?;
    let fluents = place.state.groups.iter().flat_map(|group| &group.fluents);
    let holds: BTreeSet<String> = fluents.map(|fluent| squeezed(&fluent.to_string())).collect();
    let missing = |fact: &&String| !holds.contains(&squeezed(fact));
    let absent: Vec<_> = expected.holds.iter().filter(missing).collect();
    if !absent.is_empty() {
        let left = expected.holds.iter().filter(|fact| !missing(fact));
        found.add(&["holds"], list(&expected.holds), list(left), Some(format!("missing: {}", joined(&absent))));
    }
    let present: Vec<_> = expected.lacks.iter().filter(|fact| !missing(fact)).collect();
    if !present.is_empty() {
        let left = expected.lacks.iter().filter(missing);
        found.add(&["lacks"], list(&expected.lacks), list(left), Some(format!("these hold: {}", joined(&present))));
    }
    let role = |name: &str| {
        let role = place.roles.iter().find(|role| role.name == *name);
        role.ok_or_else(|| Failure::new(format!("`{name}` is not a role")))
    };
    for (key, these) in [("legal", &expected.legal), ("percepts", &expected.percepts)] {
        for (name, these) in these {
            let role = role(name)?;
            let those = if key == "legal" { &role.legal } else { &role.percepts };
            let squeeze = |terms: &mut dyn Iterator<Item = &String>| terms.map(|term| squeezed(term)).collect();
            found.unless_same(&[key, name], &squeeze(&mut these.iter()), &squeeze(&mut those.iter()));
        }
    }
    if let Some(terminal) = expected.terminal {
        found.unless_equal(&["terminal"], terminal, place.terminal, None);
    }
    for (name, &goal) in &expected.goals {
        let goals = &role(name)?.goals;
        match goals[..] {
            [one] => found.unless_equal(&["goals", name], goal, one, None),
            _ => {
                let note = format!("`{name}` has {} goals there", goals.len());
                found.add(&["goals", name], goal, goals.iter().copied().collect::<Array>(), Some(note));
            }
        }
    }
    Ok(())
}

fn infoset(expected: &Infoset, open: &OpenGame<'_>, found: &mut Differences) -> Result<(), Failure> {
    let loaded = open.load()?;
    let view = loaded.view(&open.folder.join(&expected.trace), Some(&expected.role), expected.round)?;
    // One more than are listed, to show that there are more.
    let limit = expected.members.as_ref().map_or(infoset::COUNTED, |members| members.len() + 1);
    let options = Options { limit, ..Options::default() };
    let report = percept_infoset::infoset(&loaded.game, &view, &options, &open.work().budget())
        .map_err(|stop| Failure::open(format!("no member was found: {stop}")))?;
    loaded.sound()?;
    let note = || {
        let open = !report.complete;
        open.then(|| "this many were found in the time; there may be more (--time gives more)".to_string())
    };
    let number = report.histories.to_string();
    if let Some(histories) = &expected.histories {
        found.unless_equal(&["histories"], histories.as_str(), number.as_str(), note());
    }
    if let Some(states) = expected.states {
        let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        found.unless_equal(&["states"], signed(states), signed(report.states as u64), note());
    }
    if let Some(members) = &expected.members {
        let those: BTreeSet<Vec<String>> = report.members.iter().map(|member| made(&loaded, member)).collect();
        let all = report.lists_all();
        if *members != those || !all {
            let array = |these: &BTreeSet<Vec<String>>| these.iter().map(list).collect::<Array>();
            let note = (!all).then(|| format!("it has {number} members"));
            found.add(&["members"], array(members), array(&those), note);
        }
    }
    Ok(())
}

/// The moves made in a member, without roles that only wait.
fn made(loaded: &Loaded, member: &Member) -> Vec<String> {
    let game = &*loaded.game;
    let moves = member.moves.iter().flat_map(|joint| game.role_ids().zip(joint));
    moves.map(|(role, &mv)| game.rules.move_name(role, mv)).filter(|mv| mv != "noop").collect()
}

fn observe(expected: &Observe, open: &OpenGame<'_>, found: &mut Differences) -> Result<(), Failure> {
    let loaded = open.load()?;
    let only = Some(loaded.player(&expected.role)?);
    let rounds = loaded.full_match(&open.folder.join(&expected.trace))?;
    let options = ObserveOptions { announce_end: expected.announce_end, only, ..ObserveOptions::default() };
    let findings = percept_infoset::observe(&loaded.game, &rounds, &options, &open.work().budget())
        .map_err(|error| Failure::new(error.to_string()))?
        .findings;
    loaded.sound()?;
    let unknown = &expected.unknown;
    let states = [(Property::Legal, &unknown.legal), (Property::Terminal, &unknown.terminal)];
    for (property, rounds) in states.into_iter().chain([(Property::Goal, &unknown.goal), (Property::Own, &unknown.own)])
    {
        let of = |is: fn(&Verdict) -> bool| -> BTreeSet<u64> {
            let these = findings.iter().filter(|it| it.property == property && is(&it.verdict));
            these.map(|it| it.round as u64).collect()
        };
        let numbers = |rounds: &BTreeSet<u64>| rounds.iter().map(|&round| round as i64).collect::<Array>();
        let those = of(|verdict| matches!(verdict, Verdict::Unknown(_)));
        let undecided = of(|verdict| matches!(verdict, Verdict::Undecided { .. }));
        if those != *rounds || !undecided.is_empty() {
            let note = (!undecided.is_empty()).then(|| {
                let rounds: Vec<_> = undecided.iter().map(ToString::to_string).collect();
                format!("undecided in the time after round {}", rounds.join(", "))
            });
            found.add(&["unknown", property.name()], numbers(rounds), numbers(&those), note);
        }
    }
    Ok(())
}

fn prove(expected: &Prove, open: &OpenGame<'_>, found: &mut Differences) -> Result<(), Failure> {
    let loaded = open.load()?;
    let role = loaded.role(&expected.role)?;
    let all = [
        (Property::Legal, &expected.legal),
        (Property::Terminal, &expected.terminal),
        (Property::Goal, &expected.goal),
        (Property::Own, &expected.own),
    ];
    let wanted: Vec<_> =
        all.into_iter().filter_map(|(property, verdict)| Some((property, verdict.as_ref()?))).collect();
    let questions: Vec<_> = wanted.iter().map(|&(property, _)| (role, property)).collect();
    let budget = |_| Work::piece(Instant::now(), open.time).budget();
    let findings = many::all(&loaded.game, &questions, &prove::Options::default(), many::threads(), &budget);
    loaded.sound()?;
    for (finding, (property, verdict)) in findings.iter().zip(wanted) {
        if refutes(verdict, &finding.verdict) {
            continue;
        }
        let note = match finding.vacuous.and_then(Emptiness::of) {
            Some(Emptiness::NoEnd) => Some("it is trivial, since no match ever ends".to_string()),
            Some(Emptiness::NoGoal) => Some(format!("it is trivial, since {} never has a goal", expected.role)),
            None => None,
        };
        found.unless_equal(&[property.name()], verdict.as_str(), verdict_text(finding), note);
    }
    Ok(())
}

/// A verdict in the notation of the file.
fn verdict_text(finding: &Finding) -> String {
    match &finding.verdict {
        prove::Verdict::Proved { .. } => "proved".to_string(),
        prove::Verdict::Open { .. } => "open".to_string(),
        // A pair from random matches may not be shortest, and changes from run to run.
        prove::Verdict::Refuted { method: "matches", .. } => "refuted".to_string(),
        prove::Verdict::Refuted { pair, .. } => format!("refuted {}", pair.left.len()),
    }
}

/// True if a verdict is the expected refutation: of any length if none is given, or longer than given if random matches
/// found the pair, which may not be shortest.
fn refutes(expected: &str, verdict: &prove::Verdict) -> bool {
    match verdict {
        prove::Verdict::Refuted { pair, method } => is_refutation(expected, method, pair.left.len()),
        prove::Verdict::Proved { .. } | prove::Verdict::Open { .. } => false,
    }
}

fn is_refutation(expected: &str, method: &str, found: usize) -> bool {
    let Some(rounds) = expected.strip_prefix("refuted") else { return false };
    match rounds.trim().parse::<usize>() {
        Ok(rounds) => rounds == found || method == "matches" && rounds <= found,
        Err(_) => rounds.is_empty(),
    }
}

fn query(expected: &Query, open: &OpenGame<'_>, found: &mut Differences) -> Result<(), Failure> {
    let loaded = open.load()?;
    let failure = |error| proving::question::failure(&error, &expected.ask);
    let question = Question::parse(&loaded.game, &expected.ask).map_err(failure)?;
    let budget = Work::piece(Instant::now(), open.time).budget();
    let reply = answer(&loaded.game, &question, prove::Method::Auto, false, &budget).map_err(failure)?;
    loaded.sound()?;
    let verdict = match reply {
        Reply::Holds { .. } => "holds",
        Reply::Fails { .. } => "fails",
        Reply::Open { .. } => "open",
    };
    found.unless_equal(&["verdict"], expected.verdict.as_str(), verdict, None);
    Ok(())
}

/// The exploitability, in units, at which regret minimization ends.
const TARGET: f64 = 1e-5;

fn solve(expected: &Solve, open: &OpenGame<'_>, found: &mut Differences) -> Result<(), Failure> {
    if !expected.zero.is_finite() || positive(&expected.unit.to_string()).is_err() {
        return Err(Failure::new("`zero` is a number, and `unit` one above zero"));
    }
    let loaded = open.load()?;
    let args = SolveArgs {
        method: SolveMethod::Auto,
        target: TARGET,
        iterations: None,
        zero: expected.zero,
        unit: expected.unit,
    };
    let units = solve::Units { zero: expected.zero, unit: expected.unit };
    let solution = percept_solve::solve(&loaded.game, &solve::options(&args, 0), &open.work().budget());
    let solution = solution.map_err(solve::failure)?;
    loaded.sound()?;
    let value = |name: &str| -> Result<&RoleValue, Failure> {
        let role = loaded.game.role(name);
        let value = solution.values.iter().find(|it| Some(it.role) == role);
        value.ok_or_else(|| Failure::new(format!("no value was found for `{name}`")))
    };
    for (role, exact) in &expected.exact {
        let value = value(role)?;
        let those = value.exact.as_ref().and_then(|it| units.exact(it)).map(|it| it.to_string());
        let note = || format!("between {} and {}", units.of(value.low), units.of(value.high));
        let note = those.is_none().then(note);
        found.unless_equal(&["exact", role], exact.as_str(), those.unwrap_or_else(|| "none".to_string()), note);
    }
    for (role, &bound) in &expected.low {
        let low = units.of(value(role)?.low);
        if low.is_nan() || low < bound {
            found.add(&["low", role], bound, low, None);
        }
    }
    for (role, &bound) in &expected.high {
        let high = units.of(value(role)?.high);
        if high.is_nan() || high > bound {
            found.add(&["high", role], bound, high, None);
        }
    }
    Ok(())
}

/// A term, written with single spaces.
fn squeezed(term: &str) -> String {
    term.replace('(', " ( ")
        .replace(')', " ) ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace("( ", "(")
        .replace(" )", ")")
}

fn list<'a>(these: impl IntoIterator<Item = &'a String>) -> Array {
    these.into_iter().map(String::as_str).collect()
}

fn joined(these: &[&String]) -> String {
    these.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::is_refutation;

    #[test]
    fn pairs_found_by_chance_may_be_longer() {
        let cases = [
            ("refuted", "bounded", 3, true),
            ("refuted", "matches", 30, true),
            ("refuted 3", "bounded", 3, true),
            ("refuted 3", "bounded", 4, false),
            ("refuted 3", "matches", 30, true),
            ("refuted 31", "matches", 30, false),
            ("refuted x", "bounded", 3, false),
            ("proved", "matches", 3, false),
            ("open", "bounded", 3, false),
        ];
        for (expected, method, depth, right) in cases {
            assert_eq!(is_refutation(expected, method, depth), right, "{expected}: {method} {depth}");
        }
    }
}
