//! Visits every reachable state of a small game: results that random matches only make likely are certain here.

use percept_game::gdl::{Declared, Watch as Names};
use percept_game::{Budget, FluentId, Game, JointMove, MoveId, Pace, RoleId, State, States, longest_way};

use crate::{Occasion, Watch};

/// The rules that watch.
type Watches<'w, 'a> = &'w mut [Box<dyn Watch + 'a>];

/// Limits on the visit.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The most states.
    pub states: usize,
    /// The most bytes for the states.
    pub bytes: usize,
    /// The most joint moves, over all states.
    pub joint_moves: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { states: 100_000, bytes: 512 << 20, joint_moves: 2_000_000 }
    }
}

/// The reason why not every state was visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GaveUp {
    /// More states than the budget allows.
    #[error("there are more than {0} states")]
    States(usize),
    /// States of more bytes than the budget allows.
    #[error("the states need more than {} MiB", .0 >> 20)]
    Bytes(usize),
    /// More joint moves than the budget allows.
    #[error("there are more than {0} joint moves")]
    JointMoves(usize),
    /// The rules cannot be evaluated in some state, so its successors are unknown.
    #[error("the rules cannot be followed in some state")]
    Incomplete,
    /// The time ran out after this many states.
    #[error("the time ran out after {0} states")]
    Time(usize),
}

/// Facts about every match. An example is given by the joint moves of a shortest match.
#[derive(Clone, Debug)]
pub struct Exhausted {
    /// The number of states.
    pub states: usize,
    /// The number of rounds of the longest match; `None` if a match can go on for ever.
    pub longest: Option<usize>,
    /// A match that returns to an earlier state, and the round after which it was first in that state.
    pub endless: Option<(usize, Vec<JointMove>)>,
    /// A match after which a role has no legal move, though it is not over.
    pub stuck: Option<(RoleId, Vec<JointMove>)>,
    /// For each role, a match after which it does not have exactly one goal value, with its values.
    pub goals: Vec<Option<(Vec<i64>, Vec<JointMove>)>>,
    /// For each role, a match in whose last round its goal value falls, with both values.
    pub falling: Vec<Option<(i64, i64, Vec<JointMove>)>>,
    /// For each role, the greatest goal value at the end of some match, and that match.
    pub best: Vec<Option<(i64, Vec<JointMove>)>>,
    /// A match after which it is the turn of several roles (POGDDL).
    pub turns: Option<(Vec<RoleId>, Vec<JointMove>)>,
    /// Instances that occur without being declared.
    pub undeclared: Undeclared,
}

/// Instances that occur without being declared ([`percept_game::gdl::Declared`]), each with the shortest match that
/// leads to it.
#[derive(Clone, Debug, Default)]
pub struct Undeclared {
    /// A fluent outside `base`.
    pub fluent: Option<(FluentId, Vec<JointMove>)>,
    /// A move outside `input`.
    pub mv: Option<(RoleId, MoveId, Vec<JointMove>)>,
}

/// The fluents that give the turn to a role, in games in which one role moves at a time.
pub fn turn_fluents(game: &Game) -> Vec<(RoleId, FluentId)> {
    if !game.is_sequential {
        return Vec::new();
    }
    let fluent = |role: RoleId| game.rules.fluent_named(&game.roles[role.0 as usize].turn());
    game.role_ids().filter_map(|role| Some((role, fluent(role)?))).collect()
}

/// The roles whose turn it is, by [`turn_fluents`].
pub fn turns(fluents: &[(RoleId, FluentId)], state: &State) -> Vec<RoleId> {
    fluents.iter().filter(|&&(_, fluent)| state.has(fluent)).map(|&(role, _)| role).collect()
}

/// The states found so far. Each has the state from which it was first reached, and the number of the joint move.
struct Space<'g> {
    game: &'g Game,
    states: States,
    parents: Vec<(u32, u32)>,
    /// The successors of all states, in the order of the states.
    edges: Vec<u32>,
    /// The index of the first successor of each visited state, with one final entry.
    starts: Vec<u32>,
}

