//! Parts of PDDL that games do not have.

use percept_syntax::pddl::Outside;

use crate::pddl::{Facts, file_of};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(crate) static RULE: Rule =
    Rule { name: "outside-pogddl", severity: Severity::Information, page: include_str!("outside-pogddl.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    for (file, source) in model.sources() {
        let Some(parsed) = file_of(source) else { continue };
        let mut seen: Vec<&str> = Vec::new();
        for outside in parsed.outside.iter().filter(|outside| worth_telling(facts, outside)) {
            if seen.contains(&outside.what) {
                continue;
            }
            seen.push(outside.what);
            let how = if outside.is_read { "its names are checked" } else { "it is not read" };
            let message = format!("`{}` is {}, which matches do not have: {how}", outside.keyword.text, outside.what);
            findings.push(facts.at(&RULE, file, outside.keyword.range, message));
        }
    }
}

/// In a domain for planners only parts that are not read are reported: the rest belongs to its language.
fn worth_telling(facts: &Facts, outside: &Outside) -> bool {
    !outside.keyword.is(":observe") && (facts.model.is_pogddl || !outside.is_read)
}
