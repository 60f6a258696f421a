//! A proof that can be checked without believing the search.
//!
//! By induction: what agrees, which invariants hold, and for each question behind the proof the clauses that lead to its
//! contradiction. By bounded search: the same for every length of a match. By pairs: all pairs of states that can be
//! reached.
//!
//! The check builds the questions anew, from the rules and the claimed sets, and follows hints ([`crate::solver`]), or makes
//! every round from every listed state ([`super::closure`]); no solver and no search takes part, and nothing in the file
//! is believed: names are looked up, numbers bounded, claims proved.
//!
//! It rests on the rules as they were written: on [`percept_game::plain`], which grounds every rule instance by instance
//! and shares nothing with how games are ground for play and for proving, where a fault would let prover and checker
//! believe the same wrong thing. What the prover found folded or out of reach there is therefore claimed and proved here,
//! like any other invariant. The writer asks the very same questions, so that a proof that cannot be repeated on the plain
//! rules is not written at all.
//!
//! What is trusted, beside this module, the compiler and the machine:
//!
//! | of a proof by | trusted |
//! | --- | --- |
//! | all three | the reader of the description; for GDL what takes a statement apart into its cases (`percept-game`, `gdl/lower.rs`); the plain rules ([`percept_game::plain`]) and the constants that gates fold ([`percept_game::circuit`]) |
//! | pairs | nothing else: rounds are made by evaluating the plain rules |
//! | induction, bounded | the copies of a round ([`super::twin`], [`crate::unroll`]) and their clauses ([`crate::clauses`]); what makes the questions: [`Bounded`] without counts, [`agree::step_obligation`], [`agree::property_obligation`], [`invariant::step_obligation`], [`super::count`]; who follows the hints (`Follower` in [`crate::solver`]) |
//!
//! Not trusted: how games are ground, folded and compiled for everything else; CaDiCaL, of which only the log is used;
//! the mining of candidates, the search for what agrees, the argument by structure (its proofs are written as inductions),
//! the tallies that help a bounded search, bounds on the length of matches, and the ranges of numbers. That the plain
//! rules mean what they should is tested against interpreters that share nothing with them.
//!
//! Why the questions suffice. *Induction*: matches of fewer than `from + back` rounds are looked at one length at a time;
//! after `from` rounds the invariants hold of each match and the agreement of each pair that looks alike; a round keeps
//! both; and two such states do not differ if those of the `back` rounds before did not. *Bounded*: no pair of up to
//! `rounds` rounds differs, and none goes on. *Pairs*: the first state is listed, a round leads from pairs to pairs, and
//! none differs.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use percept_game::circuit::{Lit, Node};
use percept_game::plain::pogddl::Range;
use percept_game::{FluentId, Game, Ground, MoveId, RoleId, Scope};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::agree::{self, Agreement, Obligation, Operand};
use super::bounded::{Bounded, Halt};
use super::closure::{self, Closure};
use super::count::Count;
use super::invariant::{self, Atom, Claim, Invariants};
use super::twin::{Setting, Symbolic};
use super::{Argument, Induction, MOST_NODES, Property};
use crate::clauses::Clauses;
use crate::control::{Control, Stop};
use crate::net::Net;
pub use crate::solver::Fault;
use crate::solver::Log;

/// Version of the format.
pub const VERSION: u32 = 4;

/// A proof, written down.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Certificate {
    /// Version of the format.
    pub format: u32,
    pub role: String,
    /// `legal`, `terminal` or `goal`.
    pub property: String,
    pub announce_end: bool,
    /// The ranges in which numbers are claimed to stay (POGDDL), by which the plain game is made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<Range>,
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

/// Why some questions, one after the other, have the answer no: a proof with hints ([`crate::solver`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Refutation(pub Arc<str>);

impl Default for Refutation {
    fn default() -> Refutation {
        Refutation("".into())
    }
}

impl From<String> for Refutation {
    fn from(text: String) -> Refutation {
        Refutation(text.into())
    }
}

