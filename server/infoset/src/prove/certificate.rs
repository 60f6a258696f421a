//! A proof that can be checked without believing the search.
//!
//! By induction: what agrees, which invariants hold, and for each question behind the proof the clauses that lead to its
//! contradiction. By bounded search: the same for every length of a match. By pairs: all pairs of states that can be
//! reached.
//!
//! The check builds the questions anew from the rules and the claimed sets and follows the clauses by unit propagation
//! ([`super::rup`]), or makes every round from every listed state ([`super::closure`]); no solver and no search takes
//! part, and nothing in the file is believed: names are looked up, numbers bounded, claims proved.
//!
//! What is trusted, beside this module, the compiler and the machine:
//!
//! | of a proof by | trusted |
//! | --- | --- |
//! | all three | the reader of the description and what the game's rules answer ([`percept_game::Rules`]) |
//! | pairs | nothing else: rounds are made by the rules that also play matches |
//! | induction, bounded | the ground circuit of a round; its copies ([`super::twin`], [`crate::unroll`]) and their clauses ([`crate::clauses`], the writing only); what makes the questions: [`Bounded`] unrolled without counts, [`agree::step_obligation`], [`agree::property_obligation`], [`invariant::step_obligation`], [`super::count`] |
//!
//! Not trusted: solvers (CaDiCaL, Varisat), the mining of candidates, the search for what agrees, the argument by
//! structure (its proofs are written as inductions), the tallies that help a bounded search, and bounds on the length of
//! matches. That the circuit says what the rules say is tested elsewhere: every method is held to an exhaustive search by
//! the rules alone (`tests/verdicts`).
//!
//! Why the questions suffice. *Induction*: matches of fewer than `from + back` rounds are looked at one length at a time;
//! after `from` rounds the invariants hold of each match and the agreement of each pair that looks alike; a round keeps
//! both; and two such states do not differ if those of the `back` rounds before did not. *Bounded*: no pair of up to
//! `rounds` rounds differs, and none goes on. *Pairs*: the first state is listed, a round leads from pairs to pairs, and
//! none differs.

use std::ops::Range;
use std::sync::Arc;

use percept_game::{FluentId, Game, Ground, MoveId, RoleId, Scope};
use serde::{Deserialize, Serialize};

use super::agree::{self, Agreement, Obligation};
use super::bounded::{Bounded, Halt};
use super::closure::{self, Closure};
use super::count::Count;
use super::invariant::{self, Atom, Claim, Invariants};
use super::twin::Setting;
use super::{Argument, Induction, MOST_NODES, Property, rup};
use crate::clauses::Clauses;
use crate::control::{Control, Stop};

/// Version of the format.
pub const VERSION: u32 = 3;

/// A proof, written down.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Certificate {
    /// Version of the format.
    pub format: u32,
    pub role: String,
    /// `legal`, `terminal` or `goal`.
    pub property: String,
    pub announce_end: bool,
    pub proof: Proof,
}

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    Induction(Box<Inductive>),
    /// No match is longer than `rounds`.
    Bounded {
        rounds: usize,
        refutations: Vec<Refutation>,
    },
    Pairs(Closure),
}

/// Why one question has the answer no: clauses, each written as its literals, that follow one after the other by unit
/// propagation and end in a contradiction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Refutation(pub Vec<Vec<i32>>);

impl TryFrom<String> for Refutation {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Refutation, Self::Error> {
        let clause = |line: &str| line.split_whitespace().map(str::parse).collect();
        text.lines().map(clause).collect::<Result<_, _>>().map(Refutation)
    }
}

impl From<Refutation> for String {
    fn from(refutation: Refutation) -> String {
        let clause = |clause: &Vec<i32>| clause.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
        refutation.0.iter().map(clause).collect::<Vec<_>>().join("\n")
    }
}

