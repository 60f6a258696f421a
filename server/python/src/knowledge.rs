//! Views, the members of their information sets, and beliefs.

use std::sync::Arc;

use num_bigint::BigUint;
use percept_game::{RoleId, Term};
use percept_infoset::exact::Filter;
use percept_infoset::{DEFAULT_MEMORY, Guarantee, Method, Options, Report, Target, Wanted, infoset};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList};

use crate::border::{error, guard, plain, work};
use crate::objects::{Game, Inner, Role, State, View, name_of};

/// A history that a role cannot distinguish from the real one.
#[pyclass(frozen, module = "percept")]
pub struct Member {
    pub inner: Arc<Inner>,
    pub member: percept_infoset::Member,
    /// The probability among all members if chance and the other roles move uniformly; `None` unless all members are
    /// known.
    #[pyo3(get)]
    pub probability: Option<f64>,
    /// The share of the sum of the weights, for weighted draws.
    #[pyo3(get)]
    pub weight: Option<f64>,
}

/// Members of an information set.
#[pyclass(frozen, get_all, module = "percept")]
pub struct Members {
    pub members: Vec<Py<Member>>,
    /// The method that found them, and the reason for its choice.
    pub method: &'static str,
    why: String,
    /// True if `histories` and `states` are the proved size of the set.
    pub complete: bool,
    pub histories: BigUint,
    pub states: usize,
    /// The relation of `members` to the set: `all`, `uniform`, `distinct`, `probability`, `weighted-uniform`,
    /// `weighted-probability` or `found`.
    guarantee: &'static str,
    /// The reason for an early end.
    stopped: Option<String>,
    /// The number of histories with its standard error, estimated from weighted draws.
    estimate: Option<(f64, f64)>,
}

#[pymethods]
impl Members {
    fn __len__(&self) -> usize {
        self.members.len()
    }

    fn __getitem__(&self, py: Python<'_>, at: isize) -> PyResult<Py<Member>> {
        let length = self.members.len() as isize;
        let at = if at < 0 { at + length } else { at };
        let found = usize::try_from(at).ok().and_then(|at| self.members.get(at));
        found
            .map(|member| member.clone_ref(py))
            .ok_or_else(|| pyo3::exceptions::PyIndexError::new_err("no such member"))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.members.iter().map(|member| member.clone_ref(py)))?.try_iter()
    }

    /// The members as rows of a `pandas.DataFrame`: moves, probability, weight.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let row = |it: &Py<Member>| {
            let it = it.borrow(py);
            (it.moves(), it.probability, it.weight)
        };
        let rows = PyList::new(py, self.members.iter().map(row))?;
        py.import("percept.tables")?.getattr("frame")?.call1((rows, ("moves", "probability", "weight")))
    }

    fn __repr__(&self) -> String {
        let at_least = if self.complete { "" } else { "at least " };
        format!("<{} of {at_least}{} members by {}>", self.members.len(), self.histories, self.method)
    }
}

#[pymethods]
impl Member {
    /// The move of each role in each round, by name.
    #[getter]
    fn moves(&self) -> Vec<Vec<String>> {
        let game = &self.inner.game;
        let round = |joint: &percept_game::JointMove| {
            game.role_ids().zip(joint).map(|(role, &mv)| name_of(game, role, mv)).collect()
        };
        self.member.moves.iter().map(round).collect()
    }

    /// The state at its end, as if this were the match.
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        guard(py, || State::replay(&self.inner, &self.member.moves).map_err(|why| crate::border::no_match(py, &why)))
    }

    fn __repr__(&self) -> String {
        format!("<Member {:?}>", self.moves())
    }
}

/// The default number of draws.
const DRAWS: usize = 100;

/// The default number of listed histories.
const LISTED: usize = 10_000;

/// The number of draws used to estimate a belief if the states exceed the limits.
const BELIEF_DRAWS: usize = 2_000;

#[pymethods]
impl View {
    #[getter]
    fn game(&self) -> Game {
        Game { inner: self.inner.clone() }
    }

    #[getter]
    pub fn role(&self) -> &str {
        &self.inner.game.roles[self.view.role.0 as usize].name
    }

    /// For each round, the role's own move (`None` if the game hides it) and its percepts.
    #[getter]
    fn rounds(&self) -> Vec<(Option<String>, Vec<String>)> {
        let (game, role) = (&self.inner.game, self.view.role);
        let round = |round: &percept_infoset::Round| {
            let percepts = round.percepts.iter().map(|&it| game.rules.percept_name(role, it)).collect();
            (round.own.map(|mv| name_of(game, role, mv)), percepts)
        };
        self.view.rounds.iter().map(round).collect()
    }

