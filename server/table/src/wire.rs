//! The messages between the server and a page. What a seat gets before the end is a function of its [`Sight`].

use std::sync::Arc;
use std::time::Duration;

use percept_game::{Game, RoleId, State};
use percept_players::Sight;
use percept_report::belief::{Worlds, within};
use percept_report::board::{Layout, Picture};
use percept_report::seat::Seat;
use percept_report::speech::Phrases;
use serde::{Deserialize, Serialize};

use crate::opened::Opened;

/// The time for proofs of facts on which all draws agree.
const PROVING: Duration = Duration::from_millis(400);
/// The most states in which the roles that have to choose are looked up.
const MOST_ASKED: usize = 2_000;

/// A message of a page. The first one is always [`Wish::Sit`].
#[derive(Debug, Deserialize)]
#[serde(tag = "wish", rename_all = "camelCase", deny_unknown_fields)]
pub(crate) enum Wish {
    /// Takes the seat of a token.
    Sit { token: String },
    /// Makes a move in a round of a match.
    Move {
        #[serde(rename = "match")]
        number: u64,
        round: usize,
        #[serde(rename = "move")]
        mv: String,
    },
    /// Shows what is likely beside what is certain, or hides it.
    Beliefs { on: bool },
    /// Asks for another match, with the seats exchanged.
    Again,
    /// Gives up: a program plays on.
    Leave {
        #[serde(rename = "match")]
        number: u64,
    },
    /// Says that something cannot be understood, for the author.
    Note {
        #[serde(rename = "match")]
        number: u64,
        round: usize,
        text: String,
    },
    /// Says that the person clicked on something that is not a move, for the author.
    Tried {
        #[serde(rename = "match")]
        number: u64,
        round: usize,
        text: String,
    },
    /// Asks for the true state after a round, once the match is over.
    Look { round: usize },
    /// In a lobby: sets up a table.
    NewTable { game: String },
    /// In a lobby: takes a seat.
    Take { table: u64, seat: usize, name: String },
    /// In a lobby: gives a seat to a program.
    Program { table: u64, seat: usize, strategy: String },
    /// In a lobby: takes a seat from a program.
    Free { table: u64, seat: usize },
    /// In a lobby: asks for the link of watchers.
    Watch { table: u64 },
    /// In a lobby: removes a table at which no person sits.
    Remove { table: u64 },
}

/// A player as all see it.
#[derive(Clone, Serialize)]
pub(crate) struct Player {
    pub role: String,
    /// The name that the person gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The strategy of a program; with a name, it plays on for a person who gave up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// True if the seat is free.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub free: bool,
}

/// A table as its lobby sees it.
#[derive(Serialize)]
pub(crate) struct Listing {
    pub id: u64,
    pub game: String,
    pub stage: Stage,
    pub seats: Vec<Player>,
}

/// The stage of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stage {
    /// Some seats are free.
    #[default]
    Gathering,
    /// A match is played.
    Playing,
    /// A match was played, and another one may follow.
    Over,
}

