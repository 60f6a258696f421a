//! A role's view of a match, and the replay that every history must pass before it is shown.

use crate::{Cursor, Game, JointMove, MoveId, PerceptId, RoleId, State};

/// One round of a [`View`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Round {
    /// The role's own move, if the role knows it ([`Game::knows_own_moves`]).
    pub own: Option<MoveId>,
    /// The percepts, in the order of `Rules::percepts`.
    pub percepts: Vec<PerceptId>,
}

/// A role's whole knowledge of a match so far: it distinguishes histories only by this and by the rules.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct View {
    /// The role of the view.
    pub role: RoleId,
    /// The rounds, from the first one.
    pub rounds: Vec<Round>,
}

/// The reason why a list of joint moves is not a match of the game. Rounds count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MatchError {
    /// There is no role of this number.
    #[error("the game has no role number {0}")]
    NoSuchRole(u16),
    /// A joint move has too few or too many moves.
    #[error("round {round}: {found} moves, but the game has {expected} roles")]
    WrongWidth {
        /// The round.
        round: usize,
        /// Roles of the game.
        expected: usize,
        /// The number of moves given.
        found: usize,
    },
    /// The match continues after a terminal state.
    #[error("round {round}: the match is over after round {}", round - 1)]
    AfterEnd {
        /// The first round after the end.
        round: usize,
    },
    /// A move is not legal.
    #[error("round {round}: `{mv}` is not legal for {role}; the legal moves are {}", legal.join(", "))]
    Illegal {
        /// The round of the move.
        round: usize,
        /// The role that made the move.
        role: String,
        /// The name of the move.
        mv: String,
        /// The legal moves.
        legal: Vec<String>,
    },
}

/// The reason why a history does not belong to an information set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Mismatch {
    /// It is not a match.
    #[error(transparent)]
    NoMatch(#[from] MatchError),
    /// It is too short or too long.
    #[error("the history has {found} rounds, the view {expected}")]
    Length {
        /// Rounds of the view.
        expected: usize,
        /// Rounds of the history.
        found: usize,
    },
    /// The role made another move.
    #[error("round {round}: the role made another move")]
    OwnMove {
        /// The first such round.
        round: usize,
    },
    /// The role perceived something else.
    #[error("round {round}: the role perceived something else")]
    Percepts {
        /// The first such round.
        round: usize,
    },
}

impl Round {
    /// The knowledge that `role` gains from this joint move in the cursor's state.
    pub fn of(game: &Game, at: &mut dyn Cursor, joint: &[MoveId], role: RoleId) -> Round {
        let own = game.own_move(role, joint);
        Round { own, percepts: at.percepts(joint, role) }
    }
}

impl View {
    /// The view of `role` in a match, by simulation.
    ///
    /// # Errors
    /// If the moves are not a match: the first wrong round, and its legal moves.
    pub fn of_match(game: &Game, role: RoleId, moves: &[JointMove]) -> Result<View, MatchError> {
        if role.0 as usize >= game.roles.len() {
            return Err(MatchError::NoSuchRole(role.0));
        }
        let mut rounds = Vec::with_capacity(moves.len());
        walk(game, moves, |at, joint, _| {
            rounds.push(Round::of(game, at, joint, role));
        })?;
        Ok(View { role, rounds })
    }

    /// The view after the first `rounds` rounds.
    pub fn prefix(&self, rounds: usize) -> View {
        View { role: self.role, rounds: self.rounds[..rounds.min(self.rounds.len())].to_vec() }
    }

    /// The number of rounds.
    pub fn len(&self) -> usize {
        self.rounds.len()
    }

    /// True if it has no rounds.
    pub fn is_empty(&self) -> bool {
        self.rounds.is_empty()
    }
}

/// Plays a match and returns its states: one more than there are rounds.
///
/// # Errors
/// See [`MatchError`].
pub fn play(game: &Game, moves: &[JointMove]) -> Result<Vec<State>, MatchError> {
    let mut states = Vec::with_capacity(moves.len() + 1);
    let last = walk(game, moves, |at, _, _| states.push(at.state().clone()))?;
    states.push(last);
    Ok(states)
}