impl Space<'_> {
    /// The space with only the first state.
    fn new(game: &Game) -> Space<'_> {
        let mut space =
            Space { game, states: States::default(), parents: Vec::new(), edges: Vec::new(), starts: vec![0] };
        space.id(game.rules.initial(), (0, 0));
        space
    }

    /// True if the bounds allow another state after `visited` states.
    fn within(&self, bounds: &Bounds, budget: &Budget, visited: usize) -> Result<(), GaveUp> {
        if self.states.len() > bounds.states {
            return Err(GaveUp::States(bounds.states));
        }
        if self.states.bytes() + self.edges.len() * 4 > bounds.bytes {
            return Err(GaveUp::Bytes(bounds.bytes));
        }
        self.sound()?;
        if budget.is_spent() {
            return Err(GaveUp::Time(visited));
        }
        Ok(())
    }

    /// Checks that all answers of the rules were complete.
    fn sound(&self) -> Result<(), GaveUp> {
        if self.game.rules.fault().is_some() { Err(GaveUp::Incomplete) } else { Ok(()) }
    }

    fn id(&mut self, state: State, parent: (u32, u32)) -> u32 {
        let (id, is_new) = self.states.insert(state);
        if is_new {
            self.parents.push(parent);
        }
        id
    }

    /// Adds the successors of a state, each once, and shows the rounds to `watches`; `false` if the time ran out first.
    fn expand(
        &mut self,
        id: u32,
        legal: &[Vec<MoveId>],
        count: usize,
        budget: &Budget,
        watches: Watches<'_, '_>,
    ) -> bool {
        let mut at = self.game.at(&self.states[id]);
        let state = &at.state().clone();
        let (mut successors, mut pace) = (Vec::with_capacity(count.min(1 << 16)), Pace::default());
        let price = self.game.price();
        for number in 0..count {
            budget.count(price);
            if pace.stop(budget).is_some() {
                return false;
            }
            let joint = joint(legal, number);
            let next = at.next(&joint);
            self.show(id, state, false, legal, |occasion| {
                watches.iter_mut().for_each(|watch| watch.round(occasion, &joint, &next));
            });
            successors.push(self.id(next, (id, number as u32)));
        }
        successors.sort_unstable();
        successors.dedup();
        self.edges.extend(successors);
        true
    }

    /// Shows a state to a watch.
    fn show(&self, id: u32, state: &State, is_terminal: bool, legal: &[Vec<MoveId>], look: impl FnOnce(&Occasion<'_>)) {
        let history = || self.history(id);
        look(&Occasion { game: self.game, state, is_terminal, legal, history: &history, is_shortest: true });
    }

    fn successors(&self, id: u32) -> &[u32] {
        let range = self.starts[id as usize] as usize..self.starts[id as usize + 1] as usize;
        &self.edges[range]
    }

    fn legal(&self, id: u32) -> Vec<Vec<MoveId>> {
        let mut at = self.game.at(&self.states[id]);
        self.game.role_ids().map(|role| at.legal(role)).collect()
    }

    /// The shortest match to a state.
    fn history(&self, mut id: u32) -> Vec<JointMove> {
        let mut rounds = Vec::new();
        while id != 0 {
            let (parent, number) = self.parents[id as usize];
            rounds.push(joint(&self.legal(parent), number as usize));
            id = parent;
        }
        rounds.reverse();
        rounds
    }

    /// The shortest match to a state, and on to one of its successors.
    fn history_to(&self, from: u32, to: u32) -> Vec<JointMove> {
        let mut rounds = self.history(from);
        let legal = self.legal(from);
        let mut at = self.game.at(&self.states[from]);
        let leads = |joint: &JointMove| at.next(joint) == self.states[to];
        let count = legal.iter().map(Vec::len).product();
        rounds.extend((0..count).map(|number| joint(&legal, number)).find(leads));
        rounds
    }

    /// The number of rounds of the longest path from the start, or the states of a cycle, with the first one again at
    /// the end.
    fn longest(&self) -> Result<usize, Vec<u32>> {
        longest_way(self.states.len(), |id| self.successors(id))
    }

    /// The shortest match to the first state of a cycle, and once around the cycle.
    fn around(&self, cycle: &[u32]) -> (usize, Vec<JointMove>) {
        let mut rounds = self.history(cycle[0]);
        let before = rounds.len();
        for pair in cycle.windows(2) {
            rounds.extend(self.history_to(pair[0], pair[1]).pop());
        }
        (before, rounds)
    }
}

