//! The index of a file: the meaning of every name in it.

use std::sync::OnceLock;

use percept_syntax::{Language, Source, Syntax, TextRange};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::domains::Domains;
use super::{gdl_index, pddl_index};

/// The namespace of a name. Names of different namespaces never mean the same thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Namespace {
    /// A word of the language.
    Keyword,
    /// A variable of one rule or action.
    Variable,
    /// GDL: the name of a relation.
    Relation,
    /// GDL: the functor of a compound term, which may be a fluent, a move, a percept or just data.
    Function,
    /// GDL: a constant. POGDDL: a constant or an object.
    Object,
    /// A type of objects.
    Type,
    /// A predicate, declared or derived.
    Predicate,
    /// A function of PDDL.
    NumericFunction,
    /// An action schema.
    Action,
    /// The head of a message that `observe` sends.
    Message,
    /// The name in `(domain ...)`.
    DomainName,
    /// The name in `(problem ...)`.
    ProblemName,
    /// A flag such as `:typing`.
    Requirement,
    /// PDDL 3: the name of a preference.
    Preference,
}

/// The meaning of a name at one occurrence, for colours and texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// A word of the language.
    Keyword,
    /// A variable of a rule.
    Variable,
    /// A parameter of an action.
    Parameter,
    /// A relation that rules define.
    Relation,
    /// A role of the game.
    Role,
    /// A fluent, part of a state.
    Fluent,
    /// A move of a role.
    Move,
    /// A percept of a role.
    Percept,
    /// The functor of a compound term.
    Function,
    /// A constant or object.
    Object,
    /// A constant that is a number.
    Number,
    /// A type of objects.
    Type,
    /// A predicate of POGDDL.
    Predicate,
    /// A function of PDDL.
    NumericFunction,
    /// An action schema.
    Action,
    /// The name of a domain or a problem.
    Name,
    /// A flag such as `:typing`.
    Requirement,
}

/// A named thing. Equal symbols in the files of one unit are the same thing.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol {
    /// The namespace of the name.
    pub namespace: Namespace,
    /// The name for comparison: lower case in POGDDL.
    pub name: SmolStr,
    /// For a variable: the byte at which its scope begins.
    pub scope: Option<u32>,
}

/// The relation of an occurrence to the thing it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    /// A definition: the head of a rule, a declaration, a parameter.
    Define,
    /// A change: the effect of an action, a message sent.
    Write,
    /// Any other use.
    Read,
}

/// A name at one place of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The place in the text.
    pub range: TextRange,
    /// The number of the symbol, for [`Index::symbol`].
    pub symbol: u32,
    /// The class of the name at this place.
    pub class: Class,
    /// The kind of access at this place.
    pub access: Access,
    /// The number of the form around it: a statement, or an action, rule or section of a definition.
    pub item: u32,
}

/// All names of a text with their occurrences.
#[derive(Clone, Debug)]
pub struct Index {
    /// The language of the text.
    pub language: Language,
    symbols: Vec<Symbol>,
    ids: FxHashMap<Symbol, u32>,
    /// The occurrences in the order of the text; they do not overlap.
    occurrences: Vec<Occurrence>,
    /// For each symbol its occurrences, as indices into the list above.
    by_symbol: Vec<Vec<u32>>,
    /// The declared types of each name in a typed list, by the name's first byte.
    types: FxHashMap<u32, Vec<SmolStr>>,
    /// The domains, computed on first use.
    domains: OnceLock<Domains>,
}

impl Index {
    /// Indexes every name of a text.
    pub fn new(source: &Source) -> Index {
        let mut builder = Builder {
            symbols: Vec::new(),
            ids: FxHashMap::default(),
            occurrences: Vec::new(),
            types: FxHashMap::default(),
            item: 0,
        };
        match &source.syntax {
            Syntax::Gdl(description) => gdl_index::build(description, &mut builder),
            Syntax::Pddl(file) => pddl_index::build(file, &mut builder),
        }
        builder.finish(source.language)
    }

    /// The symbol of an occurrence.
    pub fn symbol(&self, occurrence: &Occurrence) -> &Symbol {
        &self.symbols[occurrence.symbol as usize]
    }

    /// All symbols, in the order of their first occurrences.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// All occurrences in the order of the text.
    pub fn all(&self) -> &[Occurrence] {
        &self.occurrences
    }

    /// The occurrence that covers `offset` or ends there.
    pub fn at(&self, offset: u32) -> Option<Occurrence> {
        let after = self.occurrences.partition_point(|occurrence| occurrence.range.start <= offset);
        let last = self.occurrences[..after].last()?;
        last.range.touches(offset).then_some(*last)
    }

    /// The occurrences of a symbol, in the order of the text.
    pub fn occurrences_of(&self, symbol: &Symbol) -> impl Iterator<Item = Occurrence> + '_ {
        let list = self.ids.get(symbol).map(|&id| &self.by_symbol[id as usize][..]).unwrap_or_default();
        list.iter().map(|&at| self.occurrences[at as usize])
    }

    /// The types that a typed list gives the name that starts at `start`; empty if there are none.
    pub fn types_at(&self, start: u32) -> Option<&[SmolStr]> {
        self.types.get(&start).map(Vec::as_slice)
    }

    /// The possible arguments of GDL's names. `source` is the text of this index.
    pub fn domains(&self, source: &Source) -> &Domains {
        self.domains.get_or_init(|| Domains::new(source))
    }

    /// True if a symbol has an occurrence.
    pub fn has(&self, symbol: &Symbol) -> bool {
        self.ids.contains_key(symbol)
    }
}

/// Collects occurrences in any order.
pub(super) struct Builder {
    symbols: Vec<Symbol>,
    ids: FxHashMap<Symbol, u32>,
    occurrences: Vec<Occurrence>,
    types: FxHashMap<u32, Vec<SmolStr>>,
    /// The item of the occurrences that are added next.
    pub(super) item: u32,
}

impl Builder {
    pub(super) fn add(&mut self, range: TextRange, symbol: Symbol, class: Class, access: Access) {
        if range.is_empty() {
            return;
        }
        let symbol = match self.ids.get(&symbol) {
            Some(&id) => id,
            None => {
                let id = self.symbols.len() as u32;
                self.ids.insert(symbol.clone(), id);
                self.symbols.push(symbol);
                id
            }
        };
        self.occurrences.push(Occurrence { range, symbol, class, access, item: self.item });
    }

    /// Records the types of a name in a typed list.
    pub(super) fn typed(&mut self, start: u32, types: Vec<SmolStr>) {
        self.types.insert(start, types);
    }

    fn finish(self, language: Language) -> Index {
        let Builder { symbols, ids, mut occurrences, types, .. } = self;
        occurrences.sort_by_key(|occurrence| (occurrence.range.start, occurrence.range.end));
        occurrences.dedup_by(|next, kept| next.range.start < kept.range.end);
        let mut by_symbol = vec![Vec::new(); symbols.len()];
        for (at, occurrence) in occurrences.iter().enumerate() {
            by_symbol[occurrence.symbol as usize].push(at as u32);
        }
        Index { language, symbols, ids, occurrences, by_symbol, types, domains: OnceLock::new() }
    }
}
