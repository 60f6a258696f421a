//! Boards as lines of cells, with or without colours, and the position of each cell in them.

use percept_report::board::{Board, Cell, Meaning, Tone};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use crate::wrap;

/// The style of secondary text.
pub(crate) const DIM: Style = Style::new().add_modifier(Modifier::DIM);

/// The number of blanks between boards.
const GAP: usize = 4;

/// A cell, in lines and columns of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub line: usize,
    pub from: u16,
    pub to: u16,
    pub place: String,
    /// The board, the row and the column.
    pub cell: (usize, usize, usize),
}

/// Lines, and the cells on them.
#[derive(Default)]
pub(crate) struct Painted {
    pub lines: Vec<Line<'static>>,
    pub spots: Vec<Spot>,
}

impl Painted {
    /// The lines without colours and trailing blanks.
    pub(crate) fn text(&self) -> Vec<String> {
        self.lines.iter().map(|line| line.to_string().trim_end().to_string()).collect()
    }
}

/// The marks on boards.
#[derive(Default)]
pub(crate) struct Marks<'a> {
    /// The cell under the cursor.
    pub cursor: Option<(usize, usize, usize)>,
    /// The chosen cells.
    pub chosen: &'a [String],
    /// Cells that may be chosen next.
    pub open: &'a [String],
    /// True if there are colours.
    pub colours: bool,
}

/// Draws boards side by side as far as they fit, with a legend below.
pub(crate) fn paint(boards: &[Board], legend: &[Meaning], room: Room, marks: &Marks<'_>) -> Painted {
    let mut out = Painted::default();
    let mut row: Vec<(usize, Painted)> = Vec::new();
    for (number, board) in boards.iter().enumerate() {
        let (size, wide) = room.cells(board);
        let taken: usize = row.iter().map(|(wide, _)| wide + GAP).sum();
        if !row.is_empty() && (row.len() == room.beside || taken + wide > room.width) {
            beside(&mut out, std::mem::take(&mut row));
        }
        row.push((wide, grid(number, board, size, marks)));
    }
    beside(&mut out, row);
    let words: Vec<String> = legend.iter().map(|it| format!("{} {}", it.sign, it.says)).collect();
    if !words.is_empty() {
        let lines = wrap::broken(&words.join(", "), room.width);
        out.lines.extend(lines.into_iter().map(|line| Line::styled(line, DIM)));
    }
    out
}

/// The space for boards, in characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// The width of all boards side by side.
    pub width: usize,
    /// The width of a cell.
    pub cell: usize,
    /// The most boards side by side.
    pub beside: usize,
}

impl Room {
    /// Room of a width, without other limits.
    pub(crate) fn up_to(width: usize) -> Room {
        Room { width, cell: width, beside: usize::MAX }
    }

    /// The width of the board's cells, and of the board with its title.
    fn cells(&self, board: &Board) -> (usize, usize) {
        let widest = self.width.saturating_sub(margin(board) + 1) / board.columns.len().max(1);
        let size = cell_width(board).min(self.cell).min(widest.saturating_sub(1)).max(1);
        let wide = margin(board) + board.columns.len() * (size + 1);
        (size, wide.max(wrap::columns(&board.title)))
    }
}

fn margin(board: &Board) -> usize {
    board.rows.iter().map(|it| wrap::columns(it)).max().unwrap_or(1)
}

fn cell_width(board: &Board) -> usize {
    let signs = board.cells.iter().flatten().map(|it| wrap::columns(&it.sign));
    signs.chain(board.columns.iter().map(|it| wrap::columns(it))).max().unwrap_or(1)
}

/// Puts boards next to each other.
fn beside(out: &mut Painted, row: Vec<(usize, Painted)>) {
    let height = row.iter().map(|(_, it)| it.lines.len()).max().unwrap_or(0);
    let first = out.lines.len();
    out.lines.resize(first + height, Line::default());
    let mut left = 0usize;
    let last = row.len().saturating_sub(1);
    for (index, (wide, painted)) in row.into_iter().enumerate() {
        let (lines, spots) = (painted.lines, painted.spots);
        for (at, line) in lines.into_iter().enumerate() {
            let target = &mut out.lines[first + at];
            let missing = left.saturating_sub(target.width());
            if missing > 0 {
                target.push_span(Span::raw(" ".repeat(missing)));
            }
            line.spans.into_iter().for_each(|span| target.push_span(span));
        }
        let shift = |spot: Spot| Spot {
            line: spot.line + first,
            from: spot.from + left as u16,
            to: spot.to + left as u16,
            ..spot
        };
        out.spots.extend(spots.into_iter().map(shift));
        left += wide + if index == last { 0 } else { GAP };
    }
}

