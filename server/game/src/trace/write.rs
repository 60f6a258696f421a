//! Traces as text.

use super::View;
use crate::{Game, JointMove, MoveId};

/// One round per line, with a move per role in the order of the roles, which are named in a comment above.
pub fn write_rounds(game: &Game, rounds: &[JointMove]) -> String {
    let names: Vec<&str> = game.roles.iter().map(|role| role.name.as_str()).collect();
    let mut out = format!("; {}\n", names.join(", "));
    for joint in rounds {
        let moves: Vec<String> = game.role_ids().zip(joint).map(|(role, &mv)| game.rules.move_name(role, mv)).collect();
        out.push_str(&format!("({})\n", moves.join(" ")));
    }
    out
}

/// One action per line: that of the role with the turn. Only for games in which one role moves at a time.
pub fn write_plan(game: &Game, rounds: &[JointMove]) -> String {
    let mut out = String::new();
    for joint in rounds {
        for (role, &mv) in game.role_ids().zip(joint) {
            if mv != MoveId::NOOP {
                out.push_str(&game.rules.move_name(role, mv));
                out.push('\n');
            }
        }
    }
    out
}

/// A match record in JSON, as written by ggp-base, with the roles' names: `moves` has a list of moves for each round.
#[cfg(feature = "json")]
pub fn write_match(game: &Game, rounds: &[JointMove]) -> String {
    let name = |(role, &mv)| game.rules.move_name(role, mv);
    let moves: Vec<Vec<String>> = rounds.iter().map(|joint| game.role_ids().zip(joint).map(name).collect()).collect();
    let roles: Vec<&str> = game.roles.iter().map(|role| role.name.as_str()).collect();
    let record = serde_json::json!({ "gameRoleNames": roles, "moves": moves });
    format!("{record:#}\n")
}

/// The form that fits the game: a plan if one role moves at a time, else rounds.
pub fn write_trace(game: &Game, rounds: &[JointMove]) -> String {
    if game.is_sequential { write_plan(game, rounds) } else { write_rounds(game, rounds) }
}

/// The form for a file's name: a match record if it ends in `.json`, else the one that fits the game.
#[cfg(feature = "json")]
pub fn write_for(game: &Game, rounds: &[JointMove], file: &std::path::Path) -> String {
    match file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        true => write_match(game, rounds),
        false => write_trace(game, rounds),
    }
}

/// The messages to a role, with `id` as the match's name.
pub fn write_view(game: &Game, view: &View, id: &str) -> String {
    let mut out = format!("(start {id} {})\n(play {id} 0 nil nil)\n", game.roles[view.role.0 as usize].name);
    for (index, seen) in view.rounds.iter().enumerate() {
        let own = seen.own.map_or("nil".to_string(), |mv| game.rules.move_name(view.role, mv));
        let percepts: Vec<String> =
            seen.percepts.iter().map(|&percept| game.rules.percept_name(view.role, percept)).collect();
        let percepts = if percepts.is_empty() { "nil".to_string() } else { format!("({})", percepts.join(" ")) };
        out.push_str(&format!("(play {id} {} {own} {percepts})\n", index + 1));
    }
    out
}
