//! Fluents that look like a board: two arguments are coordinates, the rest is what stands there.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

/// Longest side of a board that is drawn.
const MAX_SIDE: usize = 26;

/// A grid of what holds at each pair of coordinates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Board {
    /// What the grid shows: `cell`, or `tried white` where an argument before the coordinates tells boards apart.
    pub title: String,
    pub columns: Vec<String>,
    pub rows: Vec<String>,
    /// `cells[row][column]`.
    pub cells: Vec<Vec<Cell>>,
}

/// What stands at one place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// Shortened for the grid; empty where nothing holds.
    pub text: String,
    /// The names of the fluents that hold there.
    pub fluents: Vec<String>,
}

/// A fluent taken apart: its name and its arguments as text.
pub(super) struct Parts {
    pub name: String,
    pub args: Vec<String>,
}

/// The boards that the fluents of one functor make, if they look like any: two neighbouring arguments have
/// coordinates (numbers, letters, or words that end in a number) of at least two values each, no two fluents of a
/// board stand at one place, and at least half of a board's places, or as many as its sides, are used.
pub(super) fn boards(functor: &str, fluents: &[Parts]) -> Option<Vec<Board>> {
    let arity = fluents.first()?.args.len();
    if !(2..=4).contains(&arity) || fluents.iter().any(|fluent| fluent.args.len() != arity) {
        return None;
    }
    // The coordinates come after whatever tells boards apart, and before the contents.
    (0..arity - 1).find_map(|first| boards_at(functor, fluents, first))
}

fn boards_at(functor: &str, fluents: &[Parts], first: usize) -> Option<Vec<Board>> {
    let side = |position: usize| {
        let values: BTreeSet<Coordinate> =
            fluents.iter().map(|fluent| Coordinate::of(&fluent.args[position])).collect::<Option<_>>()?;
        ((2..=MAX_SIDE).contains(&values.len()) && Coordinate::alike(&values)).then_some(values)
    };
    let (one, two) = (side(first)?, side(first + 1)?);
    // What comes before two coordinates is no third one.
    if (0..first).any(|position| fluents.iter().all(|fluent| Coordinate::of(&fluent.args[position]).is_some())) {
        return None;
    }
    let mut parts: BTreeMap<String, Vec<&Parts>> = BTreeMap::new();
    for fluent in fluents {
        parts.entry(fluent.args[..first].join(" ")).or_default().push(fluent);
    }
    if parts.len() > 4 {
        return None;
    }
    let columns_first = Coordinate::name_columns(&one, &two);
    let boards: Vec<Board> = parts
        .into_iter()
        .map(|(part, fluents)| {
            let title = if part.is_empty() { functor.to_string() } else { format!("{functor} {part}") };
            board(title, &fluents, first, (&one, &two), columns_first)
        })
        .collect::<Option<_>>()?;
    let places = boards.len() * one.len() * two.len();
    (fluents.len() * 2 >= places || (first > 0 && fluents.len() >= one.len().max(two.len()))).then_some(boards)
}

fn board(
    title: String,
    fluents: &[&Parts],
    first: usize,
    (one, two): (&BTreeSet<Coordinate>, &BTreeSet<Coordinate>),
    columns_first: bool,
) -> Option<Board> {
    let (rows, columns) = if columns_first { (two, one) } else { (one, two) };
    // A board with lettered columns has its first row at the bottom.
    let rows: Vec<&Coordinate> = if columns_first { rows.iter().rev().collect() } else { rows.iter().collect() };
    let columns: Vec<&Coordinate> = columns.iter().collect();
    let mut cells = vec![vec![Cell::default(); columns.len()]; rows.len()];
    for fluent in fluents {
        let (one, two) = (Coordinate::of(&fluent.args[first])?, Coordinate::of(&fluent.args[first + 1])?);
        let (row, column) = if columns_first { (two, one) } else { (one, two) };
        let cell = &mut cells[rows.iter().position(|it| **it == row)?][columns.iter().position(|it| **it == column)?];
        if !cell.fluents.is_empty() {
            return None;
        }
        cell.text = contents(&fluent.args[first + 2..]);
        cell.fluents.push(fluent.name.clone());
    }
    let names = |side: &[&Coordinate]| side.iter().map(|it| it.text.clone()).collect();
    Some(Board { title, columns: names(&columns), rows: names(&rows), cells })
}

fn contents(args: &[String]) -> String {
    match args {
        [] => "*".to_string(),
        [blank] if matches!(blank.as_str(), "b" | "blank" | "empty" | "nil") => ".".to_string(),
        args => args.join(" "),
    }
}

/// A value that orders places: `3`, `c`, or `col03`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Coordinate {
    word: String,
    number: u32,
    text: String,
}

impl Coordinate {
    fn of(text: &str) -> Option<Coordinate> {
        let digits = text.len() - text.trim_start_matches(|c: char| !c.is_ascii_digit()).len();
        let (word, number) = text.split_at(digits);
        let number = match number {
            "" if word.len() == 1 && word.as_bytes()[0].is_ascii_alphabetic() => u32::from(word.as_bytes()[0]),
            number => number.parse().ok()?,
        };
        let word = if digits == text.len() { String::new() } else { word.to_string() };
        Some(Coordinate { word, number, text: text.to_string() })
    }

    fn is_letter(&self) -> bool {
        !self.text.as_bytes()[0].is_ascii_digit() && self.text.len() == 1
    }

    /// Whether values make one side: all letters, or all numbers after the same word.
    fn alike(values: &BTreeSet<Coordinate>) -> bool {
        let Some(first) = values.first() else { return false };
        let alike = |value: &Coordinate| value.word == first.word && value.is_letter() == first.is_letter();
        // Letters that name lines follow each other: `a b c`, not the pieces `b o x`.
        let reach = values.last().map_or(0, |last| last.number - first.number + 1) as usize;
        values.iter().all(alike) && (!first.is_letter() || reach == values.len())
    }

    /// Whether the first coordinate names the column: letters before numbers, or a word such as `col`.
    fn name_columns(one: &BTreeSet<Coordinate>, two: &BTreeSet<Coordinate>) -> bool {
        let (Some(one), Some(two)) = (one.first(), two.first()) else { return false };
        one.word.starts_with("col") || one.word == "x" || (one.is_letter() && !two.is_letter())
    }
}
