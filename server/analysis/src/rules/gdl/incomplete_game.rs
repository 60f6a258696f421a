//! A description without roles, legal moves, goals or an end.

use super::mends;
use crate::gdl::{Facts, Literal, Space, Sym, keyword, slips, unbegun};
use crate::{Findings, Rule, Severity};
use percept_syntax::TextRange;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "incomplete-game", severity: Severity::Error, page: include_str!("incomplete-game.md") };

/// The most fluents that a message names.
const SHOWN: usize = 3;

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let start = facts
        .lowered
        .rules
        .first()
        .map_or(TextRange::at(0), |rule| rule.head().map_or(rule.range, |head| facts.term(head).name_range()));
    let needed = [
        (keyword::ROLE, "defines the players: add `(role name)` for each role"),
        (keyword::LEGAL, "defines the moves: add rules for `(legal role move)`"),
        (keyword::INIT, "defines the first state: add `(init fluent)` for each fluent"),
        (keyword::TERMINAL, "ends the match: add rules for `terminal`"),
        (keyword::GOAL, "gives the roles a result: add rules for `(goal role value)`"),
    ];
    let missing: Vec<_> = needed
        .into_iter()
        .filter(|(sym, _)| {
            let heads = facts.predicate(Space::Relation, *sym).map(|predicate| predicate.produced().count());
            let needed = *sym != keyword::INIT || needs_init(facts);
            heads.unwrap_or(0) == 0 && needed && !facts.is_doubtful(*sym) && !is_misspelled(facts, *sym)
        })
        .collect();
    match &missing[..] {
        [] => {}
        [(keyword::INIT, what)] => {
            let fluents = unbegun(facts).into_iter().map(|lacks| format!("`{}`", facts.name(lacks.fluent)));
            let mut fluents: Vec<String> = fluents.collect();
            if fluents.is_empty() {
                fluents.extend(facts.undefined(Space::Fluent).map(|it| format!("`{}`", facts.name(it.sym))));
            }
            let which = match fluents.is_empty() {
                true => String::new(),
                false => format!("; {} never holds without it", fluents[..fluents.len().min(SHOWN)].join(", ")),
            };
            let made = unbegun(facts).into_iter().filter_map(|lacks| facts.predicate(Space::Fluent, lacks.fluent));
            let made = made.filter_map(|fluent| fluent.produced().next().map(|it| it.term));
            let fixes = made.flat_map(|made| mends::beginnings(facts, made)).take(2 * SHOWN);
            findings.push(facts.at(&RULE, start, format!("no rule for `init` {what}{which}")).offer(fixes));
        }
        [(sym, what)] => {
            findings.push(facts.at(&RULE, start, format!("no rule for `{}` {what}", facts.name(*sym))));
        }
        several => {
            let names: Vec<String> = several.iter().map(|(sym, _)| format!("`{}`", facts.name(*sym))).collect();
            let message = format!("the game is not complete: there are no rules for {}", names.join(", "));
            findings.push(facts.at(&RULE, start, message));
        }
    }
}

/// True if some move is legal only if a fluent holds, so that no match can begin without one. A fluent that should be
/// made by another rule is reported separately.
fn needs_init(facts: &Facts) -> bool {
    let asks = |literal: &Literal| matches!(literal, Literal::Atom(atom) if facts.term(*atom).sym == keyword::TRUE);
    let legal = facts.predicate(Space::Relation, keyword::LEGAL).into_iter().flat_map(|legal| legal.produced());
    let mut rules = legal.map(|head| &facts.lowered.rules[head.rule as usize]);
    let any = rules.any(|rule| rule.body().iter().any(asks));
    let misplaced = facts.structure.misplaced.iter().filter_map(|id| facts.lowered.rules[*id as usize].head());
    any && !misplaced.into_iter().any(|head| facts.term(head).sym == keyword::TRUE)
        && !slips::defined(facts, Space::Relation).any(|relation| slips::is_unwrapped_fluent(facts, relation.sym))
}

/// True if an unused relation is this keyword with a slip, which is reported there.
fn is_misspelled(facts: &Facts, sym: Sym) -> bool {
    facts.unused(Space::Relation).any(|unused| facts.near_keyword(unused) == Some(facts.name(sym)))
}
