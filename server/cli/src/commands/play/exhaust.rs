//! The whole state space, where it is small: what random matches only make likely is certain then.

use percept_game::{Game, JointMove, RoleId, State};
use rustc_hash::FxHashMap;

use crate::work::Work;

/// Most states and joint moves that are looked at.
const STATES: usize = 20_000;
const EDGES: usize = 400_000;

/// What holds in every match.
pub struct Exhausted {
    pub states: usize,
    /// Rounds of the longest match; `None` where a match can go on for ever.
    pub longest: Option<usize>,
    /// A match after which a role has no legal move, though it is not over.
    pub stuck: Option<(RoleId, Vec<JointMove>)>,
    /// A match after which a role has not exactly one goal value.
    pub goals: Option<(RoleId, Vec<i64>, Vec<JointMove>)>,
    /// A match in which a role's only goal value falls from one state to the next.
    pub falling: Option<(RoleId, Vec<JointMove>)>,
    /// Per role the greatest goal value at the end of some match.
    pub best: Vec<Option<i64>>,
}

/// The states found so far, each with the state and the joint move that led to it first.
#[derive(Default)]
struct Space {
    ids: FxHashMap<State, u32>,
    states: Vec<State>,
    parents: Vec<Option<(u32, JointMove)>>,
    edges: Vec<Vec<u32>>,
}

impl Space {
    fn id(&mut self, state: State, parent: Option<(u32, JointMove)>) -> u32 {
        if let Some(&id) = self.ids.get(&state) {
            return id;
        }
        let id = self.states.len() as u32;
        self.ids.insert(state.clone(), id);
        self.states.push(state);
        self.parents.push(parent);
        self.edges.push(Vec::new());
        id
    }

    fn history(&self, mut id: u32) -> Vec<JointMove> {
        let mut rounds = Vec::new();
        while let Some((parent, joint)) = &self.parents[id as usize] {
            rounds.push(joint.clone());
            id = *parent;
        }
        rounds.reverse();
        rounds
    }

    /// Rounds of the longest path from the start; `None` if there is a cycle.
    fn longest(&self) -> Option<usize> {
        let mut incoming = vec![0usize; self.states.len()];
        self.edges.iter().flatten().for_each(|&to| incoming[to as usize] += 1);
        let mut depth = vec![0usize; self.states.len()];
        let mut ready: Vec<u32> = if incoming[0] == 0 { vec![0] } else { Vec::new() };
        let mut done = 0;
        while let Some(id) = ready.pop() {
            done += 1;
            for &to in &self.edges[id as usize] {
                let to = to as usize;
                depth[to] = depth[to].max(depth[id as usize] + 1);
                incoming[to] -= 1;
                if incoming[to] == 0 {
                    ready.push(to as u32);
                }
            }
        }
        (done == self.states.len()).then(|| depth.into_iter().max().unwrap_or(0))
    }
}

/// Visits every reachable state; `None` where there are too many.
pub fn exhaust(game: &Game, work: &Work) -> Option<Exhausted> {
    let rules = &game.rules;
    let mut space = Space::default();
    space.id(rules.initial(), None);
    let players: Vec<RoleId> = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance).collect();
    let mut found = Exhausted {
        states: 0,
        longest: None,
        stuck: None,
        goals: None,
        falling: None,
        best: vec![None; game.roles.len()],
    };
    let mut edges = 0;
    let mut at = 0;
    while at < space.states.len() {
        let state = space.states[at].clone();
        let id = at as u32;
        at += 1;
        if work.is_over() || space.states.len() > STATES {
            return None;
        }
        if rules.terminal(&state) {
            for &role in &players {
                let goals = rules.goals(&state, role);
                if goals.len() != 1 && found.goals.is_none() {
                    found.goals = Some((role, goals.clone(), space.history(id)));
                }
                let best = &mut found.best[role.0 as usize];
                *best = (*best).max(goals.into_iter().max());
            }
            continue;
        }
        let legal: Vec<_> = game.role_ids().map(|role| rules.legal(&state, role)).collect();
        if let Some(role) = legal.iter().position(Vec::is_empty) {
            found.stuck.get_or_insert_with(|| (RoleId(role as u16), space.history(id)));
            continue;
        }
        let count = legal.iter().try_fold(1usize, |product, moves| product.checked_mul(moves.len()))?;
        edges += count;
        if edges > EDGES {
            return None;
        }
        for mut index in 0..count {
            let mut joint = JointMove::new();
            for moves in &legal {
                joint.push(moves[index % moves.len()]);
                index /= moves.len();
            }
            let next = rules.next(&state, &joint);
            if found.falling.is_none() {
                let fallen = players.iter().find(|&&role| falls(game, &state, &next, role));
                if let Some(&role) = fallen {
                    let mut history = space.history(id);
                    history.push(joint.clone());
                    found.falling = Some((role, history));
                }
            }
            let to = space.id(next, Some((id, joint)));
            if !space.edges[id as usize].contains(&to) {
                space.edges[id as usize].push(to);
            }
        }
    }
    found.states = space.states.len();
    found.longest = space.longest();
    Some(found)
}

/// Whether a role's goal value, the only one in both states, is smaller in the second.
fn falls(game: &Game, before: &State, after: &State, role: RoleId) -> bool {
    let value = |state: &State| match game.rules.goals(state, role)[..] {
        [only] => Some(only),
        _ => None,
    };
    matches!((value(before), value(after)), (Some(before), Some(after)) if after < before)
}
