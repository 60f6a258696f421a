//! Many matches at once: random ones played to their end, and batches of states that advance together.

use std::sync::Arc;

use percept_game::RoleId;
use percept_game::batch::{self, Illegal, NO_GOAL, NO_MOVE, Numbers};
use percept_game::play::{Limits, run};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyMemoryView, PySlice};
use rayon::prelude::*;

use crate::border::{error, guard, plain, too_large, work};
use crate::objects::{Game, Inner, Role, role_of};

/// The memory limit of a batch, in bytes.
const MOST_BYTES: usize = 4 << 30;

/// The multiple of bytes at which the memory of an array begins: JAX shares only such memory, and copies any other.
const ALIGNED: usize = 64;

/// Converts bytes to a Python array: `shape` items of the format `item` of the module `struct`. Its memory can be
/// written, because DLPack has no older way to say that it cannot.
fn array<'py>(py: Python<'py>, bytes: &[u8], item: &str, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let mut first = 0;
    let held = PyByteArray::new_with(py, bytes.len() + ALIGNED - 1, |room| {
        first = room.as_ptr().align_offset(ALIGNED);
        room[first..first + bytes.len()].copy_from_slice(bytes);
        Ok(())
    })?;
    let (first, end) = (first as isize, (first + bytes.len()) as isize);
    let view = PyMemoryView::from(held.as_any())?.get_item(PySlice::new(py, first, end, 1))?;
    // An array without items cannot be cast to a shape.
    if shape.contains(&0) { view.call_method1("cast", (item,)) } else { view.call_method1("cast", (item, shape)) }
}

/// Creates a pool of `threads` threads; 0 means all available ones.
fn pool(threads: usize) -> Result<rayon::ThreadPool, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| format!("no threads could be started: {error}"))
}

/// Random matches, played to their end.
#[pyclass(frozen, module = "percept")]
pub struct Matches {
    roles: usize,
    /// The names of the roles.
    names: Vec<String>,
    rounds: Vec<u32>,
    terminal: Vec<u8>,
    /// The goals, by match and role.
    goals: Vec<i32>,
}

#[pymethods]
impl Matches {
    fn __len__(&self) -> usize {
        self.rounds.len()
    }

    /// The number of rounds of each match.
    #[getter]
    fn rounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, bytemuck::cast_slice(&self.rounds), "I", &[self.rounds.len()])
    }

    /// True for each match that reached its end.
    #[getter]
    fn terminal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.terminal, "?", &[self.terminal.len()])
    }

    /// The goals at the end, by match and role.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, bytemuck::cast_slice(&self.goals), "i", &[self.rounds.len(), self.roles])
    }

    /// The matches as rows of a `pandas.DataFrame`: rounds, terminal, and the goal of each role.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let row = |at: usize| {
            let goals = self.goals[at * self.roles..(at + 1) * self.roles].iter();
            let goals = goals.map(|&goal| if goal == NO_GOAL { None } else { Some(i64::from(goal)) });
            let first = [Some(i64::from(self.rounds[at])), Some(i64::from(self.terminal[at]))];
            first.into_iter().chain(goals).collect::<Vec<Option<i64>>>()
        };
        let rows = PyList::new(py, (0..self.rounds.len()).map(row))?;
        let goals = self.names.iter().map(|role| format!("goal {role}"));
        let columns: Vec<String> = ["rounds", "terminal"].map(str::to_string).into_iter().chain(goals).collect();
        py.import("percept.tables")?.getattr("frame")?.call1((rows, columns))
    }

    /// The number of joint moves of all matches.
    #[getter]
    fn steps(&self) -> u64 {
        self.rounds.iter().map(|&rounds| u64::from(rounds)).sum()
    }
}

/// One task's part of a random play: its number, and for each match the rounds, the end flag, and the goals.
type Part<'a> = (usize, ((&'a mut [u32], &'a mut [u8]), &'a mut [i32]));

/// The number of matches per task, enough to fill the lanes of the engine many times.
const TASK: usize = 1 << 14;

fn only_goal(values: &[i64]) -> i32 {
    match values {
        [one] => i32::try_from(*one).unwrap_or(NO_GOAL),
        _ => NO_GOAL,
    }
}

