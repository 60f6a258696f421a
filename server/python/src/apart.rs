//! Regret minimization with its payoffs on many machines.

use std::sync::Mutex;

use percept_solve::apart::solve_apart;
use percept_solve::{BuildError, Options, Space};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::border::{error, guard, plain, too_large, work, work_saying};
use crate::objects::Game;
use crate::solving::{Solution, method_of, watch};

/// The payoffs of a share of the sequences of both players.
#[pyclass(frozen, module = "percept")]
pub struct Share(percept_solve::apart::Share);

#[pymethods]
impl Share {
    #[new]
    #[pyo3(signature = (game, number, of, *, memory=2 << 30))]
    fn new(py: Python<'_>, game: &Game, number: usize, of: usize, memory: usize) -> PyResult<Share> {
        guard(py, || {
            if number >= of {
                return Err(plain(py, format!("there is no share {number} of {of}")));
            }
            let game = &game.inner.game;
            let made = work(py, None, |budget| {
                Ok(percept_solve::apart::Share::new(game, number, of, &Space { bytes: memory }, budget))
            })?;
            made.map(Share).map_err(|why| refused(py, &why))
        })
    }

    /// The gains of the sequences of this share of a player (0 or 1), against a plan of the other: numbers of 8 bytes.
    fn gains<'py>(&self, py: Python<'py>, player: usize, against: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        guard(py, || {
            let against = numbers(against);
            let gains = py.detach(|| self.0.gains(player, &against));
            Ok(PyBytes::new(py, bytemuck::cast_slice(&gains)))
        })
    }
}

/// The numbers in bytes that may begin anywhere.
fn numbers(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks().0.iter().map(|&it| f64::from_ne_bytes(it)).collect()
}

fn refused(py: Python<'_>, why: &BuildError) -> PyErr {
    match why {
        BuildError::TooLarge { .. } | BuildError::TooLargeWithout { .. } | BuildError::Stopped(_) => too_large(py, why),
        _ => error(py, "UnsolvableError", (why.to_string(),)),
    }
}

#[pymethods]
impl Game {
    /// Solves the game with the products of plans and payoffs computed by `gains`: a function of the player (0 or 1) and
    /// the plan of the other, which returns the gains of all shares, one after the other.
    #[pyo3(signature = (gains, *, method="pcfr+", target=1e-4, iterations=None, time=None, memory=2 << 30))]
    #[expect(clippy::too_many_arguments, reason = "named in Python")]
    fn _solve_apart(
        &self,
        py: Python<'_>,
        gains: Py<PyAny>,
        method: &str,
        target: f64,
        iterations: Option<u64>,
        time: Option<f64>,
        memory: usize,
    ) -> PyResult<Solution> {
        guard(py, || {
            let game = &self.inner.game;
            let space = Space { bytes: memory };
            let options = Options { method: method_of(py, method)?, target, iterations, space, ..Options::default() };
            let raised: Mutex<Option<PyErr>> = Mutex::new(None);
            let ask = |player: usize, against: &[f64]| {
                Python::attach(|py| {
                    let plan = PyBytes::new(py, bytemuck::cast_slice(against));
                    let answer = gains.call1(py, (player, plan))?;
                    Ok(numbers(answer.bind(py).cast::<PyBytes>()?.as_bytes()))
                })
                .map_err(|why: PyErr| {
                    let message = why.to_string();
                    raised.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(why);
                    message
                })
            };
            let solved = work_saying(py, time, |budget, say| {
                let options = Options { watch: Some(watch(say)), ..options };
                Ok(solve_apart(game, &options, &ask, budget))
            })?;
            if let Some(why) = raised.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take() {
                return Err(why);
            }
            Ok(Solution::of(game, solved.map_err(|why| refused(py, &why))?))
        })
    }
}
