//! Facts about every reachable state: pairs of fluents that never hold together, and groups of which one always holds.
//!
//! Candidates come from random play and are proved by simultaneous induction: all together are assumed before a
//! round, and whatever a round can break is dropped, until nothing breaks. The first state keeps them by construction.

use percept_game::circuit::Lit;
use percept_game::{FluentId, Game, State};
use rand::Rng;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

use super::agree::Obligation;
use super::candidates;
use super::twin::{Setting, Symbolic};
use crate::clauses::Clauses;
use crate::control::Control;
use crate::net::Net;

/// Proved invariants of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invariants {
    /// These two never hold together.
    pub exclusive: Vec<(FluentId, FluentId)>,
    /// One of these always holds.
    pub covers: Vec<Vec<FluentId>>,
}

/// At most this many candidate pairs are tried; more cost more than they help.
const MAX_PAIRS: usize = 200_000;
/// Random matches that candidates must survive before anything is proved.
const MATCHES: usize = 60;
/// Rounds of one such match.
const MAX_ROUNDS: usize = 400;

impl Invariants {
    /// Demands all of them of a state.
    pub fn demand(&self, net: &mut Net, clauses: &mut Clauses, state: &Symbolic) {
        let at = |fluent: &FluentId| state.fluents[fluent.0 as usize];
        for (a, b) in &self.exclusive {
            clauses.add(net, [!at(a), !at(b)]);
        }
        for cover in &self.covers {
            clauses.add(net, cover.iter().map(at));
        }
    }

    /// Makes a round from a state that keeps them; for each of them, what is true where the round broke it.
    fn breakable(&self, setting: &Setting<'_>, net: &mut Net, clauses: &mut Clauses) -> Vec<Lit> {
        let state = setting.any_state(net);
        let does = setting.moves(net, None);
        let copy = setting.copy(net, &state, does, &[]);
        self.demand(net, clauses, &state);
        setting.demand_round(net, clauses, &copy);
        let next = setting.next(&copy);
        let at = |fluent: FluentId| next.fluents[fluent.0 as usize];
        let mut targets = Vec::with_capacity(self.exclusive.len() + self.covers.len());
        for &(a, b) in &self.exclusive {
            targets.push(net.and([at(a), at(b)]));
        }
        for cover in &self.covers {
            targets.push(!net.or(cover.iter().map(|&fluent| at(fluent))));
        }
        targets
    }

    pub fn is_empty(&self) -> bool {
        self.exclusive.is_empty() && self.covers.is_empty()
    }

    /// Whether a state keeps all of them.
    pub fn hold_in(&self, state: &State) -> bool {
        self.exclusive.iter().all(|&(a, b)| !(state.has(a) && state.has(b)))
            && self.covers.iter().all(|cover| cover.iter().any(|&fluent| state.has(fluent)))
    }

    /// Finds and proves invariants. `None` where the time was up.
    pub fn find(setting: &Setting<'_>, control: &Control) -> Option<Invariants> {
        let states = sample(setting.game);
        let mut found = candidates(setting.game, &states);
        loop {
            let before = (found.exclusive.len(), found.covers.len());
            found = refine(setting, found, control)?;
            if before == (found.exclusive.len(), found.covers.len()) {
                return Some(found);
            }
        }
    }
}

/// States of random matches, the first state among them.
fn sample(game: &Game) -> Vec<State> {
    let mut states = Vec::new();
    for index in 0..MATCHES {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(index as u64);
        let mut state = game.rules.initial();
        for _ in 0..MAX_ROUNDS {
            states.push(state.clone());
            if game.rules.terminal(&state) {
                break;
            }
            let mut joint = Vec::with_capacity(game.roles.len());
            for role in game.role_ids() {
                let legal = game.rules.legal(&state, role);
                if legal.is_empty() {
                    break;
                }
                joint.push(legal[random.random_range(0..legal.len())]);
            }
            if joint.len() < game.roles.len() {
                break;
            }
            state = game.rules.next(&state, &joint);
        }
    }
    states
}

/// The functor of a fluent's name: `cell` of `(cell 1 1 b)`.
fn functor(name: &str) -> &str {
    name.trim_start_matches('(').split([' ', ')']).next().unwrap_or(name)
}

/// Pairs never seen together, where they belong to one small family or one side is a family of few (a phase, a turn);
/// and per family a cover, where one of it was always seen.
fn candidates(game: &Game, states: &[State]) -> Invariants {
    let count = game.rules.fluent_count() as u32;
    let ever: Vec<FluentId> = (0..count).map(FluentId).filter(|&f| states.iter().any(|s| s.has(f))).collect();
    let mut families: FxHashMap<String, Vec<FluentId>> = FxHashMap::default();
    for &fluent in &ever {
        families.entry(functor(&game.rules.fluent_name(fluent)).to_owned()).or_default().push(fluent);
    }
    // Where each fluent was seen, as bits over the sampled states: a pair is a candidate where the words are disjoint.
    let words = states.len().div_ceil(64);
    let mut seen: FxHashMap<FluentId, Vec<u64>> = ever.iter().map(|&f| (f, vec![0; words])).collect();
    for (index, state) in states.iter().enumerate() {
        for fluent in state.fluents() {
            if let Some(bits) = seen.get_mut(&fluent) {
                bits[index / 64] |= 1 << (index % 64);
            }
        }
    }
    let disjoint = |a: FluentId, b: FluentId| seen[&a].iter().zip(&seen[&b]).all(|(x, y)| x & y == 0);
    let mut names: Vec<&String> = families.keys().collect();
    names.sort_by_key(|name| (families[*name].len(), (*name).clone()));
    let mut found = Invariants::default();
    for name in &names {
        let family = &families[*name];
        for (index, &a) in family.iter().enumerate() {
            for &b in &family[index + 1..] {
                if found.exclusive.len() < MAX_PAIRS && disjoint(a, b) {
                    found.exclusive.push((a, b));
                }
            }
        }
        if states.iter().all(|state| family.iter().any(|&fluent| state.has(fluent))) {
            found.covers.push(family.clone());
        }
    }
    for (index, small) in names.iter().enumerate() {
        for large in &names[index + 1..] {
            if families[*small].len() > 12 {
                continue;
            }
            for &a in &families[*small] {
                for &b in &families[*large] {
                    if found.exclusive.len() < MAX_PAIRS && disjoint(a, b) {
                        found.exclusive.push((a, b));
                    }
                }
            }
        }
    }
    found
}

/// Drops what one round can break while all of `assumed` hold before it.
fn refine(setting: &Setting<'_>, assumed: Invariants, control: &Control) -> Option<Invariants> {
    let (mut net, mut clauses) = (Net::new(), Clauses::new(control));
    let targets = assumed.breakable(setting, &mut net, &mut clauses);
    let broken = candidates::possible(&mut net, &mut clauses, &targets)?;
    let (pairs, covers) = broken.split_at(assumed.exclusive.len());
    Some(Invariants { exclusive: whole(assumed.exclusive, pairs), covers: whole(assumed.covers, covers) })
}

/// The query behind the invariants: no round from a state that keeps them may break one.
pub fn step_obligation(setting: &Setting<'_>, invariants: &Invariants, mut clauses: Clauses) -> Obligation {
    let mut net = Net::new();
    let targets = invariants.breakable(setting, &mut net, &mut clauses);
    let target = net.or(targets);
    Obligation { net, clauses, target }
}

/// What is not broken.
fn whole<T>(all: Vec<T>, broken: &[bool]) -> Vec<T> {
    all.into_iter().zip(broken).filter(|(_, broken)| !**broken).map(|(one, _)| one).collect()
}
