//! Regret minimization without a tree, on sampled histories (Lanctot et al. 2009), with results kept by view, for games
//! whose tree does not fit. Best responses cannot be computed from samples, so nothing is proved about the result.

mod external;
mod outcome;
mod table;

use std::time::{Duration, Instant};

use percept_game::{Game, JointMove, MoveId, RoleId, State};
use percept_infoset::{Budget, Progress, Stop};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

use self::table::draw;
pub(crate) use self::table::{Node, Table};
use crate::options::{Options, Sampling};
use crate::strategy::{Entry, Strategy, names};
use crate::tree::{BuildError, Views, legal_moves};

/// The number of matches that estimate the values of the strategies.
const MATCHES: usize = 20_000;
/// The time for these matches after the user has stopped the work.
const FAREWELL: Duration = Duration::from_secs(1);
/// The most rounds of a match.
const MAX_ROUNDS: usize = 1_000;
/// The number of traversals if neither a time nor a number was given.
const ITERATIONS: u64 = 100_000;
/// The number of states in the first traversals above which it takes too long to try all moves. In poker and dice games
/// whose traversals have a few hundred states, both schemes need about the same number of states for the same
/// exploitability.
const WIDE: u64 = 2_000;

/// The strategies that sampling found.
#[derive(Clone)]
pub struct Sampled {
    tables: Vec<Table>,
    /// For each player, the mean goal in matches played with the strategies; empty if the time did not suffice.
    pub values: Vec<f64>,
    /// For each player, half the width of the 95 % interval of that mean.
    pub errors: Vec<f64>,
    /// The number of traversals of each player.
    pub iterations: u64,
    /// The sampling scheme: never `Auto`.
    pub scheme: Sampling,
}

impl std::fmt::Debug for Sampled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sampled").field("iterations", &self.iterations).finish_non_exhaustive()
    }
}

impl Sampled {
    /// The number of information sets met that have a choice.
    pub fn infosets(&self) -> usize {
        self.tables.iter().map(|table| table.nodes.len()).sum()
    }

    /// The results of a role.
    pub(crate) fn table(&self, role: RoleId) -> Option<&Table> {
        self.tables.iter().find(|table| table.role == role)
    }

    pub(crate) fn strategy(&self, game: &Game) -> Strategy {
        let mut strategy = Strategy::default();
        for table in &self.tables {
            let mut views: Vec<u32> = table.nodes.keys().copied().collect();
            views.sort_unstable();
            for view in views {
                let node = &table.nodes[&view];
                let average = node.average();
                let moves = node.legal.iter().zip(average);
                strategy.add(Entry {
                    role: game.roles[table.role.0 as usize].name.clone(),
                    view: names(game, table.role, &table.views, view),
                    moves: moves.map(|(&mv, it)| (game.rules.move_name(table.role, mv), it)).collect(),
                    fractions: None,
                });
            }
        }
        strategy
    }
}

struct Sampler<'g> {
    game: &'g Game,
    tables: Vec<Table>,
    rng: Xoshiro256PlusPlus,
    bytes: usize,
    traverser: usize,
    weight: f32,
    /// The scheme: never `Auto`.
    scheme: Sampling,
    /// The number of states met by external sampling.
    visited: u64,
    /// The most traversals.
    most: u64,
    /// The mean goals of the matches so far, by player.
    usual: Vec<Mean>,
    /// The budget, which is checked in every state: one of a large game can take milliseconds.
    budget: Budget,
}

/// A running mean.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1.0;
    }

    fn mean(self) -> f64 {
        if self.count > 0.0 { self.sum / self.count } else { 0.0 }
    }
}

impl<'g> Sampler<'g> {
    fn new(game: &'g Game, seed: u64, scheme: Sampling, budget: Budget) -> Sampler<'g> {
        let roles = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance);
        let table =
            |role| Table { role, views: Views::default(), nodes: FxHashMap::default(), only: FxHashMap::default() };
        let tables: Vec<Table> = roles.map(table).collect();
        Sampler {
            game,
            usual: vec![Mean::default(); tables.len()],
            tables,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            bytes: 0,
            traverser: 0,
            weight: 1.0,
            scheme,
            visited: 0,
            most: u64::MAX,
            budget,
        }
    }
}

/// The scheme for a game, by a trial: external sampling, if its traversals are short.
fn decide(game: &Game, seed: u64, budget: &Budget) -> Result<Sampling, BuildError> {
    let mut sampler = Sampler { most: WIDE, ..Sampler::new(game, seed, Sampling::External, budget.clone()) };
    match sampler.iterate() {
        Err(BuildError::Stopped(_)) => return Ok(Sampling::Outcome),
        done => done?,
    }
    Ok(if sampler.visited > WIDE { Sampling::Outcome } else { Sampling::External })
}

