//! Parentheses and arrows with nothing in them.

use crate::gdl::{Facts, Shape, Sym, keyword};
use crate::{FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::Language;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "empty-parentheses", severity: Severity::Warning, page: include_str!("empty-parentheses.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for (_, rule) in facts.sound_rules() {
        if let (Some(arrow), true, Some(head)) = (rule.statement.arrow, rule.body.is_empty(), rule.head) {
            let head = facts.text(facts.range(head)).to_string();
            let message = format!("this rule has no conditions: write the fact `{head}`");
            let edit = TextEdit { file: FileId(0), range: rule.statement.range, insert: head };
            findings.push(facts.at(&RULE, arrow, message).fix("Make it a fact", vec![edit]));
        }
        for id in rule.terms() {
            let node = facts.term(id);
            if node.shape != Shape::Compound || node.arity() > 0 || facts.source.language == Language::GdlInfix {
                continue;
            }
            let name = &node.ast.name.text;
            if has_plain_form(facts, node.sym) || node.sym == keyword::TERMINAL {
                let message = match node.sym {
                    keyword::TERMINAL => {
                        "write `terminal` without parentheses: other programs do not know `(terminal)`".to_string()
                    }
                    _ => format!(
                        "`({name})` and `{name}` are two different things: the game has `{name}` elsewhere, write that"
                    ),
                };
                let edit = TextEdit { file: FileId(0), range: node.range(), insert: name.to_string() };
                findings.push(facts.at(&RULE, node.range(), message).fix(format!("Write `{name}`"), vec![edit]));
            }
        }
    }
}

/// Whether the name also stands without parentheses.
fn has_plain_form(facts: &Facts, sym: Sym) -> bool {
    facts.lowered.terms.iter().any(|node| node.shape == Shape::Constant && node.sym == sym)
}
