//! Names of roles, moves, histories and fluents, as shown on all pages and in all messages.

use std::fmt::Display;

use percept_game::{Game, JointMove, MoveId, RoleId, State, Term, trace};

use crate::speech::{Speech, joined, row};

/// The name of a role.
pub fn role(game: &Game, role: RoleId) -> &str {
    &game.roles[role.0 as usize].name
}

/// The names of the roles that are not chance.
pub fn players(game: &Game) -> Vec<&str> {
    game.roles.iter().filter(|role| !role.is_chance).map(|role| role.name.as_str()).collect()
}

/// The moves of a round: one of each role, in the order of the roles.
pub fn joint(game: &Game, joint: &JointMove) -> Vec<String> {
    game.role_ids().zip(joint).map(|(role, &mv)| game.rules.move_name(role, mv)).collect()
}

/// The moves of a history, round by round.
pub fn history(game: &Game, rounds: &[JointMove]) -> Vec<Vec<String>> {
    rounds.iter().map(|round| joint(game, round)).collect()
}

/// A joint move as a line: `white (mark 1 1), black (mark 2 3)`; only the move itself if one role moves at a time.
pub fn line(game: &Game, speech: &Speech, joint: &JointMove) -> String {
    let moves = game.role_ids().zip(joint).filter(|(_, mv)| !game.is_sequential || **mv != MoveId::NOOP);
    let named = |(id, &mv): (RoleId, &MoveId)| format!("{} {}", role(game, id), made_by(game, speech, id, mv));
    let moves: Vec<String> = moves.map(named).collect();
    joined(&moves)
}

/// The rounds of a match as lines for people: in given words, if there are some, else as in a trace.
pub fn rounds(game: &Game, speech: &Speech, rounds: &[JointMove]) -> Vec<String> {
    if !speech.is_empty() {
        return rounds.iter().map(|joint| line(game, speech, joint)).collect();
    }
    let written = trace::write_trace(game, rounds);
    written.lines().filter(|line| !line.starts_with(';')).map(str::to_owned).collect()
}

/// A move that a role made, in given words or as the rules write it.
pub fn made_by(game: &Game, speech: &Speech, role: RoleId, mv: MoveId) -> String {
    speech.shown(&game.rules.move_term(role, mv))
}

/// The fluents of a state.
pub fn fluents(game: &Game, state: &State) -> Vec<Term> {
    state.fluents().map(|fluent| game.rules.fluent_term(fluent)).collect()
}

/// The moves of a round, each after its role, in the form that explanations need.
pub fn made(game: &Game, joint: &JointMove) -> Vec<(String, Term)> {
    let named = |(id, &mv): (RoleId, &MoveId)| (role(game, id).to_string(), game.rules.move_term(id, mv));
    game.role_ids().zip(joint).map(named).collect()
}

/// A role's percepts of one round as a line; `nothing` if there are none.
pub fn percepts(game: &Game, speech: &Speech, role: RoleId, percepts: &[percept_game::PerceptId]) -> String {
    let words =
        |&it: &percept_game::PerceptId| speech.percept(self::role(game, role), &game.rules.percept_name(role, it));
    let names: Vec<String> = percepts.iter().map(words).collect();
    if names.is_empty() { "nothing".to_string() } else { row(&names) }
}

/// A list that stays readable if it is long; `nothing` if it is empty.
pub fn listed<T: Display>(names: &[T], most: usize) -> String {
    if names.is_empty() {
        return "nothing".to_string();
    }
    let shown: Vec<String> = names.iter().take(most).map(T::to_string).collect();
    let rest = names.len() - shown.len();
    let row = joined(&shown);
    if rest == 0 { row } else { format!("{row} and {rest} more") }
}
