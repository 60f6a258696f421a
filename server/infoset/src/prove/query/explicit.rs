//! The answer by a search through all histories, one length at a time.
//!
//! Histories are merged into one "world" if they have the same state and the same moves and percepts for every role in
//! the question. `knows` examines the worlds of one length that the role cannot tell apart, so nested knowledge works
//! too. If no history continues, the answer is a proof.

use std::cell::{OnceCell, RefCell};

use percept_game::{Game, JointMove, MoveId, PerceptId, RoleId, State, States};
use rustc_hash::{FxHashMap, FxHashSet};

use super::reply::{Answer, Scope, Witness};
use super::sentence::Sentence;
use crate::Budget;
use percept_game::view::JointMoves;

/// The most memory for worlds and states, in bytes, by estimate.
const MOST_BYTES: usize = 1 << 31;
/// The bytes of a world, as a value and as a key, and of a state besides its words.
const WORLD_BYTES: usize = 240;
/// Histories of one length that no question can distinguish.
struct World {
    state: u32,
    /// For each role in the question, the number of its view.
    views: Box<[u32]>,
    /// One way to reach it: the world before, and the joint move.
    from: Option<(u32, JointMove)>,
}

/// A role's observation in a round: its move, its percepts, and the end of the match, if that is announced.
type Sight = (Option<MoveId>, Vec<PerceptId>, bool);

struct Search<'a> {
    game: &'a Game,
    announce_end: bool,
    roles: Vec<RoleId>,
    states: States,
    layers: Vec<Vec<World>>,
    /// The worlds of the last layer, for each role in the question and each of its views.
    groups: Vec<FxHashMap<u32, Vec<u32>>>,
    /// The knowledge of roles in the last layer, by the address of the sentence and the view. One pass over the worlds
    /// of a view answers for all of them.
    answers: RefCell<FxHashMap<(usize, u32), bool>>,
}

/// The budget is spent.
struct Spent;

/// Searches for a history in which the sentence is false.
pub(super) fn search(game: &Game, sentence: &Sentence, scope: &Scope, budget: &Budget) -> Answer {
    let mut search = Search::new(game, sentence, scope);
    loop {
        let rounds = search.layers.len() - 1;
        match search.find_failure(sentence, budget) {
            Err(Spent) => return Answer::open(rounds.checked_sub(1)),
            Ok(Some(world)) => {
                let mut instead = Vec::new();
                search.explain(world, sentence, &mut instead);
                return Answer::Fails {
                    witness: Witness { history: search.history(world), instead },
                    method: "explicit",
                };
            }
            Ok(None) => {}
        }
        if scope.rounds.is_some_and(|most| rounds >= most) {
            return Answer::Holds { method: "explicit" };
        }
        match search.deepen(budget) {
            Err(Spent) => return Answer::open(Some(rounds)),
            Ok(false) => return Answer::Holds { method: "explicit" },
            Ok(true) => {}
        }
        budget.report("all histories, rounds", rounds + 1, None);
    }
}

/// The facts of one world, looked up on first use.
struct Facts<'s> {
    game: &'s Game,
    state: &'s State,
    terminal: OnceCell<bool>,
    legal: Vec<OnceCell<FxHashSet<MoveId>>>,
    goals: Vec<OnceCell<Vec<i64>>>,
}

impl<'s> Facts<'s> {
    fn new(game: &'s Game, state: &'s State) -> Self {
        let roles = game.roles.len();
        let (legal, goals) = (vec![OnceCell::new(); roles], vec![OnceCell::new(); roles]);
        Facts { game, state, terminal: OnceCell::new(), legal, goals }
    }

    fn terminal(&self) -> bool {
        *self.terminal.get_or_init(|| self.game.rules.terminal(self.state))
    }

    fn legal(&self, role: RoleId) -> &FxHashSet<MoveId> {
        let legal = || match self.terminal() {
            true => FxHashSet::default(),
            false => self.game.rules.legal(self.state, role).into_iter().collect(),
        };
        self.legal[role.0 as usize].get_or_init(legal)
    }

