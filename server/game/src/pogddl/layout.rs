//! The ground atoms that can occur at all, and the dense number of each.
//!
//! A fixpoint over the argument positions of every predicate and function: an object can be at a position if the
//! initial state or an effect can put it there, where an action's variable ranges over the objects allowed by its type
//! and the positive conjuncts of the precondition. The atoms of a predicate are then numbered in mixed radix over its
//! positions.

use std::sync::Arc;

use super::model::*;

/// No number: the object is never at this position.
pub(crate) const NONE: u32 = u32::MAX;

/// The numbering of one symbol's atoms: `base` plus the sum of what each argument contributes.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub base: u32,
    /// The number of atoms; the product of the positions' sizes.
    pub size: u64,
    pub positions: Vec<Position>,
}

#[derive(Clone, Debug)]
pub(crate) struct Position {
    /// The possible objects of this position, in alphabetical order.
    pub objects: Vec<Obj>,
    pub stride: u32,
    /// For every object of the game, `rank * stride`, or [`NONE`].
    pub contribution: Arc<[u32]>,
}

impl Layout {
    /// Lays out positions so that the one with the greatest weight is contiguous.
    fn new(domains: Vec<Vec<Obj>>, weights: &[u64], object_count: usize) -> Layout {
        let size =
            domains.iter().map(|domain| domain.len() as u64).try_fold(1u64, u64::checked_mul).unwrap_or(u64::MAX);
        let mut order: Vec<usize> = (0..domains.len()).collect();
        order.sort_by_key(|&position| (std::cmp::Reverse(weights[position]), std::cmp::Reverse(position)));
        let mut strides = vec![0u32; domains.len()];
        let mut stride = 1u64;
        for &position in &order {
            strides[position] = stride.min(u32::MAX as u64) as u32;
            stride = stride.saturating_mul(domains[position].len() as u64);
        }
        let positions = domains
            .into_iter()
            .zip(strides)
            .map(|(objects, stride)| {
                let mut contribution = vec![NONE; object_count];
                for (rank, &object) in objects.iter().enumerate() {
                    contribution[object as usize] = (rank as u32).saturating_mul(stride);
                }
                Position { objects, stride, contribution: contribution.into() }
            })
            .collect();
        Layout { base: 0, size, positions }
    }

    /// The number of an atom, or `None` if it can never occur.
    pub(super) fn id(&self, args: &[Obj]) -> Option<u32> {
        let mut id = self.base;
        for (position, &object) in self.positions.iter().zip(args) {
            let contribution = *position.contribution.get(object as usize)?;
            if contribution == NONE {
                return None;
            }
            id += contribution;
        }
        (self.size > 0).then_some(id)
    }

    /// The arguments of the atom with this number.
    pub(super) fn args(&self, id: u32) -> Vec<Obj> {
        let offset = id - self.base;
        let rank = |position: &Position| (offset / position.stride) as usize % position.objects.len();
        self.positions.iter().map(|position| position.objects[rank(position)]).collect()
    }
}

/// The layouts of all predicates and functions. Bases are not set yet.
pub(crate) struct Layouts {
    pub predicates: Vec<Layout>,
    pub functions: Vec<Layout>,
}

/// Runs the fixpoint.
pub(crate) fn layouts(model: &Model) -> Layouts {
    let mut analysis = Analysis::new(model);
    while analysis.pass() {}
    let weights = scan_weights(model);
    let objects = model.objects.len();
    let lay_out = |sets: Vec<Vec<Vec<bool>>>, weights: &[Vec<u64>]| {
        let domains = sets.into_iter().map(|symbol| symbol.iter().map(|set| members(set)).collect::<Vec<_>>());
        domains
            .zip(weights)
            .map(|(domains, weights)| {
                let sized: Vec<u64> =
                    weights.iter().zip(&domains).map(|(weight, domain)| weight << 20 | domain.len() as u64).collect();
                Layout::new(domains, &sized, objects)
            })
            .collect()
    };
    let function_weights: Vec<Vec<u64>> = model.functions.iter().map(|symbol| vec![0; symbol.arity]).collect();
    Layouts {
        predicates: lay_out(analysis.predicates, &weights),
        functions: lay_out(analysis.functions, &function_weights),
    }
}

fn members(set: &[bool]) -> Vec<Obj> {
    (0..set.len() as Obj).filter(|&object| set[object as usize]).collect()
}

struct Analysis<'a> {
    model: &'a Model,
    predicates: Vec<Vec<Vec<bool>>>,
    functions: Vec<Vec<Vec<bool>>>,
    changed: bool,
}

/// The possible bindings of each slot.
type Bindings = Vec<Vec<bool>>;

impl<'a> Analysis<'a> {
    fn new(model: &'a Model) -> Self {
        let empty = |symbols: &[Symbol]| -> Vec<Vec<Vec<bool>>> {
            symbols.iter().map(|symbol| vec![vec![false; model.objects.len()]; symbol.arity]).collect()
        };
        let mut analysis = Analysis {
            model,
            predicates: empty(&model.predicates),
            functions: empty(&model.functions),
            changed: false,
        };
        for (symbol, args) in &model.init {
            for (position, &object) in args.iter().enumerate() {
                analysis.predicates[*symbol as usize][position][object as usize] = true;
            }
        }
        for (symbol, args, _) in &model.init_values {
            for (position, &object) in args.iter().enumerate() {
                analysis.functions[*symbol as usize][position][object as usize] = true;
            }
        }
        analysis
    }

