//! Objects, their types and the roles, before any formula is read.

use std::sync::Arc;

use percept_syntax::{
    Name,
    pddl::{Domain, Problem, TypedGroup},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, ToSmolStr};

use super::model::Obj;

/// Constants with a meaning in `observe`.
const RESERVED: [&str; 3] = ["all", "others", "u"];

/// True if a constant is only a mark, as in `all others u - other`. It is not an object, so untyped variables do not
/// range over it.
fn is_mark(name: &str, types: &[SmolStr]) -> bool {
    RESERVED.contains(&name) && !types.is_empty() && types.iter().all(|kind| kind == "other")
}

/// PDDL compares names without regard to case.
pub(crate) fn key(name: &str) -> SmolStr {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) { name.to_ascii_lowercase().into() } else { name.into() }
}

/// The objects of a game and the types they have.
#[derive(Default)]
pub(crate) struct Universe {
    /// The names of the objects, in alphabetical order.
    pub objects: Vec<SmolStr>,
    ids: FxHashMap<SmolStr, Obj>,
    members: FxHashMap<SmolStr, Arc<[Obj]>>,
    everything: Arc<[Obj]>,
    /// Objects of type `role` in the order of declaration.
    pub roles: Vec<Obj>,
}

impl Universe {
    /// Collects constants and objects. Types and constants declared twice, types never declared and types in a circle
    /// are accepted here (published files have them); the analysis reports them.
    pub(super) fn new(domain: &Domain, problem: &Problem) -> Result<Universe, String> {
        let mut declared: Vec<(SmolStr, Vec<SmolStr>)> = Vec::new();
        let mut place: FxHashMap<SmolStr, usize> = FxHashMap::default();
        for group in domain.constants.iter().chain(&problem.objects) {
            for name in &group.names {
                let index = *place.entry(key(&name.text)).or_insert_with(|| {
                    declared.push((key(&name.text), Vec::new()));
                    declared.len() - 1
                });
                let types = group.types.iter().map(|name| key(&name.text));
                declared[index].1.extend(types);
            }
        }
        if declared.len() > Obj::MAX as usize {
            return Err(format!("{} objects; at most {} are supported", declared.len(), Obj::MAX));
        }
        let mut objects: Vec<SmolStr> = declared.iter().map(|(name, _)| name.clone()).collect();
        objects.sort_unstable();
        let ids: FxHashMap<SmolStr, Obj> =
            objects.iter().enumerate().map(|(index, name)| (name.clone(), index as Obj)).collect();

        let parents = type_parents(&domain.types);
        let mut members: FxHashMap<SmolStr, Vec<Obj>> = FxHashMap::default();
        let mut roles = Vec::new();
        for (name, types) in &declared {
            let id = ids[name];
            let all = supertypes(types, &parents);
            if all.contains("role") {
                roles.push(id);
            }
            for kind in all {
                members.entry(kind).or_default().push(id);
            }
        }
        let members = members
            .into_iter()
            .map(|(kind, mut list)| {
                list.sort_unstable();
                (kind, list.into())
            })
            .collect();
        let is_object = |(name, types): &&(SmolStr, Vec<SmolStr>)| !is_mark(name, types);
        let mut everything: Vec<Obj> = declared.iter().filter(is_object).map(|(name, _)| ids[name]).collect();
        everything.sort_unstable();
        Ok(Universe { objects, ids, members, everything: everything.into(), roles })
    }

    pub(super) fn object(&self, name: &str) -> Option<Obj> {
        self.ids.get(&key(name)).copied()
    }

    /// The objects of any of the types, in alphabetical order; of all types if none is written.
    pub(super) fn of_types(&self, types: &[Name]) -> Arc<[Obj]> {
        if types.is_empty() || types.iter().any(|name| name.is("object")) {
            return self.everything.clone();
        }
        if let [only] = types {
            return self.members.get(&key(&only.text)).cloned().unwrap_or_default();
        }
        let mut list: Vec<Obj> = types
            .iter()
            .filter_map(|name| self.members.get(&key(&name.text)))
            .flat_map(|objects| objects.iter().copied())
            .collect();
        list.sort_unstable();
        list.dedup();
        list.into()
    }

    pub(super) fn name(&self, object: Obj) -> &str {
        &self.objects[object as usize]
    }

    /// The table of words: the objects, and room for more.
    pub(super) fn words(&self) -> (Vec<SmolStr>, FxHashMap<SmolStr, u32>) {
        let ids = self.ids.iter().map(|(name, &id)| (name.to_smolstr(), id as u32)).collect();
        (self.objects.clone(), ids)
    }
}

fn type_parents(groups: &[TypedGroup]) -> FxHashMap<SmolStr, Vec<SmolStr>> {
    let mut parents: FxHashMap<SmolStr, Vec<SmolStr>> = FxHashMap::default();
    for group in groups {
        for name in &group.names {
            parents.entry(key(&name.text)).or_default().extend(group.types.iter().map(|name| key(&name.text)));
        }
    }
    parents
}

/// The types and everything above them; a cycle of types ends at its start.
fn supertypes(types: &[SmolStr], parents: &FxHashMap<SmolStr, Vec<SmolStr>>) -> FxHashSet<SmolStr> {
    let mut seen = FxHashSet::default();
    let mut open: Vec<SmolStr> = types.to_vec();
    while let Some(kind) = open.pop() {
        if seen.insert(kind.clone()) {
            open.extend(parents.get(&kind).into_iter().flatten().cloned());
        }
    }
    seen
}