    fn goals(&self, role: RoleId) -> &[i64] {
        self.goals[role.0 as usize].get_or_init(|| self.game.rules.goals(self.state, role))
    }
}

/// The value of a sentence in a state; `knows` answers for the knowledge of roles.
fn holds(facts: &Facts<'_>, sentence: &Sentence, knows: &dyn Fn(RoleId, &Sentence) -> bool) -> bool {
    match sentence {
        Sentence::Constant(value) => *value,
        Sentence::Terminal => facts.terminal(),
        Sentence::Fluent(fluent) => facts.state.has(*fluent),
        Sentence::Legal(role, mv) => facts.legal(*role).contains(mv),
        Sentence::Can(role) => facts.legal(*role).iter().any(|&mv| mv != MoveId::NOOP),
        Sentence::Goal(role, value) => facts.goals(*role).contains(value),
        Sentence::Number(register, value) => facts.state.registers.get(*register as usize) == Some(value),
        Sentence::Not(part) => !holds(facts, part, knows),
        Sentence::And(parts) => parts.iter().all(|part| holds(facts, part, knows)),
        Sentence::Or(parts) => parts.iter().any(|part| holds(facts, part, knows)),
        Sentence::Knows(role, part) => knows(*role, part),
    }
}

/// The value of a sentence in a state; `knows` answers for the knowledge of roles.
pub(super) fn value(
    game: &Game,
    state: &State,
    sentence: &Sentence,
    knows: &dyn Fn(RoleId, &Sentence) -> bool,
) -> bool {
    holds(&Facts::new(game, state), sentence, knows)
}

impl<'a> Search<'a> {
    fn new(game: &'a Game, sentence: &Sentence, scope: &Scope) -> Self {
        let mut roles = Vec::new();
        sentence.knowers(&mut roles);
        roles.sort_unstable();
        roles.dedup();
        let mut search = Search {
            game,
            announce_end: scope.announce_end,
            groups: vec![FxHashMap::default(); roles.len()],
            roles,
            states: States::default(),
            layers: Vec::new(),
            answers: RefCell::default(),
        };
        let state = search.states.insert(game.rules.initial()).0;
        let views = vec![0; search.roles.len()].into();
        search.layers.push(vec![World { state, views, from: None }]);
        search.group();
        search
    }

    fn last(&self) -> &[World] {
        self.layers.last().map(Vec::as_slice).unwrap_or_default()
    }

    fn group(&mut self) {
        self.answers.borrow_mut().clear();
        let mut groups = vec![FxHashMap::<u32, Vec<u32>>::default(); self.roles.len()];
        for (index, world) in self.last().iter().enumerate() {
            for (group, &view) in groups.iter_mut().zip(world.views.iter()) {
                group.entry(view).or_default().push(index as u32);
            }
        }
        self.groups = groups;
    }

    /// Extends all histories by one round. False if there are none.
    fn deepen(&mut self, budget: &Budget) -> Result<bool, Spent> {
        let mut fresh: Vec<World> = Vec::new();
        let mut keys: FxHashSet<(u32, Box<[u32]>)> = FxHashSet::default();
        let mut views: Vec<FxHashMap<(u32, Sight), u32>> = vec![FxHashMap::default(); self.roles.len()];
        let last = std::mem::take(self.layers.last_mut().ok_or(Spent)?);
        let mut at = self.game.start();
        for (index, world) in last.iter().enumerate() {
            at.go(&self.states[world.state]);
            if at.is_terminal() {
                continue;
            }
            for (count, joint) in JointMoves::at(self.game, &mut *at, RoleId(0), None).enumerate() {
                if count % 256 == 0 && (budget.stop().is_some() || self.bytes_with(fresh.len()) > MOST_BYTES) {
                    return Err(Spent);
                }
                let next = at.next(&joint);
                let over = self.announce_end && self.game.at(&next).is_terminal();
                let next = self.states.insert(next).0;
                let mut after = Vec::with_capacity(self.roles.len());
                for (place, &role) in self.roles.iter().enumerate() {
                    let own = self.game.own_move(role, &joint);
                    let seen = (own, at.percepts(&joint, role), over);
                    let number = views[place].len() as u32;
                    after.push(*views[place].entry((world.views[place], seen)).or_insert(number));
                }
                let key = (next, after.into_boxed_slice());
                if keys.insert(key.clone()) {
                    fresh.push(World { state: key.0, views: key.1, from: Some((index as u32, joint)) });
                }
            }
        }
        if let Some(slot) = self.layers.last_mut() {
            *slot = last;
        }
        let goes_on = !fresh.is_empty();
        self.layers.push(fresh);
        self.group();
        Ok(goes_on)
    }

