//! POGDDL: PDDL's actions as a game of incomplete information.
//!
//! Nothing is ground in advance: published problems have millions of actions. Each action schema gets a *join plan*
//! that enumerates its applicable bindings in a state (or the bindings that may be applicable, given partial
//! knowledge). Predicates and numbers that no action changes become tables; derived predicates that no action can
//! change are closed once, the others stratum by stratum in each state.
//!
//! ```text
//! syntax -> lower -> Model -> layout (argument domains, dense numbers) -> bounds (numbers as fluents)
//!        -> plan (joins) -> Engine -> step (two-valued play) / ground (the circuit of a round)
//! ```
//!
//! # The meaning of the language here
//! - The mover is the role with `(whoseturn r)`, the last declared one if several have it. It may take any action whose
//!   precondition holds, in the order of the file, of the parameters and of the objects' names. Moves get their
//!   [`MoveId`](crate::MoveId) when first seen; an action has the same id for every role.
//! - Effects read the old state; deletes are applied before adds. Numbers are whole; a number that was never given a
//!   value is 0. Arithmetic saturates; division rounds toward zero, and by zero gives 0. If such a case decides a
//!   match, it is a fault of the game ([`Rules::fault`](crate::Rules::fault)): any number beyond 64 bits, and a
//!   division by zero in an effect or a payoff. A condition may be evaluated before the one that guards it, so a
//!   division by zero in it is not a fault. If an action changes one number several times, the last assignment wins;
//!   without an assignment, increases add up.
//! - A percept is a message *and its position* in the list of messages that the role gets in that round, so that
//!   comparing sets of percepts compares lists.
//! - Under `forall`, effects come in the order of the declared variables, the outermost first, and of the objects'
//!   names: this is the order of messages, and decides which assignment is the last.
//! - The goal of a role is the sum of its gains. The match is over when the role with the turn has no legal action (or
//!   no role has the turn), and, with [`PogddlTerminal::Payoff`], when the goals of all roles sum to more than zero.
//! - A numeric fluent that provably stays within a small range is not a register but a group of fluents, one per value,
//!   of which exactly one holds, named `(= (score p1) 3)`. So three-valued reasoning and clauses are exact about it.
//!   Other numbers are registers, and circuits compare them with [`Node::Compare`](crate::circuit::Node).

mod ask;
mod bounds;
mod derived;
mod engine;
mod eval;
mod explain;
mod faults;
pub mod generate;
mod ground;
mod interned;
mod layout;
mod lower;
mod model;
mod names;
mod plan;
mod random;
mod relaxed;
mod rules;
mod sound;
mod step;
mod supply;
mod tables;
mod turns;

use std::sync::Arc;

use percept_syntax::{
    Comment, Name,
    pddl::{Domain, Problem},
};

use crate::{Budget, Game, GameError, Role, Written};
pub use explain::{Explainer, NoExplanation, Place, Reason};

/// The end of a match. The language does not define it; published games differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PogddlTerminal {
    /// A match ends when no action is legal.
    #[default]
    NoMoves,
    /// Also when the payoffs of all roles sum to more than zero.
    Payoff,
}

/// The options for reading a POGDDL description, for choices that the language leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PogddlOptions {
    /// The end of a match.
    pub terminal: PogddlTerminal,
}

impl PogddlOptions {
    /// The end that a comment of the domain file defines: `; percept: terminal = payoff` (or `no-moves`). `None` if
    /// there is no such comment.
    pub fn declared(text: &str, comments: &[Comment]) -> Option<PogddlTerminal> {
        comments.iter().find_map(|comment| {
            let line = text.get(comment.range.as_usize())?.trim_start_matches([';', ' ', '\t']);
            let (name, value) = line.strip_prefix("percept:")?.split_once('=')?;
            match (name.trim(), value.trim()) {
                ("terminal", "payoff") => Some(PogddlTerminal::Payoff),
                ("terminal", "no-moves") => Some(PogddlTerminal::NoMoves),
                _ => None,
            }
        })
    }
}

/// True if a problem has an object of one of these types, or of those below them; of any type if the list is empty.
/// Also `false` if it has too many objects for a game.
pub fn has_objects(domain: &Domain, problem: &Problem, types: &[Name]) -> bool {
    names::Universe::new(domain, problem).is_ok_and(|universe| !universe.of_types(types).is_empty())
}

impl Game {
    /// The game of a domain and one of its problems.
    ///
    /// # Errors
    /// If the description cannot be played; each error has its place in the domain or the problem: unknown names,
    /// unbound variables, wrong numbers of arguments, syntax that was not understood, no roles, no `whoseturn`, numbers
    /// that are not whole, and a state space too large to number.
    pub fn from_pogddl(domain: &Domain, problem: &Problem, options: &PogddlOptions) -> Result<Game, Vec<GameError>> {
        Game::from_pogddl_within(domain, problem, options, &Budget::NONE)
    }

    /// Like [`Game::from_pogddl`], within the budget of the set-up.
    ///
    /// # Errors
    /// As [`Game::from_pogddl`]; also if the set-up may not go on.
    pub fn from_pogddl_within(
        domain: &Domain,
        problem: &Problem,
        options: &PogddlOptions,
        set_up: &Budget,
    ) -> Result<Game, Vec<GameError>> {
        let model = lower::lower(domain, problem)?;
        GameError::if_spent(set_up)?;
        let ends_at_payoff = options.terminal == PogddlTerminal::Payoff;
        let engine = engine::Engine::new(model, ends_at_payoff, set_up);
        // A search that ended early may look like a mistake of the game.
        GameError::if_spent(set_up)?;
        let engine = engine.map_err(|engine::Refusal { message, name }| {
            let declared = domain.predicates.iter().chain(domain.functions.iter().map(|function| &function.signature));
            let at_fault = declared.map(|it| &it.name).find(|it| name.as_ref().is_some_and(|name| it.is(name)));
            let range = at_fault.or(domain.name.as_ref()).map_or(domain.range, |name| name.range);
            vec![GameError { message, range, in_problem: false }]
        })?;
        let name = |role: &model::Obj| engine.model.objects[*role as usize].to_string();
        let names = engine.model.roles.iter().map(name);
        let roles = names.map(|name| Role { is_chance: name == "chance", name }).collect();
        let rules = Arc::new(rules::Operators::new(engine, ends_at_payoff));
        let written = Written::Pogddl(Arc::new((domain.clone(), problem.clone(), *options)));
        Ok(Game { roles, rules, knows_own_moves: false, is_sequential: true, written })
    }
}
