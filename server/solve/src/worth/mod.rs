//! The worth of a percept: the game is solved unchanged, without one of its percepts, with that percept for one role
//! only, with it for all roles, and with the whole state announced.
//!
//! Rules are edited as typed syntax ([`gdl`], [`pogddl`]), so exactly one rule changes, whatever the text looks like.

pub mod gdl;
pub mod pogddl;

use num_rational::BigRational;
use num_traits::ToPrimitive;
use percept_game::gdl::Grounding;
use percept_game::{Game, GameError, PogddlOptions, RoleId};
use percept_infoset::{Budget, Progress, Stop};
use percept_syntax::TextRange;
use percept_syntax::gdl::Description;
use percept_syntax::pddl::{Domain, Problem};

use crate::options::Options;
use crate::solve::solve;
use crate::tree::BuildError;

/// The rules of a game as syntax.
#[derive(Clone, Copy)]
pub enum Rules<'a> {
    /// The rules of a GDL-II game.
    Gdl(&'a Description),
    /// A domain and a problem in POGDDL, and the options for reading them.
    Pogddl(&'a Domain, &'a Problem, &'a PogddlOptions),
}

/// A change of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The percept is not sent. Percepts are numbered from 0 in the order of the text.
    Without(usize),
    /// The percept goes to this role instead of its receivers.
    Only(usize, String),
    /// The percept goes to every role, together with the name of its intended receiver.
    Public(usize),
    /// Every role learns the new state after every round (in POGDDL: every action).
    Announced,
}

/// The origin of a percept.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The range of the percept in the description or in the domain.
    pub range: TextRange,
    /// The text of the percept.
    pub says: String,
}

/// The value of a changed game to one role, in its goals, or the reason why there is none.
pub type Priced = Result<Value, String>;

/// The value of a game to a role.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The middle of its bounds.
    pub value: f64,
    /// Half the distance of its bounds.
    pub error: f64,
    /// The value itself, if it was proved.
    pub exact: Option<BigRational>,
}

/// The worth of one percept to one role.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The role.
    pub role: String,
    /// The value without the percept.
    pub without: Priced,
    /// The value if only this role received it.
    pub only: Priced,
    /// The value if all roles received it.
    pub public: Priced,
}

/// A rule that sends percepts, with its worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Percept {
    /// The place of the rule.
    pub source: Source,
    /// One row for each role.
    pub rows: Vec<Row>,
}

/// The worth of all percepts of a game.
#[derive(Clone, Debug)]
pub struct Worth {
    /// For each role that is not chance, its name and its value in the unchanged game.
    pub values: Vec<(String, Value)>,
    /// One for each rule that sends percepts.
    pub percepts: Vec<Percept>,
    /// For each role, its value if the whole state were announced.
    pub announced: Vec<Priced>,
    /// The method of the solver.
    pub method: &'static str,
    /// True if values are those that roles can secure, because their goals are not opposed.
    pub secured: bool,
}

/// The reason why percepts were not priced.
#[derive(Clone, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum WorthError {
    #[error(transparent)]
    Tree(#[from] BuildError),
    #[error("the rules are not a game: {}", .0.first().map_or("", |error| &error.message))]
    Game(Vec<GameError>),
    #[error("sampling proves no value, so it cannot price percepts; choose another method")]
    Sampled,
}

impl Rules<'_> {
    /// The percepts that the rules send, in the order of the text.
    pub fn percepts(&self) -> Vec<Source> {
        match self {
            Rules::Gdl(description) => gdl::percepts(description),
            Rules::Pogddl(domain, ..) => pogddl::percepts(domain),
        }
    }

    /// The game. If the budget is spent before it is ground, GDL rules are interpreted.
    fn game(&self, budget: &Budget) -> Result<Game, WorthError> {
        match self {
            Rules::Gdl(description) => {
                let grounding = Grounding { budget: budget.clone(), ..Grounding::default() };
                Game::from_gdl_with(description, &grounding)
            }
            Rules::Pogddl(domain, problem, options) => Game::from_pogddl(domain, problem, options),
        }
        .map_err(WorthError::Game)
    }

    /// The game after a change; without its circuit if the budget does not suffice.
    ///
    /// # Errors
    /// If the changed rules are not a game.
    pub fn edited(&self, edit: &Edit, budget: &Budget) -> Result<Game, WorthError> {
        match self {
            Rules::Gdl(description) => Rules::Gdl(&gdl::edit(description, edit)).game(budget),
            Rules::Pogddl(domain, problem, options) => {
                Rules::Pogddl(&pogddl::edit(domain, edit), problem, options).game(budget)
            }
        }
    }
}