impl From<Refutation> for String {
    fn from(refutation: Refutation) -> String {
        refutation.0.as_ref().to_owned()
    }
}

/// A part of a formula: a fluent by its name, or an earlier formula by its number.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(untagged)]
pub enum Part {
    Formula(usize),
    Fluent(String),
}

/// What agrees and what is invariant. Fluents are named, so that the file says something to a reader.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
pub struct Inductive {
    /// Fluents that always agree in two matches the role cannot tell apart.
    pub agree: Vec<String>,
    /// Formulas over fluents, each a conjunction of parts, which are negated where `false` stands beside them.
    pub formulas: Vec<Vec<(Part, bool)>>,
    /// The formulas that always agree, by number.
    pub agree_formulas: Vec<usize>,
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
    /// In the order of the conversations.
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
    #[error("it is not so that {0}")]
    Wrong(String),
    #[error("that {claim} is not proved: {fault}")]
    Gap { claim: String, fault: Fault },
    #[error("the certificate has proofs of {found} parts, not of {needed}")]
    Parts { found: usize, needed: usize },
    #[error("the proof cannot be told")]
    Untold,
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

/// Who answers: a solver, and why is written down; or nobody, and what is written is followed.
enum Answers<'a> {
    Written { control: &'a Control, proofs: Vec<Refutation> },
    Followed { control: &'a Control, proofs: &'a [Refutation], next: usize },
}

impl Answers<'_> {
    /// A number of questions to one solver, which `talk` gives back.
    fn conversation(&mut self, talk: impl FnOnce(Clauses) -> Result<Clauses, Invalid>) -> Result<(), Invalid> {
        match self {
            Answers::Written { control, proofs } => {
                let log = Rc::new(RefCell::new(Log::default()));
                talk(Clauses::logging(&log, control))?;
                let text = log.borrow().text().ok_or(Invalid::Untold)?;
                proofs.push(Refutation(text.into()));
            }
            Answers::Followed { control, proofs, next } => {
                let Some(proof) = proofs.get(*next) else {
                    return Err(Invalid::Parts { found: proofs.len(), needed: *next + 1 });
                };
                *next += 1;
                let clauses = talk(Clauses::following(proof.0.clone(), control))?;
                if let Some(fault) = clauses.fault() {
                    return Err(Invalid::Gap { claim: format!("part {next} of the proof is whole"), fault });
                }
            }
        }
        Ok(())
    }

    /// What was written; where it was followed, whether all of it was.
    fn end(self) -> Result<Vec<Refutation>, Invalid> {
        match self {
            Answers::Written { proofs, .. } => Ok(proofs),
            Answers::Followed { proofs, next, .. } if proofs.len() != next => {
                Err(Invalid::Parts { found: proofs.len(), needed: next })
            }
            Answers::Followed { .. } => Ok(Vec::new()),
        }
    }
}

/// None of the targets can be true: what they say is that the claim is wrong.
fn refute(net: &mut Net, clauses: &mut Clauses, targets: &[Lit], claim: impl Fn() -> String) -> Result<(), Invalid> {
    for portion in targets.chunks(PORTION) {
        let any = net.or(portion.iter().copied());
        if any == Lit::FALSE {
            continue;
        }
        match clauses.solve(net, &[any]) {
            // From here on it may be used.
            Some(false) => clauses.add(net, [!any]),
            Some(true) => return Err(Invalid::Wrong(claim())),
            None => {
                return Err(match clauses.fault().unwrap_or(Fault::Stopped(clauses.stopped())) {
                    Fault::Stopped(stop) => Invalid::Stopped(stop),
                    fault => Invalid::Gap { claim: claim(), fault },
                });
            }
        }
    }
    Ok(())
}

