//! The possible values of each argument: a fixpoint over the rules, argument by argument.
//!
//! Every argument place of every relation has a domain, and so has every place inside the fluents, moves and percepts
//! (`true`, `next` and `init` share theirs, `does` and `legal` too). A rule adds to the places of its head the possible
//! values of its variables: the intersection over the variable's places in positive literals, the union over the
//! branches of a disjunction. The domains over-approximate the values that can ever occur; a value outside them cannot.

mod build;
mod clashes;
mod fixpoint;
mod row;

pub(crate) use clashes::Clash;

use rustc_hash::FxHashMap;

use super::lowered::{RuleId, TermId};
use super::symbols::{Sym, keyword};
use super::trust::Trusted;
use row::Row;

/// An index of a domain.
type Slot = u32;

/// A place that has a domain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place(Slot);

/// Terms that are nested deeper than this are not distinguished.
const DEPTH: u8 = 5;
/// The most domains, and below the most words of constants in all of them. A larger description is not analysed.
const MAX_DOMAINS: usize = 50_000;
const MAX_WORDS: usize = 1_000_000;
/// Domains beyond the limit that are still counted: a description with all of these stays too large when a few
/// statements change.
pub(crate) const SPARE: usize = 10_000;

#[derive(Clone, Debug)]
struct Functor {
    sym: Sym,
    arity: u32,
    first_child: Slot,
    /// True if a rule can produce a term with this functor. If false, only patterns contain one.
    present: bool,
}

#[derive(Clone, Debug, Default)]
struct Domain {
    /// True if any value is possible here, as far as is known.
    any: bool,
    depth: u8,
    /// The domain that contains this one, plus one.
    parent: u32,
    constants: Row,
    functors: Vec<Functor>,
    /// The rules that read this place.
    readers: Vec<u32>,
}

/// A step of a rule: copies the possible values of a variable to a place.
#[derive(Clone, Debug)]
struct Copy {
    /// The variable's places in positive literals.
    from: Vec<Slot>,
    to: Slot,
}

/// The domains of a description.
#[derive(Debug, Default)]
pub(crate) struct Domains {
    domains: Vec<Domain>,
    /// The numbers of all functors among those of their place: a large game has thousands of fluents in one place.
    numbers: FxHashMap<(Slot, Sym, u32), u32>,
    /// The number of words in all constants.
    words: usize,
    /// Relation and arity to the place of the first argument. Keywords that share their facts count as one relation.
    roots: FxHashMap<(Sym, u32), Slot>,
    copies: Vec<Copy>,
    /// Variables' places per rule: rule, variable, place, term, atom.
    bindings: Vec<(RuleId, u32, Slot, TermId, TermId)>,
    /// Roles without a legal move.
    idle: Vec<Sym>,
    given_up: bool,
    /// True if there are [`SPARE`] more domains than allowed.
    is_full: bool,
}

/// The size of the domains of a description, compared with the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// There is room for this many domains, of which each functor may need some: those of the place with the most.
    Room(usize, usize),
    /// Far too large.
    Full,
    /// Near a limit.
    Unclear,
}

impl Domains {
    pub(crate) fn new(rules: &Trusted) -> Self {
        let mut domains = Domains::default();
        for (id, _) in rules.lowered.rules.iter().enumerate() {
            domains.compile(rules, id as RuleId);
            if domains.is_full || domains.words > MAX_WORDS {
                return domains;
            }
        }
        if domains.given_up {
            return domains;
        }
        domains.open_unknown_places(rules);
        domains.open_tainted_names(rules);
        domains.run((0..domains.copies.len() as u32).collect());
        domains.open_idle_roles(rules);
        domains.force_contradictions();
        domains
    }

    /// The domains of a description that is too large.
    pub(crate) fn none() -> Self {
        Domains { given_up: true, ..Domains::default() }
    }

    pub(crate) fn size(&self) -> Size {
        if self.is_full {
            return Size::Full;
        }
        if self.given_up || self.words > MAX_WORDS / 4 {
            return Size::Unclear;
        }
        // A variable for a whole fluent, move or percept is not an argument.
        let whole = [
            (keyword::NEXT, 1, 0),
            (keyword::BASE, 1, 0),
            (keyword::LEGAL, 2, 1),
            (keyword::INPUT, 1, 0),
            (keyword::INPUT, 2, 1),
            (keyword::SEES, 2, 1),
            (keyword::PERCEPT, 2, 1),
        ]
        .map(|(sym, arity, n)| self.argument(sym, arity, n).map(|place| place.0 as usize));
        let others = self.domains.iter().enumerate().filter(|(place, _)| !whole.contains(&Some(*place)));
        let most = others.map(|(_, domain)| domain.functors.len()).max();
        Size::Room(MAX_DOMAINS - self.domains.len().min(MAX_DOMAINS), most.unwrap_or(0))
    }

    /// True if the description is too large for this analysis: then nothing is known.
    pub(crate) fn given_up(&self) -> bool {
        self.given_up
    }

    /// Roles that no rule gives a legal move.
    pub(crate) fn idle_roles(&self) -> &[Sym] {
        &self.idle
    }

    /// The place of argument `n` of a relation or keyword, if it occurs with this arity.
    pub(crate) fn argument(&self, relation: Sym, arity: usize, n: usize) -> Option<Place> {
        // In a description that is too large, all places are alike, wherever the limit was reached.
        let found = || self.roots.get(&(shared(relation), arity as u32)).copied();
        let root = if self.given_up { 0 } else { found()? };
        (n < arity).then(|| Place(root + n as u32))
    }

