//! A fluent, or a move, that is read and never made.

use super::mends;
use crate::gdl::{Facts, Occurrence, Predicate, Space, keyword, slips};
use crate::{Diagnostic, FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unknown-fluent", severity: Severity::Warning, page: include_str!("unknown-fluent.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for space in [Space::Fluent, Space::Move] {
        for predicate in facts.undefined(space) {
            if super::outside_declaration::explains(facts, predicate) {
                continue;
            }
            if space == Space::Move && predicate.read().all(|read| is_of_idle_role(facts, read)) {
                continue;
            }
            let Some(first) = predicate.read().find(|occurrence| !facts.is_broken(occurrence.rule)) else { continue };
            let mut finding = describe(facts, predicate, first);
            for other in predicate.read().filter(|other| other.term != first.term).take(5) {
                finding = finding.related(FileId(0), facts.range(other.term), "also read here");
            }
            findings.push(finding);
        }
    }
}

/// True if the condition is about the move of a role without any moves, which is reported at the role.
fn is_of_idle_role(facts: &Facts, read: &Occurrence) -> bool {
    let around = facts.around(read.term).map(|outer| facts.term(outer)).filter(|outer| outer.sym == keyword::DOES);
    let role = around.and_then(|does| does.arg(0)).map(|arg| facts.term(arg).sym);
    role.is_some_and(|role| facts.domains.idle_roles().contains(&role))
}

fn describe(facts: &Facts, predicate: &Predicate, first: &Occurrence) -> Diagnostic {
    let name = facts.name(predicate.sym);
    let node = facts.term(first.term);
    let at = |message: String| facts.at(&RULE, node.name_range(), message);
    let (what, made) = match predicate.space {
        Space::Move => ("move", "`legal`"),
        _ => ("fluent", "`init` or `next`"),
    };
    let near = facts.near_defined(predicate.space).of(name);
    let near = near.filter_map(|(_, sym)| facts.predicate(predicate.space, sym));
    if let Some(near) = slips::meant(facts, predicate, near).or_else(|| facts.guessed(predicate)) {
        let mut finding = at(format!("no {made} makes the {what} `{name}`: did you mean `{near}`?"))
            .offer([mends::rename(facts, predicate.occurrences.iter().map(|it| it.term), near)]);
        finding.severity = Severity::Error;
        return finding;
    }
    if slips::is_made(facts, Space::Relation, predicate.sym) && predicate.space == Space::Fluent {
        let outer = slips::around(facts, first);
        let finding =
            at(format!("`{name}` is a relation and not a fluent: write `{}` without `true`", facts.text(node.range())));
        let Some(outer) = outer else { return finding };
        let edit = TextEdit { file: FileId(0), range: outer, insert: facts.text(node.range()).to_string() };
        return finding.fix("Take it out of `true`", vec![edit]);
    }
    at(format!("no {made} makes the {what} `{name}`, so this can never hold"))
        .offer(mends::moves(facts, predicate))
        .offer(mends::without_reads(facts, predicate))
}
