//! A fluent that never begins to hold, because every rule that makes it needs it.

use super::mends;
use crate::gdl::{Facts, Space, keyword, unbegun};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "fluent-without-init", severity: Severity::Warning, page: include_str!("fluent-without-init.md") };

/// The most rules that are named beside a finding.
const NAMED: usize = 4;

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    // A description without any `init` is reported as such.
    if findings.reported_anywhere(&super::incomplete_game::RULE) {
        return;
    }
    for lacks in unbegun(facts) {
        let made = facts.predicate(Space::Fluent, lacks.fluent).and_then(|it| it.produced().next());
        let Some(made) = made.filter(|_| !facts.is_doubtful(lacks.fluent)) else { continue };
        let name = facts.name(lacks.fluent);
        let shown = if facts.term(made.term).arity() == 0 { name.to_string() } else { format!("({name} ...)") };
        let message = format!(
            "`{shown}` never holds: no `init` makes it, and its rules for `next` need it to hold already; add `(init {shown})`, or a rule for `next` that begins it"
        );
        let finding = facts.at(&RULE, facts.term(made.term).name_range(), message);
        let finding = finding.offer(mends::beginnings(facts, made.term));
        let silent = lacks.silent.iter().filter_map(|rule| facts.lowered.rules[*rule as usize].head());
        let silent = silent.filter(|head| facts.term(*head).sym != keyword::INIT);
        findings.push(
            silent.take(NAMED).fold(finding, |finding, head| {
                finding.related(FileId(0), facts.range(head), "so this rule never fires")
            }),
        );
    }
}
