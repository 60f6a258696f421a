//! Matches in single decisions, as OpenSpiel plays them: chance first, then one player after the other (or all at once).
//! The adapter in `openspiel.py` adds only what OpenSpiel itself needs.
//!
//! A step of an adapter is much cheaper than a call into OpenSpiel and back, so a place counts the steps that OpenSpiel's
//! own record of the match lacks ([`Place::behind`]); the adapter repeats them when that record is needed.

pub mod tree;

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::border::{guard, plain};
use crate::objects::{Game, Role, State, role_of};
use tree::{CHANCE, Node, Step, Tree};

/// A game in single decisions.
#[pyclass(frozen, module = "percept._percept")]
pub struct Turns {
    tree: Arc<Tree>,
}

/// A place in a match of a [`Turns`].
#[pyclass(module = "percept._percept")]
#[derive(Clone)]
pub struct Place {
    tree: Arc<Tree>,
    node: Arc<Node>,
    /// The number of last steps that OpenSpiel does not know.
    #[pyo3(get)]
    behind: usize,
    /// True while the adapter repeats steps.
    #[pyo3(get, set)]
    repeating: bool,
}

#[pymethods]
impl Turns {
    #[new]
    fn new(
        py: Python<'_>,
        game: PyRef<'_, Game>,
        max_rounds: usize,
        simultaneous: bool,
        zero: f64,
        unit: f64,
        least: i64,
    ) -> PyResult<Turns> {
        guard(py, || {
            let tree = Tree::new(game.inner.clone(), max_rounds, simultaneous, [zero, unit], least);
            Ok(Turns { tree: Arc::new(tree) })
        })
    }

    /// The place before the first decision.
    fn root(&self, py: Python<'_>) -> PyResult<Place> {
        guard(py, || Ok(Place { node: self.tree.root(py)?, tree: self.tree.clone(), behind: 0, repeating: false }))
    }

    /// The place after these steps: moves of one, or lists of a move for each player.
    fn after(&self, py: Python<'_>, steps: Vec<Bound<'_, PyAny>>, behind: usize) -> PyResult<Place> {
        let mut place = self.root(py)?;
        for step in steps {
            match step.extract::<Vec<i64>>() {
                Ok(actions) => place.apply_all(py, actions)?,
                Err(_) => place.apply(py, step.extract()?)?,
            }
        }
        Ok(Place { behind, ..place })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let tree = &self.tree;
        let game = Game { inner: tree.inner.clone() };
        let made = (game, tree.max_rounds, tree.simultaneous, tree.zero, tree.unit, tree.least);
        Ok((py.get_type::<Turns>().into_any(), made.into_pyobject(py)?.into_any()))
    }

    fn __copy__<'py>(slf: Bound<'py, Self>) -> Bound<'py, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }
}

#[pymethods]
impl Place {
    /// The player who moves, as OpenSpiel numbers it; while steps are repeated, the one who made the next of them.
    #[getter]
    fn player(&self) -> i64 {
        match self.repeated() {
            Some((player, _)) if self.repeating => player,
            _ => self.node.player,
        }
    }

    #[getter]
    fn is_chance(&self) -> bool {
        self.node.player == CHANCE
    }

    #[getter]
    fn is_terminal(&self) -> bool {
        self.node.waiting.is_empty()
    }

    /// The legal moves of the player who moves, or the outcomes of chance; `None` at simultaneous nodes.
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        self.node.legal(py)
    }

    /// The legal moves of a player, if it has to move here.
    fn legal_of(&self, player: i64) -> Vec<usize> {
        self.node.legal_of(&self.tree, player).to_vec()
    }

    /// The outcomes of chance with their probabilities.
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.node.outcomes(py)
    }

    fn returns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        guard(py, || self.node.returns(py, &self.tree))
    }

    /// The knowledge of a player as text: equal for exactly the places that it cannot distinguish. Without a player, of
    /// the one who moves.
    #[pyo3(signature = (player=None))]
    fn knowledge<'py>(&self, py: Python<'py>, player: Option<i64>) -> PyResult<Bound<'py, PyString>> {
        guard(py, || self.node.knowledge(py, &self.tree, player.unwrap_or(self.node.player)))
    }

    /// Makes a move of the role that is next.
    fn apply(&mut self, py: Python<'_>, action: i64) -> PyResult<()> {
        guard(py, || {
            self.node = self.tree.child(py, &self.node, action)?;
            self.behind += 1;
            Ok(())
        })
    }

    /// Makes a move of each player at once.
    fn apply_all(&mut self, py: Python<'_>, actions: Vec<i64>) -> PyResult<()> {
        guard(py, || {
            self.node = self.tree.joint_child(py, &self.node, &actions)?;
            Ok(())
        })
    }

    /// The first step that OpenSpiel does not know: who made it, and the move.
    fn missing(&self, py: Python<'_>) -> PyResult<(i64, usize)> {
        self.repeated().ok_or_else(|| plain(py, "no step is missing"))
    }

    /// Counts steps of which OpenSpiel knows now.
    fn recorded(&mut self, steps: usize) {
        self.behind = self.behind.saturating_sub(steps);
    }

    /// The number of the round, from 0.
    #[getter]
    fn round(&self) -> usize {
        self.node.round.number
    }

    /// The roles that will choose in this round, in this order.
    #[getter]
    fn waiting(&self) -> Vec<&str> {
        self.node.waiting.iter().map(|role| self.tree.inner.game.roles[role.0 as usize].name.as_str()).collect()
    }

    /// The numbers of a role's legal moves at the beginning of this round.
    fn options(&self, py: Python<'_>, role: Role) -> PyResult<Vec<usize>> {
        let role = role_of(py, &self.tree.inner.game, &role)?;
        Ok(self.node.round.legal[role.0 as usize].clone())
    }

    /// The moves of this round so far by role, those without a choice included.
    fn chosen<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let chosen = PyDict::new(py);
        for (role, number) in self.tree.inner.game.roles.iter().zip(&self.node.chosen) {
            if let Some(number) = number {
                chosen.set_item(&role.name, number)?;
            }
        }
        Ok(chosen)
    }

    /// The state at the beginning of this round.
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        guard(py, || Ok(self.node.state(&self.tree)))
    }

    /// All moves so far, those of players at once one after the other.
    fn history(&self) -> Vec<usize> {
        let moves = |step| match step {
            Step::One(_, action) => vec![action],
            Step::All(actions) => actions,
        };
        self.node.steps().into_iter().flat_map(moves).collect()
    }

    /// An independent copy.
    fn copy(&self) -> Place {
        self.clone()
    }

    fn __copy__(&self) -> Place {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: Bound<'_, PyAny>) -> Place {
        self.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let steps = PyList::empty(py);
        for step in self.node.steps() {
            match step {
                Step::One(_, action) => steps.append(action)?,
                Step::All(actions) => steps.append(actions)?,
            }
        }
        let turns = Turns { tree: self.tree.clone() };
        let again = py.get_type::<Turns>().getattr("after")?;
        Ok((again, (turns, steps, self.behind).into_pyobject(py)?.into_any()))
    }
}

impl Place {
    fn repeated(&self) -> Option<(i64, usize)> {
        let mut node = &self.node;
        for _ in 1..self.behind {
            node = &node.before.as_ref()?.0;
        }
        match node.before.as_ref().filter(|_| self.behind > 0)?.1 {
            Step::One(player, action) => Some((player, action)),
            Step::All(_) => None,
        }
    }
}
