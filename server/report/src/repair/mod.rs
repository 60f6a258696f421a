//! Repairs: percepts that give a role the knowledge it lacks.
//!
//! In: a game with its texts, a role, a property, and two histories that the role cannot tell apart. Out: [`Repair`]s,
//! each a few lines to insert, *proved* to suffice in every match before it is shown; the one that reveals least comes
//! first. Candidates come from the differences between the histories: the end itself, its support, the facts that
//! differ, the moves. A candidate with a finding of `check` is dropped. If no candidate suffices alone, [`sets`] of
//! them are tried.

mod declare;
mod gdl;
mod pogddl;
mod sets;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use percept_analysis::{Settings, Severity};
use percept_game::gdl::Grounding;
use percept_game::play::Stream;
use percept_game::{Game, JointMove, PogddlTerminal, RoleId, Scope};
use percept_infoset::exact::Filter;
use percept_infoset::prove::{Options, Prover, Verdict};
use percept_infoset::{Budget, Property, View, Witness};
use percept_syntax::{Language, Source, Syntax};
use serde::Serialize;

use crate::verdict::refutation;
use crate::{load, names};

/// The most candidates that are tried.
const TRIED: usize = 24;
/// The most repairs that are shown.
const SHOWN: usize = 6;
/// The number of random matches, and of rounds in each, that measure the information revealed.
const MATCHES: u64 = 24;
const ROUNDS: usize = 60;
/// The memory for counting, in bytes, and the time for one repair.
const MEMORY: usize = 64 << 20;
const MEASURING: Duration = Duration::from_secs(2);
/// The time for solving one game.
const PRICING: Duration = Duration::from_secs(4);
/// The greatest uncertainty of a value, in points of goals, with which the worth of a repair is reported.
const CLOSE: f64 = 0.05;
/// The most percepts that are declared one by one.
const DECLARED: usize = 30;

/// Returns the bounds of the game's value to a role, if the game can be solved in time.
pub type Value<'a> = &'a dyn Fn(&Game, RoleId, &Budget) -> Option<(f64, f64)>;

/// The knowledge to repair.
pub struct RepairQuery<'a> {
    /// The unchanged game.
    pub game: &'a Game,
    /// The description; or the domain and the problem.
    pub sources: Vec<&'a Source>,
    /// The end of a POGDDL match, if the domain does not define it.
    pub terminal: Option<PogddlTerminal>,
    /// The role that lacks the knowledge.
    pub role: RoleId,
    /// The property that the role does not know.
    pub property: Property,
    /// Two histories that the role cannot tell apart.
    pub witness: &'a Witness,
    /// The solver of games; without it repairs have no worth.
    pub value: Option<Value<'a>>,
}

/// A percept for a role, proved to suffice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Repair {
    /// The information that the role receives, in words, without a full stop.
    pub says: String,
    /// The lines to insert, by their place in the unchanged texts.
    pub edits: Vec<Insertion>,
    /// The information that the repair reveals: the reduction of the role's information set in bits, on average over
    /// the ends of random matches. `None` if the sets are too large to count.
    pub bits: Option<f64>,
    /// The increase in the role's value of the game, in points of its goal. `None` if the game cannot be solved.
    pub worth: Option<f64>,
    /// The method of the proof.
    pub method: &'static str,
    /// True if the independent checker followed the proof on the changed rules.
    pub checked: bool,
}

/// The title of a repair: the role, and the content of the new percepts.
fn title(role: &str, content: &str) -> String {
    format!("Add percepts for {role}: {content}")
}

impl Repair {
    /// The information that the role receives, with a remark if the proof is unchecked.
    pub fn title(&self) -> String {
        if self.checked { self.says.clone() } else { format!("{} (its proof is unchecked)", self.says) }
    }

    /// All lines that are inserted, as they are shown.
    pub fn text(&self) -> String {
        let parts: Vec<&str> = self.edits.iter().map(|it| it.text.trim_matches('\n')).collect();
        parts.join("\n")
    }
}

/// Lines that are inserted at one place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Insertion {
    /// The index of the text among the game's texts.
    pub file: usize,
    /// The byte before which they are inserted.
    pub at: u32,
    /// The lines to insert.
    pub text: String,
}

/// A text with insertions.
#[derive(Clone, PartialEq)]
struct Candidate {
    says: String,
    /// The insertions, one for each place.
    edits: Vec<Insertion>,
    /// In GDL: the lines in prefix notation.
    lines: Vec<String>,
}

impl Candidate {
    fn length(&self) -> usize {
        self.edits.iter().map(|it| it.text.len()).sum()
    }
}

/// The outcome of a candidate.
enum Tried {
    /// The candidate suffices; with the game that it makes.
    Repair(Box<(Game, RoleId, Repair)>),
    /// The candidate does not suffice; with two histories that the role still cannot tell apart.
    Refuted(Witness),
    /// The candidate is not valid, or was not decided in time.
    Nothing,
}

