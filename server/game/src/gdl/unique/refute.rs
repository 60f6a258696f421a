//! Proofs that some conditions never hold together in a match.
//!
//! The conditions are chased: what is known to be unique is made equal, relations that do not change are looked up, a
//! move was legal when it was made. Where there are several ways on, each is followed. If all of them end in a
//! contradiction, the conditions never hold together. A proof that takes too many steps is given up, which is sound.

use rustc_hash::FxHashSet;

use super::Invariant;
use crate::gdl::demand::variables_of;
use crate::gdl::program::{Atom, Condition, Pattern, Program, RelationId, Rule};
use crate::gdl::table::Table;
use crate::gdl::unify::Substitution;
use crate::terms::{Sym, TermId, Terms};

/// The maximum number of cases of one proof.
const MOST_CASES: u32 = 60;
/// A relation with more rows that match is not a reason to distinguish cases.
const MOST_ROWS: usize = 12;
/// Larger tables are not searched.
const MOST_SEARCHED: u32 = 4096;
/// The number of times that the definition of a relation replaces a condition on it, in one case.
const MOST_UNFOLDED: u32 = 2;

/// The subject of proofs.
pub(super) struct Facts<'a> {
    pub program: &'a Program,
    pub tables: &'a [Table],
    /// For each relation, true if its table lists it.
    pub is_listed: &'a [bool],
    /// The rules of each relation that may replace a condition on it.
    pub definitions: &'a [Vec<usize>],
    /// The rules for legal moves, and for the next state.
    pub legal: Vec<usize>,
    pub next: Vec<usize>,
}

/// A search for a contradiction.
pub(super) struct Search<'a> {
    pub facts: &'a Facts<'a>,
    /// The terms of the program, and those made on the way.
    pub terms: Terms,
    pub invariants: &'a [Invariant],
    /// The invariants that were needed, by index.
    pub used: FxHashSet<usize>,
    pub cases_left: u32,
    /// The number of cases that all searches may still take.
    pub in_all: u32,
}

/// Conditions that hold together in one case.
#[derive(Clone, Default)]
pub(super) struct Case {
    conditions: Vec<Condition>,
    /// The conditions on moves whose legality is among the conditions already.
    legal: Vec<Atom>,
    unfolded: u32,
    /// The first variable that does not occur.
    next: u32,
}

impl Case {
    /// Adds a condition with its variables renamed by `offset`.
    pub(super) fn add(&mut self, condition: &Condition, offset: u32) {
        let condition = condition.shifted(offset);
        condition.variables(&mut |variable| self.next = self.next.max(variable + 1));
        self.conditions.push(condition);
    }

    /// Adds that two tuples differ.
    pub(super) fn add_distinct(&mut self, functor: Sym, left: Vec<Pattern>, right: Vec<Pattern>) {
        let tuple = |args: Vec<Pattern>| Pattern::Compound(functor, args.into());
        self.add(&Condition::Distinct(tuple(left), tuple(right)), 0);
    }
}

/// The result of drawing all conclusions that need no cases.
enum Settled {
    Contradiction,
    Open,
}

/// The number of rows that match an atom, up to a limit.
enum Matches {
    None,
    One(u32),
    Some(Vec<u32>),
    Many,
}

