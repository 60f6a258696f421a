//! A player of ours, as managers elsewhere see it: as many matches at a time as it was allowed, any dialect.

mod playing;
mod serve;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use self::playing::{Begin, Opening, Playing};
use crate::clock::usable;
use crate::strategies::Strategy;
use crate::wire::{News, Request, RequestError};

pub use serve::Server;

/// How a host plays.
#[derive(Clone, Debug)]
pub struct HostOptions {
    /// What it calls itself.
    pub name: String,
    /// For whatever its player does at random.
    pub seed: u64,
    /// At most so many simulated matches for each move.
    pub simulations: Option<u64>,
    /// Matches played at the same time; to others it is busy. Players of the field play one.
    pub matches: usize,
    /// A match of which nothing was heard for so long is given up when another begins.
    pub patience: Duration,
}

impl Default for HostOptions {
    fn default() -> HostOptions {
        let patience = Duration::from_secs(600);
        HostOptions { name: "Percept".into(), seed: 0, simulations: None, matches: 1, patience }
    }
}

/// Why a message has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// It is not a message to a player.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The match cannot be begun, or not be followed: why.
    #[error("{0}")]
    Match(String),
}

/// Answers messages.
pub struct Host {
    strategy: Strategy,
    options: HostOptions,
    /// Held for a moment only; a match has a lock of its own, held while its player thinks.
    matches: Mutex<Vec<Slot>>,
    watch: Option<Watch>,
}

type Watch = Box<dyn Fn(&str) + Send + Sync>;

/// A match as the host knows it.
struct Slot {
    id: String,
    heard: Instant,
    place: Arc<Place>,
}

/// Where a match is played.
#[derive(Default)]
struct Place {
    /// Held while a message is answered.
    phase: Mutex<Phase>,
    /// Set when the match is to end: whoever works for it stops.
    ended: Arc<AtomicBool>,
}

/// How far a match is.
#[derive(Default)]
enum Phase {
    /// It has not begun, or is over.
    #[default]
    Closed,
    Opening(Opening),
    Playing(Box<Playing>),
}

impl Host {
    /// A host whose players follow one strategy.
    pub fn new(strategy: Strategy, options: HostOptions) -> Host {
        Host { strategy, options, matches: Mutex::default(), watch: None }
    }

    /// Tells somebody what goes on, a line each time.
    pub fn watched_by(self, watch: impl Fn(&str) + Send + Sync + 'static) -> Host {
        Host { watch: Some(Box::new(watch)), ..self }
    }

    fn say(&self, line: &str) {
        if let Some(watch) = &self.watch {
            watch(line);
        }
    }

    /// The answer to a message.
    ///
    /// # Errors
    /// Why it is not a message to a player, or not one that it can follow.
    pub fn answer(&self, text: &str) -> Result<String, NoAnswer> {
        let at = Instant::now();
        match Request::read(text)? {
            Request::Info => Ok(self.info()),
            Request::Preview => Ok("ready".into()),
            Request::Start { id, role, rules, startclock, playclock } => {
                let clock = Duration::from_secs_f64;
                let begin = Begin { id, role, rules, startclock: clock(startclock), playclock: clock(playclock), at };
                self.start(begin).map_err(NoAnswer::Match)
            }
            Request::Play { id, news } => {
                let Some(place) = self.find(&id) else { return Ok("busy".into()) };
                self.play(&id, &place, news, at).map_err(NoAnswer::Match)
            }
            Request::Stop { id, news } => {
                let Some(place) = self.forget(&id) else { return Ok("busy".into()) };
                if let Phase::Playing(mut playing) = place.close() {
                    playing.untold.push(news);
                    let seen = playing.news().unwrap_or_default();
                    self.say(&format!("match {id} is over after {} rounds", playing.rounds));
                    playing.player.stop(seen, Some(Instant::now() + Duration::from_millis(200)));
                }
                Ok("done".into())
            }
            Request::Abort { id } => {
                let Some(place) = self.forget(&id) else { return Ok("busy".into()) };
                if let Phase::Playing(playing) = place.close() {
                    playing.player.stop(Vec::new(), Some(Instant::now()));
                }
                Ok("aborted".into())
            }
        }
    }

    /// Who it is, and whether it has room for another match: at once, also while it thinks.
    fn info(&self) -> String {
        let full = self.occupied(&locked(&self.matches)) >= self.options.matches;
        let status = if full { "busy" } else { "available" };
        format!("((name {}) (status {status}))", self.options.name)
    }

