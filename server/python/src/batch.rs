//! Many matches at once: random ones to their end, and batches of states that move on together.

use std::sync::Arc;

use percept_game::play::{Limits, Stream, run};
use percept_game::{JointMove, MoveId, RoleId, State};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};
use rayon::prelude::*;

use crate::border::{error, guard, plain, too_large, work};
use crate::game::{Game, Inner, Role, role_of};

/// What is written for a goal that there is none of, or more than one.
const NO_GOAL: i32 = i32::MIN;

/// Bytes as a Python array: `shape` items of the format `item` of the module `struct`.
fn array<'py>(py: Python<'py>, bytes: &[u8], item: &str, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let bytes = PyBytes::new(py, bytes);
    let view = PyMemoryView::from(bytes.as_any())?;
    // An array without items cannot be cast to a shape.
    if shape.contains(&0) { view.call_method1("cast", (item,)) } else { view.call_method1("cast", (item, shape)) }
}

fn bytes_of<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|&value| bytes(value)).collect()
}

/// A pool of so many threads; 0 means all there are.
fn pool(threads: usize) -> Result<rayon::ThreadPool, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| format!("no threads could be started: {error}"))
}

/// Random matches, played to their end.
#[pyclass(frozen, module = "percept")]
pub struct Matches {
    roles: usize,
    rounds: Vec<u32>,
    terminal: Vec<u8>,
    /// By match and role.
    goals: Vec<i32>,
}

#[pymethods]
impl Matches {
    fn __len__(&self) -> usize {
        self.rounds.len()
    }

    /// By match: its number of rounds.
    #[getter]
    fn rounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &bytes_of(&self.rounds, u32::to_ne_bytes), "I", &[self.rounds.len()])
    }

    /// By match: whether it came to its end.
    #[getter]
    fn terminal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.terminal, "?", &[self.terminal.len()])
    }

    /// By match and role: the goal at the end.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &bytes_of(&self.goals, i32::to_ne_bytes), "i", &[self.rounds.len(), self.roles])
    }

    /// Joint moves of all matches.
    #[getter]
    fn steps(&self) -> u64 {
        self.rounds.iter().map(|&rounds| u64::from(rounds)).sum()
    }
}

/// Matches per task: enough to fill the lanes of the engine many times.
const TASK: usize = 1 << 14;

fn only_goal(values: &[i64]) -> i32 {
    match values {
        [one] => i32::try_from(*one).unwrap_or(NO_GOAL),
        _ => NO_GOAL,
    }
}

