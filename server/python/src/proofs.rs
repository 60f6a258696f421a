//! The knowledge of roles: along a match, and in every match.

use std::sync::Arc;

use percept_game::{JointMove, RoleId};
use percept_infoset::prove::{self, Prover};
use percept_infoset::{DEFAULT_MEMORY, ObserveOptions, Property, Witness, observe};
use pyo3::prelude::*;

use crate::border::{guard, no_match, plain, rows, work};
use crate::objects::{Game, Inner, Role, State, name_of, role_of};

type Names = Vec<Vec<String>>;

/// The verdict on the knowledge of a role after a round of a match.
#[pyclass(frozen, module = "percept")]
pub struct Verdict {
    #[pyo3(get)]
    pub role: String,
    /// The number of rounds played.
    #[pyo3(get)]
    pub round: usize,
    /// `legal`, `terminal` or `goal`; `own` if a role does not know its own moves.
    #[pyo3(get)]
    pub property: &'static str,
    /// `known`, `unknown` or `undecided`.
    #[pyo3(get)]
    pub verdict: &'static str,
    #[pyo3(get)]
    pub method: &'static str,
    /// True if a second reading of the rules confirms it; `None` unless it is known.
    #[pyo3(get)]
    pub checked: Option<bool>,
    /// Two histories that the role cannot distinguish, if it lacks the knowledge.
    #[pyo3(get)]
    pub witness: Option<(Names, Names)>,
    pub inner: Arc<Inner>,
    pub who: RoleId,
    pub about: Property,
    /// The witness itself.
    pub found: Option<Witness>,
}

/// The verdict on the knowledge of a role in every match.
#[pyclass(frozen, module = "percept")]
pub struct Proof {
    #[pyo3(get)]
    pub role: String,
    /// `legal`, `terminal` or `goal`; `own` if a role does not know its own moves.
    #[pyo3(get)]
    pub property: &'static str,
    /// `proved`, `refuted` or `open`.
    #[pyo3(get)]
    pub verdict: &'static str,
    /// The proof method; empty for an open verdict.
    #[pyo3(get)]
    pub method: &'static str,
    /// True if a second reader followed the proof on the rules as written; `None` unless it is proved.
    #[pyo3(get)]
    pub checked: Option<bool>,
    /// The reason why a proof was not checked, such as `no time`.
    #[pyo3(get)]
    pub unchecked: Option<String>,
    /// The number of rounds of the pair, or the number up to which there is none; `None` if it is proved.
    #[pyo3(get)]
    pub depth: Option<usize>,
    /// A shortest pair of histories that the role cannot distinguish.
    #[pyo3(get)]
    pub pair: Option<(Names, Names)>,
    #[pyo3(get)]
    pub seconds: f64,
    pub inner: Arc<Inner>,
    pub who: RoleId,
    pub about: Property,
    /// The pair itself.
    pub histories: Option<(Vec<JointMove>, Vec<JointMove>)>,
}

#[pymethods]
impl Verdict {
    fn __repr__(&self) -> String {
        format!("<Verdict {} {} {} after round {}>", self.role, self.verdict, self.property, self.round)
    }
}

#[pymethods]
impl Proof {
    fn __repr__(&self) -> String {
        format!("<Proof {} {} {}>", self.role, self.property, self.verdict)
    }
}

/// A property or several.
#[derive(FromPyObject)]
enum Properties {
    One(String),
    Many(Vec<String>),
}

fn properties_of(py: Python<'_>, property: Option<Properties>) -> PyResult<Vec<Property>> {
    let names = match property {
        None => Vec::new(),
        Some(Properties::One(name)) => vec![name],
        Some(Properties::Many(names)) => names,
    };
    let wrong = |name: &str| plain(py, format!("`property` is `legal`, `terminal`, `goal` or `own`, not `{name}`"));
    names.iter().map(|name| Property::named(name).ok_or_else(|| wrong(name))).collect()
}

fn method_of(py: Python<'_>, name: &str) -> PyResult<prove::Method> {
    Ok(match name {
        "auto" => prove::Method::Auto,
        "structure" => prove::Method::Structure,
        "induction" => prove::Method::Induction,
        "bounded" => prove::Method::Bounded,
        "pairs" => prove::Method::Pairs,
        "leap" => prove::Method::Leap,
        "matches" => prove::Method::Matches,
        other => {
            let names = "`auto`, `structure`, `induction`, `bounded`, `pairs`, `leap` or `matches`";
            return Err(plain(py, format!("`method` is {names}, not `{other}`")));
        }
    })
}

fn names(game: &percept_game::Game, rounds: &[JointMove]) -> Names {
    let round = |joint: &JointMove| game.role_ids().zip(joint).map(|(role, &mv)| name_of(game, role, mv)).collect();
    rounds.iter().map(round).collect()
}

