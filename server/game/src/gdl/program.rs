//! Lifted rules: the meaning of a description before any variable is replaced.
//!
//! Bodies are flat conjunctions: disjunctions became several rules, nested negations and `(not (distinct ..))` were
//! pushed inwards, and a negation with variables of its own became a helper relation ("there is none").

use percept_syntax::TextRange;
use smallvec::SmallVec;
use smol_str::SmolStr;

use crate::GameError;
use crate::terms::{Sym, TermId, Terms};

/// The index of a relation in [`Program::relations`]. The keywords have fixed ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct RelationId(pub u32);

impl RelationId {
    pub(crate) const ROLE: RelationId = RelationId(0);
    pub(crate) const INIT: RelationId = RelationId(1);
    pub(crate) const TRUE: RelationId = RelationId(2);
    pub(crate) const DOES: RelationId = RelationId(3);
    pub(crate) const NEXT: RelationId = RelationId(4);
    pub(crate) const LEGAL: RelationId = RelationId(5);
    pub(crate) const SEES: RelationId = RelationId(6);
    pub(crate) const GOAL: RelationId = RelationId(7);
    pub(crate) const TERMINAL: RelationId = RelationId(8);
    pub(crate) const BASE: RelationId = RelationId(9);
    pub(crate) const INPUT: RelationId = RelationId(10);
    pub(crate) const PERCEPT: RelationId = RelationId(11);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The keywords that are relations, with their arities, in the order of their fixed ids.
pub(crate) const KEYWORDS: [(&str, usize); 12] = [
    ("role", 1),
    ("init", 1),
    ("true", 1),
    ("does", 2),
    ("next", 1),
    ("legal", 2),
    ("sees", 2),
    ("goal", 2),
    ("terminal", 0),
    ("base", 1),
    ("input", 2),
    ("percept", 2),
];

#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub name: Sym,
    pub arity: usize,
    /// True if the author did not write the relation.
    pub helper: bool,
    /// True for a helper that only lists values to try (see `decompose`): its readers check the real condition too, so
    /// that a circuit may treat its atoms as true.
    pub domain: bool,
}

/// A term with variables. A pattern without variables is always `Ground`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Pattern {
    Variable(u32),
    Ground(TermId),
    Compound(Sym, Box<[Pattern]>),
}

/// The arguments of a term: most terms have few, which need no allocation.
type Args = SmallVec<[TermId; 8]>;

impl Pattern {
    /// Calls `f` with every variable, left to right, repeats included.
    pub(crate) fn variables(&self, f: &mut dyn FnMut(u32)) {
        match self {
            Pattern::Variable(variable) => f(*variable),
            Pattern::Ground(_) => {}
            Pattern::Compound(_, args) => args.iter().for_each(|arg| arg.variables(f)),
        }
    }

    /// True if all variables satisfy `bound`.
    pub(crate) fn all(&self, bound: &dyn Fn(u32) -> bool) -> bool {
        match self {
            Pattern::Variable(variable) => bound(*variable),
            Pattern::Ground(_) => true,
            Pattern::Compound(_, args) => args.iter().all(|arg| arg.all(bound)),
        }
    }

    /// The pattern with other variables: their numbers plus `offset`.
    pub(crate) fn shifted(&self, offset: u32) -> Pattern {
        match self {
            Pattern::Variable(variable) => Pattern::Variable(variable + offset),
            Pattern::Ground(term) => Pattern::Ground(*term),
            Pattern::Compound(functor, args) => {
                Pattern::Compound(*functor, args.iter().map(|arg| arg.shifted(offset)).collect())
            }
        }
    }

    /// The term under a binding; `None` if the table does not have it or a variable is unbound.
    pub(crate) fn find(&self, terms: &Terms, bindings: &[TermId]) -> Option<TermId> {
        match self {
            Pattern::Variable(variable) => {
                let term = bindings[*variable as usize];
                (term != UNBOUND).then_some(term)
            }
            Pattern::Ground(term) => Some(*term),
            Pattern::Compound(functor, args) => {
                let mut found = Args::new();
                for arg in args {
                    found.push(arg.find(terms, bindings)?);
                }
                terms.find(*functor, Some(&found))
            }
        }
    }

