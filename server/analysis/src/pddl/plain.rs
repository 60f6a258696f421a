//! Plain actions: they have nothing wrong in themselves, and matter only by what all actions say together. A large domain has
//! thousands, most of which say nothing that another one has not said; those are passed over, and everything else works
//! on the few that are left as if they were all.
//!
//! It is sound because of what a rule may ask of a plain action: whether some action, or which is the first, reads or
//! changes such an atom, has a variable of such types, uses such a part of the language. [`Said`] numbers these things,
//! and the first action that says one of them is never passed over. A rule that asks something else has to make the actions
//! it asks about less than plain, in [`is_plain`]; wherever the program checks itself, which is in every test, findings
//! are compared with those of all actions.

use std::hash::{DefaultHasher, Hash, Hasher};

use percept_syntax::pddl::{Action, Domain};
use rustc_hash::FxHashSet;

use super::features::features_of_action;
use super::formula::{EffectNode, Number, Term};
use super::loud::is_quiet;
use super::model::{AtomUse, CallableId, Mark, Model, UseKind};
use super::names::all_differ;

/// What is noted about an action, for as long as it is not edited.
#[derive(Debug)]
pub(super) struct Note {
    /// The declarations under which it was looked at.
    pub declarations: u64,
    /// `None` for one that is not plain.
    pub said: Option<Said>,
}

/// What a plain action says: the same number for the same thing under the same declarations.
#[derive(Debug)]
pub(super) struct Said {
    /// One number for all of it.
    whole: u64,
    each: Box<[u64]>,
}

/// What has been said so far.
#[derive(Debug, Default)]
pub(super) struct Sayings(FxHashSet<u64>);

impl Sayings {
    /// Whether something of it is new; from then on it is not.
    pub(super) fn are_new(&mut self, said: &Said) -> bool {
        // Actions that are all alike are told by one look.
        if !self.0.insert(said.whole) {
            return false;
        }
        said.each.iter().fold(false, |is_new, one| self.0.insert(*one) || is_new)
    }
}

/// The same number for declarations under which every plain action means the same.
pub(super) fn declarations(model: &Model, domain: &Domain) -> u64 {
    let mut hash = DefaultHasher::new();
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

/// What the action says that was resolved last, and since the mark; `None` where it is not plain.
pub(super) fn said(model: &Model, since: &Mark, derived: &FxHashSet<CallableId>) -> Option<Said> {
    let action = model.actions.last()?;
    if !is_plain(model, since, derived) {
        return None;
    }
    let atoms = model.uses[since.uses..].iter().map(|atom| atom_said(model, atom));
    let variables = model.variables[since.variables..].iter().map(|variable| number(&(1, &variable.types)));
    let features = features_of_action(action.action).map(|feature| number(&(2, feature)));
    let mut each: Vec<u64> = atoms.chain(variables).chain(features).collect();
    each.sort_unstable();
    each.dedup();
    Some(Said { whole: number(&(3, &each)), each: each.into() })
}

/// An atom but for the names of its variables: what the same things fit.
fn atom_said(model: &Model, atom: &AtomUse) -> u64 {
    let terms = model.terms_of(atom);
    let mut hash = DefaultHasher::new();
    (0, atom.callable.map(|id| id.0), atom.kind).hash(&mut hash);
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

/// Whether no rule has anything to say about the action that was resolved last, whatever other actions say. It is looked at
/// in a domain for planners only, whose functions have numbers as values.
fn is_plain(model: &Model, since: &Mark, derived: &FxHashSet<CallableId>) -> bool {
    let Some(action) = model.actions.last() else { return false };
    is_well_formed(action.action)
        && model.mark().has_only_atoms_more_than(since)
        && model.variables[since.variables..]
            .iter()
            .all(|it| it.uses > 0 && it.shadows.is_none() && it.duplicate_of.is_none())
        && model.uses[since.uses..].iter().all(|atom| is_right(model, atom, derived))
        && !action.effects.is_empty()
        && action.effects.iter().all(is_clear)
        && is_quiet(model, action)
}

/// Whether nothing but its names can be wrong.
fn is_well_formed(action: &Action) -> bool {
    let mut groups = action.params.iter().chain(&action.vars);
    action.senses.is_none() && all_differ(&action.fields) && groups.all(|group| !group.names.is_empty())
}

/// Whether an atom is of something declared, with as many arguments and of the types that it takes.
fn is_right(model: &Model, atom: &AtomUse, derived: &FxHashSet<CallableId>) -> bool {
    let (Some(id), terms) = (atom.callable, model.terms_of(atom)) else { return false };
    let callable = model.callable(id);
    let suits = |(term, wanted): (&Term, _)| {
        // An object that only the problem knows is a finding in the domain.
        let is_own = !matches!(term, Term::Object(id) if id.0 as usize >= model.constants);
        is_own && model.types_of(*term).is_some_and(|types| types.suits(wanted, &model.types))
    };
    // Which values a number has is judged by what the action requires of the one variable.
    let is_judged = callable.is_function && matches!(terms, [Term::Variable(_)]);
    let is_change = matches!(atom.kind, UseKind::Add | UseKind::Delete);
    terms.len() == callable.params.len()
        && terms.iter().zip(&callable.params).all(suits)
        && !is_judged
        && !(is_change && derived.contains(&id))
}

/// Whether all that an effect reads is among the atoms.
fn is_clear(effect: &EffectNode) -> bool {
    fn is_number(number: &Number) -> bool {
        match number {
            Number::Constant { .. } | Number::Fluent(_) => true,
            Number::Operation { operands, .. } => operands.iter().all(is_number),
            Number::Unknown => false,
        }
    }
    match effect {
        EffectNode::Assign { value, .. } => is_number(value),
        _ => true,
    }
}
