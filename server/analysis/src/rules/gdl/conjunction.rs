//! `and`, which prefix GDL does not have.

use crate::gdl::{Facts, Literal};
use crate::{FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::{Language, TextRange};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "conjunction", severity: Severity::Warning, page: include_str!("conjunction.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    // Infix text joins conditions with its own sign.
    if facts.source.language != Language::GdlPrefix {
        return;
    }
    for (_, rule) in facts.sound_rules() {
        let mut found = Conjunctions::default();
        rule.body().iter().for_each(|part| found.look(facts, part, true));
        found.tell(facts, findings);
    }
}

/// The words `and` of a rule, joined into one finding.
#[derive(Default)]
struct Conjunctions {
    words: Vec<TextRange>,
    /// True if one of them is inside an `or`.
    in_or: bool,
    /// The edits that remove the others.
    edits: Vec<TextEdit>,
}

impl Conjunctions {
    /// Searches literals for `and`. `is_joined`: the literals beside this one must hold as well.
    fn look(&mut self, facts: &Facts, literal: &Literal, is_joined: bool) {
        match literal {
            Literal::And { range, keyword, parts } => {
                self.words.push(*keyword);
                self.in_or |= !is_joined;
                if is_joined {
                    // A comment after the word stays.
                    let first = parts.first().map_or(keyword.end, |first| facts.literal_range(first).start);
                    let is_blank = facts.text(TextRange::new(keyword.end, first)).trim().is_empty();
                    let end = if is_blank { first } else { keyword.end };
                    for (start, end) in [(range.start, end), (range.end - 1, range.end)] {
                        let range = TextRange::new(start, end);
                        self.edits.push(TextEdit { file: FileId(0), range, insert: String::new() });
                    }
                }
                parts.iter().for_each(|part| self.look(facts, part, is_joined));
            }
            Literal::Or { parts, .. } => parts.iter().for_each(|part| self.look(facts, part, false)),
            // Misplaced literals under `not` are reported by another rule.
            Literal::Not { .. } | Literal::Atom(_) | Literal::Distinct { .. } => {}
        }
    }

    fn tell(self, facts: &Facts, findings: &mut Findings) {
        let Some((first, others)) = self.words.split_first() else { return };
        let advice = match self.in_or {
            true => "make a rule for each side of the `or`",
            false => "leave it out: all conditions of a rule must hold",
        };
        let message = format!("GDL has no `and`, and other programs take it for a relation: {advice}");
        let mut finding = facts.at(&RULE, *first, message);
        for other in others.iter().take(5) {
            finding = finding.related(FileId(0), *other, "also here");
        }
        if !self.edits.is_empty() {
            finding = finding.fix("Leave out `and`", self.edits);
        }
        findings.push(finding);
    }
}
