//! The server's commands (`workspace/executeCommand`), shared by all editors. Each takes one JSON object and returns
//! one; every result has `"version": 1`, which changes when a field changes its meaning or is removed.
//!
//! All of them name the game by `uri`: a description, a problem, a domain (its first problem is played), or a trace (a
//! match of its game). The server does not store such a match: the client sends its current `history`, for each round
//! the moves of all roles by name, and receives it replayed on the current text. Without a `history` a trace's own
//! rounds are taken.
//!
//! - `percept.step` `{uri, history?, at?, choose?, seed?, role?}`: [`step`];
//! - `percept.beliefs` `{uri, history?, at?, role, overRounds?, seconds?}`: [`step`];
//! - `percept.infoset` `{uri, history?, at?, role, limit?, seconds?}`: [`infoset`];
//! - `percept.observe` `{uri, history?, seconds?, announceEnd?}`: [`observe`];
//! - `percept.prove` `{uri, role?, property?, seconds?, announceEnd?}`: [`prove`];
//! - `percept.why` `{uri, history?, at?, fluent | percept | move | atom, role?}`: [`why`];
//! - `percept.askable` `{uri, history?, at?}`: [`askable`];
//! - `percept.pair` `{uri, role, first, second}`: [`pair`];
//! - `percept.repair` `{uri, role, property, seconds?}`: [`repair`];
//! - `percept.page` `{uri, session?, command?, text?, width?, wait?}`: [`page`], all of the above as lines of text;
//! - `percept.coverage` `{uri, matches?, seed?, seconds?}`: [`coverage`];
//! - `percept.rules` `{uri, name}`: [`rules`];
//! - `percept.beginTest` `{uri, seconds?}`: [`begin_test`];
//! - `percept.match` `{action, ...}`: [`play`], the only command for which the server keeps state: a match of a person
//!   against others, of which the client must not know more than the person.
//!
//! Long commands show their progress, can be cancelled, and end with `ContentModified` if the game is edited meanwhile.
//!
//! A text that is not a game (yet) is not an error of the command: the result then has `refusals`, each a `message`
//! with an optional `location`.

mod askable;
mod begin_test;
mod coverage;
mod infoset;
mod matches;
mod observe;
mod page;
mod pair;
mod play;
mod prove;
mod repair;
mod rules;
mod step;
mod why;

use serde::Deserialize;
use serde_json::Value;

use crate::place::{Answer, Failure, Place};

/// The commands, as announced to the client.
pub(crate) const NAMES: &[&str] = &[
    "percept.step",
    "percept.beliefs",
    "percept.infoset",
    "percept.observe",
    "percept.prove",
    "percept.why",
    "percept.askable",
    "percept.pair",
    "percept.repair",
    "percept.page",
    "percept.coverage",
    "percept.rules",
    "percept.beginTest",
    "percept.match",
];

/// Runs a command with its one argument; `None` if there is no such command.
pub(crate) fn run(place: &Place, name: &str, argument: Value) -> Option<Answer<Value>> {
    Some(match name {
        "percept.step" => read(argument).and_then(|argument| step::run(place, argument)),
        "percept.beliefs" => read(argument).and_then(|argument| step::beliefs(place, argument)),
        "percept.infoset" => read(argument).and_then(|argument| infoset::run(place, argument)),
        "percept.observe" => read(argument).and_then(|argument| observe::run(place, argument)),
        "percept.prove" => read(argument).and_then(|argument| prove::run(place, argument)),
        "percept.why" => read(argument).and_then(|argument| why::run(place, argument)),
        "percept.askable" => read(argument).and_then(|argument| askable::run(place, argument)),
        "percept.pair" => read(argument).and_then(|argument| pair::run(place, argument)),
        "percept.repair" => read(argument).and_then(|argument| repair::run(place, argument)),
        "percept.page" => read(argument).and_then(|argument| page::run(place, argument)),
        "percept.coverage" => read(argument).and_then(|argument| coverage::run(place, argument)),
        "percept.rules" => read(argument).and_then(|argument| rules::run(place, argument)),
        "percept.beginTest" => read(argument).and_then(|argument| begin_test::run(place, argument)),
        "percept.match" => read(argument).and_then(|argument| play::run(place, argument)),
        _ => return None,
    })
}

fn read<T: for<'de> Deserialize<'de>>(argument: Value) -> Answer<T> {
    T::deserialize(argument).map_err(|error| Failure::Message(format!("the argument does not fit: {error}")))
}
