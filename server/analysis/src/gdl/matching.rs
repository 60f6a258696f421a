//! Tests whether a head can produce the atom of a literal, with all arguments taken together.
//!
//! The domains check each argument by itself. Here `(does white (toss heads))` is compared with the heads of `legal`:
//! perhaps none is about white *and* a toss. Variables of the literal match anything, those of a head only values in
//! their domain.

use rustc_hash::FxHashMap;

use super::facts::Facts;
use super::lowered::{RuleId, Shape, TermId};
use super::symbols::{Sym, keyword};
use super::uses::Space;

/// The heads of a description by their relation and number of arguments. Only the relations for which a body needs more
/// than the domains.
pub(crate) struct Makers(FxHashMap<(Sym, usize), Group>);

#[derive(Default)]
struct Group {
    rules: Vec<RuleId>,
    /// The heads by argument and constant, as indices into `rules`, in order; those with a variable as the argument are
    /// under `None`.
    index: Vec<(u32, Option<Sym>, u32)>,
}

/// An atom with two or more constants; see [`flat`].
struct Pattern {
    kind: Sym,
    terms: Vec<TermId>,
    /// The arguments that are constants, with their places.
    fixed: Vec<(u32, Sym)>,
}

impl Makers {
    pub(crate) fn new(facts: &Facts) -> Self {
        let mut groups: FxHashMap<(Sym, usize), Group> = FxHashMap::default();
        for (_, rule) in facts.sound_rules() {
            for literal in rule.body() {
                literal.atoms(false, &mut |atom, _| {
                    if let Some(pattern) = pattern(facts, atom) {
                        groups.entry((pattern.kind, pattern.terms.len())).or_default();
                    }
                });
            }
        }
        for (id, rule) in facts.lowered.rules.iter().enumerate() {
            let Some((kind, terms)) = rule.head().and_then(|head| flat(facts, head)) else { continue };
            let Some(group) = groups.get_mut(&(kind, terms.len())) else { continue };
            let number = group.rules.len() as u32;
            group.index.extend(terms.iter().zip(0..).map(|(term, place)| {
                let constant = (!rule.broken).then(|| constant(facts, *term)).flatten();
                (place, constant, number)
            }));
            group.rules.push(id as RuleId);
        }
        groups.values_mut().for_each(|group| group.index.sort_unstable());
        Makers(groups)
    }

    /// True if no head fits the atom, although each of its arguments is possible by itself. Only atoms with two or more
    /// constants are checked: the domains judge the others.
    pub(crate) fn is_impossible(&self, facts: &Facts, atom: TermId) -> bool {
        let Some(Pattern { kind, terms, fixed }) = pattern(facts, atom) else { return false };
        let Some(group) = self.0.get(&(kind, terms.len())).filter(|group| !group.rules.is_empty()) else {
            return false;
        };
        let count = |(place, sym): &(u32, Sym)| group.of(*place, Some(*sym)).len() + group.of(*place, None).len();
        let Some((place, sym)) = fixed.into_iter().min_by_key(count) else { return false };
        let mut candidates = group.of(place, Some(sym)).iter().chain(group.of(place, None));
        !candidates.any(|(_, _, number)| {
            let id = group.rules[*number as usize];
            let head = || facts.lowered.rules[id as usize].head().and_then(|head| flat(facts, head));
            facts.is_broken(id)
                || head()
                    .is_some_and(|(_, made)| terms.iter().zip(&made).all(|(term, made)| fits(facts, *term, *made, id)))
        })
    }
}

impl Group {
    fn of(&self, place: u32, constant: Option<Sym>) -> &[(u32, Option<Sym>, u32)] {
        let from = self.index.partition_point(|entry| (entry.0, entry.1) < (place, constant));
        let count = self.index[from..].partition_point(|entry| (entry.0, entry.1) == (place, constant));
        &self.index[from..from + count]
    }
}

/// The atom, if it has enough constants to be checked as a whole.
fn pattern(facts: &Facts, atom: TermId) -> Option<Pattern> {
    let constants = |term: TermId| facts.term(term).args().filter(|arg| constant(facts, *arg).is_some()).count();
    // Most atoms have too few, wherever they are, and this test needs no memory.
    if constants(atom) + facts.term(atom).args().last().map_or(0, constants) < 2 {
        return None;
    }
    let (kind, terms) = flat(facts, atom)?;
    let fixed: Vec<(u32, Sym)> =
        terms.iter().zip(0..).filter_map(|(term, place)| Some((place, constant(facts, *term)?))).collect();
    // The name of a fluent adds nothing to the domains; together with a role, the name of a move does.
    let needed = if kind == keyword::TRUE { 2 } else { 1 };
    (fixed.len() > needed).then_some(Pattern { kind, terms, fixed })
}

/// The relation of an atom and its arguments in a row, followed by those of the fluent or move inside it. `None` if not
/// all heads that produce it are known.
fn flat(facts: &Facts, atom: TermId) -> Option<(Sym, Vec<TermId>)> {
    let node = facts.term(atom);
    if node.variable().is_some() || keyword::is_connective(node.sym) || facts.is_torn(node.sym) {
        return None;
    }
    let kind = match node.sym {
        keyword::TRUE | keyword::NEXT | keyword::INIT => keyword::TRUE,
        keyword::DOES | keyword::LEGAL => keyword::DOES,
        other if keyword::is_relation(other) => return None,
        other => other,
    };
    let mut terms: Vec<TermId> = node.args().collect();
    if matches!(kind, keyword::TRUE | keyword::DOES) {
        let (space, inner) = facts.inner(atom)?;
        if facts.has_wildcard(space, true) || facts.term(inner).variable().is_some() {
            return None;
        }
        if facts.is_mixed(facts.term(inner).sym) || facts.is_tainted(facts.term(inner).sym) {
            return None;
        }
        terms.extend(facts.term(inner).args());
    } else if facts.is_mixed(kind) || facts.is_tainted(kind) || facts.predicate(Space::Relation, kind).is_none() {
        return None;
    }
    Some((kind, terms))
}

/// The constant or functor of a term.
fn constant(facts: &Facts, term: TermId) -> Option<Sym> {
    let node = facts.term(term);
    matches!(node.shape(), Shape::Constant | Shape::Compound).then_some(node.sym)
}

/// True if the head's term and the literal's may have a common instance.
fn fits(facts: &Facts, term: TermId, made: TermId, rule: RuleId) -> bool {
    let (x, y) = (facts.term(term), facts.term(made));
    match (x.shape(), y.shape()) {
        (Shape::Variable(_) | Shape::Error, _) | (_, Shape::Error) => true,
        (Shape::Constant, Shape::Variable(variable)) => facts.domains.variable_can_be(rule, variable, x.sym),
        (Shape::Compound, Shape::Variable(_)) => true,
        _ => {
            x.sym == y.sym
                && x.arity() == y.arity()
                && x.args().zip(y.args()).all(|(term, made)| fits(facts, term, made, rule))
        }
    }
}