/// Samples until the time, the memory or the number of iterations is used up.
///
/// # Errors
/// If a role does not know its legal moves.
pub(crate) fn run(
    game: &Game,
    options: &Options,
    scheme: Sampling,
    budget: &Budget,
) -> Result<(Sampled, Option<Stop>), BuildError> {
    let scheme = if scheme == Sampling::Auto { decide(game, options.seed, &budget.share(2))? } else { scheme };
    // A part of the time is reserved for the matches that evaluate the strategies.
    let mut sampler = Sampler::new(game, options.seed, scheme, budget.most());
    let most = options.iterations.unwrap_or(if budget.deadline.is_some() { u64::MAX } else { ITERATIONS });
    let mut iterations = 0;
    let mut stopped = None;
    while iterations < most {
        stopped = sampler.budget.stop().or((sampler.bytes > options.space.bytes).then_some(Stop::OutOfMemory));
        if stopped.is_some() {
            break;
        }
        sampler.weight = (iterations as f32 + 1.0).min(1e6);
        match sampler.iterate() {
            Err(BuildError::Stopped(stop)) => {
                stopped = Some(stop);
                break;
            }
            done => done?,
        }
        iterations += 1;
        if iterations.is_multiple_of(256)
            && let Some(listener) = &budget.progress
        {
            listener(&Progress { what: "sampling", done: iterations, total: None });
        }
    }
    // A user that stops the work expects its results.
    let farewell = Budget { deadline: Some(Instant::now() + FAREWELL), ..Budget::default() };
    sampler.budget = if stopped == Some(Stop::Cancelled) { farewell } else { budget.clone() };
    let (values, errors) = sampler.evaluate()?;
    Ok((Sampled { tables: sampler.tables, scheme, values, errors, iterations }, stopped))
}

/// A state as the traverser meets it.
enum Sample {
    /// The match is over, with this goal for the traverser.
    Over(f64),
    On(OpenJointMove),
}

/// A joint move in which the traverser's move is still to be chosen.
struct OpenJointMove {
    joint: JointMove,
    /// The traverser's legal moves; the first one is in the joint move.
    own: Vec<MoveId>,
}

