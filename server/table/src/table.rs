//! A table: its seats, which people and programs take, and the wishes of its pages.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use percept_game::JointMove;
use percept_players::Strategy;
use percept_report::board::Layout;
use percept_report::speech::Phrases;

use crate::kept::Kept;
use crate::lines::{By, KeptError, Line, PastMatch, PastTable, Remark, SeatLine, TableLine, Thought};
use crate::opened::truth;
use crate::place::{Follows, NotTaken, Place};
use crate::playable::Playable;
use crate::token::Token;
use crate::wire::{Listing, Message, Player, Stage};

/// The most pages of one person, and of all watchers.
const PAGES: usize = 8;
const WATCHING: usize = 200;
/// The most remarks of one player about one match that are kept.
const REMARKS: usize = 100;
/// The longest note, in characters.
const NOTE: usize = 500;

/// The clocks and the seed of all tables of a server.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The time in which programs choose.
    pub playclock: Duration,
    /// The time in which people choose, if they have a clock.
    pub clock: Option<Duration>,
    /// The seed of all matches. It shows what chance does.
    pub seed: u64,
}

/// A table at which matches are played one after the other.
pub(crate) struct Table {
    pub id: u64,
    pub game: Arc<Playable>,
    pub terms: Terms,
    pub kept: Arc<Kept>,
    /// The place of each player. The places of programs have no pages.
    pub places: Vec<Arc<Place>>,
    pub watchers: Arc<Place>,
    pub closed: Arc<AtomicBool>,
    /// True if the thread of a person has crashed.
    failed: AtomicBool,
    now: Mutex<Now>,
    changed: Condvar,
    thoughts: Mutex<Vec<Thought>>,
}

/// The part of a table that changes.
struct Now {
    line: TableLine,
    /// The strategy of each program. It remembers what it has solved from match to match.
    programs: Vec<Option<Strategy>>,
    stage: Stage,
    /// The number of the match at this table.
    number: u64,
    /// The last finished match; empty while one is played.
    moves: Option<Vec<JointMove>>,
    /// The players that want another match.
    ready: BTreeSet<usize>,
    /// The players that gave up.
    left: BTreeSet<usize>,
    /// The number of remarks of each player about this match.
    remarks: Vec<usize>,
}

/// The reason why a seat is not taken, for the person who wants it.
pub(crate) type Refusal = &'static str;

/// The reason of a refusal if something cannot be written.
const NOT_WRITTEN: Refusal = "The table's file cannot be written.";

impl Table {
    /// A table of a line: a new one, or one of a file. `None` if its tokens cannot be read, or the seats do not fit.
    pub(crate) fn of(past: PastTable, game: Arc<Playable>, terms: Terms, kept: Arc<Kept>) -> Option<Table> {
        let PastTable { line, left, last } = past;
        if line.seats.len() != game.roles().count() {
            return None;
        }
        let place = |seat: &SeatLine| Some(Arc::new(Place::new(Token::read(&seat.token)?, PAGES)));
        let places = line.seats.iter().map(place).collect::<Option<Vec<_>>>()?;
        let programs = line.seats.iter().map(|seat| strategy(seat.by.as_ref())).collect::<Option<_>>()?;
        left.iter().filter_map(|&at| places.get(at)).for_each(|place| place.leave(true));
        let now = Now {
            stage: Stage::Gathering,
            number: last.map_or(0, |it| it.number),
            moves: None,
            ready: BTreeSet::new(),
            left,
            remarks: vec![0; line.seats.len()],
            line,
            programs,
        };
        Some(Table {
            id: now.line.id,
            watchers: Arc::new(Place::new(Token::read(&now.line.watchers)?, WATCHING)),
            places,
            game,
            terms,
            kept,
            closed: Arc::default(),
            failed: AtomicBool::new(false),
            now: Mutex::new(now),
            changed: Condvar::new(),
            thoughts: Mutex::default(),
        })
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.game.layout
    }

    pub(crate) fn line(&self) -> TableLine {
        self.lock().line.clone()
    }

    /// True if all seats are taken.
    pub(crate) fn is_full(&self) -> bool {
        self.lock().line.seats.iter().all(|seat| seat.by.is_some())
    }

