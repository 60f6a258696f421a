//! Conditions of rules that no fact can match.

use super::{Domains, Place, Slot, shared};
use crate::gdl::lowered::{RuleId, Shape, TermId};
use crate::gdl::trust::Trusted;

/// A part of a pattern that no fact can match.
#[derive(Clone, Debug)]
pub(crate) struct Clash {
    pub rule: RuleId,
    /// The atom of the literal.
    pub atom: TermId,
    /// The constant, functor or variable at fault.
    pub term: TermId,
    /// For a variable: its other occurrence, which shares no value with `term`.
    pub other: Option<TermId>,
    pub negated: bool,
    /// The place of `term`.
    pub place: Place,
}

impl Domains {
    /// Returns the parts of positive literals, and constants in negative ones, that nothing can match. If the place
    /// itself is empty, the fault is elsewhere, and nothing is reported.
    pub(crate) fn clashes(&self, rules: &Trusted) -> Vec<Clash> {
        let mut clashes = Vec::new();
        if self.given_up {
            return clashes;
        }
        for (id, rule) in rules.sound_rules() {
            for literal in rule.body() {
                literal.atoms(false, &mut |atom, negated| {
                    let node = rules.term(atom);
                    let Some(&root) = self.roots.get(&(shared(node.sym), node.arity() as u32)) else { return };
                    for (n, arg) in node.args().enumerate() {
                        self.mismatches(rules, arg, root + n as u32, &mut |term, place| {
                            let place = Place(place);
                            clashes.push(Clash { rule: id, atom, term, other: None, negated, place });
                        });
                    }
                });
            }
        }
        self.variable_clashes(rules, &mut clashes);
        clashes
    }

    /// The outermost parts of a term that are impossible at a place, each with its own place.
    pub(crate) fn mismatch(&self, rules: &Trusted, term: TermId, place: Place) -> Vec<(TermId, Place)> {
        let mut found = Vec::new();
        if !self.given_up {
            self.mismatches(rules, term, place.0, &mut |term, place| found.push((term, Place(place))));
        }
        found
    }

    fn mismatches(&self, rules: &Trusted, term: TermId, place: Slot, f: &mut impl FnMut(TermId, Slot)) {
        let node = rules.term(term);
        let here = Place(place);
        if self.is_open(here) || self.is_empty(here) {
            return;
        }
        match node.shape() {
            Shape::Variable(_) | Shape::Error => {}
            Shape::Constant if !self.has_constant(here, node.sym) => f(term, place),
            Shape::Constant => {}
            Shape::Compound => match self.functor(place, node.sym, node.arity() as u32) {
                Some(entry) if entry.present => {
                    for (n, arg) in node.args().enumerate() {
                        self.mismatches(rules, arg, entry.first_child + n as u32, f);
                    }
                }
                _ => f(term, place),
            },
        }
    }

    fn variable_clashes(&self, rules: &Trusted, clashes: &mut Vec<Clash>) {
        for group in self.bindings.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let places: Vec<Slot> = group.iter().map(|binding| binding.2).collect();
            if rules.is_broken(group[0].0) || places.len() < 2 || self.overlap(&places) {
                continue;
            }
            if places.iter().any(|place| self.is_empty(Place(*place))) {
                continue;
            }
            // The shortest prefix without a common value names the two places.
            let last = (2..=places.len()).find(|n| !self.overlap(&places[..*n])).unwrap_or(places.len()) - 1;
            let pair = (0..last).find(|n| !self.overlap(&[places[*n], places[last]])).unwrap_or(0);
            let (rule, _, place, term, atom) = group[last];
            // Two variables that clash in one literal are one slip: its arguments are exchanged.
            if clashes.last().is_some_and(|clash| clash.rule == rule && clash.atom == atom && clash.other.is_some()) {
                continue;
            }
            clashes.push(Clash { rule, atom, term, other: Some(group[pair].3), negated: false, place: Place(place) });
        }
    }
}
