//! The convergence and the solution as a self-contained page.

use percept_solve::{Point, Solution};

use super::report::{Units, human};
use crate::commands::page;
use crate::load::Loaded;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 40.0;

pub(super) fn page(loaded: &Loaded, solution: &Solution, units: &Units) -> String {
    let text = page::escape(&human(&loaded.game, solution, units));
    let body =
        format!("<section>\n<pre tabindex=\"0\">{text}</pre>\n{}</section>\n", plot(&solution.curve, units.unit));
    page::whole("percept solve", "what it is worth", loaded, &body)
}

/// Exploitability over time, both on logarithmic scales.
fn plot(curve: &[Point], unit: f64) -> String {
    let points: Vec<(f64, f64)> = curve
        .iter()
        .map(|point| (point.seconds.max(1e-6).log10(), (point.bracket.exploitability() / unit).max(1e-12).log10()))
        .collect();
    if points.len() < 2 {
        return "<p class=\"note\">Solved at once: there is no way to show.</p>\n".to_string();
    }
    let range = |values: &dyn Fn(&(f64, f64)) -> f64| {
        let low = points.iter().map(values).fold(f64::INFINITY, f64::min).floor();
        let high = points.iter().map(values).fold(f64::NEG_INFINITY, f64::max).ceil();
        (low, if high > low { high } else { low + 1.0 })
    };
    let ((left, right), (low, high)) = (range(&|point| point.0), range(&|point| point.1));
    let x = |value: f64| LEFT + (WIDTH - LEFT - RIGHT) * (value - left) / (right - left);
    let y = |value: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low);
    let last = curve[curve.len() - 1];
    let mut out = format!(
        "<figure>\n<figcaption>Exploitability over time</figcaption>\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"Exploitability falls to {:.2e} after {:.2} seconds and {} iterations\">\n",
        last.bracket.exploitability() / unit,
        last.seconds,
        last.iterations
    );
    for power in low as i64..=high as i64 {
        let at = y(power as f64);
        out += &format!(
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text class=\"tick\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">1e{power}</text>\n",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0
        );
    }
    for power in left as i64..=right as i64 {
        out += &format!(
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">1e{power} s</text>\n",
            x(power as f64),
            HEIGHT - BOTTOM + 18.0
        );
    }
    let line: Vec<String> = points.iter().map(|&(at, value)| format!("{:.1},{:.1}", x(at), y(value))).collect();
    out += &format!("<polyline class=\"role0\" points=\"{}\"/>\n", line.join(" "));
    for (point, &(at, value)) in curve.iter().zip(&points) {
        out += &format!(
            "<circle class=\"role0\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.5\"><title>{} iterations, {:.3} s: {:.2e}</title>\
             </circle>\n",
            x(at),
            y(value),
            point.iterations,
            point.seconds,
            point.bracket.exploitability() / unit
        );
    }
    out + "</svg>\n</figure>\n"
}
