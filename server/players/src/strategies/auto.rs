//! The strongest strategy for the game and the clock. It follows the table of the solved game if solving proves a value
//! and fits half of the start clock. If not, it runs information-set tree search.
//!
//! The search is GRAVE's if moves mostly stay available until they are made, as shots and marks do. A move is then
//! worth much the same earlier and later, and results of the same move elsewhere are informative (Gelly and Silver,
//! Monte-Carlo tree search and rapid action value estimation in computer Go, 2011, on why all moves as first works in
//! Go). `docs/playing.md` has the measurements: it wins more than the plain search in Battleship, Krieg and Latent
//! Tic-Tac-Toe, and less in games whose moves come and go (31 % of 24 matches of Blind Breakthrough 5x5).

use std::sync::Arc;

use percept_game::{Game, JointMove, MoveId, RoleId};
use percept_infoset::View;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::equilibrium::{ByTable, Equilibrium, Otherwise};
use super::ismcts::{Choice, Ismcts};
use crate::clock::Clock;
use crate::player::{Player, Seat, Trouble};

/// The most points that a table may lose to a best response; a table that loses more is not followed.
const GOOD: f64 = 1.0;

/// The number of random matches that test if moves stay.
const MATCHES: usize = 20;
/// The most rounds of each of these matches.
const ROUNDS: usize = 200;
/// The share of the other moves that must still be legal at a role's next choice, for moves to have stayed.
const STAY: f64 = 0.9;
/// The share of choices at which moves must have stayed: games have phases, such as placing and shooting.
const MOSTLY: f64 = 0.8;
/// The least average number of moves; if there are fewer, every one is tried often anyway.
const MANY: f64 = 12.0;

/// True if a role mostly has many moves, which stay until they are made.
fn moves_stay(game: &Game, role: RoleId, seed: u64, clock: &Clock) -> bool {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut choices, mut offered, mut stayed, mut later) = (0usize, 0usize, 0usize, 0usize);
    for _ in 0..MATCHES {
        let mut at = game.start();
        // The moves that the role could have made at its last choice, but did not.
        let mut left: Vec<MoveId> = Vec::new();
        for _ in 0..ROUNDS {
            if at.is_terminal() || clock.is_over() {
                break;
            }
            let legal: Vec<Vec<MoveId>> = game.role_ids().map(|role| at.legal(role)).collect();
            if legal.iter().any(Vec::is_empty) {
                break;
            }
            let joint: JointMove = legal.iter().map(|moves| moves[rng.random_range(0..moves.len())]).collect();
            let own = &legal[usize::from(role.0)];
            if own.len() > 1 {
                let still = left.iter().filter(|mv| own.contains(mv)).count();
                later += usize::from(!left.is_empty());
                stayed += usize::from(!left.is_empty() && still as f64 >= STAY * left.len() as f64);
                choices += 1;
                offered += own.len();
                left.clear();
                left.extend(own.iter().filter(|&&mv| mv != joint[usize::from(role.0)]));
            }
            at.step(&joint);
        }
    }
    later > 0 && stayed as f64 >= MOSTLY * later as f64 && offered as f64 >= MANY * choices as f64
}

pub(super) struct Auto<'g> {
    seat: &'g Seat,
    source: Arc<Equilibrium>,
    chosen: Box<dyn Player + 'g>,
    why: String,
}

impl<'g> Auto<'g> {
    pub(super) fn new(seat: &'g Seat, source: Arc<Equilibrium>) -> Auto<'g> {
        Auto { seat, source, chosen: Box::new(Ismcts::new(seat, Choice::default())), why: "ismcts".into() }
    }
}

impl Player for Auto<'_> {
    fn prepare(&mut self, clock: &Clock) -> Result<(), Trouble> {
        let solved = self.source.of(self.seat, &clock.share(0.5), Otherwise::GiveUp);
        let reason = match solved {
            Some(solved) if solved.has_value && solved.exploitability.is_some_and(|points| points <= GOOD) => {
                self.why = format!("equilibrium: the game was solved ({})", solved.about);
                self.chosen = Box::new(ByTable::with(self.seat, self.source.clone(), solved));
                return Ok(());
            }
            Some(solved) if solved.has_value => format!("the solution was not good enough in time ({})", solved.about),
            Some(_) => "the roles' goals are not opposed, so no table is safe".into(),
            None => "the game was not solved within the available time and memory".into(),
        };
        let (choice, search) = match moves_stay(self.seat.game(), self.seat.role, self.seat.seed, &clock.share(0.1)) {
            true => (Choice::Grave, "ismcts:grave"),
            false => (Choice::Most, "ismcts"),
        };
        self.chosen = Box::new(Ismcts::new(self.seat, choice));
        self.why = format!("{search}: {reason}");
        Ok(())
    }

    fn choose(&mut self, view: &View, clock: &Clock) -> Result<MoveId, Trouble> {
        self.chosen.choose(view, clock)
    }

    fn remark(&self) -> Option<String> {
        let more = self.chosen.remark().filter(|_| self.why.starts_with("ismcts"));
        Some(more.map_or_else(|| self.why.clone(), |more| format!("{}; {more}", self.why)))
    }
}
