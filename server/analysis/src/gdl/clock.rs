//! Clocks: fluents whose value in every round follows from the rules alone, whatever is played. `(step 3)` after `(step 2)`,
//! or `(control white)` and `(control black)` by turns.

use rustc_hash::FxHashMap;

use super::facts::{Facts, Occurrence, Predicate, Space};
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

/// The clocks of a description.
pub fn clocks(facts: &Facts) -> Vec<Clock> {
    let fluents = facts.predicates.iter().filter(|predicate| predicate.space == Space::Fluent);
    fluents.filter_map(|fluent| clock(facts, fluent)).collect()
}

fn clock(facts: &Facts, fluent: &Predicate) -> Option<Clock> {
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
            let mut bound = FxHashMap::default();
            solve(facts, &rule.body, values[values.len() - 1], &mut bound, &mut |bound| {
                next.extend(value_of(facts, head, bound));
            });
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

type Bound = FxHashMap<u32, Sym>;

/// Calls `found` for every way to make the body true while the fluent has a value.
fn solve(facts: &Facts, body: &[Literal], value: Sym, bound: &mut Bound, found: &mut dyn FnMut(&Bound)) {
    let Some((Literal::Atom(atom), rest)) = body.split_first() else { return found(bound) };
    let node = facts.term(*atom);
    let rows: Vec<Vec<Sym>> = if node.sym == keyword::TRUE {
        vec![vec![value]]
    } else {
        let made = facts.predicate(Space::Relation, node.sym).into_iter().flat_map(|relation| relation.produced());
        made.map(|made| facts.term(made.term).args().map(|arg| facts.term(arg).sym).collect()).collect()
    };
    let args: Vec<TermId> = match facts.inner(*atom) {
        Some((_, inner)) if node.sym == keyword::TRUE => facts.term(inner).args().collect(),
        _ => node.args().collect(),
    };
    for row in rows.iter().filter(|row| row.len() == args.len()) {
        let before = bound.clone();
        let fits = args.iter().zip(row).all(|(arg, sym)| match facts.term(*arg).variable() {
            Some(variable) => *bound.entry(variable).or_insert(*sym) == *sym,
            None => facts.term(*arg).sym == *sym,
        });
        if fits {
            solve(facts, rest, value, bound, found);
        }
        *bound = before;
    }
}

fn value_of(facts: &Facts, term: TermId, bound: &Bound) -> Option<Sym> {
    match facts.term(term).variable() {
        Some(variable) => bound.get(&variable).copied(),
        None => constant(facts, term),
    }
}
