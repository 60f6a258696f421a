//! `percept.match`: a match of a person against other players; the person sees only the percepts of its role.
//!
//! Argument, by `action`:
//! - `{action: "start", uri, role, players?: {role: strategy}, playclock?, startclock?, seed?}`: begins a match. Roles
//!   without a strategy are played by `auto`; clocks apply to the other players and are in seconds; the person has
//!   none;
//! - `{action: "move", match, move}`: makes one of the `moves`; `null` makes a random one;
//! - `{action: "look", match, wait?}`: the current state, without waiting unless `wait` is true;
//! - `{action: "giveUp", match}`: ends the match;
//! - `{action: "leave", match}`: ends the match and drops it: `{version, match}`.
//!
//! Result: `{version, match, role, players, turn, moves, seat, allSeen, changed, record}`, or `{version, refusals}`.
//! `match` is the name of the match from now on. `turn` is `you`, `others` or `nobody`. `seat` is a
//! [`percept_report::seat::Seat`] (absent until the first state); `moves` are those that the role knows to be legal;
//! one of them can be made. `changed` is true if the game's text was edited after the match began.
//!
//! The record opens when the match has ended: `record` is `{ended, why, history, goals, errors, remarks}`. `ended` is
//! `over`, `stuck`, `too-long` or `given-up`; `history` has the form that the other commands take; `goals` and
//! `remarks` are by role; `errors` are `{round, role, kind, detail, played}`. Until then there is no `record`.
//!
//! As in every match, a description without `sees` is one of complete information: every role sees every move. Then
//! `allSeen` is true.
//!
//! Cancelling a request ends the wait, not the match: `look` returns the current state. Cancelling `start` also ends
//! the match.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use percept_game::RoleId;
use percept_players::{Arena, Briefing, Clocks, Ended, MatchOptions, Outcome, Sight, Strategy};
use percept_report::belief::{Worlds, within};
use percept_report::board::Layout;
use percept_report::editor::{self, Fault, SittingRecord};
use percept_report::names::made_by;
use percept_report::seat::Seat;
use percept_report::speech::Phrases;
use percept_syntax::Syntax;
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::lsp_types::Url;

use super::matches::{self, Instead, versioned};
use crate::games::{self, Loaded, Refusal};
use crate::place::{Answer, Failure, Place};
use crate::sittings::{Now, Sitting, Table, Turn};
use crate::snapshot::File;

/// The default clocks of the other players, in seconds.
const START: f64 = 2.0;
const PLAY: f64 = 1.0;
/// The tolerated delay of the other players: the editor keeps the machine busy, too.
const GRACE: Duration = Duration::from_secs(10);
/// The time for proofs of statements on which all draws agree.
const PROVING: Duration = Duration::from_millis(400);
/// The strategy of roles without a named one.
const USUAL: &str = "auto";

#[derive(Deserialize)]
#[serde(tag = "action", rename_all = "camelCase")]
pub(super) enum Argument {
    Start(Start),
    Move {
        #[serde(rename = "match")]
        name: String,
        #[serde(rename = "move", default)]
        mv: Option<String>,
        /// The seed of random moves.
        #[serde(default)]
        seed: Option<u64>,
    },
    Look {
        #[serde(rename = "match")]
        name: String,
        /// Waits for the other players.
        #[serde(default)]
        wait: bool,
    },
    GiveUp {
        #[serde(rename = "match")]
        name: String,
    },
    Leave {
        #[serde(rename = "match")]
        name: String,
    },
}

#[derive(Deserialize)]
pub(super) struct Start {
    pub uri: Url,
    pub role: String,
    /// The strategy of each role.
    #[serde(default)]
    pub players: BTreeMap<String, String>,
    #[serde(default)]
    pub playclock: Option<f64>,
    #[serde(default)]
    pub startclock: Option<f64>,
    #[serde(default)]
    pub seed: Option<u64>,
}

pub(super) fn run(place: &Place, argument: Argument) -> Answer<Value> {
    if let Argument::Leave { name } = argument {
        sitting(place, &name)?;
        place.shared.sittings.drop(&name);
        return Ok(json!({ "version": 1, "match": name }));
    }
    match perform(place, argument) {
        Ok(shown) => Ok(versioned(1, &shown)),
        Err(instead) => instead.answer(),
    }
}

