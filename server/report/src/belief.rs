//! The beliefs of a role: the probability of every fluent, given the role's moves and percepts.
//!
//! In: a game and a role's view. Out: [`Belief`]s, a probability for every fluent that may hold. Probabilities are
//! exact if the distinct states fit in memory; else they come from weighted members of the information set and have a
//! standard error. Chance and the other roles are assumed to move uniformly at random. Only the view goes in, so no
//! other knowledge can come out.
//!
//! Draws alone never make a fluent certain: if all draws agree, either a proof confirms it or its probability stays a
//! little below 1.

use std::time::{Duration, Instant};

use percept_game::view::JointMoves;
use percept_game::{FluentId, Game, MoveId, RoleId, State, Term};
use percept_infoset::exact::Filter;
use percept_infoset::{Budget, Claims, CspError, Options, Stop, View, Wanted, certain};
use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::Serialize;

use crate::board::{Board, Layout, Meaning};
use crate::names;
use crate::speech::Phrases;

/// Limits on the work of an estimate.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Bytes for distinct states.
    pub memory: usize,
    /// Joint moves that exact counting may try. If the number of states predicts more for the next round, exact
    /// counting stops early.
    pub tries: usize,
    /// The fraction of the budget's time that exact counting may take before members are drawn.
    pub exact_share: f64,
    /// The fraction of the remaining time that drawing may take. The rest is for proofs of what all draws agree on.
    pub drawn_share: f64,
    /// The number of members to draw if the states do not fit.
    pub members: usize,
    /// True if statements on which all draws agree are also proved. Without proofs, drawn beliefs are never certain.
    pub proofs: bool,
}

impl Effort {
    /// The effort for a quick picture. Draws `members` members, and counts exactly only what takes some milliseconds.
    pub fn soon(members: usize) -> Effort {
        Effort { members, tries: 1 << 14, ..Effort::default() }
    }
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { memory: 96 << 20, tries: usize::MAX, exact_share: 0.3, drawn_share: 0.5, members: 1000, proofs: true }
    }
}

/// The probability of one fluent.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Belief {
    /// The name of the fluent.
    pub fluent: Term,
    /// The probability, from 0 to 1.
    pub probability: f64,
    /// The standard error of the probability; 0 if it is exact.
    pub error: f64,
}

/// The probability of every fluent, with boards that show them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Beliefs {
    /// The role that believes.
    pub role: String,
    /// The number of rounds played.
    pub round: usize,
    /// The method of the estimate.
    pub method: &'static str,
    /// True if the probabilities are exact.
    pub exact: bool,
    /// The effective number of independent draws, unless the probabilities are exact.
    pub effective: Option<f64>,
    /// The number of histories, exact or as a bound.
    pub histories: String,
    /// The meaning of the signs on the boards.
    pub legend: Vec<Meaning>,
    /// Boards whose cells are shaded by the probability of their content.
    pub boards: Vec<Board>,
    /// Every fluent that may hold, the most likely first.
    pub beliefs: Vec<Belief>,
    /// The beliefs after each round, if requested.
    pub rounds: Option<Vec<Vec<Belief>>>,
    /// The words of fluents to which the rules' comments give some.
    #[serde(skip_serializing_if = "Phrases::is_empty")]
    pub says: Phrases,
}

/// The states that a role considers possible, each with its probability; or drawn members that represent them.
pub struct Worlds {
    /// The role that considers them possible.
    pub role: RoleId,
    /// The number of rounds played.
    pub round: usize,
    states: Vec<State>,
    weights: Vec<f64>,
    /// The certain statements if the members are draws: all draws agree on them and no other member contradicts them.
    proved: Option<Proved>,
    /// `None` if exact; else the effective number of independent draws.
    pub effective: Option<f64>,
    /// The number of histories, exact or as a bound.
    pub histories: String,
    /// The method that found the states.
    pub method: &'static str,
}

/// Statements on which all draws agree, with a proof that all members agree.
#[derive(Default)]
struct Proved {
    fluents: FxHashSet<FluentId>,
    legal: FxHashSet<MoveId>,
    terminal: bool,
    goals: bool,
}

/// A value that a role knows, does not know, or that was not decided in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge<T> {
    /// All possible states agree on the value.
    Certain(T),
    /// Two possible states differ.
    Open,
    /// All draws agree on the value; a proof that every state does was not found in time.
    Undecided,
}

