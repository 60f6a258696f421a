//! A person at a screen, with exactly the role's knowledge.

use std::sync::Arc;
use std::time::Duration;

use percept_game::{FluentId, Game, MoveId, State, Term};
use percept_infoset::View;

use super::head::Head;
use super::{Equilibrium, Strategy};
use crate::clock::Clock;
use crate::player::{Player, Seat, Trouble};

/// A role's knowledge of a match: everything that may be shown to the person who plays it.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The name of the role.
    pub role: String,
    /// The number of rounds played.
    pub round: usize,
    /// The own move and the percepts of each round.
    pub seen: Vec<(Option<String>, Vec<String>)>,
    /// The facts that hold in every history that the role cannot distinguish from the real one. Its numbers are
    /// meaningless.
    pub certain: State,
    /// The numbers that change, with their values if they are certain.
    pub numbers: Vec<(String, Option<i64>)>,
    /// The facts that hold in only some of these histories.
    pub possible: Vec<String>,
    /// True if `certain` covers all histories; if false, it covers a sample.
    pub is_proved: bool,
    /// The moves that are legal by the role's knowledge.
    pub moves: Vec<Term>,
    /// The role's own moves and percepts, from which all other fields follow.
    pub view: View,
    /// The states that the role considers possible, each with its probability.
    pub members: Vec<(State, f64)>,
}

/// The person at the screen.
pub trait Person: Send + Sync {
    /// Asks for one of [`Sight::moves`] and returns its index.
    ///
    /// # Errors
    /// The reason why the person makes no move.
    fn choose(&self, game: &Game, sight: &Sight, clock: &Clock) -> Result<usize, Absence>;

    /// Shows the last sight; the match is over.
    fn over(&self, game: &Game, sight: &Sight);

    /// Learns that the thread that follows the match for the person has crashed. Without an end of the match, the
    /// manager makes random moves from now on.
    fn crashed(&self) {}
}

/// The reason why a person makes no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The person has left: the manager makes a random move.
    Left,
    /// The person's time is over: the manager makes a random move.
    Late,
    /// The person has left, and a program (`auto`) chooses this move.
    Replaced,
}

pub(super) struct Human<'g> {
    seat: &'g Seat,
    head: Head<'g>,
    person: Arc<dyn Person>,
    /// The program that plays on for a person who has left.
    successor: Option<Box<dyn Player + 'g>>,
}

/// The most possible facts that are named.
const MOST_NAMED: usize = 200;
/// The time for finding possible facts, with or without a clock.
const LOOK: Duration = Duration::from_secs(2);

impl<'g> Human<'g> {
    pub(super) fn new(seat: &'g Seat, person: Arc<dyn Person>) -> Human<'g> {
        let head = Head::new(seat);
        // A person is shown states; what others have seen on the way does not matter.
        let head = Head { belief: head.belief.by_state(), ..head };
        Human { seat, head, person, successor: None }
    }

    /// A move of the program that plays on. It has the time of programs, and begins with the whole view.
    fn succeed(&mut self, view: &View) -> Result<MoveId, Trouble> {
        let clock =
            || Clock::starts(self.seat.clocks.start.or(Some(LOOK)), self.seat.clocks.simulations, &Arc::default());
        let successor = match &mut self.successor {
            Some(it) => it,
            none => {
                let mut program = Strategy::Auto(Arc::new(Equilibrium::on_the_spot())).sit(self.seat);
                // A program that is not ready is asked for moves all the same, as by the manager.
                let _ = program.prepare(&clock());
                none.insert(program)
            }
        };
        successor.choose(view, &clock())
    }

    fn sight(&self, view: &View, moves: &[MoveId]) -> Sight {
        let game = self.seat.game();
        let members = self.head.belief.members();
        let mut certain = members.first().map_or_else(State::default, |member| member.place.state.clone());
        let mut some = certain.clone();
        for member in members {
            for (word, other) in certain.bits.iter_mut().zip(&member.place.state.bits) {
                *word &= other;
            }
            for (word, other) in some.bits.iter_mut().zip(&member.place.state.bits) {
                *word |= other;
            }
        }
        let possible = some.fluents().filter(|&fluent| !certain.has(fluent));
        let possible: Vec<FluentId> = possible.take(MOST_NAMED).collect();
        let numbers = game.rules.register_names().into_iter().enumerate().map(|(at, name)| {
            let mut values = members.iter().map(|member| member.place.state.registers[at]);
            let first = values.next();
            (name, first.filter(|&first| values.all(|value| value == first)))
        });
        let numbers = numbers.collect();
        certain.registers.fill(0);
        let seen = view.rounds.iter().map(|round| {
            let own = round.own.map(|mv| game.rules.move_name(view.role, mv));
            (own, round.percepts.iter().map(|&it| game.rules.percept_name(view.role, it)).collect())
        });
        Sight {
            role: self.seat.role_name().to_string(),
            round: view.len(),
            seen: seen.collect(),
            possible: possible.into_iter().map(|fluent| game.rules.fluent_name(fluent)).collect(),
            certain,
            numbers,
            is_proved: self.head.belief.is_complete(),
            moves: moves.iter().map(|&mv| game.rules.move_term(view.role, mv)).collect(),
            view: view.clone(),
            members: members.iter().map(|member| (member.place.state.clone(), member.weight)).collect(),
        }
    }
}

impl Player for Human<'_> {
    fn choose(&mut self, view: &View, clock: &Clock) -> Result<MoveId, Trouble> {
        self.head.belief.observe(view, false, &clock.at_most(LOOK));
        let moves = self.head.belief.moves();
        let sight = self.sight(view, &moves);
        match self.person.choose(self.seat.game(), &sight, clock) {
            Ok(at) => moves.get(at).copied().ok_or_else(|| Trouble::Nonsense(at.to_string())),
            Err(Absence::Left) => Err(Trouble::Died("the person has left".into())),
            Err(Absence::Late) => Err(Trouble::Late),
            Err(Absence::Replaced) => self.succeed(view),
        }
    }

    fn end(&mut self, view: &View) {
        // Does not use the match's clock: the match is over, and this is only for display.
        let clock = Clock::starts(Some(LOOK), None, &Arc::default());
        self.head.belief.observe(view, true, &clock);
        let sight = self.sight(view, &[]);
        self.person.over(self.seat.game(), &sight);
    }
}