/// What agrees and what is invariant. Fluents are named, so that the file says something to a reader.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
pub struct Inductive {
    /// Fluents that always agree in two matches the role cannot tell apart.
    pub agree: Vec<String>,
    /// Gates of the round's circuit that always agree, by number.
    pub agree_gates: Vec<u32>,
    /// The invariants hold after so many rounds.
    pub from: usize,
    /// The induction on the property looks so many rounds back.
    pub back: usize,
    /// Moves, with their roles, of which is remembered whether they were made; the atoms behind the fluents.
    pub remembered: Vec<(String, String)>,
    /// Groups of atoms of which one is as it says.
    pub clauses: Vec<Vec<(String, bool)>>,
    /// Groups of atoms of which at most one holds.
    pub exclusive: Vec<Vec<String>>,
    pub counts: Vec<Counter>,
    /// In the order of the questions.
    pub refutations: Vec<Refutation>,
}

/// A number that is `sign` times the number of tokens plus `offset`; a token is a fluent and an atom that takes it away.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Counter {
    pub values: Vec<(i64, String)>,
    pub tokens: Vec<(String, String)>,
    pub sign: i64,
    pub offset: i64,
}

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    #[error("the certificate is of version {0}, this program reads version {VERSION}")]
    Version(u32),
    #[error("the game has no {kind} named `{name}`")]
    Unknown { kind: &'static str, name: String },
    #[error("the game is too large to ground")]
    TooLarge,
    #[error("the certificate claims more rounds than a proof can have")]
    TooLong,
    #[error("no counter counts to {0}")]
    Number(i64),
    #[error("{0}")]
    Stopped(#[from] Stop),
    #[error("the proof that {0} does not lead to a contradiction")]
    Gap(String),
    #[error("{0}")]
    Pairs(#[from] closure::Hole),
}

/// Rounds that a certificate may ask to be unrolled.
const MOST_ROUNDS: usize = 1_000;

/// Rounds that an induction may look back.
const MOST_BACK: usize = 32;

/// Counters count moves of a match: numbers beyond this are no counts, and must not overflow.
const MOST_COUNTED: u64 = 1 << 32;

/// What a proof is about.
struct Question<'a> {
    game: &'a Game,
    ground: Arc<Ground>,
    role: RoleId,
    property: Property,
    announce_end: bool,
}

/// A question, and what its answer no means.
type Step<'a> = (String, Box<dyn FnOnce() -> Result<Obligation, Invalid> + 'a>);

/// Proves again, keeping what a solver learns. `None` where the argument does not prove the property, or in no time.
pub fn write(
    game: &Game,
    role: RoleId,
    property: Property,
    announce_end: bool,
    argument: &Argument,
    control: &Control,
) -> Option<Certificate> {
    let prove = |ground, made: &dyn Fn(&Question<'_>) -> Option<Proof>| {
        made(&Question { game, ground, role, property, announce_end })
    };
    let ground = || game.rules.ground(&Scope::default()).ok();
    let clauses = || Clauses::recording(control);
    let refute = |steps: Vec<Step<'_>>| -> Option<Vec<Refutation>> {
        steps.into_iter().map(|(_, step)| refutation(step().ok()?, control)).collect()
    };
    let proof = match argument {
        Argument::Induction(induction) => prove(ground()?, &|question| {
            // The questions are made from what is written, so that a reader makes the very same ones.
            let named = named(question, induction);
            let refutations = refute(inductive_steps(question, &read(question, &named).ok()?, &clauses))?;
            Some(Proof::Induction(Box::new(Inductive { refutations, ..named })))
        })?,
        Argument::Bounded { rounds } => prove(ground()?, &|question| {
            let steps = bounded_steps(question, *rounds, &clauses);
            Some(Proof::Bounded { rounds: *rounds, refutations: refute(steps)? })
        })?,
        Argument::Pairs => Proof::Pairs(Closure::of(game, role, control)?),
    };
    let (role, property) = (game.roles[role.0 as usize].name.clone(), property.name().to_owned());
    Some(Certificate { format: VERSION, role, property, announce_end, proof })
}

