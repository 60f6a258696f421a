//! Matches that a person plays in the editor. Each runs on a thread of its own, on which the person's seat waits for
//! commands. A few are kept: the least recently used one makes room for a new one, and closing a game's document ends
//! its matches.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use percept_game::{Game, RoleId};
use percept_players::{Absence, Arena, Clock, MatchOptions, Outcome, Person, Sight, Strategy};
use percept_report::board::Layout;
use tower_lsp::lsp_types::Url;

use crate::cancel::Token;
use crate::snapshot::File;

/// The most matches that are kept.
const KEPT: usize = 4;
/// The time between two checks of whether a wait is still needed.
const GLANCE: Duration = Duration::from_millis(50);

/// The subject of a match.
pub(crate) struct Table {
    /// The game in the form that players receive.
    pub arena: Arena,
    /// The layout of its boards.
    pub layout: Layout,
    /// The game's texts at the beginning of the match.
    pub files: Vec<Arc<File>>,
    /// The named document; closing it ends the match, as closing the game does.
    pub document: Url,
    /// The person's role.
    pub role: RoleId,
    /// The player of each role. The person's entry is the person.
    pub strategies: Vec<Strategy>,
}

/// A match, and the person's seat in it.
pub(crate) struct Sitting {
    pub name: String,
    pub table: Table,
    now: Mutex<Now>,
    changed: Condvar,
    /// Ends the match.
    given_up: Arc<AtomicBool>,
}

impl std::fmt::Debug for Sitting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sitting").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The part of a match that may be shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Now {
    /// The person's knowledge when it was last asked or informed.
    pub sight: Option<Arc<Sight>>,
    pub turn: Turn,
    /// Once the match has ended.
    pub outcome: Option<Arc<Outcome>>,
}

/// The player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Turn {
    #[default]
    Others,
    Person,
    /// The person has chosen this index in its list of moves, and its seat has not received it yet.
    Chosen(usize),
    /// The match has ended.
    Nobody,
}

/// The reason why a move was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotTaken {
    #[error("the others are still thinking")]
    NotYet,
    #[error("the match is over")]
    Over,
    #[error("`{0}` is not a move that you know to be legal")]
    Unknown(String),
}

impl Sitting {
    fn begin(name: String, mut table: Table, options: MatchOptions) -> Arc<Sitting> {
        let given_up = Arc::new(AtomicBool::new(false));
        let options = MatchOptions { cancel: Some(given_up.clone()), waits: true, ..options };
        let arena = table.arena.clone();
        let mut strategies = std::mem::take(&mut table.strategies);
        let it = Arc::new_cyclic(|it: &std::sync::Weak<Sitting>| {
            let chair: Arc<dyn Person> = Arc::new(Chair(it.clone()));
            strategies[usize::from(table.role.0)] = Strategy::Human(chair);
            table.strategies = strategies.clone();
            Sitting { name, table, now: Mutex::default(), changed: Condvar::new(), given_up }
        });
        let last = Leaving(it.clone());
        let run = move || {
            let outcome = arena.play(&strategies, &options);
            last.0.lock().outcome = Some(Arc::new(outcome));
        };
        // Without a thread the match has ended before it began; `Leaving` reports this.
        let _ = std::thread::Builder::new().name("a match in the editor".into()).spawn(run);
        it
    }

    /// Makes the person's move: by its name, or at random (`lot` is taken modulo the number of moves).
    ///
    /// # Errors
    /// The reason why it was not made; then nothing has changed.
    pub(crate) fn choose(&self, name: Option<&str>, lot: u64) -> Result<(), NotTaken> {
        let mut now = self.lock();
        let at = match (now.turn, &now.sight) {
            (Turn::Nobody, _) => return Err(NotTaken::Over),
            (Turn::Person, Some(sight)) => match name {
                Some(name) => sight.moves.iter().position(|mv| mv.to_string() == *name),
                None => lot.checked_rem(sight.moves.len() as u64).map(|at| at as usize),
            },
            _ => return Err(NotTaken::NotYet),
        };
        let at = at.ok_or_else(|| NotTaken::Unknown(name.unwrap_or_default().to_string()))?;
        now.turn = Turn::Chosen(at);
        drop(now);
        self.changed.notify_all();
        Ok(())
    }

