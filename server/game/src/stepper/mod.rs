//! Stepping through a match: the current place, back and forth, another move, and the display of a state.
//!
//! [`Stepper`] is the model that the terminal stepper and the editors' panels share, without a terminal or an editor;
//! [`StepView`] is its current display, ready to be written as JSON.

mod view;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use rand::Rng;

use crate::{Game, JointMove, MoveId, PerceptId, RoleId, State};

pub use view::{Group, RoleView, RoundView, Shown, StepView, shown};

/// A match in progress, with a place in it. Rounds after the place are kept until another move is made there.
#[derive(Clone)]
pub struct Stepper {
    game: Arc<Game>,
    /// The states: one more than there are rounds.
    states: Vec<State>,
    rounds: Vec<Played>,
    at: usize,
    /// The whole match on older rules, if the current ones allow only its beginning: forgotten when another move is
    /// made.
    whole: Option<Arc<Stepper>>,
}

/// A round that was played: the moves and what every role perceived after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The joint move.
    pub joint: JointMove,
    /// The percepts of each role.
    pub percepts: Vec<Vec<PerceptId>>,
}

/// The reason why a round cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// No move can be made any more.
    #[error("the match is over")]
    Over,
    /// A move is not legal.
    #[error("round {round}: `{mv}` is not legal for {role}")]
    Illegal {
        /// The round, from 1.
        round: usize,
        /// The role.
        role: String,
        /// The name of the move.
        mv: String,
    },
    /// A role cannot move.
    #[error("{role} has no legal move, though the match is not over")]
    Stuck {
        /// The role.
        role: String,
    },
    /// The number of moves differs from the number of roles.
    #[error("a round takes {expected} moves, one of each role, not {found}")]
    Width {
        /// Roles of the game.
        expected: usize,
        /// The number of moves given.
        found: usize,
    },
}

/// The round at which a replay on changed rules ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct ReplayEnd {
    /// The first round, from 1, that the new rules do not allow.
    pub round: usize,
    /// The reason in words.
    pub why: String,
}

