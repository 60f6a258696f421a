//! Heuristic rejection sampling (Algorithm 1): depth-first search through the possible moves of the others, in a given
//! order, cut off at the first round in which the role would have perceived something else.

use percept_game::{Cursor, Game, JointMove, MoveId};
use percept_infoset::{Budget, Guarantee, Member, Members, Pace, Report, Stop, View};
use rand::{Rng, SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;

use crate::retrace::Retrace;

/// The limit for the joint moves of the others that are listed in one state.
const MOST_MOVES: usize = 1 << 22;

/// The order in which the others' moves are tried at a state.
pub trait Order: Send {
    /// Sorts the joint moves of round `depth` (from 0); the last one is tried first.
    fn order(&mut self, at: &mut dyn Cursor, depth: usize, joints: &mut [JointMove]);

    /// Called when the search restarts; randomized orders draw another order from here on.
    fn anew(&mut self) {}
}

/// A uniformly random order: the paper's baseline.
pub struct AtRandom(Xoshiro256PlusPlus);

impl AtRandom {
    /// Creates an order drawn with this seed.
    pub fn new(seed: u64) -> AtRandom {
        AtRandom(Xoshiro256PlusPlus::seed_from_u64(seed))
    }
}

impl Order for AtRandom {
    fn order(&mut self, _: &mut dyn Cursor, _: usize, joints: &mut [JointMove]) {
        joints.shuffle(&mut self.0);
    }
}

/// The order of the game: naive search.
pub struct AsListed;

impl Order for AsListed {
    fn order(&mut self, _: &mut dyn Cursor, _: usize, joints: &mut [JointMove]) {
        joints.reverse();
    }
}

/// The order of a function of the round and the joint move, the greatest values first; equal values are in the order of
/// the game.
pub struct Given<F>(pub F);

impl<F: FnMut(&mut dyn Cursor, usize, &JointMove) -> f64 + Send> Order for Given<F> {
    fn order(&mut self, at: &mut dyn Cursor, depth: usize, joints: &mut [JointMove]) {
        joints.reverse();
        joints.sort_by_cached_key(|joint| OrderedValue((self.0)(at, depth, joint)));
    }
}

/// A number that can be sorted.
#[derive(PartialEq)]
struct OrderedValue(f64);

impl Eq for OrderedValue {}

impl PartialOrd for OrderedValue {
    fn partial_cmp(&self, other: &OrderedValue) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OrderedValue {
    fn cmp(&self, other: &OrderedValue) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// A state on the path with the joint moves that are still untried there.
struct Level<'a> {
    at: Box<dyn Cursor + 'a>,
    left: Vec<JointMove>,
}

/// The search: an iterator over histories of the information set, each once, simulated again.
pub struct Hrs<'a> {
    game: &'a Game,
    view: &'a View,
    order: Box<dyn Order + 'a>,
    budget: Budget,
    pace: Pace,
    retrace: Retrace<'a>,
    /// Cursors beyond `depth` are kept for later visits of the search.
    levels: Vec<Level<'a>>,
    /// The number of levels in use; 0 at the end of the search.
    depth: usize,
    history: Vec<JointMove>,
    started: bool,
    stopped: Option<Stop>,
    nodes: u64,
    most_nodes: u64,
    /// The number of joint moves without a new history after which the search restarts.
    patience: Option<u64>,
    /// The number of joint moves since the last new history.
    vain: u64,
    /// The histories found so far, if the search has patience.
    histories: FxHashSet<Vec<JointMove>>,
}

impl<'a> Hrs<'a> {
    /// Ends the search after `joint_moves` joint moves, with [`Stop::Enough`].
    pub fn within(self, joint_moves: u64) -> Hrs<'a> {
        Hrs { most_nodes: joint_moves, ..self }
    }

    /// Creates a search for histories with the view `view`; joint moves are tried in this order.
    pub fn new(game: &'a Game, view: &'a View, order: Box<dyn Order + 'a>, budget: Budget) -> Hrs<'a> {
        Hrs {
            game,
            view,
            order,
            budget,
            retrace: Retrace::new(game, view),
            levels: vec![],
            depth: 0,
            history: vec![],
            started: false,
            stopped: None,
            nodes: 0,
            pace: Pace::default(),
            most_nodes: u64::MAX,
            patience: None,
            vain: 0,
            histories: FxHashSet::default(),
        }
    }

    /// Restarts the search in another order after `joint_moves` joint moves in vain, and the next time after a quarter
    /// more: a search with an early wrong turn would spend all of its time below it. Every history is still found once.
    pub fn anew_after(self, joint_moves: u64) -> Hrs<'a> {
        Hrs { patience: Some(joint_moves.max(1)), ..self }
    }

    fn begin_anew(&mut self) {
        self.vain = 0;
        self.patience = self.patience.map(|it| it.saturating_add(it.div_ceil(4)));
        self.order.anew();
        self.history.clear();
        self.depth = 0;
        self.open();
    }

    /// The number of joint moves tried.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Opens the level of a state that is not terminal.
    fn open(&mut self) {
        let depth = self.depth;
        let own = self.view.rounds[depth].own;
        let level = &mut self.levels[depth];
        self.depth += 1;
        level.left.clear();
        if level.at.is_terminal() {
            return;
        }
        let legal: Vec<Vec<MoveId>> = self
            .game
            .role_ids()
            .map(|role| {
                let mut legal = level.at.legal(role);
                if let Some(own) = own.filter(|_| role == self.view.role) {
                    legal.retain(|&mv| mv == own);
                    legal.truncate(1);
                }
                legal
            })
            .collect();
        let count = legal.iter().try_fold(1usize, |count, moves| count.checked_mul(moves.len()));
        if count.is_none_or(|count| count > MOST_MOVES) {
            self.stopped = Some(Stop::OutOfMemory);
            return;
        }
        level.left.extend(percept_game::joint_moves(&legal));
        self.order.order(&mut *level.at, depth, &mut level.left);
    }

    /// The next history, not yet re-simulated.
    pub fn next_history(&mut self) -> Option<&[JointMove]> {
        if !self.started {
            self.started = true;
            if self.view.is_empty() {
                return Some(&self.history);
            }
            self.levels.push(Level { at: self.game.start(), left: vec![] });
            self.open();
        }
        loop {
            self.stopped = self.stopped.or_else(|| self.pace.stop(&self.budget));
            if self.nodes >= self.most_nodes {
                self.stopped = self.stopped.or(Some(Stop::Enough));
            }
            if self.stopped.is_some() {
                return None;
            }
            if self.patience.is_some_and(|patience| self.vain >= patience) {
                self.begin_anew();
            }
            let depth = self.depth.checked_sub(1)?;
            self.history.truncate(depth);
            let level = &mut self.levels[depth];
            let Some(joint) = level.left.pop() else {
                self.depth = depth;
                continue;
            };
            self.nodes += 1;
            self.vain += 1;
            if level.at.percepts(&joint, self.view.role) != self.view.rounds[depth].percepts {
                continue;
            }
            if depth + 1 == self.view.len() {
                self.history.push(joint);
                if self.patience.is_some() && !self.histories.insert(self.history.clone()) {
                    continue;
                }
                self.vain = 0;
                return Some(&self.history);
            }
            let next = level.at.next(&joint);
            self.history.push(joint);
            match self.levels.get_mut(depth + 1) {
                Some(level) => level.at.go(&next),
                None => self.levels.push(Level { at: self.game.at(&next), left: vec![] }),
            }
            self.open();
        }
    }
}