/// A message to a page.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub(crate) enum Message<'a> {
    /// A match begins.
    Begin {
        game: &'a str,
        #[serde(rename = "match")]
        number: u64,
        /// The role of the seat; `None` for watchers.
        role: Option<&'a str>,
        players: Vec<Player>,
        /// The seconds in which people choose, if they have a clock.
        #[serde(skip_serializing_if = "Option::is_none")]
        clock: Option<f64>,
        /// True if the rules show every role every move.
        all_seen: bool,
    },
    /// The knowledge of the seat.
    Seat {
        turn: Turn,
        /// The moves to choose from.
        moves: Vec<String>,
        /// The only legal move, which was made.
        #[serde(skip_serializing_if = "Option::is_none")]
        only: Option<String>,
        /// The other roles that certainly have a choice now, if the view tells.
        #[serde(skip_serializing_if = "Option::is_none")]
        movers: Option<Vec<&'a str>>,
        /// The numbers that certainly have these values.
        numbers: Vec<(&'a str, i64)>,
        /// Absent if no history was found in time.
        #[serde(skip_serializing_if = "Option::is_none")]
        seat: Option<Box<Seat>>,
        /// The words of the moves to which the rules' comments give some; those of the rest are in `seat`.
        #[serde(skip_serializing_if = "Phrases::is_empty")]
        says: Phrases,
    },
    /// The person's move was taken.
    Chosen {
        round: usize,
        #[serde(rename = "move")]
        mv: &'a str,
    },
    /// The person's time for a round is over: a random move is made.
    Late { round: usize },
    /// To a page that comes back: the seconds left for the move.
    Clock { left: f64 },
    /// A player gave up, or came back.
    Left { players: Vec<Player> },
    /// The note for the author was taken.
    Noted,
    /// Players are missing.
    Gathering { game: &'a str, role: Option<&'a str>, players: Vec<Player> },
    /// All tables of a lobby.
    Lobby { games: &'a [String], strategies: Vec<&'static str>, tables: Vec<Listing> },
    /// The link of a seat in a lobby, for the page that asked for it.
    Yours { token: String },
    /// For watchers: the number of rounds played.
    Watched { rounds: usize },
    /// The match is over: all of it.
    Opened(&'a Opened),
    /// The true state after a round.
    Truth {
        round: usize,
        picture: Picture,
        /// The words of its fluents to which the rules' comments give some.
        #[serde(skip_serializing_if = "Phrases::is_empty")]
        says: Phrases,
    },
    /// The number of people that want another match.
    Again { ready: usize, of: usize },
    /// A wish was not granted.
    Refused { why: &'a str },
}

/// The player to move, as the seat knows it.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Turn {
    You,
    Others,
    /// The match is over.
    Over,
}

/// A message in two forms.
#[derive(Clone)]
pub(crate) struct Shown {
    /// With certain facts alone.
    pub plain: Arc<str>,
    /// With beliefs, for a person who wants to see them.
    pub shaded: Arc<str>,
}

impl Message<'_> {
    pub(crate) fn text(&self) -> Arc<str> {
        serde_json::to_string(self).expect("our own structures have string keys and finite numbers").into()
    }

    /// A message that is the same with and without beliefs.
    pub(crate) fn shown(&self) -> Shown {
        let text = self.text();
        Shown { plain: text.clone(), shaded: text }
    }
}

/// The knowledge of a seat.
pub(crate) fn seat(game: &Game, layout: &Layout, sight: &Sight, turn: Turn) -> Shown {
    let worlds = Worlds::of_states(&sight.view, sight.members.clone(), sight.is_proved).ok();
    let worlds = worlds.map(|it| it.proving(game, &sight.view, &within(PROVING)));
    let names: Vec<String> = sight.moves.iter().map(ToString::to_string).collect();
    let mut says = Phrases::new();
    layout.speech.say_choices(&mut says, names.iter().map(String::as_str));
    let message = |seat: Option<Seat>| Message::Seat {
        turn,
        moves: if turn == Turn::You { names.clone() } else { Vec::new() },
        only: if turn == Turn::Others && names.len() == 1 { names.first().cloned() } else { None },
        movers: if turn == Turn::Over { None } else { movers(game, sight) },
        numbers: numbers(sight),
        seat: seat.map(Box::new),
        says: says.clone(),
    };
    let with = |look: fn(&Game, &Layout, &percept_game::view::View, &Worlds) -> Seat| {
        message(worlds.as_ref().map(|worlds| look(game, layout, &sight.view, worlds))).text()
    };
    Shown { plain: with(Seat::certain_in_worlds), shaded: with(Seat::in_worlds) }
}

/// The numbers of the game that are the same in every history that fits the view.
fn numbers(sight: &Sight) -> Vec<(&str, i64)> {
    let certain = sight.numbers.iter().filter(|_| sight.is_proved);
    certain.filter_map(|(name, value)| Some((name.as_str(), (*value)?))).collect()
}

/// The other roles that have a choice, if they are the same in every history that fits the view.
fn movers<'g>(game: &'g Game, sight: &Sight) -> Option<Vec<&'g str>> {
    if !sight.is_proved || sight.members.len() > MOST_ASKED {
        return None;
    }
    let mut all = sight.members.iter().map(|(state, _)| choosing(game, state, sight.view.role));
    let first = all.next()?;
    all.all(|it| it == first).then_some(())?;
    Some(first.into_iter().map(|role| game.roles[usize::from(role.0)].name.as_str()).collect())
}

fn choosing(game: &Game, state: &State, except: RoleId) -> Vec<RoleId> {
    let is_player = |role: &RoleId| *role != except && !game.roles[usize::from(role.0)].is_chance;
    game.role_ids().filter(is_player).filter(|&role| game.rules.legal(state, role).len() > 1).collect()
}