/// The reason why there are no beliefs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoBelief {
    /// No match has this view.
    #[error("no history of the game gives this view")]
    Impossible,
    /// The limits were reached before a state was found.
    #[error("no member of the information set was found: {0}")]
    NotFound(String),
}

impl Worlds {
    /// The states that a role considers possible after its view.
    ///
    /// # Errors
    /// If no state fits the view, or none was found within the limits.
    pub fn of(game: &Game, view: &View, effort: &Effort, budget: &Budget) -> Result<Worlds, NoBelief> {
        match counted(game, view, effort, &part(budget, effort.exact_share)) {
            Ok(filter) => Worlds::exact(view, &filter),
            Err(Stop::Cancelled) => Err(NoBelief::NotFound(Stop::Cancelled.to_string())),
            Err(_) => {
                let mut worlds = Worlds::sampled(game, view, effort, &part(budget, effort.drawn_share))?;
                if worlds.effective.is_some() {
                    let proved = effort.proofs.then(|| worlds.prove(game, view, effort, budget));
                    worlds.proved = Some(proved.unwrap_or_default());
                }
                Ok(worlds)
            }
        }
    }

    /// Adds proofs of the statements on which all draws agree, as far as time allows. `view` is the view that they were
    /// drawn for.
    pub fn proving(self, game: &Game, view: &View, budget: &Budget) -> Worlds {
        let proved = self.effective.is_some().then(|| self.prove(game, view, &Effort::default(), budget));
        Worlds { proved, ..self }
    }

    /// Proves the statements on which all draws agree, as far as time allows.
    fn prove(&self, game: &Game, view: &View, effort: &Effort, budget: &Budget) -> Proved {
        let all = |fluent: &FluentId| self.states.iter().all(|state| state.has(*fluent));
        let claims = Claims {
            fluents: self.states[0].fluents().filter(all).collect(),
            legal: self.shares(game).into_iter().filter(|(_, share)| *share >= 1.0).map(|(mv, _)| mv).collect(),
            terminal: self.agreed(|state| Some(game.rules.terminal(state))),
            goals: self.agreed(|state| game.rules.terminal(state).then(|| goals(game, state, self.role))),
        };
        let proved = certain(game, view, &claims, PROOF_MEMORY.max(effort.memory), budget);
        let Ok((proved, _)) = proved else { return Proved::default() };
        Proved {
            fluents: proved.fluents.into_iter().collect(),
            legal: proved.legal.into_iter().collect(),
            terminal: proved.terminal.is_some(),
            goals: proved.goals.is_some(),
        }
    }

    /// The states given by the caller, with their probabilities. `is_all`: there are no others.
    ///
    /// # Errors
    /// If `states` is empty.
    pub fn of_states(view: &View, states: Vec<(State, f64)>, is_all: bool) -> Result<Worlds, NoBelief> {
        let (states, weights): (Vec<State>, Vec<f64>) = states.into_iter().unzip();
        let total: f64 = weights.iter().sum();
        if states.is_empty() || total <= 0.0 {
            return Err(NoBelief::NotFound("no draw fits the view".into()));
        }
        let weights: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        // Kish's effective sample size: the equivalent number of draws of equal weight.
        let draws = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        Ok(Worlds {
            role: view.role,
            round: view.len(),
            // Histories that end in the same state were counted once.
            histories: format!("at least {}", states.len()),
            proved: (!is_all).then(Proved::default),
            effective: (!is_all).then_some(draws),
            method: "followed",
            states,
            weights,
        })
    }

    fn exact(view: &View, filter: &Filter<'_>) -> Result<Worlds, NoBelief> {
        let last = filter.last();
        let total: f64 = last.mass.iter().sum();
        if last.states.is_empty() || total <= 0.0 {
            return Err(NoBelief::Impossible);
        }
        Ok(Worlds {
            role: view.role,
            round: view.len(),
            states: last.states.clone(),
            weights: last.mass.iter().map(|mass| mass / total).collect(),
            proved: None,
            effective: None,
            histories: filter.histories().to_string(),
            method: "exact",
        })
    }