    /// The match once the person has to move or it has ended; its current state if the token fires earlier.
    pub(crate) fn settled(&self, token: &Token) -> Now {
        let mut now = self.lock();
        while !matches!(now.turn, Turn::Person | Turn::Nobody) && !token.is_cancelled() {
            now = self.changed.wait_timeout(now, GLANCE).unwrap_or_else(PoisonError::into_inner).0;
        }
        now.clone()
    }

    /// The current state of the match.
    pub(crate) fn now(&self) -> Now {
        self.lock().clone()
    }

    /// Ends the match, soon.
    pub(crate) fn give_up(&self) {
        self.given_up.store(true, Ordering::Relaxed);
        let mut now = self.lock();
        if now.turn == Turn::Person {
            now.turn = Turn::Others;
        }
        drop(now);
        self.changed.notify_all();
    }

    fn is_about(&self, document: &Url) -> bool {
        self.table.document == *document || self.table.files.iter().any(|file| file.uri == *document)
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Wakes all waiters when the match's thread ends, even by a panic.
struct Leaving(Arc<Sitting>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.lock().turn = Turn::Nobody;
        self.0.changed.notify_all();
    }
}

/// The person's side, which waits for commands.
struct Chair(std::sync::Weak<Sitting>);

impl Person for Chair {
    fn choose(&self, _: &Game, sight: &Sight, _: &Clock) -> Result<usize, Absence> {
        let it = self.0.upgrade().ok_or(Absence::Left)?;
        let mut now = it.lock();
        now.sight = Some(Arc::new(sight.clone()));
        now.turn = Turn::Person;
        it.changed.notify_all();
        loop {
            if it.given_up.load(Ordering::Relaxed) {
                return Err(Absence::Left);
            }
            if let Turn::Chosen(at) = now.turn {
                now.turn = Turn::Others;
                return Ok(at);
            }
            now = it.changed.wait(now).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn over(&self, _: &Game, sight: &Sight) {
        if let Some(it) = self.0.upgrade() {
            it.lock().sight = Some(Arc::new(sight.clone()));
        }
    }
}

/// The matches of one session.
#[derive(Debug, Default)]
pub(crate) struct Sittings {
    /// The matches, the most recently used one first.
    kept: Mutex<Vec<Arc<Sitting>>>,
    named: AtomicU64,
}

impl Sittings {
    /// Begins a match. If there are too many, the least recently used one is ended.
    pub(crate) fn begin(&self, table: Table, options: MatchOptions) -> Arc<Sitting> {
        let name = (self.named.fetch_add(1, Ordering::Relaxed) + 1).to_string();
        let it = Sitting::begin(name, table, options);
        let mut kept = self.lock();
        kept.insert(0, it.clone());
        while kept.len() > KEPT {
            kept.pop().iter().for_each(|left| left.give_up());
        }
        it
    }

    /// The match of this name.
    pub(crate) fn find(&self, name: &str) -> Option<Arc<Sitting>> {
        let mut kept = self.lock();
        let at = kept.iter().position(|it| it.name == name)?;
        kept[..=at].rotate_right(1);
        kept.first().cloned()
    }

    /// Ends a match and forgets it.
    pub(crate) fn drop(&self, name: &str) {
        self.end(|it| it.name == name);
    }

    /// A document was closed: its matches end.
    pub(crate) fn leave(&self, document: &Url) {
        self.end(|it| it.is_about(document));
    }

    fn end(&self, is_meant: impl Fn(&Sitting) -> bool) {
        self.lock().retain(|it| {
            let ends = is_meant(it);
            if ends {
                it.give_up();
            }
            !ends
        });
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Sitting>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
