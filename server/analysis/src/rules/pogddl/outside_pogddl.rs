//! Parts of PDDL that games do not have.

use crate::pddl::{Facts, file_of};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "outside-pogddl", severity: Severity::Information, page: include_str!("outside-pogddl.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    for (file, source) in [(FileId(0), model.domain_source), (FileId(1), model.problem_source)] {
        // A file with both halves is one source.
        if file == FileId(1) && model.problem_file == FileId(0) && model.problem.is_some() {
            continue;
        }
        let Some(parsed) = source.and_then(file_of) else { continue };
        let mut seen: Vec<&str> = Vec::new();
        for outside in parsed.outside.iter().filter(|outside| !outside.keyword.is(":observe")) {
            if seen.contains(&outside.what) {
                continue;
            }
            seen.push(outside.what);
            let message = format!("`{}` is {}: Percept reads it and plays without it", outside.keyword.text, outside.what);
            findings.push(facts.at(&RULE, file, outside.keyword.range, message));
        }
    }
}
