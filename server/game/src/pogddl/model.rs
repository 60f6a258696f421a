//! The lowered description: names resolved to numbers, variables to slots of a frame, formulas in negation normal form.
//!
//! [`super::lower`] makes it; the argument-domain analysis, the planner and the analysis of numeric bounds read it.
//! Nothing here is executable yet; see [`super::plan`].

use std::sync::Arc;

use percept_syntax::TextRange;
use smol_str::SmolStr;

/// An object (or constant), by its alphabetical rank, so that comparing numbers compares names.
pub(crate) type Obj = u16;

/// The most variables of one frame, which has those of an action, rule or gain and of its quantifiers.
pub(crate) const MAX_SLOTS: usize = 64;
pub(crate) type Frame = [Obj; MAX_SLOTS];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    Var(u8),
    Const(Obj),
}

impl Term {
    #[inline]
    pub(super) fn get(self, frame: &Frame) -> Obj {
        match self {
            Term::Var(slot) => frame[slot as usize % MAX_SLOTS],
            Term::Const(object) => object,
        }
    }

    pub(super) fn slot(self) -> Option<u8> {
        match self {
            Term::Var(slot) => Some(slot),
            Term::Const(_) => None,
        }
    }
}

/// A variable and the objects it ranges over, in alphabetical order.
#[derive(Clone, Debug)]
pub(crate) struct Var {
    pub slot: u8,
    pub domain: Arc<[Obj]>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Atom {
    /// Index into the list of predicates (or of functions, in [`Num::Read`]).
    pub symbol: u16,
    pub args: Box<[Term]>,
}

#[derive(Clone, Debug)]
pub(crate) enum Formula {
    True,
    False,
    Atom(Atom),
    Equal(Term, Term),
    Compare(crate::circuit::Order, Num, Num),
    /// Only over atoms, equalities, comparisons with `=`, and `Exists`.
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Exists(Vec<Var>, Box<Formula>),
}

impl Formula {
    pub(super) fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Formula::True => {}
                Formula::False => return Formula::False,
                Formula::And(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Formula::True,
            1 => flat.remove(0),
            _ => Formula::And(flat),
        }
    }

    pub(super) fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Formula::False => {}
                Formula::True => return Formula::True,
                Formula::Or(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Formula::False,
            1 => flat.remove(0),
            _ => Formula::Or(flat),
        }
    }

    pub(super) fn not(inner: Formula) -> Formula {
        match inner {
            Formula::True => Formula::False,
            Formula::False => Formula::True,
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }

    /// An existential; `or` moves outside, so that each branch gets its own plan.
    pub(super) fn exists(vars: Vec<Var>, body: Formula) -> Formula {
        match body {
            Formula::False => Formula::False,
            Formula::Or(parts) => {
                Formula::or(parts.into_iter().map(|part| Formula::exists(vars.clone(), part)).collect::<Vec<_>>())
            }
            body => Formula::Exists(vars, Box::new(body)),
        }
    }

    /// The conjuncts: a conjunction's parts, or the formula alone.
    pub(super) fn conjuncts(&self) -> &[Formula] {
        match self {
            Formula::And(parts) => parts,
            Formula::True => &[],
            other => std::slice::from_ref(other),
        }
    }

    /// Calls `visit` on every atom, with its sign.
    pub(super) fn atoms(&self, positive: bool, visit: &mut impl FnMut(&Atom, bool)) {
        match self {
            Formula::Atom(atom) => visit(atom, positive),
            Formula::Not(inner) => inner.atoms(!positive, visit),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| part.atoms(positive, visit)),
            Formula::Exists(_, body) => body.atoms(positive, visit),
            Formula::True | Formula::False | Formula::Equal(..) | Formula::Compare(..) => {}
        }
    }

    /// Calls `visit` on every free or bound slot that is read.
    pub(super) fn slots(&self, visit: &mut impl FnMut(u8)) {
        let mut term = |term: &Term| term.slot().into_iter().for_each(&mut *visit);
        match self {
            Formula::True | Formula::False => {}
            Formula::Atom(atom) => atom.args.iter().for_each(term),
            Formula::Equal(left, right) => {
                term(left);
                term(right);
            }
            Formula::Compare(_, left, right) => {
                left.slots(visit);
                right.slots(visit);
            }
            Formula::Not(inner) => inner.slots(visit),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| part.slots(visit)),
            Formula::Exists(_, body) => body.slots(visit),
        }
    }

    /// Every numeric expression of the formula.
    pub(super) fn numbers(&self, visit: &mut impl FnMut(&Num)) {
        match self {
            Formula::Compare(_, left, right) => {
                visit(left);
                visit(right);
            }
            Formula::Not(inner) | Formula::Exists(_, inner) => inner.numbers(visit),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| part.numbers(visit)),
            _ => {}
        }
    }
}

