//! `init`, `base`, `input` or `percept` that depend on the state or the moves.

use crate::gdl::{Facts, Space, keyword};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule = Rule {
    name: "state-dependent-declaration",
    severity: Severity::Error,
    page: include_str!("state-dependent-declaration.md"),
};

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for sym in [keyword::INIT, keyword::BASE, keyword::INPUT, keyword::ACTION, keyword::PERCEPT] {
        if facts.predicate(Space::Relation, sym).is_none() {
            continue;
        }
        let path = [keyword::DOES, keyword::TRUE].into_iter().find_map(|target| facts.graph.path(sym, target));
        let Some(path) = path else { continue };
        let last = facts.name(path[path.len() - 1].to);
        let message = format!(
            "`{}` depends on `{last}`, but it is evaluated before the match: use relations that never change",
            facts.name(sym)
        );
        let mut finding = facts.at(&RULE, facts.range(path[0].atom), message);
        for step in &path[1..] {
            let word = format!("`{}` depends on `{}`", facts.name(step.from), facts.name(step.to));
            finding = finding.related(FileId(0), facts.range(step.atom), word);
        }
        findings.push(finding);
    }
}
