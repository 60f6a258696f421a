//! A constant made once, one letter from another that is used in the same place.

use crate::gdl::{Facts, Place, Shape, Sym, TermId, keyword, one_slip_apart};
use crate::{Diagnostic, FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub static RULE: Rule =
    Rule { name: "misspelled-constant", severity: Severity::Warning, page: include_str!("misspelled-constant.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let mut counts = vec![0_u32; facts.lowered.symbols.len()];
    for node in &facts.lowered.terms {
        if node.variable().is_none() {
            counts[node.sym.index()] += 1;
        }
    }
    for (_, rule) in facts.sound_rules().filter(|(_, rule)| !rule.is_fact()) {
        let Some(head) = rule.head.map(|head| facts.term(head)) else { continue };
        for (n, arg) in head.args().enumerate() {
            let place = facts.domains.argument(head.sym, head.arity(), n);
            place.into_iter().for_each(|place| look(facts, &counts, arg, place, findings));
        }
    }
}

/// The finding for a constant that should be another.
pub(super) fn describe(facts: &Facts, term: TermId, near: &str) -> Diagnostic {
    let range = facts.range(term);
    let edit = TextEdit { file: FileId(0), range, insert: near.to_string() };
    let message = format!("`{}` is nowhere else in the game: did you mean `{near}`?", facts.text(range));
    facts.at(&RULE, range, message).fix(format!("Change to `{near}`"), vec![edit])
}

fn look(facts: &Facts, counts: &[u32], term: TermId, place: Place, findings: &mut Findings) {
    let node = facts.term(term);
    match node.shape {
        Shape::Constant if counts[node.sym.index()] == 1 && !keyword::is_relation(node.sym) => {
            let name = facts.name(node.sym);
            let often = |sym: &Sym| counts[sym.index()] > 1 && one_slip_apart(name, facts.name(*sym));
            let Some(near) = facts.domains.constants(place).find(often).map(|sym| facts.name(sym)) else { return };
            if !findings.reported(FileId(0), node.range()) {
                findings.push(describe(facts, term, near));
            }
        }
        Shape::Compound => {
            for (n, arg) in node.args().enumerate() {
                let inside = facts.domains.inside(place, node.sym, node.arity(), n);
                inside.into_iter().for_each(|place| look(facts, counts, arg, place, findings));
            }
        }
        _ => {}
    }
}
