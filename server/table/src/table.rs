//! The table: its players, who change seats after every match, and the match that is played.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use percept_game::{JointMove, RoleId};
use percept_players::tournament::Played;
use percept_players::{Arena, Clocks, Ended, MatchOptions, Outcome, Strategy, Watch};
use percept_report::board::Layout;

use crate::chair::Chair;
use crate::kept::{Kept, KeptError};
use crate::opened::{Opened, truth};
use crate::place::{Follows, Place};
use crate::token::Token;
use crate::wire::Message;

/// The time that programs may be late: the people's browsers keep the machine busy, too.
const GRACE: Duration = Duration::from_secs(10);
/// The most rounds of a match.
const LONGEST: usize = 10_000;
/// The most pages of one person, and of all watchers.
const PAGES: usize = 8;
const WATCHING: usize = 200;

/// A player at the table.
#[derive(Clone, Debug)]
pub enum Player {
    /// A person with the link of this token.
    Human(Token),
    /// A program.
    Program(Strategy),
}

/// The game of a table, and its players.
pub struct Setting {
    /// The name of the game.
    pub title: String,
    /// The game as players receive it.
    pub arena: Arena,
    /// The layout of its boards.
    pub layout: Layout,
    /// The players in the order of the roles without chance, and their names. In match `n`, each has moved on by `n`
    /// roles.
    pub players: Vec<(Player, String)>,
    /// The token of watchers.
    pub watchers: Token,
    /// The time in which programs choose.
    pub playclock: Duration,
    /// The seed of all matches. It shows what chance does.
    pub seed: u64,
}

/// A table at which matches are played one after the other.
pub struct Table {
    setting: Setting,
    layout: Arc<Layout>,
    /// The place of each player; `None` for programs.
    places: Vec<Option<Arc<Place>>>,
    watchers: Arc<Place>,
    finished: Mutex<Finished>,
    changed: Condvar,
    closed: Arc<AtomicBool>,
}

/// The last finished match.
#[derive(Default)]
struct Finished {
    /// Empty while a match is played.
    moves: Option<Vec<JointMove>>,
    /// The players that want another match.
    ready: BTreeSet<usize>,
}

/// The owner of a token.
#[derive(Clone)]
pub(crate) struct Owner {
    pub place: Arc<Place>,
    /// The index of the player; `None` for watchers.
    pub player: Option<usize>,
}

impl Table {
    /// A table at which nothing is played yet.
    pub fn new(setting: Setting) -> Table {
        let place = |player: &Player| match player {
            Player::Human(token) => Some(Arc::new(Place::new(*token, PAGES))),
            Player::Program(_) => None,
        };
        Table {
            places: setting.players.iter().map(|(player, _)| place(player)).collect(),
            watchers: Arc::new(Place::new(setting.watchers, WATCHING)),
            layout: Arc::new(setting.layout.clone()),
            finished: Mutex::default(),
            changed: Condvar::new(),
            closed: Arc::default(),
            setting,
        }
    }

    /// Plays matches until the table is closed.
    ///
    /// # Errors
    /// If a match cannot be kept, or the kept match is not one of the game.
    pub fn run(self: &Arc<Self>, kept: &Arc<Kept>) -> Result<(), KeptError> {
        let (mut number, rounds, mut has_ended) = kept.last.clone();
        let mut played = self.moves(&rounds).ok_or_else(|| kept.no_match())?;
        if played.is_empty() && !has_ended {
            kept.begin(number)?;
        }
        loop {
            self.begin(number);
            let outcome = self.play(number, std::mem::take(&mut played), kept)?;
            if outcome.ended == Ended::Cancelled {
                return Ok(());
            }
            let opened = Opened::of(self.setting.arena.game(), &outcome);
            if !std::mem::take(&mut has_ended) {
                kept.end(opened.ended(), self.records(number, &outcome))?;
            }
            self.open(&opened, outcome.moves);
            if !self.is_wanted_again() {
                return Ok(());
            }
            number += 1;
            kept.begin(number)?;
        }
    }

