//! Neural information set generation: heuristic rejection sampling in the order of a network's guesses.

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

/// The number of joint moves in vain before a search restarts for the first time.
pub const FIRST_PATIENCE: u64 = 1_024;
/// The number of joint moves in the first search of a draw before it restarts.
const FIRST_TRIES: u64 = 4_096;

/// The limit for the joint moves in all searches of a draw, per requested history. It ends searches without a deadline.
const MOST_TRIES: u64 = 1 << 16;

/// A network, bound to a game.
#[derive(Clone, Debug)]
pub struct Guesser {
    /// The encoding of views as numbers.
    pub encoding: Encoding,
    /// The network with its weights.
    pub network: Network<f32>,
}

impl Guesser {
    /// Binds a network to a game.
    ///
    /// # Errors
    /// The network is of another game.
    pub fn new(game: &Game, vocabulary: &Vocabulary, saved: &Saved) -> Result<Guesser, Foreign> {
        let encoding = Encoding::of_columns(game, vocabulary, saved.columns.clone())?;
        Ok(Guesser { encoding, network: saved.network.clone() })
    }

    /// Guesses one row per round: the probability of every deed of the others, given the whole view.
    pub fn guess(&self, view: &View) -> Array2<f32> {
        self.network.guess(&self.encoding.view(view))
    }

    /// The order of a search for histories of a view: the most probable guess first. After a restart of the search the
    /// order is also random.
    pub fn order(&self, view: &View, seed: u64) -> Led<'_> {
        Led { guesser: self, guess: self.guess(view), seed, begun: 0, dice: None }
    }

    /// Draws histories of a view: each is the first result of a search whose order depends on the guesses and on random
    /// numbers (Gumbel's, so that a move comes first with its guessed probability). At most `count`, each simulated
    /// again; fewer if the budget ends it. A search without a result restarts after a number of tries.
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
                // Doubles the limit, so that every set is found in the end.
                None => most = most.saturating_mul(2),
            }
        }
        drawn
    }

    /// The probability of another role's deed. An unseen pair counts as a rarely seen one; the forced move of a role
    /// without a choice has probability 1.
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

    /// The search for members of a view as in the paper. The same seed gives the same search.
    pub fn search_once<'a>(&'a self, game: &'a Game, view: &'a View, seed: u64, budget: Budget) -> Hrs<'a> {
        Hrs::new(game, view, Box::new(self.order(view, seed)), budget)
    }

    /// Like [`Guesser::search_once`], but with restarts after too many tries in vain ([`Hrs::anew_after`]), unlike the
    /// paper.
    pub fn search<'a>(&'a self, game: &'a Game, view: &'a View, seed: u64, budget: Budget) -> Hrs<'a> {
        self.search_once(game, view, seed, budget).anew_after(FIRST_PATIENCE)
    }
}

/// The order of a network's guesses; with random numbers (Gumbel's), a move comes first with its guessed probability.
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
