//! Findings about a role and a property in every match: the method, the verdict with its evidence, and a pair of
//! matches as plain data.

use std::time::Duration;

use percept_game::symmetry::Symmetry;
use percept_game::view::{View, play, replay};
use percept_game::{Game, JointMove, RoleId, State};

use super::claims::{Agreement, Invariants};
use crate::reading::Unchecked;
use crate::verdict::{Property, Witness};

/// The method to prove or refute a property in all matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Tries all methods, the cheapest first.
    Auto,
    /// The structure of the rules, without any search.
    Structure,
    /// Agreement that no round can break.
    Induction,
    /// Matches unrolled round by round.
    Bounded,
    /// All pairs of states that the role cannot tell apart.
    Pairs,
    /// Matches of some greater lengths; can only refute.
    Leap,
    /// Observations along random matches that look alike; can only refute.
    Matches,
}

/// The methods to try, and their limits.
#[derive(Clone, Debug)]
pub struct Options {
    /// The method.
    pub method: Method,
    /// The most rounds to search; `None`: as many as the time allows.
    pub depth: Option<usize>,
    /// True if the end of the match is announced to every role.
    pub announce_end: bool,
}

impl Method {
    /// The name of the method, as in [`Verdict::Proved`].
    const fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Structure => "structure",
            Method::Induction => "induction",
            Method::Bounded => "bounded",
            Method::Pairs => "pairs",
            Method::Leap => "leap",
            Method::Matches => "matches",
        }
    }
}

impl Options {
    /// True if a method is to be tried. It is not if a proof by it was refused.
    pub(super) fn wants(&self, method: Method, refused: &[Refusal]) -> bool {
        (self.method == Method::Auto || self.method == method) && refused.iter().all(|it| it.method != method.name())
    }
}

impl Default for Options {
    fn default() -> Self {
        Options { method: Method::Auto, depth: None, announce_end: false }
    }
}

/// Two matches that the role cannot tell apart, though the property differs after their last round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The joint moves of the first match.
    pub left: Vec<JointMove>,
    /// The joint moves of the second match.
    pub right: Vec<JointMove>,
}

impl Pair {
    /// The pair with the values of the property in each match. `None` if it is not a pair for this property.
    pub fn witness(&self, game: &Game, role: RoleId, property: Property) -> Option<Witness> {
        let value = |history: &[JointMove]| property.after(game, history, play(game, history).ok()?.last()?, role);
        Some(Witness {
            first: self.left.clone(),
            second: self.right.clone(),
            first_value: value(&self.left)?,
            second_value: value(&self.right)?,
            first_is_match: false,
        })
    }
}

/// The verdict on a role's knowledge of a property in every match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Proved for all matches.
    Proved {
        /// The deciding method.
        method: &'static str,
        /// The argument for a certificate. `None` if there is nothing to prove: the end is announced, or the language
        /// reveals to each role its own moves.
        argument: Option<Argument>,
        /// `Ok` if the second reader followed the proof ([`Reader`](super::Reader)), else the reason why it did not.
        checked: Result<(), Unchecked>,
    },
    /// Refuted by these two matches.
    Refuted {
        /// A shortest pair, unless the method searches differently.
        pair: Pair,
        /// The deciding method.
        method: &'static str,
    },
    /// No pair in matches of up to `depth` rounds.
    Open {
        /// The depth reached, in rounds.
        depth: usize,
    },
}

impl Verdict {
    /// The verdict's name, as commands print it.
    pub const fn name(&self) -> &'static str {
        match self {
            Verdict::Proved { .. } => "proved",
            Verdict::Refuted { .. } => "refuted",
            Verdict::Open { .. } => "open",
        }
    }

    pub(super) const fn is_decided(&self) -> bool {
        !matches!(self, Verdict::Open { .. })
    }

    /// The verdict, or `Open` if the rules failed in some state: a state that is too large for the rules looks as if it
    /// had no legal moves and no successors. [`percept_game::Rules::fault`] names the rule.
    pub(super) fn unless_incomplete(self, game: &Game) -> Verdict {
        match game.rules.fault() {
            Some(_) => Verdict::Open { depth: 0 },
            None => self,
        }
    }

    /// The verdict, unless it is a pair of which only one match is over, because the role learns that. For own moves,
    /// only the search along a match considers it.
    pub(super) fn unless_told_apart(self, game: &Game, property: Property) -> Verdict {
        let Verdict::Refuted { pair: Pair { left, right }, .. } = &self else { return self };
        let over = |history: &[JointMove]| play(game, history).ok()?.last().map(|state| game.rules.terminal(state));
        match property == Property::Own && over(left) != over(right) {
            true => Verdict::Open { depth: left.len().saturating_sub(1) },
            false => self,
        }
    }

    /// The more informative of two verdicts.
    pub(super) fn or(self, other: Verdict) -> Verdict {
        match (&self, &other) {
            (Verdict::Open { depth }, Verdict::Open { depth: more }) if depth >= more => self,
            (Verdict::Open { .. }, _) => other,
            _ => self,
        }
    }
}

