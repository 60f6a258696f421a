//! The sizes of the information sets over the rounds, on a logarithmic scale.

use percept_game::Game;
use percept_infoset::Size;

use super::super::Judged;
use super::colored_name;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 110.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 34.0;

/// The decimal logarithm of a count with any number of digits.
fn log(size: &Size) -> f64 {
    let digits = size.histories.to_string();
    let leading = &digits[..digits.len().min(15)];
    let scale = 10f64.powi(leading.len() as i32 - 1);
    let fraction = (leading.parse::<f64>().unwrap_or(1.0) / scale).max(1.0).log10();
    digits.len() as f64 - 1.0 + fraction
}

pub(super) fn plot(game: &Game, judged: &Judged) -> String {
    let rounds = judged.rounds.len().max(1);
    let top = judged.sizes.iter().flat_map(|(_, sizes)| sizes).map(log).fold(1.0, f64::max).ceil();
    let x = |round: usize| LEFT + (WIDTH - LEFT - RIGHT) * round as f64 / rounds as f64;
    let y = |log: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * log / top;
    let mut out = format!(
        "<figure>\n<figcaption>Histories that each role cannot tell apart</figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n",
        spoken(game, judged)
    );
    out += &grid(rounds, top, &x, &y);
    let mut labels: Vec<(f64, f64, usize, String)> = Vec::new();
    for (index, (role, sizes)) in judged.sizes.iter().enumerate() {
        let class = format!("role{}", index % 6);
        let points: Vec<String> = sizes.iter().map(|it| format!("{:.1},{:.1}", x(it.round), y(log(it)))).collect();
        out += &format!("<polyline class=\"{class}\" points=\"{}\"/>\n", points.join(" "));
        for size in sizes {
            let text = format!(
                "{} after round {}: {} histories, {} states",
                colored_name(game, *role),
                size.round,
                size.histories,
                size.states
            );
            out += &marker(index, &class, x(size.round), y(log(size)), &text);
        }
        if let Some(last) = sizes.last() {
            let more = if last.round < judged.rounds.len() { " &#8230;" } else { "" };
            labels.push((x(last.round) + 9.0, y(log(last)), index, format!("{}{more}", colored_name(game, *role))));
        }
    }
    // Labels at the same height move apart.
    labels.sort_by(|left, right| left.1.total_cmp(&right.1));
    let mut lowest = f64::NEG_INFINITY;
    for (x, y, index, text) in labels {
        let y = y.max(lowest + 14.0);
        lowest = y;
        out += &format!("<text class=\"role{}\" x=\"{x:.1}\" y=\"{:.1}\">{text}</text>\n", index % 6, y + 4.0);
    }
    let note = if judged.sizes.iter().any(|(_, sizes)| sizes.len() <= judged.rounds.len()) {
        "<p class=\"note\">&#8230; then more than fit the memory or the time: not counted.</p>\n"
    } else {
        ""
    };
    out + "</svg>\n" + note + "</figure>\n"
}

/// Lines for powers of ten, and the rounds below.
fn grid(rounds: usize, top: f64, x: &dyn Fn(usize) -> f64, y: &dyn Fn(f64) -> f64) -> String {
    let mut out = String::new();
    let step = (top as usize / 6).max(1);
    for power in (0..=top as usize).step_by(step) {
        let at = y(power as f64);
        let label = match power {
            0 => "1".to_string(),
            1 => "10".to_string(),
            _ => format!("10<tspan dy=\"-5\" class=\"power\">{power}</tspan>"),
        };
        out += &format!(
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text class=\"tick\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>\n",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0
        );
    }
    let step =
        [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].into_iter().find(|step| rounds / step <= 14).unwrap_or(rounds);
    for round in (0..=rounds).step_by(step) {
        out += &format!(
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{round}</text>\n",
            x(round),
            HEIGHT - BOTTOM + 16.0
        );
    }
    out + &format!(
        "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">after round</text>\n",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 4.0
    )
}

/// A different shape for each role, so that the plot is readable without colour.
fn marker(index: usize, class: &str, x: f64, y: f64, title: &str) -> String {
    let shape = match index % 3 {
        0 => format!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\">"),
        1 => format!("<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"7\" height=\"7\">", x - 3.5, y - 3.5),
        _ => format!(
            "<path class=\"{class} mark\" d=\"M{x:.1} {:.1}L{:.1} {:.1}H{:.1}Z\">",
            y - 4.5,
            x + 4.5,
            y + 3.5,
            x - 4.5
        ),
    };
    let end = match index % 3 {
        0 => "</circle>",
        1 => "</rect>",
        _ => "</path>",
    };
    format!("{shape}<title>{title}</title>{end}\n")
}

/// The plot in words.
fn spoken(game: &Game, judged: &Judged) -> String {
    let role = |(role, sizes): &(percept_game::RoleId, Vec<Size>)| {
        let largest = sizes.iter().max_by(|left, right| left.histories.cmp(&right.histories));
        largest.map_or(String::new(), |size| {
            format!("{}: at most {} histories, after round {}. ", colored_name(game, *role), size.histories, size.round)
        })
    };
    judged.sizes.iter().map(role).collect()
}
