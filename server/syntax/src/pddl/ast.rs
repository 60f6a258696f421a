//! The typed syntax of PDDL 2.2 with POGDDL's `observe` and `:gain`.
//!
//! As in `gdl::ast`, the tree holds what was written. Sections may stand in any order and more than once; the
//! lists below are in the order of the text. What could not be understood is a syntax error and is left out.

mod body;

pub use body::*;

use super::Placed;
use crate::text::{Name, TextRange};

/// A file: one or more `(define ...)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct File {
    /// In the order of the text.
    pub definitions: Vec<Definition>,
    /// PDDL that POGDDL's games do not have, in the order of the text. No syntax errors.
    pub outside: Vec<Outside>,
}

impl File {
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

/// A construct of some PDDL that is outside POGDDL's games. What is known of PDDL up to 3 is in the typed syntax too,
/// in variants called `Outside`; the rest (`is_read` is false) is only named.
#[derive(Clone, Debug, PartialEq)]
pub struct Outside {
    /// The word that says so: `:durative-action`, `preference`, `at`.
    pub keyword: Name,
    /// The whole construct.
    pub range: TextRange,
    /// What it is, for a message: `a durative action`.
    pub what: &'static str,
    /// Whether the names in it are in the typed syntax.
    pub is_read: bool,
}

/// What a `(define ...)` defines.
#[derive(Clone, Debug, PartialEq)]
pub enum Definition {
    /// `(define (domain name) ...)`.
    Domain(Box<Domain>),
    /// `(define (problem name) ...)`.
    Problem(Box<Problem>),
}

impl Definition {
    /// The whole `(define ...)`.
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
    /// From its first to its last token.
    pub range: TextRange,
    /// The name in `(domain name)`.
    pub name: Option<Name>,
    /// Every section keyword with its place, in order: `:requirements`, `:action` and so on, also unknown ones.
    pub sections: Vec<Section>,
    /// Requirement flags, with the leading `:` (kept absent where the author forgot it).
    pub requirements: Vec<Name>,
    /// `(:types a b - c)`: each group gives the supertypes of its names.
    pub types: Vec<TypedGroup>,
    /// `(:constants a b - c)`.
    pub constants: Vec<TypedGroup>,
    /// `(:predicates (p ?x - t) ...)`.
    pub predicates: Vec<Signature>,
    /// `(:functions (f ?x - t) - number ...)`.
    pub functions: Vec<FunctionDecl>,
    /// `(:action ...)`, each.
    pub actions: Vec<Placed<Action>>,
    /// `(:derived ...)`, each.
    pub derived: Vec<Derived>,
    /// `(:gain ...)`, each.
    pub gains: Vec<Gain>,
    /// Actions that take time, and what happens by itself.
    pub timed: Vec<TimedAction>,
    /// What every plan must keep to, of PDDL 3.
    pub constraints: Vec<Condition>,
}

impl Domain {
    /// The actions, and after them what takes time.
    pub fn every_action(&self) -> impl Iterator<Item = &Action> {
        self.actions.iter().map(|action| &**action).chain(self.timed.iter().map(|timed| &timed.action))
    }
}

/// One game of a domain: its objects and how it begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem {
    /// From its first to its last token.
    pub range: TextRange,
    /// As it is written.
    pub name: Option<Name>,
    /// The name in `(:domain name)`.
    pub domain: Option<Name>,
    /// Every section keyword with its place, in order.
    pub sections: Vec<Section>,
    /// Requirement flags, as in a domain.
    pub requirements: Vec<Name>,
    /// `(:objects a b - c)`.
    pub objects: Vec<TypedGroup>,
    /// What holds at the start.
    pub init: Vec<Init>,
    /// `(:goal ...)`.
    pub goal: Option<Condition>,
    /// What every plan must keep to, of PDDL 3.
    pub constraints: Vec<Condition>,
    /// What a plan is to have little or much of.
    pub metric: Option<Expr>,
}

/// A section: `keyword` as written (`:init`), `range` from its `(` to its `)`. Sections outside POGDDL's games
/// (`:durative-action`, `:constraints`, `:metric` ...) appear only here.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The word that begins it.
    pub keyword: Name,
    /// From its first to its last token.
    pub range: TextRange,
}

/// `a b c - t`, `a - (either t u)`, or names with no type. Variables are without their `?`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedGroup {
    /// Empty where a `-` follows nothing, which many parsers let pass.
    pub names: Vec<Name>,
    /// Empty where no type is written: the type is `object`.
    pub types: Vec<Name>,
    /// From its first to its last token.
    pub range: TextRange,
}

/// `(at ?c - card ?s - slot)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// As it is written, without the `?` of a variable.
    pub name: Name,
    /// Its variables with their types.
    pub params: Vec<TypedGroup>,
    /// From its first to its last token.
    pub range: TextRange,
}

/// `(score ?p - role) - number`.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDecl {
    /// Its name and variables.
    pub signature: Signature,
    /// The type of its values; `None` where none is written, which means numbers.
    pub result: Option<Name>,
}

/// What a role or chance can do.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// From its first to its last token.
    pub range: TextRange,
    /// As it is written, without the `?` of a variable.
    pub name: Name,
    /// Its variables with their types.
    pub params: Vec<TypedGroup>,
    /// More variables, of PDDL 1's `:vars` and multi-agent PDDL's `:agent`.
    pub vars: Vec<TypedGroup>,
    /// `None`: absent or `()`, which is true.
    pub precondition: Option<Condition>,
    /// `None`: absent or `()`, which does nothing.
    pub effect: Option<Effect>,
    /// What contingent PDDL's `:observe` senses.
    pub senses: Option<Condition>,
    /// The fields with their keywords (`:parameters`, `:precondition`, `:effect`, and unknown ones such as `:observe`).
    pub fields: Vec<Section>,
}

/// A durative action of PDDL 2.1, a process or event of PDDL+, or an axiom of PDDL 1.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedAction {
    /// Which of them.
    pub kind: TimedKind,
    /// Its name, variables, condition and effect; conditions and effects of a durative action say when they hold
    /// ([`OutsideKind::Timed`], [`Effect::Outside`]). The name of an axiom is empty.
    pub action: Action,
    /// What `:duration` demands of `?duration`.
    pub duration: Option<Condition>,
}

/// What takes time or happens by itself.
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
    /// From its first to its last token.
    pub range: TextRange,
    /// What is derived.
    pub head: Signature,
    /// When it holds.
    pub body: Condition,
}

/// `(:gain ?p - role <f-exp> <GD>)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Gain {
    /// From its first to its last token.
    pub range: TextRange,
    /// Its variables with their types.
    pub params: Vec<TypedGroup>,
    /// How much is gained.
    pub value: Expr,
    /// When it is gained.
    pub condition: Condition,
}

/// `(at ?c dealer)`, also the terms of `observe` messages and of init.
#[derive(Clone, Debug, PartialEq)]
pub struct Atom {
    /// From its first to its last token.
    pub range: TextRange,
    /// As it is written, without the `?` of a variable.
    pub name: Name,
    /// In the order of the text.
    pub args: Vec<Arg>,
}

/// An argument: a variable or the name of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// As it is written, without the `?` of a variable.
    pub name: Name,
    /// Whether it was written with a `?`.
    pub is_variable: bool,
}
