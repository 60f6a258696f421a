//! A local player for remote managers: several matches at a time, up to a limit, in any dialect.

mod admission;
mod arrival;
mod line;
mod place;
mod playing;
mod serve;
mod workers;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use self::place::{Asking, Phase, Place};
use self::playing::{Begin, Opening};
use self::workers::Workers;
use crate::clock::usable;
use crate::player::Trouble;
use crate::seat::Until;
use crate::strategies::Strategy;
use crate::wire::{News, Request, RequestError, shown};

pub use admission::{Admission, AdmissionError};
pub use serve::Server;

/// Options of a host.
#[derive(Clone, Debug)]
pub struct HostOptions {
    /// The name in its answers to INFO.
    pub name: String,
    /// The seed of its players' random choices.
    pub seed: u64,
    /// The most simulated matches for each move.
    pub simulations: Option<u64>,
    /// The most matches played at the same time; further ones get the answer `busy`. Most general game players play
    /// one.
    pub matches: usize,
    /// The time without messages after which a match is given up when another begins.
    pub patience: Duration,
}

impl Default for HostOptions {
    fn default() -> HostOptions {
        let patience = Duration::from_secs(600);
        HostOptions { name: "Percept".into(), seed: 0, simulations: None, matches: 1, patience }
    }
}

/// The reason why a message has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// The text is not a message to a player.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The match cannot be begun or followed, for this reason.
    #[error("{0}")]
    Match(String),
}

/// Answers messages.
pub struct Host {
    strategy: Strategy,
    options: HostOptions,
    /// Locked only briefly, as is everything that INFO, STOP and ABORT need.
    matches: Mutex<Vec<Slot>>,
    /// One more than the matches played: the threads of a match that ends may still run when the next begins.
    workers: Arc<Workers>,
    watch: Watch,
}

/// The listener for events.
#[derive(Clone, Default)]
struct Watch(Option<Arc<Listener>>);

type Listener = dyn Fn(&str) + Send + Sync;

impl Watch {
    /// Reports a line. It contains names of matches and roles from other programs.
    fn say(&self, line: &str) {
        if let Some(watch) = &self.0 {
            watch(&shown(line));
        }
    }
}

/// A match in the host's list.
struct Slot {
    heard: Instant,
    place: Arc<Place>,
}

/// The reaction to a message.
enum Heard {
    /// The answer is known at once.
    Answer(String),
    /// The caller has to wait for the answer.
    Wait(Waiting),
}

/// The event to wait for.
enum Waiting {
    Start(Box<Begin>, Arc<Place>),
    /// The last is the length of the message.
    Play(Asking, News, Instant, usize),
}

/// The time that START waits for the threads of ended matches.
const MOMENT: Duration = Duration::from_secs(1);

impl Host {
    /// Creates a host whose players follow one strategy.
    pub fn new(strategy: Strategy, options: HostOptions) -> Host {
        let workers = Arc::new(Workers::new(options.matches + 1));
        Host { strategy, options, matches: Mutex::default(), workers, watch: Watch::default() }
    }

    /// Reports events to `watch`, one line each.
    pub fn watched_by(self, watch: impl Fn(&str) + Send + Sync + 'static) -> Host {
        Host { watch: Watch(Some(Arc::new(watch))), ..self }
    }

    /// Answers a message.
    ///
    /// # Errors
    /// Fails if the text is not a message to a player, or if the host cannot follow it.
    pub fn answer(&self, text: &str) -> Result<String, NoAnswer> {
        match self.hear(text)? {
            Heard::Answer(answer) => Ok(answer),
            Heard::Wait(waiting) => self.wait(waiting, &AtomicBool::new(false)),
        }
    }

