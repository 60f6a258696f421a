//! Neural information set generation: heuristic rejection sampling in the order of what a network guesses.

use ndarray::Array2;
use percept_game::{Cursor, Game, JointMove};
use percept_infoset::{Budget, Member, Members, View};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::encode::{Encoding, Foreign};
use crate::file::Saved;
use crate::hrs::{Given, Hrs, Order, seed_of};
use crate::network::Network;
use crate::vocabulary::Vocabulary;

/// Joint moves tried in vain before a search begins anew for the first time.
pub const FIRST_PATIENCE: u64 = 1_024;
/// Joint moves tried in the first search of a draw before it is begun anew.
const FIRST_TRIES: u64 = 4_096;

/// Joint moves tried in all searches of a draw, for each history that is wanted: an end where there is no deadline.
const MOST_TRIES: u64 = 1 << 16;

/// A network, bound to a game.
#[derive(Clone, Debug)]
pub struct Guesser {
    /// How views become numbers.
    pub encoding: Encoding,
    /// What guesses.
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

    /// The order in which to search for histories of a view: what is guessed to be most likely first. Where the search
    /// begins anew, dice have their say, too.
    pub fn order(&self, view: &View, seed: u64) -> Led<'_> {
        Led { guesser: self, guess: self.guess(view), seed, begun: 0, dice: None }
    }

    /// Histories of a view, drawn: each is the first that a search comes upon whose order is that of the guesses and of dice
    /// (Gumbel's, so that a move comes first as often as it is guessed to be likely). At most `count`, each simulated again;
    /// fewer where `control` ends it. A search that finds nothing within some tries is begun anew.
    pub fn draw(&self, game: &Game, view: &View, count: usize, seed: u64, budget: &Budget) -> Vec<Member> {
        let guess = self.guess(view);
        let mut drawn = Vec::new();
        let (mut tries, mut most, mut tried) = (0, FIRST_TRIES, 0);
        let patience = MOST_TRIES.saturating_mul(count as u64);
        while drawn.len() < count && tried < patience && budget.stop().is_none() {
            let order = Led { guesser: self, guess: guess.clone(), seed, begun: tries, dice: Some(dice(seed, tries)) };
            tries += 1;
            let mut search = Hrs::new(game, view, Box::new(order), budget.clone()).within(most);
            let found = search.next();
            tried += search.nodes();
            match found {
                Some(member) => drawn.push(member),
                None if search.complete() => break,
                // No set is too hard for ever.
                None => most = most.saturating_mul(2),
            }
        }
        drawn
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

    /// The search for members of a view, as the paper has it. The same seed gives the same search.
    pub fn search_once<'a>(&'a self, game: &'a Game, view: &'a View, seed: u64, budget: Budget) -> Hrs<'a> {
        Hrs::new(game, view, Box::new(self.order(view, seed)), budget)
    }

    /// [`Guesser::search_once`], begun anew where it tries too much in vain ([`Hrs::anew_after`]), which the paper's is not.
    pub fn search<'a>(&'a self, game: &'a Game, view: &'a View, seed: u64, budget: Budget) -> Hrs<'a> {
        self.search_once(game, view, seed, budget).anew_after(FIRST_PATIENCE)
    }
}

/// The order of a network's guesses; with dice (Gumbel's), a move comes first as often as it is guessed to be likely.
pub struct Led<'a> {
    guesser: &'a Guesser,
    guess: Array2<f32>,
    seed: u64,
    begun: u64,
    dice: Option<Xoshiro256PlusPlus>,
}

fn dice(seed: u64, begun: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed_of(seed, begun))
}

impl Order for Led<'_> {
    fn order(&mut self, at: &mut dyn Cursor, depth: usize, joints: &mut [JointMove]) {
        let Led { guesser, guess, dice, .. } = self;
        let others = 0..guesser.encoding.others.len();
        let value = |at: &mut dyn Cursor, depth: usize, joint: &JointMove| {
            let likely: f64 = others.clone().map(|index| guesser.likelihood(guess, at, depth, joint, index)).product();
            match dice {
                Some(dice) => likely.ln() - (-dice.random::<f64>().max(f64::MIN_POSITIVE).ln()).ln(),
                None => likely,
            }
        };
        Given(value).order(at, depth, joints);
    }

    fn anew(&mut self) {
        self.begun += 1;
        self.dice = Some(dice(self.seed, self.begun));
    }
}