#[pymethods]
impl Game {
    /// Plays `n` matches in which everybody moves uniformly at random: those numbered from `first` of this seed.
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
            work(py, time, |control| {
                let mut matches =
                    Matches { roles, rounds: vec![0; n], terminal: vec![0; n], goals: vec![NO_GOAL; n * roles] };
                let limits = Limits { seed, max_rounds, deadline: control.deadline };
                let task = if game.rules.playouts().is_some() { TASK } else { 16 };
                let play = |(at, ((rounds, terminal), goals)): (usize, ((&mut [u32], &mut [u8]), &mut [i32]))| {
                    if control.stop().is_some() {
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

    /// A batch of `size` matches, each before its first move.
    #[pyo3(signature = (size, *, seed=0, threads=0))]
    fn batch(&self, py: Python<'_>, size: usize, seed: u64, threads: usize) -> PyResult<Batch> {
        guard(py, || {
            let inner = self.inner.clone();
            let spaces = work(py, None, |_| inner.spaces().map(|spaces| spaces.moves.clone()))?;
            let widest = spaces.iter().map(Vec::len).max().unwrap_or(0).max(1);
            if size.checked_mul(widest).is_none_or(|cells| cells > 1 << 30) {
                return Err(too_large(py, format!("a batch of {size} matches does not fit the memory")));
            }
            let initial = inner.game.rules.initial();
            Ok(Batch {
                terminal: vec![inner.game.rules.terminal(&initial); size],
                streams: (0..size as u64).map(|number| Stream::new(seed, number)).collect(),
                states: vec![initial; size],
                rounds: vec![0; size],
                pool: Arc::new(pool(threads).map_err(|why| plain(py, why))?),
                inner,
            })
        })
    }
}

/// States that move on together. Numbers of moves are places in `Game.moves`.
#[pyclass(module = "percept")]
pub struct Batch {
    inner: Arc<Inner>,
    states: Vec<State>,
    terminal: Vec<bool>,
    rounds: Vec<u32>,
    streams: Vec<Stream>,
    pool: Arc<rayon::ThreadPool>,
}

/// Where there is no move to make: the match is over.
const NO_MOVE: i32 = -1;

#[pymethods]
impl Batch {
    fn __len__(&self) -> usize {
        self.states.len()
    }

    /// By match: whether it is over.
    #[getter]
    fn terminal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bytes: Vec<u8> = self.terminal.iter().map(|&over| u8::from(over)).collect();
        array(py, &bytes, "?", &[bytes.len()])
    }

    /// By match: rounds played.
    #[getter]
    fn rounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &bytes_of(&self.rounds, u32::to_ne_bytes), "I", &[self.rounds.len()])
    }

    /// By match and move of the role: whether it is legal.
    fn legal<'py>(&self, py: Python<'py>, role: Role) -> PyResult<Bound<'py, PyAny>> {
        guard(py, || {
            let role = role_of(py, &self.inner.game, &role)?;
            let spaces = self.inner.spaces().map_err(|why| too_large(py, why))?;
            let width = spaces.moves[role.0 as usize].len();
            let mut mask = vec![0; self.states.len() * width];
            let rows = (self.states.par_iter().zip(&self.terminal)).zip(mask.par_chunks_mut(width.max(1)));
            let fill = |((state, over), row): ((&State, &bool), &mut [u8])| {
                let legal = if *over { Vec::new() } else { self.inner.game.rules.legal(state, role) };
                legal.into_iter().filter_map(|mv| spaces.move_index(role, mv)).for_each(|at| row[at] = 1);
            };
            py.detach(|| self.pool.install(|| rows.for_each(fill)));
            array(py, &mask, "?", &[self.states.len(), width])
        })
    }

    /// By match and role: the goal that the rules give now.
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guard(py, || {
            let game = &self.inner.game;
            let of = |state: &State| -> Vec<i32> {
                game.role_ids().map(|role| only_goal(&game.rules.goals(state, role))).collect()
            };
            let goals: Vec<Vec<i32>> = py.detach(|| self.pool.install(|| self.states.par_iter().map(of).collect()));
            let flat = goals.concat();
            array(py, &bytes_of(&flat, i32::to_ne_bytes), "i", &[self.states.len(), game.roles.len()])
        })
    }

    /// Makes a joint move in every match that is not over. `moves`: an array of integers by match and role.
    fn step(&mut self, py: Python<'_>, moves: &Bound<'_, PyAny>) -> PyResult<()> {
        guard(py, || {
            let roles = self.inner.game.roles.len();
            let moves = integers(py, moves)?;
            if moves.len() != self.states.len() * roles {
                let message =
                    format!("{} matches of {roles} roles need as many moves, not {}", self.states.len(), moves.len());
                return Err(error(py, "IllegalMoveError", (message,)));
            }
            let inner = self.inner.clone();
            let spaces = inner.spaces().map_err(|why| too_large(py, why))?;
            let joint = |(at, row): (usize, &[i64])| -> Result<Option<JointMove>, (usize, RoleId, i64)> {
                if self.terminal[at] {
                    return Ok(None);
                }
                let one = |(role, &number): (RoleId, &i64)| {
                    let mv = usize::try_from(number).ok().and_then(|it| spaces.moves[role.0 as usize].get(it)).copied();
                    let legal = |mv: &MoveId| inner.game.rules.legal(&self.states[at], role).contains(mv);
                    mv.filter(legal).ok_or((at, role, number))
                };
                inner.game.role_ids().zip(row).map(one).collect::<Result<JointMove, _>>().map(Some)
            };
            // All are looked at before any is made: an illegal one leaves the batch as it was.
            let joints: Result<Vec<Option<JointMove>>, _> =
                py.detach(|| self.pool.install(|| moves.par_chunks(roles.max(1)).enumerate().map(joint).collect()));
            let joints = joints.map_err(|(at, role, number)| {
                let name = &inner.game.roles[role.0 as usize].name;
                error(py, "IllegalMoveError", (format!("match {at}: move {number} is not legal for {name}"),))
            })?;
            py.detach(|| self.advance(joints));
            Ok(())
        })
    }

    /// By match and role: a legal move, drawn uniformly; -1 where the match is over.
    fn random_moves<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guard(py, || {
            let inner = self.inner.clone();
            let spaces = inner.spaces().map_err(|why| too_large(py, why))?;
            let joints = py.detach(|| self.draw());
            let roles = inner.game.roles.len();
            let mut numbers = vec![NO_MOVE; joints.len() * roles];
            for (row, joint) in numbers.chunks_mut(roles.max(1)).zip(&joints) {
                for (role, mv) in inner.game.role_ids().zip(joint.iter().flatten()) {
                    row[role.0 as usize] = spaces.move_index(role, *mv).map_or(NO_MOVE, |at| at as i32);
                }
            }
            array(py, &bytes_of(&numbers, i32::to_ne_bytes), "i", &[self.states.len(), roles])
        })
    }

    /// Starts the matches that are over anew. Returns how many there were.
    fn restart(&mut self) -> usize {
        let initial = self.inner.game.rules.initial();
        let over = self.inner.game.rules.terminal(&initial);
        let mut count = 0;
        for at in 0..self.states.len() {
            if self.terminal[at] {
                self.states[at].clone_from(&initial);
                (self.terminal[at], self.rounds[at]) = (over, 0);
                count += 1;
            }
        }
        count
    }
}

