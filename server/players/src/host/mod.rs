//! A player of ours, as managers elsewhere see it: as many matches at a time as it was allowed, any dialect.

mod serve;

use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use percept_game::sexpr::Expr;
use percept_game::{Game, MoveId, PerceptId, RoleId, Term};
use percept_infoset::Round;
use percept_syntax::{Language, Source};

use crate::briefing::Briefing;
use crate::clock::Clocks;
use crate::player::Seat;
use crate::seat::Occupied;
use crate::strategies::Strategy;
use crate::wire::{Names, News, Request};

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
    playing: Shared,
}

/// `None` until the match has begun, and after it has ended.
type Shared = Arc<Mutex<Option<Playing>>>;

/// A match that is played.
struct Playing {
    id: String,
    briefing: Briefing,
    role: RoleId,
    names: Names,
    player: Occupied,
    playclock: Duration,
    /// Rounds that the player was told.
    rounds: usize,
    /// What it answered last.
    last: Option<MoveId>,
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
    pub fn answer(&self, text: &str) -> Result<String, String> {
        match Request::read(text).map_err(|error| error.to_string())? {
            Request::Info => Ok(self.info()),
            Request::Preview => Ok("ready".into()),
            Request::Start { id, role, rules, startclock, playclock } => {
                let Some(place) = self.reserve(&id) else { return Ok("busy".into()) };
                let clocks = (Duration::from_secs_f64(startclock), Duration::from_secs_f64(playclock));
                let mut playing = locked(&place);
                match self.start(id.clone(), &role, &rules, clocks) {
                    Ok(started) => *playing = Some(started),
                    Err(why) => {
                        self.forget(&id);
                        return Err(why);
                    }
                }
                Ok("ready".into())
            }
            Request::Play { id, news } => {
                let Some(place) = self.find(&id) else { return Ok("busy".into()) };
                match &mut *locked(&place) {
                    Some(playing) => self.play(playing, &news),
                    None => Ok("busy".into()),
                }
            }
            Request::Stop { id, news } => {
                let Some(playing) = self.forget(&id) else { return Ok("busy".into()) };
                if let Some(playing) = locked(&playing).take() {
                    let seen = playing.seen(&news).ok().flatten();
                    let rounds = playing.rounds + usize::from(seen.is_some());
                    self.say(&format!("match {id} is over after {rounds} rounds"));
                    playing.player.stop(seen, Some(Instant::now() + Duration::from_millis(200)));
                }
                Ok("done".into())
            }
            Request::Abort { id } => {
                let Some(playing) = self.forget(&id) else { return Ok("busy".into()) };
                if let Some(playing) = locked(&playing).take() {
                    playing.player.stop(None, Some(Instant::now()));
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
    fn reserve(&self, id: &str) -> Option<Shared> {
        let mut matches = locked(&self.matches);
        // Those given up lose their place, and with it their player, once it has stopped thinking.
        matches.retain(|slot| slot.heard.elapsed() < self.options.patience);
        if matches.len() >= self.options.matches || matches.iter().any(|slot| slot.id == id) {
            return None;
        }
        let playing = Shared::default();
        matches.push(Slot { id: id.to_string(), heard: Instant::now(), playing: playing.clone() });
        Some(playing)
    }

    /// A match that is being played, of which something is heard now.
    fn find(&self, id: &str) -> Option<Shared> {
        let mut matches = locked(&self.matches);
        let slot = matches.iter_mut().find(|slot| slot.id == id)?;
        slot.heard = Instant::now();
        Some(slot.playing.clone())
    }

    fn forget(&self, id: &str) -> Option<Shared> {
        let mut matches = locked(&self.matches);
        let at = matches.iter().position(|slot| slot.id == id)?;
        Some(matches.swap_remove(at).playing)
    }

    fn start(&self, id: String, role: &str, rules: &str, clocks: (Duration, Duration)) -> Result<Playing, String> {
        let begin = Instant::now();
        let source = Source::parse(rules, Language::GdlPrefix);
        let briefing = Briefing::of_gdl(&source).map_err(|error| format!("these rules are not a game: {error}"))?;
        let role = briefing.game.role(role).ok_or_else(|| format!("`{role}` is not a role of these rules"))?;
        if briefing.game.roles[role.0 as usize].is_chance {
            return Err("chance is played by the manager".into());
        }
        let (startclock, playclock) = clocks;
        let left = startclock.saturating_sub(begin.elapsed());
        let seat = Seat {
            briefing: briefing.clone(),
            role,
            clocks: Clocks {
                start: Some(left),
                play: Some(playclock),
                simulations: self.options.simulations,
                ..Clocks::default()
            },
            id: id.clone(),
            // Not the same dice in every match.
            seed: self.options.seed ^ rustc_hash::FxBuildHasher.hash_one(&id),
        };
        self.say(&format!("match {id}: playing {}", seat.role_name()));
        let names = Names::of(rules);
        let mut player = Occupied::new(seat, self.strategy.clone());
        if let Err(trouble) = player.ready(Some(begin + startclock), &None) {
            self.say(&format!("match {id}: not ready in time: {trouble}"));
        }
        Ok(Playing { id, briefing, role, names, player, playclock, rounds: 0, last: None })
    }

    fn play(&self, playing: &mut Playing, news: &News) -> Result<String, String> {
        let until = Instant::now() + playing.playclock;
        let seen = playing.seen(news)?;
        playing.rounds += usize::from(seen.is_some());
        playing.player.ask(seen);
        match playing.player.answer(Some(until), &None) {
            Ok(mv) => {
                playing.last = Some(mv);
                Ok(playing.game().rules.move_name(playing.role, mv))
            }
            Err(trouble) => {
                self.say(&format!("match {}: no move: {trouble}", playing.id));
                Ok("nil".into())
            }
        }
    }
}

/// A match whose player broke down is one that is not played; the others go on.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Playing {
    fn game(&self) -> &Game {
        &self.briefing.game
    }

    /// What a message says of the last round; `None` where it says nothing new.
    fn seen(&self, news: &News) -> Result<Option<Round>, String> {
        match news {
            News::Nothing => Ok(None),
            // The same message again.
            News::Turn { turn, .. } if *turn <= self.rounds => Ok(None),
            News::Turn { turn, .. } if *turn > self.rounds + 1 => {
                Err(format!("turn {turn} was sent, but this player has heard of {} only", self.rounds))
            }
            News::Turn { own, percepts, .. } => {
                let own = match own {
                    Some(own) => Some(self.find_move(self.role, own)?),
                    None => self.last,
                };
                Ok(Some(Round { own, percepts: self.find_percepts(percepts)? }))
            }
            News::List(percepts) if self.briefing.has_percepts => {
                Ok(Some(Round { own: self.last, percepts: self.find_percepts(percepts)? }))
            }
            News::List(moves) => self.everybody_did(moves).map(Some),
        }
    }

    /// Everybody's moves as the percepts that they are in a game without percepts.
    fn everybody_did(&self, moves: &[Expr]) -> Result<Round, String> {
        let game = self.game();
        if moves.len() != game.roles.len() {
            return Err(format!("a round takes {} moves, one of each role, not {}", game.roles.len(), moves.len()));
        }
        let mut percepts = Vec::new();
        for (role, expr) in game.role_ids().zip(moves) {
            let made = game.rules.move_term(role, self.find_move(role, expr)?);
            let percept = Term::list("did", [Term::word(game.roles[role.0 as usize].name.as_str()), made]);
            percepts.extend(game.rules.percept_named(self.role, &percept));
        }
        percepts.sort_unstable();
        let own = self.find_move(self.role, &moves[self.role.0 as usize])?;
        Ok(Round { own: Some(own), percepts })
    }

    fn find_move(&self, role: RoleId, expr: &Expr) -> Result<MoveId, String> {
        let found = self.names.term(expr).and_then(|name| self.game().rules.move_named(role, &name));
        found.ok_or_else(|| format!("`{}` is not a move", expr.show()))
    }

    fn find_percepts(&self, exprs: &[Expr]) -> Result<Vec<PerceptId>, String> {
        let find = |expr: &Expr| {
            let found = self.names.term(expr).and_then(|name| self.game().rules.percept_named(self.role, &name));
            found.ok_or_else(|| format!("`{}` is not a percept", expr.show()))
        };
        let mut percepts = exprs.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        percepts.sort_unstable();
        percepts.dedup();
        Ok(percepts)
    }
}
