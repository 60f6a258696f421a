//! Clocks: fluents whose value in every round follows from the rules alone, whatever is played. `(step 3)` after `(step 2)`,
//! or `(control white)` and `(control black)` by turns.

use super::facts::{Facts, Occurrence, Space};
use super::lowered::{Literal, RuleNode, Shape, TermId};
use super::symbols::{Sym, keyword};

/// Longer rows of values are not followed.
const MAX_ROUNDS: usize = 250;

/// A fluent of one argument that holds for exactly one value in every round that is listed.
#[derive(Debug)]
pub struct Clock {
    pub fluent: Sym,
    /// The value at the start and after each round, until it repeats or stops.
    pub values: Vec<Sym>,
}

/// What a fluent shows in each round, if that follows from the rules alone.
pub fn clock(facts: &Facts, fluent: Sym) -> Option<Clock> {
    let fluent = facts.predicate(Space::Fluent, fluent)?;
    if facts.is_doubtful(fluent.sym) || facts.is_mixed(fluent.sym) || facts.has_wildcard(Space::Fluent, true) {
        return None;
    }
    let (inits, nexts): (Vec<&Occurrence>, Vec<&Occurrence>) =
        fluent.produced().partition(|made| made.via == keyword::INIT);
    let [init] = inits[..] else { return None };
    let value = constant(facts, facts.term(init.term).arg(0)?)?;
    let rules: Vec<&RuleNode> = nexts.iter().map(|next| &facts.lowered.rules[next.rule as usize]).collect();
    let is_fact = facts.lowered.rules[init.rule as usize].is_fact() && facts.term(init.term).arity() == 1;
    if !is_fact || rules.is_empty() || !rules.iter().all(|rule| reads_only(facts, rule, fluent.sym)) {
        return None;
    }
    let mut values = vec![value];
    while values.len() < MAX_ROUNDS {
        let mut next = Vec::new();
        for (rule, made) in rules.iter().zip(&nexts) {
            let head = facts.term(made.term).arg(0)?;
            let mut solver = Solver { facts, value: values[values.len() - 1], bound: vec![None; rule.variables.len()] };
            solver.solve(&rule.body, &mut |bound| next.extend(value_of(facts, head, bound)));
        }
        next.sort_unstable();
        next.dedup();
        match next[..] {
            [one] if !values.contains(&one) => values.push(one),
            [_] | [] => break,
            // More than one value: what is played decides.
            _ => return None,
        }
    }
    Some(Clock { fluent: fluent.sym, values })
}

fn constant(facts: &Facts, term: TermId) -> Option<Sym> {
    let node = facts.term(term);
    (node.shape == Shape::Constant).then_some(node.sym)
}

/// Whether a body asks for the fluent, and besides only for facts that never change.
fn reads_only(facts: &Facts, rule: &RuleNode, fluent: Sym) -> bool {
    let own = |atom: &TermId| {
        facts.inner(*atom).is_some_and(|(_, inner)| {
            let node = facts.term(inner);
            node.sym == fluent && node.arity() == 1 && node.variable().is_none()
        })
    };
    let mut asks = false;
    let plain = rule.body.iter().all(|literal| match literal {
        Literal::Atom(atom) if facts.term(*atom).sym == keyword::TRUE => {
            asks = true;
            own(atom)
        }
        Literal::Atom(atom) => is_table(facts, *atom),
        _ => false,
    });
    plain && asks && !rule.broken
}

/// Whether the relation consists of ground facts without compound arguments.
fn is_table(facts: &Facts, atom: TermId) -> bool {
    let node = facts.term(atom);
    let Some(relation) = facts.predicate(Space::Relation, node.sym) else { return false };
    node.variable().is_none()
        && !keyword::is_relation(node.sym)
        && !facts.is_doubtful(node.sym)
        && relation.produced().all(|made| {
            let fact = &facts.lowered.rules[made.rule as usize];
            fact.is_fact() && facts.term(made.term).args().all(|arg| facts.term(arg).shape == Shape::Constant)
        })
}

/// Finds the ways to make a body true while the fluent has a value.
struct Solver<'f, 'a> {
    facts: &'f Facts<'a>,
    value: Sym,
    /// What each variable of the rule is so far.
    bound: Vec<Option<Sym>>,
}

impl Solver<'_, '_> {
    fn solve(&mut self, body: &[Literal], found: &mut dyn FnMut(&[Option<Sym>])) {
        let Some((Literal::Atom(atom), rest)) = body.split_first() else { return found(&self.bound) };
        let facts = self.facts;
        let node = facts.term(*atom);
        if node.sym == keyword::TRUE {
            let argument = facts.inner(*atom).and_then(|(_, inner)| facts.term(inner).arg(0));
            let value = self.value;
            return self.with(argument.into_iter().map(|arg| (arg, value)), rest, found);
        }
        let Some(relation) = facts.predicate(Space::Relation, node.sym) else { return };
        for made in relation.produced().map(|made| facts.term(made.term)).filter(|made| made.arity() == node.arity()) {
            let pairs = node.args().zip(made.args().map(|arg| facts.term(arg).sym));
            self.with(pairs, rest, found);
        }
    }

    /// Goes on with the rest of a body where each term can be its value.
    fn with(
        &mut self,
        pairs: impl Iterator<Item = (TermId, Sym)>,
        rest: &[Literal],
        found: &mut dyn FnMut(&[Option<Sym>]),
    ) {
        let mut fresh = Vec::new();
        let mut fits = true;
        for (term, sym) in pairs {
            let node = self.facts.term(term);
            fits &= match node.variable() {
                Some(variable) => match self.bound[variable as usize] {
                    Some(known) => known == sym,
                    None => {
                        self.bound[variable as usize] = Some(sym);
                        fresh.push(variable);
                        true
                    }
                },
                None => node.sym == sym,
            };
            if !fits {
                break;
            }
        }
        if fits {
            self.solve(rest, found);
        }
        fresh.into_iter().for_each(|variable| self.bound[variable as usize] = None);
    }
}

fn value_of(facts: &Facts, term: TermId, bound: &[Option<Sym>]) -> Option<Sym> {
    match facts.term(term).variable() {
        Some(variable) => bound[variable as usize],
        None => constant(facts, term),
    }
}