/// The repairs that suffice, the one that reveals least first; at most six. Several rules are combined only if none
/// suffices alone.
///
/// Each candidate gets its share of the budget's time; candidates without a proof by then are not shown.
pub fn repairs(query: &RepairQuery<'_>, budget: &Budget) -> Vec<Repair> {
    let candidates = candidates(query, query.witness);
    if candidates.is_empty() {
        return Vec::new();
    }
    let value = |game: &Game, role| {
        let budget = budget.share(4).until(Instant::now().checked_add(PRICING)?);
        query.value?(game, role, &budget).filter(|(low, high)| high - low <= CLOSE)
    };
    let now = value(query.game, query.role);
    let priced = |game: &Game, role: RoleId, repair: Repair| {
        let then = now.and_then(|now| Some((now, value(game, role)?)));
        // A difference within the errors of both values counts as zero.
        let gain = |((low, high), (lower, higher)): ((f64, f64), (f64, f64))| {
            let (gain, error) = ((lower + higher - low - high) / 2.0, (high - low + higher - lower) / 2.0);
            if gain.abs() <= error + 1e-6 { 0.0 } else { gain }
        };
        Repair { worth: then.map(gain), ..repair }
    };
    let mut found = Vec::new();
    let total = candidates.len().min(TRIED);
    let mut failed = sets::Failed::new(query);
    for (number, candidate) in candidates.into_iter().take(TRIED).enumerate() {
        if budget.stop().is_some() {
            break;
        }
        budget.report("repairs tried", number, Some(total));
        match tried(query, &candidate, &budget.share(total - number + sets::SHARES)) {
            Tried::Repair(it) => found.push(priced(&it.0, it.1, it.2)),
            Tried::Refuted(witness) => failed.refuted(candidate, Some(&witness)),
            Tried::Nothing => failed.refuted(candidate, None),
        }
    }
    if found.is_empty() {
        failed.together(query, budget, &mut |game, role, repair| found.push(priced(game, role, repair)));
    }
    // An unknown amount may be large.
    let order =
        |it: &Repair| (it.bits.is_none(), it.bits.unwrap_or(0.0), it.worth.unwrap_or(0.0).abs(), it.text().len());
    found.sort_by(|one, other| {
        let (one, other) = (order(one), order(other));
        let measured = one.1.total_cmp(&other.1).then(one.2.total_cmp(&other.2));
        one.0.cmp(&other.0).then(measured).then(one.3.cmp(&other.3))
    });
    found.truncate(SHOWN);
    found
}

/// The candidates that two indistinguishable histories suggest.
fn candidates(query: &RepairQuery<'_>, witness: &Witness) -> Vec<Candidate> {
    match &query.sources[0].syntax {
        Syntax::Gdl(description) => gdl::candidates(query, witness, description),
        Syntax::Pddl(_) => pogddl::candidates(query, witness),
    }
}

/// The candidate as a repair, with the game that it makes, if it suffices.
fn tried(query: &RepairQuery<'_>, candidate: &Candidate, budget: &Budget) -> Tried {
    let Some(candidate) = accepted(query, candidate.clone(), budget) else { return Tried::Nothing };
    let Some(game) = changed(query, &candidate, budget) else { return Tried::Nothing };
    let Some(role) = game.role(names::role(query.game, query.role)) else { return Tried::Nothing };
    let finding = Prover::new(&game).prove(role, query.property, &Options::default(), &budget.most());
    match finding.verdict {
        Verdict::Proved { method, checked, .. } => {
            let checked = checked.is_ok();
            let bits = bits(query, &game, role, budget);
            let Candidate { says, edits, .. } = candidate;
            Tried::Repair(Box::new((game, role, Repair { says, edits, bits, worth: None, method, checked })))
        }
        _ => match refutation(&game, &finding).and_then(|witness| sets::named_as_in(query.game, &game, &witness)) {
            Some(witness) => Tried::Refuted(witness),
            None => Tried::Nothing,
        },
    }
}

/// The candidate, with the declarations that it needs, if `check` does not complain about it.
fn accepted(query: &RepairQuery<'_>, candidate: Candidate, budget: &Budget) -> Option<Candidate> {
    let new = complaints(query, &candidate);
    if new.is_empty() {
        return Some(candidate);
    }
    if !matches!(query.sources[0].syntax, Syntax::Gdl(_)) || new.iter().any(|rule| *rule != "outside-declaration") {
        return None;
    }
    // No declaration covers all of them, so each is declared.
    let game = changed(query, &candidate, budget)?;
    let name = &query.game.roles[query.role.0 as usize].name;
    let possible = |game: &Game, role: RoleId| -> Option<Vec<String>> {
        let ground = game.rules.ground(&Scope::default()).ok()?;
        Some(ground.sees[role.0 as usize].iter().map(|(percept, _)| game.rules.percept_name(role, *percept)).collect())
    };
    let before = possible(query.game, query.role)?;
    let mut percepts = possible(&game, game.role(name)?)?;
    percepts.retain(|percept| !before.contains(percept));
    if percepts.len() > DECLARED {
        return None;
    }
    percepts.sort();
    let candidate = gdl::with_declarations(candidate, name, &percepts, query.sources[0])?;
    complaints(query, &candidate).is_empty().then_some(candidate)
}

