//! Induction: what is unique at the beginning and stays so in every round.
//!
//! Candidates are the properties that hold initially. One is proved if no two rules for the next state can derive two
//! different fluents of it from a state that has all properties the proof needs. These need proofs themselves; if one of
//! them fails, it is dropped, and what was built on it is tried again. (Such invariants are found like this in planning:
//! Helmert, "Concise finite-domain representations for PDDL planning tasks", 2009.)

use rustc_hash::FxHashMap;

use super::refute::{Case, Facts, Search};
use super::{Invariant, TUPLE, numbered};
use crate::gdl::helpers::variables_of;
use crate::gdl::program::{Condition, Pattern, RelationId, Rule};
use crate::gdl::unify::Substitution;
use crate::terms::{Sym, TermId, Terms};

/// Fluents with more arguments than this are left out.
const MOST_ARGUMENTS: usize = 4;
/// The maximum number of cases of all proofs.
const MOST_CASES: u32 = 4_000;

/// The proofs about one program.
pub(super) struct Proofs<'a> {
    facts: &'a Facts<'a>,
    terms: Terms,
    tuple: Sym,
    /// The properties that hold initially and have not been refuted.
    candidates: Vec<Invariant>,
    /// Those that have been proved.
    proved: Vec<Invariant>,
    /// The guards that have been decided.
    known: FxHashMap<(Vec<Condition>, Vec<u32>), bool>,
    in_all: u32,
}

impl<'a> Proofs<'a> {
    pub(super) fn new(facts: &'a Facts<'a>) -> Proofs<'a> {
        let mut terms = facts.program.terms.clone();
        let tuple = terms.sym(TUPLE);
        let candidates = candidates(facts, &terms);
        Proofs { facts, terms, tuple, candidates, proved: Vec::new(), known: FxHashMap::default(), in_all: MOST_CASES }
    }

    /// True if it is proved that in every state of a match, given the values of all other variables, the conditions hold
    /// for at most one combination of values of the variables `unique`.
    pub(super) fn is_unique(&mut self, conditions: &[Condition], unique: &[u32]) -> bool {
        let (conditions_by_number, order) = numbered(conditions);
        let numbers = (0..order.len() as u32).filter(|it| unique.contains(&order[*it as usize])).collect();
        let key = (conditions_by_number, numbers);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let result = loop {
            let Some(needed) = self.refute(self.two_of(conditions, unique)) else { break false };
            if self.prove_all(needed) {
                break true;
            }
        };
        self.known.insert(key, result);
        result
    }

    /// The conditions twice, with different values of the variables `unique`.
    fn two_of(&self, conditions: &[Condition], unique: &[u32]) -> Case {
        let mut case = Case::default();
        let most = conditions.iter().flat_map(variables_of).max().map_or(0, |most| most + 1);
        let other = |variable: u32| if unique.contains(&variable) { variable + most } else { variable };
        for condition in conditions {
            let Condition::Positive(atom) = condition else { continue };
            case.add(condition, 0);
            case.add(&Condition::Positive(super::renamed(atom, &other)), 0);
        }
        let tuple = |by: u32| unique.iter().map(|&it| Pattern::Variable(it + by)).collect();
        case.add_distinct(self.tuple, tuple(0), tuple(most));
        case
    }

    /// The candidates, by value, from which it follows that the conditions of a case never hold together.
    fn refute(&mut self, case: Case) -> Option<Vec<Invariant>> {
        let mut search = Search {
            facts: self.facts,
            terms: std::mem::take(&mut self.terms),
            invariants: &self.candidates,
            used: Default::default(),
            cases_left: 0,
            in_all: self.in_all,
        };
        let is_refuted = search.refute(case);
        (self.terms, self.in_all) = (search.terms, search.in_all);
        is_refuted.then(|| search.used.iter().map(|&at| self.candidates[at].clone()).collect())
    }

    /// Proves these candidates, and all that they need. If one of them cannot be proved, it is dropped from the
    /// candidates, and the result is false.
    fn prove_all(&mut self, needed: Vec<Invariant>) -> bool {
        let mut needed = needed;
        needed.retain(|it| !self.proved.contains(it));
        let mut at = 0;
        while let Some(invariant) = needed.get(at).cloned() {
            at += 1;
            let Some(others) = self.step(&invariant) else {
                self.candidates.retain(|it| *it != invariant);
                return false;
            };
            for other in others {
                if !needed.contains(&other) && !self.proved.contains(&other) {
                    needed.push(other);
                }
            }
        }
        self.proved.extend(needed);
        true
    }

    /// The candidates from which it follows that one of them still holds after a round; `None` if it does not follow.
    fn step(&mut self, invariant: &Invariant) -> Option<Vec<Invariant>> {
        let facts = self.facts;
        let rules: Vec<&Rule> = facts.next.iter().map(|&rule| &facts.program.rules[rule]).collect();
        let mut needed = Vec::new();
        for (at, left) in rules.iter().enumerate() {
            for right in &rules[..=at] {
                if let Some(case) = self.two_next(invariant, left, right) {
                    needed.extend(self.refute(case)?);
                }
            }
        }
        Some(needed)
    }

    /// The case that two rules derive different fluents that the property is about; `None` if they never do.
    fn two_next(&mut self, invariant: &Invariant, left: &Rule, right: &Rule) -> Option<Case> {
        let arity = invariant.arity as u32;
        let key = |at: u32| invariant.key.iter().position(|it| *it == at as usize);
        let arg = |at: u32, other: u32| match key(at) {
            Some(place) => invariant.values.get(place).map_or(Pattern::Variable(at), |&it| Pattern::Ground(it)),
            None => Pattern::Variable(at + other),
        };
        let fluent = |other: u32| -> Box<[Pattern]> { (0..arity).map(|at| arg(at, other)).collect() };
        let (one, two) = (fluent(0), fluent(arity));
        let mut substitution = Substitution::default();
        let mut case = Case::default();
        let mut offset = 2 * arity;
        let mut conditions = Vec::new();
        for (rule, args) in [(left, &one), (right, &two)] {
            let head = rule.head.shifted(offset);
            let fluent = match arity {
                0 => return None,
                _ => Pattern::Compound(invariant.functor, args.clone()),
            };
            if !substitution.unify(&self.terms, &head.args[0], &fluent) {
                return None;
            }
            conditions.extend(rule.body.iter().map(|literal| literal.condition.shifted(offset)));
            offset += rule.variables.len() as u32 + 1;
        }
        for condition in &conditions {
            case.add(&substitution.condition(&mut self.terms, condition), 0);
        }
        let mut rest = |args: &[Pattern]| -> Vec<Pattern> {
            let own = (0..args.len()).filter(|at| !invariant.key.contains(at));
            own.map(|at| substitution.pattern(&mut self.terms, &args[at])).collect()
        };
        let (one, two) = (rest(&one), rest(&two));
        case.add_distinct(self.tuple, one, two);
        Some(case)
    }
}

