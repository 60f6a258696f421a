//! `next` or `legal` as a condition.

use crate::gdl::{Facts, Space, Sym, keyword};
use crate::{FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "next-in-body", severity: Severity::Warning, page: include_str!("next-in-body.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let Some(next) = facts.predicate(Space::Relation, keyword::NEXT) else { return };
    for occurrence in next.read().filter(|occurrence| !facts.is_broken(occurrence.rule)) {
        let range = facts.term(occurrence.term).name_range();
        let head = facts.lowered.rules[occurrence.rule as usize].head().map(|head| facts.term(head).sym);
        let judges = [keyword::NEXT, keyword::LEGAL, keyword::GOAL, keyword::TERMINAL];
        let is_percept = |head: Sym| {
            head == keyword::SEES
                || !keyword::is_relation(head) && !judges.iter().any(|judge| facts.graph.path(*judge, head).is_some())
        };
        if head.is_some_and(|head| !is_percept(head)) {
            let mut finding = facts.at(&RULE, range, "`next` cannot be in a body: `true` reads the state");
            finding.severity = Severity::Error;
            let edit = TextEdit { file: FileId(0), range, insert: "true".into() };
            findings.push(finding.fix("Read the state with `true`", vec![edit]));
            continue;
        }
        let message = "`next` in a body is outside GDL, although some games use it: a percept should follow from the \
        state (`true`) and the moves (`does`)";
        findings.push(facts.at(&RULE, range, message));
    }
}
