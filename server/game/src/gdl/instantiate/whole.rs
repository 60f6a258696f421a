//! The choice between a decomposed rule and the whole rule: the smaller circuit wins.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::{Building, Flat, Kind, Most, Part, gate_of};
use crate::RoleId;
use crate::gdl::factor::Factors;
use crate::gdl::program::{RelationId, Rule};

/// The maximum ratio of expected combinations to the limit on instances; trying and giving up took a twelfth of the
/// set-up of chess.
const MISJUDGED: f64 = 8.0;

impl Building<'_> {
    /// Replaces the instances from `before` on, which are those of the rule's remainder, by the instances of the whole
    /// rule, if they take fewer operands than the remainder and the parts together.
    pub(super) fn or_whole(&mut self, rule: &Rule, offsets: &[u32], before: usize, flat: &mut Flat) {
        let (Some(whole), few @ 1..) = (&rule.whole, self.grounding.whole_up_to) else { return };
        self.factors.learn(self.circuit);
        let in_parts = self.parts_of(rule, whole) + flat.operands(before, self.factors);
        // An instance takes at least two operands, unless moves share them.
        let mut instances = Flat::default();
        let limit = few.max(in_parts / 8);
        let most = Most { instances: limit, expected: limit as f64 * MISJUDGED };
        let found = self.instances(whole, offsets, most, &mut instances);
        if found.is_ok() && instances.operands(0, self.factors) <= in_parts {
            flat.truncate(before);
            flat.append(instances);
        }
    }

    /// The number of operands of the parts that a rule was decomposed into, and of their own parts.
    fn parts_of(&self, rule: &Rule, whole: &Rule) -> usize {
        let program = &self.prepared.program;
        let relations = |rule: &Rule| -> Vec<RelationId> {
            rule.body.iter().filter_map(|literal| Some(literal.condition.atom()?.relation)).collect()
        };
        let read = relations(whole);
        let parts = relations(rule).into_iter().filter(|relation| !read.contains(relation));
        let helpers = parts.filter(|relation| program.relations[relation.index()].helper);
        let cost = |helper| {
            let rules = program.rules.iter().filter(|rule| rule.head.relation == helper);
            self.costs[helper.index()] + rules.map(|rule| self.parts_of(rule, whole)).sum::<usize>()
        };
        helpers.map(cost).sum()
    }
}

fn hash(of: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    of.hash(&mut hasher);
    hasher.finish()
}

impl Flat {
    /// Estimates the number of operands of the gates of the instances from `from` on, with common conditions of an
    /// atom's instances written once (see `factor`). An estimate, because some gates may exist already. Sets are
    /// compared by their hashes.
    fn operands(&self, from: usize, factors: &Factors) -> usize {
        let on_moves = |part: &Part| matches!(part.kind(), Kind::Gate(lit) if factors.depends(lit));
        let all = from..self.heads.len();
        let start = from.checked_sub(1).map_or(0, |before| self.heads[before].1 as usize);
        if !self.parts[start..].iter().any(on_moves) {
            return self.parts.len() - start + all.len();
        }
        // For each atom, its conditions on the state, and a role: a hash of the moves that go with them, and their number.
        let mut groups: FxHashMap<(u32, u64, Option<RoleId>), (u64, usize)> = FxHashMap::default();
        let (mut states, mut joint) = (FxHashSet::default(), FxHashSet::default());
        let mut operands = 0;
        for instance in all {
            let parts = self.parts(instance as u32);
            let moves = parts.iter().filter(|part| on_moves(part));
            let (set, count) = moves.clone().fold((0, 0), |(set, count), part| (hash((set, part)), count + 1));
            let state = parts.iter().filter(|part| !on_moves(part)).fold(0, |set, part| hash((set, part)));
            let head = self.heads[instance].0;
            if states.insert((head, state)) {
                operands += parts.len() - count + 1 + usize::from(count > 0);
            }
            if count > 0 {
                let role = moves.filter_map(|part| factors.role_of(gate_of(part))).next().filter(|_| count == 1);
                let group = groups.entry((head, state, role)).or_default();
                *group = (group.0.wrapping_add(hash(set)), group.1 + 1);
            }
            if count > 1 && joint.insert(set) {
                operands += count;
            }
        }
        // A disjunction of most moves of a role is the negation of the disjunction of the others, and many atoms have
        // the same one.
        let mut sets = FxHashSet::default();
        let disjunctions = groups.into_iter().filter(|(_, (set, count))| *count > 1 && sets.insert(*set));
        let cost = |(role, count): (Option<RoleId>, usize)| match role {
            Some(role) => count.min(factors.moves_of(role).saturating_sub(count)),
            None => count,
        };
        operands + disjunctions.map(|((.., role), (_, count))| cost((role, count))).sum::<usize>()
    }
}
