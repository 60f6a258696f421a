//! Trajectories to learn from: single trajectory sampling (Algorithm 2) and batch trajectory sampling (Algorithm 3).
//!
//! Both play one match at random. Single sampling writes down what the others did. Batch sampling writes down, for each
//! round, what they did in `S` draws of that round which told the role the same: from the state before it, with the
//! role's own move. The draws that told something else would be thrown away; each joint move is simulated once and
//! those that fit are drawn from, which gives the same distribution without the waste.
//!
//! Trajectory `n` of a seed is the same whoever samples it, and beside whatever else.

use percept_game::{Cursor, Game, JointMove, MoveId, RoleId, joint_moves};
use percept_infoset::{Round, View};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::encode::{Deed, Encoding, Ones, Pairs};
use crate::hrs::seed_of;

/// Rounds of a match that does not end.
const MOST_ROUNDS: usize = 1_000;
/// With more joint moves of the others than this, draws are made and thrown away one by one.
const LISTED: usize = 1 << 16;
/// Draws that may be thrown away for each that is wanted.
const PATIENCE: usize = 100;

/// How trajectories are sampled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sampling {
    /// STS.
    Single,
    /// BTS with so many samples a depth.
    Batch { samples: u32 },
}

/// How the opponent plays in the matches that are learned from.
pub trait Strategy: Sync {
    /// The weights of its legal moves, given what it saw; not all zero.
    fn weights(&self, view: &View, legal: &[MoveId]) -> Vec<f64>;
}

/// Every legal move is equally likely.
pub struct Uniform;

impl Strategy for Uniform {
    fn weights(&self, _: &View, legal: &[MoveId]) -> Vec<f64> {
        vec![1.0; legal.len()]
    }
}

/// One round of a trajectory.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Turn {
    /// The role's own move, where it knows it.
    pub own: Option<String>,
    pub percepts: Vec<String>,
    /// By other role, how often it did what (in shares that sum up to 1; nothing where it had no choice to make).
    pub others: Vec<Vec<(String, Vec<String>, f32)>>,
}

/// A match, and what it teaches.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trajectory {
    pub index: u64,
    pub turns: Vec<Turn>,
}

/// Where trajectories come from.
pub struct Source<'a> {
    pub game: &'a Game,
    pub encoding: &'a Encoding,
    pub strategy: &'a dyn Strategy,
    pub sampling: Sampling,
    pub seed: u64,
}

impl Source<'_> {
    /// Plays and samples trajectory number `index`.
    pub fn trajectory(&self, index: u64) -> Trajectory {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed_of(self.seed, index));
        let mut at = self.game.start();
        let mut opponent = View { role: self.encoding.opponent, rounds: vec![] };
        let mut turns = Vec::new();
        while turns.len() < MOST_ROUNDS && !at.is_terminal() {
            let Some(choice) = self.choice(&mut *at, &opponent) else { break };
            let joint = choice.draw(&mut rng);
            turns.push(self.turn(&mut *at, &choice, &joint, &mut rng));
            let own = self.game.knows_own_moves.then(|| joint[opponent.role.0 as usize]);
            opponent.rounds.push(Round { own, percepts: at.percepts(&joint, opponent.role) });
            at.step(&joint);
        }
        Trajectory { index, turns }
    }

    /// What everybody may do here; `None` where a role has no move.
    fn choice(&self, at: &mut dyn Cursor, opponent: &View) -> Option<Choice> {
        let legal: Vec<Vec<MoveId>> = self.game.role_ids().map(|role| at.legal(role)).collect();
        let weights = |(role, legal): (RoleId, &Vec<MoveId>)| match role == opponent.role {
            true => self.strategy.weights(opponent, legal),
            false => vec![1.0; legal.len()],
        };
        let weights = self.game.role_ids().zip(&legal).map(weights).collect();
        (!legal.iter().any(Vec::is_empty)).then_some(Choice { legal, weights })
    }

    fn turn(&self, at: &mut dyn Cursor, choice: &Choice, joint: &JointMove, rng: &mut Xoshiro256PlusPlus) -> Turn {
        let role = self.encoding.role;
        let percepts = at.percepts(joint, role);
        let name = |mv: MoveId| self.game.rules.move_name(role, mv);
        Turn {
            own: self.game.knows_own_moves.then(|| name(joint[role.0 as usize])),
            percepts: percepts.iter().map(|&it| self.game.rules.percept_name(role, it)).collect(),
            others: match self.sampling {
                Sampling::Single => self.tally(at, &[(joint.clone(), 1)]),
                Sampling::Batch { samples } => {
                    let drawn = self.batch(at, choice, joint, &percepts, samples, rng);
                    self.tally(at, &drawn)
                }
            },
        }
    }

    /// Joint moves that tell the role the same as `joint`, with its own move, and how often each was drawn.
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

    /// By other role, its deeds in these joint moves and their shares.
    fn tally(&self, at: &mut dyn Cursor, drawn: &[(JointMove, u32)]) -> Vec<Vec<(String, Vec<String>, f32)>> {
        let total: u32 = drawn.iter().map(|it| it.1).sum();
        let others = 0..self.encoding.others.len();
        let of = |index: usize| {
            let mut counts = std::collections::BTreeMap::<Deed, u32>::new();
            for (joint, count) in drawn {
                if joint[self.encoding.others[index].0 as usize] != MoveId::NOOP {
                    *counts.entry(self.encoding.named(self.game, at, joint, index)).or_default() += count;
                }
            }
            let share = |(deed, count): (Deed, u32)| (deed.mv, deed.told, count as f32 / total as f32);
            counts.into_iter().map(share).collect()
        };
        others.map(of).collect()
    }
}

