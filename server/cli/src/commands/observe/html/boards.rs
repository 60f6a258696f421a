//! Boards in a page: tables of cells, and a row of rounds to step through.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use percept_game::{RoleId, Term};
use percept_infoset::{Budget, View, Witness};
use percept_report::belief::{Belief, Effort, Worlds};
use percept_report::board::{Board, Layout, Meaning};
use percept_report::pair::{Frame, Side, frames};
use percept_report::speech::Speech;

use super::super::Judged;
use super::{colored_name, escape, term};
use crate::load::Loaded;

/// The most rounds with beliefs, the most facts beside the boards, and the time limit for all beliefs.
const ROUNDS: usize = 60;
const FACTS: usize = 12;
const TIME: Duration = Duration::from_secs(10);

/// Frames with a row of rounds to step through, by click or by arrow keys; the last one is shown first. It needs no
/// script.
fn strip(label: &str, frames: &[String]) -> String {
    static STRIPS: AtomicUsize = AtomicUsize::new(0);
    let number = STRIPS.fetch_add(1, Ordering::Relaxed);
    let mut out = format!("<div class=\"strip\" role=\"radiogroup\" aria-label=\"{label}\"><span>{label}</span>\n");
    for (round, frame) in frames.iter().enumerate() {
        let checked = if round + 1 == frames.len() { " checked" } else { "" };
        out += &format!(
            "<div class=\"frame\"><input type=\"radio\" name=\"strip{number}\" id=\"strip{number}-{round}\"{checked}>\
             <label for=\"strip{number}-{round}\">{round}</label><div class=\"shown\">{frame}</div></div>\n"
        );
    }
    out + "</div>\n"
}

/// Two histories as boards side by side, round by round, with the differences marked.
pub(super) fn pair(loaded: &Loaded, layout: &Layout, role: RoleId, pair: &Witness) -> String {
    let game = &*loaded.game;
    let all = frames(game, layout, role, &pair.first, &pair.second);
    let titles = [if pair.first_is_match { "A, this match" } else { "A" }, "B"];
    let shown: Vec<String> =
        all.frames.iter().map(|frame| of_pair(frame, &layout.speech, titles, &all.legend)).collect();
    strip("Round", &shown)
}

fn of_pair(frame: &Frame, speech: &Speech, titles: [&str; 2], legend: &[Meaning]) -> String {
    let mut out = format!("<p class=\"round\">After round {}</p><div class=\"states\">", frame.round);
    for (side, title) in [&frame.first, &frame.second].into_iter().zip(titles) {
        out += &format!("<div><h4>{title}</h4>{}</div>", of_side(side, speech, &frame.differs));
    }
    out + "</div>" + &of_legend(legend)
}

fn of_side(side: &Side, speech: &Speech, differs: &[[usize; 3]]) -> String {
    let marked = |board: usize, row: usize, column: usize| differs.contains(&[board, row, column]);
    let boards =
        side.boards.iter().enumerate().map(|(at, it)| board(it, speech, |row, column| marked(at, row, column)));
    let mut out: String = boards.collect();
    for fact in &side.only {
        out += &format!("<div><mark title=\"{}\">{}</mark></div>", escape(fact), escape(&speech.phrase(fact)));
    }
    if side.terminal {
        out += "<p>the match is over</p>";
    }
    out
}

fn of_legend(legend: &[Meaning]) -> String {
    let words: Vec<String> = legend.iter().map(|it| format!("{} {}", escape(&it.sign), escape(&it.says))).collect();
    if words.is_empty() { String::new() } else { format!("<p class=\"signs\">{}</p>", words.join(" &middot; ")) }
}