fn grid(number: usize, board: &Board, size: usize, marks: &Marks<'_>) -> Painted {
    let margin = margin(board);
    let mut out = Painted::default();
    out.lines.push(Line::styled(board.title.clone(), Style::new().add_modifier(Modifier::BOLD)));
    let names: Vec<String> = headings(&board.columns, size).iter().map(|name| wrap::padded(name, size)).collect();
    out.lines.push(Line::styled(format!("{:margin$} {}", "", names.join(" ")).trim_end().to_string(), DIM));
    for (row, (name, cells)) in board.rows.iter().zip(&board.cells).enumerate() {
        let blanks = " ".repeat(margin.saturating_sub(wrap::columns(name)));
        let mut line = Line::from(vec![Span::styled(format!("{blanks}{name} "), DIM)]);
        let mut at = margin as u16 + 1;
        for (index, cell) in cells.iter().enumerate() {
            let sign = if cell.sign.is_empty() { "-" } else { wrap::clipped(&cell.sign, size) };
            let end = at + size as u16;
            let here = (number, row, index);
            out.spots.push(Spot { line: out.lines.len(), from: at, to: end, place: cell.place.clone(), cell: here });
            let under = marks.cursor == Some(here);
            line.push_span(Span::styled(wrap::padded(sign, size), style(cell, under, marks)));
            if index + 1 < cells.len() {
                line.push_span(Span::raw(" "));
            }
            at = end + 1;
        }
        out.lines.push(line);
    }
    out
}

/// The headings of columns in `size` letters: for `c01 c02 ... c16`, the part that distinguishes them.
fn headings(columns: &[String], size: usize) -> Vec<String> {
    if columns.iter().all(|name| name.chars().count() <= size) {
        return columns.to_vec();
    }
    let first: Vec<char> = columns.first().map(|name| name.chars().collect()).unwrap_or_default();
    let same = |name: &String| name.chars().zip(&first).take_while(|(one, other)| one == *other).count();
    // Each keeps at least one letter.
    let least = columns.iter().map(|name| name.chars().count().saturating_sub(1)).min().unwrap_or(0);
    let common = columns.iter().map(same).min().unwrap_or(0).min(least);
    let short = |name: &String| {
        let rest = name.chars().count() - common;
        name.chars().skip(common + rest.saturating_sub(size)).collect()
    };
    columns.iter().map(short).collect()
}

fn style(cell: &Cell, is_under_cursor: bool, marks: &Marks<'_>) -> Style {
    let mut style = Style::new();
    if cell.sign.is_empty() {
        style = style.add_modifier(Modifier::DIM);
    }
    if marks.colours {
        if let Some(share) = cell.share {
            // From the terminal's dark greys to its light ones.
            let grey = 234 + (share * 18.0).round() as u8;
            style = style.bg(Color::Indexed(grey)).fg(if grey > 243 { Color::Black } else { Color::White });
        }
        style = cell.tone.map_or(style, |tone| style.fg(colour(tone)));
    }
    if marks.open.contains(&cell.place) {
        style = style.add_modifier(Modifier::UNDERLINED);
    }
    if marks.chosen.contains(&cell.place) {
        style = style.add_modifier(Modifier::BOLD | Modifier::REVERSED);
    }
    if is_under_cursor {
        style = style.add_modifier(Modifier::REVERSED);
    }
    style
}

/// Colours that are readable on dark and light backgrounds; black and white pieces differ by their signs.
fn colour(tone: Tone) -> Color {
    match tone {
        Tone::White | Tone::Black => Color::Reset,
        Tone::Yellow => Color::Yellow,
        Tone::Red => Color::Red,
        Tone::Green => Color::Green,
        Tone::Blue => Color::Blue,
    }
}
