//! States met in random matches. Claims that one of them contradicts need no attempt at a proof.

use percept_game::view::{Round, View};
use percept_game::{FluentId, Game, JointMove, MoveId, RoleId, State};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Budget;

/// The number of random matches played.
const MATCHES: u64 = 256;
/// The most rounds of such a match.
pub(super) const MOST_ROUNDS: usize = 400;
/// The most states sampled, over all matches.
const MOST_STATES: usize = 16_000;

/// One random match.
pub(super) struct Match {
    /// The initial state, and the state after each round.
    pub states: Vec<State>,
    /// The joint move of each round.
    pub moves: Vec<JointMove>,
}

impl Match {
    /// The role's view of it; `None` if time ran out.
    pub(super) fn view(&self, game: &Game, role: RoleId, budget: &Budget) -> Option<View> {
        let mut at = game.start();
        let round = |(state, joint): (&State, &JointMove)| {
            budget.stop().is_none().then(|| {
                at.go(state);
                Round::of(game, &mut *at, joint, role)
            })
        };
        let rounds = self.states.iter().zip(&self.moves).map(round).collect::<Option<_>>()?;
        Some(View { role, rounds })
    }
}

/// Random matches of a game.
pub(super) struct Samples {
    matches: Vec<Match>,
    /// The sampled states: match and round.
    chosen: Vec<(u32, u32)>,
}

/// The value of something in each sampled state, one bit per state.
pub(super) type Bits = Box<[u64]>;

impl Samples {
    /// Plays the matches; `None` if time ran out.
    pub(super) fn draw(game: &Game, budget: &Budget) -> Option<Samples> {
        let matches: Vec<Match> =
            (0..MATCHES).into_par_iter().map(|seed| play(game, seed, MOST_ROUNDS, budget)).collect::<Option<_>>()?;
        // If time ran out during parallel play, only some of the matches were cut short, although all of them together
        // took too long.
        budget.check().ok()?;
        let total: usize = matches.iter().map(|it| it.states.len()).sum();
        // An odd stride is less likely to follow a cycle of phases.
        let stride = (total / MOST_STATES + 1) | 1;
        let all = matches.iter().enumerate().flat_map(|(index, it)| (0..it.states.len()).map(move |at| (index, at)));
        let keep = |&(place, (_, at)): &(usize, (usize, usize))| place % stride == 0 || at < 40;
        let chosen = all.enumerate().filter(keep).map(|(_, (index, at))| (index as u32, at as u32)).collect();
        Some(Samples { matches, chosen })
    }

    /// All matches played.
    pub(super) fn matches(&self) -> &[Match] {
        &self.matches
    }

    /// The sampled states after at least `from` rounds.
    pub(super) fn since(&self, from: usize) -> Vec<(u32, u32)> {
        self.chosen.iter().copied().filter(|&(_, at)| at as usize >= from).collect()
    }

    fn state(&self, place: (u32, u32)) -> &State {
        &self.matches[place.0 as usize].states[place.1 as usize]
    }

    /// For each fluent, the places among `places` at which it holds.
    pub(super) fn fluents(&self, places: &[(u32, u32)], count: usize) -> Vec<Bits> {
        let mut bits: Vec<Bits> = vec![vec![0; places.len().div_ceil(64)].into(); count];
        for (index, &place) in places.iter().enumerate() {
            for fluent in self.state(place).fluents().filter(|fluent| (fluent.0 as usize) < count) {
                bits[fluent.0 as usize][index / 64] |= 1 << (index % 64);
            }
        }
        bits
    }

    /// For each of these moves, the places among `places` before which it has been made.
    pub(super) fn made(&self, places: &[(u32, u32)], moves: &[(RoleId, MoveId)]) -> Vec<Bits> {
        let mut bits: Vec<Bits> = vec![vec![0; places.len().div_ceil(64)].into(); moves.len()];
        let number: rustc_hash::FxHashMap<(RoleId, MoveId), usize> =
            moves.iter().enumerate().map(|(index, &mv)| (mv, index)).collect();
        let (mut of, mut upto) = (u32::MAX, 0);
        let mut made: FxHashSet<usize> = FxHashSet::default();
        for (index, &(which, at)) in places.iter().enumerate() {
            if which != of {
                (of, upto) = (which, 0);
                made.clear();
            }
            for joint in &self.matches[which as usize].moves[upto..at as usize] {
                let roles = joint.iter().enumerate().map(|(role, &mv)| (RoleId(role as u16), mv));
                made.extend(roles.filter_map(|key| number.get(&key).copied()));
            }
            upto = at as usize;
            for &atom in &made {
                bits[atom][index / 64] |= 1 << (index % 64);
            }
        }
        bits
    }

