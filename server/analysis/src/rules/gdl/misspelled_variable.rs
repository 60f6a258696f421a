//! A variable used once whose name is one letter from another of the rule.

use crate::gdl::{Facts, RuleId, TermId, one_slip_apart, same_ends};
use crate::{FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub static RULE: Rule =
    Rule { name: "misspelled-variable", severity: Severity::Warning, page: include_str!("misspelled-variable.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    for (id, rule) in facts.sound_rules() {
        for (n, variable) in rule.variables.iter().enumerate().filter(|(_, variable)| variable.count == 1) {
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
        for (n, variable) in rule.variables.iter().enumerate().filter(|(_, variable)| variable.count == 1) {
            let node = facts.term(variable.first);
            let name = &node.ast.name.text;
            let near = rule.variables.iter().enumerate().find(|(m, other)| {
                let other_name = &facts.term(other.first).ast.name.text;
                *m != n
                    && (other.count > 1 || *m < n)
                    && one_slip_apart(name, other_name)
                    && same_ends(name, other_name)
            });
            let Some((_, near)) = near else { continue };
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
                    .fix(format!("Rename to `{insert}`"), vec![TextEdit { file: FileId(0), range, insert }]),
            );
        }
    }
}

/// The constant that a variable has the name of, where that constant can stand in its place: `Black` for `black`.
fn constant_of<'f>(facts: &'f Facts, rule: RuleId, variable: u32, term: TermId) -> Option<&'f str> {
    const SHORT: usize = 3;
    let name = &facts.term(term).ast.name.text;
    let sym = facts.lowered.symbols.find(name).filter(|_| name.len() >= SHORT)?;
    let mut places = facts.domains.places_of(rule, variable).peekable();
    let known = places.peek().is_some()
        && places.all(|place| !facts.domains.is_open(place) && facts.domains.has_constant(place, sym));
    known.then(|| facts.name(sym))
}
