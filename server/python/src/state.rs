//! States: a match so far, with the percepts of every role.

use std::sync::Arc;

use percept_game::{JointMove, MoveId, PerceptId, RoleId};
use percept_infoset::{MatchError, View as KnownView};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySequence, PyString};

use crate::border::{error, guard};
use crate::objects::{Game, Inner, Role, State, View, name_of, role_of, sound};

impl State {
    /// The state before the first move.
    pub fn initial(inner: &Arc<Inner>) -> State {
        let state = inner.game.rules.initial();
        let terminal = inner.game.rules.terminal(&state);
        State { inner: inner.clone(), state, moves: Vec::new(), percepts: Vec::new(), terminal }
    }

    /// The state after these moves.
    ///
    /// # Errors
    /// The first move that is not legal.
    pub fn replay(inner: &Arc<Inner>, moves: &[JointMove]) -> Result<State, MatchError> {
        let mut state = State::initial(inner);
        for joint in moves {
            state.advance(joint)?;
        }
        Ok(state)
    }

    /// The legal moves of a role; none if the match is over.
    pub fn legal_moves(&self, role: RoleId) -> Vec<MoveId> {
        if self.terminal { Vec::new() } else { self.inner.game.rules.legal(&self.state, role) }
    }

    /// Makes a joint move if it is legal; else changes nothing.
    fn advance(&mut self, joint: &[MoveId]) -> Result<(), MatchError> {
        let (game, round) = (&self.inner.game, self.moves.len() + 1);
        if self.terminal {
            return Err(MatchError::AfterEnd { round });
        }
        if joint.len() != game.roles.len() {
            return Err(MatchError::WrongWidth { round, expected: game.roles.len(), found: joint.len() });
        }
        // A cursor computes the state's part of the rules once for all roles.
        let mut at = game.at(&self.state);
        for (role, &mv) in game.role_ids().zip(joint) {
            let legal = at.legal(role);
            if !legal.contains(&mv) {
                return Err(self.illegal(role, name_of(game, role, mv), &legal));
            }
        }
        let seen = game.role_ids().map(|role| at.percepts(joint, role)).collect();
        at.step(joint);
        self.state = at.state().clone();
        self.terminal = at.is_terminal();
        self.percepts.push(seen);
        self.moves.push(joint.to_vec());
        Ok(())
    }

    fn illegal(&self, role: RoleId, mv: String, legal: &[MoveId]) -> MatchError {
        let game = &self.inner.game;
        MatchError::Illegal {
            round: self.moves.len() + 1,
            role: game.roles[role.0 as usize].name.clone(),
            mv,
            legal: legal.iter().map(|&mv| name_of(game, role, mv)).collect(),
        }
    }

    /// The move of a role by its name.
    fn named(&self, role: RoleId, name: &str) -> Result<MoveId, MatchError> {
        let game = &self.inner.game;
        let legal = self.legal_moves(role);
        // In POGDDL the roles that are not in turn make this move.
        let noop = (name == "noop" && legal == [MoveId::NOOP]).then_some(MoveId::NOOP);
        let found = noop.or_else(|| game.rules.find_move(role, name)).filter(|mv| legal.contains(mv));
        found.ok_or_else(|| self.illegal(role, name.to_string(), &legal))
    }

    /// The move of a role that has only one.
    fn only(&self, role: RoleId) -> Result<MoveId, MatchError> {
        match self.legal_moves(role)[..] {
            [only] => Ok(only),
            ref legal => Err(self.illegal(role, "nothing".to_string(), legal)),
        }
    }

    /// The view of a role.
    pub fn view_of(&self, role: RoleId) -> KnownView {
        let own = |joint: &JointMove| self.inner.game.own_move(role, joint);
        let round = |(joint, seen): (&JointMove, &Vec<Vec<PerceptId>>)| percept_infoset::Round {
            own: own(joint),
            percepts: seen[role.0 as usize].clone(),
        };
        KnownView { role, rounds: self.moves.iter().zip(&self.percepts).map(round).collect() }
    }