#[pymethods]
impl Game {
    /// Plays `n` matches with uniformly random moves of every role: those numbered from `first` of this seed.
    #[pyo3(signature = (n, *, seed=0, first=0, max_rounds=10_000, threads=0, time=None))]
    #[expect(clippy::too_many_arguments, reason = "named in Python")]
    fn play(
        &self,
        py: Python<'_>,
        n: usize,
        seed: u64,
        first: u64,
        max_rounds: u32,
        threads: usize,
        time: Option<f64>,
    ) -> PyResult<Matches> {
        guard(py, || {
            let (game, roles) = (&self.inner.game, self.inner.game.roles.len());
            if n.checked_mul(roles).is_none_or(|cells| cells > 1 << 30) || first > 1 << 60 {
                return Err(too_large(py, format!("{n} matches do not fit the memory: play fewer at a time")));
            }
            work(py, time, |budget| {
                let names = game.roles.iter().map(|role| role.name.clone()).collect();
                let (rounds, terminal, goals) = (vec![0; n], vec![0; n], vec![NO_GOAL; n * roles]);
                let mut matches = Matches { roles, names, rounds, terminal, goals };
                let limits = Limits { seed, max_rounds, deadline: budget.deadline };
                let task = if game.rules.playouts().is_some() { TASK } else { 16 };
                let play = |(at, ((rounds, terminal), goals)): Part<'_>| {
                    if budget.stop().is_some() {
                        return;
                    }
                    let first = first + (at * task) as u64;
                    run(game, first..first + rounds.len() as u64, &limits, &mut |record| {
                        let place = (record.number - first) as usize;
                        rounds[place] = record.rounds;
                        terminal[place] = u8::from(record.terminal);
                        for (goal, values) in goals[place * roles..].iter_mut().zip(&record.goals) {
                            *goal = only_goal(values);
                        }
                    });
                };
                let Matches { rounds, terminal, goals, .. } = &mut matches;
                let (rounds, terminal) = (rounds.par_chunks_mut(task), terminal.par_chunks_mut(task));
                let tasks = rounds.zip(terminal).zip(goals.par_chunks_mut(task * roles.max(1))).enumerate();
                pool(threads)?.install(|| tasks.for_each(play));
                Ok(matches)
            })
        })
    }

    /// Creates a batch of `size` matches, each before its first move.
    #[pyo3(signature = (size, *, seed=0, threads=0))]
    fn batch(&self, py: Python<'_>, size: usize, seed: u64, threads: usize) -> PyResult<Batch> {
        guard(py, || {
            let inner = self.inner.clone();
            let batch = work(py, None, |_| {
                let numbers = &inner.spaces()?.numbers;
                let widest = numbers.moves.iter().map(Vec::len).max().unwrap_or(0).max(inner.game.roles.len()).max(1);
                if size.checked_mul(widest).is_none_or(|cells| cells > 1 << 30) {
                    return Err(format!("a batch of {size} matches does not fit the memory"));
                }
                batch::Batch::new(&inner.game, numbers, size, seed, MOST_BYTES).map_err(|why| why.to_string())
            })?;
            let pool = pool(threads).map_err(|why| plain(py, why))?;
            Ok(Batch { inner, batch, pool })
        })
    }
}

/// Matches that advance together. Numbers of moves and percepts are indexes into `Game.moves` and `Game.percepts`.
#[pyclass(module = "percept")]
pub struct Batch {
    inner: Arc<Inner>,
    batch: batch::Batch,
    pool: rayon::ThreadPool,
}

impl Batch {
    /// Calls `f` on the batch without the interpreter's lock.
    fn on<T: Send>(&mut self, py: Python<'_>, f: impl FnOnce(&mut batch::Batch) -> T + Send) -> T {
        let Batch { batch, pool, .. } = self;
        // Small batches are not worth the handover to another thread.
        py.detach(|| if batch.is_shared() { pool.install(|| f(batch)) } else { f(batch) })
    }

    fn numbers(&self, py: Python<'_>) -> PyResult<Arc<Numbers>> {
        Ok(self.inner.spaces().map_err(|why| too_large(py, why))?.numbers.clone())
    }
}

#[pymethods]
impl Batch {
    fn __len__(&self) -> usize {
        self.batch.len()
    }

