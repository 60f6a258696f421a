//! Trajectories to learn from: single trajectory sampling (Algorithm 2) and batch trajectory sampling (Algorithm 3).
//!
//! Both play one match at random. Single sampling records the moves of the others. Batch sampling also records, for
//! each round, their moves in `S` draws of that round with the same percepts of the role: from the state before it,
//! with the role's own move. The paper throws away the draws with other percepts; here each joint move is simulated
//! once and the draws are made among those that fit, which gives the same distribution without the waste.
//!
//! The draws of a round are the target for that round only if it is the last one: they do not take later percepts into
//! account. A prefix of a match is drawn again in its last round, and its earlier rounds keep the actual moves:
//! Algorithm 3 sums up encodings of whole trajectories that differ in their last round. Both then approximate the
//! others' deeds *given all observations*, which is the information that a search needs (Propositions 1 and 2).
//!
//! Both methods need only a simulator that goes forward. [`Sampling::Whole`], which the paper does not have, draws all
//! rounds of a prefix again: it needs a simulator that can be set to any state, and learns faster.
//!
//! Trajectory `n` of a seed does not depend on the thread that samples it or on the other trajectories.

use percept_game::{Cursor, Game, JointMove, MoveId, RoleId, joint_moves};
use percept_infoset::{Round, View};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::encode::{Deed, Encoding, Ones, Pairs};
use crate::hrs::seed_of;
use crate::resample::walk;

/// The number of rounds after which an unfinished match is cut off.
const MOST_ROUNDS: usize = 1_000;
/// The number of joint moves of the others up to which all are listed; above it, draws are made and rejected one by
/// one.
const LISTED: usize = 1 << 16;
/// The number of prefixes of a match that are drawn again.
const BEGINNINGS: usize = 8;
/// The number of draws that may be rejected for each requested one.
const PATIENCE: usize = 100;

/// The methods of sampling trajectories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sampling {
    /// Single trajectory sampling (STS).
    Single,
    /// Batch trajectory sampling (BTS) with this number of samples per depth.
    Batch {
        /// The number of samples per depth.
        samples: u32,
    },
    /// Prefixes of each match drawn again as a whole, on walks of this number of steps ([`crate::resample`]). The same
    /// as `Batch` if the opponent is not uniform.
    Whole {
        /// The number of steps of a walk.
        samples: u32,
    },
}

/// The strategy of the opponent in the training matches.
pub trait Strategy: Sync {
    /// True if all legal moves are always equally probable.
    fn is_uniform(&self) -> bool {
        false
    }

    /// The weights of its legal moves, given its view; not all zero. `seed`: for a randomized strategy; the weights are
    /// a function of the seed and the view.
    fn weights(&self, view: &View, legal: &[MoveId], seed: u64) -> Vec<f64>;
}

/// The strategy that gives all legal moves the same probability.
pub struct Uniform;

impl Strategy for Uniform {
    fn is_uniform(&self) -> bool {
        true
    }

    fn weights(&self, _: &View, legal: &[MoveId], _: u64) -> Vec<f64> {
        vec![1.0; legal.len()]
    }
}

/// One round of a trajectory.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Turn {
    /// The role's own move, if it can know it.
    pub own: Option<String>,
    /// The percepts of the role.
    pub percepts: Vec<String>,
    /// For each other role, the shares of its deeds (they sum up to 1; empty if it had no choice).
    pub others: Deeds,
    /// For each other role, its deed in the match itself (`None` if it had no choice).
    pub done: Vec<Option<(String, Vec<String>)>>,
}

/// A match with the data to learn from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trajectory {
    /// The number of the trajectory, from 0.
    pub index: u64,
    /// The rounds of the match.
    pub turns: Vec<Turn>,
    /// Prefixes that were drawn again as a whole; if there are any, learning uses these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub anew: Vec<Anew>,
}

/// For each other role, the shares of its deeds.
pub type Deeds = Vec<Vec<(String, Vec<String>, f32)>>;

/// A prefix of a match, drawn again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Anew {
    /// The deeds in each of its rounds.
    pub turns: Vec<Deeds>,
}

/// The source of trajectories.
pub struct Source<'a> {
    /// The game of the matches.
    pub game: &'a Game,
    /// The encoding of views as numbers.
    pub encoding: &'a Encoding,
    /// The strategy of the opponent.
    pub strategy: &'a dyn Strategy,
    /// The sampling method.
    pub sampling: Sampling,
    /// The seed of all matches together.
    pub seed: u64,
}

