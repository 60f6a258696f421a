//! The values of a game to its roles, and the worth of its percepts.

use std::sync::Arc;

use num_rational::BigRational;
use percept_report::curve::{Reached, draw};
use percept_solve::cfr::Variant;
use percept_solve::export::efg;
use percept_solve::worth::{Priced, Rules};
use percept_solve::{Kind, Method, Options, Point, Sampling, Space, Strategy};
use percept_syntax::lines::{Encoding, LineIndex};
use percept_syntax::{Source, Syntax};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::border::{Say, error, guard, plain, rows, work, work_saying};
use crate::html;
use crate::objects::{Game, View};

/// The values of a game with strategies that achieve them.
#[pyclass(frozen, module = "percept")]
pub struct Solution {
    /// `zero-sum`, `alone`, `cooperative` or `general`.
    #[pyo3(get)]
    kind: &'static str,
    #[pyo3(get)]
    method: &'static str,
    /// The role, the lower and the upper bound, and the exact value.
    values: Vec<(String, f64, f64, Option<BigRational>)>,
    /// Half of the possible gain of best responses; `None` if it was not computed.
    #[pyo3(get)]
    exploitability: Option<f64>,
    #[pyo3(get)]
    iterations: u64,
    #[pyo3(get)]
    seconds: f64,
    curve: Vec<Reached>,
    /// The reason for an early end.
    #[pyo3(get)]
    stopped: Option<String>,
    pub strategy: Strategy,
}

impl Solution {
    pub fn of(game: &percept_game::Game, solution: percept_solve::Solution) -> Solution {
        let value = |it: &percept_solve::RoleValue| {
            (game.roles[it.role.0 as usize].name.clone(), it.low, it.high, it.exact.clone())
        };
        let reached = |it: &Point| Reached {
            iterations: it.iterations,
            seconds: it.seconds,
            exploitability: it.bracket.exploitability(),
        };
        Solution {
            kind: match solution.kind {
                Kind::ZeroSum(_) => "zero-sum",
                Kind::Alone => "alone",
                Kind::Together => "cooperative",
                Kind::General => "general",
            },
            method: solution.method,
            values: solution.values.iter().map(value).collect(),
            exploitability: solution.exploitability,
            iterations: solution.iterations,
            seconds: solution.seconds,
            curve: solution.curve.iter().map(reached).collect(),
            stopped: solution.stopped.map(|stop| stop.to_string()),
            strategy: solution.strategy(game),
        }
    }
}

