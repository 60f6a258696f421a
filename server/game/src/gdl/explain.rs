//! The reasons why an atom holds in a state or does not: rule instances with the literals that support them or failed.
//!
//! Works on the lifted rules, so every reason has its position in the text. All consequences of a state are listed, or
//! single atoms are queried if the list would be too long: chess has a million consequences in each state. Meant for
//! one question of a person at a time.

use std::cell::{Cell, Ref, RefCell};

use percept_syntax::TextRange;
use percept_syntax::gdl::Description;

use super::asking::Given;
use super::lifted::{Facts, Lifted};
use super::limits::Limits;
use super::names::make_term;
use super::prepare::{Bodies, prepare_what_can_be_listed};
use super::program::{Atom, Condition, KEYWORDS, Literal, Pattern, Program, RelationId, Rule, UNBOUND};
use crate::terms::{TermId, Terms};
use crate::{GameError, Term};

/// The number of tuples tried for one question.
const FUEL: u64 = 3_000_000;
/// The maximum number of reasons given for one atom.
const MAX_REASONS: usize = 4;

/// Answers questions about a description's rules.
pub struct Explainer {
    lifted: Lifted,
}

/// An atom, its truth value, and the rules that make it hold or fail to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The atom in KIF: `(legal white (mark 1 1))`.
    pub atom: String,
    /// True if the atom holds.
    pub holds: bool,
    /// If it holds: rule instances that make it true (not all of them, if there are many). Empty for fluents of the
    /// state and moves made, which are given.
    pub reasons: Vec<Reason>,
    /// If it does not hold: every rule that could derive it, with the conditions that failed.
    pub failures: Vec<Failure>,
}

/// A rule instance whose conditions all hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The range of the rule's statement.
    pub rule: TextRange,
    /// The variables with their values.
    pub bindings: Vec<(String, String)>,
    /// Its conditions, in the order of the text.
    pub support: Vec<Support>,
}

/// A condition of a rule instance that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Support {
    /// The condition with its variables replaced: `(true (cell 1 1 b))`, `(not (open))`.
    pub literal: String,
    /// The range of the condition in the text.
    pub range: TextRange,
    /// The reason why a positive condition over rules holds; `None` for fluents, moves, negations and `distinct`, and
    /// below the requested depth.
    pub because: Option<Box<Explanation>>,
}

/// A rule that could have derived the atom but did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The range of the rule's statement.
    pub rule: TextRange,
    /// The variables that were bound when the rule got furthest.
    pub bindings: Vec<(String, String)>,
    /// The conditions that then could not hold; the rule got stuck at the first one.
    pub failed: Vec<(String, TextRange)>,
}

impl Explainer {
    /// Checks and prepares a description.
    ///
    /// # Errors
    /// Like [`crate::Game::from_gdl`].
    pub fn new(description: &Description) -> Result<Explainer, Vec<GameError>> {
        let prepared = prepare_what_can_be_listed(description, Bodies::Whole)?;
        Ok(Explainer { lifted: Lifted::new(prepared, Limits::default()).patient(description) })
    }

    /// Explains `atom` (such as `(legal white noop)`, `terminal`, `(next (cell 1 1 x))`) in the state with these
    /// `fluents` when these `moves` (role, move) are made; supports of supports down to `depth` levels.
    ///
    /// `None` if the atom has names that the description does not have.
    pub fn explain(
        &self,
        fluents: &[Term],
        moves: &[(String, Term)],
        atom: &Term,
        depth: usize,
    ) -> Option<Explanation> {
        self.lifted.with_facts(fluents, moves, |mut facts| {
            let term = make_term(facts.terms_mut(), atom)?;
            let program = &facts.prepared().program;
            let terms = &program.terms;
            let name = terms.name(terms.functor(term)).to_string();
            let tuple = terms.args(term).unwrap_or(&[]).to_vec();
            let keyword =
                KEYWORDS.iter().position(|(word, arity)| name.eq_ignore_ascii_case(word) && *arity == tuple.len());
            let relation = match keyword {
                Some(index) => RelationId(index as u32),
                None => {
                    let matches = |relation: &super::program::Relation| {
                        relation.arity == tuple.len() && !relation.helper && terms.name(relation.name) == name
                    };
                    RelationId(program.relations.iter().position(matches)? as u32)
                }
            };
            let rules = program.rules.clone();
            let search = Search { facts: RefCell::new(facts), rules, fuel: Cell::new(FUEL) };
            Some(search.explain(relation, &tuple, depth, &mut Vec::new()))
        })
    }
}

