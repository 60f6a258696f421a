//! All states of a game with the moves between them. A tree repeats a state for every way to it; here it is kept once,
//! and a history is a path.

use std::hash::Hash;

use percept_game::{Cursor, Game, JointMove, MoveId, PerceptId, RoleId, State, States, joint_moves};
use percept_infoset::{Budget, Pace, Stop};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::tree::{Space, some_goals, some_moves};

/// The number of states expanded between two checks of the budget.
const CHUNK: usize = 4_096;
/// The most rounds of a match: the walk is as deep.
const MAX_ROUNDS: usize = 2_000;
/// Bytes of the lookup table and of the rows of a state.
const ROWS: usize = 48;

/// Contents that have a number each.
#[derive(Clone, Debug)]
pub(crate) struct Interned<T> {
    pub list: Vec<T>,
    ids: FxHashMap<T, u32>,
}

impl<T> Interned<Vec<T>>
where
    Vec<T>: Eq + Hash,
    [T]: Hash + Eq,
{
    /// The number of a list.
    pub(crate) fn find(&self, list: &[T]) -> Option<u32> {
        self.ids.get(list).copied()
    }
}

impl<T: Clone + Eq + Hash> Interned<T> {
    pub(crate) fn new() -> Interned<T> {
        Interned { list: Vec::new(), ids: FxHashMap::default() }
    }

    pub(crate) fn id(&mut self, item: T) -> u32 {
        if let Some(&id) = self.ids.get(&item) {
            return id;
        }
        let id = self.list.len() as u32;
        self.list.push(item.clone());
        self.ids.insert(item, id);
        id
    }
}

