//! A role's seat: its whole knowledge at one place of a match, and nothing else.
//!
//! In: a game, its boards, and the role's view (its percepts, and its own moves if the language reveals them; else
//! those that the view determines, [`percept_infoset::own`]). Out: [`Seat`], ready to be written as JSON: the legal
//! moves that the role knows, facts that are certain, and shades for the rest. The true state is not an input, so the
//! seat is the same in every match with the same view.

use std::time::Duration;

use percept_game::{Game, MoveId, Term};
use percept_infoset::own::{self, Disclosure};
use percept_infoset::{Budget, DEFAULT_MEMORY, View};
use schemars::JsonSchema;
use serde::Serialize;

use crate::belief::{Belief, Effort, Knowledge, NoBelief, Worlds, within};
use crate::board::{Board, Layout, Meaning};
use crate::speech::{Phrases, Speech};

/// The most uncertain facts without a board that are listed.
const LISTED: usize = 400;

/// A role's knowledge after some rounds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Seat {
    /// The role of the seat.
    pub role: String,
    /// The number of rounds played.
    pub round: usize,
    /// The role's moves and percepts, round by round.
    pub history: Vec<SeatRound>,
    /// The role's knowledge of whether the match is over.
    pub over: IsOver,
    /// Moves that are certainly legal (which is proved, never only drawn), and those that may be, each with its chance.
    pub legal: Vec<Move>,
    /// The goal it certainly has, once the match is certainly over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goals: Option<Vec<i64>>,
    /// Boards with certain content, and shades for the rest.
    pub boards: Vec<Board>,
    /// The meaning of the signs on the boards.
    pub legend: Vec<Meaning>,
    /// Fluents on no board that certainly hold.
    pub certain: Vec<String>,
    /// Fluents on no board that may hold, the most likely first.
    pub possible: Vec<Belief>,
    /// The number of histories that look the same.
    pub histories: String,
    /// True if the probabilities are exact.
    pub exact: bool,
    /// If the probabilities are not exact: the equivalent number of independent draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effective: Option<f64>,
    /// The words of moves, percepts and fluents to which the rules' comments give some; a percept whose words depend on
    /// its role is named `(sees ROLE PERCEPT)`.
    #[serde(skip_serializing_if = "Phrases::is_empty")]
    pub says: Phrases,
}

/// A role's knowledge of whether the match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum IsOver {
    /// The match is over.
    Yes,
    /// The match goes on.
    No,
    /// Both are possible for the role.
    Unknown,
    /// All draws agree, but there was no proof in time.
    Undecided,
}

/// One round of a match as the role experienced it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SeatRound {
    /// The round, from 1.
    pub round: usize,
    /// The role's own move; absent if its percepts do not determine it, or if that was not decided in time.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub own: Option<String>,
    /// The percepts, in the order in which they were sent if there is one.
    pub percepts: Vec<String>,
}

/// A move the role may make.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Move {
    /// The move.
    #[serde(skip)]
    pub mv: MoveId,
    /// The move as the rules write it.
    pub name: String,
    /// The probability that the move is legal, given that the match goes on; 1 means certain.
    pub chance: f64,
    /// The cells it names.
    pub places: Vec<String>,
}

/// The time limit to determine a role's own moves from its view.
const TELLING: Duration = Duration::from_millis(300);

/// A role's moves and percepts, round by round. Own moves are included if the view determines them within a short time.
pub fn seat_history(game: &Game, view: &View) -> Vec<SeatRound> {
    let disclosures = own::disclosures(game, view, DEFAULT_MEMORY, &within(TELLING));
    let round = |(index, (it, disclosures)): (usize, (&percept_game::view::Round, Disclosure))| SeatRound {
        round: index + 1,
        own: disclosures.made().map(|mv| game.rules.move_name(view.role, mv)),
        percepts: it.percepts.iter().map(|&percept| game.rules.percept_name(view.role, percept)).collect(),
    };
    view.rounds.iter().zip(disclosures).enumerate().map(round).collect()
}

