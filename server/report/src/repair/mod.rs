//! Repairs: percepts that give roles the knowledge they lack.
//!
//! In: a game with its texts, a property, and for each role that lacks it two histories that the role cannot tell
//! apart. Out: [`Repair`]s, each a few lines to insert, *proved* to suffice for all of these roles in every match before
//! it is shown; the one that reveals least comes first. Candidates come from the differences between the histories: the
//! end itself, its support, the facts that differ, the moves. A candidate with a finding of `check` is dropped. If no
//! candidate suffices alone, [`sets`] of them are tried.
//!
//! Roles that lack the same are repaired together ([`together`]), by one rule for all where they are all players.

mod declare;
mod gdl;
mod lacking;
mod naming;
mod noise;
mod pogddl;
mod receivers;
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
use schemars::JsonSchema;
use serde::Serialize;

use receivers::Receivers;

use self::noise::Noise;
use crate::verdict::refutation;
use crate::{load, names, words};

pub use lacking::{Lacking, Proposals, for_first, lacking, together};

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

/// A role that lacks knowledge, and two histories that it cannot tell apart.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The role.
    pub role: RoleId,
    /// The histories.
    pub witness: Witness,
}

/// The knowledge to repair.
#[derive(Clone)]
pub struct RepairQuery<'a> {
    /// The unchanged game.
    pub game: &'a Game,
    /// The description; or the domain and the problem.
    pub sources: Vec<&'a Source>,
    /// The end of a POGDDL match, if the domain does not define it.
    pub terminal: Option<PogddlTerminal>,
    /// The property that roles do not know.
    pub property: Property,
    /// The roles that lack the knowledge; at least one.
    pub needs: Vec<Pair>,
    /// The solver of games; without it repairs have no worth.
    pub value: Option<Value<'a>>,
}

impl RepairQuery<'_> {
    fn receivers(&self) -> Receivers {
        Receivers::new(self.game, &self.needs.iter().map(|it| it.role).collect::<Vec<_>>())
    }
}

/// Percepts for one or more roles, proved to suffice for each of them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Proposal")]
pub struct Repair {
    /// The information that the roles receive, in words, without a full stop.
    pub says: String,
    /// The lines to insert, by their place in the unchanged texts.
    pub edits: Vec<Insertion>,
    /// The most that the repair reveals to one of the roles, in bits. `None` if that was not counted.
    pub bits: Option<f64>,
    /// The worth of the repair if it is for one role; as in `gives`.
    pub worth: Option<f64>,
    /// The measures for each role.
    pub gives: Vec<Given>,
    /// The method of the proof.
    pub method: &'static str,
    /// True if the independent checker followed the proof on the changed rules.
    pub checked: bool,
}

/// The measures of a repair for one role.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Given {
    /// The role.
    pub role: String,
    /// The reduction of the role's information set in bits, on average over the ends of random matches. `null` if the
    /// sets are too large to count.
    pub bits: Option<f64>,
    /// The increase in the role's value of the game, in points of its goal. `null` if the game has no value, or was not
    /// solved.
    pub worth: Option<f64>,
}

impl Repair {
    /// The measures in words: `0.68 bits, worth 2 to white`.
    pub fn measures(&self) -> String {
        let counted = |bits: Option<f64>| match bits {
            Some(bits) => format!("{bits:.2} bits"),
            None => "the amount it reveals was not computed".to_string(),
        };
        let mut parts: Vec<(String, Vec<&str>)> = Vec::new();
        for it in &self.gives {
            let count = counted(it.bits);
            match parts.iter_mut().find(|(words, _)| *words == count) {
                Some((_, roles)) => roles.push(&it.role),
                None => parts.push((count, vec![&it.role])),
            }
        }
        let worth = self.gives.iter().filter_map(|it| Some(words::worth(it.worth?, &it.role)));
        let bits = match &parts[..] {
            [(count, roles)] if roles.len() > 1 && self.bits.is_some() => vec![format!("{count} to each")],
            [(count, _)] => vec![count.clone()],
            _ => parts.iter().map(|(count, roles)| format!("{count} to {}", words::list(roles))).collect(),
        };
        bits.into_iter().chain(worth).collect::<Vec<_>>().join(", ")
    }

