//! All tables of a server, and the lobby in which people set them up.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::JoinHandle;

use percept_players::Strategy;
use tokio::sync::Notify;

use crate::kept::Kept;
use crate::lines::{By, GameLine, KeptError, Line, Past, PastMatch, PastTable, SeatLine, TableLine};
use crate::place::{Follows, Place};
use crate::playable::{Playable, Shelf};
use crate::playing::{Event, Listen};
use crate::table::{Refusal, Table, Terms};
use crate::token::Token;
use crate::wire::Message;

/// The most tables of a server, and the most pages that show its lobby.
const TABLES: usize = 300;
const VISITORS: usize = 300;
/// The longest name of a person, in characters.
const NAME: usize = 24;

/// All tables of a server.
pub struct Hall {
    terms: Terms,
    kept: Arc<Kept>,
    lobby: Option<Lobby>,
    tables: RwLock<Vec<Arc<Table>>>,
    /// The number of tables so far.
    begun: AtomicU64,
    /// The games that were read, by their rules.
    games: Mutex<HashMap<String, Arc<Playable>>>,
    /// Held while a game is set up: one after the other, so that visitors cannot take the whole machine.
    setting_up: Mutex<()>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    listen: Listen,
    /// The first table that could not go on.
    failed: Mutex<Option<KeptError>>,
    ended: Arc<Notify>,
    /// The lobby is not up to date.
    changed: Arc<Notify>,
}

/// The place of all who choose a table, and the games that they choose from.
struct Lobby {
    place: Arc<Place>,
    shelf: Box<dyn Shelf>,
}

/// The owner of a token.
#[derive(Clone)]
pub(crate) enum Owner {
    /// A player at a table; without a number, a watcher.
    Seat(Arc<Table>, Option<usize>),
    /// A visitor of the lobby.
    Visitor,
}

impl Hall {
    /// A server without tables. `lobby` has its token, and the games to choose from.
    pub fn new(terms: Terms, kept: Kept, lobby: Option<(Token, Box<dyn Shelf>)>, listen: Listen) -> Hall {
        let changed = Arc::new(Notify::new());
        let renew = changed.clone();
        Hall {
            terms,
            kept: Arc::new(kept),
            lobby: lobby.map(|(token, shelf)| Lobby { place: Arc::new(Place::new(token, VISITORS)), shelf }),
            tables: RwLock::default(),
            begun: AtomicU64::new(0),
            games: Mutex::default(),
            setting_up: Mutex::default(),
            threads: Mutex::default(),
            listen: Arc::new(move |event| {
                if !matches!(event, Event::Round { .. }) {
                    renew.notify_one();
                }
                listen(event);
            }),
            failed: Mutex::default(),
            ended: Arc::new(Notify::new()),
            changed,
        }
    }

    /// Adds a new table of a game, with these players; a match begins once all seats are taken.
    ///
    /// # Errors
    /// If the table cannot be kept.
    pub fn add(self: &Arc<Self>, line: TableLine, game: &Arc<Playable>) -> Result<(), KeptError> {
        self.remember(game)?;
        self.kept.write(&Line::Table(line.clone()))?;
        self.begun.fetch_max(line.id + 1, Ordering::Relaxed);
        self.open(PastTable::new(line), game.clone())
    }

    /// Opens the tables of a file again. `game` makes the games.
    ///
    /// # Errors
    /// If a game is not one any more, or a table does not fit it.
    pub fn resume(
        self: &Arc<Self>,
        past: Past,
        game: impl Fn(&GameLine) -> Option<Arc<Playable>>,
    ) -> Result<(), KeptError> {
        self.begun.fetch_max(past.begun.1, Ordering::Relaxed);
        for it in &past.games {
            let game = game(it).ok_or_else(|| self.kept.no_match())?;
            self.games().insert(it.rules.clone(), game);
        }
        for table in past.tables {
            let game = self.games().get(&table.line.rules).cloned();
            self.open(table, game.ok_or_else(|| self.kept.no_match())?)?;
        }
        Ok(())
    }

    /// Ends all matches, and waits for their threads.
    pub fn close(&self) {
        self.all().iter().for_each(|table| table.close());
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        threads.into_iter().for_each(|it| drop(it.join()));
    }