impl Source<'_> {
    /// Plays and samples trajectory number `index`.
    pub fn trajectory(&self, index: u64) -> Trajectory {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed_of(self.seed, index));
        let mut at = self.game.start();
        let mut opponent = View { role: self.encoding.opponent, rounds: vec![] };
        let mut own = View { role: self.encoding.role, rounds: vec![] };
        let (mut turns, mut moves) = (Vec::new(), Vec::new());
        while turns.len() < MOST_ROUNDS && !at.is_terminal() {
            let seed = seed_of(seed_of(self.seed, index), turns.len() as u64);
            let Some(choice) = self.choice(&mut *at, &opponent, seed) else { break };
            let joint = choice.draw(&mut rng);
            turns.push(self.turn(&mut *at, &choice, &joint, &mut rng));
            for view in [&mut opponent, &mut own] {
                view.rounds.push(Round::of(self.game, &mut *at, &joint, view.role));
            }
            at.step(&joint);
            moves.push(joint);
        }
        let anew = match self.sampling {
            Sampling::Whole { samples } if self.strategy.is_uniform() => self.anew(&own, &moves, samples, &mut rng),
            _ => vec![],
        };
        Trajectory { index, turns, anew }
    }

    /// Draws some prefixes of a match again.
    fn anew(&self, own: &View, moves: &[JointMove], samples: u32, rng: &mut Xoshiro256PlusPlus) -> Vec<Anew> {
        let mut lengths = rand::seq::index::sample(rng, moves.len(), moves.len().min(BEGINNINGS)).into_vec();
        lengths.sort_unstable();
        let one = |before: usize| {
            let view = own.prefix(before + 1);
            let (counts, places) = walk(self.game, self.encoding, &view, &moves[..=before], samples, rng)?;
            let others = |counts: &Vec<FxHashMap<(MoveId, Vec<String>), u32>>| {
                let of = |(index, counts): (usize, &FxHashMap<(MoveId, Vec<String>), u32>)| {
                    let name = |mv: MoveId| self.game.rules.move_name(self.encoding.others[index], mv);
                    let some = counts.iter().filter(|it| it.0.0 != MoveId::NOOP);
                    let mut shares: Vec<_> = some
                        .map(|((mv, percepts), &count)| (name(*mv), percepts.clone(), count as f32 / places as f32))
                        .collect();
                    shares.sort_by(|left, right| (&left.0, &left.1).cmp(&(&right.0, &right.1)));
                    shares
                };
                counts.iter().enumerate().map(of).collect()
            };
            Some(Anew { turns: counts.iter().map(others).collect() })
        };
        lengths.into_iter().filter_map(one).collect()
    }

    /// The possible moves of all roles here; `None` if a role has no move.
    fn choice(&self, at: &mut dyn Cursor, opponent: &View, seed: u64) -> Option<Choice> {
        let legal: Vec<Vec<MoveId>> = self.game.role_ids().map(|role| at.legal(role)).collect();
        if legal.iter().any(Vec::is_empty) {
            return None;
        }
        let weights = |(role, legal): (RoleId, &Vec<MoveId>)| match role == opponent.role {
            true => self.strategy.weights(opponent, legal, seed),
            false => vec![1.0; legal.len()],
        };
        let weights = self.game.role_ids().zip(&legal).map(weights).collect();
        Some(Choice { legal, weights })
    }

    fn turn(&self, at: &mut dyn Cursor, choice: &Choice, joint: &JointMove, rng: &mut Xoshiro256PlusPlus) -> Turn {
        let role = self.encoding.role;
        let percepts = at.percepts(joint, role);
        let name = |mv: MoveId| self.game.rules.move_name(role, mv);
        let done = self.tally(at, &[(joint.clone(), 1)]);
        Turn {
            own: self.game.knows_own_moves.then(|| name(joint[role.0 as usize])),
            percepts: percepts.iter().map(|&it| self.game.rules.percept_name(role, it)).collect(),
            done: done.iter().map(|it| it.first().map(|(mv, percepts, _)| (mv.clone(), percepts.clone()))).collect(),
            others: match self.sampling {
                Sampling::Single => done,
                Sampling::Whole { .. } if self.strategy.is_uniform() => done,
                Sampling::Batch { samples } | Sampling::Whole { samples } => {
                    let drawn = self.batch(at, choice, joint, &percepts, samples, rng);
                    self.tally(at, &drawn)
                }
            },
        }
    }

    /// Joint moves with the same percepts of the role as `joint` and with its own move, and the number of draws of
    /// each.
    fn batch(
        &self,
        at: &mut dyn Cursor,
        choice: &Choice,
        joint: &JointMove,
        percepts: &[percept_game::PerceptId],
        samples: u32,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Vec<(JointMove, u32)> {
        let role = self.encoding.role;
        let choice = choice.with_own(role, joint[role.0 as usize]);
        if choice.size().is_some_and(|size| size <= LISTED) {
            let all = joint_moves(&choice.legal).zip(choice.joint_weights());
            let fitting = all.filter(|(joint, weight)| *weight > 0.0 && at.percepts(joint, role) == percepts);
            let (joints, weights): (Vec<JointMove>, Vec<f64>) = fitting.unzip();
            let mut counts = vec![0; joints.len()];
            let sums = sums(&weights);
            (0..samples).for_each(|_| counts[pick(&sums, rng)] += 1);
            return joints.into_iter().zip(counts).filter(|it| it.1 > 0).collect();
        }
        let mut counts = std::collections::BTreeMap::from([(joint.clone(), 1)]);
        let mut hits = 1;
        for _ in 0..samples as usize * PATIENCE {
            if hits >= samples {
                break;
            }
            let drawn = choice.draw(rng);
            if at.percepts(&drawn, role) == percepts {
                *counts.entry(drawn).or_default() += 1;
                hits += 1;
            }
        }
        counts.into_iter().collect()
    }

    /// For each other role, its deeds in these joint moves with their shares.
    fn tally(&self, at: &mut dyn Cursor, drawn: &[(JointMove, u32)]) -> Deeds {
        let total: u32 = drawn.iter().map(|it| it.1).sum();
        let others = 0..self.encoding.others.len();
        let of = |index: usize| {
            let mut counts = std::collections::BTreeMap::<Deed, u32>::new();
            for (joint, count) in drawn {
                if joint[self.encoding.others[index].0 as usize] != MoveId::NOOP {
                    *counts.entry(self.encoding.named(self.game, at, joint, index)).or_default() += count;
                }
            }
            let share = |(deed, count): (Deed, u32)| (deed.mv, deed.percepts, count as f32 / total as f32);
            counts.into_iter().map(share).collect()
        };
        others.map(of).collect()
    }
}

