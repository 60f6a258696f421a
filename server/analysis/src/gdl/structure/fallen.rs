//! Statements that were cut off by a `)` from the rule before them, as opposed to statements of their own.

use percept_syntax::{Language, TextRange};

use crate::gdl::lowered::{Literal, RuleNode, Shape};
use crate::gdl::symbols::{Sym, keyword};
use crate::gdl::uses::{Space, Uses};

/// The number of statements after statement `n` that belong to it: literals, and bare words before a stray `)`.
pub(super) fn fallen_after(uses: &Uses, n: usize, at_fault: bool) -> usize {
    let rules = &uses.lowered.rules;
    if uses.source.language == Language::GdlInfix {
        return 0;
    }
    let mut count = 0;
    let mut bare = 0;
    // A rule does not lose more statements than this.
    const MOST: usize = 200;
    while let Some(rule) = rules.get(n + count + 1).filter(|_| count < MOST) {
        if stray_after(uses, n + count).is_some() {
            break;
        }
        if is_bare(uses, rule) {
            bare += 1;
        } else if !looks_fallen(uses, n, n + count + 1, at_fault)
            || (rules[n].is_fact() && !at_fault)
            || begins_anew(uses, &rules[n], rule)
        {
            break;
        }
        count += 1;
    }
    // Bare words alone count only if a stray `)` follows them.
    if bare == count && bare > 0 && stray_after(uses, n + count).is_none() && !at_fault { 0 } else { count }
}

/// True if statement `at`, a fact, can only be a literal of rule `n` before it: `true`, `not` and the like, which are
/// never facts, or an atom with variables that the rule lacks, or that shares its variables and is indented like its
/// conditions. Any other fact with variables is a mistake of its own.
fn looks_fallen(uses: &Uses, n: usize, at: usize, at_fault: bool) -> bool {
    let rules = &uses.lowered.rules;
    let rule = &rules[at];
    let Some(head) = rule.head().map(|head| uses.term(head)) else { return false };
    if !rule.is_fact() || head.variable().is_some() {
        return false;
    }
    let literal_only = matches!(head.sym, keyword::TRUE | keyword::DOES)
        || (keyword::is_connective(head.sym) && head.sym != keyword::ARROW);
    if literal_only || rule.variables().is_empty() {
        return literal_only;
    }
    // The fault after it is reported, and explains the variables too.
    if at_fault || has_stray_behind(uses, at) {
        return true;
    }
    let own = variables_of(uses, rule);
    let lacks = unbound(uses, &rules[n]).iter().any(|variable| own.contains(variable));
    let stands_among_conditions = || {
        let fallen = rules[n..at].iter().any(|other| variables_of(uses, other).iter().any(|it| own.contains(it)));
        let (own, outer) = (column(uses, rule.range.start), column(uses, rules[n].range.start));
        fallen && own.zip(outer).is_some_and(|(own, outer)| own > outer)
    };
    lacks || stands_among_conditions()
}

/// True if there is a stray `)` after statement `at` and before the next rule.
pub(super) fn has_stray_behind(uses: &Uses, at: usize) -> bool {
    let rules = &uses.lowered.rules;
    let uses_behind = rules[at + 1..].iter().take(8).take_while(|rule| rule.is_fact()).count();
    (at..=at + uses_behind).any(|n| stray_after(uses, n).is_some())
}

/// Returns the names of a rule's variables.
fn variables_of(uses: &Uses, rule: &RuleNode) -> Vec<Sym> {
    rule.variables().iter().map(|variable| uses.term(variable.first).sym).collect()
}

/// Returns the names of a rule's variables that are in none of its positive literals.
pub(super) fn unbound(uses: &Uses, rule: &RuleNode) -> Vec<Sym> {
    let mut bound = vec![false; rule.variables().len()];
    let mut todo = Vec::new();
    for literal in rule.body() {
        literal.atoms(false, &mut |atom, negated| todo.extend((!negated).then_some(atom)));
    }
    while let Some(term) = todo.pop() {
        let node = uses.term(term);
        node.variable().iter().for_each(|variable| bound[*variable as usize] = true);
        todo.extend(node.args());
    }
    let all = variables_of(uses, rule).into_iter().zip(bound);
    all.filter(|(_, bound)| !bound).map(|(variable, _)| variable).collect()
}

/// The column of `at` if only white space precedes it on its line.
fn column(uses: &Uses, at: u32) -> Option<usize> {
    let text = uses.text(TextRange::new(0, at));
    let start = text.rfind('\n').map_or(0, |newline| newline + 1);
    text[start..].chars().all(char::is_whitespace).then(|| text.len() - start)
}

/// True for a fact with the wrong keyword, such as `(true (control red))`: it begins a line, is not indented further
/// than the rule before it although the rule's conditions are, and is separated from the rule or has a fluent without
/// `init`.
fn begins_anew(uses: &Uses, before: &RuleNode, rule: &RuleNode) -> bool {
    let column = |at: u32| column(uses, at);
    let is_state = rule.head().is_some_and(|head| uses.term(head).sym == keyword::TRUE && uses.term(head).arity() == 1);
    let (Some(own), Some(outer)) = (column(rule.range.start), column(before.range.start)) else {
        return false;
    };
    let indents = |part: &Literal| column(uses.literal_range(part).start).is_none_or(|column| column > outer);
    let between = uses.text(TextRange::new(before.range.end, rule.range.start));
    let apart = between.lines().skip(1).any(|line| line.trim().is_empty() || line.trim_start().starts_with(';'));
    let fluent = rule.head().and_then(|head| uses.inner_name(head));
    let is_made = fluent
        .and_then(|sym| uses.predicate(Space::Fluent, sym))
        .is_some_and(|fluent| fluent.produced().any(|made| made.via == keyword::INIT));
    (apart && between.lines().count() > 2 || !is_made)
        && is_state
        && rule.variables().is_empty()
        && own <= outer
        && before.body().iter().all(indents)
}

pub(super) fn on_one_line(uses: &Uses, a: &RuleNode, b: &RuleNode) -> bool {
    !uses.text(TextRange::new(a.range.end, b.range.start)).contains(['\n', '\r'])
}

pub(super) fn is_bare(uses: &Uses, rule: &RuleNode) -> bool {
    rule.is_fact() && rule.head().is_some_and(|head| !matches!(uses.term(head).shape(), Shape::Compound | Shape::Error))
}

/// The `)` that the parser reported inside a statement, if that is its only error.
pub(super) fn closed_early(uses: &Uses, rule: &RuleNode) -> Option<TextRange> {
    let errors = &uses.source.errors;
    let first = errors.partition_point(|error| error.range.start < rule.range.start);
    let mut inside = errors[first..].iter().take_while(|error| error.range.end <= rule.range.end);
    let range = inside.next()?.range;
    (inside.next().is_none() && uses.text(range) == ")").then_some(range)
}

/// The stray `)` between statement `n` and the next.
pub(super) fn stray_after(uses: &Uses, n: usize) -> Option<TextRange> {
    let rules = &uses.lowered.rules;
    let from = rules.get(n)?.range.end;
    let to = rules.get(n + 1).map_or(u32::MAX, |next| next.range.start);
    let errors = &uses.source.errors;
    let first = errors.partition_point(|error| error.range.start < from);
    let between = errors[first..].iter().take_while(|error| error.range.end <= to);
    between.map(|error| error.range).find(|range| uses.text(*range) == ")")
}