    /// Waits until a table cannot go on; returns the reason.
    pub async fn failure(&self) -> KeptError {
        loop {
            if let Some(error) = self.failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
                return error;
            }
            self.ended.notified().await;
        }
    }

    /// True if there is a lobby, in which more people are expected.
    pub(crate) fn has_lobby(&self) -> bool {
        self.lobby.is_some()
    }

    /// Waits until the lobby is not up to date, and shows it.
    pub(crate) async fn keep_lobby(&self) {
        self.show_lobby();
        self.changed.notified().await;
    }

    fn show_lobby(&self) {
        let Some(lobby) = &self.lobby else { return };
        let tables = self.all().iter().map(|table| table.listing()).collect();
        let message = Message::Lobby { games: lobby.shelf.names(), strategies: Strategy::offered().collect(), tables };
        lobby.place.show(message.shown(), Follows::Nothing);
    }

    /// The owner of a token, and its place.
    pub(crate) fn find(&self, token: &Token) -> Option<(Arc<Place>, Owner)> {
        // All are compared, so that the time does not show which table has the token.
        let lobby = self.lobby.iter().filter(|it| it.place.is_for(token)).map(|it| (it.place.clone(), Owner::Visitor));
        let tables = self.all();
        let seats = tables.iter().filter_map(|table| {
            let (place, player) = table.find(token)?;
            Some((place, Owner::Seat(table.clone(), player)))
        });
        lobby.chain(seats).last()
    }

    /// A visitor sets up a table. This reads and sets up the game, so it can take some time.
    pub(crate) fn new_table(self: &Arc<Self>, name: &str) -> Result<(), String> {
        let lobby = self.lobby.as_ref().filter(|it| it.shelf.names().iter().any(|it| it == name));
        let lobby = lobby.ok_or("There is no such game.")?;
        self.make_room()?;
        let _alone = self.setting_up.lock().unwrap_or_else(PoisonError::into_inner);
        let texts = lobby.shelf.texts(name)?;
        let played = self.games().get(&crate::playable::fingerprint(&texts, None)).cloned();
        let game = match played.filter(|it| it.title == name) {
            Some(game) => game,
            None => Arc::new(lobby.shelf.game(name, texts)?),
        };
        let id = self.begun.fetch_add(1, Ordering::Relaxed);
        let line = TableLine::new(id, &game, |_| None).map_err(|error| error.to_string())?;
        self.add(line, &game).map_err(|error| error.to_string())
    }

    /// Closes a table at which nothing happens any more, if there are too many.
    fn make_room(&self) -> Result<(), Refusal> {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        if tables.len() < TABLES {
            return Ok(());
        }
        let at = tables.iter().position(|table| table.is_idle()).ok_or("There are too many tables.")?;
        self.shut(&tables.remove(at));
        Ok(())
    }

    fn shut(&self, table: &Table) {
        table.close();
        // Without this line, the table is opened again after an interruption, which does no harm.
        let _ = self.kept.write(&Line::Closed { table: table.id });
        (self.listen)(Event::Changed);
    }

    /// A visitor takes a seat; returns its token.
    pub(crate) fn take(self: &Arc<Self>, table: u64, seat: usize, name: &str) -> Result<String, Refusal> {
        let name = named(name).ok_or("A name has at most 24 letters, digits, spaces, and - _ ' or a point.")?;
        self.seat(table, seat, By::Person(Some(name)))
    }

    /// A visitor gives a seat to a program.
    pub(crate) fn program(self: &Arc<Self>, table: u64, seat: usize, name: &str) -> Result<(), Refusal> {
        // Other strategies read files or reach other machines.
        let name = Strategy::offered().find(|it| *it == name).ok_or("There is no such program.")?;
        self.seat(table, seat, By::Program(name.into())).map(drop)
    }

    fn seat(self: &Arc<Self>, table: u64, seat: usize, by: By) -> Result<String, Refusal> {
        let table = self.table(table)?;
        let token = table.take(seat, by)?;
        if table.is_full() {
            let first = table.first_match().map_err(|_| "The table's file cannot be written.")?;
            self.begin(table, first);
        }
        (self.listen)(Event::Changed);
        Ok(token)
    }

    /// A visitor sends a program away.
    pub(crate) fn free(&self, table: u64, seat: usize) -> Result<(), Refusal> {
        self.table(table)?.free(seat)?;
        (self.listen)(Event::Changed);
        Ok(())
    }

    /// A visitor asks for the link of watchers.
    pub(crate) fn watch(&self, table: u64) -> Result<String, Refusal> {
        Ok(self.table(table)?.line().watchers)
    }

    /// A visitor removes a table at which no person sits.
    pub(crate) fn remove(&self, table: u64) -> Result<(), Refusal> {
        let table = self.table(table)?;
        if !table.retire() {
            return Err("People sit at this table.");
        }
        self.tables.write().unwrap_or_else(PoisonError::into_inner).retain(|it| it.id != table.id);
        self.shut(&table);
        Ok(())
    }

    fn table(&self, id: u64) -> Result<Arc<Table>, Refusal> {
        self.all().into_iter().find(|table| table.id == id).ok_or("This table is gone.")
    }

    fn all(&self) -> Vec<Arc<Table>> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn games(&self) -> MutexGuard<'_, HashMap<String, Arc<Playable>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a game, so that a table of it can go on after an interruption, even if the file of the game changes.
    fn remember(&self, game: &Arc<Playable>) -> Result<(), KeptError> {
        let line = GameLine::of(game);
        match self.games().insert(line.rules.clone(), game.clone()) {
            Some(_) => Ok(()),
            None => self.kept.write(&Line::Game(line)),
        }
    }

    fn open(self: &Arc<Self>, past: PastTable, game: Arc<Playable>) -> Result<(), KeptError> {
        let last = past.last.clone();
        let table = Table::of(past, game, self.terms, self.kept.clone()).ok_or_else(|| self.kept.no_match())?;
        let table = Arc::new(table);
        self.tables.write().unwrap_or_else(PoisonError::into_inner).push(table.clone());
        if table.is_full() {
            let last = last.map_or_else(|| table.first_match(), Ok)?;
            self.begin(table, last);
        } else {
            table.show_gathering();
        }
        (self.listen)(Event::Changed);
        Ok(())
    }

    /// The matches of a table have ended. In a lobby, a crash is the end of one table only.
    fn after(&self, table: &Table, ended: Result<(), KeptError>) {
        let Err(error) = ended else { return };
        if matches!(error, KeptError::Crashed) {
            table.crash();
            if self.has_lobby() {
                self.tables.write().unwrap_or_else(PoisonError::into_inner).retain(|it| it.id != table.id);
                return (self.listen)(Event::Changed);
            }
        }
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.ended.notify_one();
    }

    /// Plays the matches of a table in a thread of its own.
    fn begin(self: &Arc<Self>, table: Arc<Table>, last: PastMatch) {
        let hall = Arc::downgrade(self);
        let listen = self.listen.clone();
        let run = move || {
            let ended = catch_unwind(AssertUnwindSafe(|| table.run(last, &listen)));
            if let Some(hall) = hall.upgrade() {
                hall.after(&table, ended.unwrap_or(Err(KeptError::Crashed)));
            }
        };
        match std::thread::Builder::new().name("table".into()).spawn(run) {
            Ok(thread) => {
                let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
                threads.retain(|it| !it.is_finished());
                threads.push(thread);
            }
            Err(error) => {
                let path = std::path::PathBuf::from("a new thread");
                *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(KeptError::Io { path, error });
                self.ended.notify_one();
            }
        }
    }
}

