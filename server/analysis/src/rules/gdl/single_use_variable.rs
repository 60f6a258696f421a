//! Variables that occur once in their rule.

use crate::gdl::{Facts, RuleNode, keyword};
use crate::{FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::TextRange;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "single-use-variable", severity: Severity::Hint, page: include_str!("single-use-variable.md") };

/// The least number of marked variables that make a habit, and the number of them for each rule that lacks the mark.
const LEAST: usize = 3;
const FOR_EACH: usize = 2;
/// The most rules without the mark that are slips.
const MOST: usize = 2;

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let places = findings.places(FileId(0));
    let marks = marks_all(facts);
    for (_, rule) in facts.sound_rules() {
        // A more severe error may be the reason why a variable occurs once.
        let range = rule.range;
        let first = places.partition_point(|place| *place < range.start);
        if places.get(first).is_some_and(|place| *place < range.end) {
            continue;
        }
        if marks && !declares(facts, rule) && unmarked(facts, rule).next().is_some() {
            lacking(facts, rule, findings);
            continue;
        }
        for range in unmarked(facts, rule) {
            if findings.reported(FileId(0), range) {
                continue;
            }
            let shown = facts.text(range);
            let marked = match shown.strip_prefix('?') {
                Some(name) => format!("?_{name}"),
                None => format!("_{shown}"),
            };
            let message = format!(
                "`{shown}` is used once: any value will do here; write `{marked}` if that is \
            intended"
            );
            let edits = vec![mark(facts, range)];
            findings.push(facts.at(&RULE, range, message).safe_fix(format!("Rename to `{marked}`"), edits));
        }
    }
}

/// The variables of a rule that occur once and are not marked with `_`.
fn unmarked<'f>(facts: &'f Facts, rule: &'f RuleNode) -> impl Iterator<Item = TextRange> + 'f {
    let once =
        rule.variables().iter().filter(|variable| variable.count == 1).map(|variable| facts.term(variable.first));
    once.filter(|node| !facts.spelling(node).starts_with('_')).map(|node| node.range())
}

/// The `_` at the beginning of a variable's name.
fn mark(facts: &Facts, variable: TextRange) -> TextEdit {
    let at = TextRange::at(variable.start + u32::from(facts.text(variable).starts_with('?')));
    TextEdit { file: FileId(0), range: at, insert: "_".into() }
}

/// True if the rule only declares possible instances.
fn declares(facts: &Facts, rule: &RuleNode) -> bool {
    let head = rule.head().map(|head| facts.term(head).sym);
    matches!(head, Some(keyword::BASE | keyword::INPUT | keyword::PERCEPT | keyword::ACTION))
}

/// True if the author marks every variable that occurs once, so that one without the mark is a slip.
fn marks_all(facts: &Facts) -> bool {
    let (mut marked, mut rules) = (0, 0);
    for (_, rule) in facts.sound_rules() {
        let once = rule.variables().iter().filter(|variable| variable.count == 1).count();
        let without = unmarked(facts, rule).count();
        marked += once - without;
        rules += usize::from(without > 0);
    }
    (1..=MOST).contains(&rules) && marked >= LEAST.max(FOR_EACH * rules)
}

/// One finding for the variables of a rule without the mark that all others have.
fn lacking(facts: &Facts, rule: &RuleNode, findings: &mut Findings) {
    let ranges: Vec<TextRange> = unmarked(facts, rule).filter(|range| !findings.reported(FileId(0), *range)).collect();
    let Some((first, others)) = ranges.split_first() else { return };
    let names: Vec<String> = ranges.iter().map(|range| format!("`{}`", facts.text(*range))).collect();
    let (what, they, them) = match others.is_empty() {
        true => (format!("{} is", names[0]), "it", "it"),
        false => (format!("{} are each", names.join(" and ")), "they", "them"),
    };
    let message = format!(
        "{what} used once in this rule: a condition that needs {them} is missing, or {they} should begin with `_` as elsewhere"
    );
    let mut finding = facts.at(&RULE, *first, message);
    finding.severity = Severity::Warning;
    for other in others {
        finding = finding.related(FileId(0), *other, "and this one");
    }
    findings.push(finding.fix("Begin with `_`", ranges.iter().map(|range| mark(facts, *range)).collect()));
}
