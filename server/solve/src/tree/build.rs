//! Builds the tree round by round over *positions*: a state, the views of all players, and the last sequence of each
//! player. Histories that agree in these are one position from then on, with a count.

use std::hash::{BuildHasher, Hash, Hasher};
use std::ops::Range;

use hashbrown::HashTable;
use num_bigint::BigUint;
use percept_game::{Game, JointMove, MoveId, PerceptId, RoleId, State, joint_moves};
use percept_infoset::{Budget, Pace, Progress};
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};

use super::count::count;
use super::refused::BuildError;
use super::{Chance, Infoset, Leaf, Tree, Treeplex, Views};

/// The limits of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Space {
    /// The most bytes for positions, views and leaves.
    pub bytes: usize,
}

impl Default for Space {
    fn default() -> Space {
        Space { bytes: 2 << 30 }
    }
}

/// The most rounds of a match in a tree.
const MAX_ROUNDS: usize = 10_000;
/// The number of positions expanded between two checks of the budget.
const CHUNK: usize = 2_048;
/// The most states counted for the message that a tree is too large.
const COUNTED: usize = 300_000;

/// The legal moves of a role, in an order that does not depend on the state.
pub(crate) fn legal_moves(game: &Game, state: &State, role: RoleId) -> Vec<MoveId> {
    let mut legal = game.rules.legal(state, role);
    legal.sort_unstable();
    legal
}

/// A state with the knowledge of all roles. `key`: a view per role, a sequence per player, the chance.
struct Position {
    state: State,
    key: Box<[u32]>,
    histories: u64,
}

/// The rules' answer about a position.
enum PositionAnswer {
    Over(Vec<Vec<i64>>),
    On(Vec<Vec<MoveId>>),
}

/// The result of a joint move: the state, and the percepts of each role.
struct Successor {
    joint: JointMove,
    state: State,
    percepts: Vec<Vec<PerceptId>>,
}

/// The choices of a player at some views, taken from the first position with these views.
struct Decision {
    /// The legal moves of each member.
    legal: Vec<Vec<MoveId>>,
    parent: u32,
    /// The information set; `u32::MAX` if there is no choice.
    infoset: u32,
}

/// The decisions, by the views of the members.
type Decisions = FxHashMap<Box<[u32]>, Decision>;

struct Builder<'g> {
    game: &'g Game,
    /// The roles of the first player, then those of the second, and so on.
    roles: Vec<RoleId>,
    /// The range of each player in `roles`.
    members: Vec<Range<usize>>,
    tree: Tree,
    chance_ids: FxHashMap<u128, u32>,
    outcome_ids: FxHashMap<Vec<i64>, u32>,
    round: usize,
}

/// Builds the extensive form, with one player for each role that is not chance.
///
/// # Errors
/// See [`BuildError`]. If the tree does not fit, the error has the size of the game.
pub fn build(game: &Game, space: &Space, budget: &Budget) -> Result<Tree, BuildError> {
    let roles = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance);
    build_for(game, &roles.map(|role| vec![role]).collect::<Vec<_>>(), space, budget)
}

/// Builds the extensive form in which each of `teams` is one player, which has its members' views and makes all their
/// moves at once. Its moves are joint ones, so [`Treeplex::moves`] has no meaning for a team with several members.
/// [`Tree::views`] and [`Tree::outcomes`] are by role, those of the first team first.
///
/// # Errors
/// Like [`build`].
pub fn build_for(game: &Game, teams: &[Vec<RoleId>], space: &Space, budget: &Budget) -> Result<Tree, BuildError> {
    let tree = expanded(game, teams, space, budget);
    // A state that is too large for the rules looks as if it had no moves.
    game.rules.fault().map_or(tree, |fault| Err(BuildError::Incomplete(fault.message)))
}

