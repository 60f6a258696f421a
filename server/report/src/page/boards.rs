//! Boards as lines of cells, side by side.

use super::{Command, Mark, Piece, Spot, width};
use crate::board::{Board, Cell, Meaning, Style};
use crate::wrap;

/// The number of blanks between boards.
const GAP: usize = 4;

/// The marks on boards.
#[derive(Clone, Copy, Debug, Default)]
pub struct Marks<'a> {
    /// The cell under the cursor: board, row and column.
    pub cursor: Option<(usize, usize, usize)>,
    /// The chosen cells.
    pub chosen: &'a [String],
    /// Cells that may be chosen next.
    pub open: &'a [String],
    /// Cells in brackets, because another board differs there.
    pub differs: Option<&'a [[usize; 3]]>,
    /// True if cells have no action.
    pub still: bool,
}

/// Draws boards side by side as far as they fit, with a legend below.
pub fn paint(boards: &[Board], legend: &[Meaning], room: Room, marks: &Marks<'_>) -> Vec<Vec<Piece>> {
    let mut out = Vec::new();
    let mut row: Vec<(usize, Vec<Vec<Piece>>)> = Vec::new();
    // Hands without a card are not drawn.
    let is_shown =
        |board: &Board| board.style == Style::Grid || board.cells.iter().flatten().any(|it| !it.fluents.is_empty());
    for (number, board) in boards.iter().enumerate().filter(|(_, board)| is_shown(board)) {
        let (size, wide) = room.cells(board, marks);
        let taken: usize = row.iter().map(|(wide, _)| wide + GAP).sum();
        if !row.is_empty() && (row.len() == room.beside || taken + wide > room.width) {
            beside(&mut out, std::mem::take(&mut row), GAP);
        }
        let block = match board.style {
            Style::Grid => grid(number, board, size, marks),
            _ => hands(number, board, marks),
        };
        let wide =
            if board.style == Style::Grid { wide } else { block.iter().map(|line| width(line)).max().unwrap_or(0) };
        row.push((wide, block));
    }
    beside(&mut out, row, GAP);
    let words: Vec<String> = legend.iter().map(|it| format!("{} {}", it.sign, it.says)).collect();
    if !words.is_empty() {
        let lines = wrap::broken(&words.join(", "), room.width);
        out.extend(lines.into_iter().map(|line| vec![Piece::marked(line, Mark::Quiet)]));
    }
    out
}

/// The space for boards, in characters.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// The width of all boards side by side.
    pub width: usize,
    /// The width of a cell.
    pub cell: usize,
    /// The most boards side by side.
    pub beside: usize,
}

impl Room {
    /// Room of a width, without other limits.
    pub fn up_to(width: usize) -> Room {
        Room { width, cell: width, beside: usize::MAX }
    }

