//! The typed syntax of PDDL 2.2 with POGDDL's `observe` and `:gain`.
//!
//! As in `gdl::ast`, the tree represents the text as written. Sections may be in any order and more than once; the
//! lists below are in the order of the text. Text that could not be understood is a syntax error and is left out.

mod body;

pub use body::*;

use super::Placed;
use crate::text::{Name, TextRange};

/// The content of a file: one or more `(define ...)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content {
    /// The definitions, in the order of the text.
    pub definitions: Vec<Definition>,
    /// Constructs of PDDL outside POGDDL, in the order of the text. They are not syntax errors.
    pub outside: Vec<Outside>,
}

impl Content {
    /// The first domain of the file.
    pub fn domain(&self) -> Option<&Domain> {
        self.definitions.iter().find_map(|definition| match definition {
            Definition::Domain(domain) => Some(&**domain),
            Definition::Problem(_) => None,
        })
    }

    /// The first problem of the file.
    pub fn problem(&self) -> Option<&Problem> {
        self.definitions.iter().find_map(|definition| match definition {
            Definition::Problem(problem) => Some(&**problem),
            Definition::Domain(_) => None,
        })
    }
}

/// A construct of PDDL that is outside POGDDL. Constructs of PDDL up to version 3 are in the typed syntax too, in
/// variants called `Outside`; the others (`is_read` is false) are only named.
#[derive(Clone, Debug, PartialEq)]
pub struct Outside {
    /// The word that identifies it: `:durative-action`, `preference`, `at`.
    pub keyword: Name,
    /// The range of the whole construct.
    pub range: TextRange,
    /// The description for a message: `a durative action`.
    pub what: &'static str,
    /// True if the names in it are in the typed syntax.
    pub is_read: bool,
}

/// The contents of a `(define ...)`.
#[derive(Clone, Debug, PartialEq)]
pub enum Definition {
    /// `(define (domain name) ...)`.
    Domain(Box<Domain>),
    /// `(define (problem name) ...)`.
    Problem(Box<Problem>),
}

impl Definition {
    /// The range of the whole `(define ...)`.
    pub fn range(&self) -> TextRange {
        match self {
            Definition::Domain(domain) => domain.range,
            Definition::Problem(problem) => problem.range,
        }
    }
}

/// The rules of a kind of game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Domain {
    /// The range from the first to the last token.
    pub range: TextRange,
    /// The name in `(domain name)`.
    pub name: Option<Name>,
    /// Every section keyword with its place, in order: `:requirements`, `:action` and so on, including unknown ones.
    pub sections: Vec<Section>,
    /// Requirement flags, with the leading `:` (absent if the author forgot it).
    pub requirements: Vec<Name>,
    /// `(:types a b - c)`: each group gives the supertypes of its names.
    pub types: Vec<TypedGroup>,
    /// `(:constants a b - c)`.
    pub constants: Vec<TypedGroup>,
    /// `(:predicates (p ?x - t) ...)`.
    pub predicates: Vec<Signature>,
    /// `(:functions (f ?x - t) - number ...)`.
    pub functions: Vec<FunctionDecl>,
    /// Every `(:action ...)`.
    pub actions: Vec<Placed<Action>>,
    /// Every `(:derived ...)`.
    pub derived: Vec<Derived>,
    /// Every `(:gain ...)`.
    pub gains: Vec<Gain>,
    /// Actions with a duration, and processes, events and axioms.
    pub timed: Vec<TimedAction>,
    /// The constraints on every plan, of PDDL 3.
    pub constraints: Vec<Condition>,
}

impl Domain {
    /// The actions, followed by the timed actions.
    pub fn every_action(&self) -> impl Iterator<Item = &Action> {
        self.actions.iter().map(|action| &**action).chain(self.timed.iter().map(|timed| &timed.action))
    }
}

/// One game of a domain: its objects and its initial state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem {
    /// The range from the first to the last token.
    pub range: TextRange,
    /// The name in `(problem name)`, as written.
    pub name: Option<Name>,
    /// The name in `(:domain name)`.
    pub domain: Option<Name>,
    /// Every section keyword with its place, in order.
    pub sections: Vec<Section>,
    /// Requirement flags, as in a domain.
    pub requirements: Vec<Name>,
    /// `(:objects a b - c)`.
    pub objects: Vec<TypedGroup>,
    /// The facts and values of the initial state.
    pub init: Vec<Init>,
    /// `(:goal ...)`.
    pub goal: Option<Condition>,
    /// The constraints on every plan, of PDDL 3.
    pub constraints: Vec<Condition>,
    /// The expression that a plan should minimize or maximize.
    pub metric: Option<Expr>,
}