struct Search<'a> {
    facts: RefCell<Facts<'a>>,
    rules: Vec<Rule>,
    fuel: Cell<u64>,
}

/// The furthest point that a rule reached.
#[derive(Default)]
struct Furthest {
    satisfied: usize,
    bindings: Vec<TermId>,
    stuck: Option<usize>,
}

impl Search<'_> {
    fn program(&self) -> Ref<'_, Program> {
        Ref::map(self.facts.borrow(), |facts| &facts.prepared().program)
    }

    fn terms(&self) -> Ref<'_, Terms> {
        Ref::map(self.program(), |program| &program.terms)
    }

    fn is_so(&self, relation: RelationId, tuple: &[TermId]) -> bool {
        !self.facts.borrow_mut().matching(relation, tuple).is_empty()
    }

    /// The tuples that can match an atom; uses up one unit of fuel for each tuple listed.
    fn candidates(&self, atom: &Atom, bindings: &[TermId]) -> Vec<Given> {
        let mut facts = self.facts.borrow_mut();
        let is_bound = |variable: u32| bindings[variable as usize] != UNBOUND;
        let mut place =
            |arg: &Pattern| if arg.all(&is_bound) { arg.build(facts.terms_mut(), bindings) } else { UNBOUND };
        let given: Given = atom.args.iter().map(&mut place).collect();
        let listed = u64::from(facts.prepared().tables[atom.relation.index()].len());
        self.fuel.set(self.fuel.get().saturating_sub(if given.contains(&UNBOUND) { listed } else { 1 }));
        facts.matching(atom.relation, &given)
    }

    fn explain(
        &self,
        relation: RelationId,
        tuple: &[TermId],
        depth: usize,
        path: &mut Vec<(RelationId, Vec<TermId>)>,
    ) -> Explanation {
        let holds = self.is_so(relation, tuple);
        let atom = self.show_tuple(relation, tuple);
        let mut explanation = Explanation { atom, holds, reasons: Vec::new(), failures: Vec::new() };
        path.push((relation, tuple.to_vec()));
        for rule in self.rules.iter().filter(|rule| rule.head.relation == relation) {
            let mut bindings = vec![UNBOUND; rule.variables.len()];
            let unify = |(pattern, &term): (&Pattern, &TermId)| matches(&self.terms(), pattern, term, &mut bindings);
            if !rule.head.args.iter().zip(tuple).all(unify) {
                continue;
            }
            if let Some(part) = self.union_part(rule) {
                let inner = self.explain(part, tuple, depth, path);
                explanation.reasons.extend(inner.reasons);
                explanation.failures.extend(inner.failures);
                continue;
            }
            let mut rest: Vec<usize> = (0..rule.body.len()).collect();
            let mut furthest = Furthest { bindings: bindings.clone(), ..Furthest::default() };
            let mut found = None;
            self.solve(rule, &mut bindings, &mut rest, &mut furthest, path, &mut |solution| {
                found = Some(solution.to_vec());
                true
            });
            match found {
                Some(solution) if explanation.reasons.len() < MAX_REASONS => {
                    explanation.reasons.push(self.reason(rule, &solution, depth, path));
                }
                Some(_) => {}
                None if holds => {}
                None => explanation.failures.push(self.failure(rule, &furthest)),
            }
        }
        path.pop();
        explanation
    }

    /// The part of a split relation, if this rule only passes it on.
    fn union_part(&self, rule: &Rule) -> Option<RelationId> {
        let [Literal { condition: Condition::Positive(atom), .. }] = &rule.body[..] else { return None };
        let relations = &self.program().relations;
        let (part, whole) = (&relations[atom.relation.index()], &relations[rule.head.relation.index()]);
        (part.helper && !whole.helper && part.name == whole.name && atom.args == rule.head.args)
            .then_some(atom.relation)
    }

    /// Finds solutions of the literals `rest` under `bindings`; `accept` returns true to stop. Supports on `path` are
    /// not used, so that no atom is explained by itself.
    fn solve(
        &self,
        rule: &Rule,
        bindings: &mut [TermId],
        rest: &mut Vec<usize>,
        furthest: &mut Furthest,
        path: &[(RelationId, Vec<TermId>)],
        accept: &mut dyn FnMut(&[TermId]) -> bool,
    ) -> bool {
        let satisfied = rule.body.len() - rest.len();
        if satisfied >= furthest.satisfied && (satisfied > furthest.satisfied || furthest.stuck.is_none()) {
            *furthest = Furthest { satisfied, bindings: bindings.to_vec(), stuck: None };
        }
        let Some(place) = self.cheapest(rule, bindings, rest) else { return accept(bindings) };
        let index = rest.remove(place);
        let stop = match &rule.body[index].condition {
            Condition::Positive(atom) => self.extend(rule, atom, bindings, path, &mut |bindings| {
                self.solve(rule, bindings, rest, furthest, path, accept)
            }),
            _ => self.holds(&rule.body[index], bindings) && self.solve(rule, bindings, rest, furthest, path, accept),
        };
        rest.insert(place, index);
        if !stop && furthest.satisfied == satisfied && furthest.stuck.is_none() {
            furthest.stuck = Some(index);
        }
        stop
    }

    /// The literal to solve next: tests first, then the literal with the fewest free variables over the smallest
    /// relation.
    fn cheapest(&self, rule: &Rule, bindings: &[TermId], rest: &[usize]) -> Option<usize> {
        (0..rest.len()).min_by_key(|&place| {
            let condition = &rule.body[rest[place]].condition;
            let mut free = 0usize;
            condition.variables(&mut |variable| free += usize::from(bindings[variable as usize] == UNBOUND));
            match condition {
                Condition::Positive(atom) if free > 0 => {
                    (free, self.facts.borrow().prepared().tables[atom.relation.index()].len())
                }
                _ if free == 0 => (0, 0),
                _ => (usize::MAX, 0),
            }
        })
    }

    /// Calls `then` with every way to match an atom, until it returns true.
    fn extend(
        &self,
        rule: &Rule,
        atom: &Atom,
        bindings: &mut [TermId],
        path: &[(RelationId, Vec<TermId>)],
        then: &mut dyn FnMut(&mut [TermId]) -> bool,
    ) -> bool {
        debug_assert_eq!(bindings.len(), rule.variables.len());
        for tuple in self.candidates(atom, bindings) {
            if self.fuel.get() == 0 {
                return false;
            }
            self.fuel.set(self.fuel.get() - 1);
            let mut extended = bindings.to_vec();
            let mut places = atom.args.iter().zip(&tuple);
            let fits = places.all(|(arg, &term)| matches(&self.terms(), arg, term, &mut extended));
            let circular = || path.iter().any(|(relation, other)| *relation == atom.relation && other[..] == tuple[..]);
            if fits && !circular() && then(&mut extended) {
                return true;
            }
        }
        false
    }

    /// True if a negative literal or `distinct` holds; all its variables are bound.
    fn holds(&self, literal: &Literal, bindings: &[TermId]) -> bool {
        match &literal.condition {
            Condition::Negative(atom) => self.candidates(atom, bindings).is_empty(),
            Condition::Distinct(left, right) => {
                self.show_pattern(left, bindings, &[]) != self.show_pattern(right, bindings, &[])
            }
            Condition::Positive(_) => true,
        }
    }

    fn reason(
        &self,
        rule: &Rule,
        bindings: &[TermId],
        depth: usize,
        path: &mut Vec<(RelationId, Vec<TermId>)>,
    ) -> Reason {
        let support = rule.body.iter().map(|literal| {
            let because = match &literal.condition {
                Condition::Positive(atom)
                    if depth > 0 && ![RelationId::TRUE, RelationId::DOES].contains(&atom.relation) =>
                {
                    let tuple: Option<Vec<TermId>> =
                        atom.args.iter().map(|arg| arg.find(&self.terms(), bindings)).collect();
                    tuple.map(|tuple| Box::new(self.explain(atom.relation, &tuple, depth - 1, path)))
                }
                _ => None,
            };
            Support { literal: self.show_literal(literal, rule, bindings), range: literal.range, because }
        });
        let support = support.collect();
        Reason { rule: rule.range, bindings: self.show_bindings(rule, bindings), support }
    }

    fn failure(&self, rule: &Rule, furthest: &Furthest) -> Failure {
        let bindings = &furthest.bindings;
        let show = |literal: &Literal| (self.show_literal(literal, rule, bindings), literal.range);
        let mut failed: Vec<(String, TextRange)> =
            furthest.stuck.iter().map(|&index| show(&rule.body[index])).collect();
        for (index, literal) in rule.body.iter().enumerate() {
            let mut ground = true;
            literal.condition.variables(&mut |variable| ground &= bindings[variable as usize] != UNBOUND);
            if !ground || Some(index) == furthest.stuck {
                continue;
            }
            let holds = match &literal.condition {
                Condition::Positive(atom) => !self.candidates(atom, bindings).is_empty(),
                _ => self.holds(literal, bindings),
            };
            if !holds {
                failed.push(show(literal));
            }
        }
        Failure { rule: rule.range, bindings: self.show_bindings(rule, bindings), failed }
    }

    fn show_bindings(&self, rule: &Rule, bindings: &[TermId]) -> Vec<(String, String)> {
        let named = rule.variables.iter().zip(bindings).filter(|(_, term)| **term != UNBOUND);
        named.map(|(name, &term)| (name.to_string(), self.terms().show(term))).collect()
    }

    fn show_tuple(&self, relation: RelationId, tuple: &[TermId]) -> String {
        let args: String = tuple.iter().map(|&term| format!(" {}", self.terms().show(term))).collect();
        let program = self.program();
        let name = program.name(relation);
        if tuple.is_empty() { name.to_string() } else { format!("({name}{args})") }
    }

    fn show_literal(&self, literal: &Literal, rule: &Rule, bindings: &[TermId]) -> String {
        match &literal.condition {
            Condition::Positive(atom) => self.show_atom(atom, bindings, &rule.variables),
            Condition::Negative(atom) => format!("(not {})", self.show_negated(atom, bindings, &rule.variables)),
            Condition::Distinct(left, right) => format!(
                "(distinct {} {})",
                self.show_pattern(left, bindings, &rule.variables),
                self.show_pattern(right, bindings, &rule.variables)
            ),
        }
    }

    /// The text of a negated atom; a helper relation is shown as the condition the author wrote, with the same
    /// variables.
    fn show_negated(&self, atom: &Atom, bindings: &[TermId], names: &[smol_str::SmolStr]) -> String {
        let program = self.program();
        let written = program.rules.iter().find(|rule| rule.head == *atom && rule.body.len() == 1);
        match written {
            Some(rule) if program.relations[atom.relation.index()].helper => match &rule.body[0].condition {
                Condition::Positive(inner) => self.show_atom(inner, bindings, names),
                _ => self.show_atom(atom, bindings, names),
            },
            _ => self.show_atom(atom, bindings, names),
        }
    }

    fn show_atom(&self, atom: &Atom, bindings: &[TermId], names: &[smol_str::SmolStr]) -> String {
        let args: String =
            atom.args.iter().map(|arg| format!(" {}", self.show_pattern(arg, bindings, names))).collect();
        let program = self.program();
        let name = program.name(atom.relation);
        if atom.args.is_empty() { name.to_string() } else { format!("({name}{args})") }
    }

    fn show_pattern(&self, pattern: &Pattern, bindings: &[TermId], names: &[smol_str::SmolStr]) -> String {
        match pattern {
            Pattern::Ground(term) => self.terms().show(*term),
            Pattern::Variable(variable) => match bindings.get(*variable as usize) {
                Some(&term) if term != UNBOUND => self.terms().show(term),
                _ => format!("?{}", names.get(*variable as usize).map_or("", |name| name.as_str())),
            },
            Pattern::Compound(functor, args) => {
                let args: String =
                    args.iter().map(|arg| format!(" {}", self.show_pattern(arg, bindings, names))).collect();
                format!("({}{args})", self.terms().name(*functor))
            }
        }
    }
}