/// The joint move with this number. If the rules have become too large for a state that they could evaluate before, a
/// role may have no move left. The caller then soon gives up ([`Space::sound`]).
fn joint(legal: &[Vec<MoveId>], mut number: usize) -> JointMove {
    let choose = |moves: &Vec<MoveId>| {
        let count = moves.len().max(1);
        let mv = moves.get(number % count).copied().unwrap_or(MoveId::NOOP);
        number /= count;
        mv
    };
    legal.iter().map(choose).collect()
}

/// Visits every reachable state, and reports the instances that contradict `declared`.
///
/// # Errors
/// If the bounds or the time were exhausted first.
pub fn exhaust(game: &Game, declared: &Declared, bounds: &Bounds, budget: &Budget) -> Result<Exhausted, GaveUp> {
    let mut visit = Visit::new(game, declared);
    while visit.values.len() < visit.space.states.len() {
        visit.space.within(bounds, budget, visit.values.len())?;
        visit.next(bounds, budget)?;
    }
    Ok(visit.finish())
}

/// Visits every reachable state and shows each of them, and each round, to `watches`, ordered by the length of the
/// shortest match that leads there. Returns the number of states.
///
/// # Errors
/// If the bounds or the time were exhausted first; all states up to there have been shown.
pub(crate) fn visit(game: &Game, bounds: &Bounds, budget: &Budget, watches: Watches<'_, '_>) -> Result<usize, GaveUp> {
    let mut space = Space::new(game);
    let (mut id, mut joint_moves) = (0, 0);
    while id < space.states.len() {
        space.within(bounds, budget, id)?;
        let state = space.states[id as u32].clone();
        let is_terminal = game.at(&state).is_terminal();
        let legal = if is_terminal { Vec::new() } else { space.legal(id as u32) };
        space.sound()?;
        space.show(id as u32, &state, is_terminal, &legal, |occasion| {
            watches.iter_mut().for_each(|watch| watch.state(occasion));
        });
        if !is_terminal {
            let count = joint_moves_of(&legal, &mut joint_moves, bounds)?;
            if count > 0 && !space.expand(id as u32, &legal, count, budget, watches) {
                return Err(GaveUp::Time(id));
            }
        }
        space.starts.push(space.edges.len() as u32);
        id += 1;
    }
    if let Err(cycle) = space.longest() {
        let (back_to, rounds) = space.around(&cycle);
        watches.iter_mut().for_each(|watch| watch.lasso(&rounds, back_to));
    }
    Ok(id)
}

/// Adds the number of joint moves to `sum`.
fn joint_moves_of(legal: &[Vec<MoveId>], sum: &mut usize, bounds: &Bounds) -> Result<usize, GaveUp> {
    let count = legal.iter().try_fold(1usize, |product, moves| product.checked_mul(moves.len()));
    let count = count.filter(|count| sum.saturating_add(*count) <= bounds.joint_moves);
    let count = count.ok_or(GaveUp::JointMoves(bounds.joint_moves))?;
    *sum += count;
    Ok(count)
}

struct Visit<'g> {
    space: Space<'g>,
    players: Vec<RoleId>,
    turn_fluents: Vec<(RoleId, FluentId)>,
    found: Exhausted,
    /// The players' goal values in the visited states.
    values: Vec<Box<[Option<i64>]>>,
    joint_moves: usize,
    watch: Names<'g>,
}

