//! Effects that change nothing.

use percept_syntax::TextRange;

use super::mends;
use crate::pddl::{EffectFlaw, Facts, remove};
use crate::{Findings, Fix, Rule, Severity};

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
        // In a game the sign is rather wrong: an action takes away what it needs.
        if matches!(found.flaw, EffectFlaw::Implied) && model.is_pogddl {
            finding.fixes.extend(turned(facts, found.range));
        }
        finding
            .fixes
            .push(remove(format!("Remove `{text}`"), model.domain_source, model.domain_file, found.range).safe());
        findings.push(finding);
    }
}

/// The opposite of an effect that stands alone, not under a `when` or a `forall`.
fn turned(facts: &Facts, effect: TextRange) -> Option<Fix> {
    let model = &facts.model;
    let text = model.domain_source.map_or("", |source| &source.text);
    let effect = facts.actions().flat_map(|action| action.effects()).find(|it| it.range() == effect)?;
    Some(mends::replaced(model.domain_file, effect.range(), &effect.opposite(text)?))
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
