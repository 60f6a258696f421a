//! A tournament as a page: the strength of each strategy, and every pair's result with its interval.

use std::fmt::Write;
use std::path::PathBuf;

use percept_players::tournament::Cell;

use super::Answer;
use crate::commands::page::{escape, titled};

/// Width of a plot, and height of one of its lines.
const WIDTH: f64 = 520.0;
const LINE: f64 = 22.0;
/// The width of the column of names.
const NAMES: f64 = 210.0;

pub(super) fn page(games: &[PathBuf], answer: &Answer) -> String {
    let mut body = String::new();
    if !answer.ratings.is_empty() {
        body.push_str("<h2>Ratings</h2>\n<table>\n<tr><th>player</th><th>rating</th><th>matches</th></tr>\n");
        for it in &answer.ratings {
            let _ = writeln!(
                body,
                "<tr><td>{}</td><td>{:+.0}</td><td>{}</td></tr>",
                escape(&it.player),
                it.rating,
                it.matches
            );
        }
        body.push_str("</table>\n<p>Bradley and Terry's model: 400 points more are ten wins to one.</p>\n");
    }
    let mut names: Vec<&str> = answer.pairs.iter().map(|cell| cell.game.as_str()).collect();
    names.dedup();
    names.sort_unstable();
    names.dedup();
    for game in names {
        let cells: Vec<&Cell> = answer.pairs.iter().filter(|cell| cell.game == game).collect();
        let _ = writeln!(body, "<h2>{}</h2>\n{}{}", escape(game), plot(&cells), table(&cells));
    }
    titled("percept tournament", "tournament", games, &body)
}

fn title(cell: &Cell) -> String {
    match &cell.second {
        Some(second) => format!("{} : {second}", cell.first),
        None => cell.first.clone(),
    }
}

fn table(cells: &[&Cell]) -> String {
    let mut out = String::from(
        "<table>\n<tr><th>pair</th><th>score</th><th>95 %</th><th>matches</th><th>goals</th><th>faults</th></tr>\n",
    );
    for cell in cells {
        let goals = match cell.goals {
            (own, Some(other)) => format!("{own:.1} : {other:.1}"),
            (own, None) => format!("{own:.1}"),
        };
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{:.1} %</td><td>{:.1} to {:.1}</td><td>{}</td><td>{goals}</td><td>{} : {}</td></tr>",
            escape(&title(cell)),
            100.0 * cell.score,
            100.0 * cell.low,
            100.0 * cell.high,
            cell.matches,
            cell.faults.0,
            cell.faults.1
        );
    }
    out + "</table>\n"
}

/// A line for each pair: its interval, and its score as a dot. One half is in the middle.
fn plot(cells: &[&Cell]) -> String {
    let height = LINE * cells.len() as f64 + 24.0;
    let x = |share: f64| NAMES + share * (WIDTH - NAMES - 12.0);
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" role=\"img\" font-size=\"12\" fill=\"currentColor\">\n"
    );
    for share in [0.0, 0.5, 1.0] {
        let _ = writeln!(
            out,
            "<line x1=\"{0}\" x2=\"{0}\" y1=\"0\" y2=\"{1}\" stroke=\"currentColor\" opacity=\"0.25\"/>\
             <text x=\"{0}\" y=\"{2}\" text-anchor=\"middle\">{3:.0} %</text>",
            x(share),
            height - 22.0,
            height - 6.0,
            100.0 * share
        );
    }
    for (at, cell) in cells.iter().enumerate() {
        let y = LINE * at as f64 + LINE / 2.0;
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\
             <line x1=\"{}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\" stroke=\"currentColor\" stroke-width=\"2\"/>\
             <circle cx=\"{}\" cy=\"{y}\" r=\"4\"/>",
            NAMES - 8.0,
            y + 4.0,
            escape(&title(cell)),
            x(cell.low),
            x(cell.high),
            x(cell.score)
        );
    }
    out + "</svg>\n"
}
