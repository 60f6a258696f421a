//! Compares the judge's findings in published games with another reading of their rules: every witness is a match, and
//! shows the finding.
//!
//! All games together take a quarter of an hour. `judged.txt` has warnings that were drawn at random and judged by
//! hand, by reading the files: those judged false must not come back.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use percept_game::gdl::Grounding;
use percept_game::{Game, JointMove};
use percept_infoset::Budget;
use percept_judge::{Case, Evidence, Finding, Options, Severity, judge};
use percept_random_rules::gdl::Naive;
use percept_random_rules::graph::Oracle;
use percept_random_rules::sexp;
use percept_syntax::{Language, Source, Syntax};

/// The time limit of the judge for each game, and of the naive reader, which is slow.
const JUDGE: Duration = Duration::from_secs(4);
const NAIVE: Duration = Duration::from_secs(20);
/// The maximum length of a text in bytes; longer ones are left out.
const LONGEST: usize = 40_000;

type State = BTreeSet<String>;
/// The moves of a round, each with its role.
type Joint = Vec<(String, String)>;

/// The states of a match by the naive reader's rules. An error if it is not a match; `None` if the replay took too
/// long.
fn replay(naive: &Naive, rounds: &[Joint], until: Instant) -> Result<Option<Vec<State>>, String> {
    let refused = |refusal| format!("refused: {refusal:?}");
    let mut states = vec![naive.initial()];
    for (number, joint) in rounds.iter().enumerate() {
        if Instant::now() > until {
            return Ok(None);
        }
        let state = states.last().expect("the first");
        if naive.terminal(state).map_err(refused)? {
            return Err(format!("the match is over before round {}", number + 1));
        }
        let mut moves = Vec::new();
        for role in &naive.roles() {
            let of_role = joint.iter().find(|(name, _)| name.eq_ignore_ascii_case(role));
            let (_, wanted) = of_role.ok_or_else(|| format!("nothing is said of {role}"))?;
            let legal = naive.legal(state, role).map_err(refused)?;
            let found = legal.into_iter().find(|it| it.eq_ignore_ascii_case(wanted));
            moves.push(found.ok_or_else(|| format!("round {}: `{wanted}` is not legal for {role}", number + 1))?);
        }
        states.push(naive.step(state, &moves).map_err(refused)?.next);
    }
    Ok(Some(states))
}

/// True if the last state shows the finding; `None` for rules with findings about declarations.
fn is_shown(naive: &Naive, finding: &Finding, states: &[State]) -> Option<bool> {
    let last = states.last()?;
    let names: Vec<String> = finding.message.split('`').skip(1).step_by(2).map(str::to_lowercase).collect();
    let holds = |state: &State, name: &String| state.iter().any(|fact| fact.eq_ignore_ascii_case(name));
    let goals = |role: &String| naive.goals(last, role).unwrap_or_default();
    let players = || naive.roles().into_iter().filter(|role| !naive.is_chance(role));
    let is_over = naive.terminal(last).ok()?;
    Some(match finding.rule.name {
        "role-without-move" => {
            !is_over && naive.roles().iter().any(|role| naive.legal(last, role).is_ok_and(|legal| legal.is_empty()))
        }
        "no-goal" => is_over && players().any(|role| goals(&role).is_empty()),
        "two-goals" => players().any(|role| goals(&role).into_iter().collect::<BTreeSet<i64>>().len() > 1),
        "goal-out-of-range" => players().any(|role| goals(&role).iter().any(|goal| !(0..=100).contains(goal))),
        "over-at-start" => states.len() == 1 && is_over,
        "endless-match" => match &finding.evidence {
            Evidence::Lasso { back_to, .. } => states.get(*back_to) == Some(last) && *back_to + 1 < states.len(),
            _ => false,
        },
        "two-contents" => holds(last, names.first()?) && holds(last, names.get(1)?),
        "fluent-not-kept" => !holds(last, names.first()?) && holds(states.iter().rev().nth(1)?, names.first()?),
        _ => return None,
    })
}

fn names(game: &Game, rounds: &[JointMove]) -> Vec<Joint> {
    let name = |joint: &JointMove| {
        let moves = game.roles.iter().zip(game.role_ids()).zip(joint);
        moves.map(|((role, id), &mv)| (role.name.to_string(), game.rules.move_name(id, mv))).collect()
    };
    rounds.iter().map(name).collect()
}