    /// Decides the reaction to a message without waiting. Only START, and one PLAY of a match, need to wait.
    fn hear(&self, text: &str) -> Result<Heard, NoAnswer> {
        let at = Instant::now();
        let busy = || Ok(Heard::Answer("busy".into()));
        match Request::read(text)? {
            Request::Info => Ok(Heard::Answer(self.info())),
            Request::Preview => Ok(Heard::Answer("ready".into())),
            Request::Start { id, role, rules, startclock, playclock } => {
                let clock = Duration::from_secs_f64;
                let begin = Begin { id, role, rules, startclock: clock(startclock), playclock: clock(playclock), at };
                let Some(place) = self.reserve(&begin) else { return busy() };
                Ok(Heard::Wait(Waiting::Start(Box::new(begin), place)))
            }
            Request::Play { id, news } => {
                let Some(asking) = self.find(&id).and_then(|place| place.ask()) else { return busy() };
                Ok(Heard::Wait(Waiting::Play(asking, news, at, text.len())))
            }
            Request::Stop { id, news } => {
                let Some(place) = self.take(&id) else { return busy() };
                place.end(Some(news));
                Ok(Heard::Answer("done".into()))
            }
            Request::Abort { id } => {
                let Some(place) = self.take(&id) else { return busy() };
                place.end(None);
                Ok(Heard::Answer("aborted".into()))
            }
        }
    }

    /// Waits for an answer, or until `gone` is set: then no client is left to read it.
    fn wait(&self, waiting: Waiting, gone: &AtomicBool) -> Result<String, NoAnswer> {
        match waiting {
            Waiting::Start(begin, place) => self.start(*begin, &place, gone),
            Waiting::Play(place, news, at, bytes) => self.play(&place, news, bytes, at, gone),
        }
        .map_err(NoAnswer::Match)
    }

    /// Answers INFO with the name, and the status: room for another match or not. It answers at once, even during a
    /// search.
    fn info(&self) -> String {
        let full = self.occupied(&locked(&self.matches)) >= self.options.matches || self.workers.are_engaged();
        let status = if full { "busy" } else { "available" };
        format!("((name {}) (status {status}))", self.options.name)
    }

    /// The number of matches with a recent message.
    fn occupied(&self, matches: &[Slot]) -> usize {
        matches.iter().filter(|slot| slot.heard.elapsed() < self.options.patience).count()
    }

    /// Reserves a place for a match that begins; `None` if all places are taken, or the match is being played.
    fn reserve(&self, begin: &Begin) -> Option<Arc<Place>> {
        let mut matches = locked(&self.matches);
        // Matches that are given up lose their place, and with it their player.
        let given_up = |slot: &mut Slot| slot.heard.elapsed() >= self.options.patience;
        let given_up: Vec<Slot> = matches.extract_if(.., given_up).collect();
        let is_known = matches.iter().any(|slot| slot.place.id == begin.id);
        let place = (matches.len() < self.options.matches && !is_known).then(|| {
            let place = Arc::new(Place::new(begin.id.clone(), begin.playclock, self.watch.clone()));
            matches.push(Slot { heard: Instant::now(), place: place.clone() });
            place
        });
        drop(matches);
        given_up.iter().for_each(|slot| slot.place.end(None));
        place
    }

    /// Finds a match in progress and records the time of this message.
    fn find(&self, id: &str) -> Option<Arc<Place>> {
        let mut matches = locked(&self.matches);
        let slot = matches.iter_mut().find(|slot| slot.place.id == id)?;
        slot.heard = Instant::now();
        Some(slot.place.clone())
    }

    /// Removes a match that is over.
    fn take(&self, id: &str) -> Option<Arc<Place>> {
        let mut matches = locked(&self.matches);
        let at = matches.iter().position(|slot| slot.place.id == id)?;
        Some(matches.swap_remove(at).place)
    }

    /// Ends a match that cannot be played; a later one with the same name stays.
    fn forget(&self, place: &Arc<Place>) {
        locked(&self.matches).retain(|slot| !Arc::ptr_eq(&slot.place, place));
        place.end(None);
    }