    /// The width of the board's cells, and of the board with its title.
    fn cells(&self, board: &Board, marks: &Marks<'_>) -> (usize, usize) {
        let widest = self.width.saturating_sub(margin(board) + 1) / board.columns.len().max(1);
        let brackets = if marks.differs.is_some() { 2 } else { 0 };
        let size = (cell_width(board) + brackets).min(self.cell).min(widest.saturating_sub(1)).max(1);
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

/// Puts blocks of lines next to each other, each with its width.
pub fn beside(out: &mut Vec<Vec<Piece>>, row: Vec<(usize, Vec<Vec<Piece>>)>, gap: usize) {
    let height = row.iter().map(|(_, lines)| lines.len()).max().unwrap_or(0);
    let first = out.len();
    out.resize(first + height, Vec::new());
    let mut left = 0;
    for (wide, lines) in row {
        for (target, line) in out[first..].iter_mut().zip(lines) {
            let missing = left - width(target).min(left);
            if missing > 0 {
                target.push(Piece::new(" ".repeat(missing)));
            }
            target.extend(line);
        }
        left += wide + gap;
    }
}

fn grid(number: usize, board: &Board, size: usize, marks: &Marks<'_>) -> Vec<Vec<Piece>> {
    let margin = margin(board);
    let names: Vec<String> = headings(&board.columns, size).iter().map(|name| wrap::padded(name, size)).collect();
    let names = format!("{:margin$} {}", "", names.join(" ")).trim_end().to_string();
    let mut out = vec![vec![Piece::marked(&board.title, Mark::Title)], vec![Piece::marked(names, Mark::Quiet)]];
    for (row, (name, cells)) in board.rows.iter().zip(&board.cells).enumerate() {
        let blanks = " ".repeat(margin.saturating_sub(wrap::columns(name)));
        let mut line = vec![Piece::marked(format!("{blanks}{name} "), Mark::Quiet)];
        for (column, cell) in cells.iter().enumerate() {
            if column > 0 {
                line.push(Piece::new(" "));
            }
            line.push(piece(cell, (number, row, column), size, marks));
        }
        out.push(line);
    }
    out
}

/// Hands of cards or dice: a line for each owner, with what it certainly has, then a back for each thing that is not known
/// and what it may be.
fn hands(number: usize, board: &Board, marks: &Marks<'_>) -> Vec<Vec<Piece>> {
    let margin = margin(board);
    let mut out = vec![vec![Piece::marked(&board.title, Mark::Title)]];
    for (row, (name, cells)) in board.rows.iter().zip(&board.cells).enumerate() {
        let mut line = vec![Piece::marked(wrap::padded(name, margin), Mark::Quiet)];
        let there = cells.iter().enumerate().filter(|(_, cell)| !cell.fluents.is_empty());
        let (open, known): (Vec<_>, Vec<_>) = there.partition(|(_, cell)| cell.share.is_some());
        for (column, cell) in known {
            let size = wrap::columns(&cell.sign) + if marks.differs.is_some() { 2 } else { 0 };
            let mut it = piece(cell, (number, row, column), size, marks);
            if board.style == Style::Cards {
                it.text = format!("[{}]", it.text.trim());
            }
            line.extend([Piece::new(" "), it]);
        }
        let hidden = open.iter().filter_map(|(_, cell)| cell.share).sum::<f64>().round() as usize;
        line.extend((0..hidden.min(open.len())).map(|_| Piece::marked(" [?]", Mark::Quiet)));
        for (column, cell) in open {
            let says = format!("{} {:.0} %", board.columns[column], cell.share.unwrap_or(0.0) * 100.0);
            let it = Cell { sign: says, share: None, ..cell.clone() };
            let size = wrap::columns(&it.sign);
            line.extend([Piece::new("  "), piece(&it, (number, row, column), size, marks)]);
        }
        out.push(line);
    }
    out
}

fn piece(cell: &Cell, at: (usize, usize, usize), size: usize, marks: &Marks<'_>) -> Piece {
    let inner = if marks.differs.is_some() { size.saturating_sub(2) } else { size };
    let sign = if cell.sign.is_empty() { "-" } else { wrap::clipped(&cell.sign, inner) };
    let differs = marks.differs.is_some_and(|all| all.contains(&[at.0, at.1, at.2]));
    let text = match (marks.differs, differs) {
        (Some(_), true) => format!("[{sign}]"),
        (Some(_), false) => format!(" {sign}"),
        (None, _) => sign.to_owned(),
    };
    let mut piece = Piece { share: cell.share, tone: cell.tone, ..Piece::new(wrap::padded(&text, size)) };
    let is = [
        (cell.sign.is_empty(), Mark::Quiet),
        (differs, Mark::Warn),
        (marks.open.contains(&cell.place), Mark::Open),
        (marks.chosen.contains(&cell.place), Mark::Chosen),
        (marks.cursor == Some(at), Mark::Cursor),
    ];
    piece.marks.extend(is.into_iter().filter(|(is, _)| *is).map(|(_, mark)| mark));
    if !marks.still {
        let fluent = cell.fluents.first().map(ToString::to_string);
        piece.act(Command::Cell(Spot { place: cell.place.clone(), at, fluent }));
    }
    piece
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