/// The reason why strategies have no values.
#[derive(Clone, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum RespondError {
    #[error("too large: {count} {what} fill the memory budget of {} MiB", .space >> 20)]
    TooLarge { what: &'static str, count: usize, space: usize },
    #[error("the strategy of {role} makes the move `{mv}` where it is not legal")]
    Illegal { role: String, mv: String },
    #[error("{role} does not know its legal moves: either {one} or {other}")]
    UnknownMoves { role: String, one: String, other: String },
    #[error("{role} may forget whether it made `{one}` or `{other}`: what it perceives next can be the same")]
    Forgets { role: String, one: String, other: String },
    #[error("{role} has no legal move in a match that is not over")]
    Stuck { role: String },
    #[error("{role} has {} in a match that is over", some_goals(.goals))]
    Goals { role: String, goals: Vec<i64> },
    #[error("a match can last longer than {0} rounds, or for ever")]
    Endless(usize),
    #[error("the rules cannot be followed in some state: {0}")]
    Incomplete(String),
    #[error("the parts of a best response do not belong together")]
    Parts,
    #[error("the game has no role but chance")]
    NoPlayers,
    #[error("{0} before the first value was complete")]
    Stopped(#[from] Stop),
}

impl RespondError {
    pub(crate) fn unknown_moves(game: &Game, role: RoleId, one: &[MoveId], other: &[MoveId]) -> RespondError {
        let (one, other) = (some_moves(game, role, one), some_moves(game, role, other));
        RespondError::UnknownMoves { role: game.roles[role.0 as usize].name.clone(), one, other }
    }

    pub(crate) fn forgets(game: &Game, role: RoleId, one: MoveId, other: MoveId) -> RespondError {
        let name = |mv| game.rules.move_name(role, mv);
        RespondError::Forgets { role: game.roles[role.0 as usize].name.clone(), one: name(one), other: name(other) }
    }
}

/// The states, with the joint moves between them.
pub(crate) struct Arena {
    /// The number of roles, chance included.
    pub roles: usize,
    /// For each state its outcome, or [`Arena::ON`].
    over: Vec<u32>,
    /// For each state and role, the number of its list of legal moves. Meaningless if the match is over.
    legal: Vec<u32>,
    /// For each state its first step; there is one for each joint move, that of the last role changing fastest.
    first: Vec<u64>,
    /// For each step the next state, and for each role the number of its list of percepts.
    steps: Vec<u32>,
    /// The lists of legal moves of each role.
    pub moves: Vec<Interned<Vec<MoveId>>>,
    /// The lists of percepts of each role.
    pub percepts: Vec<Interned<Vec<PerceptId>>>,
    /// The goals of the roles at the ends of matches.
    pub outcomes: Interned<Vec<i64>>,
    /// The number of rounds of the longest match.
    pub rounds: usize,
}

/// The rules' answer about a state.
enum Answer {
    Over(Vec<Vec<i64>>),
    On(Vec<Vec<MoveId>>, Vec<(State, Vec<Vec<PerceptId>>)>),
}

impl Arena {
    /// The outcome of a state whose match is not over.
    pub(crate) const ON: u32 = u32::MAX;

    /// Finds all states.
    ///
    /// # Errors
    /// If a state has no moves or no single goal, a match can be endless, or the limits are reached.
    pub(crate) fn new(game: &Game, space: &Space, budget: &Budget) -> Result<Arena, RespondError> {
        Ok(Arena::with_states(game, space, budget)?.0)
    }

    /// Like [`Arena::new`], with the states.
    ///
    /// # Errors
    /// Those of [`Arena::new`].
    pub(crate) fn with_states(game: &Game, space: &Space, budget: &Budget) -> Result<(Arena, States), RespondError> {
        let roles = game.roles.len();
        let mut arena = Arena {
            roles,
            over: Vec::new(),
            legal: Vec::new(),
            first: vec![0],
            steps: Vec::new(),
            moves: (0..roles).map(|_| Interned::new()).collect(),
            percepts: (0..roles).map(|_| Interned::new()).collect(),
            outcomes: Interned::new(),
            rounds: 0,
        };
        let mut states = States::default();
        states.insert(game.rules.initial());
        let mut pace = Pace::default();
        while arena.over.len() < states.len() {
            budget.check()?;
            let from = arena.over.len();
            let chunk = &states.list()[from..states.len().min(from + CHUNK)];
            let answers: Vec<Answer> = chunk
                .par_chunks(64)
                .flat_map_iter(|states| {
                    let mut at = game.start();
                    states.iter().map(|state| ask(game, &mut *at, state, budget)).collect::<Vec<_>>()
                })
                .collect();
            budget.check()?;
            for answer in answers {
                pace.check(budget)?;
                arena.settle(game, answer, &mut states)?;
            }
            arena.check_space(&states, space)?;
            budget.report("states", arena.over.len(), None);
        }
        game.rules.fault().map_or(Ok(()), |fault| Err(RespondError::Incomplete(fault.message)))?;
        arena.rounds =
            arena.longest().filter(|&rounds| rounds <= MAX_ROUNDS).ok_or(RespondError::Endless(MAX_ROUNDS))?;
        Ok((arena, states))
    }

    fn settle(&mut self, game: &Game, answer: Answer, states: &mut States) -> Result<(), RespondError> {
        match answer {
            Answer::Over(goals) => {
                if let Some(role) = goals.iter().position(|goals| goals.len() != 1) {
                    return Err(RespondError::Goals {
                        role: game.roles[role].name.clone(),
                        goals: goals[role].clone(),
                    });
                }
                let outcome = self.outcomes.id(goals.into_iter().map(|goals| goals[0]).collect());
                self.over.push(outcome);
                self.legal.extend(std::iter::repeat_n(0, self.roles));
            }
            Answer::On(legal, steps) => {
                if let Some(role) = legal.iter().position(Vec::is_empty) {
                    return Err(RespondError::Stuck { role: game.roles[role].name.clone() });
                }
                self.over.push(Arena::ON);
                for (role, moves) in legal.into_iter().enumerate() {
                    self.legal.push(self.moves[role].id(moves));
                }
                for (state, percepts) in steps {
                    self.steps.push(states.insert(state).0);
                    for (role, percepts) in percepts.into_iter().enumerate() {
                        self.steps.push(self.percepts[role].id(percepts));
                    }
                }
            }
        }
        self.first.push((self.steps.len() / (self.roles + 1)) as u64);
        Ok(())
    }

    fn check_space(&self, states: &States, space: &Space) -> Result<(), RespondError> {
        let bytes = states.bytes() + states.len() * (ROWS + 4 * self.roles) + 4 * self.steps.len();
        if bytes <= space.bytes {
            return Ok(());
        }
        Err(RespondError::TooLarge { what: "states", count: states.len(), space: space.bytes })
    }

    /// The number of states.
    pub(crate) fn states(&self) -> usize {
        self.over.len()
    }

    /// The number of steps.
    pub(crate) fn steps(&self) -> usize {
        self.steps.len() / (self.roles + 1)
    }

    /// The outcome of a state, or [`Arena::ON`].
    pub(crate) fn outcome(&self, state: u32) -> u32 {
        self.over[state as usize]
    }

    /// The goals at a state, if its match is over.
    pub(crate) fn goals(&self, state: u32) -> Option<&[i64]> {
        self.outcomes.list.get(self.over[state as usize] as usize).map(Vec::as_slice)
    }

    /// The lists of percepts of a role.
    pub(crate) fn lists(&self, role: RoleId) -> &Interned<Vec<PerceptId>> {
        &self.percepts[role.0 as usize]
    }

    /// The number of a role's list of legal moves at a state.
    pub(crate) fn legal(&self, state: u32, role: RoleId) -> u32 {
        self.legal[state as usize * self.roles + role.0 as usize]
    }

    /// The steps from a state: the next state, and for each role the number of its list of percepts.
    pub(crate) fn from(&self, state: u32) -> impl Iterator<Item = (u32, &[u32])> {
        let width = self.roles + 1;
        let (from, to) = (self.first[state as usize] as usize, self.first[state as usize + 1] as usize);
        self.steps[from * width..to * width].chunks_exact(width).map(|step| (step[0], &step[1..]))
    }

    /// For each of a role's lists of legal moves, true if the role has only one move there, but elsewhere a choice
    /// between it and others. (A move that is never a choice is a way to wait.)
    pub(crate) fn forced(&self, role: RoleId) -> Vec<bool> {
        let lists = &self.moves[role.0 as usize].list;
        let chosen: FxHashSet<MoveId> = lists.iter().filter(|moves| moves.len() > 1).flatten().copied().collect();
        lists.iter().map(|moves| moves.len() == 1 && chosen.contains(&moves[0])).collect()
    }

    /// The number of rounds of the longest match; `None` if a match can be endless.
    fn longest(&self) -> Option<usize> {
        let mut before = vec![0u32; self.states()];
        (0..self.states()).flat_map(|state| self.from(state as u32)).for_each(|(next, _)| before[next as usize] += 1);
        // Every state is reached from the first one, so a step back to it closes a circle.
        if before[0] > 0 {
            return None;
        }
        let mut depth = vec![0u32; self.states()];
        let (mut ready, mut done, mut longest) = (vec![0u32], 0, 0);
        while let Some(state) = ready.pop() {
            done += 1;
            longest = longest.max(depth[state as usize]);
            for (next, _) in self.from(state) {
                let next = next as usize;
                depth[next] = depth[next].max(depth[state as usize] + 1);
                before[next] -= 1;
                if before[next] == 0 {
                    ready.push(next as u32);
                }
            }
        }
        (done == self.states()).then_some(longest as usize)
    }
}

/// Asks the rules about a state. If the work is stopped, the answer is not used.
fn ask(game: &Game, at: &mut dyn Cursor, state: &State, budget: &Budget) -> Answer {
    if budget.is_spent() {
        return Answer::Over(Vec::new());
    }
    at.go(state);
    if at.is_terminal() {
        return Answer::Over(
            game.role_ids().map(|role| if is_chance(game, role) { vec![0] } else { at.goals(role) }).collect(),
        );
    }
    let legal: Vec<Vec<MoveId>> = game
        .role_ids()
        .map(|role| {
            let mut legal = at.legal(role);
            legal.sort_unstable();
            legal
        })
        .collect();
    let follow = |joint: JointMove| {
        let percepts = game.role_ids().map(|role| at.percepts(&joint, role)).collect();
        (at.next(&joint), percepts)
    };
    let steps = joint_moves(&legal).take_while(|_| !budget.is_spent()).map(follow).collect();
    Answer::On(legal, steps)
}

pub(crate) fn is_chance(game: &Game, role: RoleId) -> bool {
    game.roles[role.0 as usize].is_chance
}
