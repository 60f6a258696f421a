//! The islands of a description, and those of one kind.

use std::hash::{DefaultHasher, Hash, Hasher};

use percept_syntax::gdl::Followed;
use percept_syntax::near::one_slip_apart;
use rustc_hash::{FxHashMap, FxHashSet};

use super::names::Names;
use super::{COMMON, EDITED, Island, Kept, PATIENCE, Use};
use crate::Findings;
use crate::gdl::{Facts, Literal, RuleNode, Shape, Space, Sym, TermId, keyword};

/// A name in more statements than this is common.
const COMMON_FROM: u32 = 24;
/// The number of islands of a kind that are looked at: more than any rule counts before it is sure.
const EXAMPLES: usize = 10;
/// A common name with more uses than this is not compared with all of them.
const COMPARED: u32 = 2_000;

/// Finds the islands of a description, with the findings of the whole.
pub(super) fn kept(facts: &Facts, findings: &Findings, places: &Followed) -> Kept {
    let ranges = places.ranges();
    let rules = &facts.lowered.rules;
    let is_followed = rules.len() == ranges.len() && rules.iter().zip(ranges).all(|(rule, range)| rule.range == *range);
    let islands = Islands::of(facts);
    if !is_followed
        || !facts.wildcards.is_empty()
        || !rules.iter().all(|rule| is_tame(facts, rule))
        || islands.are_vast()
    {
        return Kept::nothing(PATIENCE);
    }
    let mut uses = vec![Use::LeftOut; islands.count as usize];
    islands.show_examples(&mut uses);
    let mut open = vec![false; uses.len()];
    (open[COMMON as usize], open[EDITED as usize]) = (true, true);
    let faults = findings.all_ranges().chain(facts.structure.explained.iter().copied());
    for range in faults {
        let first = ranges.partition_point(|statement| statement.end <= range.start);
        let touched = ranges[first..].iter().take_while(|statement| statement.start <= range.end).count();
        islands.of_rule[first..first + touched].iter().for_each(|island| open[*island as usize] = true);
    }
    for (rule, island) in rules.iter().zip(&islands.of_rule) {
        open[*island as usize] |= rule.broken;
    }
    let mut kept = Kept {
        text: facts.source.text.clone(),
        ranges: ranges.to_vec(),
        islands: islands.of_rule.clone(),
        uses,
        names: Names::default(),
        size: facts.domains.size(),
        removed: 0,
        of_whole: FxHashSet::default(),
        patience: 0,
    };
    for (sym, island) in islands.of_sym.iter().enumerate() {
        if let Some(island) = island.filter(|_| sym > keyword::RANDOM.index()) {
            kept.names.add(facts.name(Sym(sym as u32)), island);
        }
    }
    // An island that is open from the start is entered like one that is opened by an edit.
    for island in (0..open.len()).filter(|island| open[*island]) {
        kept.open(island as Island);
    }
    kept
}

/// True if a statement can be looked at without its neighbours.
fn is_tame(facts: &Facts, rule: &RuleNode) -> bool {
    let Some(head) = rule.head().map(|head| facts.term(head)) else { return false };
    let is_literal = matches!(head.sym, keyword::TRUE | keyword::DOES) || keyword::is_connective(head.sym);
    if is_literal || head.variable().is_some() {
        return false;
    }
    !rule.is_fact() || rule.variables().is_empty() && matches!(head.shape(), Shape::Compound)
}

struct Islands<'f, 'a> {
    facts: &'f Facts<'a>,
    count: Island,
    of_rule: Vec<Island>,
    /// The island of each name that occurs outside of variables; [`COMMON`] for common names.
    of_sym: Vec<Option<Island>>,
    /// The number of statements with each name.
    uses: Vec<u32>,
}

