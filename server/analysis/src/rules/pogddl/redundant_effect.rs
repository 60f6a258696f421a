//! Effects that change nothing.

use crate::pddl::{EffectFlaw, Facts, remove};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "redundant-effect", severity: Severity::Warning, page: include_str!("redundant-effect.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    for found in &facts.effects {
        let derived = model.atom(found.atom).callable.is_some_and(|head| !facts.usage.of(head).heads.is_empty());
        if derived {
            continue;
        }
        let text = facts.quote(model.domain_file, found.range);
        let other = facts.quote(model.domain_file, found.because);
        let (message, word) = match found.flaw {
            EffectFlaw::Implied if is_negated(&other) == (model.atom(found.atom).range == found.range) => {
                (format!("`{text}` changes nothing: `{other}` is ruled out already"), "ruled out here")
            }
            EffectFlaw::Implied => {
                (format!("`{text}` changes nothing: `{other}` is required, so it holds already"), "required here")
            }
            EffectFlaw::Repeated => (format!("`{text}` is already an effect: remove it"), "the same effect"),
            _ => continue,
        };
        let mut finding = facts.at(&RULE, model.domain_file, found.range, message).unnecessary();
        finding = finding.related(model.domain_file, found.because, word);
        finding
            .fixes
            .push(remove(format!("Remove `{text}`"), model.domain_source, model.domain_file, found.range).safe());
        findings.push(finding);
    }
}

/// True if a literal as written is a negation. Inside another `not` it is the opposite of the requirement.
fn is_negated(literal: &str) -> bool {
    fn inner(text: &str) -> Option<&str> {
        let rest = text.strip_prefix('(')?.trim_start();
        let (word, rest) = rest.split_at_checked(3)?;
        let is_not = word.eq_ignore_ascii_case("not") && rest.starts_with(['(', ' ']);
        is_not.then(|| rest.trim_start())
    }
    std::iter::successors(inner(literal), |text| inner(text)).count() % 2 == 1
}
