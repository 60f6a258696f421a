//! The worth of percepts, as bars on one self-contained page.

use percept_solve::worth::Worth;

use super::{Units, difference, greatest, human, is_priced, place};
use crate::commands::page;
use crate::load::Loaded;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 300.0;
const RIGHT: f64 = 90.0;
const ROW: f64 = 24.0;

pub(super) fn page(loaded: &Loaded, worth: &Worth, units: &Units) -> String {
    let text = page::escape(&human(loaded, worth, units));
    let body = format!("<section>\n{}<pre tabindex=\"0\">{text}</pre>\n</section>\n", bars(loaded, worth, units));
    page::whole("percept worth", "what its percepts are worth", loaded, &body)
}

/// A bar for each percept and each role to which it makes a difference, the greatest first.
fn bars(loaded: &Loaded, worth: &Worth, units: &Units) -> String {
    let mut order: Vec<_> = worth.percepts.iter().filter(|percept| is_priced(percept, worth)).collect();
    if order.is_empty() {
        return String::new();
    }
    order.sort_by(|one, other| greatest(other, worth).total_cmp(&greatest(one, worth)));
    let top = order.first().map_or(0.0, |first| greatest(first, worth)).max(1e-9);
    let mut rows = Vec::new();
    for percept in order {
        let (_, line) = place(loaded, percept);
        for (index, (row, (_, value))) in percept.rows.iter().zip(&worth.values).enumerate() {
            let Some(text) = difference(value, &row.without, units) else { continue };
            let gain = row.without.as_ref().map_or(0.0, |without| value.value - without.value);
            rows.push((format!("line {line}: {} to {}", percept.source.says, row.role), gain, text, index));
        }
    }
    let height = ROW * rows.len() as f64 + 12.0;
    let middle = LEFT + (WIDTH - LEFT - RIGHT) / 2.0;
    let mut out = format!(
        "<figure>\n<figcaption>What a role loses without a percept</figcaption>\n<svg viewBox=\"0 0 {WIDTH} {height}\" \
         role=\"img\" aria-label=\"Bars; the table below says the same\">\n\
         <line class=\"grid\" x1=\"{middle}\" x2=\"{middle}\" y1=\"0\" y2=\"{height}\"/>\n"
    );
    for (at, (label, gain, text, index)) in rows.iter().enumerate() {
        let y = ROW * at as f64 + 6.0;
        let width = (WIDTH - LEFT - RIGHT) / 2.0 * (gain.abs() / top).min(1.0);
        let x = if *gain >= 0.0 { middle } else { middle - width };
        let label: String =
            if label.chars().count() > 44 { label.chars().take(43).chain(['…']).collect() } else { label.clone() };
        out += &format!(
            "<text class=\"tick\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             <rect class=\"role{}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{}\"/>\
             <text x=\"{}\" y=\"{:.1}\">{text}</text>\n",
            LEFT - 8.0,
            y + 12.0,
            page::escape(&label),
            index % 6,
            ROW - 8.0,
            WIDTH - RIGHT + 8.0,
            y + 12.0
        );
    }
    out + "</svg>\n</figure>\n"
}
