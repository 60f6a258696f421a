//! The typed syntax of a GDL or GDL-II description, the same for prefix and infix text.
//!
//! The tree represents the text as written, mistakes included: a `not` with two arguments has two arguments here, and
//! `percept-analysis` decides if that is correct. Every node has its exact place.

use std::sync::Arc;

use crate::text::{Name, TextRange};

/// The keywords of GDL, which may be written in capitals.
const KEYWORDS: &[&str] = &[
    "role", "init", "true", "does", "next", "legal", "goal", "terminal", "distinct", "sees", "random", "base", "input",
    "percept", "action",
];

/// True if a word is a keyword of GDL, regardless of case.
pub fn is_keyword(name: &str) -> bool {
    KEYWORDS.iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// A fact (no arrow) or a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// From the first to the last token of the statement.
    pub range: TextRange,
    /// `None` only for a rule without a head, such as `(<=)`.
    pub head: Option<Term>,
    /// The place of `<=` or `:-`; `None` for a fact.
    pub arrow: Option<TextRange>,
    /// The conjunction after the arrow.
    pub body: Vec<Formula>,
}

/// A term or an atom: GDL writes both in the same way.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// From its first to its last token.
    pub range: TextRange,
    /// The variable, the constant, or the functor of a compound. Empty text for `TermKind::Error`.
    pub name: Name,
    /// The kind of term with its parts.
    pub kind: TermKind,
}

/// The kinds of terms.
#[derive(Clone, Debug, PartialEq)]
pub enum TermKind {
    /// `?x`, or `X` in infix text. The name has no `?`; a variable is the same in both notations.
    Variable,
    /// `white`, `3`, and propositions such as `terminal`.
    Constant,
    /// `(cell ?x ?y b)`; also `(f)` without arguments, which is not the constant `f`.
    Compound(Arc<[Term]>),
    /// Text that is not a term, such as `()` or `((f x) y)`. A syntax error has been reported there.
    Error(Arc<[Term]>),
}

impl Term {
    /// The arguments of a compound; empty for other terms.
    pub fn args(&self) -> &[Term] {
        match &self.kind {
            TermKind::Compound(args) | TermKind::Error(args) => args,
            _ => &[],
        }
    }

    /// True if the term is a variable.
    pub fn is_variable(&self) -> bool {
        matches!(self.kind, TermKind::Variable)
    }

    /// Calls `f` on this term and every term inside it, outermost first.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Term)) {
        f(self);
        for arg in self.args() {
            arg.walk(f);
        }
    }
}

/// A part of a rule's body.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// `(true (cell ?x ?y b))`, `(succ ?x ?y)`.
    Atom(Term),
    /// A negation; `keyword` is the place of `not`, `~` or `\+`. A correct one has exactly one part.
    Not {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// The operands, in the order of the text.
        parts: Vec<Formula>,
    },
    /// `(or ...)`.
    Or {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// The operands, in the order of the text.
        parts: Vec<Formula>,
    },
    /// `(and ...)`.
    And {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// The operands, in the order of the text.
        parts: Vec<Formula>,
    },
    /// `(distinct ?x ?y)`. A correct one has exactly two arguments.
    Distinct {
        /// The range from the first to the last token.
        range: TextRange,
        /// The word that begins it.
        keyword: TextRange,
        /// The arguments, in the order of the text.
        args: Vec<Term>,
    },
}

impl Formula {
    /// The range from the first to the last token.
    pub fn range(&self) -> TextRange {
        match self {
            Formula::Atom(term) => term.range,
            Formula::Not { range, .. }
            | Formula::Or { range, .. }
            | Formula::And { range, .. }
            | Formula::Distinct { range, .. } => *range,
        }
    }

    /// Calls `f` on every atom inside; the flag is true below an odd number of negations.
    pub fn atoms<'a>(&'a self, negated: bool, f: &mut dyn FnMut(&'a Term, bool)) {
        match self {
            Formula::Atom(term) => f(term, negated),
            Formula::Not { parts, .. } => parts.iter().for_each(|part| part.atoms(!negated, f)),
            Formula::Or { parts, .. } | Formula::And { parts, .. } => {
                parts.iter().for_each(|part| part.atoms(negated, f));
            }
            Formula::Distinct { .. } => {}
        }
    }

    /// Calls `f` on every top-level term inside: atoms and the arguments of `distinct`.
    pub fn terms<'a>(&'a self, f: &mut dyn FnMut(&'a Term)) {
        match self {
            Formula::Atom(term) => f(term),
            Formula::Not { parts, .. } | Formula::Or { parts, .. } | Formula::And { parts, .. } => {
                parts.iter().for_each(|part| part.terms(f));
            }
            Formula::Distinct { args, .. } => args.iter().for_each(f),
        }
    }
}
