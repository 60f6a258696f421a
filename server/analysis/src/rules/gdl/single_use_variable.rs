//! Variables that occur once in their rule.

use crate::gdl::Facts;
use crate::{FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::TextRange;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "single-use-variable", severity: Severity::Hint, page: include_str!("single-use-variable.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let places = findings.places(FileId(0));
    for (_, rule) in facts.sound_rules() {
        // A more severe error may be the reason why a variable occurs once.
        let range = rule.statement.range;
        let first = places.partition_point(|place| *place < range.start);
        if places.get(first).is_some_and(|place| *place < range.end) {
            continue;
        }
        for variable in rule.variables.iter().filter(|variable| variable.count == 1) {
            let node = facts.term(variable.first);
            let range = node.range();
            if node.ast.name.text.starts_with('_') || findings.reported(FileId(0), range) {
                continue;
            }
            let shown = facts.text(range);
            let marked = match shown.strip_prefix('?') {
                Some(name) => format!("?_{name}"),
                None => format!("_{shown}"),
            };
            let message = format!(
                "`{shown}` is used once: any value will do here; write `{marked}` if that is \
            intended"
            );
            let at = TextRange::at(range.start + u32::from(shown.starts_with('?')));
            let edit = TextEdit { file: FileId(0), range: at, insert: "_".into() };
            findings.push(facts.at(&RULE, range, message).safe_fix(format!("Rename to `{marked}`"), vec![edit]));
        }
    }
}
