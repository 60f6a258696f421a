//! The histories that a role cannot tell from the current one, as shown on pages and in panels.

use percept_game::Game;
use percept_game::stepper::shown;
use percept_infoset::{Report, View};
use schemars::JsonSchema;
use serde::Serialize;

use crate::board::{Layout, Picture};
use crate::names;
use crate::speech::Phrases;

/// An information set, or a part of it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Members {
    /// The role of the information set.
    pub role: String,
    /// The number of rounds played.
    pub round: usize,
    /// The method that listed the set.
    pub method: &'static str,
    /// The reason for this method.
    pub why: String,
    /// True if `histories` and `states` are the proved size of the set.
    pub complete: bool,
    /// The number of histories, in decimal.
    pub histories: String,
    /// The number of distinct states in which they end.
    pub states: usize,
    /// The reason why the work ended early.
    pub stopped: Option<String>,
    /// Seconds that the listing took.
    pub seconds: f64,
    /// The listed histories.
    pub members: Vec<Member>,
    /// The words of moves and fluents to which the rules' comments give some.
    #[serde(skip_serializing_if = "Phrases::is_empty")]
    pub says: Phrases,
}

/// One history that the role considers possible.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Member {
    /// For each round, a move of each role in the order of the roles.
    pub moves: Vec<Vec<String>>,
    /// The probability among the listed histories, if chance and the other roles move uniformly.
    pub probability: f64,
    /// The state at the end of the history.
    pub state: Picture,
}

impl Members {
    /// The members found for a view.
    pub fn of(game: &Game, layout: &Layout, view: &View, report: &Report) -> Members {
        let member = |(it, probability): (&percept_infoset::Member, f64)| Member {
            moves: names::history(game, &it.moves),
            probability,
            state: layout.picture(&shown(game, &it.state)),
        };
        let members: Vec<Member> = report.members.iter().zip(report.chances()).map(member).collect();
        let mut says = Phrases::new();
        for it in &members {
            layout.speech.say(&mut says, it.moves.iter().flatten().map(String::as_str));
            it.state.say(&layout.speech, &mut says);
        }
        Members {
            role: names::role(game, view.role).to_owned(),
            round: view.len(),
            method: report.method,
            why: report.why.clone(),
            complete: report.complete,
            histories: report.histories.to_string(),
            states: report.states,
            stopped: report.stopped.map(|stop| stop.to_string()),
            seconds: report.seconds,
            members,
            says,
        }
    }
}