    fn sampled(game: &Game, view: &View, effort: &Effort, budget: &Budget) -> Result<Worlds, NoBelief> {
        let options = Options {
            method: percept_infoset::Method::Csp,
            wanted: Wanted::ByProbability,
            limit: effort.members,
            whole: true,
            ..Options::default()
        };
        let found = percept_infoset::infoset(game, view, &options, budget);
        let report = match found {
            Ok(report) if !report.members.is_empty() => report,
            Err(CspError::Stopped(stop)) => return Err(NoBelief::NotFound(stop.to_string())),
            // The sampler does not support this view.
            _ => {
                let options = Options { method: percept_infoset::Method::Auto, ..options };
                percept_infoset::infoset(game, view, &options, budget)
                    .map_err(|error| NoBelief::NotFound(error.to_string()))?
            }
        };
        if report.members.is_empty() {
            let why = report.stopped.map_or("the time was too short".to_string(), |stop| stop.to_string());
            return Err(if report.complete { NoBelief::Impossible } else { NoBelief::NotFound(why) });
        }
        let effective = report.effective.unwrap_or(report.members.len() as f64);
        let is_whole = report.lists_all();
        Ok(Worlds {
            role: view.role,
            round: view.len(),
            weights: report.chances(),
            proved: None,
            effective: (!is_whole).then_some(effective),
            histories: match (&report.estimate, report.complete) {
                (Some(estimate), false) => format!("about {:.3e}", estimate.mean),
                _ => report.histories.to_string(),
            },
            method: report.method,
            states: report.members.into_iter().map(|member| member.state).collect(),
        })
    }

    /// The states, each with its probability.
    pub fn members(&self) -> impl Iterator<Item = (&State, f64)> {
        self.states.iter().zip(self.weights.iter().copied())
    }

    /// True if the probabilities are exact.
    pub fn is_exact(&self) -> bool {
        self.effective.is_none()
    }

    /// The role's knowledge of whether the match is over.
    pub fn terminal(&self, game: &Game) -> Knowledge<bool> {
        let agreed = self.agreed(|state| Some(game.rules.terminal(state)));
        self.settled(agreed, |proved| proved.terminal)
    }

    /// The role's possible goals if the match is over, in ascending order.
    pub fn goals(&self, game: &Game) -> Knowledge<Vec<i64>> {
        let agreed = self.agreed(|state| game.rules.terminal(state).then(|| goals(game, state, self.role)));
        self.settled(agreed, |proved| proved.goals)
    }

    fn settled<T>(&self, agreed: Option<T>, is_proved: impl Fn(&Proved) -> bool) -> Knowledge<T> {
        match (agreed, &self.proved) {
            (None, _) => Knowledge::Open,
            (Some(_), Some(proved)) if !is_proved(proved) => Knowledge::Undecided,
            (Some(it), _) => Knowledge::Certain(it),
        }
    }

    /// The value of the states that have one, if they agree.
    fn agreed<T: PartialEq>(&self, says: impl Fn(&State) -> Option<T>) -> Option<T> {
        let mut all = self.states.iter().filter_map(says);
        let first = all.next()?;
        all.all(|it| it == first).then_some(first)
    }

    /// A share of draws as a probability. A statement on which all draws agree without a proof is a little less than
    /// certain (Laplace's rule of succession).
    fn believed(&self, share: f64, is_proved: impl Fn(&Proved) -> bool) -> f64 {
        let share = rounded(share);
        match (&self.proved, self.effective) {
            (Some(proved), Some(draws)) if share >= 1.0 && !is_proved(proved) => (draws + 1.0) / (draws + 2.0),
            _ => share,
        }
    }

    fn error(&self, probability: f64) -> f64 {
        match self.effective {
            None => 0.0,
            Some(count) => (probability * (1.0 - probability) / count).sqrt(),
        }
    }

    /// Every fluent that may hold, the most likely first, then by name.
    pub fn beliefs(&self, game: &Game) -> Vec<Belief> {
        let mut mass: FxHashMap<FluentId, f64> = FxHashMap::default();
        for (state, weight) in self.states.iter().zip(&self.weights) {
            for fluent in state.fluents() {
                *mass.entry(fluent).or_default() += weight;
            }
        }
        let belief = |(fluent, mass): (FluentId, f64)| {
            let probability = self.believed(mass, |proved| proved.fluents.contains(&fluent));
            // A proved fluent has no error.
            let error = if probability >= 1.0 { 0.0 } else { self.error(probability) };
            Belief { fluent: game.rules.fluent_term(fluent), probability, error }
        };
        let mut beliefs: Vec<Belief> = mass.into_iter().map(belief).collect();
        beliefs.sort_by(|one, other| {
            other.probability.total_cmp(&one.probability).then_with(|| one.fluent.cmp(&other.fluent))
        });
        beliefs
    }

