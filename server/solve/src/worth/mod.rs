//! What a percept is worth: the game solved as it is, without one of its percepts, with that percept for one role only,
//! with it for everybody, and with the whole state announced.
//!
//! Rules are edited as typed syntax ([`gdl`], [`pogddl`]), so whatever the text looks like, what changes is one rule.

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

/// The rules of a game, as they were read.
#[derive(Clone, Copy)]
pub enum Rules<'a> {
    /// GDL-II.
    Gdl(&'a Description),
    /// POGDDL: a domain, a problem, and how they are to be read.
    Pogddl(&'a Domain, &'a Problem, &'a PogddlOptions),
}

/// A change of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The percept is not sent. Percepts count from 0 in the order of the text.
    Without(usize),
    /// The percept is sent to this role instead of whoever got it.
    Only(usize, String),
    /// The percept is sent to everybody, with the name of whom it was meant for.
    Public(usize),
    /// Everybody is told the new state after every round (in POGDDL: every action).
    Announced,
}

/// Where a percept comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// In the description, or in the domain.
    pub range: TextRange,
    /// The percept as it is written.
    pub says: String,
}

/// A value of one role in a changed game, in its goals, or why there is none.
pub type Priced = Result<Value, String>;

/// What a game is worth to a role.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The middle of what is known of it.
    pub value: f64,
    /// Half the width of that.
    pub error: f64,
    /// The value itself, where it was proved.
    pub exact: Option<BigRational>,
}

/// What one percept is worth to one role.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Whose.
    pub role: String,
    /// Without the percept.
    pub without: Priced,
    /// If this role alone got it.
    pub only: Priced,
    /// If everybody got it.
    pub public: Priced,
}

/// A rule that sends percepts, and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Percept {
    /// Where it stands.
    pub source: Source,
    /// One for each role.
    pub rows: Vec<Row>,
}

/// What all percepts of a game are worth.
#[derive(Clone, Debug)]
pub struct Worth {
    /// By role that is not chance: its name and its value in the game as it is.
    pub values: Vec<(String, Value)>,
    /// One for each rule that sends some.
    pub percepts: Vec<Percept>,
    /// By role: its value if everybody was told everything.
    pub announced: Vec<Priced>,
    /// How the game was solved.
    pub method: &'static str,
    /// Whether values are what roles can make sure of, because their goals are not opposed.
    pub secured: bool,
}

/// Why percepts were not priced.
#[derive(Clone, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum WorthError {
    #[error(transparent)]
    Tree(#[from] BuildError),
    #[error("the rules are no game: {}", .0.first().map_or("", |error| &error.message))]
    Game(Vec<GameError>),
    #[error("samples prove no value, so that nothing can be priced by them")]
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

    /// Where the budget is spent first, rules in GDL are interpreted.
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

    /// The game after a change; without its circuit where the budget does not suffice for that.
    ///
    /// # Errors
    /// What keeps the changed rules from being a game.
    pub fn edited(&self, edit: &Edit, budget: &Budget) -> Result<Game, WorthError> {
        match self {
            Rules::Gdl(description) => Rules::Gdl(&gdl::edit(description, edit)).game(budget),
            Rules::Pogddl(domain, problem, options) => {
                Rules::Pogddl(&pogddl::edit(domain, edit), problem, options).game(budget)
            }
        }
    }
}

/// The bounds of what a game is worth to a role, in its goals. `None` where the time or the memory does not suffice, a role does
/// not know its moves, or the role is chance.
pub fn bounds(game: &Game, role: RoleId, options: &Options, budget: &Budget) -> Option<(f64, f64)> {
    let solution = solve(game, options, budget).ok()?;
    let value = solution.values.into_iter().find(|it| it.role == role)?;
    Some(match value.exact.as_ref().and_then(ToPrimitive::to_f64) {
        Some(exact) => (exact, exact),
        None => (value.low, value.high),
    })
}

/// Prices every percept of a game.
///
/// # Errors
/// What keeps the game as it is from being solved. Changed games that cannot be solved (a role that no longer knows its
/// moves, say) are told in their place.
pub fn worth(rules: &Rules<'_>, options: &Options, budget: &Budget) -> Result<Worth, WorthError> {
    worth_in(&rules.game(budget)?, rules, options, budget)
}

/// As [`worth`], where the rules have been set up already, as this game.
///
/// # Errors
/// As [`worth`].
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

/// The values of a changed game by player.
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
