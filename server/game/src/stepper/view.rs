//! The display of a match at one place: the state by functor, moves, percepts.

use std::collections::BTreeMap;

use super::{Played, Stepper};
use crate::{Game, State, Term};

/// A match at one place.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct StepView {
    /// Rounds played before this state.
    pub round: usize,
    /// The number of rounds, including those after this state.
    pub rounds: usize,
    /// True if the match is over here.
    pub terminal: bool,
    /// The roles, in their order.
    pub roles: Vec<RoleView>,
    /// The state.
    pub state: Shown,
    /// The whole match, undone rounds included.
    pub history: Vec<RoundView>,
}

/// A role at one place of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct RoleView {
    /// The name as the rules write it.
    pub name: String,
    /// True if it moves at random.
    pub chance: bool,
    /// The legal moves; none once the match is over. Only `noop` if the role has to wait.
    pub legal: Vec<String>,
    /// The percepts of the last round.
    pub percepts: Vec<String>,
    /// The goal values that hold now.
    pub goals: Vec<i64>,
}

/// One round of a match: a move and the percepts for each role.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct RoundView {
    /// The round, from 1.
    pub round: usize,
    /// In the order of the roles.
    pub moves: Vec<String>,
    /// The percepts of each role.
    pub percepts: Vec<Vec<String>>,
}

/// A state, readable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Shown {
    /// Fluents that begin with the same word.
    pub groups: Vec<Group>,
    /// Numeric fluents and their values.
    pub numbers: Vec<(String, i64)>,
}

/// The fluents with one functor.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Group {
    /// The common head of their names.
    pub functor: String,
    /// Their names, numbers in them compared as numbers.
    pub fluents: Vec<Term>,
}

impl StepView {
    pub(super) fn of(stepper: &Stepper) -> StepView {
        let game = stepper.game();
        let last = stepper.at().checked_sub(1).map(|index| &stepper.rounds()[index]);
        let roles = game.role_ids().map(|role| RoleView {
            name: game.roles[role.0 as usize].name.clone(),
            chance: game.roles[role.0 as usize].is_chance,
            legal: stepper.legal(role).iter().map(|&mv| game.rules.move_name(role, mv)).collect(),
            percepts: last.map_or(Vec::new(), |played| percept_names(game, played, role)),
            goals: game.rules.goals(stepper.state(), role),
        });
        StepView {
            round: stepper.at(),
            rounds: stepper.len(),
            terminal: stepper.is_over(),
            roles: roles.collect(),
            state: shown(game, stepper.state()),
            history: stepper
                .rounds()
                .iter()
                .enumerate()
                .map(|(index, played)| round(game, index + 1, played))
                .collect(),
        }
    }
}

fn round(game: &Game, number: usize, played: &Played) -> RoundView {
    RoundView {
        round: number,
        moves: game.role_ids().zip(&played.joint).map(|(role, &mv)| game.rules.move_name(role, mv)).collect(),
        percepts: game.role_ids().map(|role| percept_names(game, played, role)).collect(),
    }
}

fn percept_names(game: &Game, played: &Played, role: crate::RoleId) -> Vec<String> {
    played.percepts[role.0 as usize].iter().map(|&percept| game.rules.percept_name(role, percept)).collect()
}

/// A state grouped by functor, in alphabetical order; numbers in names are compared as numbers.
pub fn shown(game: &Game, state: &State) -> Shown {
    let mut groups: BTreeMap<String, Vec<Term>> = BTreeMap::new();
    let mut numbers = Vec::new();
    for fluent in state.fluents() {
        let term = game.rules.fluent_term(fluent);
        // A number in a small range is kept as fluents, one for each value: `(= (score p1) 3)`.
        match term.as_value() {
            Some((number, value)) => numbers.push((number.to_string(), value)),
            None => groups.entry(term.head().to_string()).or_default().push(term),
        }
    }
    let groups = groups
        .into_iter()
        .map(|(functor, mut fluents)| {
            fluents.sort_by_cached_key(|fluent| natural(&fluent.to_string()));
            Group { functor, fluents }
        })
        .collect();
    let registers = game.rules.register_names().into_iter().zip(state.registers.iter().copied());
    Shown { groups, numbers: numbers.into_iter().chain(registers).collect() }
}

/// A key that orders `row2` before `row10`: every run of digits is preceded by its length.
fn natural(name: &str) -> String {
    let mut key = String::with_capacity(name.len() + 4);
    let mut rest = name;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, digits) = rest.split_at(at);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let number = digits[..end].trim_start_matches('0');
        key.push_str(before);
        key.push(char::from_u32(0x30 + number.len() as u32).unwrap_or('~'));
        key.push_str(number);
        rest = &digits[end..];
    }
    key.push_str(rest);
    key
}
