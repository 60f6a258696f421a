//! Names that are read and never made, made and never read, and which of the two are one slip of the pen.

use percept_syntax::TextRange;
use percept_syntax::near::Near;
use rustc_hash::FxHashSet;

use super::facts::{Facts, Occurrence, Predicate, Space};
use super::lowered::{Node, RuleId, Shape, TermId};
use super::symbols::{Sym, keyword};
use super::{nearest, one_slip_apart, same_word};

/// Whether a fact or rule makes something of this name.
pub fn is_made(facts: &Facts, space: Space, sym: Sym) -> bool {
    facts.predicate(space, sym).is_some_and(|predicate| predicate.produced().next().is_some())
}

/// Whether a fluent that nothing makes is a relation that something does.
pub fn is_wrapped_relation(facts: &Facts, sym: Sym) -> bool {
    is_made(facts, Space::Relation, sym) && !is_made(facts, Space::Fluent, sym)
}

/// What facts and rules make in a space.
pub fn defined<'f>(facts: &'f Facts, space: Space) -> impl Iterator<Item = &'f Predicate> {
    facts.predicates.iter().filter(move |predicate| predicate.space == space && predicate.produced().next().is_some())
}

/// What bodies read and nothing makes.
pub fn undefined<'f>(facts: &'f Facts, space: Space) -> impl Iterator<Item = &'f Predicate> {
    let wild = facts.has_wildcard(space, true);
    facts.predicates.iter().filter(move |predicate| {
        predicate.space == space
            && !facts.is_doubtful(predicate.sym)
            && !(space == Space::Relation && is_reserved(predicate.sym))
            && predicate.produced().next().is_none()
            && predicate.read().next().is_some()
            && !(wild && may_come_through_variable(facts, predicate))
    })
}

/// What is made and read by nothing but its own rules.
pub fn unused<'f>(facts: &'f Facts, space: Space) -> impl Iterator<Item = &'f Predicate> {
    facts.predicates.iter().filter(move |predicate| predicate.space == space && is_unused(facts, predicate))
}

/// Whether something is made and read by nothing but its own rules.
pub fn is_unused(facts: &Facts, predicate: &Predicate) -> bool {
    !facts.is_doubtful(predicate.sym)
        && (predicate.space != Space::Relation || !is_reserved(predicate.sym))
        && predicate.produced().next().is_some()
        && reads_only_itself(facts, predicate)
        && !read_as_other(facts, predicate)
}

/// A relation read inside `true`, or a fluent read without: reported there, and used after all.
fn read_as_other(facts: &Facts, predicate: &Predicate) -> bool {
    let other = match predicate.space {
        Space::Relation => Space::Fluent,
        Space::Fluent => Space::Relation,
        Space::Move | Space::Percept => return false,
    };
    let read = facts.predicate(other, predicate.sym).is_some_and(|other| other.read().next().is_some());
    read && !is_made(facts, other, predicate.sym)
}

/// Whether a head of this relation was meant to be inside `next` or `init`: nothing reads the relation, and there is a
/// fluent of this name.
pub fn is_unwrapped_fluent(facts: &Facts, sym: Sym) -> bool {
    !is_reserved(sym)
        && facts.predicate(Space::Fluent, sym).is_some()
        && facts.predicate(Space::Relation, sym).is_some_and(|relation| relation.read().next().is_none())
}

/// Whether an unused name is what an undefined one was meant to be (or the other way round): one cause.
pub fn explains_undefined(facts: &Facts, unused: &Predicate) -> bool {
    let near = facts.near_undefined(unused.space).of(facts.name(unused.sym));
    let mut near = near.filter_map(|(_, sym)| facts.predicate(unused.space, sym));
    near.any(|other| are_one_name(facts, unused, other))
}

/// Whether two names may be one with a slip: a letter apart, or two forms of one word with the same number of arguments
/// (`stands`, `standing`).
pub fn are_one_name(facts: &Facts, one: &Predicate, other: &Predicate) -> bool {
    let (a, b) = (facts.name(one.sym), facts.name(other.sym));
    one_slip_apart(a, b) || same_word(a, b) && share_arity(facts, one, other)
}

/// Of some candidates the name that another was meant to be, if there is exactly one: first a letter apart, then another form
/// of the word.
pub fn meant<'f>(
    facts: &'f Facts,
    name: &Predicate,
    candidates: impl Iterator<Item = &'f Predicate>,
) -> Option<&'f str> {
    let text = facts.name(name.sym);
    let candidates: Vec<&Predicate> = candidates.collect();
    if let Some(near) = nearest(text, candidates.iter().map(|other| facts.name(other.sym))) {
        return Some(near);
    }
    let alike = |other: &&Predicate| same_word(text, facts.name(other.sym)) && share_arity(facts, name, other);
    let mut words = candidates.into_iter().filter(alike).map(|other| facts.name(other.sym));
    let first = words.next()?;
    words.all(|other| other == first).then_some(first)
}

fn share_arity(facts: &Facts, one: &Predicate, other: &Predicate) -> bool {
    let arity = |occurrence: &Occurrence| facts.term(occurrence.term).arity();
    let arities: FxHashSet<usize> = one.occurrences.iter().map(arity).collect();
    other.occurrences.iter().any(|occurrence| arities.contains(&arity(occurrence)))
}