    /// Begins a match. A player that is not ready in time gets ready during the match.
    fn start(&self, begin: Begin, place: &Arc<Place>, gone: &AtomicBool) -> Result<String, String> {
        let until = place.until(begin.at + usable(begin.startclock), gone);
        let moment = until.time.map(|time| time.min(Instant::now() + MOMENT));
        let Some(permit) = self.workers.engage(&Until { time: moment, ..until }) else {
            self.forget(place);
            return Ok("busy".into());
        };
        let Some(mut phase) = place.hold(&until) else {
            self.forget(place);
            return Ok("busy".into());
        };
        let opening = Opening::new(begin, self.strategy.clone(), &self.options, place.ended.clone(), permit);
        *phase = Phase::Opening(opening.inspect_err(|_| self.forget(place))?);
        if let Err(why) = open(place, &mut phase, &until) {
            self.forget(place);
            return Err(why);
        }
        let ready = match &mut *phase {
            Phase::Playing(playing) => playing.player.ready(&until).map_err(|trouble| trouble.to_string()),
            _ => Err("the rules are still being set up".into()),
        };
        match ready {
            _ if until.is_ended() => return Ok("busy".into()),
            Err(why) if !until.is_gone() => place.say(&format!(": not ready in time: {why}")),
            _ => {}
        }
        Ok("ready".into())
    }

    fn play(&self, place: &Asking, news: News, bytes: usize, at: Instant, gone: &AtomicBool) -> Result<String, String> {
        let until = place.until(at + place.playclock, gone);
        let Some(mut phase) = place.hold(&until) else {
            // START is still waiting.
            return Ok(if until.is_ended() { "busy" } else { "nil" }.into());
        };
        match &mut *phase {
            Phase::Closed => return Ok("busy".into()),
            Phase::Opening(opening) => opening.keep(news, bytes)?,
            Phase::Playing(playing) => playing.untold.push(news),
        }
        if let Err(why) = open(place, &mut phase, &until) {
            self.forget(place.place());
            return Err(why);
        }
        let Phase::Playing(playing) = &mut *phase else {
            if until.is_ended() {
                return Ok("busy".into());
            }
            if !until.is_gone() {
                place.say(": no move: the rules are still being set up");
            }
            return Ok("nil".into());
        };
        let seen = playing.news()?;
        // A repeated question waits for the same answer.
        if !playing.is_thinking || !seen.is_empty() {
            playing.player.ask(seen);
        }
        let answer = playing.player.answer(&until);
        playing.is_thinking = answer == Err(Trouble::Late);
        let mv = match answer {
            Ok(mv) => mv,
            Err(_) if until.is_ended() => return Ok("busy".into()),
            Err(_) if until.is_gone() => return Ok("nil".into()),
            Err(trouble) => {
                let Some(mv) = playing.known_move() else {
                    place.say(&format!(": no move: {trouble}"));
                    return Ok("nil".into());
                };
                place.say(&format!(": {trouble}: the first legal move"));
                mv
            }
        };
        playing.last = Some(mv);
        Ok(playing.game().rules.move_name(playing.role, mv))
    }
}

/// Waits until a match is set up.
fn open(place: &Place, phase: &mut Phase, until: &Until<'_>) -> Result<(), String> {
    let Phase::Opening(opening) = phase else { return Ok(()) };
    match opening.wait(until) {
        None => Ok(()),
        Some(Ok(playing)) => {
            let role = &playing.game().roles[playing.role.0 as usize].name;
            place.say(&format!(": playing {role}"));
            *phase = Phase::Playing(Box::new(playing));
            Ok(())
        }
        Some(Err(why)) => {
            *phase = Phase::Closed;
            if until.is_ended() { Ok(()) } else { Err(why) }
        }
    }
}

/// Locks a mutex even if it is poisoned: a match whose player crashed must not stop the others.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