/// The bounds of the game's value to a role, in its goals. `None` if the game has no value, because goals are not
/// opposed; if the time or the memory does not suffice; if a role does not know its moves; or if the role is chance.
pub fn bounds(game: &Game, role: RoleId, options: &Options, budget: &Budget) -> Option<(f64, f64)> {
    let solution = solve(game, options, budget).ok().filter(|it| it.kind != crate::Kind::General)?;
    let value = solution.values.into_iter().find(|it| it.role == role)?;
    Some(match value.exact.as_ref().and_then(ToPrimitive::to_f64) {
        Some(exact) => (exact, exact),
        None => (value.low, value.high),
    })
}

/// Prices every percept of a game.
///
/// # Errors
/// If the unchanged game cannot be solved. Changed games that cannot be solved (for example because a role no longer
/// knows its moves) are reported in their place.
pub fn worth(rules: &Rules<'_>, options: &Options, budget: &Budget) -> Result<Worth, WorthError> {
    worth_in(&rules.game(budget)?, rules, options, budget)
}

/// Like [`worth`], if the rules have already been set up as this game.
///
/// # Errors
/// Like [`worth`].
pub fn worth_in(game: &Game, rules: &Rules<'_>, options: &Options, budget: &Budget) -> Result<Worth, WorthError> {
    let solution = solve(game, options, budget)?;
    if solution.values.is_empty() {
        return Err(WorthError::Sampled);
    }
    let names: Vec<String> =
        solution.values.iter().map(|value| game.roles[value.role.0 as usize].name.clone()).collect();
    let value = |it: &crate::RoleValue| Value::new(it.low, it.high, it.exact.clone());
    let sources = rules.percepts();
    let total = sources.len() * (2 + names.len()) + 1;
    let mut done = 0;
    let mut price = |edit: Edit| -> Result<Vec<Priced>, WorthError> {
        if let Some(listener) = &budget.progress {
            listener(&Progress { what: "solving changed games", done, total: Some(total as u64) });
        }
        done += 1;
        priced(rules, &edit, names.len(), options, budget)
    };
    let mut percepts = Vec::new();
    for (index, source) in sources.into_iter().enumerate() {
        let without = price(Edit::Without(index))?;
        let public = price(Edit::Public(index))?;
        let mut rows = Vec::new();
        for (at, role) in names.iter().enumerate() {
            let only = price(Edit::Only(index, role.clone()))?;
            rows.push(Row {
                role: role.clone(),
                without: without[at].clone(),
                only: only[at].clone(),
                public: public[at].clone(),
            });
        }
        percepts.push(Percept { source, rows });
    }
    Ok(Worth {
        announced: price(Edit::Announced)?,
        values: names.iter().cloned().zip(solution.values.iter().map(value)).collect(),
        percepts,
        method: solution.method,
        secured: solution.kind == crate::Kind::General,
    })
}

/// The values of a changed game, by player.
fn priced(
    rules: &Rules<'_>,
    edit: &Edit,
    players: usize,
    options: &Options,
    budget: &Budget,
) -> Result<Vec<Priced>, WorthError> {
    if let Err(stop) = budget.check() {
        return Ok(vec![Err(stop.to_string()); players]);
    }
    let none = |why: String| Ok(vec![Err(why); players]);
    let game = match rules.edited(edit, budget) {
        Ok(game) => game,
        Err(error) => return none(error.to_string()),
    };
    match solve(&game, options, budget) {
        Ok(solution) => Ok(solution.values.into_iter().map(|it| Ok(Value::new(it.low, it.high, it.exact))).collect()),
        Err(BuildError::Stopped(Stop::Cancelled)) => Err(BuildError::Stopped(Stop::Cancelled).into()),
        Err(error) => none(error.to_string()),
    }
}

impl Value {
    fn new(low: f64, high: f64, exact: Option<BigRational>) -> Value {
        let value = exact.as_ref().and_then(ToPrimitive::to_f64).unwrap_or((low + high) / 2.0);
        Value { value, error: ((high - low) / 2.0).max(0.0), exact }
    }
}