fn refutation(mut query: Obligation, control: &Control) -> Option<Refutation> {
    let target = query.clauses.literal(&query.net, query.target);
    match query.clauses.solve(&query.net, &[query.target])? {
        true => None,
        false => rup::refutation(query.clauses.formula(), &[target], control).map(Refutation),
    }
}

/// Checks a certificate against a game.
///
/// # Errors
/// What is wrong with it, or with the match between it and the game.
pub fn check(game: &Game, certificate: &Certificate, control: &Control) -> Result<(RoleId, Property), Invalid> {
    if certificate.format != VERSION {
        return Err(Invalid::Version(certificate.format));
    }
    let unknown = |kind, name: &str| Invalid::Unknown { kind, name: name.to_owned() };
    let role = game.role(&certificate.role).ok_or_else(|| unknown("role", &certificate.role))?;
    let property = Property::ALL.into_iter().find(|property| property.name() == certificate.property);
    let property = property.ok_or_else(|| unknown("property", &certificate.property))?;
    let question = |ground| Question { game, ground, role, property, announce_end: certificate.announce_end };
    let ground = || game.rules.ground(&Scope::default()).map_err(|_| Invalid::TooLarge);
    let clauses = || Clauses::recording(control);
    match &certificate.proof {
        Proof::Induction(claimed) => {
            let question = question(ground()?);
            let induction = read(&question, claimed)?;
            follow(inductive_steps(&question, &induction, &clauses), &claimed.refutations, control)?;
        }
        Proof::Bounded { rounds, refutations } => {
            if *rounds > MOST_ROUNDS {
                return Err(Invalid::TooLong);
            }
            follow(bounded_steps(&question(ground()?), *rounds, &clauses), refutations, control)?;
        }
        Proof::Pairs(closure) => closure.check(game, role, property, control)?,
    }
    Ok((role, property))
}

fn follow(steps: Vec<Step<'_>>, refutations: &[Refutation], control: &Control) -> Result<(), Invalid> {
    if steps.len() != refutations.len() {
        return Err(Invalid::Gap("every question is answered".to_owned()));
    }
    for ((claim, step), proof) in steps.into_iter().zip(refutations) {
        let mut query = step()?;
        let target = query.clauses.literal(&query.net, query.target);
        if !rup::refutes(query.clauses.formula(), &proof.0, &[target], control)? {
            return Err(Invalid::Gap(claim));
        }
    }
    Ok(())
}

/// The unrolled matches of `rounds` rounds.
fn unrolled<'a>(
    question: &Question<'a>,
    rounds: usize,
    clauses: Clauses,
    single: bool,
) -> Result<Bounded<'a>, Invalid> {
    let whole = Some(question.ground.clone());
    let mut base =
        Bounded::with(question.game, question.role, whole, clauses, single).map_err(|_| Invalid::TooLarge)?;
    while base.depth() < rounds {
        base.deepen().map_err(|halt| match halt {
            Halt::TooLarge(_) => Invalid::TooLarge,
            Halt::OutOfTime => Stop::OutOfTime.into(),
        })?;
        if base.size() > MOST_NODES {
            return Err(Invalid::TooLarge);
        }
    }
    Ok(base)
}

/// The property does not differ in any pair of matches of fewer than `depth` rounds.
fn short_steps<'a>(question: &'a Question<'a>, depth: usize, clauses: &'a dyn Fn() -> Clauses) -> Vec<Step<'a>> {
    let step = |rounds: usize| -> Step<'a> {
        let ask = move || Ok(unrolled(question, rounds, clauses(), false)?.difference(question.property));
        (format!("the property is known after {rounds} rounds"), Box::new(ask))
    };
    (0..depth).map(step).collect()
}

