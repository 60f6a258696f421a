//! A parenthesis that closes too early, so that a literal falls out of its rule.

use crate::gdl::{Facts, RuleNode, keyword};
use crate::{FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::{Language, TextRange};

/// See the page.
pub static RULE: Rule =
    Rule { name: "literal-outside-rule", severity: Severity::Error, page: include_str!("literal-outside-rule.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    if facts.source.language == Language::GdlInfix {
        return;
    }
    let rules = &facts.lowered.rules;
    let mut n = 1;
    while n < rules.len() {
        let before = &rules[n - 1];
        if before.is_fact() || !looks_fallen(facts, &rules[n]) {
            n += 1;
            continue;
        }
        let first = n;
        while n + 1 < rules.len() && looks_fallen(facts, &rules[n + 1]) {
            n += 1;
        }
        report(facts, findings, before, &rules[first], &rules[n], rules.get(n + 1));
        n += 1;
    }
}

/// A fact that can only be a literal: `true`, `not` and the like, or with a variable.
fn looks_fallen(facts: &Facts, rule: &RuleNode) -> bool {
    let Some(head) = rule.head.map(|head| facts.term(head)) else { return false };
    let literal_only = matches!(head.sym, keyword::TRUE | keyword::DOES)
        || (keyword::is_connective(head.sym) && head.sym != keyword::ARROW);
    rule.is_fact() && head.variable().is_none() && (literal_only || !rule.variables.is_empty())
}

fn report(
    facts: &Facts,
    findings: &mut Findings,
    rule: &RuleNode,
    first: &RuleNode,
    last: &RuleNode,
    next: Option<&RuleNode>,
) {
    let closing = TextRange::new(rule.statement.range.end.saturating_sub(1), rule.statement.range.end);
    let end = last.statement.range.end;
    let next_start = next.map_or(facts.source.text.len() as u32, |next| next.statement.range.start);
    let stray = facts.source.errors.iter().find(|error| {
        error.range.start >= end && error.range.end <= next_start && facts.text(error.range).trim() == ")"
    });
    let literal = facts.text(first.statement.range);
    let shown = if literal.len() > 60 { "this literal" } else { literal };
    let mut finding = facts
        .at(
            &RULE,
            first.statement.range,
            format!("`{shown}` stands outside the rule before it: move the `)` that closes the rule behind it"),
        )
        .related(FileId(0), closing, "the rule ends here");
    if facts.text(closing) == ")" {
        let mut edits = vec![TextEdit { file: FileId(0), range: closing, insert: String::new() }];
        if stray.is_none() {
            edits.push(TextEdit { file: FileId(0), range: TextRange::at(end), insert: ")".into() });
        }
        finding = finding.fix("Move the parenthesis", edits);
    }
    if let Some(error) = stray {
        findings.explain(FileId(0), error.range);
    }
    findings.push_cause(finding, first.statement.range.cover(last.statement.range));
}
