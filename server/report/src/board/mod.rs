//! Boards: fluents with places as grids for the terminal, the editors and HTML.
//!
//! In: a game, its texts, and a state (or the probabilities of fluents). Out: [`Picture`], grids of cells with signs,
//! ready to be written as JSON. The layout of a board is determined once for a game ([`Layout::new`]): its columns and
//! rows are the values that arguments can have in any state, so empty lines stay. Comments in the text supply the rest.
//! This module does not depend on windows and colours.

mod coordinate;
mod deal;
mod glyphs;
mod hints;
mod infer;
mod survey;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use percept_game::stepper::{Group, Shown};
use percept_game::{Game, Term};
use percept_syntax::Source;
use schemars::JsonSchema;
use serde::Serialize;

use crate::speech::{Phrases, Speech};

pub use glyphs::Tone;
use glyphs::{EMPTY, Glyph, MARKS};
use hints::Drawing;
use infer::{Place, Plan, Surface};

/// A grid of the content of each cell, or hands of cards or dice: a row for each owner, a column for each value.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Board {
    /// The title of the grid: `cell`, or `tried white` if there are several.
    pub title: String,
    /// The way to draw it.
    pub style: Style,
    /// The names of the columns, from left to right.
    pub columns: Vec<String>,
    /// The names of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// The cells, as `cells[row][column]`.
    pub cells: Vec<Vec<Cell>>,
}

/// The way to draw a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Rows and columns.
    #[default]
    Grid,
    /// Each row is a hand of cards; empty cells are not drawn.
    Cards,
    /// Each row is some dice; empty cells are not drawn.
    Dice,
}

/// The content of one cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Cell {
    /// The name of the cell in moves: `column row`.
    pub place: String,
    /// The sign to draw; empty if the cell is empty.
    pub sign: String,
    /// The colour of the sign, if its name implies one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tone: Option<Tone>,
    /// The names of the fluents that hold there (or may hold).
    pub fluents: Vec<Term>,
    /// The probability that the cell is not empty, if that is not certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// The possible pieces with their probabilities, the most likely first; empty if the content is certain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub odds: Vec<Odds>,
}

/// A possible content of a cell.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Odds {
    /// The piece, or the fluent's name if it has no piece.
    pub says: String,
    /// The probability, from 0 to 1.
    pub probability: f64,
}

/// The meaning of a sign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Meaning {
    /// The sign as on the board.
    pub sign: String,
    /// The colour of the sign, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tone: Option<Tone>,
    /// The piece's own name.
    pub says: String,
}

/// A readable state: boards, the fluents on no board, numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Picture {
    /// In the order of hints, then of names.
    pub boards: Vec<Board>,
    /// The signs on the boards that are not the piece's own name.
    pub legend: Vec<Meaning>,
    /// All fluents by functor, those on boards included.
    pub groups: Vec<Group>,
    /// Numeric fluents and their values.
    pub numbers: Vec<(String, i64)>,
}

impl Picture {
    /// Adds the given words of its fluents and numbers.
    pub fn say(&self, speech: &Speech, says: &mut Phrases) {
        let fluents = self.groups.iter().flat_map(|group| &group.fluents);
        speech.say_terms(says, fluents);
        speech.say(says, self.numbers.iter().map(|(name, _)| name.as_str()));
    }

    /// The groups without the fluents that are on boards.
    pub fn rest(&self) -> Vec<Group> {
        let cells = self.boards.iter().flat_map(|board| board.cells.iter().flatten());
        let drawn: rustc_hash::FxHashSet<&Term> = cells.flat_map(|cell| &cell.fluents).collect();
        let left = |group: &Group| {
            let fluents: Vec<Term> = group.fluents.iter().filter(|it| !drawn.contains(it)).cloned().collect();
            (!fluents.is_empty()).then(|| Group { functor: group.functor.clone(), fluents })
        };
        self.groups.iter().filter_map(left).collect()
    }
}

