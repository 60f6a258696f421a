//! Comments that should define the end of a match, but do not.

use percept_syntax::{Comment, Source, TextRange, near};

use crate::pddl::Facts;
use crate::{FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unclear-end", severity: Severity::Warning, page: include_str!("unclear-end.md") };

const ENDS: [&str; 2] = ["payoff", "no-moves"];

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if !model.is_pogddl {
        return;
    }
    for (file, source) in model.sources() {
        let is_read = model.domain.is_some() && file == model.domain_file;
        let mut first: Option<(&str, TextRange)> = None;
        for comment in source.comments.iter().filter_map(|comment| end_comment(source, comment)) {
            if let (Some(words), Some(meant)) = (comment.behind, comment.meant) {
                findings.push(behind_words(facts, file, &comment, words, meant));
                continue;
            }
            let Some(end) = comment.end.filter(|end| ENDS.contains(end)) else {
                findings.push(misspelled(facts, file, &comment));
                continue;
            };
            if !is_read {
                let message = "the end of a match is declared in the domain's file: move this comment there";
                findings.push(facts.at(&RULE, file, comment.range, message));
                continue;
            }
            let (before, place) = *first.get_or_insert((end, comment.range));
            if before != end {
                let message = format!("a comment above says `{before}`, and the first one counts: remove one of them");
                findings.push(facts.at(&RULE, file, comment.range, message).related(file, place, "said here"));
            }
        }
    }
}

/// A comment about the end, as `terminal = payoff`.
struct EndComment<'a> {
    range: TextRange,
    /// The end of the words before it, if there are any.
    behind: Option<u32>,
    /// The text after the `=` of a well-formed comment.
    end: Option<&'a str>,
    /// The intended value of its last word, if it can be guessed.
    meant: Option<&'static str>,
}

fn end_comment<'a>(source: &'a Source, comment: &Comment) -> Option<EndComment<'a>> {
    let text = source.text.get(comment.range.as_usize())?.trim_end();
    let (words, order) = text.trim_start_matches([';', ' ', '\t']).split_once("percept:")?;
    let order = order.trim();
    let split = order.find(|next: char| next != '-' && !next.is_alphanumeric()).unwrap_or(order.len());
    let (word, rest) = order.split_at(split);
    if !word.eq_ignore_ascii_case("terminal") && near::slip_of(&word.to_lowercase(), ["terminal"]).is_none() {
        return None;
    }
    let end = rest.trim_start().strip_prefix('=').map(str::trim).filter(|_| word == "terminal");
    let last = rest.trim_start_matches([' ', '\t', '=', ':']).to_lowercase();
    let meant = ENDS.iter().copied().find(|end| *end == last).or_else(|| near::slip_of(&last, ENDS));
    let range = source.range_of(order);
    let behind = (!words.is_empty()).then(|| source.range_of(words.trim_end()).end);
    // Prose may mention such a comment.
    (behind.is_none() || meant.is_some()).then_some(EndComment { range, behind, end, meant })
}

/// Reports a comment after other words. `words`: the end of these words.
fn behind_words(facts: &Facts, file: FileId, comment: &EndComment<'_>, words: u32, meant: &str) -> crate::Diagnostic {
    let right = format!("; percept: terminal = {meant}");
    let message = "this is read only at the start of a comment: give it a comment of its own";
    let edit = TextEdit { file, range: TextRange::new(words, comment.range.end), insert: format!("\n{right}") };
    facts.at(&RULE, file, comment.range, message).fix(format!("Put `{right}` on the next line"), vec![edit])
}

fn misspelled(facts: &Facts, file: FileId, comment: &EndComment<'_>) -> crate::Diagnostic {
    match comment.meant {
        Some(meant) => {
            let right = format!("terminal = {meant}");
            let message = format!("this does not define the end of a match: write `{right}`");
            let edit = TextEdit { file, range: comment.range, insert: right.clone() };
            facts.at(&RULE, file, comment.range, message).fix(format!("Change to `{right}`"), vec![edit])
        }
        None => {
            let message = "this does not define the end of a match: write `terminal = payoff` or `terminal = no-moves`";
            facts.at(&RULE, file, comment.range, message)
        }
    }
}
