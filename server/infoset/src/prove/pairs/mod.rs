//! Explicit search over pairs of states: exact for games with few states, and a proof if it ends.
//!
//! A pair is reachable if two matches of the same length lead to its two states with the same own moves and the same
//! percepts in every round. The search is breadth first by length, so the first difference is a shortest one. Every
//! pair is kept once, the smaller state first, with the pair it came from, to lead back to the beginning. If the game
//! has symmetries that fix every role, one pair of each orbit is enough: the other matches, and the role's observations
//! in them, are the same under other names.

pub(super) mod own;

use std::ops::ControlFlow;
use std::sync::Arc;

use percept_game::symmetry::{Symmetries, Symmetry};
use percept_game::view::JointMoves;
use percept_game::{Cursor, Game, JointMove, MoveId, PerceptId, RoleId, State, States};
use rustc_hash::{FxHashMap, FxHashSet};

use super::findings::{Argument, Pair, Verdict, is_real, proved};
use crate::verdict::{Property, Value};
use crate::{Budget, Pace, Stop};

/// A role's observation in a round: its own move, if it knows it, and its percepts.
type Sight = (Option<MoveId>, Vec<PerceptId>);

/// The role's observations, by number, and the next states; sorted, without repeats.
type Successors = Arc<[(u32, u32)]>;

/// Memory that pairs, states and their successors may take, in bytes, by estimate.
const MOST_BYTES: usize = 1 << 31;
/// The search gives up if the next layer is expected to take this many times the memory.
const HOPELESS: usize = 64;

/// The bytes of a pair: in its layer, with its origin, and among the pairs seen.
const PAIR_BYTES: usize = 28;
/// The most symmetries used, because each pair is mapped by each of them.
const MOST_SYMMETRIES: usize = 64;

/// The search, layer by layer.
pub struct Pairs<'a> {
    game: &'a Game,
    role: RoleId,
    states: States,
    /// For each state, its successors by the role's observation, sorted and without repeats; computed on first use.
    next: Vec<Option<Successors>>,
    sights: FxHashMap<Sight, u32>,
    seen: FxHashSet<u64>,
    layers: Vec<Vec<u64>>,
    /// For each layer and pair, the index of the pair that it came from in the previous layer.
    from: Vec<Vec<u32>>,
    /// The symmetries, the identity first; empty if pairs are identified by their states alone.
    symmetries: Vec<Symmetry>,
    /// For each state, its image under each symmetry; computed on first use.
    images: Vec<Option<Box<[u32]>>>,
    /// The bytes of states and successors.
    held: usize,
    pace: Pace,
}

/// The statistics of one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The number of rounds played.
    pub depth: usize,
    /// The pairs that are new in this layer, including pairs of a state with itself.
    pub pairs: u64,
    /// The pairs in which the property differs, counted in both orders.
    pub differing: u64,
}

const fn pack(a: u32, b: u32) -> u64 {
    if a <= b { (a as u64) << 32 | b as u64 } else { (b as u64) << 32 | a as u64 }
}