/// Performs an action, and returns the match after it.
pub(super) fn perform(place: &Place, argument: Argument) -> Result<editor::Sitting, Instead> {
    Ok(match argument {
        Argument::Start(start) => begin(place, start)?,
        Argument::Move { name, mv, seed } => {
            let it = sitting(place, &name)?;
            it.choose(mv.as_deref(), seed.unwrap_or_else(by_lot)).map_err(|why| why.to_string())?;
            wait(place, &it)?
        }
        Argument::Look { name, wait: true } => wait(place, &*sitting(place, &name)?)?,
        Argument::Look { name, .. } | Argument::Leave { name } => {
            let it = sitting(place, &name)?;
            shown(place, &it, &it.now())
        }
        Argument::GiveUp { name } => {
            let it = sitting(place, &name)?;
            it.give_up();
            wait(place, &it)?
        }
    })
}

fn sitting(place: &Place, name: &str) -> Answer<Arc<Sitting>> {
    let gone =
        || format!("there is no match {name} any more: it ends when its game is closed, or others were begun since");
    Ok(place.shared.sittings.find(name).ok_or_else(gone)?)
}

fn begin(place: &Place, start: Start) -> Result<editor::Sitting, Instead> {
    let loaded = matches::load(place, &start.uri)?;
    place.rest_on(&loaded.files);
    let briefing = briefing(&loaded).map_err(|refusal| matches::refused(place, &[refusal]))?;
    let role = briefing.game.role_named(&start.role)?;
    if briefing.game.roles[usize::from(role.0)].is_chance {
        return Err(format!("{} is chance: it has no player", start.role).into());
    }
    let strategies = strategies(&briefing, role, &start.players)?;
    let options = MatchOptions {
        id: "editor".into(),
        clocks: Clocks {
            start: Some(seconds(start.startclock, START)),
            play: Some(seconds(start.playclock, PLAY)),
            grace: GRACE,
            simulations: None,
        },
        seed: start.seed.unwrap_or_else(by_lot),
        ..MatchOptions::default()
    };
    let sources = games::sources(&loaded.files);
    let layout = Layout::new(&briefing.game, &sources);
    let (arena, files) = (Arena::new(briefing), loaded.files.clone());
    let table = Table { arena, layout, files, document: start.uri, role, strategies };
    place.check()?;
    let it = place.shared.sittings.begin(table, options);
    let answer = wait(place, &it);
    if answer.is_err() {
        // The client never received its name.
        place.shared.sittings.drop(&it.name);
    }
    // A rule that broke a limit while the match was being prepared.
    matches::sound(place, &loaded)?;
    Ok(answer?)
}

/// An unpredictable number.
fn by_lot() -> u64 {
    RandomState::new().build_hasher().finish()
}

fn seconds(seconds: Option<f64>, usual: f64) -> Duration {
    Duration::from_secs_f64(seconds.filter(|it| it.is_finite()).unwrap_or(usual).clamp(0.05, 60.0))
}

/// The game in the form that players receive.
fn briefing(loaded: &Loaded) -> Result<Briefing, Refusal> {
    let file = &loaded.files[0];
    match file.source() {
        Some(source) if matches!(source.syntax, Syntax::Gdl(_)) => {
            Briefing::of_gdl(source).map_err(|error| Refusal { message: error.to_string(), place: None })
        }
        _ => Ok(Briefing::of_game(loaded.game.clone())),
    }
}

fn strategies(briefing: &Briefing, person: RoleId, named: &BTreeMap<String, String>) -> Answer<Vec<Strategy>> {
    for name in named.keys() {
        let role = briefing.game.role_named(name)?;
        if role == person {
            return Err(Failure::Message(format!("{name} is played by you, not by a strategy")));
        }
    }
    let of_role = |role: &percept_game::Role| {
        let name = named.get(&role.name).map_or(USUAL, String::as_str);
        if name.starts_with("remote:") {
            return Err(Failure::Message("a match in the editor is played on this machine alone".into()));
        }
        let strategy: Strategy = name.parse().map_err(|error| Failure::Message(format!("{error}")))?;
        Ok(strategy)
    };
    briefing.game.roles.iter().map(of_role).collect()
}