/// Plays the moves; `visit` receives a cursor at each state, the joint move, and the number of moves that each role
/// had.
fn walk(
    game: &Game,
    moves: &[JointMove],
    mut visit: impl FnMut(&mut dyn Cursor, &JointMove, &[usize]),
) -> Result<State, MatchError> {
    let mut choices = vec![0; game.roles.len()];
    let mut at = game.start();
    for (index, joint) in moves.iter().enumerate() {
        let round = index + 1;
        if joint.len() != game.roles.len() {
            return Err(MatchError::WrongWidth { round, expected: game.roles.len(), found: joint.len() });
        }
        if at.is_terminal() {
            return Err(MatchError::AfterEnd { round });
        }
        for role in game.role_ids() {
            let mv = joint[role.0 as usize];
            let legal = at.legal(role);
            choices[role.0 as usize] = legal.len();
            if !legal.contains(&mv) {
                return Err(MatchError::Illegal {
                    round,
                    role: game.roles[role.0 as usize].name.clone(),
                    mv: game.rules.move_name(role, mv),
                    legal: legal.into_iter().map(|mv| game.rules.move_name(role, mv)).collect(),
                });
            }
        }
        visit(&mut *at, joint, &choices);
        at.step(joint);
    }
    Ok(at.state().clone())
}

/// Simulates a history from the start and checks that it belongs to the information set of `view`: same length,
/// legal moves, no end before the last round, the same own moves and the same percepts. Independent of every method.
///
/// Returns the last state and the natural logarithm of the history's probability when chance and every other role
/// move uniformly; the role's own choices depend on its view alone and are the same factor for every member.
///
/// # Errors
/// The first difference.
pub fn replay(game: &Game, view: &View, moves: &[JointMove]) -> Result<(State, f64), Mismatch> {
    if moves.len() != view.len() {
        return Err(Mismatch::Length { expected: view.len(), found: moves.len() });
    }
    let own = view.role.0 as usize;
    let mut ln_probability = 0.0;
    let mut mismatch = None;
    let mut round = 0;
    let last = walk(game, moves, |at, joint, choices| {
        let seen = &view.rounds[round];
        round += 1;
        if mismatch.is_some() {
            return;
        }
        if seen.own.is_some_and(|mv| mv != joint[own]) {
            mismatch = Some(Mismatch::OwnMove { round });
        } else if at.percepts(joint, view.role) != seen.percepts {
            mismatch = Some(Mismatch::Percepts { round });
        }
        for role in game.role_ids() {
            if role != view.role {
                ln_probability -= (choices[role.0 as usize] as f64).ln();
            }
        }
    })?;
    mismatch.map_or(Ok((last, ln_probability)), Err)
}

/// The joint moves possible in a state, with `own` fixed if it is known: the product of the roles' legal moves, the
/// last role's changing fastest. Empty if a role has no legal move or `own` is not legal.
pub struct JointMoves {
    choices: Vec<Vec<MoveId>>,
    digits: Vec<usize>,
    done: bool,
}

impl JointMoves {
    /// The joint moves at a cursor.
    pub fn at(game: &Game, at: &mut dyn Cursor, role: RoleId, own: Option<MoveId>) -> JointMoves {
        let choices: Vec<Vec<MoveId>> = game
            .role_ids()
            .map(|other| {
                let mut legal = at.legal(other);
                if let Some(own) = own.filter(|_| other == role) {
                    legal.retain(|&mv| mv == own);
                    legal.truncate(1);
                }
                legal
            })
            .collect();
        JointMoves::of(choices)
    }

    /// Like [`JointMoves::at`], for a state.
    pub fn new(game: &Game, state: &State, role: RoleId, own: Option<MoveId>) -> JointMoves {
        JointMoves::at(game, &mut *game.at(state), role, own)
    }

    /// The product of these moves, by role.
    pub fn of(choices: Vec<Vec<MoveId>>) -> JointMoves {
        JointMoves { done: choices.iter().any(Vec::is_empty), digits: vec![0; choices.len()], choices }
    }

    /// The number of joint moves.
    pub fn size(&self) -> f64 {
        self.choices.iter().map(|moves| moves.len() as f64).product()
    }
}

impl Iterator for JointMoves {
    type Item = JointMove;

    fn next(&mut self) -> Option<JointMove> {
        if self.done {
            return None;
        }
        let joint = self.digits.iter().zip(&self.choices).map(|(&digit, moves)| moves[digit]).collect();
        self.done = true;
        for (digit, moves) in self.digits.iter_mut().zip(&self.choices).rev() {
            *digit += 1;
            if *digit < moves.len() {
                self.done = false;
                break;
            }
            *digit = 0;
        }
        Some(joint)
    }
}
