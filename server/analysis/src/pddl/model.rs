//! The model of a domain and its problem: declarations, and every use of a name with its meaning.
//!
//! Built once by `resolve`; the rules only read it. Lists are in the order of the text, domain before problem.

use percept_syntax::pddl::{Action, Arg, Derived, Domain, FunctionDecl, Problem, Signature, TimedKind, TypedGroup};
use percept_syntax::{Name, Source, TextRange};
use rustc_hash::FxHashMap;

use super::formula::{EffectNode, Formula, KeyId, ObjectId, Term, UseId, VarId};
use super::names::{Names, Symbol};
use super::types::{TypeSet, Types};
use crate::FileId;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct CallableId(pub u32);

/// A predicate or a numeric function.
#[derive(Debug)]
pub(crate) struct Callable<'a> {
    pub name: Symbol,
    pub is_function: bool,
    pub declaration: &'a Signature,
    pub params: Vec<TypeSet>,
    /// The second and later declarations of the name.
    pub again: Vec<&'a Name>,
}

/// A constant of the domain or an object of the problem.
#[derive(Debug)]
pub(crate) struct Object<'a> {
    pub name: Symbol,
    pub places: Vec<ObjectPlace<'a>>,
    /// The number of times that conditions, effects, messages, init or goal mention it.
    pub uses: u32,
}

#[derive(Debug)]
pub(crate) struct ObjectPlace<'a> {
    pub file: FileId,
    /// True if it is in `:objects` of the problem, not in `:constants` of the domain.
    pub in_problem: bool,
    pub written: &'a Name,
    pub group: &'a TypedGroup,
    pub types: TypeSet,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binder {
    Action,
    Derived,
    Gain,
    /// A variable of `forall` or `exists` in a condition.
    Quantifier,
    /// A variable of `forall` in an effect.
    Effect,
}

#[derive(Debug)]
pub(crate) struct Variable<'a> {
    pub name: &'a Name,
    pub file: FileId,
    pub place: Place,
    pub binder: Binder,
    pub types: TypeSet,
    /// The typed group that declares it and the number of its typed list, for a fix that removes it.
    pub group: &'a TypedGroup,
    pub uses: u32,
    /// The variable of the same name outside of this scope.
    pub shadows: Option<VarId>,
    /// The variable of the same name in the same list.
    pub duplicate_of: Option<VarId>,
}

/// The part that contains an atom. The number counts the domain's actions, derived rules or gains.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Place {
    Action(u32),
    Derived(u32),
    Gain(u32),
    Init,
    Goal,
    /// The parts of a plan beside actions and goal: facts with a time or a probability, `:constraints`, `:metric`.
    Plan,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum UseKind {
    /// In a condition; `positive` is false under an odd number of negations.
    Read {
        positive: bool,
    },
    Add,
    Delete,
    InitFact,
    InitNegated,
    Head,
    /// A numeric function in an expression, or a target of `increase` and the like, which also read it.
    Number {
        also_assigned: bool,
    },
    Assigned,
    InitValue,
    Message,
}

#[derive(Debug)]
pub(crate) struct AtomUse<'a> {
    pub name: &'a Name,
    /// Empty for the head of a derived rule, whose terms are its variables.
    pub args: &'a [Arg],
    pub range: TextRange,
    pub file: FileId,
    pub place: Place,
    pub kind: UseKind,
    pub callable: Option<CallableId>,
    /// The range of its terms in `Model::terms`.
    pub terms: std::ops::Range<u32>,
    pub key: KeyId,
}

/// An `(observe ...)` effect.
#[derive(Debug)]
pub(crate) struct Observe<'a> {
    pub place: Place,
    pub keyword: TextRange,
    pub range: TextRange,
    pub recipients: Vec<RecipientUse<'a>>,
}

#[derive(Debug)]
pub(crate) struct RecipientUse<'a> {
    pub range: TextRange,
    pub receivers: Vec<(&'a Arg, Term)>,
    pub message: Option<UseId>,
}

