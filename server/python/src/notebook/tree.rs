//! The tree of a game as a picture: decisions from top to bottom, with an oval around the places that a player cannot
//! distinguish.

use std::path::PathBuf;

use percept_infoset::{Budget, View};
use percept_report::tree::{TreeError, draw};
use pyo3::prelude::*;

use crate::border::{error, guard, plain, too_large};
use crate::html::page;
use crate::objects::Game;
use crate::solving::Solution;

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
            let game = &self.inner.game;
            let behaviour = |view: &View| {
                let moves = solution.as_ref().and_then(|solution| solution.strategy.at(game, view));
                moves.map(|moves| moves.to_vec()).unwrap_or_default()
            };
            let drawn =
                draw(game, &self.inner.layout().speech, &self.inner.name(), depth, &behaviour, &Budget::default());
            let picture = drawn.map_err(|why| match why {
                TreeError::TooLarge => too_large(py, why),
                _ => plain(py, why.to_string()),
            })?;
            let percept_report::tree::Picture { svg, nodes, sets, complete } = picture;
            Ok(TreePicture { svg, nodes, sets, complete })
        })
    }
}
