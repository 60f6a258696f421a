//! Names with characters that other programs may not read.

use crate::gdl::Facts;
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unusual-character", severity: Severity::Information, page: include_str!("unusual-character.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let mut seen = vec![false; facts.lowered.symbols.len()];
    for node in &facts.lowered.terms {
        // All spellings of a name have the same characters, apart from capitals.
        if node.variable().is_none() && std::mem::replace(&mut seen[node.sym.index()], true) {
            continue;
        }
        let name = facts.spelling(node);
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.chars().all(plain) {
            continue;
        }
        let odd: String = name.chars().filter(|c| !plain(*c)).take(1).collect();
        let message = format!(
            "`{name}` has the character `{odd}`: other programs may not read it; use letters, digits, `_` and `-`"
        );
        findings.push(facts.at(&RULE, node.name_range(), message));
    }
}
