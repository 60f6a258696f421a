//! Names that are read and never produced, or produced and never read, and the pairs of them that are one typo.

use percept_syntax::TextRange;
use percept_syntax::near::Near;
use rustc_hash::FxHashSet;

use super::lowered::{Node, RuleId, Shape, TermId};
use super::symbols::{Sym, keyword};
use super::uses::{Occurrence, Predicate, Space, Uses};
use super::{nearest, one_slip_apart, same_word, slip_of};

/// True if a fact or rule produces something of this name.
pub(crate) fn is_made(uses: &Uses, space: Space, sym: Sym) -> bool {
    uses.predicate(space, sym).is_some_and(|predicate| predicate.produced().next().is_some())
}

/// True if nothing produces a fluent of this name, but something produces a relation of this name.
pub(crate) fn is_wrapped_relation(uses: &Uses, sym: Sym) -> bool {
    is_made(uses, Space::Relation, sym) && !is_made(uses, Space::Fluent, sym)
}

/// The names that facts and rules produce in a space.
pub(crate) fn defined<'f>(uses: &'f Uses<'_>, space: Space) -> impl Iterator<Item = &'f Predicate> {
    uses.predicates.iter().filter(move |predicate| predicate.space == space && predicate.produced().next().is_some())
}

/// The names that bodies read and nothing produces.
///
/// `through` is true if a variable that represents a whole fluent or move may produce the name.
pub(crate) fn undefined<'f>(
    uses: &'f Uses<'_>,
    doubtful: &'f FxHashSet<Sym>,
    space: Space,
    through: impl Fn(&Predicate) -> bool + 'f,
) -> impl Iterator<Item = &'f Predicate> {
    let wild = uses.has_wildcard(space, true);
    uses.predicates.iter().filter(move |predicate| {
        predicate.space == space
            && !doubtful.contains(&predicate.sym)
            && !(space == Space::Relation && is_reserved(predicate.sym))
            && predicate.produced().next().is_none()
            && predicate.read().next().is_some()
            && !(wild && through(predicate))
    })
}

/// The names that are produced and read only by their own rules.
pub(crate) fn unused<'f>(
    uses: &'f Uses<'_>,
    doubtful: &'f FxHashSet<Sym>,
    space: Space,
) -> impl Iterator<Item = &'f Predicate> {
    uses.predicates.iter().filter(move |predicate| predicate.space == space && is_unused(uses, doubtful, predicate))
}

/// True if the name is produced and read only by its own rules.
pub(crate) fn is_unused(uses: &Uses, doubtful: &FxHashSet<Sym>, predicate: &Predicate) -> bool {
    !doubtful.contains(&predicate.sym)
        && (predicate.space != Space::Relation || !is_reserved(predicate.sym))
        && predicate.produced().next().is_some()
        && reads_only_itself(uses, predicate)
        && !read_as_other(uses, predicate)
}

/// True for a relation that is read inside `true`, or a fluent that is read without it: that is reported there, so the
/// name counts as used.
fn read_as_other(uses: &Uses, predicate: &Predicate) -> bool {
    let other = match predicate.space {
        Space::Relation => Space::Fluent,
        Space::Fluent => Space::Relation,
        Space::Move | Space::Percept => return false,
    };
    let read = uses.predicate(other, predicate.sym).is_some_and(|other| other.read().next().is_some());
    read && !is_made(uses, other, predicate.sym)
}

/// True if a head of this relation probably belongs inside `next` or `init`: nothing reads the relation, and there is a
/// fluent of this name.
pub(crate) fn is_unwrapped_fluent(uses: &Uses, sym: Sym) -> bool {
    !is_reserved(sym)
        && uses.predicate(Space::Fluent, sym).is_some()
        && uses.predicate(Space::Relation, sym).is_some_and(|relation| relation.read().next().is_none())
}

/// True if two names may be one with a typo: a letter apart, or two forms of one word with the same number of arguments
/// (`moved`, `moving`).
pub(crate) fn are_one_name(uses: &Uses, one: &Predicate, other: &Predicate) -> bool {
    let (a, b) = (uses.name(one.sym), uses.name(other.sym));
    one_slip_apart(a, b) || same_word(a, b) && share_arity(uses, one, other)
}

/// The intended candidate for a name, if there is exactly one: first one that is a letter apart, then another form of
/// the word.
pub(crate) fn meant<'f>(
    uses: &'f Uses<'_>,
    name: &Predicate,
    candidates: impl Iterator<Item = &'f Predicate>,
) -> Option<&'f str> {
    let text = uses.name(name.sym);
    let candidates: Vec<&Predicate> = candidates.collect();
    if let Some(near) = slip_of(text, candidates.iter().map(|other| uses.name(other.sym))) {
        return Some(near);
    }
    let alike = |other: &&Predicate| same_word(text, uses.name(other.sym)) && share_arity(uses, name, other);
    let mut words = candidates.into_iter().filter(alike).map(|other| uses.name(other.sym));
    let first = words.next()?;
    words.all(|other| other == first).then_some(first)
}

/// The name that an undefined one was probably meant to be, among those produced with the same number of arguments, if
/// [`meant`] finds nothing. A name that is defined as another kind of thing is not a typo.
pub(crate) fn guessed<'f>(uses: &'f Uses<'_>, unmade: &Predicate) -> Option<&'f Predicate> {
    let spaces = [Space::Relation, Space::Fluent, Space::Move];
    if spaces.into_iter().any(|space| is_made(uses, space, unmade.sym)) {
        return None;
    }
    let fits = |other: &&Predicate| !is_reserved(other.sym) && share_arity(uses, unmade, other);
    let candidates = || defined(uses, unmade.space).filter(fits);
    let near = nearest(uses.name(unmade.sym), candidates().map(|other| uses.name(other.sym)))?;
    candidates().find(|other| uses.name(other.sym) == near)
}

