//! Pairs of states that look alike, met beside random matches: members that differ in them need not be tried.
//!
//! A handful of further matches is played beside a random match, in which the role makes the same moves and gets the
//! same percepts. Each is continued at random; one that becomes distinguishable is replaced by a copy of another (a
//! particle filter without weights).

use percept_game::circuit::Node;
use percept_game::{Game, Ground, JointMove, MoveId, RoleId, State};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;

use super::sample::{Match, Samples};
use crate::Budget;

/// The number of random matches beside which others are played.
const MATCHES: usize = 64;
/// The number of matches played beside each.
const BESIDE: usize = 12;
/// Continuations tried for each of them in a round.
const TRIES: usize = 4;
/// The most pairs kept.
const MOST_PAIRS: usize = 6_000;
/// The number of continuations in a row to known states after which a round ends.
const MOST_MET: usize = 8;
/// The number of matches in a row without a new pair after which the search ends.
const MOST_IDLE: usize = 4;

/// Two states after the same number of rounds of two matches that look alike to a role.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Alike {
    pub round: usize,
    pub states: [State; 2],
}

/// The pairs for a role, as many as the time allows.
pub(super) fn pairs(game: &Game, role: RoleId, samples: &Samples, budget: &Budget) -> Vec<Alike> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(u64::from(role.0));
    let (mut pairs, mut met, mut idle) = (Vec::new(), FxHashSet::default(), 0);
    for it in samples.matches().iter().take(MATCHES) {
        if pairs.len() >= MOST_PAIRS || idle == MOST_IDLE || budget.stop().is_some() {
            break;
        }
        let before = pairs.len();
        beside(game, role, it, &mut random, &mut pairs, &mut met, budget);
        idle = if pairs.len() == before { idle + 1 } else { 0 };
    }
    pairs
}

fn beside(
    game: &Game,
    role: RoleId,
    it: &Match,
    random: &mut Xoshiro256PlusPlus,
    pairs: &mut Vec<Alike>,
    met: &mut FxHashSet<Alike>,
    budget: &Budget,
) {
    let mut others = vec![it.states[0].clone()];
    let mut at = game.start();
    for (round, joint) in it.moves.iter().enumerate() {
        at.go(&it.states[round]);
        let percepts = at.percepts(joint, role);
        let mut next: Vec<State> = Vec::with_capacity(BESIDE);
        let mut again = 0;
        for _ in 0..TRIES * BESIDE {
            if next.len() == BESIDE || again == MOST_MET || budget.stop().is_some() {
                break;
            }
            at.go(&others[random.random_range(0..others.len())]);
            if at.is_terminal() {
                continue;
            }
            let mut chosen = |of: RoleId| -> Option<MoveId> {
                let legal = at.legal(of);
                let own = joint[of.0 as usize];
                if of == role && game.knows_own_moves {
                    return legal.contains(&own).then_some(own);
                }
                (!legal.is_empty()).then(|| legal[random.random_range(0..legal.len())])
            };
            let Some(other) = game.role_ids().map(&mut chosen).collect::<Option<JointMove>>() else { continue };
            if at.percepts(&other, role) == percepts {
                let state = at.next(&other);
                if next.contains(&state) {
                    again += 1;
                } else {
                    again = 0;
                    next.push(state);
                }
            }
        }
        let actual = &it.states[round + 1];
        for state in next.iter().filter(|state| *state != actual) {
            let pair = Alike { round: round + 1, states: [actual.clone(), state.clone()] };
            if met.insert(pair.clone()) {
                pairs.push(pair);
            }
        }
        if next.is_empty() {
            next.push(actual.clone());
        }
        others = next;
    }
}

/// The values of a circuit's nodes in a state. They are meaningful only for nodes that read nothing but the state.
pub(super) fn nodes(ground: &Ground, state: &State) -> Vec<bool> {
    let nodes = ground.circuit.nodes();
    let mut values: Vec<bool> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let of = |lit: &percept_game::circuit::Lit| values[lit.node() as usize] != lit.is_negated();
        values.push(match node {
            Node::True => true,
            Node::Fluent(fluent) => state.has(*fluent),
            Node::And(operands) => operands.iter().all(of),
            Node::Or(operands) => operands.iter().any(of),
            Node::Move(..) | Node::Compare(_) | Node::Loop { .. } => false,
        });
    }
    values
}