/// The match once the person has to move or it has ended.
fn wait(place: &Place, it: &Sitting) -> Answer<editor::Sitting> {
    let _shows = matches::reporter(place, "The others are thinking");
    let now = it.settled(&place.token);
    place.check()?;
    Ok(shown(place, it, &now))
}

fn shown(place: &Place, it: &Sitting, now: &Now) -> editor::Sitting {
    let table = &it.table;
    let game = table.arena.game();
    let is_same = |file: &Arc<File>| games::file(&place.snapshot, &file.uri).is_some_and(|now| Arc::ptr_eq(&now, file));
    editor::Sitting {
        r#match: it.name.clone(),
        role: game.roles[usize::from(table.role.0)].name.clone(),
        players: by_role(table, |role| table.strategies[role].name().to_string()),
        turn: match now.turn {
            Turn::Person => editor::Turn::You,
            Turn::Others | Turn::Chosen(_) => editor::Turn::Others,
            Turn::Nobody => editor::Turn::Nobody,
        },
        moves: match (now.turn, &now.sight) {
            (Turn::Person, Some(sight)) => sight.moves.iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        },
        seat: now.sight.as_ref().and_then(|sight| seat(table, sight)),
        all_seen: !table.arena.briefing().has_percepts,
        changed: !table.files.iter().all(is_same),
        record: (now.turn == Turn::Nobody)
            .then(|| now.outcome.as_ref().map_or_else(broken_down, |outcome| record(table, outcome))),
    }
}

/// The record of a match whose manager failed.
fn broken_down() -> SittingRecord {
    let (goals, remarks) = (IndexMap::new(), IndexMap::new());
    let (history, errors) = (Vec::new(), Vec::new());
    let says = Phrases::new();
    SittingRecord { ended: "stuck", why: "the match crashed", history, goals, errors, remarks, says }
}

/// The role's knowledge, from its own belief.
fn seat(table: &Table, sight: &Sight) -> Option<Seat> {
    let worlds = Worlds::of_states(&sight.view, sight.members.clone(), sight.is_proved).ok()?;
    let worlds = worlds.proving(table.arena.game(), &sight.view, &within(PROVING));
    let mut seat = Seat::in_worlds(table.arena.game(), &table.layout, &sight.view, &worlds);
    table.layout.speech.say_terms(&mut seat.says, &sight.moves);
    Some(seat)
}

fn record(table: &Table, outcome: &Outcome) -> SittingRecord {
    let game = table.arena.game();
    let name = |role: RoleId, mv| game.rules.move_name(role, mv);
    let names = |joint: &percept_game::JointMove| -> Vec<String> {
        game.role_ids().zip(joint).map(|(role, &mv)| name(role, mv)).collect()
    };
    let error = |fault: &percept_players::Fault| Fault {
        round: fault.round,
        role: game.roles[usize::from(fault.role.0)].name.clone(),
        kind: fault.kind.name(),
        detail: fault.wording(|mv| made_by(game, &table.layout.speech, fault.role, mv)),
        played: fault.played.map(|mv| name(fault.role, mv)),
    };
    let (ended, why) = match outcome.ended {
        Ended::Over => ("over", "the match is over"),
        Ended::Stuck => ("stuck", "a role had no legal move"),
        Ended::TooLong => ("too-long", "the match went on too long"),
        Ended::Cancelled => ("given-up", "the match was given up"),
    };
    let history: Vec<Vec<String>> = outcome.moves.iter().map(names).collect();
    let mut says = Phrases::new();
    table.layout.speech.say(&mut says, history.iter().flatten().map(String::as_str));
    SittingRecord {
        ended,
        why,
        history,
        says,
        goals: by_role(table, |role| outcome.goals[role]),
        errors: outcome.faults.iter().map(error).collect(),
        remarks: by_role(table, |role| outcome.remarks[role].clone()),
    }
}

/// A value for each role except chance.
fn by_role<T>(table: &Table, of: impl Fn(usize) -> T) -> IndexMap<String, T> {
    let roles = table.arena.game().roles.iter().enumerate().filter(|(_, role)| !role.is_chance);
    roles.map(|(at, role)| (role.name.clone(), of(at))).collect()
}