/// The rules of the findings that `check` has in the text with the candidate's lines, and not without them.
fn complaints(query: &RepairQuery<'_>, candidate: &Candidate) -> Vec<&'static str> {
    let found = |sources: &[&Source]| -> Vec<(&'static str, String)> {
        let settings = Settings::default();
        let found = match sources[0].domain() {
            Some(_) => percept_analysis::check_pddl(Some(sources[0]), sources.get(1).copied(), &settings),
            None => percept_analysis::check(sources[0], &settings),
        };
        let loud = found.into_iter().filter(|it| it.severity >= Severity::Warning);
        loud.map(|it| (it.rule.name, it.message)).collect()
    };
    let before = found(&query.sources);
    let changed = texts(query, candidate);
    let mut after = found(&changed.iter().map(|(_, source)| source).collect::<Vec<_>>());
    after.retain(|it| !before.contains(it));
    after.into_iter().map(|(rule, _)| rule).collect()
}

/// The texts with the candidate's lines.
fn texts(query: &RepairQuery<'_>, candidate: &Candidate) -> Vec<load::File> {
    let language = match &query.sources[0].syntax {
        Syntax::Gdl(_) => query.sources[0].language,
        Syntax::Pddl(_) => Language::Pogddl,
    };
    let mut files: Vec<load::File> = query.sources.iter().map(|&source| (PathBuf::new(), source.clone())).collect();
    // A domain and its problem may be one text.
    let is_twice = files.len() == 2 && files[0].1.text == files[1].1.text;
    for (at, (_, source)) in files.iter_mut().enumerate() {
        let mut text = source.text.to_string();
        // From the last place to the first, so that earlier places stay valid.
        for edit in candidate.edits.iter().filter(|it| it.file == at || is_twice).rev() {
            text.insert_str(edit.at as usize, &edit.text);
        }
        if text.len() > source.text.len() {
            *source = Source::parse(text, language);
        }
    }
    files
}

/// The game with the candidate's lines.
fn changed(query: &RepairQuery<'_>, candidate: &Candidate, budget: &Budget) -> Option<Game> {
    let grounding = Grounding { budget: budget.share(2), ..Grounding::default() };
    load::game(&texts(query, candidate), query.terminal, &grounding).ok()
}

/// The reduction of the role's information set in bits, on average over the ends of random matches.
fn bits(query: &RepairQuery<'_>, changed: &Game, role: RoleId, budget: &Budget) -> Option<f64> {
    let until = Instant::now().checked_add(MEASURING)?;
    let budget = budget.until(until);
    let (mut sum, mut count) = (0.0, 0);
    for number in 0..MATCHES {
        let (joints, same) = random_match(query.game, changed, number)?;
        let Some(before) = size(query.game, query.role, &joints, &budget) else { break };
        let Some(after) = size(changed, role, &same, &budget) else { break };
        sum += (before.to_f64()? / after.to_f64()?).log2();
        count += 1;
    }
    // A few matches give a poor estimate; no matches give none.
    (count >= 4).then(|| (sum / f64::from(count)).max(0.0))
}

/// A random match in both games: their moves have the same names.
fn random_match(game: &Game, changed: &Game, number: u64) -> Option<(Vec<JointMove>, Vec<JointMove>)> {
    let mut stream = Stream::new(0, number);
    let mut at = game.start();
    let (mut joints, mut same) = (Vec::new(), Vec::new());
    while joints.len() < ROUNDS && !at.is_terminal() {
        let mut joint = Vec::new();
        for role in game.role_ids() {
            let legal = at.legal(role);
            let at = stream.below(u32::try_from(legal.len()).ok().filter(|count| *count > 0)?);
            joint.push(legal[at as usize]);
        }
        let named = |(role, mv): (RoleId, &percept_game::MoveId)| {
            changed.rules.move_named(role, &game.rules.move_term(role, *mv))
        };
        same.push(game.role_ids().zip(&joint).map(named).collect::<Option<JointMove>>()?);
        at.step(&joint);
        joints.push(joint);
    }
    Some((joints, same))
}

/// The number of histories that look the same to the role.
fn size(game: &Game, role: RoleId, joints: &[JointMove], budget: &Budget) -> Option<BigUint> {
    let view = View::of_match(game, role, joints).ok()?;
    let filter = Filter::of_view(game, &view, MEMORY, budget, None).ok()?;
    Some(filter.histories()).filter(|it| *it != BigUint::ZERO)
}
