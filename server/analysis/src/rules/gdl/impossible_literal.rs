//! A condition that no fact can match.

use crate::gdl::{Clash, Facts, Place, nearest};
use crate::{Diagnostic, FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub static RULE: Rule =
    Rule { name: "impossible-literal", severity: Severity::Warning, page: include_str!("impossible-literal.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    for clash in facts.domains.clashes(facts) {
        // A whole fluent or move that nothing makes has a rule of its own.
        if facts.inner(clash.atom).is_some_and(|(_, inner)| inner == clash.term) {
            continue;
        }
        if facts.has_tainted_names() && facts.is_tainted(facts.term(clash.term).sym) && clash.other.is_none() {
            continue;
        }
        findings.push(describe(facts, &clash));
    }
}

fn describe(facts: &Facts, clash: &Clash) -> Diagnostic {
    let node = facts.term(clash.term);
    let shown = facts.text(node.range());
    if let Some(other) = clash.other {
        let here = values(facts, clash.place);
        let message = format!("no value fits `{shown}` here and in the other literals of the rule: here it is {here}");
        return facts.at(&RULE, node.range(), message).related(FileId(0), facts.range(other), "and here it is something else");
    }
    let atom = facts.text(facts.range(clash.atom));
    let effect = if clash.negated { "its negation always holds" } else { "this can never hold" };
    let near = nearest(&node.ast.name.text, facts.domains.constants(clash.place).map(|sym| facts.name(sym)));
    let finding = |hint: String| {
        facts.at(&RULE, node.range(), format!("`{shown}` never stands in this place, so {effect}: {hint}"))
    };
    match near {
        Some(near) => finding(format!("did you mean `{near}`?")).fix(
            format!("Change to `{near}`"),
            vec![TextEdit { file: FileId(0), range: node.name_range(), insert: near.to_string() }],
        ),
        None if atom.len() > 80 => finding(format!("it is {}", values(facts, clash.place))),
        None => finding(format!("in `{atom}` it is {}", values(facts, clash.place))),
    }
}

/// The first few values of a place, in words.
fn values(facts: &Facts, place: Place) -> String {
    const SHOWN: usize = 6;
    let constants = facts.domains.constants(place).map(|sym| facts.name(sym).to_string());
    let functors = facts.domains.functors(place).map(|(sym, _)| format!("({} ...)", facts.name(sym)));
    let mut all: Vec<String> = constants.chain(functors).take(SHOWN + 1).collect();
    if all.len() > SHOWN {
        all[SHOWN] = "...".to_string();
    }
    match &all[..] {
        [one] => format!("always {one}"),
        several => format!("one of {}", several.join(", ")),
    }
}
