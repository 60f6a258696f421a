//! The type hierarchy: a graph in which every declared type is below `object`.
//!
//! Cycles are found and cut, so that every question about the hierarchy ends.

use percept_syntax::TextRange;
use rustc_hash::{FxHashMap, FxHashSet};

use super::names::Symbol;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct TypeId(pub u32);

/// The type above all others.
pub(crate) const OBJECT: TypeId = TypeId(0);

#[derive(Debug)]
pub(crate) struct Type {
    pub name: Symbol,
    /// The places on the left of `-` in `:types`.
    pub declared: Vec<TextRange>,
    /// The places as a supertype in `:types`.
    pub as_parent: Vec<TextRange>,
    pub parents: Vec<TypeId>,
    /// True if objects, variables or declarations use it.
    pub used: bool,
}

impl Type {
    /// True if `:types` mentions it anywhere; PDDL files often name a supertype only after the `-`.
    pub(crate) fn is_known(&self) -> bool {
        !self.declared.is_empty() || !self.as_parent.is_empty()
    }
}

#[derive(Debug)]
pub(crate) struct Types {
    pub list: Vec<Type>,
    by_name: FxHashMap<Symbol, TypeId>,
    /// Types on a cycle, each cycle in the order of its arrows: the first is below the second and so on.
    pub cycles: Vec<Vec<TypeId>>,
    /// The interval of each type in a walk over the tree of first parents, for subtype queries by one comparison.
    interval: Vec<(u32, u32)>,
    /// Types on a cycle, and those below.
    circular: FxHashSet<TypeId>,
    /// True if a type has two parents, so that the intervals alone do not decide.
    many_parents: bool,
}

impl Types {
    pub(crate) fn new(object: Symbol) -> Self {
        let root = Type { name: object, declared: vec![], as_parent: vec![], parents: vec![], used: true };
        Types {
            list: vec![root],
            by_name: FxHashMap::from_iter([(object, OBJECT)]),
            cycles: Vec::new(),
            circular: FxHashSet::default(),
            interval: vec![(0, u32::MAX)],
            many_parents: false,
        }
    }

    pub(crate) fn intern(&mut self, name: Symbol) -> TypeId {
        *self.by_name.entry(name).or_insert_with(|| {
            let id = TypeId(self.list.len() as u32);
            self.list.push(Type { name, declared: vec![], as_parent: vec![], parents: vec![], used: false });
            // Above and below nothing, until `finish` sets it.
            self.interval.push((u32::MAX, u32::MAX));
            id
        })
    }

    pub(crate) fn get(&self, name: Symbol) -> Option<TypeId> {
        self.by_name.get(&name).copied()
    }

    pub(crate) fn of(&self, id: TypeId) -> &Type {
        &self.list[id.0 as usize]
    }

    /// True if the type is in `:types` or is `object`.
    pub(crate) fn is_known(&self, id: TypeId) -> bool {
        id == OBJECT || self.of(id).is_known()
    }

    /// Finds and cuts the cycles, and prepares the queries below. A type that is interned later is not in `:types`, and
    /// only below `object`.
    pub(crate) fn finish(&mut self) {
        self.cut_cycles();
        self.mark_circular();
        self.many_parents = self.list.iter().any(|ty| ty.parents.len() > 1);
        let mut children = vec![Vec::new(); self.list.len()];
        for (i, ty) in self.list.iter().enumerate().skip(1) {
            let parent = ty.parents.first().copied().unwrap_or(OBJECT);
            children[parent.0 as usize].push(i as u32);
        }
        self.interval = vec![(0, 0); self.list.len()];
        let mut clock = 0;
        let mut stack = vec![(0_u32, false)];
        while let Some((at, leaving)) = stack.pop() {
            if leaving {
                self.interval[at as usize].1 = clock;
                continue;
            }
            self.interval[at as usize].0 = clock;
            clock += 1;
            stack.push((at, true));
            stack.extend(children[at as usize].iter().map(|child| (*child, false)));
        }
    }

    /// True if the type is on a cycle or below one: then its supertypes are unknown.
    pub(crate) fn is_circular(&self, id: TypeId) -> bool {
        self.circular.contains(&id)
    }

    fn mark_circular(&mut self) {
        self.circular = self.cycles.iter().flatten().copied().collect();
        let mut grows = !self.circular.is_empty();
        while grows {
            let below = |(i, ty): (usize, &Type)| {
                let id = TypeId(i as u32);
                let new =
                    !self.circular.contains(&id) && ty.parents.iter().any(|parent| self.circular.contains(parent));
                new.then_some(id)
            };
            let more: Vec<TypeId> = self.list.iter().enumerate().filter_map(below).collect();
            grows = !more.is_empty();
            self.circular.extend(more);
        }
    }

    /// The root above this type, if `:types` has it only after a `-`.
    pub(crate) fn implicit_root(&self, mut id: TypeId) -> Option<TypeId> {
        // The loop ends because cycles are cut.
        while let Some(parent) = self.of(id).parents.first() {
            id = *parent;
        }
        (id != OBJECT && self.of(id).declared.is_empty() && !self.of(id).as_parent.is_empty()).then_some(id)
    }