impl<'f, 'a> Islands<'f, 'a> {
    fn of(facts: &'f Facts<'a>) -> Self {
        let symbols = facts.lowered.symbols.len();
        let uses = uses(facts);
        let is_common = |sym: Sym| sym.0 <= keyword::RANDOM.0 || uses[sym.index()] > COMMON_FROM || facts.is_role(sym);
        // Joins the names of each statement; the first of a group represents it.
        let mut first: Vec<u32> = (0..symbols as u32).collect();
        let own = |rule: &RuleNode| {
            let named = rule.terms().map(|id| facts.term(id)).filter(|node| node.variable().is_none());
            named.map(|node| node.sym).filter(|sym| !is_common(*sym))
        };
        for rule in &facts.lowered.rules {
            let mut own = own(rule);
            if let Some(one) = own.next() {
                let one = root(&mut first, one.0);
                for other in own {
                    let other = root(&mut first, other.0);
                    let one = root(&mut first, one);
                    first[one.max(other) as usize] = one.min(other);
                }
            }
        }
        let mut numbers: FxHashMap<u32, Island> = FxHashMap::default();
        let mut count = EDITED + 1;
        let mut of_rule = Vec::with_capacity(facts.lowered.rules.len());
        let mut of_sym: Vec<Option<Island>> = vec![None; symbols];
        for rule in &facts.lowered.rules {
            let mut island = COMMON;
            for node in rule.terms().map(|id| facts.term(id)).filter(|node| node.variable().is_none()) {
                of_sym[node.sym.index()] = Some(COMMON);
                if !is_common(node.sym) {
                    island = *numbers.entry(root(&mut first, node.sym.0)).or_insert_with(|| {
                        count += 1;
                        count - 1
                    });
                    of_sym[node.sym.index()] = Some(island);
                }
            }
            of_rule.push(island);
        }
        Islands { facts, count, of_rule, of_sym, uses }
    }

    /// True if a rule compares only some of the uses of a common name.
    fn are_vast(&self) -> bool {
        let facts = self.facts;
        [Space::Fluent, Space::Move, Space::Percept].into_iter().any(|space| {
            let common = |sym: Sym| self.of_sym[sym.index()] == Some(COMMON) && self.uses[sym.index()] > COMPARED / 2;
            facts.predicates.iter().any(|it| it.space == space && common(it.sym))
        })
    }

    /// Marks the islands to look at: the first of each kind, and those without a kind.
    fn show_examples(&self, uses: &mut [Use]) {
        let mut rules_of: Vec<Vec<u32>> = vec![Vec::new(); self.count as usize];
        for (rule, island) in self.of_rule.iter().enumerate() {
            rules_of[*island as usize].push(rule as u32);
        }
        let is_special = self.special();
        /// The examples of a kind: their number, and the last place of each of their statements.
        type Examples = (usize, Vec<u32>);
        let mut kinds: FxHashMap<u64, Examples> = FxHashMap::default();
        for (island, rules) in rules_of.iter().enumerate() {
            if is_special[island] {
                uses[island] = Use::Shown;
                continue;
            }
            let (count, last) = kinds.entry(self.kind(island as Island, rules)).or_default();
            // The examples are first in every respect, as a rule shows the first of several places.
            let is_behind = last.iter().zip(rules).all(|(last, rule)| last < rule);
            if *count < EXAMPLES {
                *count += 1;
                last.resize(rules.len(), 0);
                last.iter_mut().zip(rules).for_each(|(last, rule)| *last = (*last).max(*rule));
                uses[island] = Use::Shown;
            } else if !is_behind {
                uses[island] = Use::Shown;
            }
        }
    }