/// The keyword that a name is one slip from, where the arguments are those of the keyword as well.
pub fn near_keyword(facts: &Facts, predicate: &Predicate) -> Option<&'static str> {
    let name = facts.name(predicate.sym);
    let first = facts.term(predicate.occurrences.first()?.term);
    let fits = |sym: Sym| {
        if keyword::is_connective(sym) {
            return true;
        }
        let Some(argument) = first.arg(0).map(|arg| facts.term(arg)) else { return keyword::arity(sym) == Some(0) };
        let named = argument.variable().is_none();
        let is_role = || facts.roles.is_none() || facts.is_role(argument.sym);
        keyword::arity(sym) == Some(first.arity())
            && match Space::inside(sym) {
                Some(Space::Fluent) => named && facts.predicate(Space::Fluent, argument.sym).is_some(),
                _ if sym == keyword::ROLE => named,
                _ => !named || is_role(),
            }
    };
    let alike = |sym: Sym| {
        let word = keyword::WORDS[sym.index()];
        one_slip_apart(name, word) || sym == keyword::NOT && is_misspelt_not(name) && holds_one_literal(facts, first)
    };
    let number = (0..=keyword::OR.0).find(|n| alike(Sym(*n)) && fits(Sym(*n)))?;
    Some(keyword::WORDS[number as usize])
}

/// `nto`: too short a word to be near another, were it not for what it holds.
fn is_misspelt_not(name: &str) -> bool {
    matches!(name.to_ascii_lowercase().as_str(), "nto" | "ont" | "nor" | "nt" | "noot" | "nott")
}

/// Whether an atom holds nothing but what is a literal somewhere in the description.
fn holds_one_literal(facts: &Facts, node: &Node) -> bool {
    let [argument] = node.args().collect::<Vec<TermId>>()[..] else { return false };
    let sym = facts.term(argument).sym;
    let node = facts.term(argument);
    node.variable().is_none() && (keyword::accepts(sym, node.arity()) || is_made(facts, Space::Relation, sym))
}

/// The keywords that some name is one slip from, each with the atoms of that name. What they were to say is not said, and
/// is no second fault.
pub fn misspelt_keywords(facts: &Facts) -> Vec<(Sym, Vec<TermId>)> {
    let names = unused(facts, Space::Relation).chain(undefined(facts, Space::Relation));
    let meant = |predicate: &Predicate| {
        let keyword = facts.lowered.symbols.find(near_keyword(facts, predicate)?)?;
        Some((keyword, predicate.occurrences.iter().map(|occurrence| occurrence.term).collect()))
    };
    names.filter_map(meant).filter(|(keyword, _)| keyword::is_relation(*keyword)).collect()
}

/// Fluents that some other name, made and never read, was meant to be: what they can be is not all known.
pub fn half_made_fluents(facts: &Facts) -> Vec<Sym> {
    let is_read = |predicate: &&Predicate| predicate.space == Space::Fluent && predicate.read().next().is_some();
    let read = Near::new(facts.predicates.iter().filter(is_read).map(|other| (facts.name(other.sym), other.sym)));
    let meant = |unread: &Predicate| {
        let near = read.of(facts.name(unread.sym)).filter_map(|(_, sym)| facts.predicate(Space::Fluent, sym));
        near.filter(|other| are_one_name(facts, unread, other)).map(|other| other.sym).collect::<Vec<Sym>>()
    };
    unused(facts, Space::Fluent).flat_map(meant).collect()
}

/// The places of a constant that stands several times in one rule and nowhere else: it was to be a variable.
pub fn unmarked_variable(facts: &Facts, rule: RuleId, sym: Sym) -> Option<Vec<TermId>> {
    let named = |id: &TermId| {
        let node = facts.term(*id);
        node.sym == sym && node.variable().is_none()
    };
    let own: Vec<TermId> = facts.lowered.rules[rule as usize].terms().filter(named).collect();
    let is_constant = own.iter().all(|id| facts.term(*id).shape == Shape::Constant);
    (own.len() > 1 && own.len() == facts.count(sym) as usize && is_constant).then_some(own)
}

/// The whole `(true ...)` around a fluent.
pub fn around(facts: &Facts, occurrence: &Occurrence) -> Option<TextRange> {
    facts.around(occurrence.term).map(|atom| facts.range(atom))
}

fn is_reserved(sym: Sym) -> bool {
    keyword::is_relation(sym) || keyword::is_connective(sym)
}

/// Whether only rules read the name that make it again, such as the frame rule of a fluent.
fn reads_only_itself(facts: &Facts, predicate: &Predicate) -> bool {
    let mut read = predicate.read().peekable();
    if read.peek().is_none() || predicate.space != Space::Relation {
        return read.peek().is_none();
    }
    let heads = predicate.occurrences.iter().filter(|other| other.in_head);
    let made: FxHashSet<RuleId> = heads.map(|other| other.rule).collect();
    read.all(|read| made.contains(&read.rule) && facts.lowered.rules[read.rule as usize].head.is_some())
}

/// `(next ?f)` may make the fluent after all.
fn may_come_through_variable(facts: &Facts, predicate: &Predicate) -> bool {
    let (relation, arity, last) = match predicate.space {
        Space::Fluent => (keyword::NEXT, 1, 0),
        Space::Move => (keyword::LEGAL, 2, 1),
        _ => return false,
    };
    let Some(place) = facts.domains.argument(relation, arity, last) else { return false };
    predicate.read().any(|occurrence| {
        let node = facts.term(occurrence.term);
        facts.domains.has_constant(place, predicate.sym) && node.arity() == 0
            || facts.domains.has_functor(place, predicate.sym, node.arity())
    })
}
