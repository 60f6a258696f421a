//! Conditions, numbers, effects, and facts of the initial state.

use super::{Arg, Atom, TypedGroup};
use crate::text::{Name, TextRange};

/// A condition that can hold in a state.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// `(p ?x)`.
    Atom(Atom),
    /// `(= a b)` between objects.
    Equal {
        /// The range from the first to the last token.
        range: TextRange,
        /// The left operand.
        left: Arg,
        /// The right operand.
        right: Arg,
    },
    /// `(not c)`.
    Not {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// The negated condition.
        inner: Box<Condition>,
    },
    /// `(and ...)`.
    And {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// The operands, in the order of the text.
        parts: Vec<Condition>,
    },
    /// `(or ...)`.
    Or {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// The operands, in the order of the text.
        parts: Vec<Condition>,
    },
    /// `(imply c d)`.
    Imply {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// The left operand.
        left: Box<Condition>,
        /// The right operand.
        right: Box<Condition>,
    },
    /// `(exists (?x - t) c)`.
    Exists {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// The variables with their types.
        params: Vec<TypedGroup>,
        /// The quantified condition.
        body: Box<Condition>,
    },
    /// `(forall (?x - t) ...)`.
    Forall {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// The variables with their types.
        params: Vec<TypedGroup>,
        /// The quantified condition.
        body: Box<Condition>,
    },
    /// `(< e f)` and its kin.
    Compare {
        /// The range from the first to the last token.
        range: TextRange,
        /// The comparison.
        op: Comparison,
        /// The word that begins it.
        keyword: TextRange,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// A condition outside POGDDL: `(at start ...)`, `(preference name ...)`, `(within 5 ...)`.
    Outside(Box<OutsideCondition>),
    /// Reported as a syntax error.
    Error {
        /// The range from the first to the last token.
        range: TextRange,
    },
}

/// A condition of PDDL 2.1 and 3 that mentions time or is only a preference.
#[derive(Clone, Debug, PartialEq)]
pub struct OutsideCondition {
    /// The range from the first to the last token.
    pub range: TextRange,
    /// `at start` (both words), `preference`, `always-within` ...
    pub keyword: Name,
    /// The kind of condition.
    pub kind: OutsideKind,
    /// The times of a trajectory constraint.
    pub times: Vec<Expr>,
    /// The conditions in it.
    pub parts: Vec<Condition>,
}

/// The kinds of conditions outside POGDDL.
#[derive(Clone, Debug, PartialEq)]
pub enum OutsideKind {
    /// `(at start c)`, `(over all c)`, `(at end c)`.
    Timed,
    /// `(preference name c)`; the name may be left out.
    Preference(Option<Name>),
    /// `(always c)`, `(sometime-after c d)`, `(within 5 c)` ...
    Trajectory,
}

/// The comparisons of two numbers.
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
        /// The range from the first to the last token.
        range: TextRange,
        /// The number as written.
        text: smol_str::SmolStr,
    },
    /// `(score ?p)`, or a bare function name.
    Fluent(Atom),
    /// An arithmetic operation; `-` may have one operand.
    Operation {
        /// The range from the first to the last token.
        range: TextRange,
        /// The operation.
        op: Operator,
        /// The operands, in the order of the text.
        operands: Vec<Expr>,
    },
    /// `?duration`, `#t`, `total-time`, or `(is-violated preference)` with its name.
    Outside {
        /// The range from the first to the last token.
        range: TextRange,
        /// The name of the preference.
        preference: Option<Name>,
    },
    /// A variable as a value: an object of PDDL 3.1's object fluents, or a slip.
    Object(Arg),
    /// Reported as a syntax error.
    Error {
        /// The range from the first to the last token.
        range: TextRange,
    },
}

/// The operations on numbers.
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

/// A change or message of an action.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// `(and ...)`.
    And {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// The operands, in the order of the text.
        parts: Vec<Effect>,
    },
    /// An atom that becomes true.
    Add(Atom),
    /// `(not (p ?x))`.
    Delete {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// The atom.
        atom: Atom,
    },
    /// `(when c e)`.
    When {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// The condition of the effect.
        condition: Box<Condition>,
        /// The inner effect.
        effect: Box<Effect>,
    },
    /// `(forall (?x - t) ...)`.
    Forall {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// The variables with their types.
        params: Vec<TypedGroup>,
        /// The inner effect.
        effect: Box<Effect>,
    },
    /// `(increase (f ?x) e)` and its kin.
    Assign {
        /// The range from the first to the last token.
        range: TextRange,
        /// The kind of change.
        op: AssignOp,
        /// The word that begins it.
        keyword: TextRange,
        /// The number that gets the value.
        target: Atom,
        /// The value.
        value: Box<Expr>,
    },
    /// `(observe (p1 (message)) ...)`.
    Observe {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// The recipients with their messages, in the order of the text.
        recipients: Vec<Recipient>,
    },
    /// `(at start e)` and `(at end e)` of durative actions, `(oneof e f)`, `(probabilistic 0.5 e)`.
    Outside {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: Name,
        /// The operands, in the order of the text.
        parts: Vec<Effect>,
    },
    /// Reported as a syntax error.
    Error {
        /// The range from the first to the last token.
        range: TextRange,
    },
}

/// The ways in which an effect changes a number.
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
    /// The word in the text.
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

/// `(p1 p2 (message ...))`: the recipients of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipient {
    /// The range from the first to the last token.
    pub range: TextRange,
    /// Roles, `all` or `others`.
    pub receivers: Vec<Arg>,
    /// The message; `None` if it could not be read.
    pub message: Option<Atom>,
}

/// A fact or value of the initial state.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// `(p a)`.
    Fact(Atom),
    /// `(not (p a))`, which has no effect: unlisted facts are false.
    Negated {
        /// The range from the first to the last token.
        range: TextRange,
        /// The atom.
        atom: Atom,
    },
    /// `(= (score p1) 0)`.
    Value {
        /// The range from the first to the last token.
        range: TextRange,
        /// The number that gets the value.
        target: Atom,
        /// The value.
        value: Expr,
    },
    /// `(at 5 (p))`, a timed initial literal, and the uncertain facts of other kinds of PDDL: `(oneof (p) (q))`.
    Outside {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: Name,
        /// The facts, in the order of the text.
        facts: Vec<Init>,
    },
    /// Reported as a syntax error.
    Error {
        /// The range from the first to the last token.
        range: TextRange,
    },
}

impl Condition {
    /// The range from the first to the last token.
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
    /// The range from the first to the last token.
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
    /// The range from the first to the last token.
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