impl Search<'_> {
    /// True if a search has shown that the conditions never hold together.
    pub(super) fn refute(&mut self, case: Case) -> bool {
        self.cases_left = MOST_CASES.min(self.in_all);
        let before = self.cases_left;
        let result = self.follow(case);
        self.in_all -= before - self.cases_left;
        result
    }

    fn follow(&mut self, mut case: Case) -> bool {
        if self.cases_left == 0 {
            return false;
        }
        self.cases_left -= 1;
        match self.settle(&mut case) {
            Settled::Contradiction => true,
            Settled::Open => match self.ways_on(&case) {
                Some(ways) => ways.into_iter().all(|way| self.follow(way)),
                None => false,
            },
        }
    }

    fn settle(&mut self, case: &mut Case) -> Settled {
        loop {
            let mut substitution = Substitution::default();
            let mut at = 0;
            while let Some(condition) = case.conditions.get(at) {
                match self.judge(condition, &case.conditions, &mut substitution) {
                    Some(true) => _ = case.conditions.swap_remove(at),
                    Some(false) => return Settled::Contradiction,
                    None => at += 1,
                }
            }
            if substitution.is_empty() && !self.make_equal(case, &mut substitution) {
                return Settled::Contradiction;
            }
            if substitution.is_empty() {
                return Settled::Open;
            }
            for condition in &mut case.conditions {
                *condition = substitution.condition(&mut self.terms, condition);
            }
            for atom in &mut case.legal {
                *atom = substitution.atom(&mut self.terms, atom);
            }
        }
    }

    /// True if a condition holds whatever its variables are, false if it contradicts the others. May find values of
    /// variables.
    fn judge(&self, condition: &Condition, all: &[Condition], substitution: &mut Substitution) -> Option<bool> {
        match condition {
            Condition::Distinct(left, right) if left == right => Some(false),
            Condition::Distinct(left, right) => {
                let can_be_equal = Substitution::default().unify(&self.terms, left, right);
                (!can_be_equal).then_some(true)
            }
            Condition::Negative(atom) => {
                let contradicts = |other: &Condition| matches!(other, Condition::Positive(it) if it == atom);
                if all.iter().any(contradicts) {
                    return Some(false);
                }
                let row = self.row_of(atom)?;
                Some(row.is_none())
            }
            Condition::Positive(atom) if !self.facts.is_listed[atom.relation.index()] => None,
            Condition::Positive(atom) => match self.matches(atom) {
                Matches::None => Some(false),
                Matches::One(row) => {
                    let terms = self.facts.tables[atom.relation.index()].row(row);
                    let mut pairs = atom.args.iter().zip(terms);
                    Some(pairs.all(|(arg, &term)| substitution.unify(&self.terms, arg, &Pattern::Ground(term))))
                }
                _ => None,
            },
        }
    }

    /// The row of an atom without variables in a listed relation, if there is one; `None` if that is not decided.
    fn row_of(&self, atom: &Atom) -> Option<Option<u32>> {
        let term = |arg: &Pattern| if let Pattern::Ground(term) = arg { Some(*term) } else { None };
        let tuple: Vec<TermId> = atom.args.iter().map(term).collect::<Option<_>>()?;
        self.facts.is_listed[atom.relation.index()].then(|| self.facts.tables[atom.relation.index()].find(&tuple))
    }

    fn matches(&self, atom: &Atom) -> Matches {
        if let Some(row) = self.row_of(atom) {
            return row.map_or(Matches::None, Matches::One);
        }
        let table = &self.facts.tables[atom.relation.index()];
        if table.len() > MOST_SEARCHED {
            return Matches::Many;
        }
        let fits = |arg: &Pattern, term: TermId| match arg {
            Pattern::Ground(it) => *it == term,
            _ => true,
        };
        let mut rows = Vec::new();
        for row in 0..table.len() {
            let terms = table.row(row);
            if !atom.args.iter().zip(terms).all(|(arg, &term)| fits(arg, term)) {
                continue;
            }
            let mut substitution = Substitution::default();
            let mut pairs = atom.args.iter().zip(terms);
            if pairs.all(|(arg, &term)| substitution.unify(&self.terms, arg, &Pattern::Ground(term))) {
                rows.push(row);
                if rows.len() > MOST_ROWS {
                    return Matches::Many;
                }
            }
        }
        match rows[..] {
            [] => Matches::None,
            [row] => Matches::One(row),
            _ => Matches::Some(rows),
        }
    }

    /// Makes equal what is unique; false if that is impossible.
    fn make_equal(&mut self, case: &Case, substitution: &mut Substitution) -> bool {
        let atoms: Vec<&Atom> = case
            .conditions
            .iter()
            .filter_map(|condition| match condition {
                Condition::Positive(atom) => Some(atom),
                _ => None,
            })
            .collect();
        for (at, left) in atoms.iter().enumerate() {
            for right in atoms[..at].iter().filter(|right| right.relation == left.relation) {
                let is_same = match left.relation {
                    // A role makes one move.
                    RelationId::DOES if left.args[0] == right.args[0] => {
                        substitution.unify(&self.terms, &left.args[1], &right.args[1])
                    }
                    RelationId::TRUE => self.unique(&left.args[0], &right.args[0], substitution),
                    _ => true,
                };
                if !is_same {
                    return false;
                }
            }
        }
        true
    }

    /// Makes two fluents equal if an invariant allows only one of them at a time; false if they cannot be equal.
    fn unique(&mut self, left: &Pattern, right: &Pattern, substitution: &mut Substitution) -> bool {
        if left == right {
            return true;
        }
        for (number, invariant) in self.invariants.iter().enumerate() {
            if invariant.is_about_both(left, right, &self.terms) {
                self.used.insert(number);
                return substitution.unify(&self.terms, left, right);
            }
        }
        true
    }

    /// The cases to distinguish; `None` if there is nothing to distinguish.
    fn ways_on(&mut self, case: &Case) -> Option<Vec<Case>> {
        // The move about which the most is known was legal for the fewest reasons.
        let unknown = case.conditions.iter().filter_map(|condition| match condition {
            Condition::Positive(atom) if atom.relation == RelationId::DOES && !case.legal.contains(atom) => Some(atom),
            _ => None,
        });
        if let Some(atom) = unknown.min_by_key(|atom| variables_of(atom).len()) {
            let mut legal = case.clone();
            legal.legal.push(atom.clone());
            let atom = Atom { relation: RelationId::LEGAL, args: atom.args.clone() };
            return Some(self.by_rules(&legal, &atom, &self.facts.legal));
        }
        if let Some((atom, rows)) = self.fewest_rows(case) {
            let table = &self.facts.tables[atom.relation.index()];
            let with = |row: &u32| {
                let mut substitution = Substitution::default();
                let mut pairs = atom.args.iter().zip(table.row(*row));
                let fits = pairs.all(|(arg, &term)| substitution.unify(&self.terms, arg, &Pattern::Ground(term)));
                fits.then_some(substitution)
            };
            let substitutions: Vec<Substitution> = rows.iter().filter_map(with).collect();
            return Some(substitutions.iter().map(|it| self.substituted(case, it)).collect());
        }
        if case.unfolded >= MOST_UNFOLDED {
            return None;
        }
        let at = case.conditions.iter().position(|condition| match condition {
            Condition::Positive(atom) => !self.facts.definitions[atom.relation.index()].is_empty(),
            _ => false,
        })?;
        let mut rest = case.clone();
        rest.unfolded += 1;
        let Condition::Positive(atom) = rest.conditions.swap_remove(at) else { return None };
        Some(self.by_rules(&rest, &atom, &self.facts.definitions[atom.relation.index()]))
    }

    /// The condition that does not change whose rows are the fewest.
    fn fewest_rows<'c>(&self, case: &'c Case) -> Option<(&'c Atom, Vec<u32>)> {
        let mut best: Option<(&Atom, Vec<u32>)> = None;
        for condition in &case.conditions {
            let Condition::Positive(atom) = condition else { continue };
            if !self.facts.is_listed[atom.relation.index()] {
                continue;
            }
            if let Matches::Some(rows) = self.matches(atom)
                && best.as_ref().is_none_or(|(_, fewest)| rows.len() < fewest.len())
            {
                best = Some((atom, rows));
            }
        }
        best
    }

    /// A case for every rule that may derive an atom.
    fn by_rules(&mut self, case: &Case, atom: &Atom, rules: &[usize]) -> Vec<Case> {
        let program = self.facts.program;
        rules.iter().filter_map(|&rule| self.by_rule(case, atom, &program.rules[rule])).collect()
    }

    fn by_rule(&mut self, case: &Case, atom: &Atom, rule: &Rule) -> Option<Case> {
        let head = rule.head.shifted(case.next);
        let mut substitution = Substitution::default();
        let mut pairs = atom.args.iter().zip(&head.args);
        if !pairs.all(|(left, right)| substitution.unify(&self.terms, left, right)) {
            return None;
        }
        let mut with = case.clone();
        rule.body.iter().for_each(|literal| with.add(&literal.condition, case.next));
        head.variables(&mut |variable| with.next = with.next.max(variable + 1));
        Some(self.substituted(&with, &substitution))
    }

    fn substituted(&mut self, case: &Case, substitution: &Substitution) -> Case {
        let conditions = case.conditions.iter().map(|it| substitution.condition(&mut self.terms, it)).collect();
        let legal = case.legal.iter().map(|it| substitution.atom(&mut self.terms, it)).collect();
        Case { conditions, legal, ..*case }
    }
}
