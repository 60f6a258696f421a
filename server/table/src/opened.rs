//! A finished match, opened to all.

use percept_game::stepper::shown;
use percept_game::{Game, JointMove, trace};
use percept_players::{Ended, Fault, Outcome};
use percept_report::board::{Layout, Picture};
use percept_report::names;
use percept_report::speech::{Phrases, Speech};
use serde::Serialize;

/// Everything about a finished match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Opened {
    /// `over`, `stuck`, or `too-long`.
    ended: &'static str,
    /// The roles in the order of the rules, chance included.
    roles: Vec<OpenedRole>,
    rounds: Vec<OpenedRound>,
    /// The moves that the manager made for players.
    faults: Vec<String>,
    /// The match as a file for `percept step`.
    trace: String,
    /// The words of moves and percepts to which the rules' comments give some.
    #[serde(skip_serializing_if = "Phrases::is_empty")]
    says: Phrases,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct OpenedRole {
    name: String,
    chance: bool,
    goal: Option<i64>,
}

/// One round, by role.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct OpenedRound {
    moves: Vec<String>,
    percepts: Vec<Vec<String>>,
}

impl Opened {
    pub(crate) fn ended(&self) -> &'static str {
        self.ended
    }

    pub(crate) fn of(game: &Game, speech: &Speech, outcome: &Outcome) -> Opened {
        let role = |(role, goal): (&percept_game::Role, &Option<i64>)| OpenedRole {
            name: role.name.clone(),
            chance: role.is_chance,
            goal: *goal,
        };
        let rounds = rounds(game, &outcome.moves);
        let mut says = Phrases::new();
        speech.say(&mut says, rounds.iter().flat_map(|it| &it.moves).map(String::as_str));
        for (at, role) in game.roles.iter().enumerate() {
            let seen = rounds.iter().flat_map(|it| &it.percepts[at]);
            speech.say_percepts(&mut says, &role.name, seen.map(String::as_str));
        }
        Opened {
            says,
            ended: match outcome.ended {
                Ended::Over => "over",
                Ended::Stuck => "stuck",
                Ended::TooLong => "too-long",
                Ended::Cancelled => "cancelled",
            },
            roles: game.roles.iter().zip(&outcome.goals).map(role).collect(),
            rounds,
            faults: outcome.faults.iter().map(|it| fault(game, speech, it)).collect(),
            trace: trace::write_trace(game, &outcome.moves),
        }
    }
}

fn rounds(game: &Game, moves: &[JointMove]) -> Vec<OpenedRound> {
    let mut at = game.start();
    let mut rounds = Vec::new();
    for joint in moves {
        let of_role = |role| at.percepts(joint, role).iter().map(|&it| game.rules.percept_name(role, it)).collect();
        let percepts = game.role_ids().map(of_role).collect();
        let moves = game.role_ids().zip(joint).map(|(role, &mv)| game.rules.move_name(role, mv)).collect();
        rounds.push(OpenedRound { moves, percepts });
        at.step(joint);
    }
    rounds
}

fn fault(game: &Game, speech: &Speech, fault: &Fault) -> String {
    let role = &game.roles[usize::from(fault.role.0)].name;
    let name = |mv| names::made_by(game, speech, fault.role, mv);
    let played = fault.played.map(|mv| format!("; {} was played for it", name(mv)));
    format!("Round {}, {role}: {}{}", fault.round, fault.wording(name), played.unwrap_or_default())
}

/// The true state after the first rounds of a match.
pub(crate) fn truth(game: &Game, layout: &Layout, moves: &[JointMove], round: usize) -> Picture {
    let start = game.rules.initial();
    let state = moves.iter().take(round).fold(start, |state, joint| game.rules.next(&state, joint));
    layout.picture(&shown(game, &state))
}