    /// True for each match that is over.
    #[getter]
    fn terminal<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guard(py, || {
            let mut over = vec![0; self.batch.len()];
            self.on(py, |batch| batch.over(&mut over));
            array(py, &over, "?", &[over.len()])
        })
    }

    /// The number of rounds played in each match.
    #[getter]
    fn rounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, bytemuck::cast_slice(&self.batch.rounds()), "I", &[self.batch.len()])
    }

    /// True for each legal move of the role, by match and move.
    fn legal<'py>(&mut self, py: Python<'py>, role: Role) -> PyResult<Bound<'py, PyAny>> {
        guard(py, || {
            let role = role_of(py, &self.inner.game, &role)?;
            let shape = [self.batch.len(), self.numbers(py)?.moves[role.0 as usize].len()];
            let mut mask = vec![0; shape[0] * shape[1]];
            self.on(py, |batch| batch.legal(role, &mut mask));
            array(py, &mask, "?", &shape)
        })
    }

    /// The goals that the rules give now, by match and role.
    fn goals<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guard(py, || {
            let shape = [self.batch.len(), self.inner.game.roles.len()];
            let mut goals = vec![0; shape[0] * shape[1]];
            self.on(py, |batch| batch.goals(&mut goals));
            array(py, bytemuck::cast_slice(&goals), "i", &shape)
        })
    }

    /// Makes a joint move in every match that is not over. `moves`: an array of integers by match and role. `percepts`:
    /// the roles whose percepts are returned, in a dict of arrays by match and percept.
    #[pyo3(signature = (moves, *, percepts=Vec::new()))]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        moves: &Bound<'py, PyAny>,
        percepts: Vec<Role>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        guard(py, || {
            let (size, roles) = (self.batch.len(), self.inner.game.roles.len());
            let moves = integers(py, moves)?;
            if moves.len() != size * roles {
                let message = format!("{size} matches of {roles} roles need as many moves, not {}", moves.len());
                return Err(error(py, "IllegalMoveError", (message,)));
            }
            let wanted: Vec<RoleId> =
                percepts.iter().map(|role| role_of(py, &self.inner.game, role)).collect::<PyResult<_>>()?;
            let numbers = self.numbers(py)?;
            let width = |role: &RoleId| numbers.percepts[role.0 as usize].len();
            if wanted.iter().any(|role| size.saturating_mul(width(role)) > 1 << 32) {
                return Err(too_large(py, format!("the percepts of {size} matches do not fit the memory")));
            }
            let mut masks: Vec<Vec<u8>> = wanted.iter().map(|role| vec![0; size * width(role)]).collect();
            let mut sees: Vec<(RoleId, &mut [u8])> =
                wanted.iter().copied().zip(masks.iter_mut().map(Vec::as_mut_slice)).collect();
            self.on(py, |batch| batch.step(&moves, &mut sees)).map_err(|illegal| {
                let Illegal { at, role, number } = illegal;
                let name = &self.inner.game.roles[role.0 as usize].name;
                error(py, "IllegalMoveError", (format!("match {at}: move {number} is not legal for {name}"),))
            })?;
            if wanted.is_empty() {
                return Ok(None);
            }
            let seen = PyDict::new(py);
            for (role, mask) in wanted.iter().zip(&masks) {
                let name = &self.inner.game.roles[role.0 as usize].name;
                seen.set_item(name, array(py, mask, "?", &[size, width(role)])?)?;
            }
            Ok(Some(seen))
        })
    }

    /// Uniformly random legal moves, by match and role; -1 if the match is over.
    fn random_moves<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guard(py, || {
            let shape = [self.batch.len(), self.inner.game.roles.len()];
            let mut moves = vec![0; shape[0] * shape[1]];
            self.on(py, |batch| batch.choose(&mut moves));
            array(py, bytemuck::cast_slice(&moves), "i", &shape)
        })
    }

    /// Restarts the matches that are over. Returns their number.
    fn restart(&mut self, py: Python<'_>) -> PyResult<usize> {
        guard(py, || Ok(self.on(py, batch::Batch::restart)))
    }
}

/// The integers of any object with Python's buffer protocol (arrays of numpy and of the module `array`), or of a list.
/// A value that does not fit 32 bits becomes a number that is not a move.
fn integers(py: Python<'_>, values: &Bound<'_, PyAny>) -> PyResult<Vec<i32>> {
    let narrow = |wide: i64| i32::try_from(wide).unwrap_or(NO_MOVE);
    let Ok(view) = PyMemoryView::from(values) else {
        if let Ok(rows) = values.extract::<Vec<Vec<i64>>>() {
            return Ok(rows.concat().into_iter().map(narrow).collect());
        }
        return Ok(values.extract::<Vec<i64>>()?.into_iter().map(narrow).collect());
    };
    let format: String = view.getattr("format")?.extract()?;
    let bytes = view.call_method0("tobytes")?;
    let bytes = bytes.cast::<PyBytes>()?.as_bytes();
    match (format.as_str(), view.getattr("itemsize")?.extract::<usize>()?) {
        ("i" | "l" | "q", 8) => Ok(bytes.as_chunks().0.iter().map(|&it| narrow(i64::from_ne_bytes(it))).collect()),
        ("i" | "l", 4) => Ok(bytes.as_chunks().0.iter().map(|&it| i32::from_ne_bytes(it)).collect()),
        _ => Err(plain(py, format!("moves are integers of 4 or 8 bytes, not items of format `{format}`"))),
    }
}
