//! The rules as written, ground without optimisations: the reference for all optimised code.
//!
//! In: a typed description. Out: a [`Game`] with the same meaning as those of [`Game::from_gdl`] and
//! [`Game::from_pogddl`], but larger and slower. Every instance of every rule is kept: no rule is decomposed, no gate
//! is factored, no constant is folded away, and nothing is renumbered. It is the foundation of certificates
//! (`percept-infoset`), so it is a second reading: from the syntax on, it shares no code with the reading, grounding
//! and running of games for play, because a shared fault would deceive both. A test searches its sources for shared
//! code (`tests/suite/plain.rs`). It does share: the syntax (`percept-syntax`), names ([`crate::Term`]) and the other
//! types of a game, and the circuit's gates, which fold constants ([`crate::circuit`]).
//!
//! - [`gdl`]: statements become rules ([`read`]), and these instances ([`instances`]): the possible atoms are those
//!   that can be derived if every negation of a changeable atom is granted; the rules have the instances whose positive
//!   conditions may hold. Relations that are the same in every match are evaluated directly.
//! - [`mod@pogddl`]: see there.
//!
//! If a relation depends on its own negation but no atom does, there is a plain game, even if there is none for play.

mod instances;
mod join;
mod layers;
pub mod pogddl;
mod program;
mod read;
mod rules;
mod terms;

use percept_syntax::gdl::Description;
use percept_syntax::pddl::{Domain, Problem};
use rustc_hash::FxHashMap;

use crate::{Budget, FluentId, Game, GameError, PogddlOptions, PogddlTerminal};

/// The limits of a plain grounding.
#[derive(Clone)]
pub struct Limits {
    /// The most conditions of all instances.
    pub conditions: usize,
    /// Atoms that may hold.
    pub atoms: usize,
    /// The depth to which terms may nest.
    pub depth: u32,
    /// The budget, which is checked at intervals.
    pub budget: Budget,
}

impl Default for Limits {
    /// The limits for certificates: below 2 GB, with much time.
    fn default() -> Self {
        Limits { conditions: 60_000_000, atoms: 4_000_000, depth: 100, budget: Budget::default() }
    }
}

/// The game that a GDL description defines.
///
/// # Errors
/// If the rules cannot be run, or have more instances than `limits` allow.
pub fn gdl(description: &Description, limits: &Limits) -> Result<Game, Vec<GameError>> {
    let program = read::program(description)?;
    let range = description.statements.each().next().map(|statement| statement.range).unwrap_or_default();
    let error = |message: String| vec![GameError { message, range, in_problem: false }];
    let ground = instances::ground(program, limits).map_err(|why| error(why.to_string()))?;
    rules::game(ground).map_err(|why| error(why.to_string()))
}

/// The game that a POGDDL domain and problem define, in which every number with a range stays within it.
///
/// # Errors
/// Like [`gdl`]; also if a range is too wide.
pub fn pogddl(
    domain: &Domain,
    problem: &Problem,
    options: &PogddlOptions,
    ranges: &[pogddl::Range],
) -> Result<Game, Vec<GameError>> {
    pogddl_for(domain, problem, options, ranges, true, &Limits::default())
}

/// Like [`fn@pogddl`]. Without `goals` the values of matches are not available ([`crate::Structure::tells_goals`]), and
/// numbers that only goals read are not part of the state, so nothing needs to be known about them. Only the `budget`
/// of the limits is used.
///
/// # Errors
/// Like [`fn@pogddl`]; also if it was stopped.
pub fn pogddl_for(
    domain: &Domain,
    problem: &Problem,
    options: &PogddlOptions,
    ranges: &[pogddl::Range],
    goals: bool,
    limits: &Limits,
) -> Result<Game, Vec<GameError>> {
    let range = domain.name.as_ref().map_or(domain.range, |name| name.range);
    let ends_at_payoff = options.terminal == PogddlTerminal::Payoff;
    pogddl::game(domain, problem, ends_at_payoff, goals, ranges, &limits.budget)
        .map_err(|why| vec![GameError { message: why.to_string(), range, in_problem: false }])
}

/// The ranges of a game's numbers, as far as its fluents show them: `(= (f a) 3)`. Registers have no known range.
pub fn ranges(game: &Game) -> Vec<pogddl::Range> {
    let mut ranges: FxHashMap<String, (i64, i64)> = FxHashMap::default();
    for index in 0..game.rules.fluent_count() as u32 {
        if let Some((number, value)) = game.rules.fluent_term(FluentId(index)).as_value() {
            let range = ranges.entry(number.to_string()).or_insert((value, value));
            *range = (range.0.min(value), range.1.max(value));
        }
    }
    let mut ranges: Vec<pogddl::Range> = ranges.into_iter().map(|(name, (low, high))| (name, low, high)).collect();
    // A number that some action would change if the action were possible.
    let constants = game.rules.constants();
    let constants = constants.iter().filter_map(|constant| constant.as_value());
    ranges.extend(constants.map(|(number, value)| (number.to_string(), value, value)));
    ranges.sort_unstable();
    ranges
}

/// The reason why there is no plain ground game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Refused {
    #[error("the rules have too many instances to ground them one by one, those of `{0}` among them")]
    TooMany(String),
    #[error("terms in `{0}` can grow without end")]
    TooDeep(String),
    #[error("`{0}` depends on its own negation")]
    NegativeCycle(String),
    #[error("`{0}` must not depend on `{1}`")]
    Misplaced(String, String),
    #[error("the description declares no role")]
    NoRole,
    #[error("there was no time to ground the rules one by one")]
    Stopped,
}
