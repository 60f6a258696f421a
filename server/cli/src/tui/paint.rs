//! The content of a place of a match as coloured lines: boards, facts and beliefs.

use std::fmt::Display;

use percept_game::stepper::Group;
use percept_report::belief::Belief;
use percept_report::board::Picture;
use percept_report::seat::Seat;
use ratatui::text::Line;

use crate::boards::{DIM, Marks, Painted, Room, paint};
use crate::wrap;

/// The full state.
pub(super) fn state(picture: &Picture, width: usize, marks: &Marks<'_>) -> Painted {
    let mut out = paint(&picture.boards, &picture.legend, Room::up_to(width), marks);
    facts(&mut out, &picture.rest(), width);
    for (name, value) in &picture.numbers {
        out.lines.extend(folded(&format!("{name} = {value}"), width));
    }
    if out.lines.is_empty() {
        out.lines.push(Line::styled("(nothing holds)", DIM));
    }
    out
}

/// A role's knowledge: boards with shades, certain facts, bars for the rest.
pub(super) fn seat(seat: &Seat, width: usize, marks: &Marks<'_>) -> Painted {
    let mut out = paint(&seat.boards, &seat.legend, Room::up_to(width), marks);
    if !seat.certain.is_empty() {
        out.lines.extend(named("certain", &seat.certain, width));
    }
    if !seat.possible.is_empty() {
        out.lines.push(Line::styled("perhaps:", DIM));
        out.lines.extend(seat.possible.iter().flat_map(|it| bar(it, seat.exact, width)));
    }
    if let Some(effective) = seat.effective {
        let text = format!("estimated: worth {effective:.0} independent draws");
        out.lines.extend(wrap::broken(&text, width).into_iter().map(|line| Line::styled(line, DIM)));
    }
    out
}

/// A belief in a row with room for a bar of ten cells; a long name continues below.
fn bar(belief: &Belief, exact: bool, width: usize) -> Vec<Line<'static>> {
    const WIDTH: usize = 10;
    let eighths = (belief.probability * (8 * WIDTH) as f64).round() as usize;
    let whole = "█".repeat(eighths / 8);
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    let bar = format!("{whole}{part}");
    let error = if exact { String::new() } else { format!(" ±{:.0}", (belief.error * 100.0).ceil()) };
    let row = format!("{bar:<WIDTH$} {:>5.1} %{error}  ", belief.probability * 100.0);
    wrap::folded_after(&row, &belief.fluent.to_string(), width).into_iter().map(Line::from).collect()
}

fn facts(out: &mut Painted, groups: &[Group], width: usize) {
    for group in groups {
        out.lines.extend(named(&group.functor, &group.fluents, width));
    }
}

/// Names after a title; names wider than the pane are broken.
fn named<T: Display>(title: &str, names: &[T], width: usize) -> Vec<Line<'static>> {
    wrap::wrapped(title, names, width).iter().flat_map(|line| folded(line, width)).collect()
}

/// A text on as many lines as it needs.
pub(super) fn folded(line: &str, width: usize) -> Vec<Line<'static>> {
    wrap::folded(line, width).into_iter().map(Line::from).collect()
}