fn bounded_steps<'a>(question: &'a Question<'a>, rounds: usize, clauses: &'a dyn Fn() -> Clauses) -> Vec<Step<'a>> {
    let mut steps = short_steps(question, rounds + 1, clauses);
    let ask = move || Ok(unrolled(question, rounds, clauses(), false)?.continuation());
    steps.push((format!("no match is longer than {rounds} rounds"), Box::new(ask)));
    steps
}

/// How many claims one question is about. A solver learns clauses that speak of all claims of its question: proofs of
/// questions about a thousand were thirty times longer.
const PORTION: usize = 16;

fn portions(count: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).step_by(PORTION).map(move |first| first..count.min(first + PORTION))
}

fn inductive_steps<'a>(
    question: &'a Question<'a>,
    induction: &'a Induction,
    clauses: &'a dyn Fn() -> Clauses,
) -> Vec<Step<'a>> {
    let Induction { invariants, agreement, back } = induction;
    let (from, made) = (invariants.from, &invariants.made);
    let &Question { game, role, property, announce_end, .. } = question;
    let setting = move || Setting { game, ground: &question.ground, role, made: &[] };
    let mut steps = short_steps(question, from + back, clauses);
    for some in portions(invariants.len()) {
        let part = some.clone();
        let begin = move || {
            let base = unrolled(question, from, clauses(), true)?;
            Ok(base.obligation(|net, state, _| invariants.violated(net, state)[part].to_vec(), made))
        };
        steps.push((format!("the invariants {some:?} hold after {from} rounds"), Box::new(begin)));
    }
    for some in portions(agreement.size()) {
        let part = some.clone();
        let begin = move || {
            let base = unrolled(question, from, clauses(), false)?;
            Ok(base.obligation(|net, a, b| agreement.differences(&setting(), net, a, b)[part].to_vec(), &[]))
        };
        steps.push((format!("the agreement {some:?} holds after {from} rounds"), Box::new(begin)));
    }
    for some in portions(invariants.len()) {
        let part = some.clone();
        let last = move || {
            let setting = Setting { made, ..setting() };
            Ok(invariant::step_obligation(&setting, invariants, part, clauses()))
        };
        steps.push((format!("the invariants {some:?} last"), Box::new(last)));
    }
    for some in portions(agreement.size()) {
        let part = some.clone();
        let last = move || Ok(agree::step_obligation(&setting(), invariants, announce_end, agreement, part, clauses()));
        steps.push((format!("the agreement {some:?} lasts"), Box::new(last)));
    }
    let follows = move || {
        Ok(agree::property_obligation(&setting(), invariants, announce_end, agreement, property, *back, clauses()))
    };
    steps.push(("the property follows".to_owned(), Box::new(follows)));
    steps
}

/// The name of an atom: a fluent's, or the move that is remembered.
fn name(question: &Question<'_>, made: &[(RoleId, MoveId)], atom: Atom) -> String {
    let (rules, fluents) = (&question.game.rules, question.game.rules.fluent_count());
    match (atom as usize).checked_sub(fluents) {
        None => rules.fluent_name(FluentId(atom)),
        Some(index) => {
            let (role, mv) = made[index];
            format!("(did {} {})", question.game.roles[role.0 as usize].name, rules.move_name(role, mv))
        }
    }
}

fn named(question: &Question<'_>, induction: &Induction) -> Inductive {
    let Induction { invariants, agreement, back } = induction;
    let Invariants { from, made, claims, counts } = invariants;
    let game = question.game;
    let name = |atom: Atom| name(question, made, atom);
    let mut out = Inductive { from: *from, back: *back, ..Inductive::default() };
    out.agree = agreement.fluents().map(|fluent| name(fluent.0)).collect();
    out.agree_gates = (0..).zip(&agreement.nodes).filter(|(_, kept)| **kept).map(|(index, _)| index).collect();
    let remembered =
        |&(role, mv): &(RoleId, MoveId)| (game.roles[role.0 as usize].name.clone(), game.rules.move_name(role, mv));
    out.remembered = made.iter().map(remembered).collect();
    for claim in claims {
        match claim {
            Claim::Clause(literals) => {
                out.clauses.push(literals.iter().map(|&(atom, holds)| (name(atom), holds)).collect());
            }
            Claim::AtMostOne(atoms) => out.exclusive.push(atoms.iter().map(|&atom| name(atom)).collect()),
        }
    }
    let counter = |count: &Count| Counter {
        values: count.values.iter().map(|&(value, atom)| (value, name(atom))).collect(),
        tokens: count.tokens.iter().map(|&(fluent, made)| (name(fluent), name(made))).collect(),
        sign: count.sign,
        offset: count.offset,
    };
    out.counts = counts.iter().map(counter).collect();
    out
}

