//! HTML for notebooks: self-contained, escaped, in the colours of the page around it. Boards are as in the panel.

use percept_game::Term;
use percept_report::belief::Belief;
use percept_report::board::{Board, Cell, Meaning, Picture, Style};
pub use percept_report::clean::escape;
use percept_report::curve::{Reached, draw};

/// The most facts beside the boards.
const FACTS: usize = 60;

/// A whole output cell: the stylesheet and the body.
pub fn page(body: &str) -> String {
    format!("<div class=\"percept\"><style>{}</style>{body}</div>", include_str!("style.css"))
}

pub fn heading(text: &str) -> String {
    format!("<p><b>{}</b></p>", escape(text))
}

pub fn quiet(text: &str) -> String {
    format!("<p class=\"quiet\">{}</p>", escape(text))
}

/// A table with a line for each row; cells are HTML.
pub fn table(heads: &[&str], rows: &[Vec<String>]) -> String {
    let mut out = "<table class=\"rows\"><thead><tr>".to_string();
    for head in heads {
        out += &format!("<th scope=\"col\">{}</th>", escape(head));
    }
    out += "</tr></thead><tbody>";
    for row in rows {
        let cells: String = row.iter().map(|cell| format!("<td>{cell}</td>")).collect();
        out += &format!("<tr>{cells}</tr>");
    }
    out + "</tbody></table>"
}

/// Exploitability over time; the reason if there is nothing to draw.
pub fn curve(points: &[Reached]) -> String {
    match draw(points) {
        None => quiet("solved at once: there is no curve"),
        Some(svg) => format!("<figure><figcaption>Exploitability over time</figcaption>{svg}</figure>"),
    }
}

/// Boards, then the facts on no board, then numbers.
pub fn picture(picture: &Picture) -> String {
    let mut out = boards(&picture.boards, &picture.legend, &[]);
    for group in picture.rest() {
        let names: Vec<String> = group.fluents.iter().take(FACTS).map(|it| escape(&it.to_string())).collect();
        let more = group.fluents.len() - names.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        out += &format!("<div>{}{more}</div>", names.join(", "));
    }
    for (name, value) in &picture.numbers {
        out += &format!("<div>{} = {value}</div>", escape(name));
    }
    out
}

/// Boards with their legend; `differs` are marked: board, row and column.
pub fn boards(boards: &[Board], legend: &[Meaning], differs: &[[usize; 3]]) -> String {
    let mut out = "<div>".to_string();
    for (at, board) in boards.iter().enumerate() {
        let marked = |row: usize, column: usize| differs.contains(&[at, row, column]);
        match board.style {
            Style::Grid => out += &grid(board, marked),
            // Hands without a card are not drawn.
            _ if board.cells.iter().flatten().all(|cell| cell.fluents.is_empty()) => {}
            _ => out += &hands(board, marked),
        }
    }
    out += "</div>";
    let words: Vec<String> = legend.iter().map(|it| format!("{} {}", it.sign, it.says)).collect();
    if words.is_empty() { out } else { out + &quiet(&words.join(" · ")) }
}

fn grid(board: &Board, differs: impl Fn(usize, usize) -> bool) -> String {
    let mut out = format!("<table class=\"board\"><caption>{}</caption><thead><tr><td></td>", escape(&board.title));
    for name in &board.columns {
        out += &format!("<th scope=\"col\">{}</th>", escape(name));
    }
    out += "</tr></thead><tbody>";
    for (row, (name, cells)) in board.rows.iter().zip(&board.cells).enumerate() {
        out += &format!("<tr><th scope=\"row\">{}</th>", escape(name));
        for (column, cell) in cells.iter().enumerate() {
            out += &format!("<td{}>{}</td>", about(cell, differs(row, column), ""), escape(&cell.sign));
        }
        out += "</tr>";
    }
    out + "</tbody></table>"
}

/// Hands of cards or dice: what an owner certainly has, then what it may have.
fn hands(board: &Board, differs: impl Fn(usize, usize) -> bool) -> String {
    let mut out = format!("<table><caption>{}</caption><tbody>", escape(&board.title));
    for (row, (name, cells)) in board.rows.iter().zip(&board.cells).enumerate() {
        out += &format!("<tr><th scope=\"row\">{}</th><td>", escape(name));
        let there = cells.iter().enumerate().filter(|(_, cell)| !cell.fluents.is_empty());
        let (open, known): (Vec<_>, Vec<_>) = there.partition(|(_, cell)| cell.share.is_some());
        for (column, cell) in known {
            out += &format!("<span{}>{}</span>", about(cell, differs(row, column), "card"), escape(&cell.sign));
        }
        let hidden = open.iter().filter_map(|(_, cell)| cell.share).sum::<f64>().round() as usize;
        out += &"<span class=\"card\">?</span>".repeat(hidden.min(open.len()));
        for (column, cell) in open {
            let says = format!("{} {:.0} %", board.columns[column], cell.share.unwrap_or(0.0) * 100.0);
            out += &format!(" <span{}>{}</span>", about(cell, differs(row, column), ""), escape(&says));
        }
        out += "</td></tr>";
    }
    out + "</tbody></table>"
}

/// The attributes of a cell: its colour, its shade, and what it holds or may hold.
fn about(cell: &Cell, differs: bool, class: &str) -> String {
    let mut classes = vec![class.to_string()];
    classes.extend(cell.tone.map(|tone| format!("{tone:?}").to_lowercase()));
    classes.extend(differs.then(|| "differs".to_string()));
    let shade = cell.share.map(|share| {
        let percent = (share * 70.0).round();
        format!(" style=\"background:color-mix(in srgb,#3b82f6 {percent}%,transparent)\"")
    });
    let odds = cell.odds.iter().take(6).map(|it| format!("{} {:.1} %", it.says, it.probability * 100.0));
    let held = cell.fluents.iter().map(Term::to_string);
    let says: Vec<String> = if cell.odds.is_empty() { held.collect() } else { odds.collect() };
    format!(
        " class=\"{}\"{} title=\"{}: {}\"",
        classes.join(" ").trim(),
        shade.unwrap_or_default(),
        escape(&cell.place),
        escape(&says.join(", "))
    )
}

/// A bar for each fact that is not certain.
pub fn bars<'a>(beliefs: impl Iterator<Item = &'a Belief>, exact: bool) -> String {
    let mut out = String::new();
    for it in beliefs.filter(|it| it.probability < 1.0).take(FACTS) {
        let (percent, name) = (it.probability * 100.0, escape(&it.fluent.to_string()));
        let error = if exact { String::new() } else { format!(" ± {:.0}", (it.error * 100.0).ceil()) };
        out += &format!(
            "<div><meter min=\"0\" max=\"100\" value=\"{percent:.2}\"></meter> {percent:.1} %{error} {name}</div>"
        );
    }
    out
}
