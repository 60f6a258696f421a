//! DFS-Infoset (Richards & Amir 2012, Figure 4), the baseline: a depth-first search of the game tree, in the order of
//! the legal moves. A branch is cut off when the role would have perceived something else.

use percept_game::{Game, JointMove, State};

use crate::{
    Budget, Pace, Stop,
    member::{Member, Members},
};
use percept_game::view::{JointMoves, View};

/// Members in the order of a depth-first search of the game tree.
pub struct Dfs<'a> {
    game: &'a Game,
    view: &'a View,
    budget: Budget,
    /// The levels of the tree, each with a state and its untried joint moves.
    stack: Vec<(State, JointMoves)>,
    history: Vec<JointMove>,
    started: bool,
    stopped: Option<Stop>,
    nodes: u64,
    pace: Pace,
}

impl<'a> Dfs<'a> {
    /// Creates a search that has not begun.
    pub fn new(game: &'a Game, view: &'a View, budget: Budget) -> Dfs<'a> {
        let pace = Pace::default();
        Dfs { game, view, budget, stack: vec![], history: vec![], started: false, stopped: None, nodes: 0, pace }
    }

    /// The number of nodes of the game tree visited.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Enters a node: returns a member at full depth; opens a new level elsewhere, unless the match is over there.
    fn enter(&mut self, state: State) -> Option<Member> {
        let depth = self.history.len();
        if depth == self.view.len() {
            return Member::checked(self.game, self.view, self.history.clone());
        }
        if !self.game.rules.terminal(&state) {
            let joint = JointMoves::new(self.game, &state, self.view.role, self.view.rounds[depth].own);
            self.stack.push((state, joint));
        }
        None
    }
}

impl Iterator for Dfs<'_> {
    type Item = Member;

    fn next(&mut self) -> Option<Member> {
        if !self.started {
            self.started = true;
            let member = self.enter(self.game.rules.initial());
            if member.is_some() {
                return member;
            }
        }
        loop {
            if self.nodes.is_multiple_of(256) {
                self.budget.report("nodes visited", self.nodes as usize, None);
            }
            self.stopped = self.stopped.or_else(|| self.pace.stop(&self.budget));
            if self.stopped.is_some() {
                return None;
            }
            let depth = self.stack.len().checked_sub(1)?;
            let (state, joints) = &mut self.stack[depth];
            self.history.truncate(depth);
            let Some(joint) = joints.next() else {
                self.stack.pop();
                continue;
            };
            self.nodes += 1;
            let rules = &self.game.rules;
            if rules.percepts(state, &joint, self.view.role) != self.view.rounds[depth].percepts {
                continue;
            }
            let next = rules.next(state, &joint);
            self.history.push(joint);
            let member = self.enter(next);
            if member.is_some() {
                return member;
            }
        }
    }
}

impl Members for Dfs<'_> {
    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    fn complete(&self) -> bool {
        self.started && self.stack.is_empty() && self.stopped.is_none()
    }
}
