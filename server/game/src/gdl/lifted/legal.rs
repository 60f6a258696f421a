//! The legal moves of one role at a time, remembered for all states that agree on the fluents that decide them.
//!
//! A dealer may deal any three cards of a deck: thousands of moves, which depend on the number of cards alone. The
//! players' moves depend on more. So each role has its own rules, the fluents that these can read, and its own memory.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::gdl::prepare::Prepared;
use crate::gdl::program::{Condition, Pattern, RelationId, Rule};
use crate::gdl::unify::Substitution;
use crate::terms::{TermId, Terms};
use crate::{FluentId, MoveId, State};

/// The rules for the moves of one role.
pub(super) struct OfRole {
    /// The rules, by index in the program. Some may also give moves to other roles.
    pub rules: Vec<usize>,
    /// The components that they read, in order.
    pub cone: Arc<[usize]>,
    pub memory: Remembered,
}

/// The rules of each role; `None` if a rule reads legal moves, so that all of them have to be known at once.
pub(super) fn of_roles(prepared: &Prepared) -> Option<Vec<OfRole>> {
    let Prepared { program, strata, .. } = prepared;
    let atoms = |rule: usize| program.rules[rule].body.iter().filter_map(|literal| literal.condition.atom());
    let is_read = (0..program.rules.len()).flat_map(atoms).any(|atom| atom.relation == RelationId::LEGAL);
    if is_read || strata.on_moves[RelationId::LEGAL.index()] {
        return None;
    }
    let is_legal = |rule: &usize| program.rules[*rule].head.relation == RelationId::LEGAL;
    let of_role = |&role: &TermId| {
        let about = |rule: &usize| is_legal(rule) && may_be_about(&program.rules[*rule], role);
        let rules: Vec<usize> = (0..program.rules.len()).filter(about).collect();
        let read: Vec<RelationId> = rules.iter().flat_map(|&rule| atoms(rule)).map(|atom| atom.relation).collect();
        let cone: Arc<[usize]> = strata.cone(program, &read).into();
        let below = cone.iter().flat_map(|&component| strata.components[component].rules.iter().copied());
        let read = rules.iter().copied().chain(below).flat_map(atoms);
        let fluents = read.filter(|atom| atom.relation == RelationId::TRUE).map(|atom| atom.args[0].clone());
        let memory = Remembered::new(fluents.collect());
        OfRole { rules, cone, memory }
    };
    Some(prepared.role_terms.iter().map(of_role).collect())
}

/// True unless the first argument of a rule's head is certainly not this role.
fn may_be_about(rule: &Rule, role: TermId) -> bool {
    let first = &rule.head.args[0];
    let role = Pattern::Ground(role);
    let differs = |condition: &Condition| match condition {
        Condition::Distinct(left, right) => (left == first && *right == role) || (*left == role && right == first),
        _ => false,
    };
    match first {
        Pattern::Ground(_) => *first == role,
        _ => !rule.body.iter().any(|literal| differs(&literal.condition)),
    }
}

/// The lists of moves so far, by the fluents that decide them.
pub(super) struct Remembered {
    /// The fluents that the rules can read.
    patterns: Vec<Pattern>,
    /// For each fluent, by number, if it has one of these forms, as far as known.
    counts: Vec<Option<bool>>,
    lists: FxHashMap<Box<[FluentId]>, Box<[MoveId]>>,
    /// The number of fluents and moves in them.
    size: usize,
    found: u64,
    missed: u64,
}

impl Remembered {
    /// The size above which all lists are forgotten: 4 MB.
    const LARGE: usize = 1 << 20;

    /// The number of states after which nothing is remembered unless one in a few of them was like one before.
    const TRIAL: u64 = 1 << 10;
    const FEW: u64 = 8;

    fn new(patterns: Vec<Pattern>) -> Remembered {
        let (counts, lists) = (Vec::new(), FxHashMap::default());
        Remembered { patterns, counts, lists, size: 0, found: 0, missed: 0 }
    }

    /// The fluents of a state that decide the moves; `None` if remembering them does not pay. `name`: the term of a
    /// fluent.
    pub(super) fn key(
        &mut self,
        state: &State,
        terms: &mut Terms,
        name: &mut dyn FnMut(&mut Terms, FluentId) -> Option<TermId>,
    ) -> Option<Box<[FluentId]>> {
        if self.missed > Remembered::TRIAL && self.found < self.missed / Remembered::FEW {
            self.lists = FxHashMap::default();
            return None;
        }
        let mut counts = |fluent: &FluentId| {
            let at = fluent.0 as usize;
            if self.counts.len() <= at {
                self.counts.resize(at + 1, None);
            }
            *self.counts[at].get_or_insert_with(|| {
                let term = name(terms, *fluent).map(Pattern::Ground);
                let meets = |term: &Pattern, it: &Pattern| Substitution::default().unify(terms, it, term);
                term.is_some_and(|term| self.patterns.iter().any(|it| meets(&term, it)))
            })
        };
        Some(state.fluents().filter(|fluent| counts(fluent)).collect())
    }