impl Stepper {
    /// A match that has not begun.
    pub fn new(game: Arc<Game>) -> Stepper {
        let initial = game.rules.initial();
        Stepper { game, states: vec![initial], rounds: Vec::new(), at: 0, whole: None }
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The number of rounds played before the current state.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The number of rounds, including undone ones.
    pub fn len(&self) -> usize {
        self.rounds.len()
    }

    /// True if no round was played yet.
    pub fn is_empty(&self) -> bool {
        self.rounds.is_empty()
    }

    /// The current state.
    pub fn state(&self) -> &State {
        &self.states[self.at]
    }

    /// The states of the whole match, one more than there are rounds.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The rounds of the whole match, including those that were undone.
    pub fn rounds(&self) -> &[Played] {
        &self.rounds
    }

    /// The joint moves of the whole match.
    pub fn joints(&self) -> Vec<JointMove> {
        self.rounds.iter().map(|round| round.joint.clone()).collect()
    }

    /// True if the current state is terminal.
    pub fn is_over(&self) -> bool {
        self.game.rules.terminal(self.state())
    }

    /// The legal moves of a role in the current state; none once the match is over.
    pub fn legal(&self, role: RoleId) -> Vec<MoveId> {
        if self.is_over() { Vec::new() } else { self.game.rules.legal(self.state(), role) }
    }

    /// Plays a round from the current state. Undone rounds are forgotten, unless the same round is played again.
    ///
    /// # Errors
    /// When the match is over or a move is not legal; nothing has changed then.
    pub fn play(&mut self, joint: JointMove) -> Result<(), StepError> {
        self.check(&joint)?;
        if self.rounds.get(self.at).is_some_and(|other| other.joint == joint) {
            self.at += 1;
            return Ok(());
        }
        let rules = &self.game.rules;
        let percepts = self.game.role_ids().map(|role| rules.percepts(self.state(), &joint, role)).collect();
        let next = rules.next(self.state(), &joint);
        self.whole = None;
        self.rounds.truncate(self.at);
        self.states.truncate(self.at + 1);
        self.rounds.push(Played { joint, percepts });
        self.states.push(next);
        self.at += 1;
        Ok(())
    }

    fn check(&self, joint: &[MoveId]) -> Result<(), StepError> {
        if joint.len() != self.game.roles.len() {
            return Err(StepError::Width { expected: self.game.roles.len(), found: joint.len() });
        }
        if self.is_over() {
            return Err(StepError::Over);
        }
        for (role, &mv) in self.game.role_ids().zip(joint) {
            if !self.game.rules.legal(self.state(), role).contains(&mv) {
                return Err(StepError::Illegal {
                    round: self.at + 1,
                    role: self.game.roles[role.0 as usize].name.clone(),
                    mv: self.game.rules.move_name(role, mv),
                });
            }
        }
        Ok(())
    }

    /// Plays a round with the moves in `chosen` where given; every other role moves at random.
    ///
    /// # Errors
    /// Like [`Stepper::play`]; also if a role has no legal move.
    pub fn play_random(&mut self, chosen: &[Option<MoveId>], rng: &mut impl Rng) -> Result<(), StepError> {
        if self.is_over() {
            return Err(StepError::Over);
        }
        let mut joint = Vec::with_capacity(self.game.roles.len());
        for role in self.game.role_ids() {
            let mv = match chosen.get(role.0 as usize).copied().flatten() {
                Some(mv) => mv,
                None => {
                    let legal = self.legal(role);
                    if legal.is_empty() {
                        return Err(StepError::Stuck { role: self.game.roles[role.0 as usize].name.clone() });
                    }
                    legal[rng.random_range(0..legal.len())]
                }
            };
            joint.push(mv);
        }
        self.play(joint)
    }

    /// Goes to the state after `round` rounds, or the last one there is.
    pub fn jump(&mut self, round: usize) {
        self.at = round.min(self.rounds.len());
    }

    /// One round back. `false` at the start.
    pub fn undo(&mut self) -> bool {
        let moved = self.at > 0;
        self.at -= usize::from(moved);
        moved
    }

    /// One round forth again. `false` at the end.
    pub fn redo(&mut self) -> bool {
        let moved = self.at < self.rounds.len();
        self.at += usize::from(moved);
        moved
    }

    /// The same match on other rules (the text has changed), move by move by name, at the same round. If a round is no
    /// longer possible, the match ends before it, and the second part of the result has the reason. The rest returns
    /// with rules that allow it, unless another move was made meanwhile.
    pub fn replay_on(&self, game: Arc<Game>) -> (Stepper, Option<ReplayEnd>) {
        let whole = self.whole.as_deref().unwrap_or(self);
        let mut other = Stepper::new(game);
        let mut end = None;
        for (index, round) in whole.rounds.iter().enumerate() {
            if let Err(why) = whole.carry(&mut other, &round.joint) {
                end = Some(ReplayEnd { round: index + 1, why });
                break;
            }
        }
        // A stepper at the temporary end of the match returns to its earlier place.
        other.jump(if self.at == self.len() { whole.at } else { self.at });
        if end.is_some() {
            other.whole = Some(self.whole.clone().unwrap_or_else(|| Arc::new(self.clone())));
        }
        (other, end)
    }

    fn carry(&self, other: &mut Stepper, joint: &[MoveId]) -> Result<(), String> {
        let mut moves: Vec<Option<MoveId>> = vec![None; other.game.roles.len()];
        for (role, &mv) in self.game.role_ids().zip(joint) {
            let name = &self.game.roles[role.0 as usize].name;
            let there = other.game.role(name).ok_or_else(|| format!("there is no role {name} any more"))?;
            if mv == MoveId::NOOP {
                moves[there.0 as usize] = Some(MoveId::NOOP);
                continue;
            }
            let mv = self.game.rules.move_term(role, mv);
            let found = other.game.rules.move_named(there, &mv);
            moves[there.0 as usize] = Some(found.ok_or_else(|| format!("there is no move {mv} of {name} any more"))?);
        }
        let missing = other.game.roles.iter().zip(&moves).find(|(_, mv)| mv.is_none());
        if let Some((role, _)) = missing {
            return Err(format!("{} is a new role, whose moves are not known", role.name));
        }
        other.play(moves.into_iter().flatten().collect()).map_err(|error| error.to_string())
    }

    /// The current display.
    pub fn view(&self) -> StepView {
        StepView::of(self)
    }
}
