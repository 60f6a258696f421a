//! The readers and writers of each predicate and function, and the atoms that can be true at all.

use rustc_hash::{FxHashMap, FxHashSet};

use super::formula::{KeyId, ObjectId, Term, UseId};
use super::model::{AtomUse, CallableId, Model, Place, UseKind};

/// The uses of one predicate or function, in the order of the text.
#[derive(Debug, Default, Clone)]
pub(crate) struct CallableUses {
    /// Uses in conditions (derived bodies, gains and the goal too), or in expressions.
    pub reads: Vec<UseId>,
    pub adds: Vec<UseId>,
    pub deletes: Vec<UseId>,
    pub heads: Vec<UseId>,
    /// Facts or values of the initial state.
    pub init: Vec<UseId>,
    pub init_negated: Vec<UseId>,
    /// Targets of `assign`, `increase` and so on.
    pub assigned: Vec<UseId>,
}

#[derive(Debug)]
pub(crate) struct Usage {
    list: Vec<CallableUses>,
    /// Per predicate the atoms that could make it true: those without variables by their keys, and below the others.
    ground: Vec<FxHashSet<KeyId>>,
    lifted: Vec<Vec<UseId>>,
    /// Per predicate and argument position, the objects there in the initial facts.
    init_objects: FxHashMap<(CallableId, u32), Vec<ObjectId>>,
}

/// The most initial facts or effects that are compared with one literal. Beyond it nothing is concluded.
const PATIENCE: usize = 20_000;

impl Usage {
    pub(crate) fn new(model: &Model) -> Self {
        let mut list = vec![CallableUses::default(); model.callables.len()];
        let mut init_objects: FxHashMap<(CallableId, u32), Vec<ObjectId>> = FxHashMap::default();
        for (i, atom) in model.uses.iter().enumerate() {
            let Some(callable) = atom.callable else { continue };
            let id = UseId(i as u32);
            let uses = &mut list[callable.0 as usize];
            match atom.kind {
                UseKind::Read { .. } | UseKind::Number { also_assigned: false } => uses.reads.push(id),
                UseKind::Add => uses.adds.push(id),
                UseKind::Delete => uses.deletes.push(id),
                UseKind::Head => uses.heads.push(id),
                UseKind::InitFact | UseKind::InitValue => {
                    uses.init.push(id);
                    for (position, term) in model.terms_of(atom).iter().enumerate() {
                        if let Term::Object(object) = term {
                            init_objects.entry((callable, position as u32)).or_default().push(*object);
                        }
                    }
                }
                UseKind::InitNegated => uses.init_negated.push(id),
                UseKind::Number { also_assigned: true } | UseKind::Assigned => uses.assigned.push(id),
                UseKind::Message => {}
            }
        }
        for objects in init_objects.values_mut() {
            objects.sort_unstable();
            objects.dedup();
        }
        let mut usage = Usage { ground: vec![], lifted: vec![], list, init_objects };
        for uses in &usage.list {
            let sources = || uses.adds.iter().chain(&uses.heads).chain(&uses.init);
            let (ground, lifted): (Vec<UseId>, Vec<_>) = sources().partition(|id| is_ground(model.terms(**id)));
            usage.ground.push(ground.into_iter().map(|id| model.atom(id).key).collect());
            usage.lifted.push(lifted);
        }
        usage
    }

    pub(crate) fn of(&self, id: CallableId) -> &CallableUses {
        &self.list[id.0 as usize]
    }

    /// True if no action changes the predicate, no rule derives it, and none of its facts has a time or a probability.
    pub(crate) fn is_static(&self, model: &Model, id: CallableId) -> bool {
        let uses = self.of(id);
        let mut later = uses.init.iter().chain(&uses.init_negated).filter(|id| model.atom(**id).place == Place::Plan);
        later.next().is_none()
            && uses.adds.is_empty()
            && uses.deletes.is_empty()
            && uses.heads.is_empty()
            && uses.assigned.is_empty()
    }

    /// The objects at a position of a predicate's initial facts, sorted.
    pub(crate) fn init_objects(&self, id: CallableId, position: usize) -> &[ObjectId] {
        self.init_objects.get(&(id, position as u32)).map_or(&[], Vec::as_slice)
    }

    /// True if something could make the atom true: an initial fact, an add effect or a derived rule that fits its
    /// constants and types. Only meaningful if the initial state is known.
    pub(crate) fn can_hold(&self, model: &Model, atom: &AtomUse) -> bool {
        let Some(callable) = atom.callable else { return true };
        let index = callable.0 as usize;
        let terms = model.terms_of(atom);
        if self.ground[index].contains(&atom.key) {
            return true;
        }
        let fitting = |ids: &[UseId]| ids.len() > PATIENCE || ids.iter().any(|id| fits(model, terms, model.terms(*id)));
        if fitting(&self.lifted[index]) {
            return true;
        }
        let uses = &self.list[index];
        let ground_only = is_ground(terms);
        !ground_only && (fitting(&uses.adds) || fitting(&uses.heads) || fitting(&uses.init))
    }
}

fn is_ground(terms: &[Term]) -> bool {
    terms.iter().all(|term| matches!(term, Term::Object(_)))
}

/// True if two lists of terms could be the same objects. Repeated variables are taken into account if the other side
/// has constants.
pub(crate) fn fits(model: &Model, left: &[Term], right: &[Term]) -> bool {
    if left.len() != right.len() {
        // A wrong number of arguments is a finding of its own.
        return true;
    }
    let mut bound: Vec<(Term, ObjectId)> = Vec::new();
    left.iter().zip(right).all(|(a, b)| terms_fit(model, *a, *b) && bind_both(&mut bound, *a, *b))
}

fn bind_both(bound: &mut Vec<(Term, ObjectId)>, a: Term, b: Term) -> bool {
    let (variable, object) = match (a, b) {
        (Term::Variable(_), Term::Object(object)) => (a, object),
        (Term::Object(object), Term::Variable(_)) => (b, object),
        _ => return true,
    };
    if let Some((_, before)) = bound.iter().find(|(term, _)| *term == variable) {
        return *before == object;
    }
    bound.push((variable, object));
    true
}

/// True if two terms could be the same object.
pub(crate) fn terms_fit(model: &Model, a: Term, b: Term) -> bool {
    match (a, b) {
        (Term::Object(a), Term::Object(b)) => a == b,
        (Term::Unknown(_), _) | (_, Term::Unknown(_)) => true,
        _ if a == b => true,
        _ => match (model.types_of(a), model.types_of(b)) {
            (Some(a), Some(b)) => !a.is_known(&model.types) || !b.is_known(&model.types) || a.may_meet(b, &model.types),
            _ => true,
        },
    }
}

/// The action that contains an atom.
pub(crate) fn action_of(atom: &AtomUse) -> Option<u32> {
    match atom.place {
        Place::Action(action) => Some(action),
        _ => None,
    }
}