/// Proves again, keeping why. The questions are about `plain`, where nothing that the prover relies on is at work; by its
/// own circuit `game` only says what to claim. `numbers`: the ranges by which `plain` was made.
///
/// # Errors
/// Where the argument does not prove the property of `plain`, which says what is not so there, or in no time.
pub fn write(
    game: &Game,
    (plain, numbers): (&Game, &[Range]),
    role: RoleId,
    property: Property,
    announce_end: bool,
    argument: &Argument,
    control: &Control,
) -> Result<Certificate, Invalid> {
    let role_name = game.roles[role.0 as usize].name.clone();
    let unknown = || Invalid::Unknown { kind: "role", name: role_name.clone() };
    let plain_role = plain.role(&role_name).ok_or_else(unknown)?;
    let question = || {
        let ground = plain.rules.ground(&Scope::default()).map_err(|_| Invalid::TooLarge)?;
        Ok::<_, Invalid>(Question { game: plain, ground, role: plain_role, property, announce_end })
    };
    let mut answers = Answers::Written { control, proofs: Vec::new() };
    let proof = match argument {
        Argument::Induction(induction) => {
            let question = question()?;
            // The questions are made from what is written, so that a reader makes the very same ones.
            let named = Naming { game, plain, numbers }.inductive(induction)?;
            inductive(&question, &read(&question, &named)?, &mut answers)?;
            Proof::Induction(Box::new(Inductive { refutations: answers.end()?, ..named }))
        }
        Argument::Bounded { rounds } => {
            bounded(&question()?, *rounds, &mut answers)?;
            Proof::Bounded { rounds: *rounds, refutations: answers.end()? }
        }
        Argument::Pairs => {
            let stopped = || control.stop().map_or(Invalid::TooLarge, Invalid::Stopped);
            Proof::Pairs(Closure::of(plain, plain_role, control).ok_or_else(stopped)?)
        }
    };
    let (property, numbers) = (property.name().to_owned(), numbers.to_vec());
    Ok(Certificate { format: VERSION, role: role_name, property, announce_end, numbers, proof })
}

/// Checks a certificate against a game, which should be the plain one of the rules ([`percept_game::plain`]).
///
/// # Errors
/// What is wrong with it, or with the match between it and the game.
pub fn check(plain: &Game, certificate: &Certificate, control: &Control) -> Result<(RoleId, Property), Invalid> {
    if certificate.format != VERSION {
        return Err(Invalid::Version(certificate.format));
    }
    let unknown = |kind, name: &str| Invalid::Unknown { kind, name: name.to_owned() };
    let role = plain.role(&certificate.role).ok_or_else(|| unknown("role", &certificate.role))?;
    let property = Property::ALL.into_iter().find(|property| property.name() == certificate.property);
    let property = property.ok_or_else(|| unknown("property", &certificate.property))?;
    let question = || {
        let ground = plain.rules.ground(&Scope::default()).map_err(|_| Invalid::TooLarge)?;
        Ok::<_, Invalid>(Question { game: plain, ground, role, property, announce_end: certificate.announce_end })
    };
    let followed = |proofs| Answers::Followed { control, proofs, next: 0 };
    match &certificate.proof {
        Proof::Induction(claimed) => {
            let question = question()?;
            let induction = read(&question, claimed)?;
            let mut answers = followed(&claimed.refutations);
            inductive(&question, &induction, &mut answers)?;
            answers.end()?;
        }
        Proof::Bounded { rounds, refutations } => {
            if *rounds > MOST_ROUNDS {
                return Err(Invalid::TooLong);
            }
            let mut answers = followed(refutations);
            bounded(&question()?, *rounds, &mut answers)?;
            answers.end()?;
        }
        Proof::Pairs(closure) => closure.check(plain, role, property, control)?,
    }
    Ok((role, property))
}

/// Matches of no rounds yet. `single`: one match, else two that look alike.
fn start<'a>(question: &Question<'a>, clauses: Clauses, single: bool) -> Result<Bounded<'a>, Invalid> {
    let whole = Some(question.ground.clone());
    Bounded::with(question.game, question.role, whole, clauses, single).map_err(|_| Invalid::TooLarge)
}