    /// Follows the arrows depth first without recursion; an arrow back onto the path closes a cycle and is cut.
    fn cut_cycles(&mut self) {
        const NEW: u8 = 0;
        const ON_PATH: u8 = 1;
        const DONE: u8 = 2;
        let mut state = vec![NEW; self.list.len()];
        state[0] = DONE;
        self.list[0].parents.clear();
        for start in 1..self.list.len() {
            if state[start] != NEW {
                continue;
            }
            let mut path: Vec<(usize, usize)> = vec![(start, 0)];
            state[start] = ON_PATH;
            while let Some(&mut (at, ref mut next)) = path.last_mut() {
                let Some(&parent) = self.list[at].parents.get(*next) else {
                    state[at] = DONE;
                    path.pop();
                    continue;
                };
                let parent = parent.0 as usize;
                match state[parent] {
                    NEW => {
                        *next += 1;
                        state[parent] = ON_PATH;
                        path.push((parent, 0));
                    }
                    ON_PATH => {
                        let place = *next;
                        let from = path.iter().position(|(node, _)| *node == parent).unwrap_or(0);
                        self.cycles.push(path[from..].iter().map(|(node, _)| TypeId(*node as u32)).collect());
                        self.list[at].parents.remove(place);
                    }
                    _ => *next += 1,
                }
            }
        }
    }

    /// True if every object of `lower` is one of `upper`.
    pub(crate) fn is_subtype(&self, lower: TypeId, upper: TypeId) -> bool {
        if upper == OBJECT || lower == upper {
            return true;
        }
        let (from, to) = self.interval[upper.0 as usize];
        let at = self.interval[lower.0 as usize].0;
        if from <= at && at < to {
            return true;
        }
        self.many_parents && self.is_above(upper, lower)
    }

    fn is_above(&self, upper: TypeId, lower: TypeId) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![lower];
        while let Some(at) = stack.pop() {
            if at == upper {
                return true;
            }
            if seen.insert(at) {
                stack.extend(self.of(at).parents.iter().copied());
            }
        }
        false
    }

    /// True if an object could be of both types.
    pub(crate) fn may_meet(&self, a: TypeId, b: TypeId) -> bool {
        if self.is_subtype(a, b) || self.is_subtype(b, a) || !self.is_known(a) || !self.is_known(b) {
            return true;
        }
        self.many_parents
            && (1..self.list.len() as u32).map(TypeId).any(|c| self.is_subtype(c, a) && self.is_subtype(c, b))
    }
}

/// The types a name is declared with: one, or several with `either`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TypeSet {
    One(TypeId),
    Either(Box<[TypeId]>),
}

impl TypeSet {
    pub(crate) fn as_slice(&self) -> &[TypeId] {
        match self {
            TypeSet::One(id) => std::slice::from_ref(id),
            TypeSet::Either(ids) => ids,
        }
    }

    /// True if every type in `self` is in `upper`.
    pub(crate) fn within(&self, upper: &TypeSet, types: &Types) -> bool {
        self.as_slice().iter().all(|lower| upper.as_slice().iter().any(|upper| types.is_subtype(*lower, *upper)))
    }

    /// True if an object could be in both.
    pub(crate) fn may_meet(&self, other: &TypeSet, types: &Types) -> bool {
        self.as_slice().iter().any(|a| other.as_slice().iter().any(|b| types.may_meet(*a, *b)))
    }

    /// True if a term of these types may be an argument that is declared as `wanted`. Unknown types always fit.
    pub(crate) fn suits(&self, wanted: &TypeSet, types: &Types) -> bool {
        !self.is_known(types) || !wanted.is_known(types) || self.within(wanted, types)
    }

    /// True if all its types are in `:types` and on no cycle. A fault in a type is reported once; afterwards the type
    /// is trusted.
    pub(crate) fn is_known(&self, types: &Types) -> bool {
        self.as_slice().iter().all(|id| types.is_known(*id) && !types.is_circular(*id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(arrows: &[(u32, u32)], count: u32) -> Types {
        let mut types = Types::new(Symbol(0));
        for name in 1..=count {
            let id = types.intern(Symbol(name));
            types.list[id.0 as usize].declared.push(TextRange::at(name));
        }
        for (lower, upper) in arrows {
            types.list[*lower as usize].parents.push(TypeId(*upper));
        }
        types.finish();
        types
    }

    #[test]
    fn subtypes_through_one_and_two_parents() {
        let types = types(&[(1, 2), (2, 3), (1, 4)], 5);
        assert!(types.is_subtype(TypeId(1), TypeId(3)));
        assert!(types.is_subtype(TypeId(1), TypeId(4)));
        assert!(!types.is_subtype(TypeId(3), TypeId(1)));
        assert!(types.may_meet(TypeId(3), TypeId(4)));
        assert!(!types.may_meet(TypeId(3), TypeId(5)));
    }

    #[test]
    fn cycles_end() {
        let types = types(&[(1, 2), (2, 3), (3, 1), (4, 4)], 4);
        assert_eq!(types.cycles, vec![vec![TypeId(1), TypeId(2), TypeId(3)], vec![TypeId(4)]]);
        assert!(types.is_subtype(TypeId(1), TypeId(3)));
    }

    #[test]
    fn a_long_chain_is_no_recursion() {
        let arrows: Vec<_> = (1..100_000).map(|i| (i, i + 1)).collect();
        let types = types(&arrows, 100_000);
        assert!(types.is_subtype(TypeId(1), TypeId(100_000)));
    }
}