    /// The islands that are like no other: with tables of common names, roles, numbers or words that resemble keywords.
    fn special(&self) -> Vec<bool> {
        let facts = self.facts;
        let mut special = vec![false; self.count as usize];
        for (rule, island) in facts.lowered.rules.iter().zip(&self.of_rule) {
            let Some(head) = rule.head() else { continue };
            let relation = facts.inner(head).map_or(head, |(_, inner)| inner);
            let is_own = self.of_sym[facts.term(relation).sym.index()] == Some(*island);
            special[*island as usize] |= rule.is_fact() && !is_own || facts.term(head).sym == keyword::ROLE;
        }
        for (sym, island) in self.of_sym.iter().enumerate() {
            let name = facts.name(Sym(sym as u32));
            let is_number = || name.bytes().all(|byte| byte.is_ascii_digit());
            let is_near = || keyword::WORDS.iter().any(|word| one_slip_apart(name, word));
            // These are taken for `not`.
            let is_not =
                || name.len() <= 4 && name.to_ascii_lowercase().starts_with("no") || matches!(name, "nto" | "ont");
            if let Some(island) = island.filter(|island| *island != COMMON) {
                special[island as usize] |= name.len() < 2 || is_number() || is_near() || is_not();
            }
        }
        special
    }

    /// A hash of an island without its own names: equal for islands of one kind.
    fn kind(&self, island: Island, rules: &[u32]) -> u64 {
        let mut kind = Kind { islands: self, island, own: FxHashMap::default(), hash: DefaultHasher::new() };
        for rule in rules {
            let rule = &self.facts.lowered.rules[*rule as usize];
            (rule.is_fact(), rule.broken).hash(&mut kind.hash);
            rule.head().iter().for_each(|head| kind.term(*head));
            rule.body().iter().for_each(|part| kind.literal(part));
        }
        kind.hash.finish()
    }
}

/// A hash in the making.
struct Kind<'k, 'f, 'a> {
    islands: &'k Islands<'f, 'a>,
    island: Island,
    /// The own names of the island, numbered in the order of the text.
    own: FxHashMap<Sym, usize>,
    hash: DefaultHasher,
}

impl Kind<'_, '_, '_> {
    fn term(&mut self, id: TermId) {
        let facts = self.islands.facts;
        let node = facts.term(id);
        match node.shape() {
            Shape::Variable(_) => (0, facts.spelling(node)).hash(&mut self.hash),
            shape => {
                (1, matches!(shape, Shape::Compound), node.arity()).hash(&mut self.hash);
                if self.islands.of_sym[node.sym.index()] == Some(self.island) {
                    let next = self.own.len();
                    (2, *self.own.entry(node.sym).or_insert(next)).hash(&mut self.hash);
                } else {
                    (3, node.sym.0).hash(&mut self.hash);
                }
            }
        }
        node.args().for_each(|arg| self.term(arg));
    }

    fn literal(&mut self, literal: &Literal) {
        let (tag, parts) = match literal {
            Literal::Atom(atom) => return self.term(*atom),
            Literal::Distinct { args, .. } => {
                (4, args.len()).hash(&mut self.hash);
                return args.iter().for_each(|arg| self.term(*arg));
            }
            Literal::Not { parts, .. } => (5, parts),
            Literal::Or { parts, .. } => (6, parts),
            Literal::And { parts, .. } => (7, parts),
        };
        (tag, parts.len()).hash(&mut self.hash);
        parts.iter().for_each(|part| self.literal(part));
    }
}

/// The representative of a group of names.
fn root(first: &mut [u32], mut sym: u32) -> u32 {
    while first[sym as usize] != sym {
        first[sym as usize] = first[first[sym as usize] as usize];
        sym = first[sym as usize];
    }
    sym
}

/// The number of statements with each name.
fn uses(facts: &Facts) -> Vec<u32> {
    let mut uses = vec![0; facts.lowered.symbols.len()];
    let mut last = vec![u32::MAX; uses.len()];
    for (number, rule) in facts.lowered.rules.iter().enumerate() {
        for node in rule.terms().map(|id| facts.term(id)).filter(|node| node.variable().is_none()) {
            if std::mem::replace(&mut last[node.sym.index()], number as u32) != number as u32 {
                uses[node.sym.index()] += 1;
            }
        }
    }
    uses
}