    /// Reads a joint move in one of the forms of Python.
    fn joint(&self, moves: &Bound<'_, PyAny>) -> PyResult<Result<JointMove, MatchError>> {
        let (py, game) = (moves.py(), &self.inner.game);
        if self.terminal {
            return Ok(Err(MatchError::AfterEnd { round: self.moves.len() + 1 }));
        }
        if let Ok(named) = moves.cast::<PyDict>() {
            let mut given: Vec<Option<String>> = vec![None; game.roles.len()];
            for (role, mv) in named {
                given[role_of(py, game, &role.extract()?)?.0 as usize] = Some(mv.extract()?);
            }
            let make = |(role, name): (RoleId, &Option<String>)| match name {
                Some(name) => self.named(role, name),
                None => self.only(role),
            };
            return Ok(game.role_ids().zip(&given).map(make).collect());
        }
        if let Ok(action) = moves.cast::<PyString>() {
            let action = action.to_str()?;
            let turn: Vec<RoleId> = game.role_ids().filter(|&role| self.legal_moves(role) != [MoveId::NOOP]).collect();
            let [turn] = turn[..] else {
                let message = "several roles move: name the move of each, as a list or a dict";
                return Err(error(py, "IllegalMoveError", (message,)));
            };
            let make = |role| if role == turn { self.named(role, action) } else { self.only(role) };
            return Ok(game.role_ids().map(make).collect());
        }
        let listed = moves.cast::<PySequence>()?;
        let names: Vec<String> = listed.extract()?;
        if names.len() != game.roles.len() {
            let round = self.moves.len() + 1;
            return Ok(Err(MatchError::WrongWidth { round, expected: game.roles.len(), found: names.len() }));
        }
        Ok(game.role_ids().zip(&names).map(|(role, name)| self.named(role, name)).collect())
    }
}

#[pymethods]
impl State {
    #[getter]
    fn game(&self) -> Game {
        Game { inner: self.inner.clone() }
    }

    /// The number of rounds played.
    #[getter]
    fn round(&self) -> usize {
        self.moves.len()
    }

    #[getter]
    fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// The move of each role in each round, by name.
    #[getter]
    fn history(&self) -> Vec<Vec<String>> {
        let game = &self.inner.game;
        let round = |joint: &JointMove| game.role_ids().zip(joint).map(|(role, &mv)| name_of(game, role, mv)).collect();
        self.moves.iter().map(round).collect()
    }

    /// The names of a role's legal moves; none if the match is over.
    fn legal(&self, py: Python<'_>, role: Role) -> PyResult<Vec<String>> {
        guard(py, || {
            let (game, role) = (&self.inner.game, role_of(py, &self.inner.game, &role)?);
            let legal = self.legal_moves(role);
            sound(py, game)?;
            Ok(legal.into_iter().map(|mv| name_of(game, role, mv)).collect())
        })
    }

    /// The numbers of a role's legal moves, in ascending order.
    fn legal_ids(&self, py: Python<'_>, role: Role) -> PyResult<Vec<usize>> {
        guard(py, || {
            let role = role_of(py, &self.inner.game, &role)?;
            let spaces = self.inner.spaces().map_err(|why| crate::border::too_large(py, why))?;
            let mut ids: Vec<usize> =
                self.legal_moves(role).into_iter().filter_map(|mv| spaces.numbers.of_move(role, mv)).collect();
            ids.sort_unstable();
            Ok(ids)
        })
    }

    /// Makes a joint move.
    fn step(&mut self, py: Python<'_>, moves: &Bound<'_, PyAny>) -> PyResult<()> {
        guard(py, || {
            let joint = self.joint(moves)?;
            joint.and_then(|joint| self.advance(&joint)).map_err(|why| crate::border::no_match(py, &why))?;
            sound(py, &self.inner.game)
        })
    }

