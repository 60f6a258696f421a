//! A description without roles, legal moves, goals or an end.

use crate::gdl::{Facts, Space, Sym, keyword, slips};
use crate::{Findings, Rule, Severity};
use percept_syntax::TextRange;

/// See the page.
pub static RULE: Rule =
    Rule { name: "incomplete-game", severity: Severity::Error, page: include_str!("incomplete-game.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let start = facts.lowered.rules.first().map_or(TextRange::at(0), |rule| {
        rule.head.map_or(rule.statement.range, |head| facts.term(head).name_range())
    });
    let needed = [
        (keyword::ROLE, "who plays: add `(role name)` for each role"),
        (keyword::LEGAL, "which moves there are: add rules for `(legal role move)`"),
        (keyword::TERMINAL, "when the match is over: add rules for `terminal`"),
        (keyword::GOAL, "what the roles get: add rules for `(goal role value)`"),
    ];
    let missing: Vec<_> = needed
        .into_iter()
        .filter(|(sym, _)| {
            let heads = facts.predicate(Space::Relation, *sym).map(|predicate| predicate.produced().count());
            heads.unwrap_or(0) == 0 && !facts.is_torn(*sym) && !is_misspelled(facts, *sym)
        })
        .collect();
    match &missing[..] {
        [] => {}
        [(sym, what)] => {
            findings.push(facts.at(&RULE, start, format!("no rule for `{}` says {what}", facts.name(*sym))));
        }
        several => {
            let names: Vec<String> = several.iter().map(|(sym, _)| format!("`{}`", facts.name(*sym))).collect();
            let message = format!("this is no whole game yet: there are no rules for {}", names.join(", "));
            findings.push(facts.at(&RULE, start, message));
        }
    }
}

/// Whether an unused relation is this keyword with a slip; that is reported there.
fn is_misspelled(facts: &Facts, sym: Sym) -> bool {
    slips::unused(facts, Space::Relation).any(|unused| slips::near_keyword(facts, unused) == Some(facts.name(sym)))
}
