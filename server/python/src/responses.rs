//! The decisions of a game, and the values of given strategies with the gain of each role that leaves them.

use std::collections::BTreeMap;
use std::sync::Arc;

use percept_infoset::{Budget, Round};
use percept_solve::respond::{Part, RespondError, Response, Worth};
use percept_solve::tree::{PlayerRound, build};
use percept_solve::{BuildError, Entry, Profile, Space, Strategy, known_view, respond};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::border::{error, guard, plain, rows, too_large, work};
use crate::objects::{Game, Inner, Role, View, role_of};
use crate::solving::Solution;

/// The greatest difference of a sum of probabilities from one.
const SLACK: f64 = 1e-4;

/// An information set in which a role has a choice.
#[pyclass(frozen, get_all, module = "percept")]
pub struct Decision {
    role: String,
    view: Py<View>,
    /// The legal moves, and their numbers.
    moves: Vec<String>,
    ids: Vec<usize>,
}

#[pymethods]
impl Decision {
    fn __repr__(&self) -> String {
        let rounds = self.view.get().view.len();
        format!("<Decision of {} after round {rounds}: {}>", self.role, self.moves.join(", "))
    }
}

/// The value of strategies to a role: its own, and that of a best response.
#[pyclass(frozen, get_all, module = "percept")]
pub struct Evaluation {
    role: String,
    value: f64,
    best: f64,
    /// The gain of a best response.
    gain: f64,
    /// The number of its information sets with a choice.
    sets: u64,
}

impl Evaluation {
    fn of(game: &percept_game::Game, it: &Response) -> Evaluation {
        Evaluation {
            role: game.roles[it.role.0 as usize].name.clone(),
            value: it.value,
            best: it.best,
            gain: it.gain(),
            sets: it.infosets,
        }
    }
}

#[pymethods]
impl Evaluation {
    #[new]
    fn new(role: String, value: f64, best: f64, sets: u64) -> Evaluation {
        Evaluation { role, value, best, gain: best - value, sets }
    }

    /// The arguments that make it again, for pickle.
    fn __getnewargs__(&self) -> (&str, f64, f64, u64) {
        (&self.role, self.value, self.best, self.sets)
    }

    fn __repr__(&self) -> String {
        format!("<Evaluated {}: {:.6}, a best response {:.6}>", self.role, self.value, self.best)
    }
}

#[pymethods]
impl Game {
    /// Every information set in which a role has a choice, in the order of the rounds.
    #[pyo3(signature = (role=None, *, time=None, memory=2 << 30))]
    fn decisions(
        &self,
        py: Python<'_>,
        role: Option<Role>,
        time: Option<f64>,
        memory: usize,
    ) -> PyResult<Vec<Decision>> {
        guard(py, || {
            let (inner, game) = (&self.inner, &self.inner.game);
            let only = role.map(|role| role_of(py, game, &role)).transpose()?;
            let numbers = work(py, None, |_| inner.spaces())?.numbers.clone();
            let built = work(py, time, |budget| Ok(build(game, &Space { bytes: memory }, budget)))?;
            let tree = built.map_err(|why| refused(py, &why))?;
            let mut found = Vec::new();
            for (plex, views) in tree.players.iter().zip(&tree.views) {
                let who = plex.role;
                if only.is_some_and(|only| only != who) {
                    continue;
                }
                for set in &plex.infosets {
                    let round = |it: PlayerRound<'_>| Round { own: it.own, percepts: it.percepts.to_vec() };
                    let rounds = views.rounds(set.view).into_iter().map(round).collect();
                    let view = View { inner: Arc::clone(inner), view: percept_infoset::View { role: who, rounds } };
                    let moves = &plex.moves[set.sequences()];
                    found.push(Decision {
                        role: game.roles[who.0 as usize].name.clone(),
                        view: Py::new(py, view)?,
                        moves: moves.iter().map(|&mv| game.rules.move_name(who, mv)).collect(),
                        ids: moves.iter().filter_map(|&mv| numbers.of_move(who, mv)).collect(),
                    });
                }
            }
            Ok(found)
        })
    }

