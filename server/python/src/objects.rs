//! The objects of Python: games, matches so far, views. Their methods are in `game`, `state` and `knowledge`.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use percept_game::{JointMove, PerceptId, PogddlTerminal, RoleId};
use percept_report::board::Layout;
use percept_report::load::File;
use pyo3::prelude::*;

use crate::border::{error, too_large};
use crate::spaces::Spaces;

/// A game with the files from which it was made.
pub struct Inner {
    pub game: percept_game::Game,
    pub files: Vec<File>,
    pub terminal: Option<PogddlTerminal>,
    pub spaces: OnceLock<Result<Spaces, String>>,
    pub layout: OnceLock<Layout>,
}

impl Inner {
    /// The name of the file (of the problem) without its ending.
    pub fn name(&self) -> String {
        let path = self.files.last().map(|(path, _)| path.clone()).unwrap_or_default();
        path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// All moves and percepts.
    ///
    /// # Errors
    /// The game is too large to ground.
    pub fn spaces(&self) -> Result<&Spaces, String> {
        self.spaces.get_or_init(|| Spaces::new(&self.game)).as_ref().map_err(Clone::clone)
    }
}

/// A game: roles and rules.
#[pyclass(frozen, module = "percept", weakref)]
pub struct Game {
    pub inner: Arc<Inner>,
}

/// A match so far.
#[pyclass(module = "percept")]
#[derive(Clone)]
pub struct State {
    pub inner: Arc<Inner>,
    pub state: percept_game::State,
    pub moves: Vec<JointMove>,
    /// The percepts, by round and role.
    pub percepts: Vec<Vec<Vec<PerceptId>>>,
    pub terminal: bool,
}

/// The knowledge of a role in a match: its own moves and its percepts, round by round.
#[pyclass(frozen, module = "percept")]
pub struct View {
    pub inner: Arc<Inner>,
    pub view: percept_infoset::View,
}

/// A role by its name or its number.
#[derive(FromPyObject)]
pub enum Role {
    /// The number of the role, from 0, in the order of declaration.
    Number(usize),
    /// The name of the role, regardless of case.
    Name(String),
}

/// The role with this name or number.
///
/// # Errors
/// Lists the existing roles.
pub fn role_of(py: Python<'_>, game: &percept_game::Game, role: &Role) -> PyResult<RoleId> {
    let found = match role {
        Role::Number(number) if *number < game.roles.len() => Some(RoleId(*number as u16)),
        Role::Number(_) => None,
        Role::Name(name) => game.role(name),
    };
    found.ok_or_else(|| {
        let name = match role {
            Role::Number(number) => number.to_string(),
            Role::Name(name) => name.clone(),
        };
        let names: Vec<&str> = game.roles.iter().map(|role| role.name.as_str()).collect();
        let message = format!("`{name}` is not a role; the roles are {}", names.join(", "));
        error(py, "UnknownNameError", (message, name))
    })
}

/// The name of a move, including the move of a role that is not in turn.
pub fn name_of(game: &percept_game::Game, role: RoleId, mv: percept_game::MoveId) -> String {
    if mv == percept_game::MoveId::NOOP { "noop".to_string() } else { game.rules.move_name(role, mv) }
}

/// Checks that no rule exceeded a limit of evaluation, so that the answer is right.
///
/// # Errors
/// A rule exceeded a limit.
pub fn sound(py: Python<'_>, game: &percept_game::Game) -> PyResult<()> {
    game.rules.fault().map_or(Ok(()), |fault| Err(too_large(py, fault)))
}

/// The time `seconds` from now.
pub fn deadline(seconds: Option<f64>) -> Option<Instant> {
    seconds.and_then(|it| Duration::try_from_secs_f64(it).ok()).and_then(|time| Instant::now().checked_add(time))
}
