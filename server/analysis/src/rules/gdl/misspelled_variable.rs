//! A variable used once, whose name is one letter from another variable of the rule.

use percept_syntax::TextRange;
use percept_syntax::near::Near;

use super::mends;
use crate::gdl::{Facts, Fault, RuleId, TermId, one_slip_apart, same_ends};
use crate::{FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "misspelled-variable", severity: Severity::Warning, page: include_str!("misspelled-variable.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    without_mark(facts, findings);
    for (id, rule) in facts.sound_rules() {
        if rule.variables().iter().all(|variable| variable.count > 1) {
            continue;
        }
        for (n, variable) in rule.variables().iter().enumerate().filter(|(_, variable)| variable.count == 1) {
            if let Some(constant) = constant_of(facts, id, n as u32, variable.first) {
                let range = facts.range(variable.first);
                let message = format!(
                    "`{}` is a variable that is used once: did you mean the constant `{constant}`?",
                    facts.text(range)
                );
                let edit = TextEdit { file: FileId(0), range, insert: constant.to_string() };
                findings.push(facts.at(&RULE, range, message).fix(format!("Change to `{constant}`"), vec![edit]));
            }
        }
        let names = rule.variables().iter().map(|variable| facts.spelling(facts.term(variable.first)));
        let table = Near::new(names.enumerate().map(|(n, name)| (name, n)));
        for (n, variable) in rule.variables().iter().enumerate().filter(|(_, variable)| variable.count == 1) {
            let node = facts.term(variable.first);
            let name = facts.spelling(node);
            // An underscore marks a variable whose value is irrelevant.
            if name.starts_with('_') {
                continue;
            }
            let mut others = table
                .of(name)
                .filter(|(other, _)| one_slip_apart(name, other) && same_ends(name, other))
                .map(|(_, m)| m);
            let Some(near) = others.find(|m| *m != n && (rule.variables()[*m].count > 1 || *m < n)) else { continue };
            let near = &rule.variables()[near];
            let range = node.range();
            if findings.reported(FileId(0), range) || findings.reported(FileId(0), facts.range(near.first)) {
                continue;
            }
            let (shown, insert) = (facts.text(range), facts.text(facts.range(near.first)).to_string());
            let message = format!("`{shown}` is used once: did you mean `{insert}`?");
            findings.push(
                facts
                    .at(&RULE, range, message)
                    .related(FileId(0), facts.range(near.first), "one letter apart")
                    .offer([mends::rename(facts, [variable.first], &insert)]),
            );
        }
    }
}

/// Constants that should be variables: `y` beside `?y`.
fn without_mark(facts: &Facts, findings: &mut Findings) {
    let mark = |name: &str| match facts.source.language {
        percept_syntax::Language::GdlPrefix => format!("?{name}"),
        _ => name[..1].to_ascii_uppercase() + &name[1..],
    };
    for fault in &facts.structure.faults {
        let Fault::Unmarked { constants, variable, .. } = fault else { continue };
        let ranges: Vec<TextRange> = constants.iter().map(|id| facts.range(*id)).collect();
        let shown = facts.text(ranges[0]);
        let insert = match variable {
            Some(variable) => facts.text(facts.range(*variable)).to_string(),
            None if shown.is_ascii() => mark(shown),
            None => continue,
        };
        let message = format!("`{shown}` is a constant that no other rule uses: did you mean the variable `{insert}`?");
        let edits = ranges.iter().map(|range| TextEdit { file: FileId(0), range: *range, insert: insert.clone() });
        let mut finding = facts.at(&RULE, ranges[0], message).fix(format!("Change to `{insert}`"), edits.collect());
        if let Some(variable) = variable {
            finding = finding.related(FileId(0), facts.range(*variable), "the variable");
        }
        for other in &ranges[1..] {
            finding = finding.related(FileId(0), *other, "and here");
        }
        findings.push_cause(finding);
    }
}

/// The constant with the name of a variable, if it can be in the variable's place: `Black` for `black`.
fn constant_of<'f>(facts: &'f Facts, rule: RuleId, variable: u32, term: TermId) -> Option<&'f str> {
    const SHORT: usize = 3;
    let name = facts.spelling(facts.term(term));
    let sym = facts.lowered.symbols.find(name).filter(|_| name.len() >= SHORT)?;
    let mut places = facts.domains.places_of(rule, variable).peekable();
    let is_bound = places.peek().is_some()
        && places.all(|place| !facts.domains.is_open(place) && facts.domains.has_constant(place, sym));
    is_bound.then(|| facts.name(sym))
}