/// The properties that hold initially.
fn candidates(facts: &Facts<'_>, terms: &Terms) -> Vec<Invariant> {
    let mut functors: Vec<(Sym, usize)> = Vec::new();
    for &rule in &facts.next {
        let rule = &facts.program.rules[rule];
        let functor = match &rule.head.args[0] {
            Pattern::Compound(functor, args) => (*functor, args.len()),
            Pattern::Ground(term) => (terms.functor(*term), terms.args(*term).map_or(0, <[TermId]>::len)),
            Pattern::Variable(_) => continue,
        };
        if !functors.contains(&functor) && (1..=MOST_ARGUMENTS).contains(&functor.1) {
            functors.push(functor);
        }
    }
    let mut candidates = Vec::new();
    for (functor, arity) in functors {
        let of = |term: TermId| (terms.functor(term) == functor).then(|| terms.args(term)).flatten();
        let initial: Vec<&[TermId]> = facts.tables[RelationId::INIT.index()]
            .rows()
            .filter_map(|row| of(row[0]))
            .filter(|args| args.len() == arity)
            .collect();
        let mut keys: Vec<Vec<usize>> =
            (0..(1usize << arity) - 1).map(|set| (0..arity).filter(|at| set >> at & 1 == 1).collect()).collect();
        keys.sort_by_key(Vec::len);
        for key in keys {
            let mut counts: FxHashMap<Vec<TermId>, usize> = FxHashMap::default();
            for args in &initial {
                *counts.entry(key.iter().map(|&at| args[at]).collect()).or_default() += 1;
            }
            let is_once = counts.values().all(|count| *count == 1);
            if is_once {
                candidates.push(Invariant { functor, arity, key: key.clone(), values: Vec::new() });
            }
            if key.len() == 1 {
                let mut once: Vec<Vec<TermId>> =
                    counts.into_iter().filter(|(_, count)| *count == 1).map(|(it, _)| it).collect();
                once.sort_unstable();
                candidates.extend(once.into_iter().map(|values| Invariant {
                    functor,
                    arity,
                    key: key.clone(),
                    values,
                }));
            }
        }
    }
    candidates
}