    /// The place of argument `n` of the terms `functor` that can occur at `place`, if a rule can produce one there.
    pub(crate) fn inside(&self, place: Place, functor: Sym, arity: usize, n: usize) -> Option<Place> {
        if self.given_up {
            return (n < arity).then_some(place);
        }
        let entry = self.functor(place.0, functor, arity as u32)?;
        (entry.present && n < arity).then(|| Place(entry.first_child + n as u32))
    }

    /// True if any value is possible at the place, as far as is known.
    pub(crate) fn is_open(&self, place: Place) -> bool {
        self.given_up || self.domains[place.0 as usize].any
    }

    /// True if no value is possible at the place.
    pub(crate) fn is_empty(&self, place: Place) -> bool {
        !self.is_open(place)
            && self.row(place.0).is_empty()
            && !self.domains[place.0 as usize].functors.iter().any(|functor| functor.present)
    }

    pub(crate) fn has_constant(&self, place: Place, sym: Sym) -> bool {
        self.is_open(place) || self.row(place.0).contains(sym)
    }

    pub(crate) fn has_functor(&self, place: Place, functor: Sym, arity: usize) -> bool {
        self.is_open(place) || self.functor(place.0, functor, arity as u32).is_some_and(|entry| entry.present)
    }

    /// True if a variable of a rule can be this constant, judged by the literals that must hold in every instance.
    pub(crate) fn variable_can_be(&self, rule: RuleId, variable: u32, sym: Sym) -> bool {
        self.given_up || self.places_of(rule, variable).all(|place| self.has_constant(place, sym))
    }

    /// The place of a variable's occurrence in a positive literal.
    pub(crate) fn place_of(&self, rule: RuleId, term: TermId) -> Option<Place> {
        let first = self.bindings.partition_point(|binding| binding.0 < rule);
        let mut own = self.bindings[first..].iter().take_while(move |binding| binding.0 == rule);
        own.find(|binding| binding.3 == term).map(|binding| Place(binding.2))
    }

    /// The places of a variable of a rule in literals that must hold in every instance.
    pub(crate) fn places_of(&self, rule: RuleId, variable: u32) -> impl Iterator<Item = Place> + '_ {
        let first = self.bindings.partition_point(|binding| binding.0 < rule);
        let own = self.bindings[first..].iter().take_while(move |binding| binding.0 == rule);
        own.filter(move |binding| binding.1 == variable).map(|binding| Place(binding.2))
    }

    /// The possible constants at a place, in the order of their first mention.
    pub(crate) fn constants(&self, place: Place) -> impl Iterator<Item = Sym> + '_ {
        let row = (!self.given_up).then(|| self.row(place.0));
        row.into_iter().flat_map(Row::iter)
    }

    /// The functors, with arity, of the possible compound terms at a place.
    pub(crate) fn functors(&self, place: Place) -> impl Iterator<Item = (Sym, usize)> + '_ {
        let functors = if self.given_up { &[][..] } else { &self.domains[place.0 as usize].functors };
        functors.iter().filter(|entry| entry.present).map(|entry| (entry.sym, entry.arity as usize))
    }

    fn overlap(&self, places: &[Slot]) -> bool {
        let closed: Vec<Slot> = places.iter().copied().filter(|place| !self.domains[*place as usize].any).collect();
        let Some((&first, others)) = closed.split_first() else { return true };
        if closed.len() == 1 {
            return !self.is_empty(Place(first));
        }
        let rows: Vec<&Row> = others.iter().map(|other| self.row(*other)).collect();
        if self.row(first).meets(&rows) {
            return true;
        }
        self.domains[first as usize].functors.iter().filter(|entry| entry.present).any(|entry| {
            let entries: Option<Vec<&Functor>> =
                others.iter().map(|other| self.functor(*other, entry.sym, entry.arity).filter(|e| e.present)).collect();
            let Some(entries) = entries else { return false };
            (0..entry.arity).all(|n| {
                let children: Vec<Slot> =
                    std::iter::once(entry).chain(entries.iter().copied()).map(|e| e.first_child + n).collect();
                self.overlap(&children)
            })
        })
    }

    fn row(&self, place: Slot) -> &Row {
        &self.domains[place as usize].constants
    }

    fn functor(&self, place: Slot, sym: Sym, arity: u32) -> Option<&Functor> {
        Some(&self.domains[place as usize].functors[self.functor_number(place, sym, arity)?])
    }

    /// The number of a functor among those of a place.
    fn functor_number(&self, place: Slot, sym: Sym, arity: u32) -> Option<usize> {
        const FEW: usize = 8;
        let entries = &self.domains[place as usize].functors;
        match entries.len() <= FEW {
            true => entries.iter().position(|entry| entry.sym == sym && entry.arity == arity),
            false => self.numbers.get(&(place, sym, arity)).map(|number| *number as usize),
        }
    }
}

/// Maps keywords for the same facts to one: they share their places.
fn shared(relation: Sym) -> Sym {
    match relation {
        keyword::TRUE | keyword::INIT => keyword::NEXT,
        keyword::DOES => keyword::LEGAL,
        keyword::ACTION => keyword::INPUT,
        other => other,
    }
}
