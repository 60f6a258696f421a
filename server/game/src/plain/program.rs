//! Rules with variables: the content of a description, case by case.

use smallvec::SmallVec;
use smol_str::SmolStr;

use super::terms::{TermId, Terms, WordId};

/// A relation by its place in [`Program::relations`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct RelationId(pub u32);

impl RelationId {
    pub(super) const ROLE: RelationId = RelationId(0);
    pub(super) const INIT: RelationId = RelationId(1);
    pub(super) const TRUE: RelationId = RelationId(2);
    pub(super) const NEXT: RelationId = RelationId(3);
    pub(super) const LEGAL: RelationId = RelationId(4);
    pub(super) const DOES: RelationId = RelationId(5);
    pub(super) const SEES: RelationId = RelationId(6);
    pub(super) const TERMINAL: RelationId = RelationId(7);
    pub(super) const GOAL: RelationId = RelationId(8);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The words with a meaning in GDL-II, each with its number of arguments. Words with their own id come first, in the
/// order of the ids.
pub(super) const KEYWORDS: [(&str, usize); 12] = [
    ("role", 1),
    ("init", 1),
    ("true", 1),
    ("next", 1),
    ("legal", 2),
    ("does", 2),
    ("sees", 2),
    ("terminal", 0),
    ("goal", 2),
    ("base", 1),
    ("input", 2),
    ("percept", 2),
];

/// A term with variables. A pattern without variables is always `Ground`.
pub(super) enum Pattern {
    /// A variable, by its index among the variables of its rule.
    Variable(u32),
    Ground(TermId),
    List(WordId, Box<[Pattern]>),
}

/// A variable without a value.
pub(super) const UNBOUND: TermId = TermId::MAX;

/// Most terms have few arguments.
type Args = SmallVec<[TermId; 8]>;

impl Pattern {
    /// Calls `f` with every occurrence of a variable.
    pub(super) fn variables(&self, f: &mut dyn FnMut(u32)) {
        match self {
            Pattern::Variable(variable) => f(*variable),
            Pattern::Ground(_) => {}
            Pattern::List(_, args) => args.iter().for_each(|arg| arg.variables(f)),
        }
    }

    /// The term with these values of the variables; `None` if the table lacks it or a variable has none.
    pub(super) fn find(&self, terms: &Terms, values: &[TermId]) -> Option<TermId> {
        match self {
            Pattern::Variable(variable) => Some(values[*variable as usize]).filter(|value| *value != UNBOUND),
            Pattern::Ground(term) => Some(*term),
            Pattern::List(word, args) => {
                let args: Option<Args> = args.iter().map(|arg| arg.find(terms, values)).collect();
                terms.find(*word, Some(&args?))
            }
        }
    }

    /// The term with these values of the variables, which all have one.
    pub(super) fn build(&self, terms: &mut Terms, values: &[TermId]) -> TermId {
        match self {
            Pattern::Variable(variable) => values[*variable as usize],
            Pattern::Ground(term) => *term,
            Pattern::List(word, args) => {
                let args: Args = args.iter().map(|arg| arg.build(terms, values)).collect();
                terms.term(*word, Some(&args))
            }
        }
    }
}

/// A relation with its arguments.
pub(super) struct Atom {
    pub relation: RelationId,
    pub args: Box<[Pattern]>,
}

impl Atom {
    pub(super) fn variables(&self, f: &mut dyn FnMut(u32)) {
        self.args.iter().for_each(|arg| arg.variables(f));
    }
}

/// A part of a body.
pub(super) enum Condition {
    Holds(Atom),
    /// All its variables have values from conditions that hold.
    Not(Atom),
    /// The terms differ.
    Distinct(Pattern, Pattern),
}

impl Condition {
    pub(super) fn variables(&self, f: &mut dyn FnMut(u32)) {
        match self {
            Condition::Holds(atom) | Condition::Not(atom) => atom.variables(f),
            Condition::Distinct(left, right) => [left, right].into_iter().for_each(|it| it.variables(f)),
        }
    }

    /// The atom, with true if it must hold.
    pub(super) fn atom(&self) -> Option<(&Atom, bool)> {
        match self {
            Condition::Holds(atom) => Some((atom, true)),
            Condition::Not(atom) => Some((atom, false)),
            Condition::Distinct(..) => None,
        }
    }
}

/// The head holds if all of the body does.
pub(super) struct Rule {
    pub head: Atom,
    pub body: Vec<Condition>,
    /// The number of variables.
    pub variables: usize,
}

/// All rules of a description.
pub(super) struct Program {
    pub terms: Terms,
    /// The name of each relation.
    pub relations: Vec<SmolStr>,
    pub rules: Vec<Rule>,
}

impl Program {
    /// For each relation, those that its rules read, each once.
    pub(super) fn reads(&self) -> Vec<Vec<u32>> {
        let mut reads: Vec<Vec<u32>> = vec![Vec::new(); self.relations.len()];
        for rule in &self.rules {
            let read = rule.body.iter().filter_map(Condition::atom).map(|(atom, _)| atom.relation.0);
            reads[rule.head.relation.index()].extend(read);
        }
        for read in &mut reads {
            read.sort_unstable();
            read.dedup();
        }
        reads
    }
}