/// The possible moves of all roles in a state with their weights.
struct Choice {
    legal: Vec<Vec<MoveId>>,
    weights: Vec<Vec<f64>>,
}

impl Choice {
    fn draw(&self, rng: &mut Xoshiro256PlusPlus) -> JointMove {
        self.legal.iter().zip(&self.weights).map(|(legal, weights)| legal[pick(&sums(weights), rng)]).collect()
    }

    fn with_own(&self, role: RoleId, own: MoveId) -> Choice {
        let (mut legal, mut weights) = (self.legal.clone(), self.weights.clone());
        legal[role.0 as usize] = vec![own];
        weights[role.0 as usize] = vec![1.0];
        Choice { legal, weights }
    }

    fn size(&self) -> Option<usize> {
        self.legal.iter().try_fold(1usize, |size, moves| size.checked_mul(moves.len()))
    }

    /// The products of the weights, in the order of [`joint_moves`].
    fn joint_weights(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.size().unwrap_or(0)).map(|mut number| {
            let mut product = 1.0;
            for weights in self.weights.iter().rev() {
                product *= weights[number % weights.len()];
                number /= weights.len();
            }
            product
        })
    }
}

fn sums(weights: &[f64]) -> Vec<f64> {
    weights
        .iter()
        .scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        })
        .collect()
}

/// Draws an index with a probability proportional to its weight.
fn pick(sums: &[f64], rng: &mut Xoshiro256PlusPlus) -> usize {
    let total = sums.last().copied().unwrap_or(0.0);
    let at = rng.random::<f64>() * total;
    sums.partition_point(|&sum| sum <= at).min(sums.len() - 1)
}

/// Columns and shares of a row; blocks of roles without a choice are empty.
pub type Shares = Vec<(u32, f32)>;