impl<'g> Visit<'g> {
    fn new(game: &'g Game, declared: &'g Declared) -> Visit<'g> {
        let space = Space::new(game);
        let roles = game.roles.len();
        Visit {
            space,
            players: game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance).collect(),
            turn_fluents: turn_fluents(game),
            found: Exhausted {
                states: 0,
                longest: None,
                endless: None,
                stuck: None,
                goals: vec![None; roles],
                falling: vec![None; roles],
                best: vec![None; roles],
                turns: None,
                undeclared: Undeclared::default(),
            },
            values: Vec::new(),
            joint_moves: 0,
            watch: Names::new(game, declared),
        }
    }

    /// Visits the next state.
    fn next(&mut self, bounds: &Bounds, budget: &Budget) -> Result<(), GaveUp> {
        let Visit { space, found, watch, .. } = self;
        let game = space.game;
        let id = self.values.len() as u32;
        let state = space.states[id].clone();
        if found.undeclared.fluent.is_none()
            && let Some(fluent) = watch.fluent(&state)
        {
            found.undeclared.fluent = Some((fluent, space.history(id)));
        }
        self.values.push(self.players.iter().map(|&role| value(game, &state, role)).collect());
        if game.at(&state).is_terminal() {
            self.players.iter().for_each(|&role| ends(space, id, role, found));
        } else {
            let turns = turns(&self.turn_fluents, &state);
            if turns.len() > 1 && found.turns.is_none() {
                found.turns = Some((turns, space.history(id)));
            }
            let legal = space.legal(id);
            space.sound()?;
            if found.undeclared.mv.is_none()
                && let Some((role, mv)) =
                    game.role_ids().find_map(|role| Some((role, watch.mv(role, &legal[role.0 as usize])?)))
            {
                found.undeclared.mv = Some((role, mv, space.history(id)));
            }
            match legal.iter().position(Vec::is_empty) {
                Some(role) => {
                    found.stuck.get_or_insert_with(|| (RoleId(role as u16), space.history(id)));
                }
                None => {
                    let count = joint_moves_of(&legal, &mut self.joint_moves, bounds)?;
                    if !space.expand(id, &legal, count, budget, &mut []) {
                        return Err(GaveUp::Time(id as usize));
                    }
                }
            }
        }
        space.starts.push(space.edges.len() as u32);
        Ok(())
    }

    fn finish(mut self) -> Exhausted {
        self.found.states = self.space.states.len();
        falls(&self.space, &self.players, &self.values, &mut self.found);
        match self.space.longest() {
            Ok(rounds) => self.found.longest = Some(rounds),
            Err(cycle) => self.found.endless = Some(self.space.around(&cycle)),
        }
        self.found
    }
}

/// Records the result of a terminal state for a role.
fn ends(space: &Space, id: u32, role: RoleId, found: &mut Exhausted) {
    let goals = space.game.at(&space.states[id]).goals(role);
    let index = role.0 as usize;
    if let Some(&greatest) = goals.iter().max()
        && found.best[index].as_ref().is_none_or(|(best, _)| greatest > *best)
    {
        found.best[index] = Some((greatest, space.history(id)));
    }
    if goals.len() != 1 && found.goals[index].is_none() {
        found.goals[index] = Some((goals, space.history(id)));
    }
}

/// The only goal value of a role in a state.
fn value(game: &Game, state: &State, role: RoleId) -> Option<i64> {
    match game.at(state).goals(role)[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// Finds rounds in which a role's only goal value falls.
fn falls(space: &Space, players: &[RoleId], values: &[Box<[Option<i64>]>], found: &mut Exhausted) {
    for from in 0..space.states.len() as u32 {
        for &to in space.successors(from) {
            for (place, role) in players.iter().enumerate() {
                let slot = &mut found.falling[role.0 as usize];
                if let (None, Some(before), Some(after)) =
                    (&slot, values[from as usize][place], values[to as usize][place])
                    && after < before
                {
                    *slot = Some((before, after, space.history_to(from, to)));
                }
            }
        }
    }
}