    /// The round that ends a run of rounds in each of which some fluent holds for the last time: the end of a prelude
    /// such as dealing or placing. `None` if there is no significant one.
    pub(super) fn prelude(&self, game: &Game) -> Option<usize> {
        let mut last = vec![None; game.rules.fluent_count()];
        let longest = self.matches.iter().map(|it| it.states.len()).max()?;
        for it in &self.matches {
            for (at, state) in it.states.iter().enumerate() {
                state.fluents().for_each(|FluentId(index)| last[index as usize] = last[index as usize].max(Some(at)));
            }
        }
        let vanish: FxHashSet<usize> = last.into_iter().flatten().collect();
        let is_fit = |end: &usize| (1..=LONGEST_PRELUDE).contains(end);
        let end = (0..longest).find(|at| !vanish.contains(at)).filter(is_fit);
        end.or_else(|| self.first_to_vanish(game)).filter(is_fit)
    }

    /// The end of the prelude if rounds are counted, because then a fluent vanishes in each round. Some fluent, or some
    /// fluents of one name, held from the beginning, for more than one round, and for the same time in every match: the
    /// prelude ends with the first round after which they are gone for good.
    fn first_to_vanish(&self, game: &Game) -> Option<usize> {
        let count = game.rules.fluent_count();
        let mut families: FxHashMap<String, usize> = FxHashMap::default();
        let mut family = |index| {
            let fresh = count + families.len();
            *families.entry(game.rules.fluent_term(FluentId(index)).head().to_owned()).or_insert(fresh)
        };
        let family: Vec<usize> = (0..count as u32).map(&mut family).collect();
        let mut ends: Vec<Option<usize>> = vec![None; count + families.len()];
        for (number, it) in self.matches.iter().enumerate() {
            let mut last: Vec<Option<usize>> = vec![None; ends.len()];
            for (at, state) in it.states.iter().enumerate() {
                for FluentId(index) in state.fluents() {
                    (last[index as usize], last[family[index as usize]]) = (Some(at), Some(at));
                }
            }
            for (end, last) in ends.iter_mut().zip(last) {
                let last = last.filter(|&last| last > 0 && last + 1 < it.states.len());
                *end = if number == 0 { last } else { (*end).filter(|_| *end == last) };
            }
        }
        let first = game.rules.initial();
        let begins: FxHashSet<usize> =
            first.fluents().flat_map(|FluentId(index)| [index as usize, family[index as usize]]).collect();
        ends.into_iter()
            .enumerate()
            .filter(|(unit, _)| begins.contains(unit))
            .filter_map(|(_, end)| end)
            .min()
            .map(|end| end + 1)
    }
}

/// The longest prelude considered; unrolling a longer one costs more than it helps.
const LONGEST_PRELUDE: usize = 24;

/// The random match of this seed, to its end or for at most `rounds` rounds. `None` if time ran out.
pub(super) fn play(game: &Game, seed: u64, rounds: usize, budget: &Budget) -> Option<Match> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut at = game.start();
    let mut it = Match { states: vec![at.state().clone()], moves: Vec::new() };
    let price = game.price();
    while it.moves.len() < rounds {
        budget.count(price);
        if budget.stop().is_some() {
            return None;
        }
        if at.is_terminal() {
            break;
        }
        let mut chosen = |role| at.legal(role).choose(&mut random).copied();
        let Some(joint) = game.role_ids().map(&mut chosen).collect::<Option<JointMove>>() else { break };
        at.step(&joint);
        it.moves.push(joint);
        it.states.push(at.state().clone());
    }
    Some(it)
}