fn expanded(game: &Game, teams: &[Vec<RoleId>], space: &Space, budget: &Budget) -> Result<Tree, BuildError> {
    let roles = teams.concat();
    if roles.is_empty() {
        return Err(BuildError::NoPlayers);
    }
    let mut end = 0;
    let members = teams.iter().map(|team| {
        end += team.len();
        end - team.len()..end
    });
    let members: Vec<Range<usize>> = members.collect();
    let players = teams.len();
    let tree = Tree {
        players: teams.iter().map(|team| Treeplex::new(team[0])).collect(),
        views: vec![Views::default(); roles.len()],
        ends: Vec::new(),
        leaves: Vec::new(),
        chances: vec![Chance { probability: 1.0, one_over: Some(1) }],
        outcomes: Vec::new(),
        positions: 0,
        histories: 0.0,
        rounds: 0,
    };
    let mut builder = Builder {
        game,
        roles: Vec::new(),
        members,
        tree,
        chance_ids: FxHashMap::from_iter([(1, 0)]),
        outcome_ids: FxHashMap::default(),
        round: 0,
    };
    let key = vec![0; roles.len() + players + 1].into();
    let start = Position { state: game.rules.initial(), key, histories: 1 };
    builder.roles = roles;
    let mut layer = vec![start];
    while !layer.is_empty() {
        layer = builder.advance(layer, space, budget)?;
        if builder.round > MAX_ROUNDS {
            return Err(BuildError::Endless(MAX_ROUNDS));
        }
    }
    builder.tree.rounds = builder.round.saturating_sub(1);
    merge(&mut builder.tree);
    Ok(builder.tree)
}