    /// Ends the match, and with it [`Table::run`].
    pub fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        self.places.iter().flatten().for_each(|place| place.close());
        drop(self.lock());
        self.changed.notify_all();
    }

    /// The place of a token.
    pub(crate) fn find(&self, token: &Token) -> Option<Owner> {
        let players = self.places.iter().enumerate().filter_map(|(at, place)| Some((Some(at), place.as_ref()?)));
        let mut all = players.chain([(None, &self.watchers)]);
        all.find(|(_, place)| place.is_for(token)).map(|(player, place)| Owner { place: place.clone(), player })
    }

    /// A player wants another match.
    pub(crate) fn want_again(&self, player: usize) {
        let mut finished = self.lock();
        if finished.moves.is_none() || !finished.ready.insert(player) {
            return;
        }
        let (ready, of) = (finished.ready.len(), self.places.iter().flatten().count());
        self.show_all(&Message::Again { ready, of }, Follows::All);
        drop(finished);
        self.changed.notify_all();
    }

    /// The true state after a round, if the match is over.
    pub(crate) fn look(&self, round: usize) -> Option<Arc<str>> {
        let moves = self.lock().moves.clone()?;
        let round = round.min(moves.len());
        let picture = truth(self.setting.arena.game(), &self.layout, &moves, round);
        Some(Message::Truth { round, picture }.text())
    }

    /// The roles that are played, in the order of the rules.
    fn roles(&self) -> impl Iterator<Item = RoleId> {
        let game = self.setting.arena.game();
        game.role_ids().filter(|role| !game.roles[usize::from(role.0)].is_chance)
    }

    /// The player of the role with this index among those that are played.
    fn player_at(&self, at: usize, number: u64) -> usize {
        let count = self.setting.players.len();
        (at + count - (number % count as u64) as usize) % count
    }

    /// The moves of kept rounds; `None` if they are not legal.
    fn moves(&self, rounds: &[Vec<String>]) -> Option<Vec<JointMove>> {
        let game = self.setting.arena.game();
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

    fn begin(&self, number: u64) {
        *self.lock() = Finished::default();
        let game = self.setting.arena.game();
        let name = |role: RoleId| game.roles[usize::from(role.0)].name.as_str();
        let of_role = |(at, role): (usize, RoleId)| match &self.setting.players[self.player_at(at, number)].0 {
            Player::Human(_) => (name(role), "human".to_string()),
            Player::Program(strategy) => (name(role), strategy.name()),
        };
        let players: Vec<(&str, String)> = self.roles().enumerate().map(of_role).collect();
        let begin = |role| {
            let (players, all_seen) = (players.clone(), !self.setting.arena.briefing().has_percepts);
            Message::Begin { game: &self.setting.title, number, role, players, all_seen }.shown()
        };
        for (at, role) in self.roles().enumerate() {
            if let Some(place) = &self.places[self.player_at(at, number)] {
                place.show(begin(Some(name(role))), Follows::Nothing);
            }
        }
        self.watchers.show(begin(None), Follows::Nothing);
    }

    fn play(self: &Arc<Self>, number: u64, played: Vec<JointMove>, kept: &Arc<Kept>) -> Result<Outcome, KeptError> {
        let failed: Arc<Mutex<Option<KeptError>>> = Arc::default();
        let round = AtomicUsize::new(played.len());
        let (it, keeper, problem) = (self.clone(), kept.clone(), failed.clone());
        let tell = move |joint: &JointMove| {
            let game = it.setting.arena.game();
            let names = game.role_ids().zip(joint).map(|(role, &mv)| game.rules.move_name(role, mv)).collect();
            if let Err(error) = keeper.round(names) {
                // A round that was not kept is not played.
                *problem.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                return it.close();
            }
            let rounds = round.fetch_add(1, Ordering::Relaxed) + 1;
            it.watchers.show(Message::Watched { rounds }.shown(), Follows::Beginning);
        };
        self.watchers.show(Message::Watched { rounds: played.len() }.shown(), Follows::Beginning);
        let options = MatchOptions {
            id: format!("table-{number}"),
            clocks: Clocks {
                start: Some(self.setting.playclock),
                play: Some(self.setting.playclock),
                grace: GRACE,
                simulations: None,
            },
            seed: self.setting.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            max_rounds: LONGEST,
            waits: true,
            cancel: Some(self.closed.clone()),
            played,
            watch: Some(Watch(Arc::new(tell))),
        };
        let outcome = self.setting.arena.play(&self.strategies(number), &options);
        let failed = failed.lock().unwrap_or_else(PoisonError::into_inner).take();
        failed.map_or(Ok(outcome), Err)
    }

    /// The strategy of each role in a match.
    fn strategies(&self, number: u64) -> Vec<Strategy> {
        let mut strategies = vec![Strategy::Random; self.setting.arena.game().roles.len()];
        for (at, role) in self.roles().enumerate() {
            let player = self.player_at(at, number);
            let strategy = match (&self.setting.players[player].0, &self.places[player]) {
                (Player::Human(_), Some(place)) => {
                    let (place, layout) = (place.clone(), self.layout.clone());
                    Strategy::Human(Arc::new(Chair { place, layout, number }))
                }
                (Player::Program(strategy), _) => strategy.clone(),
                (Player::Human(_), None) => unreachable!("every person has a place"),
            };
            strategies[usize::from(role.0)] = strategy;
        }
        strategies
    }

    /// The lines of a match in the tournament's file: one for each pair of players with different names.
    fn records(&self, number: u64, outcome: &Outcome) -> Vec<Played> {
        let game = self.setting.arena.game();
        let mut names: Vec<Option<&str>> = vec![None; game.roles.len()];
        for (at, role) in self.roles().enumerate() {
            names[usize::from(role.0)] = Some(&self.setting.players[self.player_at(at, number)].1);
        }
        let players: Vec<&str> = names.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let record = |first: &str, second: Option<&str>| {
            let is_first = |name: &Option<&str>| match *name {
                Some(name) if name == first => Some(true),
                Some(name) if Some(name) == second => Some(false),
                _ => None,
            };
            let seating: Vec<Option<bool>> = names.iter().map(is_first).collect();
            Played::of(&self.setting.title, (first, second), number, &seating, outcome)
        };
        match players[..] {
            [only] => record(only, None).into_iter().collect(),
            _ => {
                let pairs = (0..players.len()).flat_map(|at| (at + 1..players.len()).map(move |other| (at, other)));
                pairs.filter_map(|(at, other)| record(players[at], Some(players[other]))).collect()
            }
        }
    }

    fn open(&self, opened: &Opened, moves: Vec<JointMove>) {
        let mut finished = self.lock();
        finished.moves = Some(moves);
        self.show_all(&Message::Opened(opened), Follows::All);
    }

    /// Waits until every person wants another match. False: the table is closed.
    fn is_wanted_again(&self) -> bool {
        let people = self.places.iter().flatten().count();
        let mut finished = self.lock();
        while !self.closed.load(Ordering::Relaxed) {
            if finished.ready.len() == people {
                return true;
            }
            finished = self.changed.wait(finished).unwrap_or_else(PoisonError::into_inner);
        }
        false
    }

    fn show_all(&self, message: &Message<'_>, follows: Follows) {
        let shown = message.shown();
        self.places.iter().flatten().chain([&self.watchers]).for_each(|place| place.show(shown.clone(), follows));
    }

    fn lock(&self) -> MutexGuard<'_, Finished> {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