impl Seat {
    /// The seat of a view.
    ///
    /// # Errors
    /// Like [`Worlds::of`].
    pub fn of(game: &Game, layout: &Layout, view: &View, effort: &Effort, budget: &Budget) -> Result<Seat, NoBelief> {
        let worlds = Worlds::of(game, view, effort, budget)?;
        Ok(Seat::in_worlds(game, layout, view, &worlds))
    }

    /// The seat, from the states that the role considers possible.
    pub fn in_worlds(game: &Game, layout: &Layout, view: &View, worlds: &Worlds) -> Seat {
        Seat::shown(game, layout, view, worlds, worlds.beliefs(game))
    }

    /// The seat with certain facts alone: no shades, no possible facts, no numbers of histories, and certain moves only.
    pub fn certain_in_worlds(game: &Game, layout: &Layout, view: &View, worlds: &Worlds) -> Seat {
        let mut certain = worlds.beliefs(game);
        certain.retain(|it| it.probability >= 1.0);
        let mut seat = Seat::shown(game, layout, view, worlds, certain);
        seat.legal.retain(|it| it.chance >= 1.0);
        // Words of what is left out would reveal it.
        seat.says = seat.phrases(&layout.speech);
        Seat { histories: String::new(), exact: false, effective: None, ..seat }
    }

    fn shown(game: &Game, layout: &Layout, view: &View, worlds: &Worlds, beliefs: Vec<Belief>) -> Seat {
        let role = view.role;
        let boards = layout.shades(beliefs.iter().map(|it| (&it.fluent, it.probability)));
        let drawn: rustc_hash::FxHashSet<Term> =
            boards.iter().flat_map(|it| it.cells.iter().flatten()).flat_map(|it| it.fluents.iter().cloned()).collect();
        let (certain, possible): (Vec<Belief>, Vec<Belief>) =
            beliefs.into_iter().filter(|it| !drawn.contains(&it.fluent)).partition(|it| it.probability >= 1.0);
        let over = worlds.terminal(game);
        let legal = match over {
            Knowledge::Certain(true) => Vec::new(),
            _ => worlds.legal(game),
        };
        let legal = legal.into_iter().map(|(mv, chance)| {
            let name = game.rules.move_term(role, mv);
            Move { mv, places: layout.places(&name), name: name.to_string(), chance }
        });
        let mut seat = Seat {
            role: game.roles[role.0 as usize].name.clone(),
            round: view.len(),
            history: seat_history(game, view),
            over: match over {
                Knowledge::Certain(true) => IsOver::Yes,
                Knowledge::Certain(false) => IsOver::No,
                Knowledge::Open => IsOver::Unknown,
                Knowledge::Undecided => IsOver::Undecided,
            },
            legal: legal.collect(),
            goals: match (over, worlds.goals(game)) {
                (Knowledge::Certain(true), Knowledge::Certain(goals)) => Some(goals),
                _ => None,
            },
            legend: layout.legend(&boards),
            boards,
            certain: certain.into_iter().map(|it| it.fluent.to_string()).collect(),
            possible: possible.into_iter().take(LISTED).collect(),
            histories: worlds.histories.clone(),
            exact: worlds.is_exact(),
            effective: worlds.effective,
            says: Phrases::new(),
        };
        seat.says = seat.phrases(&layout.speech);
        seat
    }

    /// The given words of all that the seat shows.
    fn phrases(&self, speech: &Speech) -> Phrases {
        let mut says = Phrases::new();
        speech.say_choices(&mut says, self.legal.iter().map(|it| it.name.as_str()));
        let made = self.history.iter().filter_map(|it| it.own.as_ref());
        speech.say(&mut says, made.chain(&self.certain).map(String::as_str));
        let seen = self.history.iter().flat_map(|it| &it.percepts);
        speech.say_percepts(&mut says, &self.role, seen.map(String::as_str));
        let cells = self.boards.iter().flat_map(|board| board.cells.iter().flatten());
        let fluents = cells.flat_map(|cell| &cell.fluents);
        speech.say_terms(&mut says, fluents.chain(self.possible.iter().map(|it| &it.fluent)));
        says
    }
}
