//! Where a match is played: who has it, who waits for it, and how it ends.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::playing::{Opening, Playing};
use super::{Watch, locked};
use crate::seat::{GLANCE, Until};
use crate::wire::News;

/// How far a match is.
#[derive(Default)]
pub(super) enum Phase {
    /// It has not begun, or is over.
    #[default]
    Closed,
    Opening(Opening),
    Playing(Box<Playing>),
}

/// Where a match is played.
pub(super) struct Place {
    pub id: String,
    pub playclock: Duration,
    /// Set when the match is to end: whoever works for it stops.
    pub ended: Arc<AtomicBool>,
    watch: Watch,
    /// Locked for a moment only, so that whoever ends the match never waits.
    state: Mutex<State>,
    free: Condvar,
}

struct State {
    /// `None` while somebody has it.
    phase: Option<Phase>,
    /// Whether somebody waits for a move.
    is_asked: bool,
    /// What was told with the end of the match.
    farewell: Option<News>,
}

impl Place {
    pub(super) fn new(id: String, playclock: Duration, watch: Watch) -> Place {
        let state = State { phase: Some(Phase::Closed), is_asked: false, farewell: None };
        Place { id, playclock, ended: Arc::default(), watch, state: Mutex::new(state), free: Condvar::new() }
    }

    /// Until a time, the end of the match, or that of who waits.
    pub(super) fn until<'a>(&'a self, time: Instant, gone: &'a AtomicBool) -> Until<'a> {
        Until { time: Some(time), ended: Some(&self.ended), gone: Some(gone) }
    }

    /// Says something of this match.
    pub(super) fn say(&self, what: &str) {
        self.watch.say(&format!("match {}{what}", self.id));
    }

    /// The match, once nobody else has it.
    pub(super) fn hold(&self, until: &Until<'_>) -> Option<Held<'_>> {
        let mut state = locked(&self.state);
        loop {
            if let Some(phase) = state.phase.take() {
                return Some(Held { place: self, phase });
            }
            if until.is_over() {
                return None;
            }
            let slice = until.slice().unwrap_or(GLANCE);
            state = self.free.wait_timeout(state, slice).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The right to wait for a move; `None` if somebody else waits for one.
    pub(super) fn ask(self: &Arc<Place>) -> Option<Asking> {
        let mut state = locked(&self.state);
        (!std::mem::replace(&mut state.is_asked, true)).then(|| Asking(self.clone()))
    }

    /// Ends the match: whoever works for it stops soon. Never waits.
    pub(super) fn end(&self, farewell: Option<News>) {
        let mut state = locked(&self.state);
        self.ended.store(true, Ordering::Relaxed);
        state.farewell = farewell;
        let phase = state.phase.take();
        drop(state);
        self.free.notify_all();
        // If somebody has it, it is closed when they give it back.
        if let Some(phase) = phase {
            self.close(phase);
        }
    }

    /// Tells the player that the match is over.
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

/// A match that somebody has for now; others wait for it.
pub(super) struct Held<'a> {
    place: &'a Place,
    phase: Phase,
}

impl Deref for Held<'_> {
    type Target = Phase;

    fn deref(&self) -> &Phase {
        &self.phase
    }
}

impl DerefMut for Held<'_> {
    fn deref_mut(&mut self) -> &mut Phase {
        &mut self.phase
    }
}

impl Drop for Held<'_> {
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

/// Somebody's wait for a move.
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