    /// True if two patterns are the same term under a binding, even if the table of terms does not have that term.
    pub(crate) fn is_same(&self, other: &Pattern, terms: &Terms, bindings: &[TermId]) -> bool {
        match (self, other) {
            (Pattern::Compound(f, left), Pattern::Compound(g, right)) => {
                f == g
                    && left.len() == right.len()
                    && left.iter().zip(right.iter()).all(|(left, right)| left.is_same(right, terms, bindings))
            }
            _ => self.find(terms, bindings).is_some_and(|term| other.find(terms, bindings) == Some(term)),
        }
    }

    /// The term under a binding that binds all its variables.
    pub(crate) fn build(&self, terms: &mut Terms, bindings: &[TermId]) -> TermId {
        match self {
            Pattern::Variable(variable) => bindings[*variable as usize],
            Pattern::Ground(term) => *term,
            Pattern::Compound(functor, args) => {
                let args: Args = args.iter().map(|arg| arg.build(terms, bindings)).collect();
                terms.compound(*functor, &args)
            }
        }
    }
}

/// The mark of a variable without a value in a binding.
pub(crate) const UNBOUND: TermId = TermId(u32::MAX);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Atom {
    pub relation: RelationId,
    pub args: Box<[Pattern]>,
}

impl Atom {
    /// See [`Pattern::shifted`].
    pub(crate) fn shifted(&self, offset: u32) -> Atom {
        Atom { relation: self.relation, args: self.args.iter().map(|arg| arg.shifted(offset)).collect() }
    }

    pub(crate) fn variables(&self, f: &mut dyn FnMut(u32)) {
        self.args.iter().for_each(|arg| arg.variables(f));
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Condition {
    Positive(Atom),
    Negative(Atom),
    Distinct(Pattern, Pattern),
}

impl Condition {
    /// See [`Pattern::shifted`].
    pub(crate) fn shifted(&self, offset: u32) -> Condition {
        match self {
            Condition::Positive(atom) => Condition::Positive(atom.shifted(offset)),
            Condition::Negative(atom) => Condition::Negative(atom.shifted(offset)),
            Condition::Distinct(left, right) => Condition::Distinct(left.shifted(offset), right.shifted(offset)),
        }
    }

    pub(crate) fn variables(&self, f: &mut dyn FnMut(u32)) {
        match self {
            Condition::Positive(atom) | Condition::Negative(atom) => atom.variables(f),
            Condition::Distinct(left, right) => {
                left.variables(f);
                right.variables(f);
            }
        }
    }

    pub(crate) fn atom(&self) -> Option<&Atom> {
        match self {
            Condition::Positive(atom) | Condition::Negative(atom) => Some(atom),
            Condition::Distinct(..) => None,
        }
    }
}

/// A condition with its range in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Literal {
    pub condition: Condition,
    pub range: TextRange,
}

/// One rule or fact: one branch of one statement.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub head: Atom,
    pub body: Vec<Literal>,
    /// The names of the variables, without `?`.
    pub variables: std::sync::Arc<[SmolStr]>,
    /// The range of the whole statement.
    pub range: TextRange,
    /// The range of the head.
    pub head_range: TextRange,
    /// The original rule, if parts of its body became helper relations.
    pub whole: Option<std::sync::Arc<Rule>>,
}

impl Rule {
    /// True if the rule is a tuple, whatever else holds.
    pub(crate) fn is_fact(&self) -> bool {
        self.body.is_empty() && self.head.args.iter().all(|arg| matches!(arg, Pattern::Ground(_)))
    }
}

/// All rules of a description with the table of their names and ground terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub terms: Terms,
    pub relations: Vec<Relation>,
    pub rules: Vec<Rule>,
    /// Declarations with mistakes: the keyword that declares and the error. They are left out of the rules.
    pub left_out: Vec<(RelationId, GameError)>,
    /// The interpretations of unsafe rules, each at its position.
    pub remarks: Vec<GameError>,
}

impl Program {
    pub(crate) fn name(&self, relation: RelationId) -> &str {
        self.terms.name(self.relations[relation.index()].name)
    }
}