    /// The information that the roles receive, with a remark if the proof is unchecked.
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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
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
    /// The receivers and the content of their percepts, in words.
    who: String,
    what: Vec<String>,
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

/// A repair with the game that it makes, and the roles there.
struct Repaired {
    game: Game,
    roles: Vec<RoleId>,
    repair: Repair,
}

/// The outcome of a candidate.
enum Tried {
    Repair(Box<Repaired>),
    /// The candidate does not suffice; with a pair that a role still cannot tell apart.
    Refuted(Pair),
    /// The candidate is not valid, or was not decided in time.
    Nothing,
}

/// The repairs that suffice for all of the roles, the one that reveals least first; at most six. Several rules are
/// combined only if none suffices alone.
///
/// Each candidate gets its share of the budget's time; candidates without a proof by then are not shown.
pub fn repairs(query: &RepairQuery<'_>, budget: &Budget) -> Vec<Repair> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for pair in &query.needs {
        for it in self::candidates(query, pair) {
            if candidates.iter().all(|other| other.edits != it.edits) {
                candidates.push(it);
            }
        }
    }
    if candidates.is_empty() {
        return Vec::new();
    }
    let (prices, noise) = (Prices::new(query, budget), Noise::new(query, budget));
    let mut found = Vec::new();
    let mut keep = |it: Box<Repaired>| found.push((noise.is_in(&it), prices.priced(*it)));
    let total = candidates.len().min(TRIED);
    let mut failed = sets::Failed::new(query);
    let mut count = 0;
    for (number, candidate) in candidates.into_iter().take(TRIED).enumerate() {
        if budget.stop().is_some() {
            break;
        }
        budget.report("repairs tried", number, Some(total));
        match tried(query, &candidate, &budget.share(total - number + sets::SHARES)) {
            Tried::Repair(it) => {
                count += 1;
                keep(it);
            }
            Tried::Refuted(pair) => failed.refuted(candidate, Some(&pair)),
            Tried::Nothing => failed.refuted(candidate, None),
        }
    }
    if count == 0 {
        failed.together(query, budget, &mut keep);
    }
    sort(&mut found);
    found.truncate(SHOWN);
    found.into_iter().map(|(_, repair)| repair).collect()
}

/// The least revealing first, and repairs with findings of their own last. An unknown amount may be large.
fn sort(found: &mut [(bool, Repair)]) {
    let order = |(is_noisy, it): &(bool, Repair)| {
        let worth = it.gives.iter().filter_map(|given| given.worth).fold(0.0, |most: f64, worth| most.max(worth.abs()));
        ((*is_noisy, it.bits.is_none()), it.bits.unwrap_or(0.0), worth, it.text().len())
    };
    found.sort_by(|one, other| {
        let (one, other) = (order(one), order(other));
        let measured = one.1.total_cmp(&other.1).then(one.2.total_cmp(&other.2));
        one.0.cmp(&other.0).then(measured).then(one.3.cmp(&other.3))
    });
}

/// The values of the unchanged game, to compare with.
struct Prices<'q> {
    query: &'q RepairQuery<'q>,
    budget: &'q Budget,
    now: Vec<Option<(f64, f64)>>,
}

