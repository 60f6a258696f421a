//! The objects that a variable can be in a real match: a closure over argument positions, from the initial state
//! forward, that ignores deletes and negations (so it may allow too much, never too little).

use rustc_hash::{FxHashMap, FxHashSet};

use super::formula::{EffectNode, Formula, ObjectId, Term, VarId};
use super::model::{CallableId, Model};
use super::usage::Usage;

type Objects = FxHashSet<ObjectId>;

#[derive(Debug, Default)]
pub(crate) struct Values {
    positions: FxHashMap<(CallableId, u32), Objects>,
    variables: FxHashMap<VarId, Objects>,
}

/// The most objects, and the most actions, for which values are computed.
const MANY: usize = 1_000;

impl Values {
    /// True if values are computed for this number of actions: the initial state is known and the game is not large.
    pub(crate) fn are_known(model: &Model, actions: usize) -> bool {
        model.problem.is_some() && model.objects.len() <= MANY && actions <= MANY
    }

    /// `None` if the initial state is not known or the game is large.
    pub(crate) fn new(model: &Model, usage: &Usage) -> Option<Self> {
        if !Values::are_known(model, model.actions.len() + model.passed_over) {
            return None;
        }
        let mut values = Values::default();
        for callable in 0..model.callables.len() as u32 {
            let id = CallableId(callable);
            for position in 0..model.callable(id).params.len() {
                let objects = usage.init_objects(id, position).iter().copied().collect();
                values.positions.insert((id, position as u32), objects);
            }
        }
        // Every round adds an object to a position or is the last.
        while values.round(model) {}
        Some(values)
    }

    /// The possible objects of a parameter when the precondition holds; `None` if nothing is known.
    pub(crate) fn of(&self, variable: VarId) -> Option<&Objects> {
        self.variables.get(&variable)
    }

    fn round(&mut self, model: &Model) -> bool {
        let mut grown = false;
        for action in &model.actions {
            for variable in &action.variables {
                self.variables.insert(*variable, of_type(model, *variable));
            }
            if let Some(precondition) = &action.precondition {
                self.narrow(model, precondition);
            }
            grown |= self.effects(model, &action.effects);
        }
        for derived in &model.derived {
            for variable in &derived.variables {
                self.variables.insert(*variable, of_type(model, *variable));
            }
            self.narrow(model, &derived.body);
            grown |= self.make_true(model, derived.head);
        }
        grown
    }

    /// Reduces the values of each variable to those that the conjuncts allow.
    fn narrow(&mut self, model: &Model, condition: &Formula) {
        let Values { positions, variables } = self;
        condition.conjuncts(&mut |part| {
            let Formula::Literal { positive: true, atom, .. } = part else { return };
            let Some(head) = model.atom(*atom).callable else { return };
            for (position, term) in model.terms(*atom).iter().enumerate() {
                let Term::Variable(variable) = term else { continue };
                let allowed = positions.get(&(head, position as u32));
                if let (Some(values), Some(allowed)) = (variables.get_mut(variable), allowed) {
                    values.retain(|object| allowed.contains(object));
                }
            }
        });
    }

    fn effects(&mut self, model: &Model, effects: &[EffectNode]) -> bool {
        let mut grown = false;
        for effect in effects {
            match effect {
                EffectNode::Add(atom) => grown |= self.make_true(model, *atom),
                EffectNode::When { effects, .. } => grown |= self.effects(model, effects),
                EffectNode::Forall { variables, effects } => {
                    for variable in variables {
                        self.variables.insert(*variable, of_type(model, *variable));
                    }
                    grown |= self.effects(model, effects);
                }
                EffectNode::Delete { .. } | EffectNode::Assign { .. } | EffectNode::Observe => {}
            }
        }
        grown
    }

    fn make_true(&mut self, model: &Model, atom: super::formula::UseId) -> bool {
        let Some(head) = model.atom(atom).callable else { return false };
        let mut grown = false;
        for (position, term) in model.terms(atom).iter().enumerate() {
            let Some(values) = self.positions.get_mut(&(head, position as u32)) else { continue };
            match term {
                Term::Object(object) => grown |= values.insert(*object),
                Term::Variable(variable) => {
                    for object in self.variables.get(variable).into_iter().flatten() {
                        grown |= values.insert(*object);
                    }
                }
                // The author may have meant any of them by an undeclared name.
                Term::Unknown(_) => {
                    for object in 0..model.objects.len() as u32 {
                        grown |= values.insert(ObjectId(object));
                    }
                }
            }
        }
        grown
    }
}

fn of_type(model: &Model, variable: VarId) -> Objects {
    let types = &model.variable(variable).types;
    let fits = |index: &u32| {
        let places = &model.object(ObjectId(*index)).places;
        places.iter().any(|place| {
            let are_known = place.types.is_known(&model.types) && types.is_known(&model.types);
            !are_known || place.types.within(types, &model.types)
        })
    };
    (0..model.objects.len() as u32).filter(fits).map(ObjectId).collect()
}
