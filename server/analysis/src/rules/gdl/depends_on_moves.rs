//! `legal`, `goal` or `terminal` that depend on `does`.

use crate::gdl::{Facts, Space, Sym, keyword};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "depends-on-moves", severity: Severity::Error, page: include_str!("depends-on-moves.md") };

const STATIC: [Sym; 3] = [keyword::LEGAL, keyword::TERMINAL, keyword::GOAL];

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for sym in STATIC {
        if facts.predicate(Space::Relation, sym).is_none() {
            continue;
        }
        let Some(path) = facts.graph.path(sym, keyword::DOES) else { continue };
        // A dependence through another of the three, or through a keyword that is not allowed in a body, is reported at
        // that place.
        let elsewhere = |to: Sym| {
            (STATIC.contains(&to) && to != sym) || matches!(to, keyword::SEES | keyword::NEXT | keyword::TRUE)
        };
        if path.iter().any(|edge| elsewhere(edge.to)) {
            continue;
        }
        let way: Vec<String> = path.iter().map(|edge| format!("`{}`", facts.name(edge.to))).collect();
        let message = format!(
            "`{}` depends on the moves of the round ({}), but the state alone must decide it: record the moves in a \
            fluent (`next`) and read that fluent",
            facts.name(sym),
            way.join(" → "),
        );
        let mut finding = facts.at(&RULE, facts.range(path[0].atom), message);
        for step in &path[1..] {
            let word = format!("`{}` depends on `{}`", facts.name(step.from), facts.name(step.to));
            finding = finding.related(FileId(0), facts.range(step.atom), word);
        }
        findings.push(finding);
    }
}
