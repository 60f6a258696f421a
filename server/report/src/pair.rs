//! Two histories side by side: the boards after every round, with the differences marked.

use percept_game::stepper::shown;
use percept_game::{Game, JointMove, RoleId, State};
use schemars::JsonSchema;
use serde::Serialize;

use crate::board::{Layout, Meaning, Picture};
use crate::names;
use crate::seat::SeatRound;
use crate::speech::{Phrases, Speech};

/// Two histories of the same length that look the same to a role.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Frames {
    /// The state before the first round, then the one after each round.
    pub frames: Vec<Frame>,
    /// The meaning of the signs.
    pub legend: Vec<Meaning>,
    /// The words of moves, percepts and fluents to which the rules' comments give some; a percept whose words depend on
    /// its role is named `(sees ROLE PERCEPT)`.
    #[serde(skip_serializing_if = "Phrases::is_empty")]
    pub says: Phrases,
}

/// Both histories after the same number of rounds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Frame {
    /// The number of rounds played.
    pub round: usize,
    /// The first history.
    pub first: Side,
    /// The second history.
    pub second: Side,
    /// The cells that differ: board, row and column of each.
    pub differs: Vec<[usize; 3]>,
    /// The role's move and percepts of this round, the same in both; absent before the first round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told: Option<SeatRound>,
}

/// One of the histories after some rounds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Side {
    /// The moves of the round that led here, one for each role; none before the first.
    pub moves: Vec<String>,
    /// The boards.
    pub boards: Vec<crate::board::Board>,
    /// Fluents on no board that hold here and not in the other history.
    pub only: Vec<String>,
    /// True if the match is over.
    pub terminal: bool,
}

/// The frames of two histories, round by round, as long as both are possible.
pub fn frames(game: &Game, layout: &Layout, role: RoleId, first: &[JointMove], second: &[JointMove]) -> Frames {
    let rules = &game.rules;
    let (mut one, mut other) = (rules.initial(), rules.initial());
    let mut all = vec![frame(game, layout, [&one, &other], [&[], &[]], None)];
    for (round, (left, right)) in first.iter().zip(second).enumerate() {
        let own = left[role.0 as usize];
        let percepts = rules.percepts(&one, left, role);
        let shared = SeatRound {
            round: round + 1,
            // If the rules do not reveal even its own move to the role, the two moves may differ.
            own: (own == right[role.0 as usize]).then(|| rules.move_name(role, own)),
            percepts: percepts.iter().map(|&percept| rules.percept_name(role, percept)).collect(),
        };
        (one, other) = (rules.next(&one, left), rules.next(&other, right));
        all.push(Frame { round: round + 1, ..frame(game, layout, [&one, &other], [left, right], Some(shared)) });
    }
    let boards: Vec<_> = all.iter().flat_map(|it| it.first.boards.iter().chain(&it.second.boards)).cloned().collect();
    Frames { legend: layout.legend(&boards), says: phrases(&layout.speech, names::role(game, role), &all), frames: all }
}

fn phrases(speech: &Speech, role: &str, frames: &[Frame]) -> Phrases {
    let mut says = Phrases::new();
    for it in frames {
        let sides = [&it.first, &it.second].into_iter().flat_map(|side| side.moves.iter().chain(&side.only));
        let own = it.told.iter().filter_map(|round| round.own.as_ref());
        speech.say(&mut says, sides.chain(own).map(String::as_str));
        let seen = it.told.iter().flat_map(|round| &round.percepts);
        speech.say_percepts(&mut says, role, seen.map(String::as_str));
    }
    says
}

fn frame(
    game: &Game,
    layout: &Layout,
    states: [&State; 2],
    joints: [&[percept_game::MoveId]; 2],
    shared: Option<SeatRound>,
) -> Frame {
    let pictures = states.map(|state| layout.picture(&shown(game, state)));
    let facts = |picture: &Picture| -> Vec<String> {
        let numbers = picture.numbers.iter().map(|(name, value)| format!("{name} = {value}"));
        picture.rest().into_iter().flat_map(|group| group.fluents).map(|it| it.to_string()).chain(numbers).collect()
    };
    let rest = [facts(&pictures[0]), facts(&pictures[1])];
    let mut differs = Vec::new();
    for (board, (left, right)) in pictures[0].boards.iter().zip(&pictures[1].boards).enumerate() {
        for (row, (left, right)) in left.cells.iter().zip(&right.cells).enumerate() {
            let cells = left.iter().zip(right).enumerate().filter(|(_, (left, right))| left.fluents != right.fluents);
            differs.extend(cells.map(|(column, _)| [board, row, column]));
        }
    }
    let side = |at: usize| Side {
        moves: game.role_ids().zip(joints[at]).map(|(role, &mv)| game.rules.move_name(role, mv)).collect(),
        boards: pictures[at].boards.clone(),
        only: rest[at].iter().filter(|it| !rest[1 - at].contains(it)).cloned().collect(),
        terminal: game.rules.terminal(states[at]),
    };
    Frame { round: 0, first: side(0), second: side(1), differs, told: shared }
}

/// The history with these moves, one list of names for each round, as far as the game has them.
pub fn history(game: &Game, names: &[Vec<String>]) -> Vec<JointMove> {
    let joint = |moves: &Vec<String>| -> Option<JointMove> {
        game.role_ids().zip(moves).map(|(role, name)| game.rules.find_move(role, name)).collect()
    };
    let mut at = game.start();
    let mut played = Vec::new();
    for joint in names.iter().map_while(joint) {
        let state = at.state().clone();
        let is_legal = |(role, mv): (RoleId, &percept_game::MoveId)| game.rules.legal(&state, role).contains(mv);
        if joint.len() != game.roles.len() || at.is_terminal() || !game.role_ids().zip(&joint).all(is_legal) {
            break;
        }
        at.step(&joint);
        played.push(joint);
    }
    played
}