/// A section: `keyword` as written (`:init`), `range` from its `(` to its `)`. Sections outside POGDDL
/// (`:durative-action`, `:constraints`, `:metric` ...) appear only here.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The word that begins it.
    pub keyword: Name,
    /// The range from the first to the last token.
    pub range: TextRange,
}

/// `a b c - t`, `a - (either t u)`, or names with no type. Variables are without their `?`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedGroup {
    /// The names; empty if a `-` follows no name, which many parsers accept.
    pub names: Vec<Name>,
    /// The types; empty if no type is written, which means `object`.
    pub types: Vec<Name>,
    /// The range from the first to the last token.
    pub range: TextRange,
}

/// `(at ?c - card ?s - slot)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// The name as written.
    pub name: Name,
    /// The variables with their types.
    pub params: Vec<TypedGroup>,
    /// The range from the first to the last token.
    pub range: TextRange,
}

/// `(score ?p - role) - number`.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDecl {
    /// The name and the variables.
    pub signature: Signature,
    /// The type of its values; `None` if none is written, which means numbers.
    pub result: Option<Name>,
}

/// An action of a role or of chance.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// The range from the first to the last token.
    pub range: TextRange,
    /// The name as written.
    pub name: Name,
    /// The variables with their types.
    pub params: Vec<TypedGroup>,
    /// Additional variables, of PDDL 1's `:vars` and multi-agent PDDL's `:agent`.
    pub vars: Vec<TypedGroup>,
    /// The precondition; `None` if absent or `()`, which is true.
    pub precondition: Option<Condition>,
    /// The effect; `None` if absent or `()`, which does nothing.
    pub effect: Option<Effect>,
    /// The condition sensed by contingent PDDL's `:observe`.
    pub senses: Option<Condition>,
    /// The fields with their keywords (`:parameters`, `:precondition`, `:effect`, and unknown ones such as `:observe`).
    pub fields: Vec<Section>,
}

/// A durative action of PDDL 2.1, a process or event of PDDL+, or an axiom of PDDL 1.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedAction {
    /// The kind of timed action.
    pub kind: TimedKind,
    /// Its name, variables, condition and effect. In a durative action, conditions and effects carry their time
    /// ([`OutsideKind::Timed`], [`Effect::Outside`]). The name of an axiom is empty.
    pub action: Action,
    /// The condition of `:duration` on `?duration`.
    pub duration: Option<Condition>,
}

/// The kinds of actions that have a duration or happen by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimedKind {
    /// `(:durative-action ...)` of PDDL 2.1.
    Durative,
    /// `(:process ...)` of PDDL+.
    Process,
    /// `(:event ...)` of PDDL+.
    Event,
    /// `(:axiom ...)` of PDDL 1.
    Axiom,
}

/// `(:derived (name ?x) condition)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    /// The range from the first to the last token.
    pub range: TextRange,
    /// The derived predicate with its variables.
    pub head: Signature,
    /// The condition under which it holds.
    pub body: Condition,
}

/// `(:gain ?p - role <f-exp> <GD>)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Gain {
    /// The range from the first to the last token.
    pub range: TextRange,
    /// The variables with their types.
    pub params: Vec<TypedGroup>,
    /// The gained amount.
    pub value: Expr,
    /// The condition of the gain.
    pub condition: Condition,
}

/// `(at ?c dealer)`, also the terms of `observe` messages and of init.
#[derive(Clone, Debug, PartialEq)]
pub struct Atom {
    /// The range from the first to the last token.
    pub range: TextRange,
    /// The name as written.
    pub name: Name,
    /// The arguments, in the order of the text.
    pub args: Vec<Arg>,
}

/// An argument: a variable or the name of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// The name, without the `?` of a variable.
    pub name: Name,
    /// True if it was written with a `?`.
    pub is_variable: bool,
}