/// A board as a table. Shades are classes, in tenths.
fn board(board: &Board, speech: &Speech, differs: impl Fn(usize, usize) -> bool) -> String {
    let mut out = format!("<table class=\"board\"><caption>{}</caption><thead><tr><td></td>", escape(&board.title));
    for name in &board.columns {
        out += &format!("<th scope=\"col\">{}</th>", escape(name));
    }
    out += "</tr></thead><tbody>";
    for (row, (name, cells)) in board.rows.iter().zip(&board.cells).enumerate() {
        // A hand without an owner has one row, without a name.
        out += &if name.is_empty() {
            "<tr><td></td>".into()
        } else {
            format!("<tr><th scope=\"row\">{}</th>", escape(name))
        };
        for (column, cell) in cells.iter().enumerate() {
            let mut classes = Vec::new();
            if differs(row, column) {
                classes.push("differs".to_string());
            }
            if let Some(share) = cell.share {
                classes.push(format!("shade{}", (share * 10.0).round() as u32));
            }
            let odds = cell.odds.iter().take(6).map(|it| format!("{} {:.1} %", it.says, it.probability * 100.0));
            let held = cell.fluents.iter().map(|it| speech.shown(it));
            let says: Vec<String> = if cell.odds.is_empty() { held.collect() } else { odds.collect() };
            out += &format!(
                "<td class=\"{}\" title=\"{}: {}\">{}</td>",
                classes.join(" "),
                escape(&cell.place),
                escape(&says.join(", ")),
                escape(&cell.sign)
            );
        }
        out += "</tr>";
    }
    out + "</tbody></table>"
}

/// The beliefs of each role after every round: shades on the boards and bars for the rest.
pub(super) fn beliefs(loaded: &Loaded, layout: &Layout, judged: &Judged) -> String {
    let game = &*loaded.game;
    let deadline = Instant::now() + TIME;
    let mut out = String::new();
    for (role, _) in &judged.sizes {
        let mut shown = Vec::new();
        for round in 0..=judged.rounds.len().min(ROUNDS) {
            let Ok(view) = View::of_match(game, *role, &judged.rounds[..round]) else { break };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let until = Instant::now() + left.min(Duration::from_secs(1));
            let budget = Budget { deadline: Some(until), ..Budget::default() };
            let Ok(worlds) = Worlds::of(game, &view, &Effort::default(), &budget) else { break };
            shown.push(believed(layout, &worlds, &worlds.beliefs(game), round));
        }
        let whole = shown.len() > judged.rounds.len();
        if shown.is_empty() {
            continue;
        }
        let more = if whole { "" } else { ", as far as the time allowed" };
        out += &format!(
            "<details class=\"beliefs\"><summary>What {} believes, round by round{more}</summary>\n",
            colored_name(game, *role)
        );
        out += &strip("Round", &shown);
        out += "</details>\n";
    }
    out
}

fn believed(layout: &Layout, worlds: &Worlds, beliefs: &[Belief], round: usize) -> String {
    let boards = layout.shades(beliefs.iter().map(|it| (&it.fluent, it.probability)));
    let drawn: Vec<&Term> = boards.iter().flat_map(|it| it.cells.iter().flatten()).flat_map(|it| &it.fluents).collect();
    let how = match worlds.effective {
        None => "exact".to_string(),
        Some(draws) => format!("estimated, worth {draws:.0} draws"),
    };
    let mut out =
        format!("<p class=\"round\">After round {round}: {} histories ({how})</p>", escape(&worlds.histories));
    out += "<div class=\"states\">";
    out += &boards.iter().map(|it| board(it, &layout.speech, |_, _| false)).collect::<String>();
    out += "</div>";
    let open = beliefs.iter().filter(|it| it.probability < 1.0 && !drawn.contains(&&it.fluent)).take(FACTS);
    for it in open {
        let percent = it.probability * 100.0;
        let error = if worlds.is_exact() { String::new() } else { format!(" &#177; {:.1}", it.error * 100.0) };
        let name = escape(&layout.speech.shown(&it.fluent));
        out += &format!(
            "<div class=\"bar\"><meter min=\"0\" max=\"100\" value=\"{percent:.2}\" aria-label=\"{name}\"></meter> \
             {percent:.1} %{error} {}</div>",
            term(&layout.speech, &it.fluent.to_string())
        );
    }
    out + &of_legend(&layout.legend(&boards))
}
