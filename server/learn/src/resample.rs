//! The possible deeds of the others, drawn again for a whole prefix of a match: a walk through the information set.
//!
//! A match that was played at random is itself a draw from the information set in which its role ends. So is every
//! state of a Markov chain that starts there and preserves the distribution of such matches (Metropolis and Hastings):
//! the walk changes a move of another role, or exchanges two of them, simulates the rounds after it, and rejects the
//! change if the result is not legal or gives the role other percepts. The share of the walk's states that contain a
//! move is an unbiased estimate of the probability of that move given *all* observations, with far less noise than the
//! single match; and no draw is lost to other percepts.

use percept_game::{Cursor, Game, JointMove, MoveId, State};
use percept_infoset::View;
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

use crate::encode::Encoding;

/// The number of proposals between two states that are counted.
const APART: u32 = 8;

/// The move of another role with its private percepts.
type Done = (MoveId, Vec<String>);

/// The number of times of each deed, by round and other role.
pub type Counts = Vec<Vec<FxHashMap<Done, u32>>>;

/// A state of the walk: a history of the information set.
struct Walk<'a> {
    game: &'a Game,
    encoding: &'a Encoding,
    view: &'a View,
    at: Box<dyn Cursor + 'a>,
    moves: Vec<JointMove>,
    /// The state before each round.
    states: Vec<State>,
    /// For each round, the logarithm of the probability of the others' moves.
    ln: Vec<f64>,
    /// The deeds by round and other role.
    done: Vec<Vec<Done>>,
}

/// Counts the deeds of the others in the states of a walk, and the number of states that were counted. The walk makes
/// `proposals` proposals and begins at `moves`, a history of the view drawn with the probabilities of chance and
/// uniform opponents. `None` if the history does not fit the view.
pub fn walk(
    game: &Game,
    encoding: &Encoding,
    view: &View,
    moves: &[JointMove],
    proposals: u32,
    rng: &mut Xoshiro256PlusPlus,
) -> Option<(Counts, u32)> {
    let mut walk =
        Walk { game, encoding, view, at: game.start(), moves: vec![], states: vec![], ln: vec![], done: vec![] };
    let states = walk.simulate(moves, 0)?;
    walk.take(moves.to_vec(), 0, states);
    let mut counts: Counts = vec![vec![FxHashMap::default(); encoding.others.len()]; moves.len()];
    let mut places = 0;
    for proposal in 0..proposals.max(1) {
        if proposal.is_multiple_of(APART) {
            places += 1;
            for (counts, done) in counts.iter_mut().zip(&walk.done) {
                for (counts, done) in counts.iter_mut().zip(done) {
                    *counts.entry(done.clone()).or_default() += 1;
                }
            }
        }
        walk.go_on(rng);
    }
    Some((counts, places))
}

impl Walk<'_> {
    /// Proposes a history, and accepts or rejects it.
    fn go_on(&mut self, rng: &mut Xoshiro256PlusPlus) {
        let Some((moves, first)) = self.proposal(rng) else { return };
        let Some(after) = self.simulate(&moves, first) else { return };
        let (old, new): (f64, f64) = (self.ln[first..].iter().sum(), after.iter().map(|it| it.1).sum());
        if new >= old || rng.random::<f64>() < (new - old).exp() {
            self.take(moves, first, after);
        }
    }

    /// Proposes other moves, and returns them with the first round in which they differ. The reverse step has the same
    /// probability.
    fn proposal(&mut self, rng: &mut Xoshiro256PlusPlus) -> Option<(Vec<JointMove>, usize)> {
        let rounds = self.moves.len();
        let round = rng.random_range(0..rounds);
        let role = self.encoding.others[rng.random_range(0..self.encoding.others.len())];
        let seat = role.0 as usize;
        let here = self.moves[round][seat];
        if rng.random() {
            let other = rng.random_range(0..rounds);
            let there = self.moves[other][seat];
            if here == there || here == MoveId::NOOP || there == MoveId::NOOP {
                return None;
            }
            let mut moves = self.moves.clone();
            (moves[round][seat], moves[other][seat]) = (there, here);
            return Some((moves, round.min(other)));
        }
        self.at.go(&self.states[round]);
        let mut legal = self.at.legal(role);
        legal.retain(|&mv| mv != here);
        if legal.is_empty() {
            return None;
        }
        let mut moves = self.moves.clone();
        moves[round][seat] = legal[rng.random_range(0..legal.len())];
        Some((moves, round))
    }

    /// The states before the rounds from `first` on, and the logarithms of the probabilities of these rounds; `None` if
    /// a move is not legal or the role gets other percepts.
    fn simulate(&mut self, moves: &[JointMove], first: usize) -> Option<Vec<(State, f64)>> {
        let role = self.view.role;
        match self.states.get(first) {
            Some(state) => self.at.go(state),
            None => self.at = self.game.start(),
        }
        let mut after = Vec::with_capacity(moves.len() - first);
        for (joint, seen) in moves.iter().zip(&self.view.rounds).skip(first) {
            if self.at.is_terminal() || self.at.percepts(joint, role) != seen.percepts {
                return None;
            }
            let mut ln = 0.0;
            for (other, mv) in self.game.role_ids().zip(joint) {
                let legal = self.at.legal(other);
                if !legal.contains(mv) {
                    return None;
                }
                ln -= if other == role { 0.0 } else { (legal.len() as f64).ln() };
            }
            after.push((self.at.state().clone(), ln));
            self.at.step(joint);
        }
        Some(after)
    }

    fn take(&mut self, moves: Vec<JointMove>, first: usize, after: Vec<(State, f64)>) {
        self.states.truncate(first);
        self.ln.truncate(first);
        self.done.truncate(first);
        for (joint, (state, ln)) in moves[first..].iter().zip(after) {
            self.at.go(&state);
            let others = 0..self.encoding.others.len();
            self.done.push(others.map(|index| self.encoding.deed(&mut *self.at, joint, index)).collect());
            self.states.push(state);
            self.ln.push(ln);
        }
        self.moves = moves;
    }
}
