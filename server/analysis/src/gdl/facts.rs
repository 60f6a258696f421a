//! The knowledge about a description that the rules read, in stages. Each stage is built from the complete one before
//! it: [`Uses`] is the text, [`Trusted`] its reliable part, [`Facts`] the conclusions from it.

use std::ops::Deref;
use std::sync::OnceLock;

use percept_syntax::near::Near;
use percept_syntax::{Source, gdl::Description};
use rustc_hash::FxHashSet;

use super::domains::Domains;
use super::graph::Graph;
use super::slips;
use super::symbols::{Sym, keyword};
use super::trust::Trusted;
use super::uses::{Predicate, Space, Uses};

/// Texts with fewer bytes are checked as a whole.
pub(crate) const LARGE: usize = 16 << 10;

/// The facts about one file.
#[derive(Debug)]
pub(crate) struct Facts<'a> {
    trusted: Trusted<'a>,
    pub graph: Graph,
    pub domains: Domains,
    /// Per space the names that are read and never produced, indexed for a search by typos.
    near_undefined: [OnceLock<Near<Sym>>; 4],
    /// Per space the names that are produced.
    near_defined: [OnceLock<Near<Sym>>; 4],
    /// Per space the names that undefined ones were probably meant to be.
    guesses: [OnceLock<FxHashSet<Sym>>; 4],
}

impl<'a> Deref for Facts<'a> {
    type Target = Trusted<'a>;

    fn deref(&self) -> &Trusted<'a> {
        &self.trusted
    }
}

impl<'a> Facts<'a> {
    pub(crate) fn new(source: &'a Source, description: &Description) -> Self {
        Facts::of_part(source, description, false)
    }

    /// The facts about some of the statements of a file. `is_too_large`: the domains of all statements together cannot
    /// be analysed.
    pub(crate) fn of_part(source: &'a Source, description: &Description, is_too_large: bool) -> Self {
        let trusted = Trusted::new(Uses::new(source, description));
        let domains = if is_too_large { Domains::none() } else { Domains::new(&trusted) };
        let graph = Graph::new(&trusted);
        let (near_undefined, near_defined, guesses) = Default::default();
        Facts { trusted, graph, domains, near_undefined, near_defined, guesses }
    }

    /// The names that bodies read and nothing produces.
    pub(crate) fn undefined(&self, space: Space) -> impl Iterator<Item = &Predicate> {
        let through = |predicate: &Predicate| self.may_come_through_variable(predicate);
        slips::undefined(self, self.doubtful(), space, through)
    }

    /// True if a body reads something that nothing produces.
    pub(crate) fn has_undefined(&self) -> bool {
        let spaces = [Space::Relation, Space::Fluent, Space::Move, Space::Percept];
        spaces.into_iter().any(|space| self.undefined(space).next().is_some())
    }

    /// The names that bodies read and nothing produces.
    fn near_undefined(&self, space: Space) -> &Near<Sym> {
        let names = || self.undefined(space).map(|predicate| (self.name(predicate.sym), predicate.sym));
        self.near_undefined[space as usize].get_or_init(|| Near::new(names()))
    }

    /// The names that facts and rules produce.
    pub(crate) fn near_defined(&self, space: Space) -> &Near<Sym> {
        let names = || slips::defined(self, space).map(|predicate| (self.name(predicate.sym), predicate.sym));
        self.near_defined[space as usize].get_or_init(|| Near::new(names()))
    }

    /// The name that an undefined one was probably meant to be.
    pub(crate) fn guessed(&self, unmade: &Predicate) -> Option<&str> {
        slips::guessed(self, unmade).map(|other| self.name(other.sym))
    }

    /// True if an undefined name and this unused one are probably the same name: one cause.
    pub(crate) fn explains_undefined(&self, unused: &Predicate) -> bool {
        let near = self.near_undefined(unused.space).of(self.name(unused.sym));
        let mut near = near.filter_map(|(_, sym)| self.predicate(unused.space, sym));
        near.any(|other| slips::are_one_name(self, unused, other)) || self.guesses(unused.space).contains(&unused.sym)
    }

    /// The names that undefined ones were probably meant to be.
    fn guesses(&self, space: Space) -> &FxHashSet<Sym> {
        let guesses = || self.undefined(space).filter_map(|unmade| slips::guessed(self, unmade)).map(|other| other.sym);
        self.guesses[space as usize].get_or_init(|| guesses().collect())
    }

    /// True if a head with a variable, such as `(next ?f)`, may produce it.
    fn may_come_through_variable(&self, predicate: &Predicate) -> bool {
        let (relation, arity, last) = match predicate.space {
            Space::Fluent => (keyword::NEXT, 1, 0),
            Space::Move => (keyword::LEGAL, 2, 1),
            _ => return false,
        };
        let Some(place) = self.domains.argument(relation, arity, last) else { return false };
        predicate.read().any(|occurrence| {
            let node = self.term(occurrence.term);
            self.domains.has_constant(place, predicate.sym) && node.arity() == 0
                || self.domains.has_functor(place, predicate.sym, node.arity())
        })
    }
}