impl Iterator for Hrs<'_> {
    type Item = Member;

    fn next(&mut self) -> Option<Member> {
        self.next_history()?;
        let member = self.retrace.member(&self.history);
        debug_assert!(member.is_some(), "the search came upon a history that is not a member");
        member
    }
}

impl Members for Hrs<'_> {
    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    fn complete(&self) -> bool {
        self.started && self.depth == 0 && self.stopped.is_none()
    }
}

/// Runs a search and reports its results as the other methods do. `method`: the name of the method; `limit`: the
/// maximum number of members.
pub fn report(search: &mut Hrs<'_>, method: &'static str, limit: usize) -> Report {
    let begin = std::time::Instant::now();
    let members: Vec<Member> = search.by_ref().take(limit).collect();
    let complete = members.len() < limit && search.complete();
    let states: rustc_hash::FxHashSet<_> = members.iter().map(|member| &member.state).collect();
    let ln = members.iter().map(|member| member.ln_probability);
    let greatest = ln.clone().fold(f64::NEG_INFINITY, f64::max);
    let ln_mass =
        if members.is_empty() { greatest } else { greatest + ln.map(|it| (it - greatest).exp()).sum::<f64>().ln() };
    Report {
        method,
        why: format!("{} joint moves tried", search.nodes()),
        guarantee: if complete { Guarantee::All } else { Guarantee::Found },
        complete,
        histories: members.len().into(),
        states: states.len(),
        stopped: search.stopped().or((!complete).then_some(Stop::Enough)),
        estimate: None,
        effective: None,
        ln_mass: complete.then_some(ln_mass),
        seconds: begin.elapsed().as_secs_f64(),
        members,
    }
}

/// Derives a separate seed for each pair of a seed and an index.
pub(crate) fn seed_of(seed: u64, index: u64) -> u64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    rng.random()
}