/// A numeric expression, in whole numbers. Arithmetic saturates; division rounds toward zero, and by zero gives 0.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Num {
    Constant(i64),
    Read(Atom),
    /// An operation on two numbers, with its place in the text.
    Binary(Operation, Box<Num>, Box<Num>, TextRange),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Operation {
    pub(super) fn apply(self, left: i64, right: i64) -> i64 {
        match self {
            Operation::Add => left.saturating_add(right),
            Operation::Subtract => left.saturating_sub(right),
            Operation::Multiply => left.saturating_mul(right),
            Operation::Divide if right == 0 => 0,
            Operation::Divide => left.saturating_div(right),
        }
    }

    /// The result, if there is one.
    pub(super) fn checked(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Operation::Add => left.checked_add(right),
            Operation::Subtract => left.checked_sub(right),
            Operation::Multiply => left.checked_mul(right),
            Operation::Divide => left.checked_div(right),
        }
    }
}

impl Num {
    pub(super) fn slots(&self, visit: &mut impl FnMut(u8)) {
        self.reads(&mut |atom| atom.args.iter().filter_map(|term| term.slot()).for_each(&mut *visit));
    }

    /// Every function term that is read.
    pub(super) fn reads(&self, visit: &mut impl FnMut(&Atom)) {
        match self {
            Num::Constant(_) => {}
            Num::Read(atom) => visit(atom),
            Num::Binary(_, left, right, _) => {
                left.reads(visit);
                right.reads(visit);
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumericOp {
    Assign,
    Increase,
    Decrease,
    ScaleUp,
    ScaleDown,
}

#[derive(Clone, Debug)]
pub(crate) enum Item {
    Add(Atom),
    Delete(Atom),
    /// A change of a number, with its place in the text.
    Numeric(NumericOp, Atom, Num, TextRange),
    Observe(Vec<Recipient>),
    Block(Block),
}

/// `when` and `forall`: the items happen for every binding of the variables under which the condition holds.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub vars: Vec<Var>,
    pub condition: Formula,
    pub items: Vec<Item>,
}

#[derive(Clone, Debug)]
pub(crate) struct Recipient {
    pub to: Vec<Receiver>,
    pub message: Message,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Receiver {
    /// Every role, chance included.
    All,
    /// The roles other than chance that get no other message in the same `observe`; among several such clauses the
    /// first counts.
    Others,
    Role(Term),
}

/// `(head term*)`. Constants in messages need no declaration, so they are words, numbered after the objects.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub head: u32,
    pub args: Box<[MessageTerm]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessageTerm {
    Var(u8),
    Word(u32),
}

impl MessageTerm {
    pub(super) fn get(self, frame: &Frame) -> u32 {
        match self {
            MessageTerm::Var(slot) => frame[slot as usize % MAX_SLOTS] as u32,
            MessageTerm::Word(word) => word,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Schema {
    pub name: SmolStr,
    pub params: Vec<Var>,
    pub precondition: Formula,
    pub items: Vec<Item>,
}

#[derive(Clone, Debug)]
pub(crate) struct DerivedRule {
    pub predicate: u16,
    pub params: Vec<Var>,
    pub body: Formula,
}

/// The gain of the role in slot 0; further variables are existential.
#[derive(Clone, Debug)]
pub(crate) struct Gain {
    pub roles: Arc<[Obj]>,
    pub value: Num,
    /// The place of the value.
    pub range: TextRange,
    pub condition: Formula,
}

#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub name: SmolStr,
    pub arity: usize,
}

/// A whole game, lowered.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub objects: Vec<SmolStr>,
    /// Objects first (same numbers), then message heads and undeclared message constants.
    pub words: Vec<SmolStr>,
    /// Roles in the order of declaration, as objects.
    pub roles: Vec<Obj>,
    /// Index in `roles` of `chance`.
    pub chance: Option<usize>,
    pub predicates: Vec<Symbol>,
    pub functions: Vec<Symbol>,
    pub turn: u16,
    pub schemas: Vec<Schema>,
    pub derived: Vec<DerivedRule>,
    pub gains: Vec<Gain>,
    pub init: Vec<(u16, Box<[Obj]>)>,
    pub init_values: Vec<(u16, Box<[Obj]>, i64)>,
}