impl Builder<'_> {
    fn name(&self, at: usize) -> String {
        self.game.roles[self.roles[at].0 as usize].name.clone()
    }

    /// The players' sequences in a position's key.
    fn sequences(&self) -> Range<usize> {
        self.roles.len()..self.roles.len() + self.members.len()
    }

    /// Settles the positions of a round and returns those of the next.
    fn advance(&mut self, layer: Vec<Position>, space: &Space, budget: &Budget) -> Result<Vec<Position>, BuildError> {
        self.tree.positions += layer.len() as u64;
        self.tree.histories += layer.iter().map(|position| position.histories as f64).sum::<f64>();
        // A layer can take minutes. A partial layer is not used, because the check after it fails.
        let ask = |position: &Position| match budget.stop() {
            None => self.ask(&position.state),
            Some(_) => PositionAnswer::Over(Vec::new()),
        };
        let answers: Vec<PositionAnswer> = layer.par_iter().map(ask).collect();
        budget.check()?;
        let decisions = self.settle(&layer, &answers, budget)?;
        self.tree.views.iter_mut().for_each(Views::next_round);
        let mut next = Next::default();
        let (mut done, mut pace) = (0, Pace::default());
        for (positions, answers) in layer.chunks(CHUNK).zip(answers.chunks(CHUNK)) {
            budget.check()?;
            let expanded: Vec<Vec<Successor>> = positions
                .par_iter()
                .zip(answers)
                .map(|(position, answer)| match answer {
                    PositionAnswer::Over(_) => Vec::new(),
                    PositionAnswer::On(legal) => self.successors(&position.state, legal, budget),
                })
                .collect();
            budget.check()?;
            for ((position, answer), successors) in positions.iter().zip(answers).zip(expanded) {
                let PositionAnswer::On(legal) = answer else { continue };
                pace.check(budget)?;
                let chance = self.chance(position.key[self.sequences().end], legal);
                for successor in successors {
                    self.enter(&mut next, position, successor, chance, &decisions);
                }
            }
            done += positions.len();
            let positions = self.tree.positions + next.positions.len() as u64;
            self.check_space(layer.len() + next.positions.len(), space, positions, budget)?;
            say(budget, self.round, done, layer.len());
        }
        self.round += 1;
        Ok(next.positions)
    }

    fn ask(&self, state: &State) -> PositionAnswer {
        let rules = &self.game.rules;
        if rules.terminal(state) {
            return PositionAnswer::Over(self.roles.iter().map(|&role| rules.goals(state, role)).collect());
        }
        PositionAnswer::On(self.game.role_ids().map(|role| legal_moves(self.game, state, role)).collect())
    }

    /// The successors of a state. If the work is stopped, some are missing, and they are not used.
    fn successors(&self, state: &State, legal: &[Vec<MoveId>], budget: &Budget) -> Vec<Successor> {
        let mut at = self.game.at(state);
        let follow = |joint: JointMove| {
            let percepts = self.roles.iter().map(|&role| at.percepts(&joint, role)).collect();
            Successor { percepts, state: at.next(&joint), joint }
        };
        joint_moves(legal).take_while(|_| !budget.is_spent()).map(follow).collect()
    }

    /// Makes leaves of the positions that are over, and information sets of the others. Returns the decisions of each
    /// player at the views of this round.
    fn settle(
        &mut self,
        layer: &[Position],
        answers: &[PositionAnswer],
        budget: &Budget,
    ) -> Result<Vec<Decisions>, BuildError> {
        let mut decisions: Vec<Decisions> = self.members.iter().map(|_| Decisions::default()).collect();
        let mut pace = Pace::default();
        for (position, answer) in layer.iter().zip(answers) {
            pace.check(budget)?;
            match answer {
                PositionAnswer::Over(goals) => self.end(position, goals)?,
                PositionAnswer::On(legal) => {
                    if let Some(role) = legal.iter().position(Vec::is_empty) {
                        let role = self.game.roles[role].name.clone();
                        return Err(BuildError::Stuck { role, round: self.round });
                    }
                    for (player, decisions) in decisions.iter_mut().enumerate() {
                        self.decide(player, position, legal, decisions)?;
                    }
                }
            }
        }
        Ok(decisions)
    }

    fn end(&mut self, position: &Position, goals: &[Vec<i64>]) -> Result<(), BuildError> {
        if let Some(at) = goals.iter().position(|goals| goals.len() != 1) {
            let goals = goals[at].clone();
            return Err(BuildError::Goals { role: self.name(at), round: self.round, goals });
        }
        let goals: Vec<i64> = goals.iter().map(|goals| goals[0]).collect();
        let fresh = self.outcome_ids.len() as u32;
        let outcome = *self.outcome_ids.entry(goals.clone()).or_insert(fresh);
        if outcome == fresh {
            self.tree.outcomes.push(goals);
        }
        let sequences = self.sequences();
        self.tree.ends.extend_from_slice(&position.key[sequences.clone()]);
        let chance = position.key[sequences.end];
        self.tree.leaves.push(Leaf { histories: position.histories, chance, outcome });
        Ok(())
    }

    fn decide(
        &mut self,
        player: usize,
        position: &Position,
        legal: &[Vec<MoveId>],
        decisions: &mut Decisions,
    ) -> Result<(), BuildError> {
        let members = self.members[player].clone();
        let views = &position.key[members.clone()];
        let parent = position.key[self.sequences().start + player];
        let of_role = |at: usize| &legal[self.roles[at].0 as usize];
        let count: usize = members.clone().map(|at| of_role(at).len()).product();
        if let Some(old) = decisions.get(views) {
            if let Some(at) = members.clone().find(|&at| old.legal[at - members.start] != *of_role(at)) {
                let (one, other) = (&old.legal[at - members.start], of_role(at));
                return Err(BuildError::unknown_moves(self.game, self.roles[at], self.round, one, other));
            }
            if old.parent != parent && count > 1 {
                let what = self.forgotten(player, old.parent, parent);
                return Err(BuildError::Forgets { role: self.name(members.start), round: self.round, what });
            }
            return Ok(());
        }
        let legal: Vec<Vec<MoveId>> = members.clone().map(|at| of_role(at).clone()).collect();
        let mut infoset = u32::MAX;
        if count > 1 {
            let plex = &mut self.tree.players[player];
            infoset = plex.infosets.len() as u32;
            let (first, round) = (plex.moves.len() as u32, self.round as u32);
            plex.infosets.push(Infoset { parent, first, moves: count as u32, view: views[0], round });
            match &legal[..] {
                [only] => plex.moves.extend_from_slice(only),
                _ => plex.moves.extend((0..count).map(|place| MoveId(place as u32))),
            }
        }
        decisions.insert(views.into(), Decision { legal, parent, infoset });
        Ok(())
    }

    /// Describes the move in which two sequences of a player differ. It cannot tell the two apart, because it does not
    /// know its own moves ([`percept_infoset::own`]), and it has to move again.
    fn forgotten(&self, player: usize, one: u32, other: u32) -> String {
        let (plex, members) = (&self.tree.players[player], &self.members[player]);
        let owners = plex.owners();
        // The moves of a sequence with their rounds, the last round first.
        let way = |mut sequence: u32| {
            let mut way = Vec::new();
            while let Some(infoset) = plex.infosets.get(owners[sequence as usize] as usize) {
                way.push((infoset.round, plex.moves[sequence as usize]));
                sequence = infoset.parent;
            }
            way
        };
        let (one, other) = (way(one), way(other));
        let made = |way: &[(u32, MoveId)], round: u32| way.iter().find(|it| it.0 == round).map(|it| it.1);
        let rounds = one.iter().chain(&other).map(|it| it.0);
        let parting = rounds.filter(|&round| made(&one, round) != made(&other, round)).min();
        match parting.map(|round| (round, made(&one, round), made(&other, round))) {
            // The moves of several roles at once have no name.
            Some((round, Some(one), Some(other))) if members.len() == 1 => {
                let name = |mv| self.game.rules.move_name(self.roles[members.start], mv);
                format!("whether it made `{}` or `{}` in round {}", name(one), name(other), round + 1)
            }
            Some((round, ..)) => format!("its own move of round {}", round + 1),
            None => "one of its own earlier moves".into(),
        }
    }

    /// The probability of chance after a round in which the roles had these moves.
    fn chance(&mut self, before: u32, legal: &[Vec<MoveId>]) -> u32 {
        let chance = self.game.roles.iter().zip(legal).filter(|(role, _)| role.is_chance);
        let ways: u128 = chance.map(|(_, moves)| moves.len() as u128).product();
        if ways == 1 {
            return before;
        }
        let chance = self.tree.chances[before as usize];
        let probability = chance.probability / ways as f64;
        let one_over = chance.one_over.and_then(|one_over| one_over.checked_mul(ways)).filter(|&it| it >> 127 == 0);
        // If exact numbers do not suffice, the bits of the floating-point number identify a probability; their highest
        // bit marks this.
        let key = one_over.unwrap_or(1 << 127 | u128::from(probability.to_bits()));
        let fresh = self.tree.chances.len() as u32;
        let id = *self.chance_ids.entry(key).or_insert(fresh);
        if id == fresh {
            self.tree.chances.push(Chance { probability, one_over });
        }
        id
    }

    fn enter(
        &mut self,
        next: &mut Next,
        position: &Position,
        successor: Successor,
        chance: u32,
        decisions: &[Decisions],
    ) {
        let sequences = self.sequences();
        let mut key = position.key.clone();
        key[sequences.end] = chance;
        for (at, &role) in self.roles.iter().enumerate() {
            let own = self.game.knows_own_moves.then(|| successor.joint[role.0 as usize]);
            key[at] = self.tree.views[at].after(position.key[at], own, &successor.percepts[at]);
        }
        for (player, members) in self.members.iter().enumerate() {
            let decision = &decisions[player][&position.key[members.clone()]];
            if decision.infoset == u32::MAX {
                continue;
            }
            let place = self.roles[members.clone()].iter().zip(&decision.legal).fold(0, |place, (role, legal)| {
                let mv = successor.joint[role.0 as usize];
                place * legal.len() + legal.binary_search(&mv).expect("a successor's moves are legal")
            });
            let infoset = self.tree.players[player].infosets[decision.infoset as usize];
            key[sequences.start + player] = infoset.first + place as u32;
        }
        next.add(Position { state: successor.state, key, histories: position.histories });
    }

    fn check_space(&self, held: usize, space: &Space, positions: u64, budget: &Budget) -> Result<(), BuildError> {
        let players = self.members.len();
        let state = self.game.rules.fluent_count().div_ceil(64) * 8 + 120 + (self.roles.len() + players + 1) * 4;
        let views: usize = self.tree.views.iter().map(|views| views.len() * Views::BYTES).sum();
        let infosets: usize =
            self.tree.players.iter().map(|plex| plex.infosets.len() * 24 + plex.sequences() * 4).sum();
        let leaves = self.tree.leaves.len() * (size_of::<Leaf>() + 4 * players);
        if held * state + views + infosets + leaves <= space.bytes {
            return Ok(());
        }
        let size = count(self.game, COUNTED, budget);
        Err(BuildError::TooLarge { round: self.round, positions, space: space.bytes, size })
    }
}