    /// Adds everything that can make an atom true in one round; true if anything was new.
    fn pass(&mut self) -> bool {
        self.changed = false;
        let model = self.model;
        for rule in &model.derived {
            let mut bindings = Bindings::new();
            if self.bind(&rule.params, &rule.body, &mut bindings) {
                let args: Vec<Term> = rule.params.iter().map(|var| Term::Var(var.slot)).collect();
                self.occurs(false, rule.predicate, &args, &bindings);
            }
        }
        for schema in &model.schemas {
            let mut bindings = Bindings::new();
            if self.bind(&schema.params, &schema.precondition, &mut bindings) {
                self.items(&schema.items, &bindings);
            }
        }
        self.changed
    }

    fn items(&mut self, items: &[Item], bindings: &Bindings) {
        for item in items {
            match item {
                Item::Add(atom) => self.occurs(false, atom.symbol, &atom.args, bindings),
                Item::Numeric(_, target, ..) => self.occurs(true, target.symbol, &target.args, bindings),
                Item::Block(block) => {
                    let mut inner = bindings.clone();
                    if self.bind(&block.vars, &block.condition, &mut inner) {
                        self.items(&block.items, &inner);
                    }
                }
                Item::Delete(_) | Item::Observe(_) => {}
            }
        }
    }

    /// Adds the variables to the bindings and narrows by the positive conjuncts; false if nothing can be bound.
    fn bind(&self, vars: &[Var], condition: &Formula, bindings: &mut Bindings) -> bool {
        for var in vars {
            let slot = var.slot as usize;
            if bindings.len() <= slot {
                bindings.resize(slot + 1, Vec::new());
            }
            bindings[slot] = vec![false; self.model.objects.len()];
            var.domain.iter().for_each(|&object| bindings[slot][object as usize] = true);
        }
        for conjunct in condition.conjuncts() {
            let Formula::Atom(atom) = conjunct else { continue };
            for (term, allowed) in atom.args.iter().zip(&self.predicates[atom.symbol as usize]) {
                match term {
                    Term::Var(slot) => {
                        let set = &mut bindings[*slot as usize];
                        set.iter_mut().zip(allowed).for_each(|(have, may)| *have &= may);
                    }
                    Term::Const(object) if !allowed[*object as usize] => return false,
                    Term::Const(_) => {}
                }
            }
        }
        bindings.iter().all(|set| set.is_empty() || set.contains(&true))
    }

    fn occurs(&mut self, is_function: bool, symbol: u16, args: &[Term], bindings: &Bindings) {
        let sets = if is_function { &mut self.functions } else { &mut self.predicates };
        for (term, set) in args.iter().zip(&mut sets[symbol as usize]) {
            match term {
                Term::Const(object) => {
                    self.changed |= !std::mem::replace(&mut set[*object as usize], true);
                }
                Term::Var(slot) => {
                    for (have, &may) in set.iter_mut().zip(&bindings[*slot as usize]) {
                        self.changed |= may && !std::mem::replace(have, *have | may);
                    }
                }
            }
        }
    }
}

/// The number of times an argument position is the only one that binds its variable. Such positions are scanned, so
/// they should be contiguous bits.
fn scan_weights(model: &Model) -> Vec<Vec<u64>> {
    let mut weights: Vec<Vec<u64>> = model.predicates.iter().map(|symbol| vec![0; symbol.arity]).collect();
    let mut visit = |condition: &Formula| weigh(condition, &mut weights);
    model.schemas.iter().for_each(|schema| visit(&schema.precondition));
    model.derived.iter().for_each(|rule| visit(&rule.body));
    model.gains.iter().for_each(|gain| visit(&gain.condition));
    weights
}

fn weigh(condition: &Formula, weights: &mut [Vec<u64>]) {
    let atoms = condition.conjuncts().iter().filter_map(|conjunct| match conjunct {
        Formula::Atom(atom) => Some(atom),
        _ => None,
    });
    let mut uses = [0u32; MAX_SLOTS];
    for term in atoms.clone().flat_map(|atom| atom.args.iter()) {
        if let Some(slot) = term.slot() {
            uses[slot as usize % MAX_SLOTS] += 1;
        }
    }
    for atom in atoms {
        for (position, term) in atom.args.iter().enumerate() {
            let is_only = term.slot().is_some_and(|slot| uses[slot as usize % MAX_SLOTS] == 1);
            weights[atom.symbol as usize][position] += is_only as u64;
        }
    }
    for conjunct in condition.conjuncts() {
        match conjunct {
            Formula::Exists(_, body) => weigh(body, weights),
            Formula::Not(inner) => {
                if let Formula::Exists(_, body) = &**inner {
                    weigh(body, weights);
                }
            }
            Formula::Or(parts) => parts.iter().for_each(|part| weigh(part, weights)),
            _ => {}
        }
    }
}
