//! The drawing of a tree as SVG.

use std::collections::HashMap;

use super::Picture;
use crate::clean::escape;

/// The distances between leaves and between levels, and the radius of a node.
const ACROSS: f64 = 64.0;
/// The greatest distance between leaves with long labels, and the width of a letter.
const FAR: f64 = 176.0;
const LETTER: f64 = 5.8;
const DOWN: f64 = 84.0;
const RADIUS: f64 = 7.0;
/// The colours of players; they can be read on white and on black.
const COLOURS: [&str; 6] = ["#3b82f6", "#d97706", "#16a34a", "#db2777", "#8b5cf6", "#0891b2"];

/// The role that decides at a place.
pub(super) enum Mover {
    /// The dice.
    Chance,
    /// A player, by number.
    Player(usize),
    /// The match is over, with the goals of the players.
    End(Vec<String>),
}

/// A drawn node.
pub(super) struct Place {
    pub who: Mover,
    /// The move that leads here.
    pub above: Option<Edge>,
    /// The knowledge of who decides; empty for chance and ends.
    pub knows: String,
    /// The same in words; two sets may have the same words.
    pub words: String,
    pub level: usize,
    pub x: f64,
    pub is_cut: bool,
}

/// A move from one node to another.
pub(super) struct Edge {
    /// The node above.
    pub from: usize,
    /// The move in words, and as a term.
    pub label: String,
    pub term: String,
    pub probability: Option<f64>,
}

/// The places of a tree.
pub(super) struct Drawing {
    /// The names of the players.
    pub players: Vec<String>,
    pub places: Vec<Place>,
    pub leaves: usize,
}

impl Drawing {
    /// The horizontal place of the next leaf.
    pub(super) fn leaf(&mut self) -> f64 {
        self.leaves += 1;
        (self.leaves as f64 - 0.5) * ACROSS
    }

