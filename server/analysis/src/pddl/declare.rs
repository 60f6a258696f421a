//! The declarations of a domain and its problem: types, predicates, functions, constants, objects.

use percept_syntax::pddl::{Definition, Domain, Problem, TypedGroup};
use percept_syntax::{Name, Source, Syntax};
use rustc_hash::FxHashMap;

use super::model::{Callable, CallableId, Model, Object, ObjectPlace, TypeUse};
use super::names::Names;
use super::types::{OBJECT, TypeId, TypeSet, Types};
use crate::FileId;

/// A model with its declarations, before any use is resolved.
pub(super) fn declarations<'a>(domain_source: Option<&'a Source>, problem_source: Option<&'a Source>) -> Model<'a> {
    let domain = domain_source.and_then(first_domain);
    // One file may have both.
    let here = problem_source.and_then(first_problem).map(|problem| (FileId(1), problem));
    let there = || domain_source.and_then(first_problem).map(|problem| (FileId(0), problem));
    let found = match problem_source {
        Some(_) => here,
        None => there(),
    };
    let beside = || problem_source.and_then(first_domain).map(|domain| (FileId(1), domain));
    let (domain_file, domain) = match domain {
        Some(domain) => (FileId(0), Some(domain)),
        None => beside().map_or((FileId(0), None), |(file, domain)| (file, Some(domain))),
    };
    let (problem_file, problem) = found.map_or((FileId(1), None), |(file, problem)| (file, Some(problem)));
    let mut names = Names::default();
    let types = Types::new(names.intern("object"));
    let mut model = Model {
        domain_source: if domain_file == FileId(0) { domain_source } else { problem_source },
        problem_source: if problem_file == FileId(1) { problem_source } else { domain_source },
        domain,
        domain_file,
        problem,
        problem_file,
        names,
        types,
        unknown_types: Vec::new(),
        callables: Vec::new(),
        predicates: FxHashMap::default(),
        functions: FxHashMap::default(),
        double_names: Vec::new(),
        objects: Vec::new(),
        objects_by_name: FxHashMap::default(),
        constants: 0,
        variables: Vec::new(),
        nameless: 0,
        uses: Vec::new(),
        terms: Vec::new(),
        observes: Vec::new(),
        strays: Vec::new(),
        actions: Vec::new(),
        passed_over: 0,
        derived: Vec::new(),
        gains: Vec::new(),
        preferences: Vec::new(),
        violations: Vec::new(),
        not_numbers: Vec::new(),
        goal: None,
        numbers: Vec::new(),
        is_pogddl: false,
    };
    if let Some(domain) = domain {
        model.declare_domain(domain);
    }
    if let Some(problem) = problem {
        model.declare_objects(problem_file, &problem.objects, true);
        model.is_pogddl |= problem.requirements.iter().any(is_pogddl_flag);
    }
    model
}

fn is_pogddl_flag(name: &Name) -> bool {
    name.is(":pogddl") || name.is("pogddl")
}

fn definitions(source: &Source) -> &[Definition] {
    match &source.syntax {
        Syntax::Pddl(file) => &file.definitions,
        Syntax::Gdl(_) => &[],
    }
}

/// The first domain of a file.
pub(crate) fn first_domain(source: &Source) -> Option<&Domain> {
    definitions(source).iter().find_map(|definition| match definition {
        Definition::Domain(domain) => Some(&**domain),
        Definition::Problem(_) => None,
    })
}

/// The first problem of a file.
pub(crate) fn first_problem(source: &Source) -> Option<&Problem> {
    definitions(source).iter().find_map(|definition| match definition {
        Definition::Problem(problem) => Some(&**problem),
        Definition::Domain(_) => None,
    })
}

impl<'a> Model<'a> {
    fn declare_domain(&mut self, domain: &'a Domain) {
        self.is_pogddl = domain.requirements.iter().any(is_pogddl_flag) || !domain.gains.is_empty();
        self.declare_types(&domain.types);
        self.types.finish();
        self.declare_objects(self.domain_file, &domain.constants, false);
        self.constants = self.objects.len();
        for signature in &domain.predicates {
            let params = self.param_types(&signature.params);
            self.declare_callable(signature, false, params);
        }
        for function in &domain.functions {
            let params = self.param_types(&function.signature.params);
            if self.predicates.contains_key(&self.names.intern(&function.signature.name.text)) {
                self.double_names.push(function);
            }
            self.declare_callable(&function.signature, true, params);
        }
    }

    fn declare_types(&mut self, groups: &'a [TypedGroup]) {
        for group in groups {
            let mut parents: Vec<TypeId> = Vec::new();
            for parent in &group.types {
                let id = self.types.intern(self.names.intern(&parent.text));
                self.types.list[id.0 as usize].as_parent.push(parent.range);
                parents.push(id);
            }
            // `a - (either b c)` leaves its supertype open: nothing is concluded from it.
            let parents = if parents.len() == 1 { parents } else { Vec::new() };
            for name in &group.names {
                let id = self.types.intern(self.names.intern(&name.text));
                let ty = &mut self.types.list[id.0 as usize];
                ty.declared.push(name.range);
                for parent in &parents {
                    if *parent != OBJECT && !ty.parents.contains(parent) {
                        ty.parents.push(*parent);
                    }
                }
            }
        }
    }

    fn declare_callable(
        &mut self,
        declaration: &'a percept_syntax::pddl::Signature,
        is_function: bool,
        params: Vec<TypeSet>,
    ) {
        let name = self.names.intern(&declaration.name.text);
        let id = CallableId(self.callables.len() as u32);
        let table = if is_function { &mut self.functions } else { &mut self.predicates };
        if let Some(first) = table.get(&name) {
            self.callables[first.0 as usize].again.push(&declaration.name);
            return;
        }
        table.insert(name, id);
        self.callables.push(Callable { name, is_function, declaration, params, again: Vec::new() });
    }

    fn param_types(&mut self, groups: &'a [TypedGroup]) -> Vec<TypeSet> {
        let mut params = Vec::new();
        for group in groups {
            let types = self.type_set(self.domain_file, group);
            params.extend(group.names.iter().map(|_| types.clone()));
        }
        params
    }

    /// The types after a `-`; none means `object`. Marks them as used, and collects the undeclared ones.
    pub(super) fn type_set(&mut self, file: FileId, group: &'a TypedGroup) -> TypeSet {
        let mut ids = Vec::new();
        for name in &group.types {
            let id = self.types.intern(self.names.intern(&name.text));
            self.types.list[id.0 as usize].used = true;
            if !self.types.is_known(id) && self.domain.is_some() {
                self.unknown_types.push(TypeUse { name, file });
            }
            ids.push(id);
        }
        match ids.as_slice() {
            [] => TypeSet::One(OBJECT),
            [one] => TypeSet::One(*one),
            _ => TypeSet::Either(ids.into()),
        }
    }

    fn declare_objects(&mut self, file: FileId, groups: &'a [TypedGroup], in_problem: bool) {
        for group in groups {
            let types = self.type_set(file, group);
            for written in &group.names {
                let name = self.names.intern(&written.text);
                let next = super::formula::ObjectId(self.objects.len() as u32);
                let id = *self.objects_by_name.entry(name).or_insert(next);
                if id == next {
                    self.objects.push(Object { name, places: Vec::new(), uses: 0 });
                }
                let place = ObjectPlace { file, in_problem, written, group, types: types.clone() };
                self.objects[id.0 as usize].places.push(place);
            }
        }
    }
}