/// The claimed sets, by number.
fn read(question: &Question<'_>, claimed: &Inductive) -> Result<Induction, Invalid> {
    let game = question.game;
    let unknown = |kind, name: &str| Invalid::Unknown { kind, name: name.to_owned() };
    if claimed.from > MOST_ROUNDS || claimed.back > MOST_BACK {
        return Err(Invalid::TooLong);
    }
    let remembered = claimed.remembered.iter().map(|(who, mv)| {
        let role = game.role(who).ok_or_else(|| unknown("role", who))?;
        Ok((role, game.rules.find_move(role, mv).ok_or_else(|| unknown("move", mv))?))
    });
    let made: Vec<(RoleId, MoveId)> = remembered.collect::<Result<_, Invalid>>()?;
    let fluents = game.rules.fluent_count() as Atom;
    let history: rustc_hash::FxHashMap<String, Atom> =
        (fluents..).take(made.len()).map(|atom| (name(question, &made, atom), atom)).collect();
    let fluent = |name: &String| game.rules.find_fluent(name).ok_or_else(|| unknown("fluent", name));
    let atom = |name: &String| history.get(name).copied().map_or_else(|| fluent(name).map(|it| it.0), Ok);
    let mut claims = Vec::new();
    for clause in &claimed.clauses {
        let literals = clause.iter().map(|(name, holds)| Ok((atom(name)?, *holds))).collect::<Result<_, Invalid>>()?;
        claims.push(Claim::Clause(literals));
    }
    for group in &claimed.exclusive {
        claims.push(Claim::AtMostOne(group.iter().map(atom).collect::<Result<_, Invalid>>()?));
    }
    let count = |counter: &Counter| {
        let numbers = counter.values.iter().map(|(value, _)| *value).chain([counter.offset]);
        if let Some(beyond) = numbers.into_iter().find(|number| number.unsigned_abs() > MOST_COUNTED) {
            return Err(Invalid::Number(beyond));
        }
        let values = counter.values.iter().map(|(value, name)| Ok((*value, atom(name)?)));
        let tokens = counter.tokens.iter().map(|(fluent, made)| Ok((atom(fluent)?, atom(made)?)));
        Ok(Count {
            values: values.collect::<Result<_, Invalid>>()?,
            tokens: tokens.collect::<Result<_, Invalid>>()?,
            sign: counter.sign.signum(),
            offset: counter.offset,
        })
    };
    let counts = claimed.counts.iter().map(count).collect::<Result<_, Invalid>>()?;
    let all = Agreement::all(&Setting { game, ground: &question.ground, role: question.role, made: &[] }, true);
    let mut agreement = Agreement { fluents: vec![false; all.fluents.len()], nodes: vec![false; all.nodes.len()] };
    for name in &claimed.agree {
        agreement.fluents[fluent(name)?.0 as usize] = true;
    }
    for &gate in &claimed.agree_gates {
        // Only gates that read the state alone can be spoken of before a move.
        if !all.nodes.get(gate as usize).copied().unwrap_or(false) {
            return Err(unknown("gate", &gate.to_string()));
        }
        agreement.nodes[gate as usize] = true;
    }
    let invariants = Invariants { from: claimed.from, made, claims, counts };
    Ok(Induction { invariants, agreement, back: claimed.back })
}