impl Batch {
    fn advance(&mut self, joints: Vec<Option<JointMove>>) {
        let rules = &self.inner.game.rules;
        let Batch { states, terminal, rounds, pool, .. } = self;
        let matches = states.par_iter_mut().zip(terminal).zip(rounds).zip(joints);
        pool.install(|| {
            matches.for_each(|(((state, over), rounds), joint)| {
                if let Some(joint) = joint {
                    *state = rules.next(state, &joint);
                    *over = rules.terminal(state);
                    *rounds += 1;
                }
            });
        });
    }

    /// A random joint move for every match that is not over; `None` also where a role is stuck.
    fn draw(&mut self) -> Vec<Option<JointMove>> {
        let game = &self.inner.game;
        let Batch { states, terminal, streams, pool, .. } = self;
        let one = |((state, over), stream): ((&State, &bool), &mut Stream)| {
            let pick = |role| {
                let legal = game.rules.legal(state, role);
                (!legal.is_empty()).then(|| legal[stream.below(legal.len() as u32) as usize])
            };
            if *over { None } else { game.role_ids().map(pick).collect() }
        };
        pool.install(|| states.par_iter().zip(&*terminal).zip(streams).map(one).collect())
    }
}

/// The integers of anything with Python's buffer protocol (arrays of numpy and of the module `array`), or of a list.
fn integers(py: Python<'_>, values: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let Ok(view) = PyMemoryView::from(values) else {
        if let Ok(rows) = values.extract::<Vec<Vec<i64>>>() {
            return Ok(rows.concat());
        }
        return values.extract();
    };
    let format: String = view.getattr("format")?.extract()?;
    let bytes: Vec<u8> = view.call_method0("tobytes")?.extract()?;
    let wide = |it: &[u8]| i64::from_ne_bytes(it.try_into().unwrap_or_default());
    let narrow = |it: &[u8]| i64::from(i32::from_ne_bytes(it.try_into().unwrap_or_default()));
    match (format.as_str(), view.getattr("itemsize")?.extract::<usize>()?) {
        ("i" | "l" | "q", 8) => Ok(bytes.chunks_exact(8).map(wide).collect()),
        ("i" | "l", 4) => Ok(bytes.chunks_exact(4).map(narrow).collect()),
        _ => Err(plain(py, format!("moves are integers of 4 or 8 bytes, not items of format `{format}`"))),
    }
}
