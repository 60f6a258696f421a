//! A fact missing from, or turned round in, a row such as `(succ 1 2) (succ 2 3) ...`.

use rustc_hash::FxHashSet;

use crate::gdl::{Facts, Predicate, Space, TermId, keyword};
use crate::{Diagnostic, FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::{Language, TextRange};

/// See the page.
pub static RULE: Rule =
    Rule { name: "broken-sequence", severity: Severity::Warning, page: include_str!("broken-sequence.md") };

/// Shorter rows are no rows.
const LEAST: usize = 6;

pub fn check(facts: &Facts, findings: &mut Findings) {
    for relation in facts.predicates.iter().filter(|predicate| predicate.space == Space::Relation) {
        if keyword::is_relation(relation.sym) || facts.is_doubtful(relation.sym) {
            continue;
        }
        let Some(links) = links(facts, relation) else { continue };
        findings_of(facts, &links).into_iter().for_each(|finding| findings.push(finding));
    }
}

/// A fact from a number to another.
struct Link {
    from: i64,
    to: i64,
    term: TermId,
}

/// All facts of a relation of two numbers, where it has no rules.
fn links(facts: &Facts, relation: &Predicate) -> Option<Vec<Link>> {
    let mut links = Vec::new();
    for made in relation.produced() {
        let rule = &facts.lowered.rules[made.rule as usize];
        let node = facts.term(made.term);
        if !rule.is_fact() || node.arity() != 2 || rule.broken {
            return None;
        }
        let number = |n: usize| node.arg(n).and_then(|arg| facts.text(facts.range(arg)).parse::<i64>().ok());
        links.push(Link { from: number(0)?, to: number(1)?, term: made.term });
    }
    (links.len() >= LEAST).then_some(links)
}

fn findings_of(facts: &Facts, links: &[Link]) -> Option<Diagnostic> {
    let leads = |link: &Link, step: i64| link.from.checked_add(step) == Some(link.to);
    let count = |step: i64| links.iter().filter(|link| leads(link, step)).count();
    let step = if count(1) >= count(-1) { 1 } else { -1 };
    let (row, others): (Vec<&Link>, Vec<&Link>) = links.iter().partition(|link| leads(link, step));
    if others.len() > 1 {
        return None;
    }
    let known: FxHashSet<i64> = row.iter().map(|link| link.from).collect();
    let (first, last) = (*known.iter().min()?, *known.iter().max()?);
    // Two gaps are no slip, so this ends soon.
    let mut gaps = (first..=last).filter(|from| !known.contains(from));
    let (gap, None) = (gaps.next()?, gaps.next()) else { return None };
    let name = &facts.term(links[0].term).ast.name.text;
    let (from, to) = (gap, gap + step);
    let missing = match facts.source.language {
        Language::GdlInfix => format!("{name}({from}, {to})"),
        _ => format!("({name} {from} {to})"),
    };
    if let Some(other) = others.first() {
        let meant = other.from == from || other.to == to || (other.from, other.to) == (to, from);
        let range = facts.range(other.term);
        let message = format!(
            "this breaks the row of `{name}`, whose other facts lead to the next number: did you mean `{missing}`?"
        );
        let edit = TextEdit { file: FileId(0), range, insert: missing.clone() };
        return meant.then(|| facts.at(&RULE, range, message).fix(format!("Change to `{missing}`"), vec![edit]));
    }
    let before = row.iter().find(|link| link.to == gap)?;
    let range = facts.range(before.term);
    let edit = TextEdit { file: FileId(0), range: TextRange::at(range.end), insert: format!("\n{missing}") };
    let message = format!("the row of `{name}` breaks off here and goes on later: `{missing}` is missing");
    Some(facts.at(&RULE, range, message).fix(format!("Add `{missing}`"), vec![edit]))
}