impl TableLine {
    /// A new table of a game with new tokens; `by` has the player of each role.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn new(id: u64, game: &Playable, by: impl Fn(usize) -> Option<By>) -> Result<TableLine, getrandom::Error> {
        let seat = |at| Ok(SeatLine { token: Token::new()?.text(), by: by(at) });
        Ok(TableLine {
            id,
            game: game.title.clone(),
            rules: game.rules(),
            watchers: Token::new()?.text(),
            seats: (0..game.roles().count()).map(seat).collect::<Result<_, getrandom::Error>>()?,
        })
    }
}

/// A person's name, without what acts on a screen, and unlike the names of programs; `None` if the text is not one.
pub fn named(text: &str) -> Option<String> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = |it: char| it.is_alphanumeric() || " -_'.".contains(it);
    let is_taken = Strategy::NAMES.contains(&name.as_str()) || name.starts_with("human");
    let is_fine = !name.is_empty() && name.chars().count() <= NAME && name.chars().all(fits) && !is_taken;
    is_fine.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_plain() {
        for (text, name) in [("ann", "ann"), ("  Ann  Lee ", "Ann Lee"), ("Zoë", "Zoë"), ("安", "安")] {
            assert_eq!(named(text).as_deref(), Some(name));
        }
        for text in ["", " ", "auto", "human-1", "<b>", "a\u{202e}b", "a\nb\u{0}", &"x".repeat(25)] {
            assert_eq!(named(text), None, "{text:?}");
        }
    }
}