    /// The bytes in use, with `fresh` worlds of a new layer.
    fn bytes_with(&self, fresh: usize) -> usize {
        let worlds: usize = self.layers.iter().map(Vec::len).sum();
        (worlds + fresh) * WORLD_BYTES + self.states.bytes()
    }

    /// A world of the last layer in which the sentence is false.
    fn find_failure(&self, sentence: &Sentence, budget: &Budget) -> Result<Option<u32>, Spent> {
        for world in 0..self.last().len() as u32 {
            if world % 256 == 0 && budget.stop().is_some() {
                return Err(Spent);
            }
            if !self.holds(world, sentence) {
                return Ok(Some(world));
            }
        }
        Ok(None)
    }

    fn holds(&self, world: u32, sentence: &Sentence) -> bool {
        let state = &self.states[self.last()[world as usize].state];
        value(self.game, state, sentence, &|role, part| self.knows(world, role, part))
    }

    fn knows(&self, world: u32, role: RoleId, part: &Sentence) -> bool {
        let key = (std::ptr::from_ref(part).addr(), self.view(world, role));
        if let Some(&holds) = self.answers.borrow().get(&key) {
            return holds;
        }
        let holds = self.same_view(world, role).iter().all(|&other| self.holds(other, part));
        self.answers.borrow_mut().insert(key, holds);
        holds
    }

    fn same_view(&self, world: u32, role: RoleId) -> &[u32] {
        let view = self.view(world, role);
        self.groups[self.place(role)].get(&view).map(Vec::as_slice).unwrap_or_default()
    }

    fn place(&self, role: RoleId) -> usize {
        self.roles.iter().position(|&other| other == role).unwrap_or_default()
    }

    fn view(&self, world: u32, role: RoleId) -> u32 {
        self.last()[world as usize].views[self.place(role)]
    }

    /// For each `knows` that makes the sentence false here, adds a history that the role considers possible and in
    /// which the known part is false.
    fn explain(&self, world: u32, sentence: &Sentence, found: &mut Vec<(RoleId, Vec<JointMove>)>) {
        match sentence {
            Sentence::And(parts) | Sentence::Or(parts) => {
                parts.iter().filter(|part| !self.holds(world, part)).for_each(|part| self.explain(world, part, found));
            }
            Sentence::Knows(role, part) => {
                let others = self.same_view(world, *role);
                let other = others.iter().find(|&&other| !self.holds(other, part));
                // A part that is false here is itself the reason, not the missing knowledge.
                if let Some(&other) = other.filter(|_| self.holds(world, part)) {
                    let instead = (*role, self.history(other));
                    if !found.contains(&instead) {
                        found.push(instead);
                    }
                }
            }
            _ => {}
        }
    }

    fn history(&self, world: u32) -> Vec<JointMove> {
        let mut rounds = Vec::new();
        let mut at = world;
        for layer in self.layers.iter().rev() {
            if let Some((before, joint)) = &layer[at as usize].from {
                rounds.push(joint.clone());
                at = *before;
            }
        }
        rounds.reverse();
        rounds
    }
}
