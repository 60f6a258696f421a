//! Repairs of rules in prefix: of one that does not hold and should, and of two that hold together and should not.

pub(crate) mod actions;
mod additions;

pub(crate) use additions::{conditions_at_start, goals, keeper, limit, moves};

use std::collections::BTreeSet;

use percept_syntax::TextRange;
use percept_syntax::gdl::{Formula, Statement, Term};

use crate::{Case, FileId, Fix};

/// The most repairs of one kind.
const MOST: usize = 6;

/// Lets a rule hold without the condition at a place: by its opposite, or by its removal.
pub(crate) fn without(case: &Case<'_>, condition: TextRange) -> Vec<Fix> {
    let Some(rule) = rule_around(case, condition) else { return Vec::new() };
    let at = rule.body.iter().position(|literal| literal.range().contains_range(condition));
    at.into_iter().flat_map(|at| [opposite(case, rule, at), removal(case, rule, at)]).flatten().collect()
}

/// The opposite of each condition of the rule with this head.
pub(crate) fn opposites(case: &Case<'_>, head: TextRange) -> Vec<Fix> {
    let Some(rule) = rule_around(case, head) else { return Vec::new() };
    (0..rule.body.len()).filter_map(|at| opposite(case, rule, at)).take(MOST).collect()
}

/// Excludes the case of each of two rules, named by their heads, from the other: by the opposite of a condition that
/// only one of them has.
pub(crate) fn apart(case: &Case<'_>, one: TextRange, other: TextRange) -> Vec<Fix> {
    let (Some(one), Some(other)) = (rule_around(case, one), rule_around(case, other)) else { return Vec::new() };
    let written = |literal: &Formula| line(text(case, literal.range()));
    let excluded = |from: &Statement, of: &Statement| -> Vec<Fix> {
        let own: Vec<String> = from.body.iter().map(written).collect();
        let bound = bound(from.body.iter());
        let new = of.body.iter().filter(|literal| !own.contains(&written(literal)));
        let candidates = new.filter(|literal| variables(literal).is_subset(&bound));
        let opposite = candidates.filter_map(|literal| negation(case, literal)).filter(|it| !own.contains(it));
        opposite.map(|it| Fix::condition(case.here(Some(from.range)), &it)).collect()
    };
    let is_same = std::ptr::eq(one, other) || !case.is_prefix() || one.body.is_empty() || other.body.is_empty();
    if is_same {
        return Vec::new();
    }
    let fixes = [excluded(one, other), excluded(other, one)].into_iter().flatten();
    let fixes: Vec<Fix> = fixes.take(MOST).collect();
    // If both have the same conditions, one of them is wrong.
    let turned = || [other, one].into_iter().flat_map(|rule| opposites(case, rule.range)).take(MOST).collect();
    if fixes.is_empty() { turned() } else { fixes }
}

/// Exchanges two neighbouring arguments of a condition.
pub(crate) fn exchanges(case: &Case<'_>, condition: TextRange) -> Vec<Fix> {
    let literals = rule_around(case, condition).into_iter().flat_map(|rule| &rule.body);
    let atom = literals.filter(|it| it.range() == condition).find_map(|literal| match literal {
        Formula::Atom(atom) => Some(atom),
        _ => None,
    });
    let exchanged = |pair: &[Term]| exchange(case, &pair[0], &pair[1]);
    atom.into_iter().flat_map(|atom| atom.args().windows(2)).take(MOST).map(exchanged).collect()
}

fn exchange(case: &Case<'_>, one: &Term, other: &Term) -> Fix {
    Fix::exchange(case.whole(FileId(0)), FileId(0), one.range, other.range)
}

/// Exchanges two neighbouring variables in the rules that make a fluent.
pub(crate) fn exchanges_of(case: &Case<'_>, fluent: &str) -> Vec<Fix> {
    let is_own = |rule: &&Statement| {
        rule.head.as_ref().and_then(|head| head.args().first()).is_some_and(|made| made.name.is(fluent))
    };
    let mut fixes = Vec::new();
    let mut look = |term: &Term| {
        for pair in term.args().windows(2).filter(|pair| pair.iter().all(Term::is_variable)) {
            let fix = exchange(case, &pair[0], &pair[1]);
            fixes.push(Fix { title: format!("{} in `{}`", fix.title, line(text(case, term.range))), ..fix });
        }
    };
    for rule in case.statements("next").filter(is_own).filter(|_| case.is_prefix()) {
        rule.head.iter().for_each(|head| head.walk(&mut |part| look(part)));
        rule.body.iter().for_each(|literal| literal.terms(&mut |term| term.walk(&mut |part| look(part))));
    }
    fixes.truncate(2 * MOST);
    fixes
}

/// Removes a condition of a rule, if the others bind all variables.
pub(crate) fn removal(case: &Case<'_>, rule: &Statement, at: usize) -> Option<Fix> {
    let rest = || rule.body.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, literal)| literal);
    let mut tested: BTreeSet<&str> = rest().filter(|it| !matches!(it, Formula::Atom(_))).flat_map(variables).collect();
    tested.extend(rule.head.iter().flat_map(variables_of));
    let is_right = rule.body.len() > 1 && case.is_prefix() && tested.is_subset(&bound(rest()));
    let range = rule.body[at].range();
    let title = format!("`{}`", line(text(case, range)));
    is_right.then(|| Fix::removal(case.whole(FileId(0)), case.here(Some(range)), &title))
}

/// Writes the opposite of a condition, if the others bind its variables.
fn opposite(case: &Case<'_>, rule: &Statement, at: usize) -> Option<Fix> {
    let literal = &rule.body[at];
    let others = rule.body.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, literal)| literal);
    let is_bound = matches!(literal, Formula::Not { .. }) || variables(literal).is_subset(&bound(others));
    let written = negation(case, literal).filter(|_| is_bound && case.is_prefix())?;
    Some(Fix::rewrite(case.here(Some(literal.range())), &written))
}

fn negation(case: &Case<'_>, literal: &Formula) -> Option<String> {
    match literal {
        Formula::Atom(atom) => Some(format!("(not {})", text(case, atom.range))),
        Formula::Not { parts, .. } => match &parts[..] {
            [Formula::Atom(atom)] => Some(text(case, atom.range).to_string()),
            _ => None,
        },
        _ => None,
    }
}

/// A text on one line.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text<'a>(case: &Case<'a>, range: TextRange) -> &'a str {
    case.text(case.here(Some(range)))
}

/// The rule with a body that a place is in.
fn rule_around<'a>(case: &Case<'a>, range: TextRange) -> Option<&'a Statement> {
    case.description()?.statements.with_body().find(|rule| rule.range.contains_range(range))
}

fn variables(literal: &Formula) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    literal.terms(&mut |term| names.extend(variables_of(term)));
    names
}

fn variables_of(term: &Term) -> Vec<&str> {
    let mut names = Vec::new();
    term.walk(&mut |part| names.extend(part.is_variable().then_some(part.name.text.as_str())));
    names
}

/// The variables of the positive conditions.
fn bound<'r>(body: impl Iterator<Item = &'r Formula>) -> BTreeSet<&'r str> {
    body.filter(|literal| matches!(literal, Formula::Atom(_))).flat_map(variables).collect()
}