impl Sampler<'_> {
    /// Runs one traversal for each player.
    fn iterate(&mut self) -> Result<(), BuildError> {
        let (initial, views) = (self.game.rules.initial(), vec![0; self.tables.len()]);
        for player in 0..self.tables.len() {
            self.traverser = player;
            if self.scheme == Sampling::Outcome {
                let value = self.outcome(&initial, &views, 0, 1.0)?;
                self.usual[player].add(value);
            } else {
                self.external(&initial, &views, 0)?;
            }
        }
        Ok(())
    }

    /// Draws the moves of chance and of the other players.
    fn draw_others(&mut self, state: &State, views: &[u32], round: usize, reach: f64) -> Result<Sample, BuildError> {
        self.budget.check()?;
        let rules = &self.game.rules;
        if round > MAX_ROUNDS || rules.terminal(state) {
            let role = self.tables[self.traverser].role;
            return Ok(Sample::Over(rules.goals(state, role).first().map_or(0.0, |&goal| goal as f64)));
        }
        let mut joint: JointMove = vec![MoveId::NOOP; self.game.roles.len()];
        let mut own = Vec::new();
        for other in self.game.role_ids() {
            let legal = legal_moves(self.game, state, other);
            if legal.is_empty() {
                return Ok(Sample::Over(0.0));
            }
            let player = self.tables.iter().position(|table| table.role == other);
            if let Some(player) = player {
                self.meet(player, views[player], &legal, round)?;
            }
            joint[other.0 as usize] = match player {
                Some(player) if player == self.traverser => {
                    own = legal;
                    own[0]
                }
                Some(player) if legal.len() > 1 => {
                    let at = self.play(player, views[player], &legal, reach);
                    legal[at]
                }
                _ => legal[self.rng.random_range(0..legal.len())],
            };
        }
        Ok(Sample::On(OpenJointMove { joint, own }))
    }

    /// Records the moves that a player has at a view.
    fn meet(&mut self, player: usize, view: u32, legal: &[MoveId], round: usize) -> Result<(), BuildError> {
        self.compare(player, view, legal, round)?;
        match *legal {
            [only] => {
                let old = self.tables[player].only.insert(view, only);
                self.bytes += if old.is_none() { Table::ONLY } else { 0 };
            }
            _ => _ = self.node(player, view, legal),
        }
        Ok(())
    }

    /// Checks that the player has the same moves as at earlier states with this view; if not, it does not know its
    /// moves.
    fn compare(&self, player: usize, view: u32, legal: &[MoveId], round: usize) -> Result<(), BuildError> {
        let table = &self.tables[player];
        match table.legal(view) {
            Some(old) if old != legal => Err(BuildError::unknown_moves(self.game, table.role, round, old, legal)),
            _ => Ok(()),
        }
    }

    fn after(&mut self, state: &State, joint: &JointMove, views: &[u32]) -> (State, Vec<u32>) {
        let mut next_views = Vec::with_capacity(views.len());
        for (table, &view) in self.tables.iter_mut().zip(views) {
            let own = self.game.knows_own_moves.then(|| joint[table.role.0 as usize]);
            let percepts = self.game.rules.percepts(state, joint, table.role);
            let before = table.views.len();
            next_views.push(table.views.after(view, own, &percepts));
            self.bytes += (table.views.len() - before) * Views::BYTES;
        }
        (self.game.rules.next(state, joint), next_views)
    }

    /// Draws another player's move from its current strategy, and adds the strategy to its average. The weight is
    /// corrected by `reach`, the probability of the traverser's own draws so far.
    fn play(&mut self, player: usize, view: u32, legal: &[MoveId], reach: f64) -> usize {
        let weight = f64::from(self.weight) / reach;
        let node = self.node(player, view, legal);
        let behaviour = node.matched();
        for (sum, probability) in node.sums.iter_mut().zip(&behaviour) {
            *sum += (weight * *probability) as f32;
        }
        draw(&behaviour, &mut self.rng)
    }

    fn node(&mut self, player: usize, view: u32, legal: &[MoveId]) -> &mut Node {
        let (bytes, outcome) = (&mut self.bytes, self.scheme == Sampling::Outcome);
        let node = self.tables[player].nodes.entry(view).or_insert_with(|| {
            *bytes += Node::bytes(legal.len(), outcome);
            std::sync::Arc::new(Node::new(legal, outcome))
        });
        std::sync::Arc::get_mut(node).expect("nodes are shared only when sampling is over")
    }

    /// The mean goals in matches played with the average strategies, and their errors; empty if the time did not
    /// suffice for two matches.
    fn evaluate(&mut self) -> Result<(Vec<f64>, Vec<f64>), BuildError> {
        let players = self.tables.len();
        let (mut sums, mut squares) = (vec![0.0; players], vec![0.0; players]);
        let mut matches = 0;
        while matches < MATCHES {
            let goals = match self.play_match() {
                Err(BuildError::Stopped(_)) => break,
                goals => goals?,
            };
            for (player, goal) in goals.into_iter().enumerate() {
                sums[player] += goal;
                squares[player] += goal * goal;
            }
            matches += 1;
        }
        if matches < 2 {
            return Ok((Vec::new(), Vec::new()));
        }
        let count = matches as f64;
        let means: Vec<f64> = sums.iter().map(|sum| sum / count).collect();
        let error = |(square, mean): (&f64, &f64)| 1.96 * ((square / count - mean * mean).max(0.0) / count).sqrt();
        let errors = squares.iter().zip(&means).map(error).collect();
        Ok((means, errors))
    }

    fn play_match(&mut self) -> Result<Vec<f64>, BuildError> {
        let mut state = self.game.rules.initial();
        let mut views = vec![0; self.tables.len()];
        for round in 0..MAX_ROUNDS {
            self.budget.check()?;
            if self.game.rules.terminal(&state) {
                break;
            }
            let mut joint = JointMove::new();
            for role in self.game.role_ids() {
                let legal = legal_moves(self.game, &state, role);
                if legal.is_empty() {
                    return Ok(self.goals(&state));
                }
                let player = self.tables.iter().position(|table| table.role == role);
                if let Some(player) = player {
                    self.compare(player, views[player], &legal, round)?;
                }
                let node = player.and_then(|player| self.tables[player].nodes.get(&views[player]));
                let at = match node {
                    Some(node) if legal.len() > 1 => draw(&node.average(), &mut self.rng),
                    _ => self.rng.random_range(0..legal.len()),
                };
                joint.push(legal[at]);
            }
            (state, views) = self.after(&state, &joint, &views);
        }
        Ok(self.goals(&state))
    }

    fn goals(&self, state: &State) -> Vec<f64> {
        let goal = |table: &Table| self.game.rules.goals(state, table.role).first().map_or(0.0, |&goal| goal as f64);
        self.tables.iter().map(goal).collect()
    }
}