const fn unpack(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

impl<'a> Pairs<'a> {
    /// A search that begins with the pair of the initial state with itself.
    pub fn new(game: &'a Game, role: RoleId) -> Self {
        Pairs::up_to(game, role, &Symmetries::default())
    }

    /// Like [`Pairs::new`], with only one pair of each orbit under these symmetries.
    pub fn up_to(game: &'a Game, role: RoleId, symmetries: &Symmetries) -> Self {
        let mut search = Pairs {
            game,
            role,
            states: States::default(),
            next: Vec::new(),
            sights: FxHashMap::default(),
            seen: FxHashSet::default(),
            layers: Vec::new(),
            from: vec![Vec::new()],
            symmetries: symmetries.elements(MOST_SYMMETRIES),
            images: Vec::new(),
            held: 0,
            pace: Pace::default(),
        };
        let first = search.intern(game.rules.initial());
        search.seen.insert(pack(first, first));
        search.layers.push(vec![pack(first, first)]);
        search
    }

    fn intern(&mut self, state: State) -> u32 {
        let (id, is_new) = self.states.insert(state);
        if is_new {
            self.next.push(None);
            self.images.push(None);
        }
        id
    }

    /// The canonical pair of this one's orbit. `None` if a limit was reached.
    fn canonical(&mut self, a: u32, b: u32, budget: &Budget) -> Option<u64> {
        self.within_limits(budget)?;
        if self.symmetries.is_empty() {
            return Some(pack(a, b));
        }
        self.find_images(a);
        self.find_images(b);
        let images = |state: u32| self.images[state as usize].as_deref().unwrap_or_default().iter();
        images(a).zip(images(b)).map(|(&a, &b)| pack(a, b)).min().or(Some(pack(a, b)))
    }

    /// Computes the images of a state, once.
    fn find_images(&mut self, id: u32) {
        if self.images[id as usize].is_some() {
            return;
        }
        let state = self.states[id].clone();
        let images: Vec<State> = self.symmetries.iter().map(|symmetry| symmetry.state(&state)).collect();
        let images: Box<[u32]> = images.into_iter().map(|image| self.intern(image)).collect();
        self.held += size_of_val(&*images);
        self.images[id as usize] = Some(images);
    }

    /// The statistics of the deepest layer for the property, and a pair that differs in it, if there is one.
    pub fn look(&self, property: Property) -> (Layer, Option<u64>) {
        let budget = Budget::default();
        let mut differing = self.differing(property, &budget);
        let first = differing.next();
        let differing = 2 * (u64::from(first.is_some()) + differing.count() as u64);
        (Layer { depth: self.depth(), pairs: self.layer().len() as u64, differing }, first)
    }

    /// A pair of the deepest layer that differs in the property. `Err` if time ran out.
    pub fn first(&self, property: Property, budget: &Budget) -> Result<Option<u64>, Stop> {
        let found = self.differing(property, budget).next();
        found.map_or_else(|| budget.check().map(|()| None), |pair| Ok(Some(pair)))
    }

    /// The number of rounds of the pairs in the deepest layer.
    pub fn depth(&self) -> usize {
        self.layers.len() - 1
    }

    fn layer(&self) -> &[u64] {
        self.layers.last().map(Vec::as_slice).unwrap_or_default()
    }

    /// The pairs of the deepest layer that differ in the property, as many as time allows.
    fn differing<'s>(&'s self, property: Property, budget: &'s Budget) -> impl Iterator<Item = u64> + 's {
        let (mut at, mut pace) = (self.game.start(), Pace::default());
        let mut values: FxHashMap<u32, Option<Value>> = FxHashMap::default();
        let in_time = move |_: &u64| pace.stop(budget).is_none();
        self.layer().iter().copied().take_while(in_time).filter(move |&pair| {
            let (a, b) = unpack(pair);
            if a == b {
                return false;
            }
            for state in [a, b] {
                values.entry(state).or_insert_with(|| {
                    at.go(&self.states[state]);
                    property.at(&mut *at, self.role)
                });
            }
            // If the property has no value in one of them, the two do not differ.
            matches!((&values[&a], &values[&b]), (Some(a), Some(b)) if a != b)
        })
    }

    /// Builds the next layer. `Some(false)` if it is empty, so that every reachable pair was seen. `None` if the budget
    /// was spent.
    pub fn deepen(&mut self, budget: &Budget) -> Option<bool> {
        self.is_hopeful().then_some(())?;
        let layer = self.layers.last().cloned().unwrap_or_default();
        let (mut next, mut from) = (Vec::new(), Vec::new());
        for (count, &pair) in layer.iter().enumerate() {
            let (a, b) = unpack(pair);
            _ = self.onward(a, b, budget, |search, _, a, b| {
                let pair = search.canonical(a, b, budget)?;
                if search.seen.insert(pair) {
                    next.push(pair);
                    from.push(count as u32);
                }
                Some(ControlFlow::<()>::Continue(()))
            })?;
        }
        let goes_on = !next.is_empty();
        self.layers.push(next);
        self.from.push(from);
        Some(goes_on)
    }

    /// False if the next layer, growing like the last one, would exceed the memory by far. Other methods then make
    /// better use of the time.
    fn is_hopeful(&self) -> bool {
        let [.., before, last] = &self.layers[..] else { return true };
        let next = last.len().saturating_mul(last.len()) / before.len().max(1);
        next.saturating_mul(PAIR_BYTES) < HOPELESS.saturating_mul(MOST_BYTES)
    }

    /// Calls `onward` with each observation that the two states share and the next states that have it, until it
    /// breaks; returns that break. `None` if a limit was reached.
    fn onward<T>(
        &mut self,
        a: u32,
        b: u32,
        budget: &Budget,
        mut show: impl FnMut(&mut Self, u32, u32, u32) -> Option<ControlFlow<T>>,
    ) -> Option<ControlFlow<T>> {
        let (left, right) = (self.successors(a, budget)?, self.successors(b, budget)?);
        for &(sight, a) in &*left {
            let begin = right.partition_point(|(other, _)| *other < sight);
            for &(_, b) in right[begin..].iter().take_while(|(other, _)| *other == sight) {
                if let found @ ControlFlow::Break(_) = show(self, sight, a, b)? {
                    return Some(found);
                }
            }
        }
        Some(ControlFlow::Continue(()))
    }

    /// `None` if the time is up or the memory used.
    fn within_limits(&mut self, budget: &Budget) -> Option<()> {
        let held = self.held + self.states.bytes() + PAIR_BYTES * self.seen.len();
        (held <= MOST_BYTES && self.pace.stop(budget).is_none()).then_some(())
    }

    /// The successors of a state, computed once. `None` if a limit was reached.
    fn successors(&mut self, id: u32, budget: &Budget) -> Option<Successors> {
        self.within_limits(budget)?;
        if let Some(next) = &self.next[id as usize] {
            return Some(next.clone());
        }
        let mut found: Vec<(u32, u32)> = Vec::new();
        let mut at = self.game.at(&self.states[id]);
        if !at.is_terminal() {
            for joint in JointMoves::at(self.game, &mut *at, self.role, None) {
                self.within_limits(budget)?;
                let to = self.intern(at.next(&joint));
                let sight = self.sight(&mut *at, &joint);
                let fresh = self.sights.len() as u32;
                found.push((*self.sights.entry(sight).or_insert(fresh), to));
            }
        }
        found.sort_unstable();
        found.dedup();
        self.held += size_of_val(&*found);
        let found: Successors = found.into();
        self.next[id as usize] = Some(found.clone());
        Some(found)
    }

    fn sight(&self, at: &mut dyn Cursor, joint: &[MoveId]) -> Sight {
        let own = self.game.own_move(self.role, joint);
        (own, at.percepts(joint, self.role))
    }

    /// Two matches that lead to a pair of the deepest layer, or to its image under some symmetry. The pairs on the way
    /// are found from the end, and the matches from the beginning: an image of a pair leads to images of its
    /// successors.
    pub fn histories(&mut self, pair: u64) -> (Vec<JointMove>, Vec<JointMove>) {
        let mut at = self.layer().iter().position(|it| *it == pair).unwrap_or(0);
        let mut way = Vec::new();
        for (layer, from) in self.layers.iter().zip(&self.from).skip(1).rev() {
            way.push(layer[at]);
            at = from[at] as usize;
        }
        let (mut a, mut b) = self.layers[0].first().map_or((0, 0), |pair| unpack(*pair));
        let mut rounds = Vec::new();
        for to in way.into_iter().rev() {
            let Some((sight, to_a, to_b)) = self.toward(a, b, to) else { break };
            rounds.extend(self.joint(a, to_a, sight).zip(self.joint(b, to_b, sight)));
            (a, b) = (to_a, to_b);
        }
        rounds.into_iter().unzip()
    }

    /// Two states, after a round from these two with the same observation of the role, that are this pair up to
    /// symmetry.
    fn toward(&mut self, a: u32, b: u32, to: u64) -> Option<(u32, u32, u32)> {
        let unlimited = Budget::default();
        let found = self.onward(a, b, &unlimited, |search, sight, a, b| {
            let is_it = search.canonical(a, b, &unlimited)? == to;
            Some(if is_it { ControlFlow::Break((sight, a, b)) } else { ControlFlow::Continue(()) })
        });
        found?.break_value()
    }

    /// A joint move from one state to the other that gives the role this observation.
    fn joint(&self, from: u32, to: u32, sight: u32) -> Option<JointMove> {
        let mut at = self.game.at(&self.states[from]);
        JointMoves::at(self.game, &mut *at, self.role, None).find(|joint| {
            self.sights.get(&self.sight(&mut *at, joint)) == Some(&sight)
                && self.states.find(&at.next(joint)) == Some(to)
        })
    }

    /// All states met so far, by number.
    pub fn states(&self) -> &[State] {
        self.states.list()
    }

    /// All pairs met so far, by the numbers of their states.
    pub fn all(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.seen.iter().map(|&pair| unpack(pair))
    }

    /// The number of pairs met so far.
    pub fn pair_count(&self) -> usize {
        self.seen.len()
    }
}

/// The whole search for a property of states; a pair is replayed before it counts. [`own::by_pairs`] does the same for
/// own moves. `time`: the budget for the next step.
pub(super) fn by_pairs<'b>(
    game: &Game,
    role: RoleId,
    property: Property,
    depth: Option<usize>,
    symmetries: &Symmetries,
    time: &dyn Fn() -> &'b Budget,
) -> Verdict {
    let mut search = Pairs::up_to(game, role, symmetries);
    loop {
        let budget = time();
        let rounds = search.depth();
        budget.report("pairs of states, rounds", rounds, None);
        match search.first(property, budget) {
            Ok(None) => {}
            Err(_) => return Verdict::Open { depth: rounds.saturating_sub(1) },
            Ok(Some(found)) => {
                let (left, right) = search.histories(found);
                let pair = Pair { left, right };
                // Search and replay use the same rules, so this is always real. If it is not, nothing may be claimed.
                return match is_real(game, role, property, &pair) {
                    true => Verdict::Refuted { pair, method: "pairs" },
                    false => Verdict::Open { depth: rounds.saturating_sub(1) },
                };
            }
        }
        if depth.is_some_and(|depth| rounds >= depth) {
            return Verdict::Open { depth: rounds };
        }
        match search.deepen(budget) {
            Some(true) => {}
            Some(false) => return proved("pairs", Argument::Pairs),
            None => return Verdict::Open { depth: rounds },
        }
    }
}