fn say(budget: &Budget, round: usize, done: usize, total: usize) {
    if let Some(listener) = &budget.progress
        && total > CHUNK
    {
        let what = if round < 1 { "building the tree" } else { "building the tree, positions of a round" };
        listener(&Progress { what, done: done as u64, total: Some(total as u64) });
    }
}

/// The positions of the next round, without duplicates.
#[derive(Default)]
struct Next {
    positions: Vec<Position>,
    ids: HashTable<u32>,
}

fn hash(position: &Position) -> u64 {
    let mut hasher: FxHasher = FxBuildHasher.build_hasher();
    position.state.hash(&mut hasher);
    position.key.hash(&mut hasher);
    hasher.finish()
}

impl Next {
    fn add(&mut self, position: Position) {
        let key = hash(&position);
        let positions = &mut self.positions;
        let same = |&id: &u32| {
            let old = &positions[id as usize];
            old.key == position.key && old.state == position.state
        };
        if let Some(&id) = self.ids.find(key, same) {
            let old = &mut positions[id as usize];
            // If the sum of the counts would overflow, the position is added a second time.
            if let Some(sum) = old.histories.checked_add(position.histories) {
                old.histories = sum;
                return;
            }
        }
        let id = positions.len() as u32;
        positions.push(position);
        self.ids.insert_unique(key, id, |&id| hash(&positions[id as usize]));
    }
}

