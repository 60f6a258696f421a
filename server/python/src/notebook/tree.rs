//! The tree of a game as a picture: decisions from top to bottom, with an oval around the places that a player cannot
//! distinguish.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use percept_game::RoleId;
use pyo3::prelude::*;

use crate::border::{error, guard, too_large};
use crate::html::{escape, page};
use crate::objects::Game;
use crate::solving::Solution;
use crate::turns::tree::{CHANCE, Node, Tree};

/// The most nodes of a picture.
const MOST: usize = 3_000;
/// The rounds of a match without an end.
const ROUNDS: usize = 10_000;
/// The distances between leaves and between levels, and the radius of a node.
const ACROSS: f64 = 64.0;
const DOWN: f64 = 84.0;
const RADIUS: f64 = 7.0;
/// The colours of players; they can be read on white and on black.
const COLOURS: [&str; 6] = ["#3b82f6", "#d97706", "#16a34a", "#db2777", "#8b5cf6", "#0891b2"];

/// The tree of a game, as a picture for a notebook or a file.
#[pyclass(frozen, module = "percept")]
pub struct TreePicture {
    #[pyo3(get)]
    svg: String,
    nodes: usize,
    /// The number of information sets with a choice.
    #[pyo3(get)]
    sets: usize,
    /// True if every branch is drawn to its end.
    #[pyo3(get)]
    complete: bool,
}

#[pymethods]
impl TreePicture {
    fn __len__(&self) -> usize {
        self.nodes
    }

    /// Writes the picture into a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        std::fs::write(&path, &self.svg)
            .map_err(|why| error(py, "LoadError", (format!("cannot write {}: {why}", path.display()),)))
    }

    fn _repr_svg_(&self) -> &str {
        &self.svg
    }

    fn _repr_html_(&self) -> String {
        page(&format!("<div style=\"overflow:auto\">{}</div>", self.svg))
    }

    fn __repr__(&self) -> String {
        let depth = if self.complete { "" } else { ", cut off" };
        format!("<TreePicture of {} nodes and {} information sets{depth}>", self.nodes, self.sets)
    }
}

#[pymethods]
impl Game {
    /// Draws the tree of the game down to a number of decisions: who decides, the moves, the probabilities of chance
    /// (and of a solution), and a dashed oval around the places that a player cannot distinguish.
    #[pyo3(signature = (depth=None, *, solution=None))]
    fn tree(
        &self,
        py: Python<'_>,
        depth: Option<usize>,
        solution: Option<PyRef<'_, Solution>>,
    ) -> PyResult<TreePicture> {
        guard(py, || {
            let tree = Tree::new(self.inner.clone(), ROUNDS, false, [0.0, 1.0], 0);
            let mut drawing = Drawing { tree: &tree, solution: solution.as_deref(), places: Vec::new(), leaves: 0 };
            let root = tree.root(py)?;
            drawing.place(py, &root, None, depth.unwrap_or(usize::MAX), 0)?;
            Ok(drawing.picture())
        })
    }
}

/// A drawn node.
struct Place {
    node: Arc<Node>,
    /// The node above, with the label of the edge.
    above: Option<(usize, String, Option<f64>)>,
    /// The knowledge of who decides; empty for chance and ends.
    knows: String,
    level: usize,
    x: f64,
    is_cut: bool,
}

struct Drawing<'a> {
    tree: &'a Tree,
    solution: Option<&'a Solution>,
    places: Vec<Place>,
    leaves: usize,
}