    /// Makes a joint move given by the numbers of its moves, one per role.
    fn step_ids(&mut self, py: Python<'_>, moves: Vec<usize>) -> PyResult<()> {
        guard(py, || {
            let inner = self.inner.clone();
            let spaces = inner.spaces().map_err(|why| crate::border::too_large(py, why))?;
            let round = self.moves.len() + 1;
            let mut joint = Vec::with_capacity(moves.len());
            for (role, &number) in inner.game.role_ids().zip(&moves) {
                let Some(&mv) = spaces.numbers.moves[role.0 as usize].get(number) else {
                    let why = self.illegal(role, format!("number {number}"), &self.legal_moves(role));
                    return Err(crate::border::no_match(py, &why));
                };
                joint.push(mv);
            }
            if moves.len() != inner.game.roles.len() {
                let why = MatchError::WrongWidth { round, expected: inner.game.roles.len(), found: moves.len() };
                return Err(crate::border::no_match(py, &why));
            }
            self.advance(&joint).map_err(|why| crate::border::no_match(py, &why))
        })
    }

    /// The goal of every role that chooses: the one value that the rules give it here, else `None`.
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        guard(py, || {
            let goals = PyDict::new(py);
            let game = &self.inner.game;
            for (role, about) in game.role_ids().zip(&game.roles).filter(|(_, about)| !about.is_chance) {
                let values = game.rules.goals(&self.state, role);
                let one = if let [one] = values[..] { Some(one) } else { None };
                goals.set_item(&about.name, one)?;
            }
            Ok(goals)
        })
    }

    /// The names of the fluents that hold.
    fn facts(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        guard(py, || Ok(self.state.fluents().map(|it| self.inner.game.rules.fluent_name(it)).collect()))
    }

    /// The numeric fluents (POGDDL) with their values.
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        guard(py, || {
            let numbers = PyDict::new(py);
            for (name, value) in self.inner.game.rules.register_names().iter().zip(&self.state.registers) {
                numbers.set_item(name, value)?;
            }
            Ok(numbers)
        })
    }

    /// The percepts of a role in the last round; empty before the first round.
    fn percepts(&self, py: Python<'_>, role: Role) -> PyResult<Vec<String>> {
        guard(py, || {
            let (game, role) = (&self.inner.game, role_of(py, &self.inner.game, &role)?);
            let last = self.percepts.last().map(|seen| &seen[role.0 as usize][..]).unwrap_or_default();
            Ok(last.iter().map(|&it| game.rules.percept_name(role, it)).collect())
        })
    }

    /// The view of a role, which is all of its knowledge.
    fn view(&self, py: Python<'_>, role: Role) -> PyResult<View> {
        guard(py, || {
            let role = role_of(py, &self.inner.game, &role)?;
            Ok(View { inner: self.inner.clone(), view: self.view_of(role) })
        })
    }

    /// An independent copy.
    #[pyo3(name = "clone")]
    fn copy(&self) -> State {
        self.clone()
    }

    /// The match as a trace, which `Game.deserialize` and `percept step` read.
    fn serialize(&self, py: Python<'_>) -> PyResult<String> {
        guard(py, || Ok(percept_game::trace::write_rounds(&self.inner.game, &self.moves)))
    }

    fn __copy__(&self) -> State {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: Bound<'_, PyAny>) -> State {
        self.clone()
    }

    fn __eq__(&self, other: PyRef<'_, State>) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner) && self.moves == other.moves
    }

    #[expect(clippy::type_complexity, reason = "what pickle wants")]
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>, String))> {
        let py = slf.py();
        let again = py.import("percept._percept")?.getattr("Game")?.getattr("deserialize")?;
        let game = slf.getattr("game")?;
        let text = slf.borrow().serialize(py)?;
        Ok((again, (game, text)))
    }
}
