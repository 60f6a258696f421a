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

/// The arguments of a head, flattened: see [`flat`].
struct Maker {
    rule: RuleId,
    terms: Vec<TermId>,
}

/// The heads of a description by relation, indexed by the constants in their arguments.
pub(crate) struct Makers {
    groups: FxHashMap<(Sym, usize), Vec<Maker>>,
    /// The heads by group, argument and constant; those with a variable as the argument are under `None`.
    index: FxHashMap<(Sym, usize, usize, Option<Sym>), Vec<u32>>,
}

impl Makers {
    pub(crate) fn new(facts: &Facts) -> Self {
        let mut makers = Makers { groups: FxHashMap::default(), index: FxHashMap::default() };
        for (id, rule) in facts.lowered.rules.iter().enumerate() {
            let Some((kind, terms)) = rule.head.and_then(|head| flat(facts, head)) else { continue };
            let group = makers.groups.entry((kind, terms.len())).or_default();
            let number = group.len() as u32;
            for (place, term) in terms.iter().enumerate() {
                let constant = (!rule.broken).then(|| constant(facts, *term)).flatten();
                makers.index.entry((kind, group_key(&terms), place, constant)).or_default().push(number);
            }
            group.push(Maker { rule: id as RuleId, terms });
        }
        makers
    }

    /// True if no head fits the atom, although each of its arguments is possible by itself. Only atoms with two or more
    /// constants are checked: the domains judge the others.
    pub(crate) fn is_impossible(&self, facts: &Facts, atom: TermId) -> bool {
        let Some((kind, terms)) = flat(facts, atom) else { return false };
        let Some(group) = self.groups.get(&(kind, terms.len())) else { return false };
        let fixed: Vec<(usize, Sym)> =
            terms.iter().enumerate().filter_map(|(place, term)| Some((place, constant(facts, *term)?))).collect();
        // The name of a fluent adds nothing to the domains; together with a role, the name of a move does.
        let needed = if kind == keyword::TRUE { 2 } else { 1 };
        let (Some(&first), true) = (fixed.first(), fixed.len() > needed) else { return false };
        let of = |place: usize, constant| {
            self.index.get(&(kind, group_key(&terms), place, constant)).map_or(&[][..], Vec::as_slice)
        };
        let count = |(place, sym): &(usize, Sym)| of(*place, Some(*sym)).len() + of(*place, None).len();
        let (place, sym) = fixed.iter().copied().min_by_key(count).unwrap_or(first);
        let mut candidates = of(place, Some(sym)).iter().chain(of(place, None));
        !candidates.any(|number| {
            let maker = &group[*number as usize];
            facts.is_broken(maker.rule)
                || terms.iter().zip(&maker.terms).all(|(asked, made)| fits(facts, *asked, *made, maker.rule))
        })
    }
}

fn group_key(terms: &[TermId]) -> usize {
    terms.len()
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
    matches!(node.shape, Shape::Constant | Shape::Compound).then_some(node.sym)
}

/// True if the head's term and the literal's may have a common instance.
fn fits(facts: &Facts, asked: TermId, made: TermId, rule: RuleId) -> bool {
    let (x, y) = (facts.term(asked), facts.term(made));
    match (x.shape, y.shape) {
        (Shape::Variable(_) | Shape::Error, _) | (_, Shape::Error) => true,
        (Shape::Constant, Shape::Variable(variable)) => facts.domains.variable_can_be(rule, variable, x.sym),
        (Shape::Compound, Shape::Variable(_)) => true,
        _ => {
            x.sym == y.sym
                && x.arity() == y.arity()
                && x.args().zip(y.args()).all(|(asked, made)| fits(facts, asked, made, rule))
        }
    }
}
