//! One name in two capitalisations.

use crate::gdl::{Facts, Shape, keyword};
use crate::{FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub static RULE: Rule =
    Rule { name: "inconsistent-case", severity: Severity::Warning, page: include_str!("inconsistent-case.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    for (sym, name) in facts.lowered.symbols.variants() {
        // Keywords have no case.
        if keyword::is_relation(*sym) || keyword::is_connective(*sym) {
            continue;
        }
        let first = facts.name(*sym);
        let message = format!("`{}` is written `{first}` elsewhere: most programs take them for two names", name.text);
        let edit = TextEdit { file: FileId(0), range: name.range, insert: first.to_string() };
        findings.push(facts.at(&RULE, name.range, message).fix(format!("Write `{first}`"), vec![edit]));
    }
    for (_, rule) in facts.sound_rules() {
        for id in rule.terms() {
            let node = facts.term(id);
            let Shape::Variable(variable) = node.shape else { continue };
            let first = &facts.term(rule.variables[variable as usize].first).ast.name.text;
            if *first != node.ast.name.text {
                let (shown, text) = (facts.text(node.range()), &node.ast.name.text);
                let message = format!(
                    "`{shown}` is written with `{first}` in this rule: most programs take `{text}` for another variable"
                );
                findings.push(facts.at(&RULE, node.range(), message));
            }
        }
    }
}
