//! Regret minimization without a tree: external sampling (Lanctot et al. 2009). One player at a time tries all its
//! moves, while chance and the others play one each; what was met is kept by view. For games whose tree does not fit.
//! Best responses cannot be computed from samples, so nothing is proved of the result.

use std::time::Instant;

use percept_game::{Game, JointMove, MoveId, RoleId, State};
use percept_infoset::{Control, Progress, Stop};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

use crate::options::Options;
use crate::strategy::{Entry, Strategy, names};
use crate::tree::{Views, legal_moves};

/// Matches played with the strategies found, to estimate what they are worth.
const MATCHES: usize = 20_000;
/// Longer matches are given up.
const MAX_ROUNDS: usize = 1_000;
/// Traversals after which sampling ends where neither a time nor a number was given.
const ITERATIONS: u64 = 100_000;

struct Node {
    legal: Box<[MoveId]>,
    regrets: Box<[f32]>,
    sums: Box<[f32]>,
}

/// What one player has met.
#[derive(Clone)]
struct Table {
    role: RoleId,
    views: Views,
    nodes: FxHashMap<u32, std::sync::Arc<Node>>,
}

/// The strategies that sampling found.
#[derive(Clone)]
pub struct Sampled {
    tables: Vec<Table>,
    /// By player: the mean goal in matches played with the strategies found.
    pub values: Vec<f64>,
    /// By player: half the width of the 95 % interval of that mean.
    pub errors: Vec<f64>,
    /// So many traversals there were, over all players.
    pub iterations: u64,
}

impl std::fmt::Debug for Sampled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sampled").field("iterations", &self.iterations).finish_non_exhaustive()
    }
}

impl Sampled {
    /// Information sets met, with a choice in them.
    pub fn infosets(&self) -> usize {
        self.tables.iter().map(|table| table.nodes.len()).sum()
    }

