//! Plain actions: they have no fault of their own, and only the sum of all actions matters to the rules. A large domain
//! has thousands, most of which repeat another one. Those are skipped, and the rules treat the remaining ones as if
//! they were all.
//!
//! This is sound because of the questions that rules ask about plain actions: if some action, and which first, reads or
//! changes an atom, has a variable of some types, or uses a part of the language. [`ActionContent`] gives each answer a
//! number, and the first action with a new answer is never skipped. A rule with other questions must exclude the
//! actions it asks about from the plain ones, in [`content`]. Builds with debug assertions, as in every test, compare
//! the findings with those of all actions.

use std::hash::{DefaultHasher, Hash, Hasher};

use percept_syntax::pddl::Domain;
use rustc_hash::FxHashSet;

use super::conditions::judge_conditions_of;
use super::effects::effects_are_clear;
use super::features::features_of_action;
use super::formula::{EffectNode, Formula, Number, ObjectId, Term, UseId};
use super::loud::is_quiet;
use super::model::{ActionModel, AtomUse, CallableId, Mark, Model, UseKind, Variable};
use super::names::all_differ;

/// The note on an action of a domain for planners, valid until the action is edited.
#[derive(Debug)]
pub(super) struct Note {
    /// The declarations under which the action was judged, hashed.
    pub declarations: u64,
    /// `None` if the action is not plain.
    pub content: Option<ActionContent>,
}

/// The content of a plain action, as hashes: equal content has equal hashes under the same declarations.
#[derive(Debug)]
pub(super) struct ActionContent {
    /// A hash of the whole content.
    whole: u64,
    each: Box<[u64]>,
}

/// The content of all actions so far.
#[derive(Debug, Default)]
pub(super) struct Sayings(FxHashSet<u64>);

impl Sayings {
    /// Records the content. Returns true if a part of it is new.
    pub(super) fn are_new(&mut self, content: &ActionContent) -> bool {
        // One lookup is enough for actions with equal content.
        if !self.0.insert(content.whole) {
            return false;
        }
        let before = self.0.len();
        self.0.extend(content.each.iter());
        self.0.len() > before
    }
}

/// A hash of the declarations on which a [`Note`] depends. The verdict on effects also depends on the initial state
/// being known.
pub(super) fn declarations(model: &Model, domain: &Domain) -> u64 {
    let mut hash = DefaultHasher::new();
    model.problem.is_some().hash(&mut hash);
    for ty in &model.types.list {
        (model.names.text(ty.name), ty.is_known(), &ty.parents).hash(&mut hash);
    }
    model.types.cycles.hash(&mut hash);
    for object in &model.objects[..model.constants] {
        (model.names.text(object.name), &object.places[0].types).hash(&mut hash);
    }
    for callable in &model.callables {
        (model.names.text(callable.name), callable.is_function, &callable.params).hash(&mut hash);
    }
    for derived in &domain.derived {
        derived.head.name.text.to_ascii_lowercase().hash(&mut hash);
    }
    hash.finish()
}

/// The content of the last action, which was resolved since the mark; `None` if it is not plain.
pub(super) fn content(model: &Model, since: &Mark, derived: &FxHashSet<CallableId>) -> Option<ActionContent> {
    let (action, index) = (model.actions.last()?, model.actions.len() - 1);
    let parts = Parts::of(action)?;
    if !is_right(model, since, derived) || !finds_nothing(model, index, model.uses.len() - since.uses) {
        return None;
    }
    let atoms = (since.uses..model.uses.len()).map(|id| atom_said(model, UseId(id as u32), &parts.outright));
    let variables = model.variables[since.variables..].iter().map(|variable| number(&(1, &variable.types)));
    let features = features_of_action(action.action).map(|feature| number(&(2, feature)));
    let objects = parts.objects.iter().map(|id| number(&(3, id.0)));
    let mut each: Vec<u64> = atoms.chain(variables).chain(features).chain(objects).collect();
    each.sort_unstable();
    each.dedup();
    Some(ActionContent { whole: number(&(4, &each)), each: each.into() })
}

/// A hash of an atom without the names of its variables, so that equal content fits the same atoms. It includes whether
/// the action requires or assigns the atom unconditionally.
fn atom_said(model: &Model, id: UseId, outright: &[UseId]) -> u64 {
    let (atom, terms) = (model.atom(id), model.terms(id));
    let mut hash = DefaultHasher::new();
    (0, atom.callable.map(|id| id.0), atom.kind, outright.binary_search(&id).is_ok()).hash(&mut hash);
    for term in terms {
        match term {
            Term::Object(id) => (0, id.0).hash(&mut hash),
            Term::Variable(id) => {
                let first = terms.iter().position(|other| other == term);
                (1, &model.variable(*id).types, first).hash(&mut hash);
            }
            Term::Unknown(name) => (2, name.0).hash(&mut hash),
        }
    }
    hash.finish()
}

