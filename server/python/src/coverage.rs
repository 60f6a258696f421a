//! The rules and percepts that random matches have met.

use percept_judge::Case;
use percept_judge::coverage::{Matches, coverage};
use percept_report::{signs, words};
use percept_syntax::Source;
use percept_syntax::lines::{Encoding, LineIndex};
use pyo3::prelude::*;

use crate::border::{error, guard, rows, work};
use crate::html;
use crate::objects::Game;

/// A rule of GDL or an action of POGDDL, with the number of rounds in which it fired.
#[pyclass(frozen, get_all, module = "percept")]
pub struct CoveredRule {
    file: String,
    /// The line, from 1.
    line: u32,
    /// The head of the rule, or the name of the action.
    head: String,
    fired: u64,
    /// For a rule that never fired: the condition that never held when those before it did.
    stuck: Option<String>,
}

/// A percept of a role, with the number of rounds in which it came.
#[pyclass(frozen, get_all, module = "percept")]
pub struct CoveredPercept {
    role: String,
    percept: String,
    count: u64,
}

/// The coverage of random matches.
#[pyclass(frozen, get_all, module = "percept")]
pub struct Coverage {
    matches: u64,
    rounds: u64,
    /// The result in a sentence.
    says: String,
    /// The reason why rules could not be counted.
    lacking: Option<&'static str>,
    rules: Py<PyAny>,
    percepts: Py<PyAny>,
}

#[pymethods]
impl CoveredRule {
    fn __repr__(&self) -> String {
        format!("<CoveredRule {}:{} {} fired {} times>", self.file, self.line, self.head, self.fired)
    }
}

#[pymethods]
impl CoveredPercept {
    fn __repr__(&self) -> String {
        format!("<CoveredPercept {} to {} came {} times>", self.percept, self.role, self.count)
    }
}

#[pymethods]
impl Coverage {
    fn __repr__(&self) -> String {
        format!("<Coverage of {}>", self.says)
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let mut body = html::heading(&self.says);
        if let Some(why) = self.lacking {
            body += &html::quiet(why);
        }
        for table in [&self.rules, &self.percepts] {
            body += &table.bind(py).call_method0("_table")?.extract::<String>()?;
        }
        Ok(html::page(&body))
    }
}

#[pymethods]
impl Game {
    /// Plays random matches, and counts the rules that fired and the percepts that came.
    #[pyo3(signature = (n=200, *, seed=0, max_rounds=1000, time=10.0))]
    fn coverage(&self, py: Python<'_>, n: u64, seed: u64, max_rounds: usize, time: Option<f64>) -> PyResult<Coverage> {
        guard(py, || {
            let inner = &self.inner;
            let found = work(py, time, |budget| {
                let sources: Vec<&Source> = inner.files.iter().map(|(_, source)| source).collect();
                let wanted = Matches { matches: n, rounds: max_rounds, seed };
                Ok(coverage(&Case::new(&inner.game, sources), &wanted, budget))
            })?;
            let mut rules = Vec::new();
            for it in &found.rules {
                let Some((path, source)) = inner.files.get(it.place.file.0 as usize) else {
                    return Err(error(py, "InternalError", ("a rule without a file",)));
                };
                let text = |range: percept_syntax::TextRange| {
                    let text = source.text.get(range.start as usize..range.end as usize).unwrap_or_default();
                    text.split_whitespace().collect::<Vec<_>>().join(" ")
                };
                let start = LineIndex::new(&source.text).position(it.place.range.start, Encoding::Utf32);
                rules.push(CoveredRule {
                    file: path.display().to_string(),
                    line: start.line + 1,
                    head: text(it.head),
                    fired: it.fired,
                    stuck: it.stuck().filter(|_| it.fired == 0).map(text),
                });
            }
            let heard = |it: &percept_judge::coverage::Percept| CoveredPercept {
                role: inner.game.roles[it.role.0 as usize].name.clone(),
                percept: it.name.clone(),
                count: it.count,
            };
            let percepts: Vec<CoveredPercept> = found.percepts.iter().map(heard).collect();
            let dead = rules.iter().filter(|it| it.fired == 0).count();
            let silent = percepts.iter().filter(|it| it.count == 0).count();
            let matches = usize::try_from(found.matches).unwrap_or(usize::MAX);
            let says = format!(
                "{}: {}, {}",
                words::counted(matches, "random match", "random matches"),
                signs::share(dead, rules.len(), ["rule", "rules"], "fired"),
                signs::share(silent, percepts.len(), ["percept", "percepts"], "came"),
            );
            Ok(Coverage {
                matches: found.matches,
                rounds: found.rounds,
                says,
                lacking: found.lacking,
                rules: rows(py, "CoveredRules", rules)?,
                percepts: rows(py, "CoveredPercepts", percepts)?,
            })
        })
    }
}