/// Makes the matches a round longer.
fn deepen(matches: &mut Bounded<'_>) -> Result<(), Invalid> {
    matches.deepen().map_err(|halt| match halt {
        Halt::TooLarge(_) => Invalid::TooLarge,
        Halt::OutOfTime => Stop::OutOfTime.into(),
    })?;
    if matches.size() > MOST_NODES { Err(Invalid::TooLarge) } else { Ok(()) }
}

/// The property does not differ in any pair of matches of so many rounds.
fn is_known(question: &Question<'_>, matches: &mut Bounded<'_>) -> Result<(), Invalid> {
    let rounds = matches.depth();
    let (target, net, clauses) = matches.difference(question.property);
    refute(net, clauses, &[target], || format!("the property is known after {rounds} rounds"))
}

fn bounded(question: &Question<'_>, rounds: usize, answers: &mut Answers<'_>) -> Result<(), Invalid> {
    answers.conversation(|clauses| {
        let mut matches = start(question, clauses, false)?;
        let outside = question.game.rules.outside();
        loop {
            if let Some(outside) = outside {
                let of = |_: &mut Net, a: &Symbolic, b: &Symbolic| vec![a.atom(outside.0), b.atom(outside.0)];
                let (targets, net, clauses) = matches.targets(of, &[]);
                refute(net, clauses, &targets, || "every number stays within its range".to_owned())?;
            }
            is_known(question, &mut matches)?;
            if matches.depth() == rounds {
                break;
            }
            deepen(&mut matches)?;
        }
        let (target, net, clauses) = matches.continuation();
        refute(net, clauses, &[target], || format!("no match is longer than {rounds} rounds"))?;
        Ok(matches.into_clauses())
    })
}

/// How many claims one question is about: each alone takes too many questions, and a solver that is asked about a
/// thousand at once learns clauses that speak of all of them.
const PORTION: usize = 16;

fn inductive(question: &Question<'_>, induction: &Induction, answers: &mut Answers<'_>) -> Result<(), Invalid> {
    let Induction { invariants, agreement, back } = induction;
    let (from, made) = (invariants.from, &invariants.made);
    let &Question { game, role, property, announce_end, .. } = question;
    let setting = &Setting { game, ground: &question.ground, role, made: &[] };
    answers.conversation(|clauses| {
        let mut matches = start(question, clauses, false)?;
        let last = from.max((from + back).saturating_sub(1));
        loop {
            if matches.depth() == from {
                let (targets, net, clauses) =
                    matches.targets(|net, a, b| agreement.differences(setting, net, a, b), &[]);
                refute(net, clauses, &targets, || format!("the agreement holds after {from} rounds"))?;
            }
            if matches.depth() < from + back {
                is_known(question, &mut matches)?;
            }
            if matches.depth() == last {
                return Ok(matches.into_clauses());
            }
            deepen(&mut matches)?;
        }
    })?;
    answers.conversation(|clauses| {
        let mut matches = start(question, clauses, true)?;
        while matches.depth() < from {
            deepen(&mut matches)?;
        }
        let (targets, net, clauses) = matches.targets(|net, state, _| invariants.violated(net, state), made);
        refute(net, clauses, &targets, || format!("the invariants hold after {from} rounds"))?;
        Ok(matches.into_clauses())
    })?;
    let mut all = |obligation: &dyn Fn(Clauses) -> Obligation, claim: &str| {
        answers.conversation(|clauses| {
            let Obligation { mut net, mut clauses, targets } = obligation(clauses);
            refute(&mut net, &mut clauses, &targets, || claim.to_owned())?;
            Ok(clauses)
        })
    };
    let remembering = Setting { made, ..*setting };
    all(&|clauses| invariant::step_obligation(&remembering, invariants, clauses), "the invariants last")?;
    all(
        &|clauses| agree::step_obligation(setting, invariants, announce_end, agreement, clauses),
        "the agreement lasts",
    )?;
    all(
        &|clauses| agree::property_obligation(setting, invariants, announce_end, agreement, property, *back, clauses),
        "the property follows",
    )
}