    /// The rounds in numbers: indexes into `Game.moves` and `Game.percepts`.
    fn ids(&self, py: Python<'_>) -> PyResult<Vec<(Option<usize>, Vec<usize>)>> {
        guard(py, || {
            let role = self.view.role;
            let spaces = self.inner.spaces().map_err(|why| crate::border::too_large(py, why))?;
            let round = |round: &percept_infoset::Round| {
                let percepts = round.percepts.iter().filter_map(|&it| spaces.numbers.of_percept(role, it)).collect();
                (round.own.and_then(|mv| spaces.numbers.of_move(role, mv)), percepts)
            };
            Ok(self.view.rounds.iter().map(round).collect())
        })
    }

    /// Finds members of the information set.
    #[pyo3(signature = (n=None, *, sample="all", method="auto", seed=0, time=None, memory=DEFAULT_MEMORY))]
    #[expect(clippy::too_many_arguments, reason = "named in Python")]
    fn members(
        &self,
        py: Python<'_>,
        n: Option<usize>,
        sample: &str,
        method: &str,
        seed: u64,
        time: Option<f64>,
        memory: usize,
    ) -> PyResult<Members> {
        guard(py, || {
            let wanted = match sample {
                "all" => Wanted::All,
                "uniform" => Wanted::Uniform,
                "probability" => Wanted::ByProbability,
                other => {
                    let message = format!("`sample` is `all`, `uniform` or `probability`, not `{other}`");
                    return Err(plain(py, message));
                }
            };
            let limit = n.unwrap_or(if wanted == Wanted::All { LISTED } else { DRAWS });
            let options = Options { method: method_of(py, method)?, wanted, limit, seed, memory, ..Options::default() };
            let report = work(py, time, |budget| {
                infoset(&self.inner.game, &self.view, &options, budget).map_err(|why| why.to_string())
            })?;
            self.translate(py, report)
        })
    }

    /// Draws one member as a state, with the probabilities of chance and uniform opponents; `None` if no history fits.
    #[pyo3(signature = (seed=0, *, time=None))]
    fn sample(&self, py: Python<'_>, seed: u64, time: Option<f64>) -> PyResult<Option<State>> {
        guard(py, || {
            let options = Options { wanted: Wanted::ByProbability, limit: 64, seed, ..Options::default() };
            let find = |limit, budget: &percept_infoset::Budget| {
                infoset(&self.inner.game, &self.view, &Options { limit, ..options.clone() }, budget)
            };
            let member = work(py, time, |budget| {
                // An exact draw needs one member; a weighted one chooses among several.
                let report = find(1, budget).map_err(|why| why.to_string())?;
                if !report.guarantee.is_weighted() {
                    return Ok(report.members.into_iter().next());
                }
                let report = find(64, budget).map_err(|why| why.to_string())?;
                Ok(chosen(report, seed))
            })?;
            let state = member.map(|member| State::replay(&self.inner, &member.moves));
            state.transpose().map_err(|why| crate::border::no_match(py, &why))
        })
    }

    /// The probability of each fluent, for a role that assumes uniform moves of chance and the other roles.
    #[pyo3(signature = (*, time=None, memory=DEFAULT_MEMORY, seed=0))]
    fn belief<'py>(
        slf: Bound<'py, View>,
        py: Python<'py>,
        time: Option<f64>,
        memory: usize,
        seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        guard(py, || {
            let this = slf.get();
            let shares = work(py, time, |budget| this.shares(memory, seed, budget))?;
            let belief = PyDict::new(py);
            for (fluent, share) in shares {
                belief.set_item(this.inner.game.rules.fluent_name(fluent), share)?;
            }
            py.import("percept.tables")?.getattr("Belief")?.call1((belief, &slf))
        })
    }

    fn __len__(&self) -> usize {
        self.view.len()
    }

    fn __eq__(&self, other: PyRef<'_, View>) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner) && self.view == other.view
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.view.hash(&mut hasher);
        hasher.finish()
    }

    /// The view as text: equal for exactly the histories that the role cannot distinguish.
    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("<View of {} after round {}>", self.role(), self.view.len())
    }
}

fn method_of(py: Python<'_>, name: &str) -> PyResult<Method> {
    Ok(match name {
        "auto" => Method::Auto,
        "exact" => Method::Exact,
        "dfs" => Method::Dfs,
        "csp" => Method::Csp,
        "sat" => Method::Sat,
        "paper" => Method::Paper { most_constrained: false },
        other => {
            let message = format!("`method` is `auto`, `exact`, `csp`, `dfs`, `sat` or `paper`, not `{other}`");
            return Err(plain(py, message));
        }
    })
}

/// Chooses one of several weighted draws by its weight.
fn chosen(report: Report, seed: u64) -> Option<percept_infoset::Member> {
    use rand::SeedableRng;
    use rand::distr::{Distribution, weighted::WeightedIndex};
    let weights = report.weights()?;
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x9E37_79B9_7F4A_7C15);
    let choice = WeightedIndex::new(weights).ok()?;
    report.members.into_iter().nth(choice.sample(&mut rng))
}