    /// True if nothing would be lost without the table: its match is over, and no page shows it.
    pub(crate) fn is_idle(&self) -> bool {
        self.lock().stage == Stage::Over && self.places.iter().chain([&self.watchers]).all(|it| it.is_empty())
    }

    /// Ends the match, and with it the table.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        self.places.iter().for_each(|place| place.close());
        drop(self.lock());
        self.changed.notify_all();
    }

    /// The place of a token, and its player; without a player, it is the place of watchers.
    pub(crate) fn find(&self, token: &Token) -> Option<(Arc<Place>, Option<usize>)> {
        let players = self.places.iter().enumerate().map(|(at, place)| (Some(at), place));
        let found = players.chain([(None, &self.watchers)]).find(|(_, place)| place.is_for(token));
        found.map(|(player, place)| (place.clone(), player))
    }

    /// A player takes a free seat; returns its token.
    pub(crate) fn take(&self, seat: usize, by: By) -> Result<String, Refusal> {
        let mut now = self.lock();
        if now.stage != Stage::Gathering || now.line.seats.get(seat).is_none_or(|it| it.by.is_some()) {
            return Err("This seat is not free any more.");
        }
        if let By::Person(Some(name)) = &by
            && now.line.names().contains(name)
        {
            return Err("A player at this table has this name: choose another one.");
        }
        let mut others = now.line.seats.iter().enumerate().filter(|(at, _)| *at != seat);
        if matches!(by, By::Program(_)) && others.all(|(_, it)| is_program(it)) {
            return Err("A table of programs alone would not wait for you: sit down, or leave a seat free.");
        }
        self.change(&mut now, seat, Some(by))?;
        Ok(now.line.seats[seat].token.clone())
    }

    /// A program leaves its seat before the match.
    pub(crate) fn free(&self, seat: usize) -> Result<(), Refusal> {
        let mut now = self.lock();
        if now.stage != Stage::Gathering || !now.line.seats.get(seat).is_some_and(is_program) {
            return Err("Only a program can be sent away, and only before the match.");
        }
        self.change(&mut now, seat, None)
    }

    fn change(&self, now: &mut Now, seat: usize, by: Option<By>) -> Result<(), Refusal> {
        let program = strategy(by.as_ref()).ok_or("There is no such program.")?;
        let before = std::mem::replace(&mut now.line.seats[seat].by, by);
        if self.kept.write(&Line::Table(now.line.clone())).is_err() {
            now.line.seats[seat].by = before;
            return Err(NOT_WRITTEN);
        }
        now.programs[seat] = program;
        self.gather(now);
        Ok(())
    }

    /// Shows at all places who is there.
    pub(crate) fn show_gathering(&self) {
        self.gather(&self.lock());
    }

    fn gather(&self, now: &Now) {
        let (game, names) = (self.game.title.as_str(), self.game.role_names());
        let show = |place: &Place, role| {
            let message = Message::Gathering { game, role, players: self.players(now) };
            place.show(message.shown(), Follows::Nothing);
        };
        self.places.iter().zip(&names).for_each(|(place, role)| show(place, Some(role)));
        show(&self.watchers, None);
    }

    /// Closes the seats of a table at which no person sits, so that it can be removed. False if it is not such a table.
    pub(crate) fn retire(&self) -> bool {
        let mut now = self.lock();
        let has_people = now.line.seats.iter().any(|it| matches!(it.by, Some(By::Person(_))));
        let is_free = now.stage == Stage::Gathering && !has_people;
        if is_free {
            now.stage = Stage::Over;
        }
        is_free
    }

    /// Ends the match because the thread of a person has crashed: nothing would ask that person for moves any more.
    pub(crate) fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
        self.close();
    }

    /// The end of all matches of the table.
    pub(crate) fn ended(&self) -> Result<(), KeptError> {
        if self.failed.load(Ordering::Relaxed) { Err(KeptError::Crashed) } else { Ok(()) }
    }

    /// Tells all places that the table cannot go on.
    pub(crate) fn crash(&self) {
        self.show_all(&Message::Refused { why: "The match crashed, and the table is closed." }, Follows::All);
        self.close();
    }

    /// The table as its lobby sees it.
    pub(crate) fn listing(&self) -> Listing {
        let now = self.lock();
        let seats = self.seated(&now, 0);
        Listing { id: self.id, game: self.game.title.clone(), stage: now.stage, seats }
    }

    /// The players in the order of the roles in this match.
    fn players(&self, now: &Now) -> Vec<Player> {
        self.seated(now, now.number)
    }

    fn seated(&self, now: &Now, number: u64) -> Vec<Player> {
        let seat = |(at, role): (usize, &str)| {
            let player = self.game.player_at(at, number);
            let (name, program, free) = match &now.line.seats[player].by {
                Some(By::Person(name)) => (name.clone(), now.left.contains(&player).then(|| "auto".to_string()), false),
                Some(By::Program(strategy)) => (None, Some(strategy.clone()), false),
                None => (None, None, true),
            };
            Player { role: role.into(), name, program, free }
        };
        self.game.role_names().into_iter().enumerate().map(seat).collect()
    }

    /// A match begins: tells all places.
    pub(crate) fn begin(&self, number: u64) {
        let mut now = self.lock();
        (now.stage, now.number, now.moves) = (Stage::Playing, number, None);
        now.ready.clear();
        now.remarks.fill(0);
        for (at, role) in self.game.role_names().into_iter().enumerate() {
            let place = &self.places[self.game.player_at(at, number)];
            place.show(self.beginning(&now, Some(role)).shown(), Follows::Nothing);
        }
        self.watchers.show(self.beginning(&now, None).shown(), Follows::Nothing);
    }

    fn beginning<'a>(&'a self, now: &'a Now, role: Option<&'a str>) -> Message<'a> {
        Message::Begin {
            game: &self.game.title,
            number: now.number,
            role,
            players: self.players(now),
            clock: self.terms.clock.map(|it| it.as_secs_f64()),
            all_seen: !self.game.arena.briefing().has_percepts,
        }
    }

    /// The match is over.
    pub(crate) fn finish(&self, opened: &Message<'_>, moves: Vec<JointMove>) {
        let mut now = self.lock();
        (now.stage, now.moves) = (Stage::Over, Some(moves));
        self.show_all(opened, Follows::All);
    }

    /// Waits until every person wants another match. False: the table is closed.
    pub(crate) fn is_wanted_again(&self) -> bool {
        let mut now = self.lock();
        while !self.closed.load(Ordering::Relaxed) {
            let needed = self.needed(&now);
            if !needed.is_empty() && needed.is_subset(&now.ready) {
                return true;
            }
            now = self.changed.wait(now).unwrap_or_else(PoisonError::into_inner);
        }
        false
    }

    /// The people who play the next match.
    fn needed(&self, now: &Now) -> BTreeSet<usize> {
        let is_person = |&at: &usize| matches!(now.line.seats[at].by, Some(By::Person(_)));
        (0..self.places.len()).filter(is_person).filter(|at| !now.left.contains(at)).collect()
    }

    /// A player wants another match. One that gave up comes back for it.
    pub(crate) fn want_again(&self, player: usize) {
        let mut now = self.lock();
        if now.moves.is_none() || now.ready.contains(&player) {
            return;
        }
        if now.left.contains(&player) {
            let (number, round) = (now.number, now.moves.as_ref().map_or(0, Vec::len));
            let back = Remark { table: self.id, number, round, player, text: String::new() };
            if self.kept.write(&Line::Back(back)).is_err() {
                return;
            }
            now.left.remove(&player);
            self.places[player].leave(false);
            self.tell_players(&now);
        }
        now.ready.insert(player);
        let (ready, of) = (now.ready.len(), self.needed(&now).len());
        self.show_all(&Message::Again { ready, of }, Follows::All);
        drop(now);
        self.changed.notify_all();
    }

    /// A player gives up its match: a program plays on.
    pub(crate) fn leave(&self, player: usize, number: u64) -> Result<(), Refusal> {
        let mut now = self.lock();
        if now.stage != Stage::Playing || now.number != number || now.left.contains(&player) {
            return Err("There is no match to give up.");
        }
        let left = Remark { table: self.id, number, round: 0, player, text: String::new() };
        self.kept.write(&Line::Left(left)).map_err(|_| NOT_WRITTEN)?;
        now.left.insert(player);
        self.places[player].leave(true);
        self.tell_players(&now);
        Ok(())
    }

    /// Tells all places that the players are others.
    fn tell_players(&self, now: &Now) {
        let left = Message::Left { players: self.players(now) }.shown();
        for (at, role) in self.game.role_names().into_iter().enumerate() {
            let place = &self.places[self.game.player_at(at, now.number)];
            place.amend(self.beginning(now, Some(role)).shown(), left.clone());
        }
        self.watchers.amend(self.beginning(now, None).shown(), left);
    }

    /// True if the present match has a result: all people play it to its end.
    pub(crate) fn has_result(&self) -> bool {
        self.lock().left.is_empty()
    }

    /// A player chooses a move.
    pub(crate) fn choose(&self, player: usize, number: u64, round: usize, mv: &str) -> Result<(), Refusal> {
        let shown = Message::Chosen { round, mv }.shown();
        match self.places[player].choose(number, round, mv, shown) {
            Ok(()) => Ok(()),
            Err(NotTaken::NotAsked) => Err("This is not your turn: the page was behind, or another page has moved."),
            Err(NotTaken::NotLegal) => {
                let _ = self.remark(player, number, round, mv, Line::Tried);
                Err("This is not one of your moves.")
            }
        }
    }

    /// Keeps a remark of a player for the author. It goes to no other place.
    pub(crate) fn remark(
        &self,
        player: usize,
        number: u64,
        round: usize,
        text: &str,
        line: fn(Remark) -> Line,
    ) -> Result<(), Refusal> {
        let mut now = self.lock();
        if now.number != number || now.stage == Stage::Gathering {
            return Err("This match is over.");
        }
        if now.remarks[player] >= REMARKS {
            return Err("There are too many notes about this match.");
        }
        now.remarks[player] += 1;
        drop(now);
        // A note is one line, and not a long one.
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ").chars().take(NOTE).collect();
        let remark = Remark { table: self.id, number, round, player, text };
        self.kept.write(&line(remark)).map_err(|_| NOT_WRITTEN)
    }

    pub(crate) fn thought(&self, thought: Thought) {
        self.thoughts.lock().unwrap_or_else(PoisonError::into_inner).push(thought);
    }

    /// The decisions since the last call.
    pub(crate) fn thoughts(&self) -> Vec<Thought> {
        std::mem::take(&mut self.thoughts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The true state after a round, if the match is over.
    pub(crate) fn look(&self, round: usize) -> Option<Arc<str>> {
        let moves = self.lock().moves.clone()?;
        let round = round.min(moves.len());
        let picture = truth(self.game.arena.game(), self.layout(), &moves, round);
        let mut says = Phrases::new();
        picture.say(&self.layout().speech, &mut says);
        Some(Message::Truth { round, picture, says }.text())
    }

    /// The strategy of a program at the table.
    pub(crate) fn program(&self, player: usize) -> Option<Strategy> {
        self.lock().programs[player].clone()
    }

    fn show_all(&self, message: &Message<'_>, follows: Follows) {
        let shown = message.shown();
        self.places.iter().chain([&self.watchers]).for_each(|place| place.show(shown.clone(), follows));
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The match that begins at a new table.
    pub(crate) fn first_match(&self) -> Result<PastMatch, KeptError> {
        let last = PastMatch { serial: self.kept.serial(), ..PastMatch::default() };
        self.kept.write(&Line::Match { table: self.id, number: 0, serial: last.serial })?;
        Ok(last)
    }
}

fn is_program(seat: &SeatLine) -> bool {
    matches!(seat.by, Some(By::Program(_)))
}

/// The strategy of a player, if it is a program. `None` if there is no such strategy.
fn strategy(by: Option<&By>) -> Option<Option<Strategy>> {
    match by {
        Some(By::Program(name)) => name.parse().ok().map(Some),
        _ => Some(None),
    }
}
