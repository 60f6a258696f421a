//! Solutions of rule bodies that are found during the search for the reachable domain, kept for the circuit.
//!
//! The domain is found from the solutions of all bodies, each once, and the circuit is made of the same solutions:
//! joining the bodies a second time took a third of the set-up of the largest games. So a solution is kept as a list of
//! rows. Negative conditions count as true while the domain grows; for these the values of their variables are kept, by
//! which their atoms are found once all are known.

use std::sync::Arc;

use super::join::Solution;
use super::prepare::Prepared;
use super::program::{Atom, Condition, Literal, Pattern, Program, RelationId, Rule, UNBOUND};
use super::table::Table;
use crate::terms::TermId;

/// The parts of a rule's solutions that are kept.
#[derive(Debug)]
pub(super) struct Layout {
    /// The index of the rule in the program. The evaluated rule may have one more condition in front.
    pub rule: usize,
    /// The number of conditions that were put in front.
    in_front: usize,
    /// The positive conditions that depend on the state, by index in the body of the program's rule.
    literals: Vec<usize>,
    /// The variables of negative conditions that are arguments of the head or of positive conditions, each with the
    /// index of that atom (the head is the first) and of the argument.
    in_rows: Vec<(u32, usize, usize)>,
    /// The other variables of negative conditions.
    variables: Vec<u32>,
}

impl Layout {
    /// `None` if the circuit does not need this rule's instances one by one.
    pub(super) fn of(prepared: &Prepared, rule: usize, in_front: usize) -> Option<Layout> {
        let Prepared { program, strata, .. } = prepared;
        let Rule { head, body, .. } = &program.rules[rule];
        if program.relations[head.relation.index()].domain {
            return None;
        }
        let (mut literals, mut variables) = (Vec::new(), Vec::new());
        for (place, Literal { condition, .. }) in body.iter().enumerate() {
            match condition {
                Condition::Distinct(..) => {}
                Condition::Positive(atom) | Condition::Negative(atom) if strata.is_static(atom.relation) => {}
                Condition::Positive(atom) if program.relations[atom.relation.index()].domain => {}
                Condition::Positive(_) => literals.push(place),
                Condition::Negative(atom) => atom.variables(&mut |variable| variables.push(variable)),
            }
        }
        variables.sort_unstable();
        variables.dedup();
        let positive = literals.iter().filter_map(|&place| body[place].condition.atom());
        let atoms: Vec<&Atom> = std::iter::once(head).chain(positive).collect();
        let place = |variable: u32| {
            let is_it = |arg: &Pattern| matches!(arg, Pattern::Variable(it) if *it == variable);
            atoms.iter().enumerate().find_map(|(of, atom)| Some((variable, of, atom.args.iter().position(is_it)?)))
        };
        let in_rows: Vec<(u32, usize, usize)> = variables.iter().filter_map(|&variable| place(variable)).collect();
        variables.retain(|&variable| place(variable).is_none());
        Some(Layout { rule, in_front, literals, in_rows, variables })
    }

    /// The number of words of a solution.
    fn width(&self) -> usize {
        1 + self.literals.len() + self.variables.len()
    }
}

/// The solutions of one rule, one after the other: the row of the head, the rows of the conditions, the values.
#[derive(Debug)]
pub(super) struct OfRule {
    layout: Arc<Layout>,
    words: Vec<u32>,
}