/// The argument of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A proof by the structure of the rules, with its agreement. If another reading of the rules has a different
    /// structure, it becomes an induction.
    Structure(Box<Induction>),
    /// A proof by agreement.
    Induction(Box<Induction>),
    /// No match is longer than `rounds`.
    Bounded {
        /// The length of the longest match in rounds.
        rounds: usize,
    },
    /// A search through all pairs of states.
    Pairs,
}

impl Argument {
    /// The argument for the image of the role. The invariants stay: they are about every match, whatever the names.
    pub(super) fn image(&self, symmetry: &Symmetry) -> Argument {
        let image = |it: &Induction| {
            let agreement = it.agreement.image(symmetry);
            Box::new(Induction { agreement, invariants: it.invariants.clone(), back: it.back })
        };
        match self {
            Argument::Structure(it) => Argument::Structure(image(it)),
            Argument::Induction(it) => Argument::Induction(image(it)),
            Argument::Bounded { rounds } => Argument::Bounded { rounds: *rounds },
            Argument::Pairs => Argument::Pairs,
        }
    }
}

/// A proof by agreement (see [`super::agree`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Induction {
    pub(crate) invariants: Invariants,
    pub(crate) agreement: Agreement,
    /// The number of rounds that the induction on the property looks back.
    pub back: usize,
}

/// A proof that the second reader refused: a fault of Percept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The method of the prover.
    pub method: &'static str,
    /// The reader's objection, in words.
    pub why: String,
}

/// The ways in which matches end for a role. A proof that it knows its goal is worth only as much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Some match ends with a goal for the role, so the proof is meaningful.
    WithGoal,
    /// Some matches end with a goal for the role, others without: the proof is meaningful, and the rules incomplete.
    SomeWithoutGoal,
    /// Matches end, but none of them with a goal for the role.
    WithoutGoal,
    /// No match ends.
    Never,
}

impl Ends {
    /// True if a proof that the role knows its goal is vacuous.
    pub const fn is_vacuous(self) -> bool {
        !matches!(self, Ends::WithGoal | Ends::SomeWithoutGoal)
    }
}

/// The answer about one role and one property in all matches.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The role.
    pub role: RoleId,
    /// The property that it should know.
    pub property: Property,
    /// The verdict about it.
    pub verdict: Verdict,
    /// For a proof about goals: the ways in which matches end for the role, which show if the proof is vacuous. `None`
    /// if that is open, and for all other findings.
    pub vacuous: Option<Ends>,
    /// Proofs that the second reader refused; empty, unless Percept has a bug.
    pub refused: Vec<Refusal>,
    /// The total time.
    pub elapsed: Duration,
    /// The part of it that the second reader took.
    pub checking: Duration,
}

impl Finding {
    /// A finding before any attempt.
    pub fn open(role: RoleId, property: Property) -> Finding {
        let (verdict, refused) = (Verdict::Open { depth: 0 }, Vec::new());
        let (elapsed, checking) = (Duration::ZERO, Duration::ZERO);
        Finding { role, property, verdict, vacuous: None, refused, elapsed, checking }
    }
}

/// A proof that no reader has checked yet.
pub(super) fn proved(method: &'static str, argument: Argument) -> Verdict {
    Verdict::Proved { method, argument: Some(argument), checked: Err(Unchecked::Time) }
}

/// Replays both matches with the game's own rules: legal, not over before their end, the same own moves and percepts
/// for the role in every round, and the property differs at the end.
pub fn is_real(game: &Game, role: RoleId, property: Property, pair: &Pair) -> bool {
    let Ok(view) = View::of_match(game, role, &pair.left) else { return false };
    let (Ok((left, _)), Ok((right, _))) = (replay(game, &view, &pair.left), replay(game, &view, &pair.right)) else {
        return false;
    };
    match property {
        Property::Own => {
            property.after(game, &pair.left, &left, role) != property.after(game, &pair.right, &right, role)
        }
        _ => differs(game, role, property, &left, &right),
    }
}

/// True if the property differs between the two states.
fn differs(game: &Game, role: RoleId, property: Property, a: &State, b: &State) -> bool {
    match (property.of(game, a, role), property.of(game, b, role)) {
        (Some(a), Some(b)) => a != b,
        _ => false,
    }
}
