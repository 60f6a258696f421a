//! The convergence and the solution as a self-contained page.

use percept_report::curve::{Reached, draw};
use percept_solve::{Point, Solution};

use super::report::{Units, human};
use crate::commands::page;
use crate::load::Loaded;

pub(super) fn page(loaded: &Loaded, solution: &Solution, units: &Units) -> String {
    let text = page::escape(&human(&loaded.game, solution, units));
    let body =
        format!("<section>\n<pre tabindex=\"0\">{text}</pre>\n{}</section>\n", plot(&solution.curve, units.unit));
    page::whole("percept solve", "what it is worth", loaded, &body)
}

fn plot(curve: &[Point], unit: f64) -> String {
    let reached = |point: &Point| Reached {
        iterations: point.iterations,
        seconds: point.seconds,
        exploitability: point.bracket.exploitability() / unit,
    };
    match draw(&curve.iter().map(reached).collect::<Vec<Reached>>()) {
        None => "<p class=\"note\">Solved at once: there is no way to show.</p>\n".to_string(),
        Some(svg) => format!("<figure>\n<figcaption>Exploitability over time</figcaption>\n{svg}</figure>\n"),
    }
}
