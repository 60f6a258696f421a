//! The values of given strategies, and the gain of each role that leaves them, without a tree. Best responses are exact
//! up to the rounding of floating-point numbers.
//!
//! A tree keeps every position: a state with the views of *all* roles. A best response of one role needs only its own
//! views, one at a time, each with the states that the others can have played to ([`walk`]). So the memory is that of
//! the states ([`crate::arena`], [`lens`]), and the time that of one role's views.
//!
//! A strategy that remembers much makes too many positions of few states: it is evaluated over [`crate::blocks`]
//! ([`crate::evaluate()`]).

mod index;
mod lens;
mod parts;
mod table;
mod walk;

use std::time::Instant;

use percept_game::{Game, RoleId};
use percept_infoset::{Budget, Stop};

use self::lens::Lens;
pub(crate) use self::lens::behaviour;
pub use self::parts::{Part, Responder};
pub(crate) use self::table::{Memory, Table};
use self::walk::Walk;
pub use self::walk::Worth;
pub use crate::arena::RespondError;
use crate::arena::{Arena, is_chance};
use crate::sampling::Sampled;
use crate::strategy::Strategy;
use crate::tree::Space;

/// A strategy of each role. In a view without an entry, a role moves uniformly at random.
#[derive(Clone, Copy, Debug)]
pub enum Profile<'a> {
    /// Every role moves uniformly at random.
    Uniform,
    /// The entries of a table.
    Table(&'a Strategy),
    /// The averages of a sample.
    Sampled(&'a Sampled),
}

/// The value of strategies to a role.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    /// The role.
    pub role: RoleId,
    /// The expectation of its goal if all roles follow the strategies.
    pub value: f64,
    /// The expectation if this role makes the best moves instead.
    pub best: f64,
    /// The number of its information sets with a choice that can be reached while the others follow the strategies; with
    /// blocks, of all.
    pub infosets: u64,
    /// The number of its other views in which it has only one move, but one that elsewhere is a choice: many authors
    /// count these as information sets, too.
    pub forced: u64,
    /// The number of positions of the role: states with the memories of the others. With blocks, its information sets
    /// after those with the same future are one.
    pub positions: usize,
    /// The seconds that its walk took.
    pub seconds: f64,
}

impl Response {
    /// The gain of the role by the best moves.
    pub fn gain(&self) -> f64 {
        self.best - self.value
    }
}

/// The values of strategies to all roles.
#[derive(Clone, Debug, PartialEq)]
pub struct Responses {
    /// One for each role that is not chance; fewer if the work was stopped.
    pub roles: Vec<Response>,
    /// The sum of the goals of all roles, if there are two and the sum is the same after every match: then the best
    /// responses bound what each role can secure.
    pub sum: Option<i64>,
    /// The reason why the work ended early, if it did.
    pub stopped: Option<Stop>,
    /// The number of states of the game.
    pub states: usize,
    /// The number of joint moves in all states.
    pub steps: usize,
    /// The number of rounds of the longest match.
    pub rounds: usize,
    /// The number of information sets of all roles after those with the same future are one, if the strategies were
    /// evaluated over blocks.
    pub distinct: Option<usize>,
    /// The seconds that the whole work took.
    pub seconds: f64,
}

impl Responses {
    /// The bounds of what each role can secure, as best responses prove them: no more than by a best response of its
    /// own, and no less than what that of the other leaves. `None` if the roles' goals have no constant sum.
    pub fn bounds(&self) -> Option<[(f64, f64); 2]> {
        let [one, other] = self.roles[..] else { return None };
        let sum = self.sum? as f64;
        // Rounding can put the ends of a proved value in the wrong order.
        let bounds = |low: f64, high: f64| (low.min(high), high);
        Some([bounds(sum - other.best, one.best), bounds(sum - one.best, other.best)])
    }
}

/// The values of a strategy of each role.
///
/// # Errors
/// If the game or the strategies are not fit for it, or the limits are reached.
pub fn respond(game: &Game, profile: Profile<'_>, space: &Space, budget: &Budget) -> Result<Responses, RespondError> {
    let begin = Instant::now();
    let arena = Arena::new(game, space, budget)?;
    let tables: Vec<Table<'_>> =
        game.role_ids().map(|role| Table::new(game, arena.lists(role), role, profile)).collect();
    let mut roles = Vec::new();
    let mut stopped = None;
    for role in game.role_ids().filter(|&role| !is_chance(game, role)) {
        match one(game, &arena, &tables, role, space, budget) {
            Err(RespondError::Stopped(stop)) if !roles.is_empty() => {
                stopped = Some(stop);
                break;
            }
            response => roles.push(response?),
        }
    }
    if roles.is_empty() {
        return Err(RespondError::NoPlayers);
    }
    let (states, steps, rounds) = (arena.states(), arena.steps(), arena.rounds);
    let sum = sum(game, &arena);
    Ok(Responses { roles, sum, stopped, states, steps, rounds, distinct: None, seconds: begin.elapsed().as_secs_f64() })
}

/// The number of rounds of the longest match, by a walk over all states. `None` if a match can be endless, or the limits
/// are reached.
pub fn longest(game: &Game, space: &Space, budget: &Budget) -> Option<usize> {
    Arena::new(game, space, budget).ok().map(|arena| arena.rounds)
}

/// The sum of the goals, if two roles have goals and it is always the same.
fn sum(game: &Game, arena: &Arena) -> Option<i64> {
    let roles: Vec<usize> = game.role_ids().filter(|&role| !is_chance(game, role)).map(|role| role.0.into()).collect();
    let [one, other] = roles[..] else { return None };
    let mut sums = arena.outcomes.list.iter().map(|goals| goals[one] + goals[other]);
    let first = sums.next()?;
    sums.all(|sum| sum == first).then_some(first)
}

fn one(
    game: &Game,
    arena: &Arena,
    tables: &[Table<'_>],
    role: RoleId,
    space: &Space,
    budget: &Budget,
) -> Result<Response, RespondError> {
    let begin = Instant::now();
    if let Some(goals) = arena.goals(0) {
        let goal = goals[role.0 as usize] as f64;
        return Ok(Response { role, value: goal, best: goal, infosets: 0, forced: 0, positions: 1, seconds: 0.0 });
    }
    let lens = Lens::new(game, arena, tables, role, space, budget)?;
    let Worth { best, followed, infosets, forced } =
        Walk::new(game, arena, &lens, &tables[role.0 as usize], budget).run()?;
    let seconds = begin.elapsed().as_secs_f64();
    Ok(Response { role, value: followed, best, infosets, forced, positions: lens.len(), seconds })
}