/// The layout of a game's boards.
#[derive(Clone, Debug)]
pub struct Layout {
    surfaces: Vec<SignedSurface>,
    /// The words of the game's terms, for all that is shown beside the boards.
    pub speech: Speech,
}

/// A surface with the signs of its pieces.
#[derive(Clone, Debug)]
struct SignedSurface {
    surface: Surface,
    style: Style,
    signs: BTreeMap<String, Glyph>,
    /// The mark for a cell that is taken.
    mark: &'static str,
}

/// A piece or a mark on a cell, with its fluent and its probability.
struct Standing<'a> {
    piece: Option<String>,
    name: &'a Term,
    plan: usize,
    probability: f64,
}

impl Layout {
    /// The boards of a game, from the possible values of its fluents and a few random matches, always the same ones;
    /// `sources` are its texts.
    pub fn new(game: &Game, sources: &[&Source]) -> Layout {
        let hints = hints::hints(sources);
        let survey = survey::Survey::new(game, sources);
        let drawings = hints::drawings(sources);
        let deals = deal::deals(&survey, &hints, &drawings);
        let grids = infer::surfaces(&survey, &hints, &deals.keys().cloned().collect());
        let grids = grids.into_iter().map(|surface| (surface, Style::Grid));
        let surfaces: Vec<(Surface, Style)> = grids.chain(deals.into_values()).collect();
        let signs = |(surface, style): &(Surface, Style)| {
            let mut signs = match style {
                Style::Grid => glyphs::glyphs(&surface.pieces),
                style => deal::signs(*style, &surface.pieces),
            };
            for (piece, drawing) in &drawings {
                if let (Some(old), Drawing::Sign(glyph)) = (signs.get_mut(piece), drawing) {
                    *old = glyph.clone();
                }
            }
            signs
        };
        let signs: Vec<BTreeMap<String, Glyph>> = surfaces.iter().map(signs).collect();
        // No mark looks like a piece of any board.
        let is_piece = |mark: &str| signs.iter().flatten().any(|(_, glyph)| glyph.sign == mark);
        let mark = |surface: &Surface| {
            let alone = MARKS.iter().filter(|mark| surface.plans.len() == 1 || **mark != MARKS[0]);
            alone.copied().find(|mark| !is_piece(mark)).unwrap_or(MARKS[1])
        };
        let marks: Vec<&str> = surfaces.iter().map(|(surface, _)| mark(surface)).collect();
        let drawn = surfaces.into_iter().zip(signs).zip(marks);
        let signed = drawn.map(|(((surface, style), signs), mark)| SignedSurface { surface, style, signs, mark });
        Layout { surfaces: signed.collect(), speech: Speech::of(sources) }
    }

    /// The boards of a state.
    pub fn picture(&self, shown: &Shown) -> Picture {
        let fluents = shown.groups.iter().flat_map(|group| &group.fluents);
        let boards = self.boards(fluents.map(|name| (name, 1.0)));
        Picture { legend: self.legend(&boards), boards, groups: shown.groups.clone(), numbers: shown.numbers.clone() }
    }

