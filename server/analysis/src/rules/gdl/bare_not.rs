//! `not` without its parentheses.

use crate::gdl::{Facts, Literal, keyword};
use crate::{FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::TextRange;

/// See the page.
pub static RULE: Rule =
    Rule { name: "bare-not", severity: Severity::Error, page: include_str!("bare-not.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    for (_, rule) in facts.sound_rules() {
        list(facts, &rule.body, findings);
    }
}

fn list(facts: &Facts, literals: &[Literal], findings: &mut Findings) {
    for (n, literal) in literals.iter().enumerate() {
        match literal {
            Literal::Atom(atom) if facts.term(*atom).sym == keyword::NOT && facts.term(*atom).arity() == 0 => {
                let negated = literals.get(n + 1).map(|next| facts.literal_range(next));
                report(facts, findings, facts.range(*atom), negated);
            }
            Literal::Not { keyword, parts, .. } if parts.len() > 1 && is_bare_word(facts, &parts[0]) => {
                let inner = facts.literal_range(&parts[0]).cover(facts.literal_range(&parts[parts.len() - 1]));
                findings.push(
                    facts
                        .at(
                            &RULE,
                            *keyword,
                            format!("`not` takes one literal: write `(not ({}))`", facts.text(inner)),
                        )
                        .fix("Add the parentheses", wrap(inner, inner)),
                );
            }
            Literal::Not { parts, .. } | Literal::Or { parts, .. } | Literal::And { parts, .. } => {
                list(facts, parts, findings);
            }
            _ => {}
        }
    }
}

/// `true` in `(not true (open))`.
fn is_bare_word(facts: &Facts, literal: &Literal) -> bool {
    matches!(literal, Literal::Atom(atom) if facts.term(*atom).arity() == 0 && facts.term(*atom).variable().is_none())
}

fn report(facts: &Facts, findings: &mut Findings, not: TextRange, negated: Option<TextRange>) {
    let Some(negated) = negated else {
        findings.push(facts.at(&RULE, not, "`not` needs a literal: write `(not (...))`"));
        return;
    };
    let message = format!("`not` needs parentheses of its own: write `(not {})`", facts.text(negated));
    findings.push(facts.at(&RULE, not, message).fix("Add the parentheses", wrap(not, negated)));
    findings.explain(FileId(0), negated);
}

fn wrap(from: TextRange, to: TextRange) -> Vec<TextEdit> {
    vec![
        TextEdit { file: FileId(0), range: TextRange::at(from.start), insert: "(".into() },
        TextEdit { file: FileId(0), range: TextRange::at(to.end), insert: ")".into() },
    ]
}
