//! The place of a match: its phase, its current holder, and its end.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::playing::{Opening, Playing};
use super::{Watch, locked};
use crate::seat::{GLANCE, Until};
use crate::wire::News;

/// The phase of a match.
#[derive(Default)]
pub(super) enum Phase {
    /// The match has not begun, or is over.
    #[default]
    Closed,
    Opening(Opening),
    Playing(Box<Playing>),
}

/// The place of a match, shared by its connections.
pub(super) struct Place {
    pub id: String,
    pub playclock: Duration,
    /// Set if the match must end: its threads then stop.
    pub ended: Arc<AtomicBool>,
    watch: Watch,
    /// Locked only briefly, so that a caller that ends the match never waits.
    state: Mutex<State>,
    free: Condvar,
}

struct State {
    /// `None` while a caller holds it.
    phase: Option<Phase>,
    /// True while a caller waits for a move.
    is_asked: bool,
    /// The news that came with the end of the match.
    farewell: Option<News>,
}

impl Place {
    pub(super) fn new(id: String, playclock: Duration, watch: Watch) -> Place {
        let state = State { phase: Some(Phase::Closed), is_asked: false, farewell: None };
        Place { id, playclock, ended: Arc::default(), watch, state: Mutex::new(state), free: Condvar::new() }
    }

    /// Limits a wait by a time, the end of the match, and the end of the caller's connection.
    pub(super) fn until<'a>(&'a self, time: Instant, gone: &'a AtomicBool) -> Until<'a> {
        Until { time: Some(time), ended: Some(&self.ended), gone: Some(gone) }
    }

    /// Reports an event of this match.
    pub(super) fn say(&self, what: &str) {
        self.watch.say(&format!("match {}{what}", self.id));
    }

    /// Waits until no other caller holds the match, and holds it.
    pub(super) fn hold(&self, until: &Until<'_>) -> Option<HeldPhase<'_>> {
        let mut state = locked(&self.state);
        loop {
            if let Some(phase) = state.phase.take() {
                return Some(HeldPhase { place: self, phase });
            }
            if until.is_over() {
                return None;
            }
            let slice = until.slice().unwrap_or(GLANCE);
            state = self.free.wait_timeout(state, slice).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Returns the right to wait for a move; `None` if another caller waits for one.
    pub(super) fn ask(self: &Arc<Place>) -> Option<Asking> {
        let mut state = locked(&self.state);
        (!std::mem::replace(&mut state.is_asked, true)).then(|| Asking(self.clone()))
    }

    /// Ends the match: its threads stop soon. Never waits.
    pub(super) fn end(&self, farewell: Option<News>) {
        let mut state = locked(&self.state);
        self.ended.store(true, Ordering::Relaxed);
        state.farewell = farewell;
        let phase = state.phase.take();
        drop(state);
        self.free.notify_all();
        // If a caller holds it, it is closed when the caller releases it.
        if let Some(phase) = phase {
            self.close(phase);
        }
    }

    /// Informs the player that the match is over.
    fn close(&self, phase: Phase) {
        let farewell = locked(&self.state).farewell.take();
        let Phase::Playing(mut playing) = phase else { return };
        let mut seen = Vec::new();
        if let Some(news) = farewell {
            playing.untold.push(news);
            seen = playing.news().unwrap_or_default();
            self.say(&format!(" is over after {} rounds", playing.rounds));
        }
        playing.player.stop(seen, Some(Instant::now()));
    }
}

/// A match that a caller holds; others wait for it.
pub(super) struct HeldPhase<'a> {
    place: &'a Place,
    phase: Phase,
}

impl Deref for HeldPhase<'_> {
    type Target = Phase;

    fn deref(&self) -> &Phase {
        &self.phase
    }
}

impl DerefMut for HeldPhase<'_> {
    fn deref_mut(&mut self) -> &mut Phase {
        &mut self.phase
    }
}

impl Drop for HeldPhase<'_> {
    fn drop(&mut self) {
        let phase = std::mem::take(&mut self.phase);
        let mut state = locked(&self.place.state);
        if self.place.ended.load(Ordering::Relaxed) {
            drop(state);
            self.place.close(phase);
            return;
        }
        state.phase = Some(phase);
        drop(state);
        self.place.free.notify_one();
    }
}

/// The right of one caller to wait for a move.
pub(super) struct Asking(Arc<Place>);

impl Asking {
    pub(super) fn place(&self) -> &Arc<Place> {
        &self.0
    }
}

impl Deref for Asking {
    type Target = Place;

    fn deref(&self) -> &Place {
        &self.0
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        locked(&self.0.state).is_asked = false;
    }
}