fn number(what: &impl Hash) -> u64 {
    let mut hash = DefaultHasher::new();
    what.hash(&mut hash);
    hash.finish()
}

/// True if all names since the mark are used as they are declared.
fn is_right(model: &Model, since: &Mark, derived: &FxHashSet<CallableId>) -> bool {
    let is_sound =
        |variable: &Variable| variable.uses > 0 && variable.shadows.is_none() && variable.duplicate_of.is_none();
    model.mark().has_only_atoms_more_than(since)
        && model.variables[since.variables..].iter().all(is_sound)
        && model.uses[since.uses..].iter().all(|atom| is_right_atom(model, atom, derived))
}

/// True if an atom is declared, with this number of arguments and with types that fit.
fn is_right_atom(model: &Model, atom: &AtomUse, derived: &FxHashSet<CallableId>) -> bool {
    let (Some(id), terms) = (atom.callable, model.terms_of(atom)) else { return false };
    let callable = model.callable(id);
    let suits = |(term, wanted): (&Term, _)| {
        // An object that only the problem declares is a finding in the domain.
        let is_own = !matches!(term, Term::Object(id) if id.0 as usize >= model.constants);
        is_own && model.types_of(*term).is_some_and(|types| types.suits(wanted, &model.types))
    };
    // The action's requirements on the only variable decide which values a number has.
    let is_judged = callable.is_function && matches!(terms, [Term::Variable(_)]);
    let is_change = matches!(atom.kind, UseKind::Add | UseKind::Delete);
    terms.len() == callable.params.len()
        && terms.iter().zip(&callable.params).all(suits)
        && !is_judged
        && !(is_change && derived.contains(&id))
}

/// True if conditions and effects have no finding, whatever other actions do. `atoms` is the number of atoms in the
/// action.
fn finds_nothing(model: &Model, index: usize, atoms: usize) -> bool {
    /// The number of atoms above which judging an action twice takes longer than skipping it saves.
    const MANY: usize = 100;
    let number = index as u32;
    is_quiet(model, &model.actions[index])
        || atoms <= MANY && judge_conditions_of(model, number).is_empty() && effects_are_clear(model, number)
}

/// The relevant content of an action's conditions and effects, beside the atoms themselves.
#[derive(Default)]
struct Parts {
    /// The atoms that are required or assigned unconditionally, ascending.
    outright: Vec<UseId>,
    /// The objects in equalities.
    objects: Vec<ObjectId>,
    is_clear: bool,
}

impl Parts {
    /// `None` if the action lacks a part, or has one that is not understood.
    fn of(action: &ActionModel) -> Option<Parts> {
        let is_whole =
            action.action.senses.is_none() && all_differ(&action.action.fields) && !action.effects.is_empty();
        let mut parts = Parts { is_clear: is_whole, ..Parts::default() };
        if let Some(precondition) = &action.precondition {
            precondition.conjuncts(&mut |part| {
                if let Formula::Literal { atom, .. } = part {
                    parts.outright.push(*atom);
                }
            });
            parts.condition(precondition);
        }
        parts.effects(&action.effects, true);
        parts.outright.sort_unstable();
        parts.is_clear.then_some(parts)
    }

    fn condition(&mut self, condition: &Formula) {
        match condition {
            Formula::Literal { .. } => {}
            Formula::Equal { left, right, .. } => {
                let object = |term: &Term| if let Term::Object(id) = term { Some(*id) } else { None };
                self.objects.extend([left, right].into_iter().filter_map(object));
            }
            Formula::Compare { left, right, .. } => {
                self.number(left);
                self.number(right);
            }
            Formula::And { parts, .. } | Formula::Or { parts, .. } => {
                parts.iter().for_each(|part| self.condition(part))
            }
            Formula::Exists { body, .. } | Formula::Forall { body, .. } => self.condition(body),
            Formula::Unknown { .. } => self.is_clear = false,
        }
    }

    fn number(&mut self, number: &Number) {
        match number {
            Number::Constant { .. } | Number::Fluent(_) => {}
            Number::Operation { operands, .. } => operands.iter().for_each(|operand| self.number(operand)),
            Number::Unknown => self.is_clear = false,
        }
    }

    fn effects(&mut self, effects: &[EffectNode], is_outright: bool) {
        for effect in effects {
            match effect {
                EffectNode::Add(_) | EffectNode::Delete { .. } => {}
                EffectNode::When { condition, effects, .. } => {
                    self.condition(condition);
                    self.effects(effects, false);
                }
                EffectNode::Forall { effects, .. } => self.effects(effects, is_outright),
                EffectNode::Assign { target, value, .. } => {
                    self.outright.extend(is_outright.then_some(*target));
                    self.number(value);
                }
                EffectNode::Observe => self.is_clear = false,
            }
        }
    }
}