/// Matches a term against a pattern, extending the bindings.
fn matches(terms: &Terms, pattern: &Pattern, term: TermId, bindings: &mut [TermId]) -> bool {
    match pattern {
        Pattern::Ground(ground) => *ground == term,
        Pattern::Variable(variable) => {
            let value = &mut bindings[*variable as usize];
            if *value == UNBOUND {
                *value = term;
            }
            *value == term
        }
        Pattern::Compound(functor, parts) => {
            let Some(args) = terms.args(term) else { return false };
            terms.functor(term) == *functor
                && args.len() == parts.len()
                && parts.iter().zip(args).all(|(part, &arg)| matches(terms, part, arg, bindings))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::fixture::description;

    /// A walk on a line, with recursion, negation and compounds.
    const WALK: &str = "(role r) (init (at 0)) (init (visited (cell 0))) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
        (<= (near ?x ?y) (succ ?x ?y)) (<= (near ?x ?y) (succ ?y ?x))
        (<= (before ?x ?y) (succ ?x ?y)) (<= (before ?x ?z) (before ?x ?y) (succ ?y ?z))
        (<= (legal r (go ?y)) (true (at ?x)) (near ?x ?y) (not (true (visited (cell ?y)))))
        (<= (legal r (jump ?y)) (true (at ?x)) (before ?x ?y) (not (near ?x ?y)))
        (<= (next (at ?y)) (does r (go ?y))) (<= (next (at ?y)) (does r (jump ?y)))
        (<= (next (visited ?c)) (true (visited ?c)))
        (<= (next (visited (cell ?x))) (true (at ?x)))
        (<= stuck (not (can)) ) (<= (can) (legal r ?m))
        (<= terminal stuck) (<= (goal r 100) (true (at 4))) (<= (goal r 0) (not (true (at 4))))";

    fn term(text: &str) -> Term {
        text.parse().expect("a term")
    }

    #[test]
    fn who_asks_explains_as_who_lists() {
        let description = description(WALK);
        let lifted = || {
            let prepared = prepare_what_can_be_listed(&description, Bodies::Whole).expect("rules");
            Lifted::new(prepared, Limits::default())
        };
        let (lists, asks) = (Explainer { lifted: lifted() }, Explainer { lifted: lifted().asking() });
        let atoms = [
            "(legal r (go 1))",
            "(legal r (go 2))",
            "(legal r (go 3))",
            "(legal r (jump 4))",
            "(legal r (jump 1))",
            "(next (at 3))",
            "(next (visited (cell 2)))",
            "(next (visited (cell 3)))",
            "stuck",
            "terminal",
            "(goal r 0)",
            "(goal r 100)",
            "(before 1 4)",
            "(before 4 1)",
            "(near 3 2)",
        ];
        let moves = [("r".to_string(), term("(go 3)"))];
        let mut held = 0;
        for fluents in [["(at 2)", "(visited (cell 1))"], ["(at 4)", "(visited (cell 3))"]] {
            let fluents = fluents.map(term);
            for atom in atoms {
                let [listed, queried] = [&lists, &asks]
                    .map(|it| it.explain(&fluents, &moves, &term(atom), 3).expect("an atom of the game"));
                assert_eq!(listed, queried, "{atom}");
                assert_eq!(listed.holds, !listed.reasons.is_empty(), "{atom}");
                held += usize::from(listed.holds);
            }
        }
        assert!(held > 8, "{held}");
    }
}