#[pymethods]
impl Solution {
    /// For each role, the interval that contains its value.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        for (role, low, high, _) in &self.values {
            values.set_item(role, (*low, *high))?;
        }
        Ok(values)
    }

    /// For each role, its value as a `fractions.Fraction`, if it was proved.
    #[getter]
    fn exact<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        for (role, .., exact) in &self.values {
            values.set_item(role, exact.clone())?;
        }
        Ok(values)
    }

    /// The moves of a role at a view with their probabilities; empty if it has only one move.
    fn moves<'py>(&self, py: Python<'py>, view: PyRef<'_, View>) -> PyResult<Bound<'py, PyDict>> {
        guard(py, || {
            let moves = PyDict::new(py);
            for (mv, probability) in self.strategy.at(&view.inner.game, &view.view).unwrap_or_default().iter() {
                moves.set_item(mv, probability)?;
            }
            Ok(moves)
        })
    }

    /// The strategies in the format of `percept solve --strategy`.
    #[getter]
    fn strategy(&self, py: Python<'_>) -> PyResult<String> {
        guard(py, || Ok(self.strategy.to_text(&[])))
    }

    /// The exploitability on the way, as `percept solve` prints it: a list of iterations, seconds and exploitability.
    /// Empty if the game was solved at once.
    #[getter]
    fn curve(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let points = self.curve.iter().map(|it| (it.iterations, it.seconds, it.exploitability));
        rows(py, "Curve", points.collect())
    }

    /// The values as a table, how they were found, and the curve of exploitability.
    fn _repr_html_(&self) -> String {
        let row = |(role, low, high, exact): &(String, f64, f64, Option<BigRational>)| {
            let value = match exact {
                Some(exact) => format!("{exact}"),
                None => format!("{low:.6} to {high:.6}"),
            };
            vec![html::escape(role), value, format!("{:.6}", f64::midpoint(*low, *high))]
        };
        let rows: Vec<Vec<String>> = self.values.iter().map(row).collect();
        let mut how = format!("{}, by {} in {:.2} s", self.kind, self.method, self.seconds);
        if self.iterations > 0 {
            how += &format!(", {} iterations", self.iterations);
        }
        if let Some(gain) = self.exploitability {
            how += &format!(", exploitability {gain:.6}");
        }
        if let Some(why) = &self.stopped {
            how += &format!("; stopped: {why}");
        }
        let curve = if self.curve.len() > 1 { html::curve(&self.curve) } else { String::new() };
        html::page(&(html::table(&["role", "value", "about"], &rows) + &html::quiet(&how) + &curve))
    }

    /// The values as a `pandas.DataFrame`: role, low, high, exact.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let values = self.values.iter().map(|(role, low, high, exact)| (role, low, high, exact.clone()));
        let rows = PyList::new(py, values)?;
        py.import("percept.tables")?.getattr("frame")?.call1((rows, ("role", "low", "high", "exact")))
    }

    fn __repr__(&self) -> String {
        let values: Vec<String> = self
            .values
            .iter()
            .map(|(role, low, high, exact)| match exact {
                Some(exact) => format!("{role} {exact}"),
                None => format!("{role} [{low:.6}, {high:.6}]"),
            })
            .collect();
        format!("<Solution {} by {}>", values.join(", "), self.method)
    }
}

/// The worth of one percept to one role: its value in the original game and in changed ones; `None` if a changed game
/// cannot be solved.
#[pyclass(frozen, get_all, module = "percept")]
pub struct PerceptWorth {
    /// The rule as written, and its line, from 1.
    says: String,
    line: u32,
    role: String,
    value: f64,
    without: Option<f64>,
    only: Option<f64>,
    public: Option<f64>,
}

#[pymethods]
impl PerceptWorth {
    /// The loss of the role if no role gets the percept.
    #[getter]
    fn worth(&self) -> Option<f64> {
        self.without.map(|without| self.value - without)
    }

    fn __repr__(&self) -> String {
        let worth = self.worth().map_or("unknown".to_string(), |worth| format!("{worth:.6}"));
        format!("<PerceptWorth {} to {}: {worth}>", self.says, self.role)
    }
}

/// A curve of exploitability, as a picture and as HTML: points are iterations, seconds and exploitability.
#[pyfunction]
pub fn curve_pictures(points: Vec<(u64, f64, f64)>) -> (Option<String>, String) {
    let reached = |(iterations, seconds, exploitability)| Reached { iterations, seconds, exploitability };
    let points: Vec<Reached> = points.into_iter().map(reached).collect();
    (draw(&points), html::page(&html::curve(&points)))
}

/// A listener to the points of a curve.
pub fn watch(say: &Say) -> Arc<dyn Fn(&Point) + Send + Sync> {
    let say = say.clone();
    Arc::new(move |point| {
        say(format!("exploitability {:.2e}, iterations", point.bracket.exploitability()), point.iterations);
    })
}

pub fn method_of(py: Python<'_>, name: &str) -> PyResult<Method> {
    let variant = Variant::ALL.into_iter().find(|variant| variant.name() == name);
    Ok(match (name, variant) {
        ("auto", _) => Method::Auto,
        ("lp", _) => Method::Lp,
        ("mccfr", _) => Method::Sampling(Sampling::Auto),
        ("mccfr-external", _) => Method::Sampling(Sampling::External),
        ("mccfr-outcome", _) => Method::Sampling(Sampling::Outcome),
        (_, Some(variant)) => Method::Cfr(variant),
        (other, None) => {
            let message = format!("`method` is `auto`, `lp`, `cfr+`, `dcfr`, `pcfr+` or `mccfr`, not `{other}`");
            return Err(plain(py, message));
        }
    })
}

