//! Matches and states as lines of text, for every command that prints them.

use percept_game::stepper::{RoundView, StepView};
use percept_report::board::{Board, Meaning, Picture};
use percept_report::names::listed;
use percept_report::page::boards::{Marks, Room, paint};
use percept_report::page::text;
use percept_report::speech::{Speech, apart, joined};

use crate::wrap::{WIDTH, fitted, in_columns, terminal_width, wrapped};

/// The greatest width of a board's cell, and the most boards side by side.
const CELL: usize = 12;
const BESIDE: usize = 3;

/// A state: boards as grids with a legend, the other fluents by functor, numbers last. Lines are at most `width` wide
/// where their parts allow it.
pub(crate) fn state(picture: &Picture, speech: &Speech, width: usize) -> Vec<String> {
    let mut lines = boards(&picture.boards, &picture.legend, width);
    for group in picture.rest() {
        let fluents = apart(group.fluents.iter().map(|it| speech.shown(it)).collect());
        lines.extend(wrapped(&group.functor, &fluents, width));
    }
    let number = |(name, value): &(String, i64)| format!("{} = {value}", speech.phrase(name));
    let numbers: Vec<String> = picture.numbers.iter().map(number).collect();
    lines.extend(in_columns(&numbers, width));
    if lines.is_empty() {
        lines.push("(nothing holds)".to_string());
    }
    lines
}

/// Boards as grids under their titles, side by side as far as they fit, with a legend below.
pub(crate) fn boards(boards: &[Board], legend: &[Meaning], width: usize) -> Vec<String> {
    let lines = paint(boards, legend, Room { width, cell: CELL, beside: BESIDE }, &Marks::default());
    lines.iter().map(|line| text(line).trim_end().to_string()).collect()
}

/// The lines of one place of a match: the state, and the end with its goals or the legal moves. `moves` are those of
/// each role, in its words.
pub(crate) fn place(
    view: &StepView,
    picture: &Picture,
    speech: &Speech,
    moves: &[Vec<String>],
    most: usize,
) -> Vec<String> {
    let width = terminal_width().map_or(WIDTH, |width| width - 2);
    let mut lines: Vec<String> = state(picture, speech, width).into_iter().map(|line| format!("  {line}")).collect();
    if view.terminal {
        let goals: Vec<String> = view
            .roles
            .iter()
            .filter(|role| !role.chance)
            .map(|role| {
                let values: Vec<String> = role.goals.iter().map(i64::to_string).collect();
                format!(
                    "{} {}",
                    role.name,
                    if values.is_empty() { "no goal".to_string() } else { values.join(" and ") }
                )
            })
            .collect();
        lines.extend(fitted(format!("  the match is over: {}", goals.join(", "))));
        return lines;
    }
    for (role, moves) in view.roles.iter().zip(moves) {
        if role.legal != ["noop"] {
            lines.extend(fitted(format!("  {} may: {}", role.name, listed(moves, most))));
        }
    }
    lines
}

/// The lines of a round: the moves, and the percepts of each role; marked as public or private if that is known.
pub(crate) fn round(
    roles: &[String],
    round: &RoundView,
    speech: &Speech,
    public: Option<&[String]>,
    sequential: bool,
) -> Vec<String> {
    let moves: Vec<String> = roles
        .iter()
        .zip(&round.moves)
        .filter(|(_, mv)| !sequential || *mv != "noop")
        .map(|(role, mv)| format!("{role} {}", speech.phrase(mv)))
        .collect();
    let mut lines = fitted(format!("round {}: {}", round.round, joined(&moves)));
    let percept_text = |role: &str, percept: &String| {
        let words = speech.percept(role, percept);
        match public {
            Some(all) if all.contains(percept) => format!("{words} (public)"),
            Some(_) => format!("{words} (private)"),
            None => words,
        }
    };
    for (role, percepts) in roles.iter().zip(&round.percepts) {
        let percepts: Vec<String> = percepts.iter().map(|it| percept_text(role, it)).collect();
        lines.extend(fitted(format!("  {role} perceives {}", listed(&percepts, usize::MAX))));
    }
    lines
}
