//! Conditions, numbers, effects, and what holds at the start.

use super::{Arg, Atom, TypedGroup};
use crate::text::{Name, TextRange};

/// What can hold in a state.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// `(p ?x)`.
    Atom(Atom),
    /// `(= a b)` between objects.
    Equal {
        /// From its first to its last token.
        range: TextRange,
        /// What stands first.
        left: Arg,
        /// What stands second.
        right: Arg,
    },
    /// `(not c)`.
    Not {
        /// From its first to its last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// What is negated.
        inner: Box<Condition>,
    },
    /// `(and ...)`.
    And {
        /// From its first to its last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// What it joins, in the order of the text.
        parts: Vec<Condition>,
    },
    /// `(or ...)`.
    Or {
        /// From its first to its last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// What it joins, in the order of the text.
        parts: Vec<Condition>,
    },
    /// `(imply c d)`.
    Imply {
        /// From its first to its last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// What stands first.
        left: Box<Condition>,
        /// What stands second.
        right: Box<Condition>,
    },
    /// `(exists (?x - t) c)`.
    Exists {
        /// From its first to its last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// Its variables with their types.
        params: Vec<TypedGroup>,
        /// What has to hold.
        body: Box<Condition>,
    },
    /// `(forall (?x - t) ...)`.
    Forall {
        /// From its first to its last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// Its variables with their types.
        params: Vec<TypedGroup>,
        /// What has to hold.
        body: Box<Condition>,
    },
    /// `(< e f)` and its kin.
    Compare {
        /// From its first to its last token.
        range: TextRange,
        /// Which one.
        op: Comparison,
        /// The word that begins it.
        keyword: TextRange,
        /// What stands first.
        left: Box<Expr>,
        /// What stands second.
        right: Box<Expr>,
    },
    /// What no game of POGDDL has: `(at start ...)`, `(preference name ...)`, `(within 5 ...)`.
    Outside(Box<OutsideCondition>),
    /// Reported as a syntax error.
    Error {
        /// From its first to its last token.
        range: TextRange,
    },
}

/// A condition of PDDL 2.1 and 3 that speaks of time or may be given up.
#[derive(Clone, Debug, PartialEq)]
pub struct OutsideCondition {
    /// From its first to its last token.
    pub range: TextRange,
    /// `at start` (both words), `preference`, `always-within` ...
    pub keyword: Name,
    /// Which kind it is.
    pub kind: OutsideKind,
    /// The times of a trajectory constraint.
    pub times: Vec<Expr>,
    /// The conditions in it.
    pub parts: Vec<Condition>,
}

/// How a condition is outside POGDDL's games.
#[derive(Clone, Debug, PartialEq)]
pub enum OutsideKind {
    /// `(at start c)`, `(over all c)`, `(at end c)`.
    Timed,
    /// `(preference name c)`, the name may be left out.
    Preference(Option<Name>),
    /// `(always c)`, `(sometime-after c d)`, `(within 5 c)` ...
    Trajectory,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `=`
    Equal,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
}

/// A number that a state has.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// The number as written; see `Expr::number`.
    Number {
        /// From its first to its last token.
        range: TextRange,
        /// As it is written.
        text: smol_str::SmolStr,
    },
    /// `(score ?p)`, or a bare function name.
    Fluent(Atom),
    /// `-` may have one operand.
    Operation {
        /// From its first to its last token.
        range: TextRange,
        /// Which one.
        op: Operator,
        /// In the order of the text.
        operands: Vec<Expr>,
    },
    /// `?duration`, `#t`, `total-time`, or `(is-violated preference)` with its name.
    Outside {
        /// From its first to its last token.
        range: TextRange,
        /// The name of the preference.
        preference: Option<Name>,
    },
    /// A variable as a value: an object of PDDL 3.1's object fluents, or a slip.
    Object(Arg),
    /// Reported as a syntax error.
    Error {
        /// From its first to its last token.
        range: TextRange,
    },
}

/// How numbers are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

/// What an action changes or tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// `(and ...)`.
    And {
        /// From its first to its last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// What it joins, in the order of the text.
        parts: Vec<Effect>,
    },
    /// An atom that becomes true.
    Add(Atom),
    /// `(not (p ?x))`.
    Delete {
        /// From its first to its last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// What it is about.
        atom: Atom,
    },
    /// `(when c e)`.
    When {
        /// From its first to its last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// When it is so.
        condition: Box<Condition>,
        /// What it does.
        effect: Box<Effect>,
    },
    /// `(forall (?x - t) ...)`.
    Forall {
        /// From its first to its last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// Its variables with their types.
        params: Vec<TypedGroup>,
        /// What it does.
        effect: Box<Effect>,
    },
    /// `(increase (f ?x) e)` and its kin.
    Assign {
        /// From its first to its last token.
        range: TextRange,
        /// Which one.
        op: AssignOp,
        /// The word that begins it.
        keyword: TextRange,
        /// What gets the value.
        target: Atom,
        /// The value.
        value: Box<Expr>,
    },
    /// `(observe (p1 (message)) ...)`.
    Observe {
        /// From its first to its last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// Who is told what, in the order of the text.
        recipients: Vec<Recipient>,
    },
    /// `(at start e)` and `(at end e)` of durative actions, `(oneof e f)`, `(probabilistic 0.5 e)`.
    Outside {
        /// From its first to its last token.
        range: TextRange,
        /// The word that begins it.
        keyword: Name,
        /// What it joins, in the order of the text.
        parts: Vec<Effect>,
    },
    /// Reported as a syntax error.
    Error {
        /// From its first to its last token.
        range: TextRange,
    },
}

/// How an effect changes a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignOp {
    /// The number becomes the value.
    Assign,
    /// The value is added.
    Increase,
    /// The value is taken away.
    Decrease,
    /// The number is multiplied by the value.
    ScaleUp,
    /// The number is divided by the value.
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
    /// From its first to its last token.
    pub range: TextRange,
    /// Roles, `all` or `others`.
    pub receivers: Vec<Arg>,
    /// What they are told; `None` where it could not be read.
    pub message: Option<Atom>,
}

/// Something that holds at the start.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// `(p a)`.
    Fact(Atom),
    /// `(not (p a))`, which says nothing new.
    Negated {
        /// From its first to its last token.
        range: TextRange,
        /// What it is about.
        atom: Atom,
    },
    /// `(= (score p1) 0)`.
    Value {
        /// From its first to its last token.
        range: TextRange,
        /// What gets the value.
        target: Atom,
        /// The value.
        value: Expr,
    },
    /// `(at 5 (p))`, a timed initial literal, and the uncertain facts of other kinds of PDDL: `(oneof (p) (q))`.
    Outside {
        /// From its first to its last token.
        range: TextRange,
        /// The word that begins it.
        keyword: Name,
        /// What it holds, in the order of the text.
        facts: Vec<Init>,
    },
    /// Reported as a syntax error.
    Error {
        /// From its first to its last token.
        range: TextRange,
    },
}

impl Condition {
    /// From its first to its last token.
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
    /// From its first to its last token.
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
    /// From its first to its last token.
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
