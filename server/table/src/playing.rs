//! The matches of a table, one after the other.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use percept_game::{JointMove, RoleId};
use percept_players::tournament::Played;
use percept_players::{Clocks, Ended, MatchOptions, Outcome, Strategy, Watch};

use crate::chair::Chair;
use crate::lines::{KeptError, Line, PastMatch};
use crate::opened::Opened;
use crate::place::Follows;
use crate::table::Table;
use crate::wire::Message;

/// The time that programs may be late: the people's browsers keep the machine busy, too.
const GRACE: Duration = Duration::from_secs(10);
/// The most rounds of a match.
const LONGEST: usize = 10_000;

/// Something that happened at a table, for the command that runs the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A match begins.
    Begun {
        /// The number of the table.
        table: u64,
        /// The number of the match at this table.
        number: u64,
    },
    /// A round was played.
    Round {
        /// The number of the table.
        table: u64,
        /// The number of rounds played.
        rounds: usize,
    },
    /// The match has ended.
    Ended {
        /// The number of the table.
        table: u64,
        /// The number of the match at this table.
        number: u64,
    },
    /// A table is new, or its players have changed.
    Changed,
}

/// A function that receives the events of all tables.
pub type Listen = Arc<dyn Fn(Event) + Send + Sync>;

impl Table {
    /// Plays matches until the table is closed. `last` is the first of them, or the one to go on with.
    ///
    /// # Errors
    /// If a match cannot be kept, the kept match is not one of the game, or the thread of a person has crashed.
    pub(crate) fn run(self: &Arc<Self>, last: PastMatch, listen: &Listen) -> Result<(), KeptError> {
        let PastMatch { mut number, mut serial, rounds, mut has_ended } = last;
        let mut played = self.moves(&rounds).ok_or_else(|| self.kept.no_match())?;
        loop {
            self.begin(number);
            listen(Event::Begun { table: self.id, number });
            let outcome = self.play(number, std::mem::take(&mut played), listen)?;
            if outcome.ended == Ended::Cancelled {
                return self.ended();
            }
            let opened = Opened::of(self.game.arena.game(), &self.game.layout.speech, &outcome);
            if !std::mem::take(&mut has_ended) {
                let records = if self.has_result() { self.records(number, serial, &outcome) } else { Vec::new() };
                self.kept.end(self.id, opened.ended(), records)?;
            }
            self.finish(&Message::Opened(&opened), outcome.moves);
            listen(Event::Ended { table: self.id, number });
            if !self.is_wanted_again() {
                return self.ended();
            }
            (number, serial) = (number + 1, self.kept.serial());
            self.kept.write(&Line::Match { table: self.id, number, serial })?;
        }
    }

    /// The moves of kept rounds; `None` if they are not legal.
    fn moves(&self, rounds: &[Vec<String>]) -> Option<Vec<JointMove>> {
        joint_moves(self.game.arena.game(), rounds)
    }

    fn play(self: &Arc<Self>, number: u64, played: Vec<JointMove>, listen: &Listen) -> Result<Outcome, KeptError> {
        let failed: Arc<Mutex<Option<KeptError>>> = Arc::default();
        let round = AtomicUsize::new(played.len());
        let (it, problem, listen) = (self.clone(), failed.clone(), listen.clone());
        let tell = move |joint: &JointMove| {
            let game = it.game.arena.game();
            let moves = game.role_ids().zip(joint).map(|(role, &mv)| game.rules.move_name(role, mv)).collect();
            if let Err(error) = it.kept.write(&Line::Round { table: it.id, moves, thought: it.thoughts() }) {
                // A round that was not kept is not played.
                *problem.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                return it.close();
            }
            let rounds = round.fetch_add(1, Ordering::Relaxed) + 1;
            it.watchers.show(Message::Watched { rounds }.shown(), Follows::Beginning);
            listen(Event::Round { table: it.id, rounds });
        };
        self.watchers.show(Message::Watched { rounds: played.len() }.shown(), Follows::Beginning);
        let playclock = Some(self.terms.playclock);
        let seed = self.terms.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let options = MatchOptions {
            id: format!("table-{}-{number}", self.id),
            clocks: Clocks { start: playclock, play: playclock, grace: GRACE, simulations: None },
            seed: seed.wrapping_add(self.id.wrapping_mul(0xd1b5_4a32_d192_ed03)),
            max_rounds: LONGEST,
            waits: true,
            cancel: Some(self.closed.clone()),
            played,
            watch: Some(Watch(Arc::new(tell))),
        };
        let outcome = self.game.arena.play(&self.strategies(number), &options);
        let failed = failed.lock().unwrap_or_else(PoisonError::into_inner).take();
        failed.map_or(Ok(outcome), Err)
    }

    /// The strategy of each role in a match.
    fn strategies(self: &Arc<Self>, number: u64) -> Vec<Strategy> {
        let mut strategies = vec![Strategy::Random; self.game.arena.game().roles.len()];
        for (at, role) in self.game.roles().enumerate() {
            let player = self.game.player_at(at, number);
            let chair = || {
                let (table, place, clock) = (self.clone(), self.places[player].clone(), self.terms.clock);
                Strategy::Human(Arc::new(Chair { table, place, player, number, clock }))
            };
            strategies[usize::from(role.0)] = self.program(player).unwrap_or_else(chair);
        }
        strategies
    }

    /// The lines of a match in the tournament's file: one for each pair of players with different names.
    fn records(&self, number: u64, serial: u64, outcome: &Outcome) -> Vec<Played> {
        let line = self.line();
        let all = line.names();
        let mut names: Vec<Option<&str>> = vec![None; self.game.arena.game().roles.len()];
        for (at, role) in self.game.roles().enumerate() {
            names[usize::from(role.0)] = Some(&all[self.game.player_at(at, number)]);
        }
        let players: Vec<&str> = names.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let record = |first: &str, second: Option<&str>| {
            let is_first = |name: &Option<&str>| match *name {
                Some(name) if name == first => Some(true),
                Some(name) if Some(name) == second => Some(false),
                _ => None,
            };
            let seating: Vec<Option<bool>> = names.iter().map(is_first).collect();
            Played::of(&self.game.title, (first, second), serial, &seating, outcome)
        };
        match players[..] {
            [only] => record(only, None).into_iter().collect(),
            _ => {
                let pairs = (0..players.len()).flat_map(|at| (at + 1..players.len()).map(move |other| (at, other)));
                pairs.filter_map(|(at, other)| record(players[at], Some(players[other]))).collect()
            }
        }
    }
}

/// The joint moves of these names; `None` if they are not legal from the start of the game.
pub fn joint_moves(game: &percept_game::Game, rounds: &[Vec<String>]) -> Option<Vec<JointMove>> {
    let mut state = game.rules.initial();
    let mut moves = Vec::new();
    for names in rounds {
        let legal = |(role, name): (RoleId, &String)| {
            game.rules.legal(&state, role).into_iter().find(|&mv| game.rules.move_name(role, mv) == *name)
        };
        if names.len() != game.roles.len() || game.rules.terminal(&state) {
            return None;
        }
        let joint = game.role_ids().zip(names).map(legal).collect::<Option<JointMove>>()?;
        state = game.rules.next(&state, &joint);
        moves.push(joint);
    }
    Some(moves)
}
