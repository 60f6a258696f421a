//! The content of a place of a match as coloured lines: boards, facts and beliefs.

use std::fmt::Display;

use percept_report::board::{Picture, Tone};
use percept_report::page::boards::{Marks, Room, paint};
use percept_report::page::views::bar;
use percept_report::page::{Action, Command, Mark, Piece, Spot, width};
use percept_report::seat::Seat;
use percept_report::speech::{Speech, apart, phrase};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use crate::wrap;

/// The style of secondary text.
pub(super) const DIM: Style = Style::new().add_modifier(Modifier::DIM);

/// The full state.
pub(super) fn state(picture: &Picture, speech: &Speech, width: usize, marks: &Marks<'_>) -> Vec<Vec<Piece>> {
    let mut out = paint(&picture.boards, &picture.legend, Room::up_to(width), marks);
    for group in picture.rest() {
        let fluents = apart(group.fluents.iter().map(|it| speech.shown(it)).collect());
        out.extend(named(&group.functor, &fluents, width));
    }
    for (name, value) in &picture.numbers {
        out.extend(pieces(wrap::folded(&format!("{} = {value}", speech.phrase(name)), width)));
    }
    if out.is_empty() {
        out.push(vec![Piece::marked("(nothing holds)", Mark::Quiet)]);
    }
    out
}

/// A role's knowledge: boards with shades, certain facts, bars for the rest.
pub(super) fn seat(seat: &Seat, width: usize, marks: &Marks<'_>) -> Vec<Vec<Piece>> {
    let mut out = paint(&seat.boards, &seat.legend, Room::up_to(width), marks);
    if !seat.certain.is_empty() {
        let certain = apart(seat.certain.iter().map(|it| phrase(&seat.says, it).to_owned()).collect());
        out.extend(named("certain", &certain, width));
    }
    if !seat.possible.is_empty() {
        out.push(vec![Piece::marked("perhaps:", Mark::Quiet)]);
        out.extend(seat.possible.iter().flat_map(|it| pieces(bar(it, &seat.says, seat.exact, width))));
    }
    if let Some(effective) = seat.effective {
        let text = format!("estimated: worth {effective:.0} independent draws");
        out.extend(wrap::broken(&text, width).into_iter().map(|line| vec![Piece::marked(line, Mark::Quiet)]));
    }
    out
}

/// Names after a title; names wider than the pane are broken.
fn named<T: Display>(title: &str, names: &[T], width: usize) -> Vec<Vec<Piece>> {
    pieces(wrap::wrapped(title, names, width).iter().flat_map(|line| wrap::folded(line, width)).collect())
}

/// A text on as many lines as it needs.
pub(super) fn pieces(lines: Vec<String>) -> Vec<Vec<Piece>> {
    lines.into_iter().map(|line| vec![Piece::new(line)]).collect()
}

/// The cells on lines, each with its line, its first column and its width.
pub(super) fn spots(lines: &[Vec<Piece>]) -> Vec<(usize, u16, u16, Spot)> {
    let mut spots = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        for (at, piece) in line.iter().enumerate() {
            if let Some(Action::Send(Command::Cell(spot))) = &piece.action {
                let (from, wide) = (width(&line[..at]), wrap::columns(&piece.text));
                spots.push((number, from as u16, wide as u16, spot.clone()));
            }
        }
    }
    spots
}

/// A line for the terminal, without colours if it has none.
pub(super) fn line(pieces: &[Piece], colours: bool) -> Line<'static> {
    pieces.iter().map(|it| Span::styled(it.text.clone(), style(it, colours))).collect()
}

fn style(piece: &Piece, colours: bool) -> Style {
    let mut style = Style::new();
    if let Some(share) = piece.share.filter(|_| colours) {
        // From the terminal's dark greys to its light ones.
        let grey = 234 + (share * 18.0).round() as u8;
        style = style.bg(Color::Indexed(grey)).fg(if grey > 243 { Color::Black } else { Color::White });
    }
    if let Some(tone) = piece.tone.filter(|_| colours) {
        style = style.fg(colour(tone));
    }
    let modifier = |mark: &Mark| match mark {
        Mark::Title => Modifier::BOLD,
        Mark::Quiet => Modifier::DIM,
        Mark::Open => Modifier::UNDERLINED,
        Mark::Chosen => Modifier::BOLD | Modifier::REVERSED,
        Mark::Cursor => Modifier::REVERSED,
        _ => Modifier::empty(),
    };
    style.add_modifier(piece.marks.iter().map(modifier).collect())
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
