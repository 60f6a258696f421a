//! The parts that repairs in GDL are made of.

use rustc_hash::FxHashSet;

use crate::gdl::{Facts, LARGE, Literal, Occurrence, Predicate, RuleId, RuleNode, Space, TermId, keyword};
use crate::{FileId, Fix, Place};
use percept_syntax::{Language, TextRange};

/// A place in the description.
pub(super) fn here(range: TextRange) -> Place {
    Place { file: FileId(0), range }
}

/// True if statements are lists in parentheses, so that a part can be added or removed alone.
pub(super) fn is_prefix(facts: &Facts) -> bool {
    facts.source.language == Language::GdlPrefix
}

/// True if a repair may depend on statements anywhere in the text. While a large text is edited, only parts of it are
/// looked at, which do not show such repairs.
pub(super) fn sees_all(facts: &Facts) -> bool {
    facts.source.text.len() < LARGE
}

/// Writes another name instead of these terms or functors.
pub(super) fn rename(facts: &Facts, terms: impl IntoIterator<Item = TermId>, name: &str) -> Fix {
    Fix::rename(terms.into_iter().map(|term| here(facts.term(term).name_range())), name)
}

/// The places of a variable in a rule.
pub(super) fn places_of(facts: &Facts, rule: &RuleNode, variable: u32) -> Vec<TermId> {
    rule.terms().filter(|id| facts.term(*id).variable() == Some(variable)).collect()
}

/// Adds a statement after the one at a place.
pub(super) fn statement(facts: &Facts, after: RuleId, statement: &str) -> Fix {
    Fix::statement(here(facts.lowered.rules[after as usize].range), statement)
}

/// Removes the statement, unless the game would lack its keyword or a name that is read then.
pub(super) fn without_rule(facts: &Facts, rule: RuleId) -> Option<Fix> {
    let node = &facts.lowered.rules[rule as usize];
    let head = node.head()?;
    let names = [Some((Space::Relation, head)), facts.inner(head)].into_iter().flatten();
    let made = names.filter_map(|(space, term)| facts.predicate(space, facts.term(term).sym));
    let is_needed = |made: &Predicate| keyword::is_relation(made.sym) || made.read().next().is_some();
    let is_last = made.into_iter().any(|made| is_needed(made) && made.produced_or_declared().all(|it| it.rule == rule));
    let what = if node.is_fact() { "the fact" } else { "the rule" };
    (!is_last && sees_all(facts)).then(|| Fix::removal(&facts.source.text, here(node.range), what))
}

/// Removes the condition around a place, if the others bind all variables.
pub(super) fn without_condition(facts: &Facts, rule: RuleId, part: TextRange) -> Option<Fix> {
    let rule = &facts.lowered.rules[rule as usize];
    let at = rule.body().iter().position(|literal| facts.literal_range(literal).contains_range(part))?;
    let rest = rule.body().iter().enumerate().filter(|(other, _)| *other != at).map(|(_, literal)| literal);
    if rule.body().len() < 2 || !is_prefix(facts) || !is_safe(facts, rule, rest) {
        return None;
    }
    let range = facts.literal_range(&rule.body()[at]);
    let text = facts.text(range);
    let what = if text.len() > 60 { "the condition".to_string() } else { format!("`{text}`") };
    Some(Fix::removal(&facts.source.text, here(range), &what))
}

/// Removes every condition that reads a name, if each can be removed.
pub(super) fn without_reads(facts: &Facts, predicate: &Predicate) -> Option<Fix> {
    const MOST: usize = 20;
    if !sees_all(facts) {
        return None;
    }
    let reads: Vec<&Occurrence> = predicate.read().take(MOST + 1).collect();
    let each = |read: &&Occurrence| without_condition(facts, read.rule, facts.range(read.term));
    let fixes: Vec<Fix> = reads.iter().map(each).collect::<Option<_>>()?;
    let is_one_each = reads.windows(2).all(|pair| pair[0].rule != pair[1].rule);
    if fixes.is_empty() || fixes.len() > MOST || !is_one_each {
        return None;
    }
    let title = match &fixes[..] {
        [one] => one.title.clone(),
        _ => format!("Remove these {} conditions", fixes.len()),
    };
    Some(Fix::new(title, fixes.into_iter().flat_map(|fix| fix.edits).collect()))
}

/// True if some of a rule's conditions bind all variables of the head and of the negated ones among them.
fn is_safe<'r>(facts: &Facts, rule: &RuleNode, body: impl Iterator<Item = &'r Literal> + Clone) -> bool {
    let bound: FxHashSet<u32> =
        body.clone().flat_map(|literal| bound_by(facts, std::slice::from_ref(literal))).collect();
    let parts = body.filter(|literal| !matches!(literal, Literal::Atom(_))).map(|literal| facts.literal_range(literal));
    let ranges: Vec<TextRange> = parts.chain(rule.head().map(|head| facts.range(head))).collect();
    let mut tested = rule.terms().filter(|id| ranges.iter().any(|range| range.contains_range(facts.range(*id))));
    tested.all(|id| facts.term(id).variable().is_none_or(|variable| bound.contains(&variable)))
}

/// The variables that a conjunction binds.
pub(super) fn bound_by(facts: &Facts, literals: &[Literal]) -> FxHashSet<u32> {
    let mut bound = FxHashSet::default();
    for literal in literals {
        match literal {
            Literal::Atom(atom) => mark(facts, *atom, &mut bound),
            Literal::And { parts, .. } => bound.extend(bound_by(facts, parts)),
            Literal::Or { parts, .. } => bound.extend(bound_by_all(facts, parts)),
            Literal::Not { .. } | Literal::Distinct { .. } => {}
        }
    }
    bound
}

/// The variables that every branch of an `or` binds.
fn bound_by_all(facts: &Facts, branches: &[Literal]) -> FxHashSet<u32> {
    let Some((first, others)) = branches.split_first() else { return FxHashSet::default() };
    let mut bound = bound_by(facts, std::slice::from_ref(first));
    for branch in others {
        if bound.is_empty() {
            break;
        }
        let here = bound_by(facts, std::slice::from_ref(branch));
        bound.retain(|variable| here.contains(variable));
    }
    bound
}

/// Adds the variables of a term.
pub(super) fn mark(facts: &Facts, term: TermId, bound: &mut FxHashSet<u32>) {
    let node = facts.term(term);
    bound.extend(node.variable());
    node.args().for_each(|arg| mark(facts, arg, bound));
}
