//! The ways in which matches end, for a role that is proved to know its goal: the proof is vacuous if no match ends, or
//! if the role has no goal at any end.
//!
//! A match with such an end shows that the proof is meaningful. Three ways show that there is none: the rules (they never
//! derive an end, or a goal), every reachable state, or an induction.
//!
//! In GDL a role has no goal if no rule for `goal` gives it a value. In POGDDL every role has a payoff, which is 0 if
//! no `:gain` applies: a role has no goal if none can apply to it in any state. A role whose goal is always the same
//! has one: its knowledge is true, if not interesting.

use percept_game::circuit::Lit;
use percept_game::view::JointMoves;
use percept_game::{Game, Ground, RoleId, States};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::findings::Ends;
use super::lemmas::Lemmas;
use super::query;
use crate::{Budget, Pace};

/// The number of random matches tried, and the most rounds of each.
const MATCHES: u64 = 20;
const ROUNDS: usize = 1_000;

/// The most states visited, and the most joint moves made from them.
const MOST_STATES: usize = 50_000;
const MOST_MOVES: usize = 300_000;

/// The facts known about the ends of all matches; `None` if open.
#[derive(Clone, Debug)]
pub(crate) struct MatchEnds {
    /// True if some match ends.
    some: Option<bool>,
    /// True after the solver was asked if some match ends, which is slow and not repeated.
    is_asked: bool,
    /// For each role, true if some match ends with a goal for it.
    goals: Vec<Option<bool>>,
    /// For each role, true if one of the visited matches ends without a goal for it. In POGDDL every role has a payoff.
    lacking: Vec<bool>,
}

impl MatchEnds {
    /// Determines the facts that are cheap to get. `ground`: the ground game, if there is one.
    pub(crate) fn of(game: &Game, ground: Option<&Ground>, budget: &Budget) -> MatchEnds {
        let roles = game.roles.len();
        let mut ends = MatchEnds { some: None, is_asked: false, goals: vec![None; roles], lacking: vec![false; roles] };
        if let Some(ground) = ground {
            ends.some = (ground.terminal == Lit::FALSE).then_some(false);
            ends.goals = game.role_ids().map(|role| by_rules(game, ground, role)).collect();
        }
        ends.random_matches(game, budget);
        if !ends.is_settled(game) {
            ends.every_state(game, budget);
        }
        ends
    }

    /// The ways in which matches end for a role, with the help of a solver if nothing cheaper decides. `None` if that
    /// is open.
    pub(crate) fn ends(&mut self, lemmas: Option<&mut Lemmas<'_>>, role: RoleId, budget: &Budget) -> Option<Ends> {
        let goal = &mut self.goals[role.0 as usize];
        if let Some(lemmas) = lemmas {
            if self.some.is_none() && !std::mem::replace(&mut self.is_asked, true) {
                self.some = query::some_match_ends(lemmas, budget);
            }
            if self.some == Some(true) {
                *goal = goal.or_else(|| query::some_match_ends_with_goal(lemmas, role, budget));
            }
        }
        match (self.some?, *goal) {
            (false, _) => Some(Ends::Never),
            (true, goal) => goal.map(|has| match (has, self.lacking[role.0 as usize]) {
                (true, false) => Ends::WithGoal,
                (true, true) => Ends::SomeWithoutGoal,
                (false, _) => Ends::WithoutGoal,
            }),
        }
    }

    /// True if nothing is open about any player.
    fn is_settled(&self, game: &Game) -> bool {
        let is_known = |role: RoleId| game.roles[role.0 as usize].is_chance || self.goals[role.0 as usize].is_some();
        self.some == Some(false) || self.some == Some(true) && game.role_ids().all(is_known)
    }

    /// Records a state in which a match is over.
    fn ends_with(&mut self, game: &Game, goals: impl Fn(RoleId) -> Vec<i64>) {
        self.some = Some(true);
        for role in game.role_ids() {
            let these = goals(role);
            if has_goal(game, &these) {
                self.goals[role.0 as usize] = Some(true);
            }
            self.lacking[role.0 as usize] |= !game.is_sequential && these.is_empty();
        }
    }

    fn random_matches(&mut self, game: &Game, budget: &Budget) {
        budget.report("ends of matches", 0, None);
        for seed in 0..MATCHES {
            // In GDL the other matches may end without a goal.
            if budget.stop().is_some() || game.is_sequential && self.is_settled(game) {
                break;
            }
            let mut state = game.rules.initial();
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            game.playout(&mut state, ROUNDS, &mut rng);
            if game.rules.terminal(&state) {
                self.ends_with(game, |role| game.rules.goals(&state, role));
            }
        }
    }

    /// Visits every reachable state, if there are few. A case that occurs in none of them does not exist.
    fn every_state(&mut self, game: &Game, budget: &Budget) {
        let (mut at, mut pace) = (game.start(), Pace::default());
        let mut states = States::default();
        let (mut open, mut moves) = (vec![states.insert(at.state().clone()).0], 0usize);
        while let Some(state) = open.pop() {
            at.go(&states[state]);
            if at.is_terminal() {
                self.ends_with(game, |role| game.rules.goals(&states[state], role));
                if self.is_settled(game) {
                    return;
                }
                continue;
            }
            for joint in JointMoves::at(game, &mut *at, RoleId(0), None) {
                moves += 1;
                if moves > MOST_MOVES || states.len() > MOST_STATES || pace.stop(budget).is_some() {
                    return;
                }
                let (next, is_new) = states.insert(at.next(&joint));
                if is_new {
                    open.push(next);
                }
            }
        }
        self.some = self.some.or(Some(false));
        self.goals.iter_mut().for_each(|goal| *goal = goal.or(Some(false)));
    }
}

/// The answer about a role's goal that follows from the rules alone.
fn by_rules(game: &Game, ground: &Ground, role: RoleId) -> Option<bool> {
    let index = role.0 as usize;
    let numbers = ground.goal_numbers.get(index).is_some_and(|numbers| !numbers.is_empty());
    match (game.is_sequential, &ground.goals[index][..]) {
        (true, goals) => Some(numbers || !matches!(goals, [] | [(0, Lit::TRUE)])),
        (false, goals) if goals.iter().all(|&(_, gate)| gate == Lit::FALSE) => Some(false),
        (false, _) => None,
    }
}

/// True if a role's goals in a state show that it has one.
fn has_goal(game: &Game, goals: &[i64]) -> bool {
    // A payoff of 0 in POGDDL may mean that no `:gain` applies to the role.
    if game.is_sequential { goals.iter().any(|&goal| goal != 0) } else { !goals.is_empty() }
}