/// A trajectory in columns: the input of the network, and the expected output.
#[derive(Clone, PartialEq, Debug)]
pub struct Example {
    /// The input of each round.
    pub inputs: Vec<Ones>,
    /// The expected output of each round if that round is the last one.
    pub targets: Vec<Shares>,
    /// The expected output of each round if more rounds follow.
    pub done: Vec<Shares>,
    /// Prefixes that were drawn again, a row for each of their rounds; if there are any, learning uses only these.
    pub anew: Vec<Vec<Shares>>,
}

impl Example {
    /// The expected output of a round (from 0) of the prefix with `rounds` rounds.
    pub fn target(&self, round: usize, rounds: usize) -> &Shares {
        match self.anew.iter().find(|it| it.len() == rounds) {
            Some(rows) => &rows[round],
            None if round + 1 == rounds => &self.targets[round],
            None => &self.done[round],
        }
    }

    /// The lengths of the prefixes to learn, in rounds.
    pub fn beginnings(&self) -> Vec<usize> {
        match self.anew.is_empty() {
            true => (1..=self.inputs.len()).collect(),
            false => self.anew.iter().map(Vec::len).collect(),
        }
    }

    /// Encodes a trajectory. Deeds without a column are left out.
    pub fn of(trajectory: &Trajectory, encoding: &Encoding) -> Example {
        let columns = &encoding.columns;
        let own: rustc_hash::FxHashMap<&str, u32> = columns.moves.iter().map(String::as_str).zip(0..).collect();
        let first = columns.moves.len() as u32;
        let seen: rustc_hash::FxHashMap<&str, u32> = columns.percepts.iter().map(String::as_str).zip(first..).collect();
        let mut deeds_of: rustc_hash::FxHashMap<(usize, &str, &[String]), u32> = Default::default();
        let all =
            columns.others.iter().enumerate().flat_map(|(index, (_, deeds))| deeds.iter().map(move |it| (index, it)));
        for (column, (index, deed)) in all.enumerate() {
            deeds_of.insert((index, deed.mv.as_str(), deed.percepts.as_slice()), column as u32);
        }
        let input = |turn: &Turn| {
            let own = turn.own.as_deref().and_then(|mv| own.get(mv));
            let mut ones: Ones =
                own.into_iter().chain(turn.percepts.iter().filter_map(|it| seen.get(it.as_str()))).copied().collect();
            ones.sort_unstable();
            ones.dedup();
            ones
        };
        let row = |deeds: &Deeds| -> Shares {
            let shares = deeds.iter().enumerate().flat_map(|(index, shares)| shares.iter().map(move |it| (index, it)));
            let column = |(index, (mv, percepts, share)): (usize, &(String, Vec<String>, f32))| {
                Some((*deeds_of.get(&(index, mv.as_str(), percepts.as_slice()))?, *share))
            };
            shares.filter_map(column).collect()
        };
        let done = |turn: &Turn| {
            let deeds = turn.done.iter().enumerate().filter_map(|(index, deed)| Some((index, deed.as_ref()?)));
            let column = |(index, deed): (usize, &(String, Vec<String>))| {
                Some((*deeds_of.get(&(index, deed.0.as_str(), deed.1.as_slice()))?, 1.0))
            };
            deeds.filter_map(column).collect()
        };
        Example {
            inputs: trajectory.turns.iter().map(input).collect(),
            targets: trajectory.turns.iter().map(|turn| row(&turn.others)).collect(),
            done: trajectory.turns.iter().map(done).collect(),
            anew: trajectory.anew.iter().map(|it| it.turns.iter().map(row).collect()).collect(),
        }
    }
}

/// The pairs of moves and private percepts that occur in trajectories.
pub fn pairs<'a>(trajectories: impl Iterator<Item = &'a Trajectory>) -> Pairs {
    let mut pairs = Pairs::new();
    let deed = |mv: &String, percepts: &Vec<String>| Deed { mv: mv.clone(), percepts: percepts.clone() };
    for trajectory in trajectories {
        let drawn = trajectory.turns.iter().map(|turn| &turn.others);
        for deeds in drawn.chain(trajectory.anew.iter().flat_map(|it| &it.turns)) {
            for (index, shares) in deeds.iter().enumerate() {
                pairs.extend(shares.iter().map(|it| (index, deed(&it.0, &it.1))));
            }
        }
        for turn in &trajectory.turns {
            let done = turn.done.iter().enumerate().filter_map(|(index, it)| Some((index, it.as_ref()?)));
            pairs.extend(done.map(|(index, it)| (index, deed(&it.0, &it.1))));
        }
    }
    pairs
}