impl OfRule {
    pub(super) fn push(&mut self, head: u32, solution: &Solution<'_>) {
        let OfRule { layout, words } = self;
        words.push(head);
        words.extend(layout.literals.iter().map(|place| solution.rows[place + layout.in_front]));
        words.extend(layout.variables.iter().map(|&variable| solution.bindings[variable as usize].0));
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Replaces the provisional numbers of heads by `rows`, from word `from` on.
    pub(super) fn name_heads(&mut self, from: usize, rows: &[u32]) {
        for solution in self.words[from..].chunks_exact_mut(self.layout.width()) {
            solution[0] = rows[solution[0] as usize];
        }
    }

    /// Renumbers the rows of a relation; solutions about rows without a number are dropped.
    fn renumber(&mut self, rule: &Rule, relation: RelationId, numbers: &[Option<u32>]) {
        let width = self.layout.width();
        let of_literal = |(at, &place): (usize, &usize)| {
            rule.body[place].condition.atom().is_some_and(|atom| atom.relation == relation).then_some(at + 1)
        };
        let head = (rule.head.relation == relation).then_some(0);
        let places: Vec<usize> =
            head.into_iter().chain(self.layout.literals.iter().enumerate().filter_map(of_literal)).collect();
        if places.is_empty() {
            return;
        }
        let mut end = 0;
        for start in (0..self.words.len()).step_by(width) {
            self.words.copy_within(start..start + width, end);
            let solution = &mut self.words[end..end + width];
            let stays = places.iter().all(|&at| match numbers[solution[at] as usize] {
                Some(number) => {
                    solution[at] = number;
                    true
                }
                None => false,
            });
            end += if stays { width } else { 0 };
        }
        self.words.truncate(end);
    }

    /// Calls `each` for every solution with the row of the head, the rows by index in the body, and the values of the
    /// negative conditions' variables.
    pub(super) fn each(&self, rule: &Rule, tables: &[Table], mut each: impl FnMut(u32, &mut [u32], &[TermId])) {
        let mut bindings = vec![UNBOUND; rule.variables.len()];
        let mut rows = vec![u32::MAX; rule.body.len()];
        let Layout { literals, in_rows, variables, .. } = &*self.layout;
        let table = |atom: Option<&Atom>| &tables[atom.expect("a condition with rows").relation.index()];
        let of_literals = literals.iter().map(|&place| table(rule.body[place].condition.atom()));
        let tables: Vec<&Table> = std::iter::once(table(Some(&rule.head))).chain(of_literals).collect();
        for solution in self.words.chunks_exact(self.layout.width()) {
            let (of_rows, values) = solution.split_at(1 + literals.len());
            literals.iter().zip(&of_rows[1..]).for_each(|(&place, &row)| rows[place] = row);
            for &(variable, of, arg) in in_rows {
                bindings[variable as usize] = tables[of].row(of_rows[of])[arg];
            }
            variables.iter().zip(values).for_each(|(&variable, &value)| bindings[variable as usize] = TermId(value));
            each(of_rows[0], &mut rows, &bindings);
        }
    }
}

/// The solutions of a rule, as far as they are kept.
#[derive(Debug, Default)]
enum State {
    /// The rule has not been evaluated.
    #[default]
    None,
    All(OfRule),
    /// The rule has too many solutions to keep.
    TooMany,
}

/// The solutions of each rule of the program, if they are kept.
#[derive(Debug, Default)]
pub(super) struct BodySolutions {
    rules: Vec<State>,
    /// The number of words of all rules that are not being evaluated.
    words: usize,
}

impl BodySolutions {
    /// The maximum number of words kept for all rules: 48 MB.
    const MOST: usize = 12_000_000;

    fn state(&mut self, rule: usize) -> &mut State {
        if self.rules.len() <= rule {
            self.rules.resize_with(rule + 1, State::default);
        }
        &mut self.rules[rule]
    }

    /// Takes the solutions so far of a rule about to be evaluated, to be put back later; `None` if they are not kept.
    pub(super) fn of(&mut self, layout: &Arc<Layout>) -> Option<OfRule> {
        let state = self.state(layout.rule);
        let instances = match std::mem::take(state) {
            State::None => OfRule { layout: layout.clone(), words: Vec::new() },
            State::All(instances) => instances,
            State::TooMany => {
                *state = State::TooMany;
                return None;
            }
        };
        self.words -= instances.len();
        Some(instances)
    }

    /// Keeps no solutions of a rule from now on.
    pub(super) fn give_up(&mut self, rule: usize) {
        *self.state(rule) = State::TooMany;
    }

    /// Puts back solutions that were taken.
    pub(super) fn put_back(&mut self, instances: OfRule) {
        self.words += instances.len();
        let rule = instances.layout.rule;
        *self.state(rule) = State::All(instances);
    }

    /// The number of words left, beside those of rules that are not being evaluated.
    pub(super) fn room(&self) -> usize {
        BodySolutions::MOST - self.words.min(BodySolutions::MOST)
    }