    pub(super) fn get(&mut self, key: &[FluentId]) -> Option<&[MoveId]> {
        let found = self.lists.get(key);
        *(if found.is_some() { &mut self.found } else { &mut self.missed }) += 1;
        found.map(|list| &**list)
    }

    pub(super) fn add(&mut self, key: Box<[FluentId]>, moves: &[MoveId]) {
        self.size += key.len() + moves.len();
        if self.size > Remembered::LARGE {
            self.lists.clear();
            self.size = key.len() + moves.len();
        }
        self.lists.insert(key, moves.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::fixture::{description, prepared};
    use crate::gdl::lifted::Lifted;
    use crate::gdl::limits::Limits;
    use crate::gdl::prepare::Bodies;
    use crate::{Cursor, Game, Names, RoleId, Rules};

    /// A dealer deals two of some cards, fewer every round, to a player who counts the rounds and plays one of them.
    const DEALS: &str = "(role random) (role p) (init (round 0)) (init (cards 2)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (up ?n ?n) (succ ?n ?m)) (<= (up ?n ?m) (succ ?n ?k) (up ?k ?m)) (<= (up 0 ?m) (succ ?n ?m)) (up 3 3)
        (<= (legal random (deal ?a ?b)) (true (cards ?n)) (up ?a ?n) (up ?b ?n) (distinct ?a ?b))
        (<= (legal random pass) (true (cards 0)))
        (<= (legal ?p (play ?a)) (role ?p) (distinct ?p random) (true (hand ?a)))
        (<= (legal ?p (wait ?n)) (role ?p) (distinct random ?p) (true (round ?n)))
        (<= (next (hand ?a)) (does random (deal ?a ?b))) (<= (next (hand ?b)) (does random (deal ?a ?b)))
        (<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
        (<= (next (cards ?m)) (true (cards ?n)) (does p (play ?a)) (succ ?m ?n))
        (<= (next (cards ?n)) (true (cards ?n)) (does p (wait ?k)))
        (<= terminal (true (round 3))) (goal p 0) (goal random 0)";

    fn names(rules: &dyn Rules, legal: &[MoveId], role: RoleId) -> Vec<String> {
        legal.iter().map(|&mv| rules.move_name(role, mv)).collect()
    }

    #[test]
    fn moves_that_depend_on_a_part_of_the_state_are_remembered_for_it() {
        let lifted = Lifted::new(prepared(DEALS, Bodies::Decomposed), Limits::default());
        let game = Game::from_gdl(&description(DEALS)).expect("a game");
        assert!(game.rules.given_up().is_none(), "the other opinion is that of a circuit");
        let mut reasoner = lifted.reasoner();
        let mut states = vec![(lifted.initial(), game.rules.initial())];
        let mut compared = 0;
        while let Some((state, same)) = states.pop() {
            reasoner.go(&state);
            let roles = [RoleId(0), RoleId(1)];
            let legal = roles.map(|role| reasoner.legal(role));
            compared += 1;
            for (role, legal) in roles.into_iter().zip(&legal) {
                let expected = names(&*game.rules, &game.rules.legal(&same, role), role);
                assert_eq!(names(&lifted, legal, role), expected, "{role:?}");
            }
            if reasoner.is_terminal() {
                continue;
            }
            for joint in crate::joint_moves(&legal) {
                let named = |role: RoleId| lifted.move_name(role, joint[role.0 as usize]);
                let find = |role: RoleId| game.rules.find_move(role, &named(role)).expect("a move");
                states.push((reasoner.next(&joint), game.rules.next(&same, &roles.map(find))));
                reasoner.go(&state);
            }
        }
        let remembered = |role: usize| &reasoner.core.of_roles.as_ref().expect("by role")[role].memory;
        // Two cards or fewer, whatever the round; the player's moves depend on the round and the cards in hand.
        assert_eq!(remembered(0).lists.len(), 3);
        assert_eq!(remembered(0).found + remembered(0).missed, compared);
        assert!(remembered(1).lists.len() > 3);
    }

    #[test]
    fn moves_that_rules_read_are_evaluated_for_all_roles() {
        let read = format!("{DEALS} (<= (next stuck) (not (legal p (wait 1))))");
        assert!(of_roles(&prepared(&read, Bodies::Decomposed)).is_none());
        let of_roles = of_roles(&prepared(DEALS, Bodies::Decomposed)).expect("by role");
        assert_eq!(of_roles.iter().map(|it| it.rules.len()).collect::<Vec<_>>(), [2, 2]);
    }
}