    /// The boards with the probability of each fluent; certain content is drawn as in a known state.
    pub fn shades<'a>(&self, fluents: impl Iterator<Item = (&'a Term, f64)>) -> Vec<Board> {
        self.boards(fluents)
    }

    fn boards<'a>(&self, fluents: impl Iterator<Item = (&'a Term, f64)>) -> Vec<Board> {
        let mut standing: BTreeMap<(usize, usize, String, String), Vec<Standing<'a>>> = BTreeMap::new();
        for (name, probability) in fluents {
            let args = words(name);
            for (index, drawn) in self.surfaces.iter().enumerate() {
                let plans = drawn.surface.plans.iter().enumerate();
                for (at, plan) in plans.filter(|(_, plan)| plan.functor == name.head() && plan.arity == args.len()) {
                    let Some((column, row)) = plan.place.of(&args) else { continue };
                    let Some(board) = drawn.surface.board_of(plan, &args) else { continue };
                    let it = Standing { piece: infer::piece(plan, &args), name, plan: at, probability };
                    standing.entry((index, board, column, row)).or_default().push(it);
                }
            }
        }
        let mut boards = Vec::new();
        for (index, drawn) in self.surfaces.iter().enumerate() {
            for (number, which) in drawn.surface.boards.iter().enumerate() {
                let cell = |column: &String, row: &String| {
                    let there = standing.get(&(index, number, column.clone(), row.clone()));
                    drawn.cell(format!("{column} {row}"), there.map_or(&[], Vec::as_slice))
                };
                let line = |row: &String| drawn.surface.columns.iter().map(|column| cell(column, row)).collect();
                boards.push(Board {
                    title: drawn.surface.title(which),
                    style: drawn.style,
                    columns: drawn.surface.columns.clone(),
                    rows: drawn.surface.rows.clone(),
                    cells: drawn.surface.rows.iter().map(line).collect(),
                });
            }
        }
        boards
    }

    /// The signs on these boards that differ from the piece's own name.
    pub fn legend(&self, boards: &[Board]) -> Vec<Meaning> {
        let mut legend: Vec<Meaning> = Vec::new();
        let on_boards =
            |sign: &str| boards.iter().flat_map(|it| it.cells.iter().flatten()).any(|it| it.sign.contains(sign));
        // Cards and dice are known by their looks.
        for drawn in self.surfaces.iter().filter(|drawn| drawn.style == Style::Grid) {
            for (piece, glyph) in drawn.signs.iter().filter(|(piece, glyph)| glyph.sign != **piece) {
                let meaning = Meaning { sign: glyph.sign.clone(), tone: glyph.tone, says: piece.clone() };
                if on_boards(&glyph.sign) && !legend.contains(&meaning) {
                    legend.push(meaning);
                }
            }
            for plan in drawn.surface.plans.iter().filter(|plan| plan.pieces.is_empty()) {
                let sign = drawn.mark;
                let meaning = Meaning { sign: sign.to_string(), tone: None, says: plan.functor.clone() };
                if drawn.surface.plans.len() > 1 && on_boards(sign) && !legend.contains(&meaning) {
                    legend.push(meaning);
                }
            }
        }
        legend
    }

    /// The places that a move names, in its order: cells (`3 4`) or whole lines (`3 *`, `* 4`).
    pub fn places(&self, mv: &Term) -> Vec<String> {
        let words = mv.words();
        let args = words.get(1..).unwrap_or_default();
        for drawn in &self.surfaces {
            let found = drawn.surface.cells_in(args);
            if !found.is_empty() {
                return found;
            }
        }
        let lines = self.surfaces.iter().map(|drawn| drawn.surface.lines_in(args));
        lines.into_iter().find(|lines| !lines.is_empty()).unwrap_or_default()
    }

    /// True if the layout has no board.
    pub fn is_empty(&self) -> bool {
        self.surfaces.is_empty()
    }
}

/// The arguments of a name.
fn words(name: &Term) -> Vec<String> {
    name.args().iter().map(Term::to_string).collect()
}

/// True if a place that a move names (see [`Layout::places`]) is this cell.
pub fn names(place: &str, cell: &str) -> bool {
    match (place.strip_suffix('*'), place.strip_prefix('*')) {
        (Some(column), _) => cell.starts_with(column),
        (_, Some(row)) => cell.ends_with(row),
        _ => place == cell,
    }
}

impl Surface {
    fn title(&self, which: &str) -> String {
        let functors: Vec<&str> = self.plans.iter().map(|plan| plan.functor.as_str()).collect();
        match which {
            "" => functors.join(", "),
            which => format!("{} {which}", functors[0]),
        }
    }

    fn board_of(&self, plan: &Plan, args: &[String]) -> Option<usize> {
        let Some(which) = plan.which else { return Some(0) };
        let number = self.boards.iter().position(|board| *board == args[which])?;
        Some(if plan.against && self.boards.len() == 2 { 1 - number } else { number })
    }