    pub(super) fn picture(mut self, title: &str) -> Picture {
        let across = self.spread();
        let (width, height) = (
            self.leaves.max(1) as f64 * across,
            (self.places.iter().map(|it| it.level).max().unwrap_or(0) as f64) * DOWN + 100.0,
        );
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" aria-label=\"Tree of {}\" font-family=\"sans-serif\" font-size=\"11\" \
             fill=\"currentColor\"><style>svg:root{{color-scheme:light dark;color:CanvasText}}</style>",
            escape(title)
        );
        let sets = self.sets(&mut out);
        for place in &self.places {
            self.edge(&mut out, place);
        }
        for place in &self.places {
            self.node(&mut out, place);
        }
        self.legend(&mut out, height);
        out += "</svg>";
        let complete = self.places.iter().all(|it| !it.is_cut);
        Picture { svg: out, nodes: self.places.len(), sets, complete }
    }

    /// Moves the nodes apart if words are long; returns the distance between leaves.
    fn spread(&mut self) -> f64 {
        let is_said = |edge: &&Edge| edge.label != edge.term;
        let labels = self.places.iter().filter_map(|place| place.above.as_ref()).filter(is_said);
        let longest = labels.map(|edge| edge.label.chars().count()).max().unwrap_or(0);
        let across = (longest as f64 * LETTER + 8.0).clamp(ACROSS, FAR);
        self.places.iter_mut().for_each(|place| place.x *= across / ACROSS);
        across
    }

    fn y(place: &Place) -> f64 {
        place.level as f64 * DOWN + 24.0
    }

    /// Draws the ovals around information sets, and counts the sets.
    fn sets(&self, out: &mut String) -> usize {
        let mut sets: HashMap<(usize, &str), Vec<&Place>> = HashMap::new();
        let mut order = Vec::new();
        for place in &self.places {
            let Mover::Player(player) = place.who else { continue };
            let key = (player, place.knows.as_str());
            let set = sets.entry(key).or_default();
            if set.is_empty() {
                order.push(key);
            }
            set.push(place);
        }
        for (number, key) in order.iter().enumerate() {
            let set = &sets[key];
            if let [_] = set[..] {
                continue;
            }
            let (colour, says) = (colour(key.0), escape(&set[0].words));
            // Ovals on the same level may overlap: they differ in height.
            let tall = RADIUS + 5.0 + 4.0 * (number % 4) as f64;
            let level = set[0].level;
            let title = format!("<title>{says}</title>");
            let style = format!(
                "fill=\"{colour}\" fill-opacity=\"0.06\" stroke=\"{colour}\" stroke-dasharray=\"5 3\" class=\"set\""
            );
            if set.iter().all(|it| it.level == level) {
                let (first, last) = (set[0].x, set[set.len() - 1].x);
                *out += &format!(
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{tall}\" {style}>{title}</rect>",
                    first - tall,
                    Self::y(set[0]) - tall,
                    last - first + 2.0 * tall,
                    2.0 * tall
                );
            } else {
                let points: Vec<String> = set.iter().map(|it| format!("{:.1},{:.1}", it.x, Self::y(it))).collect();
                *out += &format!(
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-opacity=\"0.35\" \
                     stroke-width=\"{:.1}\" stroke-linecap=\"round\" class=\"set\">{title}</polyline>",
                    points.join(" "),
                    2.0 * tall
                );
            }
        }
        order.len()
    }

    fn edge(&self, out: &mut String, place: &Place) {
        let Some(Edge { from, label, term, probability }) = &place.above else { return };
        let from = &self.places[*from];
        let (x1, y1, x2, y2) = (from.x, Self::y(from) + RADIUS, place.x, Self::y(place) - RADIUS);
        let wide = probability.map_or(1.0, |it| 0.6 + 2.4 * it);
        *out += &format!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"currentColor\" \
             stroke-opacity=\"0.5\" stroke-width=\"{wide:.2}\"/>"
        );
        // Labels stand near the lower end, where the edges of a node are apart.
        let (x, y) = (x1 + (x2 - x1) * 0.7, y1 + (y2 - y1) * 0.7);
        let title = if label == term { String::new() } else { format!("<title>{}</title>", escape(term)) };
        let share = probability.map(|it| format!("<tspan x=\"{x:.1}\" dy=\"1.1em\">{}</tspan>", written(it)));
        *out += &format!(
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{title}{}{}</text>",
            y - 4.0,
            escape(label),
            share.unwrap_or_default()
        );
    }

    fn node(&self, out: &mut String, place: &Place) {
        let (x, y) = (place.x, Self::y(place));
        let title = format!("<title>{}</title>", escape(&place.words));
        match &place.who {
            Mover::End(goals) => {
                let mut lines = String::new();
                for (at, goals) in goals.iter().enumerate() {
                    let down = if at == 0 { "0" } else { "1.1" };
                    lines += &format!(
                        "<tspan x=\"{x:.1}\" dy=\"{down}em\" fill=\"{}\">{}</tspan>",
                        colour(at),
                        if goals.is_empty() { "-" } else { goals }
                    );
                }
                *out += &format!("<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{lines}</text>", y + 4.0);
                return;
            }
            Mover::Chance => {
                let (left, top, size) = (x - RADIUS + 1.0, y - RADIUS + 1.0, 2.0 * RADIUS - 2.0);
                *out += &format!(
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{size}\" height=\"{size}\" fill=\"currentColor\"/>"
                );
            }
            Mover::Player(player) => {
                let colour = colour(*player);
                *out +=
                    &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\" fill=\"{colour}\">{title}</circle>");
            }
        }
        if place.is_cut {
            *out += &format!("<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">…</text>", y + 20.0);
        }
    }

    fn legend(&self, out: &mut String, height: f64) {
        let mut x = 12.0;
        for (at, name) in self.players.iter().enumerate() {
            let y = height - 14.0;
            *out += &format!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"{}\"/><text x=\"{}\" y=\"{}\">{}</text>",
                colour(at),
                x + 9.0,
                y + 4.0,
                escape(name)
            );
            x += 24.0 + 7.0 * name.chars().count() as f64;
        }
    }
}

fn colour(player: usize) -> &'static str {
    COLOURS[player % COLOURS.len()]
}

/// A probability: `1/6` if it is one of the equal shares of chance, else with three digits.
fn written(probability: f64) -> String {
    let shares = (1.0 / probability).round();
    if probability > 0.0 && probability < 1.0 && (shares * probability - 1.0).abs() < 1e-9 {
        format!("1/{shares}")
    } else {
        let text = format!("{probability:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    }
}