/// An undeclared name in an argument: an object, or (with `is_variable`) a variable.
#[derive(Debug)]
pub(crate) struct Stray<'a> {
    pub name: &'a Name,
    pub is_variable: bool,
    pub file: FileId,
    pub place: Place,
    /// True if a variable in scope has the name of this object.
    pub variable_in_scope: bool,
}

/// A use of a type name that is nowhere in `:types`.
#[derive(Debug)]
pub(crate) struct TypeUse<'a> {
    pub name: &'a Name,
    pub file: FileId,
}

#[derive(Debug)]
pub(crate) struct ActionModel<'a> {
    pub action: &'a Action,
    /// The kind of an action that takes time or happens by itself. Such actions come after all plain ones. Their names
    /// are resolved, but nothing is concluded from their conditions and effects.
    pub timed: Option<TimedKind>,
    pub variables: Vec<VarId>,
    pub precondition: Option<Formula>,
    pub effects: Vec<EffectNode>,
}

#[derive(Debug)]
pub(crate) struct DerivedModel<'a> {
    pub derived: &'a Derived,
    pub variables: Vec<VarId>,
    pub head: UseId,
    pub body: Formula,
}

#[derive(Debug)]
pub(crate) struct GainModel {
    pub variables: Vec<VarId>,
    pub condition: Formula,
}

/// `(is-violated name)` in a metric.
#[derive(Debug)]
pub(crate) struct Violation<'a> {
    pub file: FileId,
    pub name: &'a Name,
}

#[derive(Debug)]
pub(crate) struct Model<'a> {
    pub domain_source: Option<&'a Source>,
    pub problem_source: Option<&'a Source>,
    pub domain: Option<&'a Domain>,
    pub domain_file: FileId,
    pub problem: Option<&'a Problem>,
    pub problem_file: FileId,
    pub names: Names,
    pub types: Types,
    pub unknown_types: Vec<TypeUse<'a>>,
    pub callables: Vec<Callable<'a>>,
    pub predicates: FxHashMap<Symbol, CallableId>,
    pub functions: FxHashMap<Symbol, CallableId>,
    /// Functions with the name of a predicate, or the other way round.
    pub double_names: Vec<&'a FunctionDecl>,
    pub objects: Vec<Object<'a>>,
    pub objects_by_name: FxHashMap<Symbol, ObjectId>,
    /// The number of objects that are constants of the domain; they are first.
    pub constants: usize,
    pub variables: Vec<Variable<'a>>,
    /// The number of typed groups of variables that have a type and no name.
    pub nameless: usize,
    pub uses: Vec<AtomUse<'a>>,
    pub terms: Vec<Term>,
    pub observes: Vec<Observe<'a>>,
    pub strays: Vec<Stray<'a>>,
    pub actions: Vec<ActionModel<'a>>,
    /// The number of the domain's actions that are not in `actions`, because they repeat those that are (see
    /// [`telling_model`](super::resolve::telling_model)).
    pub passed_over: usize,
    pub derived: Vec<DerivedModel<'a>>,
    pub gains: Vec<GainModel>,
    pub goal: Option<Formula>,
    /// The names of preferences.
    pub preferences: Vec<(FileId, &'a Name)>,
    pub violations: Vec<Violation<'a>>,
    /// Variables in place of a number, if no function has objects as values.
    pub not_numbers: Vec<(FileId, &'a Name)>,
    /// Every number written in an expression or in init.
    pub numbers: Vec<(FileId, TextRange, &'a str)>,
    /// True if `:pogddl` is required, or `observe` or `:gain` is used.
    pub is_pogddl: bool,
}

impl<'a> Model<'a> {
    pub(crate) fn callable(&self, id: CallableId) -> &Callable<'a> {
        &self.callables[id.0 as usize]
    }

    pub(crate) fn object(&self, id: ObjectId) -> &Object<'a> {
        &self.objects[id.0 as usize]
    }

    pub(crate) fn variable(&self, id: VarId) -> &Variable<'a> {
        &self.variables[id.0 as usize]
    }

    pub(crate) fn atom(&self, id: UseId) -> &AtomUse<'a> {
        &self.uses[id.0 as usize]
    }

    pub(crate) fn terms_of(&self, atom: &AtomUse) -> &[Term] {
        &self.terms[atom.terms.start as usize..atom.terms.end as usize]
    }

    pub(crate) fn terms(&self, id: UseId) -> &[Term] {
        self.terms_of(self.atom(id))
    }

    /// The range of term `index` of an atom.
    pub(crate) fn term_range(&self, atom: &AtomUse, index: usize) -> TextRange {
        if let Some(arg) = atom.args.get(index) {
            return arg.name.range;
        }
        match self.terms_of(atom).get(index) {
            Some(Term::Variable(id)) => self.variable(*id).name.range,
            _ => atom.range,
        }
    }

    /// The types of a term, if they are known.
    pub(crate) fn types_of(&self, term: Term) -> Option<&TypeSet> {
        match term {
            Term::Variable(id) => Some(&self.variable(id).types),
            Term::Object(id) => self.object(id).places.first().map(|place| &place.types),
            Term::Unknown(_) => None,
        }
    }

    /// The text of a range in a file.
    pub(crate) fn text(&self, file: FileId, range: TextRange) -> &str {
        let source =
            if file == self.domain_file && self.domain.is_some() { self.domain_source } else { self.problem_source };
        source.and_then(|source| source.text.get(range.as_usize())).unwrap_or_default()
    }

    /// The object of this name.
    pub(crate) fn object_named(&self, name: &str) -> Option<ObjectId> {
        self.names.get(name).and_then(|symbol| self.objects_by_name.get(&symbol)).copied()
    }

    /// The files, each once.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (FileId, &'a Source)> {
        let one = self.domain_file == self.problem_file && self.domain.is_some() && self.problem.is_some();
        let problem = if one { None } else { self.problem_source };
        let domain = self.domain_source.map(|source| (self.domain_file, source));
        domain.into_iter().chain(problem.map(|source| (self.problem_file, source)))
    }
}