impl Drawing<'_> {
    /// Places a node and all below it; returns its number.
    fn place(
        &mut self,
        py: Python<'_>,
        node: &Arc<Node>,
        above: Option<(usize, String, Option<f64>)>,
        depth: usize,
        level: usize,
    ) -> PyResult<usize> {
        let number = self.places.len();
        if number >= MOST {
            let message = format!("the tree has more than {MOST} nodes: draw it to a smaller `depth`");
            return Err(too_large(py, message));
        }
        py.check_signals()?;
        let knows =
            if node.player >= 0 { node.knowledge(py, self.tree, node.player)?.to_string() } else { String::new() };
        let is_cut = depth == 0 && !node.waiting.is_empty();
        self.places.push(Place { node: node.clone(), above, knows, level, x: 0.0, is_cut });
        let x = match node.waiting.first() {
            Some(&role) if !is_cut => {
                let solved = self.solved(node, role);
                let legal = node.round.legal[role.0 as usize].clone();
                let even = (node.player == CHANCE).then(|| 1.0 / legal.len() as f64);
                let (mut first, mut last) = (f64::MAX, 0.0);
                for action in legal {
                    let name = self.tree.move_name(py, role, action)?;
                    let probability = even.or_else(|| solved.iter().find(|it| it.0 == name).map(|it| it.1));
                    let child = self.tree.child(py, node, action as i64)?;
                    let at = self.place(py, &child, Some((number, name, probability)), depth - 1, level + 1)?;
                    first = self.places[at].x.min(first);
                    last = self.places[at].x;
                }
                f64::midpoint(first, last)
            }
            _ => {
                self.leaves += 1;
                (self.leaves as f64 - 0.5) * ACROSS
            }
        };
        self.places[number].x = x;
        Ok(number)
    }

    /// The probabilities of the moves of the solution at a node, by name.
    fn solved(&self, node: &Node, role: RoleId) -> Vec<(String, f64)> {
        let Some(solution) = self.solution.filter(|_| node.player >= 0) else { return Vec::new() };
        let game = &self.tree.inner.game;
        let moves = solution.strategy.at(game, &node.state(self.tree).view_of(role)).unwrap_or_default();
        moves.iter().map(|(mv, probability)| (mv.clone(), *probability)).collect()
    }

    fn picture(&self) -> TreePicture {
        let (width, height) = (
            self.leaves.max(1) as f64 * ACROSS,
            (self.places.iter().map(|it| it.level).max().unwrap_or(0) as f64) * DOWN + 100.0,
        );
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" aria-label=\"Tree of {}\" font-family=\"sans-serif\" font-size=\"11\" \
             fill=\"currentColor\"><style>svg:root{{color-scheme:light dark;color:CanvasText}}</style>",
            escape(&self.tree.inner.name())
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
        TreePicture { svg: out, nodes: self.places.len(), sets, complete }
    }

    fn y(place: &Place) -> f64 {
        place.level as f64 * DOWN + 24.0
    }

    /// Draws the ovals around information sets, and counts the sets.
    fn sets(&self, out: &mut String) -> usize {
        let mut sets: HashMap<(i64, &str), Vec<&Place>> = HashMap::new();
        let mut order = Vec::new();
        for place in self.places.iter().filter(|it| it.node.player >= 0) {
            let key = (place.node.player, place.knows.as_str());
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
            let (colour, says) = (colour(key.0), escape(key.1));
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
        let Some((above, name, probability)) = &place.above else { return };
        let from = &self.places[*above];
        let (x1, y1, x2, y2) = (from.x, Self::y(from) + RADIUS, place.x, Self::y(place) - RADIUS);
        let wide = probability.map_or(1.0, |it| 0.6 + 2.4 * it);
        *out += &format!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"currentColor\" \
             stroke-opacity=\"0.5\" stroke-width=\"{wide:.2}\"/>"
        );
        // Labels stand near the lower end, where the edges of a node are apart.
        let (x, y) = (x1 + (x2 - x1) * 0.7, y1 + (y2 - y1) * 0.7);
        let share = probability.map(|it| format!("<tspan x=\"{x:.1}\" dy=\"1.1em\">{}</tspan>", written(it)));
        *out += &format!(
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}{}</text>",
            y - 4.0,
            escape(name),
            share.unwrap_or_default()
        );
    }

    fn node(&self, out: &mut String, place: &Place) {
        let (x, y, game) = (place.x, Self::y(place), &self.tree.inner.game);
        if place.node.waiting.is_empty() {
            let mut lines = String::new();
            for (at, &role) in self.tree.players.iter().enumerate() {
                let goals: Vec<String> =
                    game.rules.goals(&place.node.state(self.tree).state, role).iter().map(i64::to_string).collect();
                lines += &format!(
                    "<tspan x=\"{x:.1}\" dy=\"{}em\" fill=\"{}\">{}</tspan>",
                    if at == 0 { "0" } else { "1.1" },
                    colour(at as i64),
                    if goals.is_empty() { "-".to_string() } else { goals.join(" ") }
                );
            }
            *out += &format!("<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{lines}</text>", y + 4.0);
            return;
        }
        let title = format!("<title>{}</title>", escape(&place.knows));
        if place.node.player == CHANCE {
            let (left, top, size) = (x - RADIUS + 1.0, y - RADIUS + 1.0, 2.0 * RADIUS - 2.0);
            *out += &format!(
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{size}\" height=\"{size}\" fill=\"currentColor\"/>"
            );
        } else {
            let colour = colour(place.node.player);
            *out += &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\" fill=\"{colour}\">{title}</circle>");
        }
        if place.is_cut {
            *out += &format!("<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">…</text>", y + 20.0);
        }
    }

    fn legend(&self, out: &mut String, height: f64) {
        let mut x = 12.0;
        let names = self.tree.players.iter().map(|role| self.tree.inner.game.roles[role.0 as usize].name.as_str());
        for (at, name) in names.enumerate() {
            let y = height - 14.0;
            *out += &format!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"{}\"/><text x=\"{}\" y=\"{}\">{}</text>",
                colour(at as i64),
                x + 9.0,
                y + 4.0,
                escape(name)
            );
            x += 24.0 + 7.0 * name.chars().count() as f64;
        }
    }
}

fn colour(player: i64) -> &'static str {
    usize::try_from(player).map_or("currentColor", |at| COLOURS[at % COLOURS.len()])
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