    /// The beliefs with the boards that show them.
    pub fn pictured(&self, game: &Game, layout: &Layout) -> Beliefs {
        let beliefs = self.beliefs(game);
        let boards = layout.shades(beliefs.iter().map(|it| (&it.fluent, it.probability)));
        let mut says = Phrases::new();
        layout.speech.say_terms(&mut says, beliefs.iter().map(|it| &it.fluent));
        Beliefs {
            says,
            role: names::role(game, self.role).to_owned(),
            round: self.round,
            method: self.method,
            exact: self.is_exact(),
            effective: self.effective,
            histories: self.histories.clone(),
            legend: layout.legend(&boards),
            boards,
            beliefs,
            rounds: None,
        }
    }

    /// The role's moves that are legal in some possible nonterminal state, each with its probability given that the
    /// match goes on; 1 means certain.
    pub fn legal(&self, game: &Game) -> Vec<(MoveId, f64)> {
        let shares = self.shares(game).into_iter();
        shares.map(|(mv, share)| (mv, self.believed(share, |proved| proved.legal.contains(&mv)))).collect()
    }

    /// The same moves with their plain shares of the states.
    fn shares(&self, game: &Game) -> Vec<(MoveId, f64)> {
        let mut share: FxHashMap<MoveId, f64> = FxHashMap::default();
        let mut total = 0.0;
        let going = self.states.iter().zip(&self.weights).filter(|(state, _)| !game.rules.terminal(state));
        for (state, weight) in going {
            total += weight;
            for mv in game.rules.legal(state, self.role) {
                *share.entry(mv).or_default() += weight;
            }
        }
        let mut moves: Vec<(MoveId, f64)> = share.into_iter().map(|(mv, mass)| (mv, rounded(mass / total))).collect();
        moves.sort_by_cached_key(|(mv, _)| game.rules.move_name(self.role, *mv));
        moves
    }
}

/// The distinct states that fit a view, counted round by round.
fn counted<'a>(game: &'a Game, view: &View, effort: &Effort, budget: &Budget) -> Result<Filter<'a>, Stop> {
    let mut filter = Filter::new(game, effort.memory);
    let mut left = effort.tries as f64;
    while filter.rounds() < view.len() {
        budget.report("rounds filtered", filter.rounds(), Some(view.len()));
        left -= tries(game, view, &filter);
        if left < 0.0 {
            return Err(Stop::OutOfTime);
        }
        filter.advance(view, budget, None)?;
    }
    Ok(filter)
}

/// An estimate of the joint moves that the next round of a filter tries, from a few of its states.
fn tries(game: &Game, view: &View, filter: &Filter<'_>) -> f64 {
    const LOOKED_AT: usize = 16;
    let layer = filter.last();
    let count = layer.states.len();
    // With this few states, an estimate would cost as much as the round.
    if count < LOOKED_AT {
        return count as f64;
    }
    let own = view.rounds[filter.rounds()].own;
    let some = layer.states.iter().step_by(count / LOOKED_AT);
    let (states, moves) = some.fold((0.0, 0.0), |(states, moves), state| {
        (states + 1.0, moves + JointMoves::new(game, state, view.role, own).size())
    });
    moves / states * count as f64
}

/// The least number of bytes that the unrolled rules may take for proofs.
const PROOF_MEMORY: usize = 256 << 20;

fn goals(game: &Game, state: &State, role: RoleId) -> Vec<i64> {
    let mut goals = game.rules.goals(state, role);
    goals.sort_unstable();
    goals
}

/// A budget with the given fraction of the remaining time.
fn part(budget: &Budget, share: f64) -> Budget {
    let now = Instant::now();
    let until = |deadline: Instant| now + deadline.saturating_duration_since(now).mul_f64(share);
    Budget { deadline: budget.deadline.map(until), ..budget.clone() }
}

/// Rounds sums that miss 1 or 0 only by floating-point error.
fn rounded(probability: f64) -> f64 {
    const NEAR: f64 = 1e-9;
    match probability {
        it if it > 1.0 - NEAR => 1.0,
        it if it < NEAR => 0.0,
        it => it,
    }
}

/// A budget with its own time limit, for answers that a person waits for.
pub fn within(time: Duration) -> Budget {
    Budget { deadline: Instant::now().checked_add(time), ..Budget::default() }
}