    /// The cells that the arguments name.
    fn cells_in(&self, args: &[&str]) -> Vec<String> {
        let is_cell = |column: &str, row: &str| {
            self.columns.iter().any(|it| it == column) && self.rows.iter().any(|it| it == row)
        };
        let mut found = Vec::new();
        let mut at = 0;
        while at < args.len() {
            let (taken, place) = match self.plans[0].place {
                Place::One { .. } => {
                    let word = [args[at].to_string()];
                    let here = Place::of(
                        match self.plans[0].place {
                            Place::One { columns_first, .. } => Place::One { at: 0, columns_first },
                            two => two,
                        },
                        &word,
                    );
                    (1, here)
                }
                Place::Line { .. } => (1, Some((args[at].to_string(), String::new()))),
                Place::Two { column, row } => {
                    let here = args.get(at + 1).map(|next| {
                        let (one, other) = (args[at].to_string(), next.to_string());
                        if column < row { (one, other) } else { (other, one) }
                    });
                    (2, here)
                }
            };
            match place.filter(|(column, row)| is_cell(column, row)) {
                Some((column, row)) => {
                    found.push(format!("{column} {row}"));
                    at += taken;
                }
                None => at += 1,
            }
        }
        found
    }

    /// The column, or else the row, that the arguments name.
    fn lines_in(&self, args: &[&str]) -> Vec<String> {
        let column = args.iter().find(|arg| self.columns.iter().any(|it| it == **arg));
        let row = || args.iter().find(|arg| self.rows.iter().any(|it| it == **arg));
        let column = column.map(|it| format!("{it} *"));
        column.or_else(|| row().map(|it| format!("* {it}"))).into_iter().collect()
    }
}

impl SignedSurface {
    fn cell(&self, place: String, standing: &[Standing<'_>]) -> Cell {
        let mut cell = Cell { place, ..Cell::default() };
        cell.fluents = standing.iter().map(|it| it.name.clone()).collect();
        let certain: Vec<&Standing<'_>> = standing.iter().filter(|it| it.probability >= 1.0).collect();
        for it in &certain {
            let glyph = it.piece.as_ref().and_then(|piece| self.signs.get(piece));
            cell.tone = cell.tone.or(glyph.and_then(|glyph| glyph.tone));
            let sign = glyph.map_or(self.mark, |glyph| glyph.sign.as_str());
            // A sign for an empty cell gives way to anything else.
            if cell.sign == EMPTY {
                cell.sign.clear();
            }
            if sign != EMPTY || cell.sign.is_empty() {
                cell.sign.push_str(sign);
            }
        }
        if certain.len() == standing.len() {
            return cell;
        }
        let is_thing = |it: &&Standing<'_>| it.piece.as_ref().is_none_or(|piece| !glyphs::is_empty(piece));
        // Pieces of one functor exclude each other; among several functors the likeliest counts.
        let mut by_plan: BTreeMap<usize, f64> = BTreeMap::new();
        for it in standing.iter().filter(is_thing) {
            *by_plan.entry(it.plan).or_default() += it.probability;
        }
        let share = by_plan.values().copied().fold(0.0, f64::max).min(1.0);
        cell.share = Some(share);
        let open = standing.iter().filter(|it| it.probability < 1.0);
        let says = |it: &Standing<'_>| it.piece.clone().unwrap_or_else(|| self.surface.plans[it.plan].functor.clone());
        cell.odds = open.map(|it| Odds { says: says(it), probability: it.probability }).collect();
        cell.odds.sort_by(|one, other| other.probability.total_cmp(&one.probability));
        if certain.is_empty() {
            // Certainly something, but not known what.
            let percent = (share * 100.0).clamp(if share > 0.0 { 1.0 } else { 0.0 }, 99.0);
            cell.sign = if share >= 1.0 { "?".to_owned() } else { format!("{percent:.0}") };
        }
        cell
    }
}