/// The lengths of a model's lists, to remove later additions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub variables: usize,
    pub uses: usize,
    terms: usize,
    numbers: usize,
    actions: usize,
    /// The lengths of the lists that grow only with content other than declared names in plain conditions and effects.
    others: [usize; 7],
}

impl Mark {
    /// True if only variables, atoms and numbers have been added since `before`.
    pub(crate) fn has_only_atoms_more_than(&self, before: &Mark) -> bool {
        self.others == before.others
    }
}

impl Model<'_> {
    /// The current lengths, for [`Model::back_to`].
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            variables: self.variables.len(),
            uses: self.uses.len(),
            terms: self.terms.len(),
            numbers: self.numbers.len(),
            actions: self.actions.len(),
            others: [
                self.nameless,
                self.unknown_types.len(),
                self.observes.len(),
                self.strays.len(),
                self.preferences.len(),
                self.violations.len(),
                self.not_numbers.len(),
            ],
        }
    }

    /// Removes everything resolved since `mark`. The marks for used types and objects remain.
    pub(crate) fn back_to(&mut self, mark: Mark) {
        let [nameless, unknown_types, observes, strays, preferences, violations, not_numbers] = mark.others;
        self.variables.truncate(mark.variables);
        self.uses.truncate(mark.uses);
        self.terms.truncate(mark.terms);
        self.numbers.truncate(mark.numbers);
        self.actions.truncate(mark.actions);
        self.nameless = nameless;
        self.unknown_types.truncate(unknown_types);
        self.observes.truncate(observes);
        self.strays.truncate(strays);
        self.preferences.truncate(preferences);
        self.violations.truncate(violations);
        self.not_numbers.truncate(not_numbers);
    }
}
