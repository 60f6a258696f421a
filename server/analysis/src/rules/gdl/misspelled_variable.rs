//! A variable used once whose name is one letter from another of the rule.

use crate::gdl::{Facts, one_slip_apart};
use crate::{FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub static RULE: Rule =
    Rule { name: "misspelled-variable", severity: Severity::Warning, page: include_str!("misspelled-variable.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    for (_, rule) in facts.sound_rules() {
        for (n, variable) in rule.variables.iter().enumerate().filter(|(_, variable)| variable.count == 1) {
            let node = facts.term(variable.first);
            let name = &node.ast.name.text;
            let near = rule.variables.iter().enumerate().find(|(m, other)| {
                let other_name = &facts.term(other.first).ast.name.text;
                *m != n && (other.count > 1 || *m < n) && one_slip_apart(name, other_name) && same_ends(name, other_name)
            });
            let Some((_, near)) = near else { continue };
            let range = node.range();
            if findings.reported(FileId(0), range) || findings.reported(FileId(0), facts.range(near.first)) {
                continue;
            }
            let (shown, insert) = (facts.text(range), facts.text(facts.range(near.first)).to_string());
            let message = format!("`{shown}` is used once: did you mean `{insert}`?");
            findings.push(
                facts
                    .at(&RULE, range, message)
                    .related(FileId(0), facts.range(near.first), "one letter apart")
                    .fix(format!("Rename to `{insert}`"), vec![TextEdit { file: FileId(0), range, insert }]),
            );
        }
    }
}

/// Names that begin or end with another letter are a family (`?xFrom`, `?yFrom`), not a slip.
fn same_ends(a: &str, b: &str) -> bool {
    let ends = |name: &str| (name.chars().next(), name.chars().next_back());
    ends(a) == ends(b)
}
