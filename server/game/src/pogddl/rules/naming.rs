//! The names of POGDDL's fluents, moves and percepts, and lookups by name.

use super::super::{eval::Location, layout::Layout, model::*, names::key};
use super::Operators;
use smol_str::SmolStr;

use crate::{FluentId, MoveId, Names, PerceptId, RoleId, Term};

impl Names for Operators {
    fn fluent_term(&self, fluent: FluentId) -> Term {
        let engine = &self.engine;
        for (id, layout) in engine.predicates.iter().enumerate() {
            let ids = layout.base..layout.base.saturating_add(layout.size.min(u32::MAX as u64) as u32);
            if engine.tables[id].is_none() && ids.contains(&fluent.0) {
                return self.atom(&engine.model.predicates[id], layout, fluent.0);
            }
        }
        for (register, location) in engine.locations.iter().enumerate() {
            if let Location::Bits { first, low, len } = *location
                && (first..first + len).contains(&fluent.0)
            {
                let value = low + (fluent.0 - first) as i64;
                return Term::value(self.register_term(register as u32), value);
            }
        }
        numbered("fluent", fluent.0)
    }

    fn move_term(&self, _role: RoleId, mv: MoveId) -> Term {
        match self.action(mv) {
            None => Term::word("noop"),
            Some((schema, args)) => self.term(&self.engine.model.schemas[schema as usize].name, args),
        }
    }

    fn percept_term(&self, _role: RoleId, percept: PerceptId) -> Term {
        match self.percept(percept) {
            Some(words) => {
                let mut words = words.into_iter().skip(1).map(|word| self.engine.model.words[word as usize].clone());
                Term::list(words.next().unwrap_or_default(), words.map(Term::word))
            }
            None => numbered("percept", percept.0),
        }
    }

    fn move_named(&self, _role: RoleId, name: &Term) -> Option<MoveId> {
        let head = key(name.head());
        if head == "noop" && name.args().is_empty() {
            return Some(MoveId::NOOP);
        }
        let schemas = &self.engine.model.schemas;
        let schema = schemas.iter().position(|schema| schema.name == head)?;
        let args = self.objects(name.args())?;
        let params = &schemas[schema].params;
        let is_typed = args.len() == params.len() && args.iter().zip(params).all(|(arg, var)| var.domain.contains(arg));
        is_typed.then(|| self.intern_move(schema as u16, &args))
    }

    fn percept_named(&self, _role: RoleId, name: &Term) -> Option<PerceptId> {
        self.percept_at(0, name)
    }

    fn percepts_named(&self, _role: RoleId, names: &[Term]) -> Option<Vec<PerceptId>> {
        names.iter().enumerate().map(|(place, name)| self.percept_at(place, name)).collect()
    }

    fn fluent_named(&self, name: &Term) -> Option<FluentId> {
        let engine = &self.engine;
        if let Some((number, value)) = name.as_value() {
            return self.number_at(number, value);
        }
        let (id, args) = self.symbol(&engine.model.predicates, name)?;
        let layout = &engine.predicates[id];
        if engine.tables[id].is_some() {
            return None;
        }
        layout.id(&args).filter(|&id| id < engine.fluent_count).map(FluentId)
    }

    fn fluent_count(&self) -> usize {
        self.engine.fluent_count as usize
    }

    fn register_terms(&self) -> Vec<Term> {
        let words = self.engine.locations.iter().enumerate();
        words
            .filter(|(_, location)| matches!(location, Location::Word(_)))
            .map(|(register, _)| self.register_term(register as u32))
            .collect()
    }

    fn constants(&self) -> Vec<Term> {
        self.constant_terms()
    }
}

impl Operators {
    /// The term `(name object ...)`.
    pub(in crate::pogddl) fn term(&self, name: &SmolStr, objects: impl IntoIterator<Item = Obj>) -> Term {
        let word = |object: Obj| Term::word(self.engine.model.objects[object as usize].clone());
        Term::list(name.clone(), objects.into_iter().map(word))
    }

    pub(in crate::pogddl) fn atom(&self, symbol: &Symbol, layout: &Layout, id: u32) -> Term {
        self.term(&symbol.name, layout.args(id))
    }

    fn register_term(&self, register: u32) -> Term {
        let engine = &self.engine;
        let changed = (0..engine.functions.len()).filter(|&id| engine.values[id].is_none());
        for id in changed {
            let layout = &engine.functions[id];
            if (layout.base..layout.base + layout.size as u32).contains(&register) {
                return self.atom(&engine.model.functions[id], layout, register);
            }
        }
        numbered("register", register)
    }

    /// The objects of some words; `None` if one of them is not an object.
    pub(in crate::pogddl) fn objects(&self, words: &[Term]) -> Option<Vec<Obj>> {
        words.iter().map(|word| self.object(&key(word.head())).filter(|_| !word.is_list())).collect()
    }

    /// The object with this name, in small letters.
    fn object(&self, name: &str) -> Option<Obj> {
        let objects = &self.engine.model.objects;
        objects.binary_search_by(|other| other.as_str().cmp(name)).ok().map(|index| index as Obj)
    }

    fn word(&self, name: &str) -> Option<u32> {
        let model = &self.engine.model;
        let of_message = || model.words.iter().skip(model.objects.len()).position(|other| other == name);
        self.object(name).map(u32::from).or_else(|| of_message().map(|index| (index + model.objects.len()) as u32))
    }

    fn percept_at(&self, place: usize, name: &Term) -> Option<PerceptId> {
        let is_flat = !name.args().iter().any(Term::is_list);
        let words: Option<Vec<u32>> = name.words().into_iter().map(|word| self.word(&key(word))).collect();
        Some(self.intern_percept(place, &words.filter(|_| is_flat)?))
    }

    /// The fluent which states that a number has this value: `(score p1)`, 3.
    fn number_at(&self, number: &Term, value: i64) -> Option<FluentId> {
        let engine = &self.engine;
        let (id, args) = self.symbol(&engine.model.functions, number)?;
        let layout = &engine.functions[id];
        if engine.values[id].is_some() {
            return None;
        }
        match engine.locations[layout.id(&args)? as usize] {
            Location::Bits { first, low, len } if (low..low + len as i64).contains(&value) => {
                Some(FluentId(first + (value - low) as u32))
            }
            _ => None,
        }
    }
}

/// A name made of a number, for things without a name.
fn numbered(kind: &'static str, id: u32) -> Term {
    Term::list(SmolStr::new_static(kind), [Term::word(id.to_string())])
}
