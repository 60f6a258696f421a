//! Neural information set generation: heuristic rejection sampling in the order of what a network guesses.

use ndarray::Array2;
use percept_game::{Cursor, Game, JointMove};
use percept_infoset::{Control, View};

use crate::encode::{Encoding, Foreign};
use crate::file::Saved;
use crate::hrs::{Given, Hrs, Order};
use crate::network::Network;
use crate::vocabulary::Vocabulary;

/// A network, bound to a game.
#[derive(Clone, Debug)]
pub struct Guesser {
    pub encoding: Encoding,
    pub network: Network<f32>,
}

impl Guesser {
    /// # Errors
    /// Where the network is of another game.
    pub fn new(game: &Game, vocabulary: &Vocabulary, saved: &Saved) -> Result<Guesser, Foreign> {
        let encoding = Encoding::of_columns(game, vocabulary, saved.columns.clone())?;
        Ok(Guesser { encoding, network: saved.network.clone() })
    }

    /// A row a round: how likely everything is that the others may have done, given the whole view.
    pub fn guess(&self, view: &View) -> Array2<f32> {
        self.network.guess(&self.encoding.view(view))
    }

    /// The order in which to search for histories of a view: what is guessed to be most likely first.
    pub fn order(&self, view: &View) -> Box<dyn Order + '_> {
        let guess = self.guess(view);
        Box::new(Given(move |at: &mut dyn Cursor, depth: usize, joint: &JointMove| {
            (0..self.encoding.others.len()).map(|index| self.likelihood(&guess, at, depth, joint, index)).product()
        }))
    }

    /// How likely the deed of another role is. A pair that was never seen is taken for what is seldom seen; a role
    /// without a choice does what it must.
    fn likelihood(
        &self,
        guess: &Array2<f32>,
        at: &mut dyn Cursor,
        depth: usize,
        joint: &JointMove,
        index: usize,
    ) -> f64 {
        let deed = self.encoding.deed(at, joint, index);
        match self.encoding.column(index, &deed) {
            Some(column) => f64::from(guess[[depth, column as usize]]),
            None if deed.0 == percept_game::MoveId::NOOP => 1.0,
            None => f64::from(f32::MIN_POSITIVE),
        }
    }

    /// The search for members of a view.
    pub fn search<'a>(&'a self, game: &'a Game, view: &'a View, control: Control) -> Hrs<'a> {
        Hrs::new(game, view, self.order(view), control)
    }
}
