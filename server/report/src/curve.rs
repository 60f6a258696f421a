//! The exploitability of a solver's strategies over time, as a picture.

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 40.0;
const COLOUR: &str = "#3b82f6";
/// The least numbers that are drawn: logarithms of smaller ones would flatten the rest.
const LEAST_SECONDS: f64 = 1e-6;
const LEAST_GAIN: f64 = 1e-12;

/// A point of the curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// The number of iterations.
    pub iterations: u64,
    /// The seconds since the beginning.
    pub seconds: f64,
    /// The exploitability at that time.
    pub exploitability: f64,
}

/// Draws exploitability over time, both on logarithmic scales. A page around it may colour the classes `role0`, `grid` and
/// `tick`. `None` if there are less than two points.
pub fn draw(curve: &[Reached]) -> Option<String> {
    let (last, [_, ..]) = curve.split_last()? else { return None };
    let places: Vec<(f64, f64)> = curve
        .iter()
        .map(|point| (point.seconds.max(LEAST_SECONDS).log10(), point.exploitability.max(LEAST_GAIN).log10()))
        .collect();
    let ((left, right), (low, high)) = (powers(places.iter().map(|it| it.0)), powers(places.iter().map(|it| it.1)));
    let x = |value: f64| LEFT + (WIDTH - LEFT - RIGHT) * (value - left) / (right - left);
    let y = |value: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" font-size=\"11\" \
         aria-label=\"Exploitability falls to {:.2e} after {:.2} seconds and {} iterations\">\n",
        last.exploitability, last.seconds, last.iterations
    );
    for power in low as i64..=high as i64 {
        let at = y(power as f64);
        out += &format!(
            "<line class=\"grid\" stroke=\"#88888866\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text class=\"tick\" fill=\"currentColor\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">1e{power}</text>\n",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0
        );
    }
    for power in left as i64..=right as i64 {
        out += &format!(
            "<text class=\"tick\" fill=\"currentColor\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">1e{power} s</text>\n",
            x(power as f64),
            HEIGHT - BOTTOM + 18.0
        );
    }
    let line: Vec<String> = places.iter().map(|&(at, value)| format!("{:.1},{:.1}", x(at), y(value))).collect();
    out += &format!(
        "<polyline class=\"role0\" fill=\"none\" stroke=\"{COLOUR}\" stroke-width=\"2\" points=\"{}\"/>\n",
        line.join(" ")
    );
    for (point, &(at, value)) in curve.iter().zip(&places) {
        out += &format!(
            "<circle class=\"role0\" fill=\"{COLOUR}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.5\"><title>{} iterations, {:.3} s: {:.2e}</title>\
             </circle>\n",
            x(at),
            y(value),
            point.iterations,
            point.seconds,
            point.exploitability
        );
    }
    Some(out + "</svg>\n")
}

/// The whole powers of ten around the values.
fn powers(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let low = values.clone().fold(f64::INFINITY, f64::min).floor();
    let high = values.fold(f64::NEG_INFINITY, f64::max).ceil();
    (low, if high > low { high } else { low + 1.0 })
}