    pub(crate) fn strategy(&self, game: &Game) -> Strategy {
        let mut strategy = Strategy::default();
        for table in &self.tables {
            let mut views: Vec<u32> = table.nodes.keys().copied().collect();
            views.sort_unstable();
            for view in views {
                let node = &table.nodes[&view];
                let average = average(node);
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

fn matched(regrets: &[f32]) -> Vec<f64> {
    let sum: f64 = regrets.iter().map(|&regret| f64::from(regret.max(0.0))).sum();
    match sum > 0.0 {
        true => regrets.iter().map(|&regret| f64::from(regret.max(0.0)) / sum).collect(),
        false => vec![1.0 / regrets.len() as f64; regrets.len()],
    }
}

fn average(node: &Node) -> Vec<f64> {
    let sum: f64 = node.sums.iter().map(|&sum| f64::from(sum)).sum();
    match sum > 0.0 {
        true => node.sums.iter().map(|&it| f64::from(it) / sum).collect(),
        false => vec![1.0 / node.sums.len() as f64; node.sums.len()],
    }
}

fn draw(probabilities: &[f64], rng: &mut impl Rng) -> usize {
    let mut rest: f64 = rng.random();
    for (at, probability) in probabilities.iter().enumerate() {
        rest -= probability;
        if rest < 0.0 {
            return at;
        }
    }
    probabilities.len() - 1
}

struct Sampler<'g> {
    game: &'g Game,
    tables: Vec<Table>,
    rng: Xoshiro256PlusPlus,
    bytes: usize,
    traverser: usize,
    weight: f32,
}

/// Samples until the time, the memory or the number of iterations is used up.
pub(crate) fn run(game: &Game, options: &Options, control: &Control, begin: Instant) -> (Sampled, Option<Stop>) {
    let roles = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance);
    let table = |role| Table { role, views: Views::default(), nodes: FxHashMap::default() };
    let mut sampler = Sampler {
        game,
        tables: roles.map(table).collect(),
        rng: Xoshiro256PlusPlus::seed_from_u64(options.seed),
        bytes: 0,
        traverser: 0,
        weight: 1.0,
    };
    let players = sampler.tables.len();
    let most = options.iterations.unwrap_or(if control.deadline.is_some() { u64::MAX } else { ITERATIONS });
    // A part of the time is for the matches that value the strategies.
    let limits = control.most();
    let mut iterations = 0;
    let mut stopped = None;
    while iterations < most {
        stopped = limits.stop().or((sampler.bytes > options.budget.bytes).then_some(Stop::OutOfMemory));
        if stopped.is_some() {
            break;
        }
        iterations += 1;
        sampler.weight = (iterations as f32).min(1e6);
        for player in 0..players {
            sampler.traverser = player;
            sampler.descend(&game.rules.initial(), &vec![0; players], 0);
        }
        if iterations.is_multiple_of(256)
            && let Some(listener) = &control.progress
        {
            listener(&Progress { what: "sampling", done: iterations, total: None });
        }
    }
    let (values, errors) = sampler.evaluate(control);
    let _ = begin;
    (Sampled { tables: sampler.tables, values, errors, iterations }, stopped)
}

impl Sampler<'_> {
    /// The goal that the traverser gets from here on, in a sampled part of the game.
    fn descend(&mut self, state: &State, views: &[u32], round: usize) -> f64 {
        let rules = &self.game.rules;
        let role = self.tables[self.traverser].role;
        if round > MAX_ROUNDS || rules.terminal(state) {
            return rules.goals(state, role).first().map_or(0.0, |&goal| goal as f64);
        }
        let mut joint: JointMove = vec![MoveId::NOOP; self.game.roles.len()];
        let mut own = Vec::new();
        for other in self.game.role_ids() {
            let legal = legal_moves(self.game, state, other);
            if legal.is_empty() {
                return 0.0;
            }
            let player = self.tables.iter().position(|table| table.role == other);
            joint[other.0 as usize] = match player {
                Some(player) if player == self.traverser => {
                    own = legal;
                    own[0]
                }
                Some(player) if legal.len() > 1 => {
                    let at = self.play(player, views[player], &legal);
                    legal[at]
                }
                _ => legal[self.rng.random_range(0..legal.len())],
            };
        }
        if own.len() == 1 {
            return self.step(state, &joint, views, round);
        }
        let view = views[self.traverser];
        let behaviour = matched(&self.node(self.traverser, view, &own).regrets);
        let values: Vec<f64> = own
            .iter()
            .map(|&mv| {
                joint[role.0 as usize] = mv;
                self.step(state, &joint, views, round)
            })
            .collect();
        let value: f64 = values.iter().zip(&behaviour).map(|(value, probability)| value * probability).sum();
        let weight = self.weight;
        let node = self.node(self.traverser, view, &own);
        for (regret, action) in node.regrets.iter_mut().zip(&values) {
            *regret += weight * (action - value) as f32;
        }
        value
    }

    fn step(&mut self, state: &State, joint: &JointMove, views: &[u32], round: usize) -> f64 {
        let (next, views) = self.after(state, joint, views);
        self.descend(&next, &views, round + 1)
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

    /// Another player's move by its strategy of the moment, which is added to its average.
    fn play(&mut self, player: usize, view: u32, legal: &[MoveId]) -> usize {
        let weight = self.weight;
        let node = self.node(player, view, legal);
        let behaviour = matched(&node.regrets);
        for (sum, probability) in node.sums.iter_mut().zip(&behaviour) {
            *sum += weight * *probability as f32;
        }
        draw(&behaviour, &mut self.rng)
    }

    fn node(&mut self, player: usize, view: u32, legal: &[MoveId]) -> &mut Node {
        let bytes = &mut self.bytes;
        let node = self.tables[player].nodes.entry(view).or_insert_with(|| {
            *bytes += 96 + legal.len() * 12;
            let zeros = vec![0.0; legal.len()];
            std::sync::Arc::new(Node { legal: legal.into(), regrets: zeros.clone().into(), sums: zeros.into() })
        });
        std::sync::Arc::get_mut(node).expect("nodes are shared only when sampling is over")
    }

    /// The mean goals in matches played with the average strategies, and their errors.
    fn evaluate(&mut self, control: &Control) -> (Vec<f64>, Vec<f64>) {
        let players = self.tables.len();
        let (mut sums, mut squares) = (vec![0.0; players], vec![0.0; players]);
        let mut matches = 0;
        while matches < MATCHES && (matches < 100 || control.stop().is_none()) {
            let goals = self.play_match();
            for (player, goal) in goals.into_iter().enumerate() {
                sums[player] += goal;
                squares[player] += goal * goal;
            }
            matches += 1;
        }
        let count = matches as f64;
        let means: Vec<f64> = sums.iter().map(|sum| sum / count).collect();
        let error = |(square, mean): (&f64, &f64)| 1.96 * ((square / count - mean * mean).max(0.0) / count).sqrt();
        let errors = squares.iter().zip(&means).map(error).collect();
        (means, errors)
    }

    fn play_match(&mut self) -> Vec<f64> {
        let mut state = self.game.rules.initial();
        let mut views = vec![0; self.tables.len()];
        for _ in 0..MAX_ROUNDS {
            if self.game.rules.terminal(&state) {
                break;
            }
            let mut joint = JointMove::new();
            for role in self.game.role_ids() {
                let legal = legal_moves(self.game, &state, role);
                if legal.is_empty() {
                    return self.goals(&state);
                }
                let table = self.tables.iter().position(|table| table.role == role);
                let node = table.and_then(|player| self.tables[player].nodes.get(&views[player]));
                let at = match node {
                    Some(node) if legal.len() > 1 => draw(&average(node), &mut self.rng),
                    _ => self.rng.random_range(0..legal.len()),
                };
                joint.push(legal[at]);
            }
            (state, views) = self.after(&state, &joint, &views);
        }
        self.goals(&state)
    }

    fn goals(&self, state: &State) -> Vec<f64> {
        let goal = |table: &Table| self.game.rules.goals(state, table.role).first().map_or(0.0, |&goal| goal as f64);
        self.tables.iter().map(goal).collect()
    }
}
