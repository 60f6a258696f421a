//! A player over HTTP, in any dialect of general game playing.

use std::time::{Duration, Instant};

use percept_game::MoveId;
use percept_infoset::View;
use tokio::runtime::{Builder, Runtime};

use crate::clock::Clock;
use crate::player::{Player, Seat, Trouble};
use crate::wire::{Limits, Names, Protocol, WireError, ask, flat, question, shown};

/// The time for the goodbye of a match without a clock.
const GOODBYE: Duration = Duration::from_secs(5);

/// The address of a player, and its dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The address as `HOST:PORT`.
    pub address: String,
    /// The dialect. `None`: chapter 17 if the game has percepts, GDL-I if it has none.
    pub protocol: Option<Protocol>,
}

pub(super) struct Remote<'g> {
    seat: &'g Seat,
    address: Address,
    runtime: Option<Runtime>,
    names: Names,
}

impl<'g> Remote<'g> {
    pub(super) fn new(seat: &'g Seat, address: Address) -> Remote<'g> {
        let names = seat.briefing.text().map_or_else(Names::default, |text| Names::of(text));
        let runtime = Builder::new_current_thread().enable_all().build().ok();
        Remote { seat, address, runtime, names }
    }

    fn protocol(&self) -> Protocol {
        let usual = if self.seat.briefing.has_percepts { Protocol::Chapter17 } else { Protocol::Gdl1 };
        self.address.protocol.unwrap_or(usual)
    }

    fn ask(&self, message: String, time: Option<Duration>) -> Result<String, Trouble> {
        let runtime = self.runtime.as_ref().ok_or_else(|| Trouble::Unreachable("no network".into()))?;
        let until = time.map(|time| Instant::now() + time);
        let limits = Limits::default();
        let work = ask(&self.address.address, self.seat.role_name(), message, &limits, until);
        runtime.block_on(work).map_err(|error| match error {
            WireError::Late(_) => Trouble::Late,
            WireError::NotText(_) | WireError::TooLong(..) => Trouble::Unreadable(error.to_string()),
            _ => Trouble::Unreachable(error.to_string()),
        })
    }

    fn start_message(&self) -> Result<String, Trouble> {
        let protocol = self.protocol();
        let briefing = &self.seat.briefing;
        let text = match protocol {
            Protocol::Gdl1 if briefing.has_percepts => {
                return Err(Trouble::Unreachable(
                    "the protocol gdl-1 carries no percepts, but this game has some".into(),
                ));
            }
            Protocol::Gdl1 => briefing.plain_text(),
            _ => briefing.text().map(|text| &**text),
        };
        let text =
            text.ok_or_else(|| Trouble::Unreachable("only games in GDL can be sent to remote players".into()))?;
        let seconds = |clock: Option<Duration>| clock.map_or(60, |clock| clock.as_secs().max(1));
        let (start, play) = (seconds(self.seat.clocks.start), seconds(self.seat.clocks.play));
        let (id, role) = (&self.seat.id, self.seat.role_name());
        let message = format!("(start {id} {role} ({}) {start} {play})", flat(text));
        Ok(crate::wire::loud(protocol, message, id))
    }

    /// The content of a message about the last round of a view: rounds, own move, percepts.
    fn last_turn(&self, view: &View) -> Option<(usize, Option<String>, Vec<String>)> {
        let last = view.rounds.last()?;
        let rules = &self.seat.game().rules;
        let own = last.own.map(|mv| rules.move_name(view.role, mv));
        let mut percepts: Vec<String> = last.percepts.iter().map(|&it| rules.percept_name(view.role, it)).collect();
        if self.protocol() == Protocol::Gdl1 {
            percepts = self.moves_of(&percepts);
        }
        Some((view.len(), own, percepts))
    }

    /// The moves of all roles, in the order of the roles, read from the percepts that report them.
    fn moves_of(&self, percepts: &[String]) -> Vec<String> {
        let of_role = |role: &percept_game::Role| {
            let before = format!("(did {} ", role.name);
            let mv = percepts.iter().find_map(|percept| percept.strip_prefix(&before)?.strip_suffix(')'));
            mv.unwrap_or("nil").to_string()
        };
        self.seat.game().roles.iter().map(of_role).collect()
    }

    fn message(&self, kind: &str, view: &View) -> String {
        let last_turn = self.last_turn(view);
        let seen = last_turn.as_ref().map(|(turn, own, percepts)| (*turn, own.as_deref(), &percepts[..]));
        question(self.protocol(), kind, &self.seat.id, seen)
    }

    fn time(&self, clock: Option<Duration>) -> Option<Duration> {
        clock.map(|clock| clock + self.seat.clocks.grace)
    }
}

impl Player for Remote<'_> {
    fn prepare(&mut self, _clock: &Clock) -> Result<(), Trouble> {
        let message = self.start_message()?;
        let answer = self.ask(message, self.time(self.seat.clocks.start))?;
        match answer.trim().eq_ignore_ascii_case("ready") {
            true => Ok(()),
            false => Err(Trouble::Nonsense(short(&answer))),
        }
    }

    fn choose(&mut self, view: &View, _clock: &Clock) -> Result<MoveId, Trouble> {
        let answer = self.ask(self.message("play", view), self.time(self.seat.clocks.play))?;
        let name = self.names.read(&answer);
        let found = name.and_then(|name| self.seat.game().rules.move_named(view.role, &name));
        found.ok_or_else(|| Trouble::Nonsense(short(&answer)))
    }

    fn end(&mut self, view: &View) {
        // A player without a goodbye has still played.
        let time = self.time(self.seat.clocks.play).unwrap_or(GOODBYE).min(GOODBYE);
        let _ = self.ask(self.message("stop", view), Some(time));
    }

    fn remark(&self) -> Option<String> {
        Some(format!("{}, {}", self.address.address, self.protocol()))
    }
}

fn short(answer: &str) -> String {
    let answer = answer.trim();
    match answer.char_indices().nth(80) {
        Some((end, _)) => format!("{}...", shown(&answer[..end])),
        None => shown(answer).into_owned(),
    }
}
