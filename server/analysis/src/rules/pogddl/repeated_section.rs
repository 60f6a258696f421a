//! Sections and fields that may occur only once.

use percept_syntax::TextRange;
use percept_syntax::pddl::Section;

use crate::pddl::{Facts, all_differ};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "repeated-section", severity: Severity::Error, page: include_str!("repeated-section.md") };

/// Sections that may occur any number of times.
const MANY: [&str; 9] =
    [":action", ":derived", ":gain", ":durative-action", ":event", ":process", ":axiom", ":method", ":task"];

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if let Some(domain) = model.domain {
        once(facts, model.domain_file, &domain.sections, "section", findings);
        for action in facts.actions() {
            once(facts, model.domain_file, &action.fields, "field", findings);
        }
    }
    if let Some(problem) = model.problem {
        once(facts, model.problem_file, &problem.sections, "section", findings);
    }
}

fn once(facts: &Facts, file: FileId, sections: &[Section], what: &str, findings: &mut Findings) {
    // This is nearly always so, and an action has few fields.
    if sections.len() < 8 && all_differ(sections) {
        return;
    }
    let mut seen: Vec<(&Section, TextRange)> = Vec::new();
    for section in sections.iter().filter(|section| !MANY.iter().any(|word| section.keyword.is(word))) {
        let first = seen.iter().find(|(first, _)| first.keyword.is(&section.keyword.text));
        if let Some((_, first)) = first {
            let message = format!("there is a {what} `{}` already: join the two", section.keyword.text);
            let finding = facts.at(&RULE, file, section.keyword.range, message);
            findings.push(finding.related(file, *first, "the first one"));
        } else if seen.len() < 64 {
            seen.push((section, section.keyword.range));
        }
    }
}
