//! One name in two capitalisations.

use std::collections::BTreeMap;

use percept_syntax::TextRange;

use crate::gdl::{Facts, Shape, Sym, keyword};
use crate::{FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "inconsistent-case", severity: Severity::Warning, page: include_str!("inconsistent-case.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    names(facts, findings);
    for (_, rule) in facts.sound_rules() {
        for id in rule.terms() {
            let node = facts.term(id);
            let Shape::Variable(variable) = node.shape() else { continue };
            let first = facts.spelling(facts.term(rule.variables()[variable as usize].first));
            if first != facts.spelling(node) {
                let (shown, text) = (facts.text(node.range()), facts.spelling(node));
                let message = format!(
                    "this rule also writes `{shown}` as `{first}`: most programs treat `{text}` as another variable"
                );
                findings.push(facts.at(&RULE, node.range(), message));
            }
        }
    }
}

/// The spellings of each name beside its most frequent one. Statements that could not be read do not count.
fn names(facts: &Facts, findings: &mut Findings) {
    let mut spellings: BTreeMap<Sym, Vec<(&str, Vec<TextRange>)>> = BTreeMap::new();
    for sym in facts.lowered.symbols.variants() {
        // Keywords have no case.
        if !keyword::is_relation(sym) && !keyword::is_connective(sym) {
            spellings.entry(sym).or_default();
        }
    }
    if spellings.is_empty() {
        return;
    }
    for node in facts.sound_rules().flat_map(|(_, rule)| rule.terms()).map(|id| facts.term(id)) {
        let Some(places_of) = spellings.get_mut(&node.sym).filter(|_| node.variable().is_none()) else { continue };
        let text = facts.spelling(node);
        match places_of.iter_mut().find(|(spelling, _)| *spelling == text) {
            Some((_, places)) => places.push(node.name_range()),
            None => places_of.push((text, vec![node.name_range()])),
        }
    }
    for places_of in spellings.values() {
        // If two spellings are equally frequent, the first one counts as right.
        let Some((right, _)) = places_of.iter().rev().max_by_key(|(_, places)| places.len()) else { continue };
        for (spelling, places) in places_of.iter().filter(|(spelling, _)| spelling != right) {
            let message = format!("`{spelling}` is written `{right}` elsewhere: most programs treat them as two names");
            let edit = |range: &TextRange| TextEdit { file: FileId(0), range: *range, insert: (*right).to_string() };
            let finding = facts.at(&RULE, places[0], message);
            findings.push(finding.fix(format!("Write `{right}`"), places.iter().map(edit).collect()));
        }
    }
}
