//! The typed syntax of PDDL 2.2 with POGDDL's `observe` and `:gain`.
//!
//! As in `gdl::ast`, the tree holds what was written. Sections may stand in any order and more than once; the
//! lists below are in the order of the text. What could not be understood is a syntax error and is left out.

use crate::text::{Name, TextRange};

/// A file: one or more `(define ...)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct File {
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

#[derive(Clone, Debug, PartialEq)]
pub enum Definition {
    Domain(Box<Domain>),
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

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Domain {
    pub range: TextRange,
    /// The name in `(domain name)`.
    pub name: Option<Name>,
    /// Every section keyword with its place, in order: `:requirements`, `:action` and so on, also unknown ones.
    pub sections: Vec<Section>,
    /// Requirement flags, with the leading `:` (kept absent where the author forgot it).
    pub requirements: Vec<Name>,
    /// `(:types a b - c)`: each group gives the supertypes of its names.
    pub types: Vec<TypedGroup>,
    pub constants: Vec<TypedGroup>,
    pub predicates: Vec<Signature>,
    pub functions: Vec<FunctionDecl>,
    pub actions: Vec<Action>,
    pub derived: Vec<Derived>,
    pub gains: Vec<Gain>,
    /// Actions that take time, and what happens by itself.
    pub timed: Vec<TimedAction>,
    /// What every plan must keep to, of PDDL 3.
    pub constraints: Vec<Condition>,
}

impl Domain {
    /// The actions, and after them what takes time.
    pub fn every_action(&self) -> impl Iterator<Item = &Action> {
        self.actions.iter().chain(self.timed.iter().map(|timed| &timed.action))
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem {
    pub range: TextRange,
    pub name: Option<Name>,
    /// The name in `(:domain name)`.
    pub domain: Option<Name>,
    pub sections: Vec<Section>,
    pub requirements: Vec<Name>,
    pub objects: Vec<TypedGroup>,
    pub init: Vec<Init>,
    pub goal: Option<Condition>,
    pub constraints: Vec<Condition>,
    /// What a plan is to have little or much of.
    pub metric: Option<Expr>,
}

/// A section: `keyword` as written (`:init`), `range` from its `(` to its `)`. Sections outside POGDDL's games
/// (`:durative-action`, `:constraints`, `:metric` ...) appear only here.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    pub keyword: Name,
    pub range: TextRange,
}

/// `a b c - t`, `a - (either t u)`, or names with no type. Variables are without their `?`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedGroup {
    /// Empty where a `-` follows nothing, which many parsers let pass.
    pub names: Vec<Name>,
    /// Empty where no type is written: the type is `object`.
    pub types: Vec<Name>,
    pub range: TextRange,
}

/// `(at ?c - card ?s - slot)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    pub name: Name,
    pub params: Vec<TypedGroup>,
    pub range: TextRange,
}

/// `(score ?p - role) - number`.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDecl {
    pub signature: Signature,
    pub result: Option<Name>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    pub range: TextRange,
    pub name: Name,
    pub params: Vec<TypedGroup>,
    /// More variables, of PDDL 1's `:vars` and multi-agent PDDL's `:agent`.
    pub vars: Vec<TypedGroup>,
    /// `None`: absent or `()`, which is true.
    pub precondition: Option<Condition>,
    pub effect: Option<Effect>,
    /// What contingent PDDL's `:observe` senses.
    pub senses: Option<Condition>,
    /// The fields with their keywords (`:parameters`, `:precondition`, `:effect`, and unknown ones such as `:observe`).
    pub fields: Vec<Section>,
}

/// A durative action of PDDL 2.1, a process or event of PDDL+, or an axiom of PDDL 1.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedAction {
    pub kind: TimedKind,
    /// Its name, variables, condition and effect; conditions and effects of a durative action say when they hold
    /// ([`OutsideKind::Timed`], [`Effect::Outside`]). The name of an axiom is empty.
    pub action: Action,
    /// What `:duration` demands of `?duration`.
    pub duration: Option<Condition>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimedKind {
    Durative,
    Process,
    Event,
    Axiom,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    pub range: TextRange,
    pub head: Signature,
    pub body: Condition,
}

/// `(:gain ?p - role <f-exp> <GD>)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Gain {
    pub range: TextRange,
    pub params: Vec<TypedGroup>,
    pub value: Expr,
    pub condition: Condition,
}

/// `(at ?c dealer)`, also the terms of `observe` messages and of init.
#[derive(Clone, Debug, PartialEq)]
pub struct Atom {
    pub range: TextRange,
    pub name: Name,
    pub args: Vec<Arg>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    pub name: Name,
    pub is_variable: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    Atom(Atom),
    /// `(= a b)` between objects.
    Equal {
        range: TextRange,
        left: Arg,
        right: Arg,
    },
    Not {
        range: TextRange,
        keyword: TextRange,
        inner: Box<Condition>,
    },
    And {
        range: TextRange,
        keyword: TextRange,
        parts: Vec<Condition>,
    },
    Or {
        range: TextRange,
        keyword: TextRange,
        parts: Vec<Condition>,
    },
    Imply {
        range: TextRange,
        keyword: TextRange,
        left: Box<Condition>,
        right: Box<Condition>,
    },
    Exists {
        range: TextRange,
        keyword: TextRange,
        params: Vec<TypedGroup>,
        body: Box<Condition>,
    },
    Forall {
        range: TextRange,
        keyword: TextRange,
        params: Vec<TypedGroup>,
        body: Box<Condition>,
    },
    Compare {
        range: TextRange,
        op: Comparison,
        keyword: TextRange,
        left: Expr,
        right: Expr,
    },
    /// What no game of POGDDL has: `(at start ...)`, `(preference name ...)`, `(within 5 ...)`.
    Outside(Box<OutsideCondition>),
    /// Reported as a syntax error.
    Error {
        range: TextRange,
    },
}

