//! Conditions and effects with their names resolved: the subject of the rules' reasoning.
//!
//! Conditions are in negation normal form: `not` is only before atoms and equalities, `imply` has become `or`, a
//! negated comparison has become another comparison. Ranges are those of the text.

use percept_syntax::TextRange;
use percept_syntax::pddl::{AssignOp, Comparison, Operator};

use super::names::Symbol;

/// A variable of one scope; two variables of the same name in different scopes differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct VarId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ObjectId(pub u32);

/// One atom of the text: see `Model::uses`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct UseId(pub u32);

/// A number that is equal for equal heads and terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct KeyId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Term {
    Variable(VarId),
    Object(ObjectId),
    /// An undeclared name or an unbound variable: equal to itself, unequal to everything else.
    Unknown(Symbol),
}

#[derive(Clone, Debug)]
pub(crate) enum Formula {
    Literal {
        positive: bool,
        atom: UseId,
        range: TextRange,
    },
    /// An equality. `inverted`: the text says the opposite, because it is under a `not` further out.
    Equal {
        positive: bool,
        left: Term,
        right: Term,
        range: TextRange,
        inverted: bool,
    },
    Compare {
        orders: Orders,
        left: Number,
        right: Number,
        range: TextRange,
        inverted: bool,
    },
    And {
        parts: Vec<Formula>,
        range: TextRange,
    },
    Or {
        parts: Vec<Formula>,
        range: TextRange,
    },
    Exists {
        body: Box<Formula>,
        range: TextRange,
    },
    Forall {
        variables: Vec<VarId>,
        body: Box<Formula>,
        range: TextRange,
    },
    /// A condition that is not understood: nothing is concluded from it.
    Unknown {
        range: TextRange,
    },
}

impl Formula {
    pub(crate) fn range(&self) -> TextRange {
        match self {
            Formula::Literal { range, .. }
            | Formula::Equal { range, .. }
            | Formula::Compare { range, .. }
            | Formula::And { range, .. }
            | Formula::Or { range, .. }
            | Formula::Exists { range, .. }
            | Formula::Forall { range, .. }
            | Formula::Unknown { range } => *range,
        }
    }

    /// Calls `visit` for the parts of a conjunction, through nested `and`s; for any other formula, for itself.
    pub(crate) fn conjuncts<'f>(&'f self, visit: &mut impl FnMut(&'f Formula)) {
        match self {
            Formula::And { parts, .. } => parts.iter().for_each(|part| part.conjuncts(visit)),
            other => visit(other),
        }
    }
}

/// The subset of less, equal, greater that satisfies a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Orders(pub u8);

impl Orders {
    pub(crate) const LESS: u8 = 1;
    pub(crate) const EQUAL: u8 = 2;
    pub(crate) const GREATER: u8 = 4;

    pub(crate) fn of(op: Comparison) -> Self {
        Orders(match op {
            Comparison::Less => Self::LESS,
            Comparison::LessEqual => Self::LESS | Self::EQUAL,
            Comparison::Equal => Self::EQUAL,
            Comparison::GreaterEqual => Self::GREATER | Self::EQUAL,
            Comparison::Greater => Self::GREATER,
        })
    }

    pub(crate) fn negated(self) -> Self {
        Orders(!self.0 & 7)
    }

    /// The same comparison with its sides exchanged.
    pub(crate) fn flipped(self) -> Self {
        let swap = |from: u8, to: u8| if self.0 & from != 0 { to } else { 0 };
        Orders(swap(Self::LESS, Self::GREATER) | swap(Self::GREATER, Self::LESS) | (self.0 & Self::EQUAL))
    }

    /// True if `left` and `right` satisfy it.
    pub(crate) fn holds(self, left: f64, right: f64) -> bool {
        let order = match left.partial_cmp(&right) {
            Some(std::cmp::Ordering::Less) => Self::LESS,
            Some(std::cmp::Ordering::Equal) => Self::EQUAL,
            Some(std::cmp::Ordering::Greater) => Self::GREATER,
            None => return false,
        };
        self.0 & order != 0
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Number {
    Constant { value: f64 },
    Fluent(UseId),
    Operation { op: Operator, operands: Vec<Number> },
    Unknown,
}

#[derive(Clone, Debug)]
pub(crate) enum EffectNode {
    Add(UseId),
    Delete {
        atom: UseId,
        range: TextRange,
    },
    When {
        condition: Formula,
        effects: Vec<EffectNode>,
    },
    Forall {
        variables: Vec<VarId>,
        effects: Vec<EffectNode>,
    },
    Assign {
        target: UseId,
        op: AssignOp,
        value: Number,
        range: TextRange,
    },
    /// An entry of `Model::observes`.
    Observe,
}
