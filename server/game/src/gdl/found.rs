//! Solutions of rule bodies that are found on the way to the reachable domain, kept for the circuit.
//!
//! The domain is found from the solutions of all bodies, each once, and the circuit is made of the same solutions: to
//! join the bodies a second time took a third of the set-up of the largest games. So a solution stays as the rows it is
//! made of. Negative conditions count as true while the domain grows; of these the values stay by which their atoms are
//! found once all are known.

use std::sync::Arc;

use super::join::Solution;
use super::prepare::Prepared;
use super::program::{Atom, Condition, Literal, Pattern, Program, RelationId, Rule, UNBOUND};
use super::table::Table;
use crate::terms::TermId;

/// What of a rule's solutions is kept.
#[derive(Debug)]
pub(super) struct Layout {
    /// The rule among those of the program: what is evaluated may be that rule with one more condition in front.
    pub rule: usize,
    /// How many conditions were put in front.
    in_front: usize,
    /// The positive conditions that depend on the state, by their places in the program's rule.
    literals: Vec<usize>,
    /// The variables of the negative ones that are arguments of the head or of the positive ones: the place among these (the
    /// head is the first) and of the argument.
    in_rows: Vec<(u32, usize, usize)>,
    /// Their other variables.
    variables: Vec<u32>,
}

impl Layout {
    /// `None` where the circuit does not ask for this rule's instances one by one.
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

    /// Words that a solution takes.
    fn width(&self) -> usize {
        1 + self.literals.len() + self.variables.len()
    }
}

/// The solutions of one rule, one after the other: its head, the rows, the values.
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

    /// Puts rows in the place of the numbers by which heads were named from a word on.
    pub(super) fn name_heads(&mut self, from: usize, rows: &[u32]) {
        for solution in self.words[from..].chunks_exact_mut(self.layout.width()) {
            solution[0] = rows[solution[0] as usize];
        }
    }

    /// Gives the rows of a relation other numbers; solutions about rows without one go.
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

    /// Calls `each` with the row of the head, the rows by place in the body, and the values of the negative conditions'
    /// variables, of all solutions.
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

/// What is known of a rule.
#[derive(Debug, Default)]
enum State {
    /// It has not been evaluated.
    #[default]
    None,
    All(OfRule),
    /// It has too many solutions to keep them.
    TooMany,
}

/// By rule of the program its solutions, where these are kept.
#[derive(Debug, Default)]
pub(super) struct Found {
    rules: Vec<State>,
    /// Of all rules that are not being evaluated.
    words: usize,
}

impl Found {
    /// Words that are kept of all rules: 48 MB.
    const MOST: usize = 12_000_000;

    fn state(&mut self, rule: usize) -> &mut State {
        if self.rules.len() <= rule {
            self.rules.resize_with(rule + 1, State::default);
        }
        &mut self.rules[rule]
    }

    /// The solutions so far of a rule that is to be evaluated; `None` where they are not kept. They are to be put back.
    pub(super) fn of(&mut self, layout: &Arc<Layout>) -> Option<OfRule> {
        let state = self.state(layout.rule);
        let known = match std::mem::take(state) {
            State::None => OfRule { layout: layout.clone(), words: Vec::new() },
            State::All(known) => known,
            State::TooMany => {
                *state = State::TooMany;
                return None;
            }
        };
        self.words -= known.len();
        Some(known)
    }

    /// From now on nothing is kept of a rule.
    pub(super) fn give_up(&mut self, rule: usize) {
        *self.state(rule) = State::TooMany;
    }

    /// Puts back what was taken.
    pub(super) fn put_back(&mut self, known: OfRule) {
        self.words += known.len();
        let rule = known.layout.rule;
        *self.state(rule) = State::All(known);
    }

    /// Words that there is room for beside those of rules that are not being evaluated.
    pub(super) fn room(&self) -> usize {
        Found::MOST - self.words.min(Found::MOST)
    }

    /// All solutions of a rule that was evaluated, if they were kept.
    pub(super) fn take(&mut self, rule: usize) -> Option<OfRule> {
        match std::mem::take(self.state(rule)) {
            State::All(known) => {
                self.words -= known.len();
                Some(known)
            }
            _ => None,
        }
    }

    /// Forgets what is about rows of these relations, which are no more.
    pub(super) fn forget(&mut self, program: &Program, relations: &[RelationId]) {
        let mut gone = vec![false; program.relations.len()];
        relations.iter().for_each(|relation| gone[relation.index()] = true);
        for (state, rule) in self.rules.iter_mut().zip(&program.rules) {
            if let State::All(known) = state
                && about(rule).any(|relation| gone[relation.index()])
            {
                self.words -= known.len();
                *state = State::None;
            }
        }
    }

    /// Gives the rows of a relation other numbers. Solutions about rows without one are forgotten.
    pub(super) fn renumber(&mut self, program: &Program, relation: RelationId, numbers: &[Option<u32>]) {
        for (state, rule) in self.rules.iter_mut().zip(&program.rules) {
            let State::All(known) = state else { continue };
            let before = known.len();
            known.renumber(rule, relation, numbers);
            self.words -= before - known.len();
        }
    }
}

/// The relations whose rows a rule's solutions name.
fn about(rule: &Rule) -> impl Iterator<Item = RelationId> {
    let positive = rule.body.iter().filter_map(|literal| match &literal.condition {
        Condition::Positive(atom) => Some(atom.relation),
        _ => None,
    });
    std::iter::once(rule.head.relation).chain(positive)
}