/// Merges leaves with the same sequences, chance and outcome, and sorts them by their sequences.
fn merge(tree: &mut Tree) {
    let players = tree.players.len();
    let mut order: Vec<u32> = (0..tree.leaves.len() as u32).collect();
    let key = |&at: &u32| {
        let leaf = &tree.leaves[at as usize];
        (tree.sequences(at as usize), leaf.outcome, leaf.chance)
    };
    order.par_sort_unstable_by(|left, right| key(left).cmp(&key(right)));
    let mut ends: Vec<u32> = Vec::new();
    let mut leaves: Vec<Leaf> = Vec::new();
    for &at in &order {
        let (leaf, sequences) = (tree.leaves[at as usize], tree.sequences(at as usize));
        if let Some(last) = leaves.last_mut()
            && (last.outcome, last.chance) == (leaf.outcome, leaf.chance)
            && ends[ends.len() - players..] == *sequences
            && let Some(sum) = last.histories.checked_add(leaf.histories)
        {
            last.histories = sum;
            continue;
        }
        leaves.push(leaf);
        ends.extend_from_slice(sequences);
    }
    (tree.ends, tree.leaves) = (ends, leaves);
}

/// The probability of a leaf's chance moves as an exact fraction: numerator and denominator.
pub(crate) fn exact_weight(tree: &Tree, leaf: usize) -> Option<(BigUint, BigUint)> {
    let leaf = &tree.leaves[leaf];
    let one_over = tree.chances[leaf.chance as usize].one_over?;
    Some((BigUint::from(leaf.histories), BigUint::from(one_over)))
}