impl<'q> Prices<'q> {
    fn new(query: &'q RepairQuery<'q>, budget: &'q Budget) -> Prices<'q> {
        let mut prices = Prices { query, budget, now: Vec::new() };
        prices.now = query.needs.iter().map(|it| prices.value(query.game, it.role)).collect();
        prices
    }

    fn value(&self, game: &Game, role: RoleId) -> Option<(f64, f64)> {
        let budget = self.budget.share(4).until(Instant::now().checked_add(PRICING)?);
        self.query.value?(game, role, &budget).filter(|(low, high)| high - low <= CLOSE)
    }

    /// The repair with its worth to each role.
    fn priced(&self, it: Repaired) -> Repair {
        let Repaired { game, roles, mut repair } = it;
        // A difference within the errors of both values counts as zero.
        let gain = |((low, high), (lower, higher)): ((f64, f64), (f64, f64))| {
            let (gain, error) = ((lower + higher - low - high) / 2.0, (high - low + higher - lower) / 2.0);
            if gain.abs() <= error + 1e-6 { 0.0 } else { gain }
        };
        for ((given, now), role) in repair.gives.iter_mut().zip(&self.now).zip(roles) {
            given.worth = now.and_then(|now| Some(gain((now, self.value(&game, role)?))));
        }
        if let [only] = &repair.gives[..] {
            repair.worth = only.worth;
        }
        repair
    }
}

/// The candidates that two indistinguishable histories suggest.
fn candidates(query: &RepairQuery<'_>, pair: &Pair) -> Vec<Candidate> {
    match &query.sources[0].syntax {
        Syntax::Gdl(description) => gdl::candidates(query, pair, description),
        Syntax::Pddl(_) => pogddl::candidates(query, pair),
    }
}

/// The candidate as a repair, with the game that it makes, if it suffices for every role.
fn tried(query: &RepairQuery<'_>, candidate: &Candidate, budget: &Budget) -> Tried {
    let Some(candidate) = accepted(query, candidate.clone(), budget) else { return Tried::Nothing };
    let Some(game) = changed(query, &candidate, budget) else { return Tried::Nothing };
    let roles = query.needs.iter().map(|it| game.role(names::role(query.game, it.role)));
    let Some(roles) = roles.collect::<Option<Vec<RoleId>>>() else { return Tried::Nothing };
    let mut prover = Prover::new(&game);
    let (mut methods, mut is_checked): (Vec<&'static str>, bool) = (Vec::new(), true);
    for (left, (need, &role)) in (1..=roles.len()).rev().zip(query.needs.iter().zip(&roles)) {
        let finding = prover.prove(role, query.property, &Options::default(), &budget.share(left).most());
        match finding.verdict {
            Verdict::Proved { method, checked, .. } => {
                methods.push(method);
                is_checked &= checked.is_ok();
            }
            _ => {
                let witness = refutation(&game, &finding);
                let witness = witness.and_then(|it| sets::named_as_in(query.game, &game, &it));
                return witness.map_or(Tried::Nothing, |witness| Tried::Refuted(Pair { role: need.role, witness }));
            }
        }
    }
    drop(prover);
    let given = |(need, &role): (&Pair, &RoleId)| Given {
        role: names::role(query.game, need.role).to_string(),
        bits: bits(query.game, need.role, &game, role, budget),
        worth: None,
    };
    let gives: Vec<Given> = query.needs.iter().zip(&roles).map(given).collect();
    let all: Option<Vec<f64>> = gives.iter().map(|it| it.bits).collect();
    let repair = Repair {
        says: receivers::title(&candidate.who, &candidate.what),
        edits: candidate.edits,
        bits: all.map(|all| all.into_iter().fold(0.0, f64::max)),
        worth: None,
        gives,
        method: methods[0],
        checked: is_checked,
    };
    Tried::Repair(Box::new(Repaired { game, roles, repair }))
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
    let possible = |game: &Game, role: RoleId| -> Option<Vec<String>> {
        let ground = game.rules.ground(&Scope::default()).ok()?;
        Some(ground.sees[role.0 as usize].iter().map(|(percept, _)| game.rules.percept_name(role, *percept)).collect())
    };
    let mut declared = Vec::new();
    for need in &query.needs {
        let name = names::role(query.game, need.role);
        let before = possible(query.game, need.role)?;
        let mut percepts = possible(&game, game.role(name)?)?;
        percepts.retain(|percept| !before.contains(percept));
        percepts.sort();
        declared.push((name, percepts));
    }
    if declared.iter().map(|(_, percepts)| percepts.len()).sum::<usize>() > DECLARED {
        return None;
    }
    let candidate = gdl::with_declarations(candidate, &declared, query)?;
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
    let changed = texts(query, &candidate.edits);
    let mut after = found(&changed.iter().map(|(_, source)| source).collect::<Vec<_>>());
    after.retain(|it| !before.contains(it));
    after.into_iter().map(|(rule, _)| rule).collect()
}

/// The texts with the candidate's lines.
fn texts(query: &RepairQuery<'_>, edits: &[Insertion]) -> Vec<load::File> {
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
        for edit in edits.iter().filter(|it| it.file == at || is_twice).rev() {
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
    load::game(&texts(query, &candidate.edits), query.terminal, &grounding).ok()
}

/// The reduction of the role's information set in bits, on average over the ends of random matches.
fn bits(game: &Game, before: RoleId, changed: &Game, after: RoleId, budget: &Budget) -> Option<f64> {
    let until = Instant::now().checked_add(MEASURING)?;
    let budget = budget.until(until);
    let (mut sum, mut count) = (0.0, 0);
    for number in 0..MATCHES {
        let (joints, same) = random_match(game, changed, number)?;
        let Some(before) = size(game, before, &joints, &budget) else { break };
        let Some(after) = size(changed, after, &same, &budget) else { break };
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