#[pymethods]
impl Game {
    /// Computes the value of the game to each role, with strategies.
    #[pyo3(signature = (*, method="auto", target=1e-4, iterations=None, time=None, memory=2 << 30, seed=0))]
    #[expect(clippy::too_many_arguments, reason = "named in Python")]
    fn solve(
        &self,
        py: Python<'_>,
        method: &str,
        target: f64,
        iterations: Option<u64>,
        time: Option<f64>,
        memory: usize,
        seed: u64,
    ) -> PyResult<Solution> {
        guard(py, || {
            let space = Space { bytes: memory };
            let options =
                Options { method: method_of(py, method)?, target, iterations, space, seed, ..Options::default() };
            let game = &self.inner.game;
            let solved = work_saying(py, time, |budget, say| {
                let options = Options { watch: Some(watch(say)), ..options };
                Ok(percept_solve::solve(game, &options, budget).map_err(|why| why.to_string()))
            })?;
            let solution = solved.map_err(|why| error(py, "UnsolvableError", (why,)))?;
            Ok(Solution::of(game, solution))
        })
    }

    /// Computes the worth of every percept to every role.
    #[pyo3(signature = (*, method="auto", target=1e-4, iterations=None, time=None, memory=2 << 30, seed=0))]
    #[expect(clippy::too_many_arguments, reason = "named in Python")]
    fn worth(
        &self,
        py: Python<'_>,
        method: &str,
        target: f64,
        iterations: Option<u64>,
        time: Option<f64>,
        memory: usize,
        seed: u64,
    ) -> PyResult<Py<PyAny>> {
        guard(py, || {
            let inner = &self.inner;
            let (method, space) = (method_of(py, method)?, Space { bytes: memory });
            let options = Options { method, target, iterations, space, seed, ..Options::default() };
            let found = work(py, time, |budget| {
                let price = |rules: &Rules<'_>| percept_solve::worth::worth_in(&inner.game, rules, &options, budget);
                let sources: Vec<&Source> = inner.files.iter().map(|(_, source)| source).collect();
                let priced = match &sources[0].syntax {
                    Syntax::Gdl(description) => price(&Rules::Gdl(description)),
                    Syntax::Pddl(_) => match percept_report::load::halves(&sources, inner.terminal) {
                        Err(errors) => return Ok(Err(errors.first().map_or(String::new(), ToString::to_string))),
                        Ok((domain, problem, reading)) => price(&Rules::Pogddl(domain, problem, &reading)),
                    },
                };
                Ok(priced.map_err(|why| why.to_string()))
            })?;
            let found = found.map_err(|why| error(py, "UnsolvableError", (why,)))?;
            let lines = LineIndex::new(&inner.files[0].1.text);
            let number = |priced: &Priced| priced.as_ref().ok().map(|value| value.value);
            let mut priced = Vec::new();
            for percept in &found.percepts {
                let place = lines.position(percept.source.range.start, Encoding::Utf32);
                for (row, (_, value)) in percept.rows.iter().zip(&found.values) {
                    priced.push(PerceptWorth {
                        says: percept.source.says.clone(),
                        line: place.line + 1,
                        role: row.role.clone(),
                        value: value.value,
                        without: number(&row.without),
                        only: number(&row.only),
                        public: number(&row.public),
                    });
                }
            }
            rows(py, "Worths", priced)
        })
    }

    /// The whole tree in the format of Gambit, which OpenSpiel reads.
    #[pyo3(signature = (*, nodes=10_000_000, time=None))]
    fn efg(&self, py: Python<'_>, nodes: usize, time: Option<f64>) -> PyResult<String> {
        guard(py, || {
            let name = self.name();
            work(py, time, |budget| {
                let mut text = Vec::new();
                efg::write(&self.inner.game, &name, nodes, &mut text, budget).map_err(|why| why.to_string())?;
                String::from_utf8(text).map_err(|why| why.to_string())
            })
        })
    }
}
