//! The curves as a picture: for each game the histories found (on a logarithmic scale), the share of sets without any,
//! and the reliability of the network's guesses.

use std::fmt::Write as _;

use super::{Answer, Depth, METHODS, Measured};

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 220.0;
const MARGIN: f64 = 45.0;
/// The width of the reliability panel, whose labels are wider than its square.
const RELIABILITY: f64 = HEIGHT + 80.0;
const COLORS: [&str; METHODS.len()] = ["#4477aa", "#88ccee", "#cc3311", "#ee7733", "#228833", "#999999"];

pub(super) fn svg(answer: &Answer) -> String {
    let rows = answer.games.len() as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        2.0 * WIDTH + RELIABILITY,
        rows * HEIGHT + MARGIN
    );
    for (index, method) in METHODS.iter().enumerate() {
        let x = MARGIN + 90.0 * index as f64;
        let _ = writeln!(text, "<text x=\"{x}\" y=\"20\" fill=\"{}\">{method}</text>", COLORS[index]);
    }
    for (row, measured) in answer.games.iter().enumerate() {
        let y = MARGIN + row as f64 * HEIGHT;
        let most = measured.depths.iter().flat_map(|it| &it.methods).map(|it| it.histories).fold(1.0, f64::max);
        let scale = (1.0 + most).log10();
        let title = format!("{}: histories found (to {most:.0}, logarithmic)", measured.game);
        panel(&mut text, measured, (0.0, y), &title, |depth, method| {
            (1.0 + depth.methods[method].histories).log10() / scale
        });
        let title = format!("{}: share of sets without any", measured.game);
        panel(&mut text, measured, (WIDTH, y), &title, |depth, method| depth.methods[method].none);
        reliability(&mut text, measured, (2.0 * WIDTH, y));
    }
    text + "</svg>\n"
}

/// One panel; `value`: from 0 to 1.
fn panel(text: &mut String, measured: &Measured, at: (f64, f64), title: &str, value: impl Fn(&Depth, usize) -> f64) {
    let (left, bottom) = (at.0 + MARGIN, at.1 + HEIGHT - MARGIN);
    let (width, height) = (WIDTH - MARGIN - 15.0, HEIGHT - MARGIN - 25.0);
    let deepest = measured.depths.last().map_or(1, |it| it.depth) as f64;
    let _ = writeln!(text, "<text x=\"{left}\" y=\"{}\">{title}</text>", bottom - height - 8.0);
    let _ = writeln!(
        text,
        "<path d=\"M{left} {} V{bottom} H{}\" fill=\"none\" stroke=\"black\"/>\n<text x=\"{}\" y=\"{}\">depth {deepest}</text>",
        bottom - height,
        left + width,
        left + width - 45.0,
        bottom + 14.0
    );
    for (method, color) in COLORS.iter().enumerate() {
        let points = measured.depths.iter().map(|depth| {
            let x = left + width * depth.depth as f64 / deepest;
            format!("{x:.1},{:.1}", bottom - height * value(depth, method).clamp(0.0, 1.0))
        });
        let points: Vec<String> = points.collect();
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>",
            points.join(" ")
        );
    }
}

/// Guessed probabilities against frequencies: on the diagonal if the guesses are right. The area of a point grows with
/// the logarithm of the number of guesses. Empty if `exact` never ran.
fn reliability(text: &mut String, measured: &Measured, at: (f64, f64)) {
    let Some(entropies) = &measured.entropies else { return };
    let (left, bottom, side) = (at.0 + MARGIN, at.1 + HEIGHT - MARGIN, HEIGHT - MARGIN - 25.0);
    let place = |guessed: f64, exact: f64| (left + side * guessed, bottom - side * exact);
    let (right, top) = place(1.0, 1.0);
    let _ = writeln!(
        text,
        "<text x=\"{left}\" y=\"{}\">guessed (across) and so, 0 to 1</text>\n\
         <path d=\"M{left} {top} V{bottom} H{right}\" fill=\"none\" stroke=\"black\"/>\n\
         <path d=\"M{left} {bottom} L{right} {top}\" stroke=\"#999999\" stroke-dasharray=\"3 3\"/>\n\
         <text x=\"{left}\" y=\"{}\">nats: network {:.2}, exact {:.2}, all alike {:.2}</text>",
        top - 8.0,
        bottom + 14.0,
        entropies.network,
        entropies.exact,
        entropies.uniform
    );
    for class in measured.reliability.iter().filter(|it| it.count > 0) {
        let (x, y) = place(class.guessed, class.exact);
        let radius = (1.0 + (class.count as f64).log10()).sqrt() * 1.8;
        let _ = writeln!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"#cc3311\"/>");
    }
}