    /// Takes all solutions of a rule that was evaluated, if they were kept.
    pub(super) fn take(&mut self, rule: usize) -> Option<OfRule> {
        match std::mem::take(self.state(rule)) {
            State::All(instances) => {
                self.words -= instances.len();
                Some(instances)
            }
            _ => None,
        }
    }

    /// Forgets all solutions about rows of these relations, whose rows are gone.
    pub(super) fn forget(&mut self, program: &Program, relations: &[RelationId]) {
        let mut gone = vec![false; program.relations.len()];
        relations.iter().for_each(|relation| gone[relation.index()] = true);
        for (state, rule) in self.rules.iter_mut().zip(&program.rules) {
            if let State::All(instances) = state
                && about(rule).any(|relation| gone[relation.index()])
            {
                self.words -= instances.len();
                *state = State::None;
            }
        }
    }

    /// Renumbers the rows of a relation. Solutions about rows without a number are dropped.
    pub(super) fn renumber(&mut self, program: &Program, relation: RelationId, numbers: &[Option<u32>]) {
        for (state, rule) in self.rules.iter_mut().zip(&program.rules) {
            let State::All(instances) = state else { continue };
            let before = instances.len();
            instances.renumber(rule, relation, numbers);
            self.words -= before - instances.len();
        }
    }
}

/// The relations whose rows a rule's solutions refer to.
fn about(rule: &Rule) -> impl Iterator<Item = RelationId> {
    let positive = rule.body.iter().filter_map(|literal| match &literal.condition {
        Condition::Positive(atom) => Some(atom.relation),
        _ => None,
    });
    std::iter::once(rule.head.relation).chain(positive)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::Budget;
    use crate::gdl::fixture;
    use crate::gdl::join::{Fuel, Source, solve};
    use crate::gdl::limits::Limits;
    use crate::gdl::plan::{Goal, plan};
    use crate::gdl::prepare::Bodies;
    use crate::gdl::reach::reach;

    /// For each solution, the row of the head and the rows of the positive conditions on the state.
    type Solutions = Vec<Vec<u32>>;

    /// The solutions of a rule by a join of all tables, limited to heads that are in demand.
    fn joined(prepared: &mut Prepared, index: usize, literals: &[usize]) -> Solutions {
        let Prepared { program, tables, strata, .. } = prepared;
        let rule = &program.rules[index];
        let dynamic = |relation: RelationId| !strata.is_static(relation);
        let goal = Goal { first: None, bound: &[], heads_only: false, ignore_negative: &dynamic };
        let plan = plan(rule, &goal, &program.terms, tables);
        plan.complete(&program.terms, tables);
        let source =
            Source { terms: &program.terms, tables, windows: None, accept: None, may_be_absent: &|_, _| false };
        let mut found = Vec::new();
        let mut fuel = Fuel::new(u64::MAX, &Budget::default());
        let solved = solve(&plan, &source, &[], &mut fuel, &mut |solution| {
            let head: Option<Vec<TermId>> =
                rule.head.args.iter().map(|arg| arg.find(&program.terms, solution.bindings)).collect();
            if let Some(head) = head.and_then(|head| tables[rule.head.relation.index()].find(&head)) {
                found.push(std::iter::once(head).chain(literals.iter().map(|&at| solution.rows[at])).collect());
            }
            ControlFlow::Continue(())
        });
        assert!(solved.is_ok());
        found.sort();
        found
    }

    /// Compares the kept solutions of every rule with a join. Returns, by rule: the name of its relation, the number of
    /// solutions, and true if it was evaluated on demand.
    fn compare(text: &str, demand_from: usize) -> Vec<(String, usize, bool)> {
        let mut prepared = fixture::prepared(text, Bodies::Decomposed);
        let mut found = reach(&mut prepared, &Limits::default(), demand_from).expect("few rows");
        let mut compared = Vec::new();
        for index in 0..prepared.program.rules.len() {
            let Some(instances) = found.take(index) else { continue };
            let rule = prepared.program.rules[index].clone();
            let literals = instances.layout.literals.clone();
            let mut kept: Solutions = Vec::new();
            instances.each(&rule, &prepared.tables, |head, rows, bindings| {
                kept.push(std::iter::once(head).chain(literals.iter().map(|&at| rows[at])).collect());
                let negative = rule.body.iter().filter_map(|literal| match &literal.condition {
                    Condition::Negative(atom) => Some(atom),
                    _ => None,
                });
                let mut variables = Vec::new();
                negative.for_each(|atom| atom.variables(&mut |variable| variables.push(variable)));
                assert!(variables.iter().all(|&variable| bindings[variable as usize] != UNBOUND));
            });
            kept.sort();
            assert_eq!(kept, joined(&mut prepared, index, &literals), "rule {index}");
            let relation = rule.head.relation;
            let name = prepared.program.name(relation).to_string();
            compared.push((name, kept.len(), prepared.demanded[relation.index()]));
        }
        assert_eq!(found.words, 0);
        compared
    }

    /// Cells in a row with a loop, a walk along them, and a relation that only the end queries.
    const GAME: &str = "
        (role a) (role b) (init (at a c0)) (init (at b c3))
        (succ c0 c1) (succ c1 c2) (succ c2 c3) (succ c3 c4) (succ c4 c5) (succ c5 c6) (succ c6 c7) (succ c7 c0)
        (<= (cell ?x) (succ ?x ?y))
        (<= (reaches ?p ?y) (true (at ?p ?x)) (succ ?x ?y))
        (<= (reaches ?p ?z) (reaches ?p ?y) (succ ?y ?z) (not (true (at ?q ?z))))
        (<= (line ?x ?y ?i) (cell ?x) (cell ?y) (cell ?i) (reaches a ?x) (not (true (at b ?i))))
        (<= (open ?x ?y) (line ?x ?y ?i) (succ ?i ?x))
        (<= (legal ?p (go ?y)) (reaches ?p ?y) (not (blocked ?p ?y)))
        (<= (legal ?p stay) (role ?p))
        (<= (blocked ?p ?y) (true (at ?p ?x)) (line ?x ?y ?y))
        (<= (next (at ?p ?y)) (does ?p (go ?y)))
        (<= (next (at ?p ?x)) (does ?p stay) (true (at ?p ?x)))
        (<= terminal (true (at a c5)) (not (open c5 c1)))
        (<= (goal ?p 100) (role ?p) (open c0 c1))
        (<= (goal ?p 0) (role ?p) (not (open c0 c1)))";

    #[test]
    fn what_is_kept_is_what_a_join_finds() {
        let compared = compare(GAME, usize::MAX);
        let solutions: usize = compared.iter().map(|it| it.1).sum();
        assert!(compared.len() >= 10 && solutions > 500, "{compared:?}");
    }

    #[test]
    fn so_it_is_of_what_is_evaluated_on_demand() {
        let compared = compare(GAME, 30);
        assert!(compared.len() >= 8 && compared.iter().any(|it| it.2), "{compared:?}");
    }

    #[test]
    fn what_reads_a_relation_stays_where_nothing_new_is_asked_of_it_later() {
        // Moves query lines from the position of a player. The goal queries the same lines, or others.
        let jumps = |goal: &str| {
            let game = format!(
                "(role a) (init (at a c0)) (succ c0 c1) (succ c1 c2) (succ c2 c3) (succ c3 c4) (succ c4 c5) (succ c5 c0)
                (<= (cell ?x) (succ ?x ?y))
                (<= (line ?x ?y ?i) (cell ?x) (cell ?y) (cell ?i) (not (true (at a ?i))))
                (<= (legal ?p (jump ?y ?z)) (true (at ?p ?x)) (line ?x ?y ?z) (succ ?x ?z))
                (<= (next (at ?p ?y)) (does ?p (jump ?y ?z)))
                (<= terminal (true (at a c5))) {goal}"
            );
            compare(&game, 30).into_iter().filter(|(name, ..)| name == "legal").count()
        };
        let same = jumps("(<= (goal ?p 50) (true (at ?p ?x)) (line ?x ?y ?z) (succ ?x ?z))");
        let others = jumps("(<= (goal ?p 50) (true (at ?p ?x)) (line ?y ?z ?x) (succ ?z ?y))");
        assert_eq!((same, others), (1, 0));
    }
}