    /// Matches of which something was heard lately.
    fn occupied(&self, matches: &[Slot]) -> usize {
        matches.iter().filter(|slot| slot.heard.elapsed() < self.options.patience).count()
    }

    /// A place for a match that begins; `None` where there is no room, or the match is being played.
    fn reserve(&self, id: &str) -> Option<Arc<Place>> {
        let mut matches = locked(&self.matches);
        // Those given up lose their place, and with it their player.
        for slot in matches.extract_if(.., |slot| slot.heard.elapsed() >= self.options.patience) {
            slot.place.ended.store(true, Ordering::Relaxed);
        }
        if matches.len() >= self.options.matches || matches.iter().any(|slot| slot.id == id) {
            return None;
        }
        let place = Arc::<Place>::default();
        matches.push(Slot { id: id.to_string(), heard: Instant::now(), place: place.clone() });
        Some(place)
    }

    /// A match that is being played, of which something is heard now.
    fn find(&self, id: &str) -> Option<Arc<Place>> {
        let mut matches = locked(&self.matches);
        let slot = matches.iter_mut().find(|slot| slot.id == id)?;
        slot.heard = Instant::now();
        Some(slot.place.clone())
    }

    fn forget(&self, id: &str) -> Option<Arc<Place>> {
        let mut matches = locked(&self.matches);
        let at = matches.iter().position(|slot| slot.id == id)?;
        Some(matches.swap_remove(at).place)
    }

    /// Begins a match. Who is not ready in time gets ready while it plays.
    fn start(&self, begin: Begin) -> Result<String, String> {
        let Some(place) = self.reserve(&begin.id) else { return Ok("busy".into()) };
        let mut phase = locked(&place.phase);
        let (id, until) = (begin.id.clone(), begin.at + usable(begin.startclock));
        let opening = Opening::new(begin, self.strategy.clone(), &self.options, place.ended.clone());
        *phase = Phase::Opening(opening.inspect_err(|_| _ = self.forget(&id))?);
        self.open(&id, &place, &mut phase, until)?;
        match &mut *phase {
            Phase::Playing(playing) => {
                if let Err(trouble) = playing.player.ready(Some(until), &Some(place.ended.clone())) {
                    self.say(&format!("match {id}: not ready in time: {trouble}"));
                }
            }
            _ => self.say(&format!("match {id}: not ready in time: the rules are still being set up")),
        }
        Ok("ready".into())
    }

    /// Waits for a match to be set up.
    fn open(&self, id: &str, place: &Place, phase: &mut Phase, until: Instant) -> Result<(), String> {
        let Phase::Opening(opening) = phase else { return Ok(()) };
        match opening.wait(until, &place.ended) {
            None => Ok(()),
            Some(Ok(playing)) => {
                let role = &playing.game().roles[playing.role.0 as usize].name;
                self.say(&format!("match {id}: playing {role}"));
                *phase = Phase::Playing(Box::new(playing));
                Ok(())
            }
            Some(Err(why)) => {
                *phase = Phase::Closed;
                self.forget(id);
                Err(why)
            }
        }
    }

    fn play(&self, id: &str, place: &Place, news: News, at: Instant) -> Result<String, String> {
        let mut phase = locked(&place.phase);
        let playclock = match &mut *phase {
            Phase::Closed => return Ok("busy".into()),
            Phase::Opening(Opening { untold, playclock, .. }) => {
                untold.push(news);
                *playclock
            }
            Phase::Playing(playing) => {
                playing.untold.push(news);
                playing.playclock
            }
        };
        let until = at + playclock;
        self.open(id, place, &mut phase, until)?;
        let Phase::Playing(playing) = &mut *phase else {
            self.say(&format!("match {id}: no move: the rules are still being set up"));
            return Ok("nil".into());
        };
        let seen = playing.news()?;
        playing.player.ask(seen);
        let mv = match playing.player.answer(Some(until), &Some(place.ended.clone())) {
            Ok(mv) => mv,
            Err(trouble) => {
                let Some(mv) = playing.known_move() else {
                    self.say(&format!("match {id}: no move: {trouble}"));
                    return Ok("nil".into());
                };
                self.say(&format!("match {id}: {trouble}: the first legal move"));
                mv
            }
        };
        playing.last = Some(mv);
        Ok(playing.game().rules.move_name(playing.role, mv))
    }
}

impl Place {
    /// Ends the match: whoever works for it stops at once.
    fn close(&self) -> Phase {
        self.ended.store(true, Ordering::Relaxed);
        std::mem::take(&mut *locked(&self.phase))
    }
}

/// A match whose player broke down is one that is not played; the others go on.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