impl View {
    /// The view as text: equal for exactly the histories that the role cannot distinguish.
    pub fn text(&self) -> String {
        let round = |(own, percepts): (Option<String>, Vec<String>)| {
            format!("({} ({}))", own.unwrap_or_else(|| "-".to_string()), percepts.join(" "))
        };
        let rounds: Vec<String> = self.rounds().into_iter().map(round).collect();
        format!("{}: {}", self.role(), rounds.join(" "))
    }

    fn translate(&self, py: Python<'_>, report: Report) -> PyResult<Members> {
        let weights = report.weights();
        let guarantee = match report.guarantee {
            Guarantee::All => "all",
            Guarantee::Uniform => "uniform",
            Guarantee::Distinct => "distinct",
            Guarantee::Probability => "probability",
            Guarantee::Weighted(Target::Uniform) => "weighted-uniform",
            Guarantee::Weighted(Target::Probability) => "weighted-probability",
            Guarantee::Found => "found",
        };
        let member = |(at, member): (usize, &percept_infoset::Member)| {
            let made = Member {
                inner: self.inner.clone(),
                probability: report.probability(member),
                weight: weights.as_ref().map(|weights| weights[at]),
                member: member.clone(),
            };
            Py::new(py, made)
        };
        Ok(Members {
            members: report.members.iter().enumerate().map(member).collect::<PyResult<_>>()?,
            method: report.method,
            why: report.why.clone(),
            complete: report.complete,
            histories: report.histories.clone(),
            states: report.states,
            guarantee,
            stopped: report.stopped.map(|stop| stop.to_string()),
            estimate: report.estimate.map(|it| (it.mean, it.standard_error)),
        })
    }

    /// The share of the histories' probability in which each fluent holds: exact if the states fit the limits, else
    /// from draws.
    fn shares(
        &self,
        memory: usize,
        seed: u64,
        budget: &percept_infoset::Budget,
    ) -> Result<Vec<(percept_game::FluentId, f64)>, String> {
        let game = &self.inner.game;
        let mut shares = vec![0.0; game.rules.fluent_count()];
        let mut add = |state: &percept_game::State, mass: f64| {
            for fluent in state.fluents() {
                // Rules that are not ground may reach new fluents on the way.
                if fluent.0 as usize >= shares.len() {
                    shares.resize(fluent.0 as usize + 1, 0.0);
                }
                shares[fluent.0 as usize] += mass;
            }
        };
        match Filter::of_view(game, &self.view, memory, budget, None) {
            Ok(filter) => {
                let last = filter.last();
                let sum: f64 = last.mass.iter().sum();
                last.states.iter().zip(&last.mass).for_each(|(state, mass)| add(state, mass / sum));
            }
            Err(_) => {
                let options =
                    Options { wanted: Wanted::ByProbability, limit: BELIEF_DRAWS, seed, memory, ..Options::default() };
                let report = infoset(game, &self.view, &options, budget).map_err(|why| why.to_string())?;
                let even = 1.0 / report.members.len().max(1) as f64;
                let weights = report.weights();
                for (at, member) in report.members.iter().enumerate() {
                    add(&member.state, weights.as_ref().map_or(even, |weights| weights[at]));
                }
            }
        }
        let held = shares.into_iter().enumerate().filter(|(_, share)| *share > 0.0);
        Ok(held.map(|(fluent, share)| (percept_game::FluentId(fluent as u32), share)).collect())
    }
}

#[pymethods]
impl Game {
    /// Creates the view of a role from its moves and percepts, round by round.
    #[pyo3(name = "view")]
    fn make_view(&self, py: Python<'_>, role: Role, rounds: Vec<(Option<String>, Vec<String>)>) -> PyResult<View> {
        guard(py, || {
            let (role, game) = (self.role(py, &role)?, &self.inner.game);
            let round = |(own, percepts): (Option<String>, Vec<String>)| {
                let own = match own.filter(|_| game.knows_own_moves) {
                    None => None,
                    Some(name) => Some(self.known_move(py, role, &name)?),
                };
                let terms: Option<Vec<Term>> = percepts.iter().map(|name| Term::typed(name)).collect();
                let found = terms.and_then(|names| game.rules.percepts_named(role, &names));
                let percepts = found.ok_or_else(|| {
                    let names = percepts.join(" ");
                    let message = format!("the game has no percepts ({names}) of {}", self.role_name(role));
                    error(py, "UnknownNameError", (message, names))
                })?;
                Ok(percept_infoset::Round { own, percepts })
            };
            let rounds = rounds.into_iter().map(round).collect::<PyResult<_>>()?;
            Ok(View { inner: self.inner.clone(), view: percept_infoset::View { role, rounds } })
        })
    }
}

impl Game {
    fn role_name(&self, role: RoleId) -> &str {
        &self.inner.game.roles[role.0 as usize].name
    }

    fn known_move(&self, py: Python<'_>, role: RoleId, name: &str) -> PyResult<percept_game::MoveId> {
        self.inner.game.rules.find_move(role, name).ok_or_else(|| {
            let message = format!("the game has no move `{name}` of {}", self.role_name(role));
            error(py, "UnknownNameError", (message, name.to_string()))
        })
    }
}