/// A condition of PDDL 2.1 and 3 that speaks of time or may be given up.
#[derive(Clone, Debug, PartialEq)]
pub struct OutsideCondition {
    pub range: TextRange,
    /// `at start` (both words), `preference`, `always-within` ...
    pub keyword: Name,
    pub kind: OutsideKind,
    /// The times of a trajectory constraint.
    pub times: Vec<Expr>,
    pub parts: Vec<Condition>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum OutsideKind {
    /// `(at start c)`, `(over all c)`, `(at end c)`.
    Timed,
    /// `(preference name c)`, the name may be left out.
    Preference(Option<Name>),
    /// `(always c)`, `(sometime-after c d)`, `(within 5 c)` ...
    Trajectory,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    Less,
    LessEqual,
    Equal,
    GreaterEqual,
    Greater,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// The number as written; see `Expr::number`.
    Number {
        range: TextRange,
        text: smol_str::SmolStr,
    },
    /// `(score ?p)`, or a bare function name.
    Fluent(Atom),
    /// `-` may have one operand.
    Operation {
        range: TextRange,
        op: Operator,
        operands: Vec<Expr>,
    },
    /// `?duration`, `#t`, `total-time`, or `(is-violated preference)` with its name.
    Outside {
        range: TextRange,
        preference: Option<Name>,
    },
    /// An object as a value, of PDDL 3.1's object fluents.
    Object(Arg),
    Error {
        range: TextRange,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    And {
        range: TextRange,
        keyword: TextRange,
        parts: Vec<Effect>,
    },
    Add(Atom),
    Delete {
        range: TextRange,
        keyword: TextRange,
        atom: Atom,
    },
    When {
        range: TextRange,
        keyword: TextRange,
        condition: Condition,
        effect: Box<Effect>,
    },
    Forall {
        range: TextRange,
        keyword: TextRange,
        params: Vec<TypedGroup>,
        effect: Box<Effect>,
    },
    Assign {
        range: TextRange,
        op: AssignOp,
        keyword: TextRange,
        target: Atom,
        value: Expr,
    },
    Observe {
        range: TextRange,
        keyword: TextRange,
        recipients: Vec<Recipient>,
    },
    /// `(at start e)` and `(at end e)` of durative actions, `(oneof e f)`, `(probabilistic 0.5 e)`.
    Outside {
        range: TextRange,
        keyword: Name,
        parts: Vec<Effect>,
    },
    Error {
        range: TextRange,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignOp {
    Assign,
    Increase,
    Decrease,
    ScaleUp,
    ScaleDown,
}

impl AssignOp {
    /// The word that stands in the text.
    pub fn keyword(self) -> &'static str {
        match self {
            AssignOp::Assign => "assign",
            AssignOp::Increase => "increase",
            AssignOp::Decrease => "decrease",
            AssignOp::ScaleUp => "scale-up",
            AssignOp::ScaleDown => "scale-down",
        }
    }
}

/// `(p1 p2 (message ...))`: who gets the message.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipient {
    pub range: TextRange,
    pub receivers: Vec<Arg>,
    pub message: Option<Atom>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    Fact(Atom),
    /// `(not (p a))`, which says nothing new.
    Negated {
        range: TextRange,
        atom: Atom,
    },
    /// `(= (score p1) 0)`.
    Value {
        range: TextRange,
        target: Atom,
        value: Expr,
    },
    /// `(at 5 (p))`, a timed initial literal, and the uncertain facts of other kinds of PDDL: `(oneof (p) (q))`.
    Outside {
        range: TextRange,
        keyword: Name,
        facts: Vec<Init>,
    },
    /// Reported as a syntax error.
    Error {
        range: TextRange,
    },
}

impl Condition {
    pub fn range(&self) -> TextRange {
        match self {
            Condition::Atom(atom) => atom.range,
            Condition::Equal { range, .. }
            | Condition::Not { range, .. }
            | Condition::And { range, .. }
            | Condition::Or { range, .. }
            | Condition::Imply { range, .. }
            | Condition::Exists { range, .. }
            | Condition::Forall { range, .. }
            | Condition::Compare { range, .. }
            | Condition::Error { range } => *range,
            Condition::Outside(outside) => outside.range,
        }
    }
}

impl Effect {
    pub fn range(&self) -> TextRange {
        match self {
            Effect::Add(atom) => atom.range,
            Effect::And { range, .. }
            | Effect::Delete { range, .. }
            | Effect::When { range, .. }
            | Effect::Forall { range, .. }
            | Effect::Assign { range, .. }
            | Effect::Observe { range, .. }
            | Effect::Outside { range, .. }
            | Effect::Error { range } => *range,
        }
    }
}

impl Expr {
    pub fn range(&self) -> TextRange {
        match self {
            Expr::Number { range, .. }
            | Expr::Operation { range, .. }
            | Expr::Outside { range, .. }
            | Expr::Error { range } => *range,
            Expr::Object(arg) => arg.name.range,
            Expr::Fluent(atom) => atom.range,
        }
    }
}
