//! Simulates histories again, independently of the search that found them; common prefixes are simulated once.

use percept_game::{Cursor, Game, JointMove, State};
use percept_infoset::{Member, View};

/// Simulates histories one after the other. The states of the last one are kept: neighbours in a search differ in their
/// last rounds.
pub struct Retrace<'a> {
    game: &'a Game,
    view: &'a View,
    at: Box<dyn Cursor + 'a>,
    moves: Vec<JointMove>,
    /// The state after each of these moves and the logarithm of the probability up to it, the start first.
    states: Vec<(State, f64)>,
}

impl<'a> Retrace<'a> {
    /// Creates a simulation of histories with the view `view`.
    pub fn new(game: &'a Game, view: &'a View) -> Retrace<'a> {
        let at = game.start();
        let states = vec![(at.state().clone(), 0.0)];
        Retrace { game, view, at, moves: vec![], states }
    }

    /// The member for a history, the same as [`percept_infoset::Member::checked`] finds; `None` if the history is not a
    /// member.
    pub fn member(&mut self, moves: &[JointMove]) -> Option<Member> {
        let common = self.moves.iter().zip(moves).take_while(|(left, right)| left == right).count();
        self.moves.truncate(common);
        self.states.truncate(common + 1);
        self.at.go(&self.states[common].0);
        for joint in moves.get(common..)? {
            let ln_probability = self.round(joint)?;
            self.at.step(joint);
            self.moves.push(joint.clone());
            self.states.push((self.at.state().clone(), ln_probability));
        }
        let (state, ln_probability) = self.states.last()?.clone();
        let fits = moves.len() == self.view.len();
        fits.then(|| Member::simulated(moves.to_vec(), state, ln_probability))
    }

    /// The logarithm of the probability after one more round, if the round matches the view.
    fn round(&mut self, joint: &JointMove) -> Option<f64> {
        let role = self.view.role;
        let seen = self.view.rounds.get(self.moves.len())?;
        if self.at.is_terminal() || joint.len() != self.game.roles.len() {
            return None;
        }
        let mut ln_probability = self.states.last()?.1;
        for (other, mv) in self.game.role_ids().zip(joint) {
            let legal = self.at.legal(other);
            if !legal.contains(mv) {
                return None;
            }
            if other != role {
                ln_probability -= (legal.len() as f64).ln();
            }
        }
        let own = joint[role.0 as usize];
        let fits = seen.own.is_none_or(|mv| mv == own) && self.at.percepts(joint, role) == seen.percepts;
        fits.then_some(ln_probability)
    }
}