/// What all roles may do in a state, and how likely.
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

/// A place, as likely as its weight.
fn pick(sums: &[f64], rng: &mut Xoshiro256PlusPlus) -> usize {
    let total = sums.last().copied().unwrap_or(0.0);
    let at = rng.random::<f64>() * total;
    sums.partition_point(|&sum| sum <= at).min(sums.len() - 1)
}

/// A trajectory in columns: what the network reads, and what it is to answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Example {
    pub inputs: Vec<Ones>,
    /// By round, columns and shares; blocks of roles that had nothing to choose are empty.
    pub targets: Vec<Vec<(u32, f32)>>,
}

impl Example {
    /// Deeds that have no column are left out.
    pub fn of(trajectory: &Trajectory, encoding: &Encoding) -> Example {
        let columns = &encoding.columns;
        let own: rustc_hash::FxHashMap<&str, u32> = columns.moves.iter().map(String::as_str).zip(0..).collect();
        let first = columns.moves.len() as u32;
        let seen: rustc_hash::FxHashMap<&str, u32> = columns.percepts.iter().map(String::as_str).zip(first..).collect();
        let mut deeds: rustc_hash::FxHashMap<(usize, &str, &[String]), u32> = Default::default();
        let all =
            columns.others.iter().enumerate().flat_map(|(index, (_, deeds))| deeds.iter().map(move |it| (index, it)));
        for (column, (index, deed)) in all.enumerate() {
            deeds.insert((index, deed.mv.as_str(), deed.told.as_slice()), column as u32);
        }
        let input = |turn: &Turn| {
            let own = turn.own.as_deref().and_then(|mv| own.get(mv));
            let mut ones: Ones =
                own.into_iter().chain(turn.percepts.iter().filter_map(|it| seen.get(it.as_str()))).copied().collect();
            ones.sort_unstable();
            ones.dedup();
            ones
        };
        let target = |turn: &Turn| {
            let shares =
                turn.others.iter().enumerate().flat_map(|(index, shares)| shares.iter().map(move |it| (index, it)));
            let column = |(index, (mv, told, share)): (usize, &(String, Vec<String>, f32))| {
                Some((*deeds.get(&(index, mv.as_str(), told.as_slice()))?, *share))
            };
            shares.filter_map(column).collect()
        };
        Example {
            inputs: trajectory.turns.iter().map(input).collect(),
            targets: trajectory.turns.iter().map(target).collect(),
        }
    }
}

/// The pairs of moves and private percepts that trajectories show.
pub fn pairs<'a>(trajectories: impl Iterator<Item = &'a Trajectory>) -> Pairs {
    let turns = trajectories.flat_map(|it| &it.turns);
    let shares = turns.flat_map(|turn| turn.others.iter().enumerate());
    shares
        .flat_map(|(index, shares)| shares.iter().map(move |it| (index, Deed { mv: it.0.clone(), told: it.1.clone() })))
        .collect()
}
