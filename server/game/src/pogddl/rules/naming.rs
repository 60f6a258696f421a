//! What fluents, moves and percepts of POGDDL are called, and what their names stand for.

use super::super::{eval::Location, layout::Layout, model::*, names::key};
use super::Operators;
use smol_str::SmolStr;

use crate::sexpr::{self, Expr};
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

    fn find_move(&self, _role: RoleId, name: &str) -> Option<MoveId> {
        let tokens = Self::tokens(name)?;
        if tokens == ["noop"] {
            return Some(MoveId::NOOP);
        }
        let schemas = &self.engine.model.schemas;
        let schema = schemas.iter().position(|schema| schema.name == tokens[0])?;
        let args: Vec<Obj> = tokens[1..].iter().map(|token| self.object(token)).collect::<Option<_>>()?;
        let params = &schemas[schema].params;
        let is_typed = args.len() == params.len() && args.iter().zip(params).all(|(arg, var)| var.domain.contains(arg));
        is_typed.then(|| self.intern_move(schema as u16, &args))
    }

    fn find_percept(&self, _role: RoleId, name: &str) -> Option<PerceptId> {
        self.find_percept_at(0, name)
    }

    fn find_percepts(&self, _role: RoleId, names: &[&str]) -> Option<Vec<PerceptId>> {
        names.iter().enumerate().map(|(place, name)| self.find_percept_at(place, name)).collect()
    }

    fn find_fluent(&self, name: &str) -> Option<FluentId> {
        let engine = &self.engine;
        let Some(tokens) = Self::tokens(name) else { return self.find_number(name) };
        let id = engine.model.predicates.iter().position(|symbol| symbol.name == tokens[0])?;
        let args: Vec<Obj> = tokens[1..].iter().map(|token| self.object(token)).collect::<Option<_>>()?;
        let layout = &engine.predicates[id];
        if engine.tables[id].is_some() || args.len() != layout.positions.len() {
            return None;
        }
        layout.id(&args).filter(|&id| id < engine.fluent_count).map(FluentId)
    }

    fn fluent_count(&self) -> usize {
        self.engine.fluent_count as usize
    }

    fn register_names(&self) -> Vec<String> {
        let words = self.engine.locations.iter().enumerate();
        words
            .filter(|(_, location)| matches!(location, Location::Word(_)))
            .map(|(register, _)| self.register_term(register as u32).to_string())
            .collect()
    }

    fn constants(&self) -> Vec<String> {
        self.constant_names()
    }
}

impl Operators {
    /// `(name object ...)`.
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

    /// Reads `(name word ...)`, with or without the parentheses.
    pub(in crate::pogddl) fn tokens(name: &str) -> Option<Vec<String>> {
        match &sexpr::read(name).ok()?[..] {
            [] => None,
            [only] if only.list().is_some() => words(only.list()?),
            all => words(all),
        }
    }

    pub(in crate::pogddl) fn object(&self, name: &str) -> Option<Obj> {
        let objects = &self.engine.model.objects;
        objects.binary_search_by(|known| known.as_str().cmp(name)).ok().map(|index| index as Obj)
    }

    fn word(&self, name: &str) -> Option<u32> {
        let model = &self.engine.model;
        let of_message = || model.words.iter().skip(model.objects.len()).position(|known| known == name);
        self.object(name).map(u32::from).or_else(|| of_message().map(|index| (index + model.objects.len()) as u32))
    }

    fn find_percept_at(&self, place: usize, name: &str) -> Option<PerceptId> {
        let words: Option<Vec<u32>> = Self::tokens(name)?.iter().map(|token| self.word(token)).collect();
        Some(self.intern_percept(place, &words?))
    }

    /// `(= (score p1) 3)`.
    fn find_number(&self, name: &str) -> Option<FluentId> {
        let read = sexpr::read(name).ok()?;
        let [equals, term, value] = read.first()?.list()? else { return None };
        let value: i64 = value.word()?.parse().ok().filter(|_| equals.is_word("="))?;
        let tokens = term.list().map_or_else(|| words(std::slice::from_ref(term)), words)?;
        let engine = &self.engine;
        let id = engine.model.functions.iter().position(|symbol| symbol.name == tokens[0])?;
        let args: Vec<Obj> = tokens[1..].iter().map(|token| self.object(token)).collect::<Option<_>>()?;
        let layout = &engine.functions[id];
        if engine.values[id].is_some() || args.len() != layout.positions.len() {
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

/// What has no name of its own.
fn numbered(kind: &'static str, id: u32) -> Term {
    Term::list(SmolStr::new_static(kind), [Term::word(id.to_string())])
}

/// Words in small letters; nothing where there are none, or lists among them.
fn words(items: &[Expr]) -> Option<Vec<String>> {
    let words = items.iter().map(|item| item.word().map(|word| key(word).to_string()));
    words.collect::<Option<Vec<String>>>().filter(|words| !words.is_empty())
}