/// The name of an atom: a fluent's, or the move that is remembered.
fn name(game: &Game, made: &[(RoleId, MoveId)], atom: Atom) -> String {
    match (atom as usize).checked_sub(game.rules.fluent_count()) {
        None => game.rules.fluent_name(FluentId(atom)),
        Some(index) => {
            let (role, mv) = made[index];
            format!("(did {} {})", game.roles[role.0 as usize].name, game.rules.move_name(role, mv))
        }
    }
}

/// Names what was found out on the prover's circuit, for a reader of the plain one.
struct Naming<'a> {
    game: &'a Game,
    plain: &'a Game,
    numbers: &'a [Range],
}

impl Naming<'_> {
    fn inductive(&self, induction: &Induction) -> Result<Inductive, Invalid> {
        let Induction { invariants, agreement, back } = induction;
        let Invariants { from, made, claims, counts } = invariants;
        let game = self.game;
        let ground = game.rules.ground(&Scope::default()).map_err(|_| Invalid::TooLarge)?;
        let name = |atom: Atom| name(game, made, atom);
        let mut out = Inductive { from: *from, back: *back, ..Inductive::default() };
        let known = |name: &String| self.plain.rules.find_fluent(name).is_some();
        out.agree = agreement.fluents().map(|fluent| name(fluent.0)).filter(known).collect();
        self.formulas(&ground, agreement, &mut out);
        let remembered =
            |&(role, mv): &(RoleId, MoveId)| (game.roles[role.0 as usize].name.clone(), game.rules.move_name(role, mv));
        out.remembered = made.iter().map(remembered).collect();
        out.clauses = self.constant(&ground);
        for claim in claims {
            match claim {
                Claim::Clause(literals) => {
                    let clause: Vec<_> = literals.iter().map(|&(atom, holds)| (name(atom), holds)).collect();
                    if !out.clauses.contains(&clause) || clause.len() > 1 {
                        out.clauses.push(clause);
                    }
                }
                Claim::AtMostOne(atoms) => out.exclusive.push(atoms.iter().map(|&atom| name(atom)).collect()),
            }
        }
        // The prover knows without being told that a number has one value, and that it is one role's turn.
        for (number, low, high) in self.numbers {
            let values: Vec<String> =
                (*low..=*high).map(|value| format!("(= {number} {value})")).filter(known).collect();
            out.clauses.push(values.iter().map(|value| (value.clone(), true)).collect());
            out.exclusive.push(values);
        }
        if game.rules.is_turn_exclusive() {
            let turns = game.roles.iter().map(|role| format!("(whoseturn {})", role.name));
            out.exclusive.push(turns.filter(known).collect());
        }
        let counter = |count: &Count| Counter {
            values: count.values.iter().map(|&(value, atom)| (value, name(atom))).collect(),
            tokens: count.tokens.iter().map(|&(fluent, made)| (name(fluent), name(made))).collect(),
            sign: count.sign,
            offset: count.offset,
        };
        out.counts = counts.iter().map(counter).collect();
        Ok(out)
    }

    /// What never changes, as claims: the prover has folded it away, the reader must see it proved.
    fn constant(&self, ground: &Ground) -> Vec<Vec<(String, bool)>> {
        let (rules, plain) = (&self.game.rules, &self.plain.rules);
        let gates: FxHashMap<FluentId, Lit> = ground.next.iter().copied().collect();
        let (first, begin) = (rules.initial(), plain.initial());
        let mut claims = Vec::new();
        for index in 0..plain.fluent_count() as u32 {
            let name = plain.fluent_name(FluentId(index));
            let holds = begin.has(FluentId(index));
            let is_constant = match rules.find_fluent(&name) {
                Some(fluent) => {
                    let gate = gates.get(&fluent).copied().unwrap_or(Lit::FALSE);
                    first.has(fluent) == holds && gate == if holds { Lit::TRUE } else { Lit::FALSE }
                }
                None => !holds,
            };
            if is_constant {
                claims.push(vec![(name, holds)]);
            }
        }
        claims
    }

    /// The gates that agree, written out.
    fn formulas(&self, ground: &Ground, agreement: &Agreement, out: &mut Inductive) {
        let nodes = ground.circuit.nodes();
        // By node: its part, and the sign under which that is the node.
        let mut parts: Vec<Option<(Part, bool)>> = vec![None; nodes.len()];
        let kept: Vec<Lit> =
            (0..).zip(&agreement.nodes).filter(|(_, kept)| **kept).map(|(node, _)| Lit::new(node, false)).collect();
        let live = percept_game::circuit::live(&ground.circuit, &kept);
        for (index, node) in nodes.iter().enumerate().filter(|(index, _)| live[*index]) {
            let (operands, holds) = match node {
                Node::Fluent(fluent) => {
                    let name = self.game.rules.fluent_name(*fluent);
                    if self.plain.rules.find_fluent(&name).is_some() {
                        parts[index] = Some((Part::Fluent(name), true));
                        continue;
                    }
                    (&[][..], false)
                }
                Node::True => (&[][..], true),
                Node::And(operands) => (&operands[..], true),
                Node::Or(operands) => (&operands[..], false),
                Node::Move(..) | Node::Compare(_) | Node::Loop { .. } => continue,
            };
            let part = |lit: &Lit| {
                let (part, sign) = parts[lit.node() as usize].clone()?;
                // An or-gate is the negation of the conjunction of the negations.
                Some((part, sign ^ lit.is_negated() ^ !holds))
            };
            let Some(operands) = operands.iter().map(part).collect::<Option<Vec<_>>>() else { continue };
            out.formulas.push(operands);
            parts[index] = Some((Part::Formula(out.formulas.len() - 1), holds));
        }
        for lit in kept {
            if let Some((Part::Formula(number), _)) = parts[lit.node() as usize] {
                out.agree_formulas.push(number);
            }
        }
    }
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
        (fluents..).take(made.len()).map(|atom| (name(game, &made, atom), atom)).collect();
    let fluent = |name: &String| game.rules.find_fluent(name).ok_or_else(|| unknown("fluent", name));
    let atom = |name: &String| history.get(name).copied().map_or_else(|| fluent(name).map(|it| it.0), Ok);
    // Whoever claims anything must show that no number leaves its range.
    let mut claims: Vec<Claim> =
        game.rules.outside().map(|outside| Claim::Clause(vec![(outside.0, false)])).into_iter().collect();
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
    let mut agreement = Agreement { fluents: vec![false; fluents as usize], ..Agreement::default() };
    for name in &claimed.agree {
        agreement.fluents[fluent(name)?.0 as usize] = true;
    }
    for formula in &claimed.formulas {
        let number = agreement.formulas.all.len();
        let operand = |(part, holds): &(Part, bool)| match part {
            Part::Fluent(name) => Ok((Operand::Fluent(fluent(name)?), *holds)),
            Part::Formula(earlier) if *earlier < number => Ok((Operand::Formula(*earlier), *holds)),
            Part::Formula(other) => Err(unknown("formula", &other.to_string())),
        };
        let operands = formula.iter().map(operand).collect::<Result<_, Invalid>>()?;
        agreement.formulas.all.push(operands);
    }
    if let Some(beyond) = claimed.agree_formulas.iter().find(|&&number| number >= claimed.formulas.len()) {
        return Err(unknown("formula", &beyond.to_string()));
    }
    agreement.formulas.agreeing = claimed.agree_formulas.clone();
    let invariants = Invariants { from: claimed.from, made, claims, counts };
    Ok(Induction { invariants, agreement, back: claimed.back })
}