    /// The value of strategies to each role, and that of its best response to the others. `strategy`: a `Solution`, its
    /// text, or a dict from views to dicts from moves to probabilities. Without an entry, moves are uniformly random.
    #[pyo3(signature = (strategy=None, *, time=None, memory=2 << 30))]
    fn evaluate(
        &self,
        py: Python<'_>,
        strategy: Option<Bound<'_, PyAny>>,
        time: Option<f64>,
        memory: usize,
    ) -> PyResult<Py<PyAny>> {
        guard(py, || {
            let game = &self.inner.game;
            let table = match strategy {
                None => Strategy::default(),
                Some(given) => table(py, game, &given, memory)?,
            };
            let found = work(py, time, |budget: &Budget| {
                Ok(respond(game, Profile::Table(&table), &Space { bytes: memory }, budget))
            })?;
            let found = found.map_err(|why| unanswered(py, &why))?;
            if let Some(stop) = found.stopped {
                return Err(too_large(py, format!("{stop} before all roles were evaluated")));
            }
            let evaluated = found.roles.iter().map(|it| Evaluation::of(game, it));
            rows(py, "Evaluated", evaluated.collect())
        })
    }

    /// The text of a strategy that is given in any of its forms.
    #[pyo3(signature = (strategy=None, *, memory=2 << 30))]
    fn _strategy(&self, py: Python<'_>, strategy: Option<Bound<'_, PyAny>>, memory: usize) -> PyResult<String> {
        guard(py, || match strategy {
            None => Ok(Strategy::default().to_text(&[])),
            Some(given) => Ok(table(py, &self.inner.game, &given, memory)?.to_text(&[])),
        })
    }
}

/// A best response of one role in parts, for many machines. Parts are tuples of their number, the number of parts, the
/// number of leaves, and the worth of each leaf.
#[pyclass(frozen, module = "percept")]
pub struct Responder {
    inner: Arc<Inner>,
    strategy: Strategy,
    responder: percept_solve::respond::Responder,
}

type PlainPart = (usize, usize, usize, Vec<(f64, f64, u64, u64)>);

#[pymethods]
impl Responder {
    #[new]
    #[pyo3(signature = (game, strategy, role, *, time=None, memory=2 << 30))]
    fn new(
        py: Python<'_>,
        game: &Game,
        strategy: &str,
        role: Role,
        time: Option<f64>,
        memory: usize,
    ) -> PyResult<Responder> {
        guard(py, || {
            let (inner, rules) = (game.inner.clone(), &game.inner.game);
            let role = role_of(py, rules, &role)?;
            let read = Strategy::from_lines(strategy.as_bytes(), usize::MAX, memory);
            let strategy = read.map_err(|why| plain(py, format!("this is not a strategy: {why}")))?;
            let found = work(py, time, |budget| {
                let space = Space { bytes: memory };
                Ok(percept_solve::respond::Responder::new(rules, Profile::Table(&strategy), role, &space, budget))
            })?;
            let responder = found.map_err(|why| unanswered(py, &why))?;
            Ok(Responder { inner, strategy, responder })
        })
    }

    /// Walks the part with this number, of `of` parts.
    #[pyo3(signature = (number, of, *, time=None))]
    fn part(&self, py: Python<'_>, number: usize, of: usize, time: Option<f64>) -> PyResult<PlainPart> {
        guard(py, || {
            let profile = Profile::Table(&self.strategy);
            if number >= of {
                return Err(plain(py, format!("there is no part {number} of {of}")));
            }
            let walked =
                work(py, time, |budget| Ok(self.responder.part(&self.inner.game, profile, number, of, budget)))?;
            let part = walked.map_err(|why| unanswered(py, &why))?;
            let worths = part.worths.iter().map(|it| (it.best, it.followed, it.infosets, it.forced));
            Ok((part.number, part.of, part.leaves, worths.collect()))
        })
    }

