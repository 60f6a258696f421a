//! A match with a local player: the set-up in a thread of its own, the rounds reported, and the questions for moves.

use std::hash::BuildHasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use percept_game::sexpr::Expr;
use percept_game::{Budget, Game, MoveId, PerceptId, RoleId, Term};
use percept_infoset::Round;
use percept_syntax::{Language, Source};

use super::HostOptions;
use super::workers::Permit;
use crate::briefing::Briefing;
use crate::clock::Clocks;
use crate::player::Seat;
use crate::seat::{GLANCE, Occupied, Until};
use crate::strategies::Strategy;
use crate::wire::{Names, News, shown};

/// The data with which a match begins.
pub(super) struct Begin {
    pub id: String,
    pub role: String,
    pub rules: String,
    pub startclock: Duration,
    pub playclock: Duration,
    /// The arrival time of the message.
    pub at: Instant,
}

/// The most bytes of news kept while the rules are being set up.
const UNTOLD: usize = 1 << 20;

/// A match whose rules are being set up.
pub(super) struct Opening {
    made: Receiver<Result<Playing, String>>,
    /// The news received meanwhile, and its length in bytes.
    untold: Vec<News>,
    bytes: usize,
}

impl Opening {
    /// Begins to set up a match. The set-up ends early if `ended` is set.
    pub(super) fn new(
        begin: Begin,
        strategy: Strategy,
        options: &HostOptions,
        ended: Arc<AtomicBool>,
        permit: Permit,
    ) -> Result<Opening, String> {
        let (tell, made) = channel();
        let (simulations, seed) = (options.simulations, options.seed);
        let name = format!("set-up of {}", shown(&begin.id));
        let work = move || {
            let playing = Playing::new(begin, strategy, simulations, seed, &ended, permit);
            // If no caller waits any longer, the player is dropped, too.
            let _ = tell.send(playing);
        };
        let thread = thread::Builder::new().name(name).spawn(work);
        thread.map_err(|error| format!("the match cannot be set up: {error}"))?;
        Ok(Opening { made, untold: Vec::new(), bytes: 0 })
    }

    /// Keeps news that arrives before there is a player.
    ///
    /// # Errors
    /// Fails if it is too much.
    pub(super) fn keep(&mut self, news: News, bytes: usize) -> Result<(), String> {
        if news == News::Nothing {
            return Ok(());
        }
        self.bytes += bytes;
        if self.bytes > UNTOLD {
            return Err("too much was sent while the rules are still being set up".into());
        }
        self.untold.push(news);
        Ok(())
    }

    /// Waits until the match is set up; `None` if this takes too long, or the match has ended.
    pub(super) fn wait(&mut self, until: &Until<'_>) -> Option<Result<Playing, String>> {
        loop {
            match self.made.recv_timeout(until.slice().unwrap_or(GLANCE)) {
                Ok(Ok(playing)) => return Some(Ok(Playing { untold: std::mem::take(&mut self.untold), ..playing })),
                Ok(Err(why)) => return Some(Err(why)),
                Err(RecvTimeoutError::Disconnected) => return Some(Err("the player crashed".into())),
                Err(RecvTimeoutError::Timeout) if until.is_over() => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// A match in progress.
pub(super) struct Playing {
    briefing: Briefing,
    pub role: RoleId,
    names: Names,
    pub player: Occupied,
    /// The number of rounds reported to the player.
    pub rounds: usize,
    /// The news not reported to the player yet.
    pub untold: Vec<News>,
    /// True if an answer to the last question may still come.
    pub is_thinking: bool,
    /// The last answer.
    pub last: Option<MoveId>,
    /// A legal move of the first round.
    first: Option<MoveId>,
}

impl Playing {
    fn new(
        begin: Begin,
        strategy: Strategy,
        simulations: Option<u64>,
        seed: u64,
        ended: &Arc<AtomicBool>,
        permit: Permit,
    ) -> Result<Playing, String> {
        let is_over = || ended.load(Ordering::Relaxed).then(|| Err("the match was given up".to_string()));
        if let Some(refusal) = is_over() {
            return refusal;
        }
        let source = Source::parse(begin.rules.as_str(), Language::GdlPrefix);
        if let Some(refusal) = is_over() {
            return refusal;
        }
        let budget = Budget { cancel: Some(ended.clone()), ..Budget::default() };
        let briefing =
            Briefing::of_gdl_within(&source, budget).map_err(|error| format!("these rules are not a game: {error}"))?;
        let role = &begin.role;
        let role = briefing.game.role(role).ok_or_else(|| format!("`{role}` is not a role of these rules"))?;
        if briefing.game.roles[role.0 as usize].is_chance {
            return Err("chance is played by the manager".into());
        }
        if let Some(refusal) = is_over() {
            return refusal;
        }
        let rules = &briefing.game.rules;
        let first = rules.legal(&rules.initial(), role).first().copied();
        let left = begin.startclock.saturating_sub(begin.at.elapsed());
        let seat = Seat {
            briefing: briefing.clone(),
            role,
            clocks: Clocks { start: Some(left), play: Some(begin.playclock), simulations, ..Clocks::default() },
            // Different matches have different dice.
            seed: seed ^ rustc_hash::FxBuildHasher.hash_one(&begin.id),
            id: begin.id,
        };
        Ok(Playing {
            names: Names::of(&begin.rules),
            player: Occupied::with(seat, strategy, permit),
            briefing,
            role,
            rounds: 0,
            untold: Vec::new(),
            is_thinking: false,
            last: None,
            first,
        })
    }

    pub(super) fn game(&self) -> &Game {
        &self.briefing.game
    }

    /// A move that is certainly legal, independent of the player; known in the first round only.
    pub(super) fn known_move(&self) -> Option<MoveId> {
        self.first.filter(|_| self.rounds == 0)
    }

    /// Returns the rounds not reported to the player yet.
    ///
    /// # Errors
    /// Returns the fault in a message.
    pub(super) fn news(&mut self) -> Result<Vec<Round>, String> {
        let mut rounds = Vec::new();
        for news in std::mem::take(&mut self.untold) {
            let last_round = self.last_round(&news)?;
            self.rounds += usize::from(last_round.is_some());
            rounds.extend(last_round);
        }
        Ok(rounds)
    }

    /// The content of a message about the last round; `None` if it contains no news.
    fn last_round(&self, news: &News) -> Result<Option<Round>, String> {
        match news {
            News::Nothing => Ok(None),
            // The same message was sent again.
            News::Turn { turn, .. } if *turn <= self.rounds => Ok(None),
            News::Turn { turn, .. } if *turn > self.rounds + 1 => {
                Err(format!("turn {turn} was sent, but this player has received only {}", self.rounds))
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

    /// Converts the moves of all roles to the percepts that represent them in a game without percepts.
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
