//! Matches and states as lines of text, for every command that prints them.

use std::fmt::Display;
use std::io::IsTerminal;

use percept_game::stepper::{RoundView, StepView};
use percept_report::board::{Board, Meaning, Picture};
use percept_report::names::listed;

use crate::boards::{self, Marks, Room};

/// How wide a line of printed text may get.
pub(crate) const WIDTH: usize = 110;
/// How wide lines may be on the terminal; `None` where what is printed goes elsewhere.
pub(crate) fn terminal_width() -> Option<usize> {
    let size = std::io::stdout().is_terminal().then(ratatui::crossterm::terminal::size)?;
    size.ok().map(|(columns, _)| usize::from(columns).clamp(20, WIDTH))
}

/// A line of prose, broken where the terminal is too narrow for it. Elsewhere lines stay whole: programs read them.
fn fitted(line: String) -> Vec<String> {
    match terminal_width() {
        Some(width) => broken(&line, width),
        None => vec![line],
    }
}

/// How wide a cell of a board may get, how many boards stand side by side, and how far further lines or columns stand off.
const CELL: usize = 12;
const BESIDE: usize = 3;
const GAP: usize = 4;

/// A state: boards as grids with a legend, the other fluents by functor, numbers last. Lines are at most `width` wide
/// where their parts allow it.
pub(crate) fn state(picture: &Picture, width: usize) -> Vec<String> {
    let mut lines = boards(&picture.boards, &picture.legend, width);
    for group in picture.rest() {
        lines.extend(wrapped(&group.functor, &group.fluents, width));
    }
    let numbers: Vec<String> = picture.numbers.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    lines.extend(in_columns(&numbers, width));
    if lines.is_empty() {
        lines.push("(nothing holds)".to_string());
    }
    lines
}

/// Boards as grids under their titles, side by side as far as they fit, with a legend below.
pub(crate) fn boards(boards: &[Board], legend: &[Meaning], width: usize) -> Vec<String> {
    boards::paint(boards, legend, Room { width, cell: CELL, beside: BESIDE }, &Marks::default()).text()
}

/// Names after a title, broken into lines.
pub(crate) fn wrapped<T: Display>(title: &str, names: &[T], width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = format!("{title}:");
    for name in names.iter().map(T::to_string) {
        if line.chars().count() + 1 + name.chars().count() > width && line.len() > title.len() + 1 {
            lines.push(std::mem::replace(&mut line, "   ".to_string()));
        }
        line.push(' ');
        line.push_str(&name);
    }
    lines.push(line);
    lines
}

/// A line broken at blanks into lines of a width, the further ones indented a step more than the first.
pub(crate) fn broken(line: &str, width: usize) -> Vec<String> {
    if line.chars().count() <= width {
        return vec![line.to_string()];
    }
    let indent = line.len() - line.trim_start().len();
    let mut lines = Vec::new();
    let mut current = " ".repeat(indent);
    for word in line.split_whitespace() {
        let is_empty = current.trim().is_empty();
        if !is_empty && current.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut current, format!("{}{word}", " ".repeat(indent + GAP))));
            continue;
        }
        if !is_empty {
            current.push(' ');
        }
        current.push_str(word);
    }
    lines.push(current);
    lines
}

/// Short texts in as many columns as fit, read downwards.
pub(crate) fn in_columns(texts: &[String], width: usize) -> Vec<String> {
    let widest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0) + GAP;
    let columns = (width.saturating_add(GAP) / widest.max(1)).clamp(1, texts.len().max(1));
    let height = texts.len().div_ceil(columns);
    let row = |row: usize| {
        let cells = texts.iter().skip(row).step_by(height.max(1)).map(|text| format!("{text:<widest$}"));
        cells.collect::<String>().trim_end().to_string()
    };
    (0..height).map(row).collect()
}

/// The lines of one place of a match: the state, the end and the goals, or what is legal.
pub(crate) fn place(view: &StepView, picture: &Picture, most: usize) -> Vec<String> {
    let width = terminal_width().map_or(WIDTH, |width| width - 2);
    let mut lines: Vec<String> = state(picture, width).into_iter().map(|line| format!("  {line}")).collect();
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
    for role in &view.roles {
        if role.legal != ["noop"] {
            lines.extend(fitted(format!("  {} may: {}", role.name, listed(&role.legal, most))));
        }
    }
    lines
}

/// The lines of a round: the moves, and what everybody perceived; where it is known what everybody was told, whether each
/// percept is public or private.
pub(crate) fn round(roles: &[String], round: &RoundView, public: Option<&[String]>, sequential: bool) -> Vec<String> {
    let moves: Vec<String> = roles
        .iter()
        .zip(&round.moves)
        .filter(|(_, mv)| !sequential || *mv != "noop")
        .map(|(role, mv)| format!("{role} {mv}"))
        .collect();
    let mut lines = fitted(format!("round {}: {}", round.round, moves.join(", ")));
    let told = |percept: &String| match public {
        Some(all) if all.contains(percept) => format!("{percept} (public)"),
        Some(_) => format!("{percept} (private)"),
        None => percept.clone(),
    };
    for (role, percepts) in roles.iter().zip(&round.percepts) {
        let percepts: Vec<String> = percepts.iter().map(told).collect();
        lines.extend(fitted(format!("  {role} perceives {}", listed(&percepts, usize::MAX))));
    }
    lines
}