    /// The response, from all parts.
    fn join(&self, py: Python<'_>, parts: Vec<PlainPart>) -> PyResult<Evaluation> {
        guard(py, || {
            let game = &self.inner.game;
            let worth = |(best, followed, infosets, forced)| Worth { best, followed, infosets, forced };
            let part = |(number, of, leaves, worths): PlainPart| Part {
                number,
                of,
                leaves,
                worths: worths.into_iter().map(worth).collect(),
            };
            let parts: Vec<Part> = parts.into_iter().map(part).collect();
            let profile = Profile::Table(&self.strategy);
            let joined = work(py, None, |budget| Ok(self.responder.join(game, profile, &parts, budget)))?;
            Ok(Evaluation::of(game, &joined.map_err(|why| unanswered(py, &why))?))
        })
    }
}

fn unanswered(py: Python<'_>, why: &RespondError) -> PyErr {
    match why {
        RespondError::TooLarge { .. } | RespondError::Stopped(_) => too_large(py, why),
        _ => error(py, "UnsolvableError", (why.to_string(),)),
    }
}

fn refused(py: Python<'_>, why: &BuildError) -> PyErr {
    match why {
        BuildError::TooLarge { .. } | BuildError::TooLargeWithout { .. } | BuildError::Stopped(_) => too_large(py, why),
        _ => error(py, "UnsolvableError", (why.to_string(),)),
    }
}

/// The strategy that Python gives in one of its forms.
fn table(py: Python<'_>, game: &percept_game::Game, given: &Bound<'_, PyAny>, memory: usize) -> PyResult<Strategy> {
    let read = |text: &str| {
        let read = Strategy::from_lines(text.as_bytes(), usize::MAX, memory);
        read.map_err(|why| plain(py, format!("this is not a strategy: {why}")))
    };
    let strategy = if let Ok(solution) = given.cast::<Solution>() {
        read(&solution.get().strategy.to_text(&[]))?
    } else if let Ok(text) = given.extract::<String>() {
        read(&text)?
    } else if let Ok(entries) = given.cast::<PyDict>() {
        let mut strategy = Strategy::default();
        for (view, moves) in entries {
            strategy.add(entry(py, game, view.cast::<View>()?.get(), moves.extract()?)?);
        }
        strategy
    } else {
        return Err(PyTypeError::new_err("a strategy is a Solution, its text, or a dict from views to dicts"));
    };
    for (role, moves) in strategy.roles() {
        let has = |role| moves.iter().all(|name| game.rules.find_move(role, name).is_some());
        if !game.role(role).is_some_and(has) {
            return Err(plain(py, format!("this is a strategy of another game: that of `{role}` does not fit")));
        }
    }
    Ok(strategy)
}

fn entry(py: Python<'_>, game: &percept_game::Game, view: &View, moves: BTreeMap<String, f64>) -> PyResult<Entry> {
    let role = view.view.role;
    let who = view.inner.game.roles[role.0 as usize].name.clone();
    let sum: f64 = moves.values().sum();
    let are_probabilities = moves.values().all(|&it| it >= 0.0) && (sum - 1.0).abs() <= SLACK;
    if !are_probabilities {
        return Err(plain(py, format!("the probabilities of {who} at a view add up to {sum}, not 1")));
    }
    let named = |(name, probability): (String, f64)| match game.rules.find_move(role, &name) {
        Some(mv) => Ok((game.rules.move_name(role, mv), probability / sum)),
        None => Err(error(py, "UnknownNameError", (format!("`{name}` is not a move of {who}"), name))),
    };
    let moves = moves.into_iter().map(named).collect::<PyResult<_>>()?;
    Ok(Entry { role: who, view: known_view(&view.inner.game, &view.view), moves, fractions: None })
}