#[pymethods]
impl State {
    /// Checks if each role (or one) knew its legal moves, the end and its goal (or some `property`) after each round of
    /// this match.
    #[pyo3(signature = (role=None, *, property=None, announce_end=false, time=None, memory=DEFAULT_MEMORY))]
    fn verdicts(
        &self,
        py: Python<'_>,
        role: Option<Role>,
        property: Option<Properties>,
        announce_end: bool,
        time: Option<f64>,
        memory: usize,
    ) -> PyResult<Py<PyAny>> {
        guard(py, || {
            let game = &self.inner.game;
            let only = role.map(|role| role_of(py, game, &role)).transpose()?;
            let properties = properties_of(py, property)?;
            let options = ObserveOptions { announce_end, only, properties, memory, ..ObserveOptions::default() };
            let observed = work(py, time, |budget| Ok(observe(game, &self.moves, &options, budget)))?;
            let observed = observed.map_err(|why| no_match(py, &why))?;
            let verdict = |finding: percept_infoset::Finding| Verdict {
                role: game.roles[finding.role.0 as usize].name.clone(),
                round: finding.round,
                property: finding.property.name(),
                verdict: finding.verdict.name(),
                method: finding.method,
                checked: finding.reading.as_ref().map(|it| *it == prove::Reading::Checked),
                witness: match &finding.verdict {
                    percept_infoset::Verdict::Unknown(it) => Some((names(game, &it.first), names(game, &it.second))),
                    _ => None,
                },
                inner: self.inner.clone(),
                who: finding.role,
                about: finding.property,
                found: match finding.verdict {
                    percept_infoset::Verdict::Unknown(it) => Some(*it),
                    _ => None,
                },
            };
            rows(py, "Verdicts", observed.findings.into_iter().map(verdict).collect())
        })
    }
}

#[pymethods]
impl Game {
    /// Proves or refutes that each role (or one) knows its legal moves, the end and its goal in every match. `time`:
    /// seconds for each property.
    #[pyo3(signature = (role=None, *, property=None, method="auto", announce_end=false, depth=None, time=30.0))]
    #[expect(clippy::too_many_arguments, reason = "named in Python")]
    fn prove(
        &self,
        py: Python<'_>,
        role: Option<Role>,
        property: Option<Properties>,
        method: &str,
        announce_end: bool,
        depth: Option<usize>,
        time: f64,
    ) -> PyResult<Py<PyAny>> {
        guard(py, || {
            let game = &self.inner.game;
            let roles = match role {
                Some(role) => vec![self.role(py, &role)?],
                None => game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance).collect(),
            };
            let only = properties_of(py, property)?;
            let options = prove::Options { method: method_of(py, method)?, depth, announce_end };
            let proofs: Vec<Proof> = work(py, None, |budget| {
                let mut prover = Prover::new(game);
                let mut found = Vec::new();
                let all = match &only[..] {
                    [] => prove::many::questions(game, roles),
                    only => roles.iter().flat_map(|&role| only.iter().map(move |&it| (role, it))).collect(),
                };
                for (role, property) in all {
                    let limit = crate::objects::deadline(Some(time));
                    let budget = limit.map_or_else(|| budget.clone(), |limit| budget.until(limit));
                    found.push(prover.prove(role, property, &options, &budget));
                }
                let found = if only.is_empty() { prove::many::worth_saying(found) } else { found };
                Ok(found.into_iter().map(|finding| proof(&self.inner, finding)).collect())
            })?;
            rows(py, "Proofs", proofs)
        })
    }
}

fn proof(inner: &Arc<Inner>, finding: prove::Finding) -> Proof {
    let game = &inner.game;
    let (method, depth, pair) = match &finding.verdict {
        prove::Verdict::Proved { method, .. } => (*method, None, None),
        prove::Verdict::Refuted { pair, method } => {
            (*method, Some(pair.left.len()), Some((names(game, &pair.left), names(game, &pair.right))))
        }
        prove::Verdict::Open { depth } => ("", Some(*depth), None),
    };
    let checked = match &finding.verdict {
        prove::Verdict::Proved { checked, .. } => Some(*checked),
        _ => None,
    };
    Proof {
        role: game.roles[finding.role.0 as usize].name.clone(),
        property: finding.property.name(),
        verdict: finding.verdict.name(),
        method,
        checked: checked.map(|it| it.is_ok()),
        unchecked: checked.and_then(Result::err).map(|why| why.to_string()),
        depth,
        pair,
        seconds: finding.elapsed.as_secs_f64(),
        inner: inner.clone(),
        who: finding.role,
        about: finding.property,
        histories: match finding.verdict {
            prove::Verdict::Refuted { pair, .. } => Some((pair.left, pair.right)),
            _ => None,
        },
    }
}
