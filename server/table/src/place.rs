//! One person's place: what its pages were sent last, and the move that it is asked for.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::broadcast::{Receiver, Sender, channel};

use crate::token::Token;
use crate::wire::Shown;

/// The messages that a slow line may be behind. It then misses some: each has the whole knowledge of its seat.
const BEHIND: usize = 64;

/// A place at the table, for one person or for all watchers.
#[derive(Debug)]
pub(crate) struct Place {
    token: Token,
    now: Mutex<Now>,
    changed: Condvar,
    feed: Sender<Shown>,
    pages: AtomicUsize,
    /// The most pages that show the place at a time.
    most: usize,
}

#[derive(Default)]
struct Now {
    /// The messages of this match that a page needs when it comes back.
    kept: Vec<Shown>,
    asked: Option<Question>,
    /// The index of the chosen move.
    chosen: Option<usize>,
    /// The time at which the person is late.
    until: Option<Instant>,
    /// True if the person has left the match.
    left: bool,
    /// True if no person is waited for any more.
    closed: bool,
}

impl std::fmt::Debug for Now {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Now").field("kept", &self.kept.len()).finish_non_exhaustive()
    }
}

/// A question to the person.
pub(crate) struct Question {
    /// The number of the match.
    pub number: u64,
    /// The number of rounds played.
    pub round: usize,
    /// The names of the moves.
    pub moves: Vec<String>,
}

/// The answer to a question.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    /// The index of the move.
    Chosen(usize),
    /// The person's time is over.
    Late,
    /// The person has left the match.
    Left,
    /// The table closes.
    Closed,
}

/// The reason why a move is not taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotTaken {
    /// Nothing is asked, or something else.
    NotAsked,
    /// The move is not legal.
    NotLegal,
}

/// The way in which a message belongs to those before it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Follows {
    /// It begins a match: all others are past.
    Nothing,
    /// Only the first message of the match stays beside it.
    Beginning,
    /// All others stay.
    All,
}

impl Place {
    pub(crate) fn new(token: Token, most: usize) -> Place {
        let (now, changed, pages) = (Mutex::default(), Condvar::new(), AtomicUsize::new(0));
        Place { token, now, changed, feed: channel(BEHIND).0, pages, most }
    }

    pub(crate) fn is_for(&self, token: &Token) -> bool {
        self.token.is(token)
    }

    /// Sends a message to all pages of the place.
    pub(crate) fn show(&self, shown: Shown, follows: Follows) {
        self.lock().show(shown, follows, &self.feed);
    }

    /// Adds a page: the messages that it needs, and those that follow. `None` if there are too many pages.
    pub(crate) fn join(&self) -> Option<(Vec<Shown>, Joined<'_>)> {
        let is_free = |pages: usize| (pages < self.most).then_some(pages + 1);
        self.pages.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_free).ok()?;
        let now = self.lock();
        Some((now.kept.clone(), Joined { place: self, feed: self.feed.subscribe() }))
    }

    /// The messages that a page needs when it comes back.
    pub(crate) fn kept(&self) -> Vec<Shown> {
        self.lock().kept.clone()
    }

    /// Asks for a move, and waits until there is one. `late` is shown if the clock runs out before.
    pub(crate) fn ask(&self, asked: Question, shown: Shown, clock: Option<Duration>, late: Shown) -> Reply {
        let mut now = self.lock();
        now.show(shown, Follows::Beginning, &self.feed);
        (now.asked, now.chosen) = (Some(asked), None);
        now.until = clock.and_then(|clock| Instant::now().checked_add(clock));
        let reply = loop {
            if now.closed {
                break Reply::Closed;
            }
            if let Some(at) = now.chosen.take() {
                break Reply::Chosen(at);
            }
            if now.left {
                break Reply::Left;
            }
            let left = now.until.map(|until| until.saturating_duration_since(Instant::now()));
            now = match left {
                Some(Duration::ZERO) => {
                    now.show(late, Follows::All, &self.feed);
                    break Reply::Late;
                }
                Some(left) => self.changed.wait_timeout(now, left).unwrap_or_else(PoisonError::into_inner).0,
                None => self.changed.wait(now).unwrap_or_else(PoisonError::into_inner),
            };
        };
        (now.asked, now.until) = (None, None);
        reply
    }

    /// The time that is left for the move that is asked for, if there is a clock.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.lock().until.map(|until| until.saturating_duration_since(Instant::now()))
    }

    /// Chooses a move; `shown` confirms it. Only the first choice counts.
    ///
    /// # Errors
    /// The reason if it is not taken.
    pub(crate) fn choose(&self, number: u64, round: usize, mv: &str, shown: Shown) -> Result<(), NotTaken> {
        let mut now = self.lock();
        let question = now.asked.as_ref().filter(|it| (it.number, it.round) == (number, round));
        let question = question.ok_or(NotTaken::NotAsked)?;
        let at = question.moves.iter().position(|it| it == mv).ok_or(NotTaken::NotLegal)?;
        (now.asked, now.chosen) = (None, Some(at));
        now.show(shown, Follows::All, &self.feed);
        drop(now);
        self.changed.notify_all();
        Ok(())
    }

    /// The person leaves the match, or comes back.
    pub(crate) fn leave(&self, left: bool) {
        self.lock().left = left;
        self.changed.notify_all();
    }

    /// True if the person has left the match.
    pub(crate) fn has_left(&self) -> bool {
        self.lock().left
    }

    /// Sends a message that changes the beginning of the match for pages that come later.
    pub(crate) fn amend(&self, beginning: Shown, shown: Shown) {
        let mut now = self.lock();
        if let Some(first) = now.kept.first_mut() {
            *first = beginning;
        }
        // Without a page there is no receiver.
        let _ = self.feed.send(shown);
    }

    /// True if no page shows the place.
    pub(crate) fn is_empty(&self) -> bool {
        self.pages.load(Ordering::Relaxed) == 0
    }

    /// Ends all waiting for a move.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Now {
    fn show(&mut self, shown: Shown, follows: Follows, feed: &Sender<Shown>) {
        match follows {
            Follows::Nothing => {
                self.kept.clear();
                self.asked = None;
            }
            Follows::Beginning => self.kept.truncate(1),
            Follows::All => {}
        }
        self.kept.push(shown.clone());
        // Without a page there is no receiver.
        let _ = feed.send(shown);
    }
}

/// A page at a place.
pub(crate) struct Joined<'a> {
    place: &'a Place,
    pub feed: Receiver<Shown>,
}

impl Drop for Joined<'_> {
    fn drop(&mut self) {
        self.place.pages.fetch_sub(1, Ordering::Relaxed);
    }
}