#[derive(Default)]
struct Tally {
    games: usize,
    shown: BTreeMap<&'static str, usize>,
    too_slow: usize,
    faults: Vec<String>,
    /// The warnings, as `file:line rule`.
    warnings: BTreeSet<String>,
}

fn one(name: &str, text: &str, tally: &mut Tally) {
    if text.len() > LONGEST {
        return;
    }
    eprintln!("{name}");
    let source = Source::parse(text, Language::GdlPrefix);
    let Syntax::Gdl(description) = &source.syntax else { return };
    let until = |time| Budget::default().until(Instant::now() + time);
    let grounding = Grounding { budget: until(JUDGE), ..Grounding::default() };
    let Some(game) = Game::from_gdl_with(description, &grounding).ok().filter(|_| source.errors.is_empty()) else {
        return;
    };
    tally.games += 1;
    let budget = until(JUDGE);
    let judged = judge(&Case::new(&game, vec![&source]), &Options::default(), &budget);
    for finding in &judged.findings {
        let line = text[..finding.range.start as usize].matches('\n').count() + 1;
        if finding.severity >= Severity::Warning {
            tally.warnings.insert(format!("{name}:{line} {}", finding.rule.name));
        }
    }
    let witnesses: Vec<&Finding> = judged.findings.iter().filter(|it| it.witness().is_some()).collect();
    if witnesses.is_empty() {
        return;
    }
    let Ok(naive) = Naive::new(&sexp::read(text)) else { return };
    let until = Instant::now() + NAIVE;
    for finding in witnesses {
        let rounds = names(&game, finding.witness().unwrap_or_default());
        match replay(&naive, &rounds, until) {
            Err(why) => tally.faults.push(format!("{name}: {}: {why}", finding.message)),
            Ok(None) => tally.too_slow += 1,
            Ok(Some(states)) => match is_shown(&naive, finding, &states) {
                Some(true) => *tally.shown.entry(finding.rule.name).or_default() += 1,
                Some(false) => tally.faults.push(format!("{name}: not so: {}", finding.message)),
                None => {}
            },
        }
    }
}

/// Judges published games, shows at least `least` matches, and compares the warnings that were judged by hand with
/// their judgement.
fn judge_published(is_wanted: impl Fn(&str) -> bool, judged: &[&str], least: usize) {
    let corpus = percept_test::folder("PERCEPT_CORPUS");
    let mut tally = Tally::default();
    for folder in ["gdl", "gdl-ii"] {
        // Infix text is left out: read as prefix text, it is full of mistakes.
        for path in percept_test::files(corpus.join(folder), &["kif", "gdl"]) {
            let name = format!("{folder}/{}", percept_test::file_name(&path));
            if is_wanted(&name) {
                one(&name, &percept_test::lossy(&path), &mut tally);
            }
        }
    }
    eprintln!("{} games, {:?}, {} too slow to replay", tally.games, tally.shown, tally.too_slow);
    assert!(tally.faults.is_empty(), "{}", tally.faults.join("\n"));
    assert!(tally.shown.values().sum::<usize>() >= least, "{:?}", tally.shown);
    for line in judged {
        let (key, verdict) = line.split_once(" | ").unwrap_or_else(|| panic!("no verdict: {line}"));
        let is_true = verdict.starts_with("true: ");
        assert!(is_true || verdict.starts_with("false: "), "{line}");
        assert_eq!(tally.warnings.contains(key), is_true, "{line}");
    }
}

fn judged() -> Vec<&'static str> {
    include_str!("../judged.txt").lines().filter(|line| !line.starts_with('#')).collect()
}

mod corpus {
    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn judged_files_are_judged_alike_and_every_match_that_is_shown_is_one() {
        let judged = judged();
        judge_published(|name| judged.iter().any(|line| line.starts_with(&format!("{name}:"))), &judged, 4);
    }
}

mod long {
    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS and takes a quarter of an hour"]
    fn every_match_that_is_shown_is_one_and_shows_what_is_said() {
        judge_published(|_| true, &judged(), 6);
    }
}
