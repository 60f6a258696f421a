//! A condition that no fact can match.

use rustc_hash::FxHashMap;

use crate::gdl::{Clash, Facts, Node, Place, Sym, TermId, nearest};
use crate::{Diagnostic, FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub static RULE: Rule =
    Rule { name: "impossible-literal", severity: Severity::Warning, page: include_str!("impossible-literal.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let mut groups: Vec<(Clash, Vec<TermId>)> = Vec::new();
    let mut index: FxHashMap<(Place, Sym), usize> = FxHashMap::default();
    for clash in facts.domains.clashes(facts) {
        // A whole fluent or move that nothing makes has a rule of its own.
        if facts.inner(clash.atom).is_some_and(|(_, inner)| inner == clash.term) {
            continue;
        }
        if facts.is_tainted(facts.term(clash.term).sym) && clash.other.is_none() {
            continue;
        }
        // One cause: the same value in the same place.
        let key = (clash.place, facts.term(clash.term).sym);
        match index.get(&key).filter(|_| clash.other.is_none()) {
            Some(&group) => groups[group].1.push(clash.term),
            None => {
                if clash.other.is_none() {
                    index.insert(key, groups.len());
                }
                groups.push((clash, Vec::new()));
            }
        }
    }
    for (clash, others) in groups {
        let mut finding = describe(facts, &clash);
        for other in others.into_iter().take(5) {
            finding = finding.related(FileId(0), facts.range(other), "the same here");
        }
        findings.push(finding);
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
    if let Some(slip) = near.and_then(|near| made_once(facts, near)) {
        return super::misspelled_constant::describe(facts, slip, &node.ast.name.text)
            .related(FileId(0), node.range(), "read here");
    }
    match near {
        Some(near) => finding(format!("did you mean `{near}`?")).fix(
            format!("Change to `{near}`"),
            vec![TextEdit { file: FileId(0), range: node.name_range(), insert: near.to_string() }],
        ),
        None if atom.len() > 80 => finding(format!("it is {}", values(facts, clash.place))),
        None => finding(format!("in `{atom}` it is {}", values(facts, clash.place))),
    }
}

/// The only place of a name in the whole file, where that is in the head of a rule: then the slip is there.
fn made_once(facts: &Facts, name: &str) -> Option<TermId> {
    let sym = facts.lowered.symbols.find(name)?;
    let named = |node: &Node| node.sym == sym && node.variable().is_none();
    let mut places = facts.lowered.terms.iter().enumerate().filter(|(_, node)| named(node));
    let id = TermId(places.next()?.0 as u32);
    let is_head = facts.sound_rules().any(|(_, rule)| {
        rule.head.is_some_and(|head| facts.range(head).contains_range(facts.range(id)))
    });
    (places.next().is_none() && is_head).then_some(id)
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
