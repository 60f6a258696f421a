//! A relation that is defined and never used.

use super::mends;
use crate::gdl::{Facts, Predicate, Space, keyword, same_ends, slips};
use crate::{FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::TextRange;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unused-relation", severity: Severity::Warning, page: include_str!("unused-relation.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for predicate in facts.unused(Space::Relation) {
        // The conditions of a missing rule for `goal` or `terminal` cannot be guessed.
        let is_concept =
            predicate.produced().all(|occurrence| !facts.lowered.rules[occurrence.rule as usize].is_fact());
        let meant_for_more = is_concept
            && findings.reported_anywhere(&super::incomplete_game::RULE)
            && facts.near_keyword(predicate).is_none();
        if facts.explains_undefined(predicate) || meant_for_more {
            continue;
        }
        let Some(first) = predicate.produced().find(|occurrence| !facts.is_broken(occurrence.rule)) else { continue };
        let name = facts.name(predicate.sym);
        let node = facts.term(first.term);
        let rule = &facts.lowered.rules[first.rule as usize];
        let prefix = facts.source.language == percept_syntax::Language::GdlPrefix;
        if let Some(keyword) = facts.near_keyword(predicate) {
            let edit = TextEdit { file: FileId(0), range: node.name_range(), insert: keyword.to_string() };
            let message = format!("nothing uses `{name}`: did you mean the keyword `{keyword}`?");
            let mut finding = facts.at(&RULE, node.name_range(), message);
            finding.severity = Severity::Error;
            findings.push(finding.fix(format!("Rename to `{keyword}`"), vec![edit]));
            continue;
        }
        let is_fluent = facts.predicate(Space::Fluent, predicate.sym).is_some();
        // The intended table is one slip away, and it is read.
        let is_table = |it: &Predicate| it.produced().all(|made| facts.lowered.rules[made.rule as usize].is_fact());
        let is_meant = |other: &&Predicate| {
            is_table(predicate)
                && is_table(other)
                && other.read().next().is_some()
                && other.sym != predicate.sym
                && slips::are_one_name(facts, predicate, other)
        };
        if let Some(near) = slips::meant(facts, predicate, slips::defined(facts, Space::Relation).filter(is_meant))
            && !is_fluent
            && same_ends(name, near)
        {
            let message = format!("nothing uses `{name}`: did you mean `{near}`?");
            findings.push(facts.at(&RULE, node.name_range(), message).offer([mends::rename(
                facts,
                predicate.occurrences.iter().map(|it| it.term),
                near,
            )]));
            continue;
        }
        let wrapper = if rule.is_fact() { "init" } else { "next" };
        let mut finding = if is_fluent && !keyword::is_relation(predicate.sym) {
            let text = facts.text(node.range());
            let (open, written) = match prefix {
                true => (format!("({wrapper} "), format!("({wrapper} {text})")),
                false => (format!("{wrapper}("), format!("{wrapper}({text})")),
            };
            let message = format!(
                "nothing reads the relation `{name}`, but there is a fluent of this name: did you mean `{written}`?"
            );
            let edits = vec![
                TextEdit { file: FileId(0), range: TextRange::at(node.range().start), insert: open },
                TextEdit { file: FileId(0), range: TextRange::at(node.range().end), insert: ")".into() },
            ];
            facts.at(&RULE, node.name_range(), message).fix(format!("Put it inside `{wrapper}`"), edits)
        } else {
            let message = format!("nothing uses `{name}`: use it or remove it");
            facts.at(&RULE, node.name_range(), message).fix(format!("Remove `{name}`"), removal(facts, predicate))
        };
        finding = finding.unnecessary();
        findings.push(finding);
    }
}

/// Removes every statement with this head.
fn removal(facts: &Facts, predicate: &Predicate) -> Vec<TextEdit> {
    predicate
        .produced()
        .map(|occurrence| TextEdit {
            file: FileId(0),
            range: facts.lowered.rules[occurrence.rule as usize].range,
            insert: String::new(),
        })
        .collect()
}