fn share_arity(uses: &Uses, one: &Predicate, other: &Predicate) -> bool {
    let arity = |occurrence: &Occurrence| uses.term(occurrence.term).arity();
    let arities: FxHashSet<usize> = one.occurrences.iter().map(arity).collect();
    other.occurrences.iter().any(|occurrence| arities.contains(&arity(occurrence)))
}

/// The keyword that a name is one typo away from, if the arguments also fit the keyword.
pub(crate) fn near_keyword(uses: &Uses, roles: Option<&FxHashSet<Sym>>, predicate: &Predicate) -> Option<&'static str> {
    let name = uses.name(predicate.sym);
    let first = uses.term(predicate.occurrences.first()?.term);
    let fits = |sym: Sym| {
        if keyword::is_connective(sym) {
            return true;
        }
        let Some(argument) = first.arg(0).map(|arg| uses.term(arg)) else { return keyword::arity(sym) == Some(0) };
        let named = argument.variable().is_none();
        let is_role = || roles.is_none_or(|roles| roles.contains(&argument.sym));
        keyword::arity(sym) == Some(first.arity())
            && match Space::inside(sym) {
                Some(Space::Fluent) => named && uses.predicate(Space::Fluent, argument.sym).is_some(),
                _ if sym == keyword::ROLE => named,
                _ => !named || is_role(),
            }
    };
    let alike = |sym: Sym| {
        let word = keyword::WORDS[sym.index()];
        one_slip_apart(name, word) || sym == keyword::NOT && is_misspelt_not(name) && holds_one_literal(uses, first)
    };
    let number = (0..=keyword::OR.0).find(|n| alike(Sym(*n)) && fits(Sym(*n)))?;
    Some(keyword::WORDS[number as usize])
}

/// True for a word such as `nto`: it is too short to compare with other words, but the literal inside shows the
/// meaning.
fn is_misspelt_not(name: &str) -> bool {
    matches!(name.to_ascii_lowercase().as_str(), "nto" | "ont" | "nor" | "nt" | "noot" | "nott")
}

/// True if the only argument of an atom is a literal elsewhere in the description.
fn holds_one_literal(uses: &Uses, node: &Node) -> bool {
    let [argument] = node.args().collect::<Vec<TermId>>()[..] else { return false };
    let sym = uses.term(argument).sym;
    let node = uses.term(argument);
    node.variable().is_none() && (keyword::accepts(sym, node.arity()) || is_made(uses, Space::Relation, sym))
}

/// The keywords that some name is one typo away from, each with the atoms of that name. Their consequences, such as a
/// missing definition, are not a second fault.
pub(crate) fn misspelt_keywords(uses: &Uses) -> Vec<(Sym, Vec<TermId>)> {
    let nothing = FxHashSet::default();
    let unmade = undefined(uses, &nothing, Space::Relation, |_| false);
    let names = unused(uses, &nothing, Space::Relation).chain(unmade);
    let meant = |predicate: &Predicate| {
        let keyword = uses.lowered.symbols.find(near_keyword(uses, None, predicate)?)?;
        Some((keyword, predicate.occurrences.iter().map(|occurrence| occurrence.term).collect()))
    };
    names.filter_map(meant).filter(|(keyword, _)| keyword::is_relation(*keyword)).collect()
}

/// Fluents of which another name, produced and never read, is a slip: not all of their values are known.
pub(crate) fn half_made_fluents(uses: &Uses) -> Vec<Sym> {
    let is_read = |predicate: &&Predicate| predicate.space == Space::Fluent && predicate.read().next().is_some();
    let read = Near::new(uses.predicates.iter().filter(is_read).map(|other| (uses.name(other.sym), other.sym)));
    let meant = |unread: &Predicate| {
        let near = read.of(uses.name(unread.sym)).filter_map(|(_, sym)| uses.predicate(Space::Fluent, sym));
        near.filter(|other| are_one_name(uses, unread, other)).map(|other| other.sym).collect::<Vec<Sym>>()
    };
    let nothing = FxHashSet::default();
    unused(uses, &nothing, Space::Fluent).flat_map(meant).collect()
}

/// The occurrences of a constant that is in one rule several times and nowhere else: it should be a variable.
pub(crate) fn unmarked_variable(uses: &Uses, rule: RuleId, sym: Sym) -> Option<Vec<TermId>> {
    let named = |id: &TermId| {
        let node = uses.term(*id);
        node.sym == sym && node.variable().is_none()
    };
    let own: Vec<TermId> = uses.lowered.rules[rule as usize].terms().filter(named).collect();
    let is_constant = own.iter().all(|id| uses.term(*id).shape() == Shape::Constant);
    (own.len() > 1 && own.len() == uses.count(sym) as usize && is_constant).then_some(own)
}

/// The whole `(true ...)` around a fluent.
pub(crate) fn around(uses: &Uses, occurrence: &Occurrence) -> Option<TextRange> {
    uses.around(occurrence.term).map(|atom| uses.range(atom))
}

fn is_reserved(sym: Sym) -> bool {
    keyword::is_relation(sym) || keyword::is_connective(sym)
}

/// True if the name is read only by rules that also produce it, such as the frame rule of a fluent.
fn reads_only_itself(uses: &Uses, predicate: &Predicate) -> bool {
    let mut read = predicate.read().peekable();
    if read.peek().is_none() || predicate.space != Space::Relation {
        return read.peek().is_none();
    }
    let heads = predicate.occurrences.iter().filter(|other| other.in_head);
    let made: FxHashSet<RuleId> = heads.map(|other| other.rule).collect();
    read.all(|read| made.contains(&read.rule) && uses.lowered.rules[read.rule as usize].head().is_some())
}
