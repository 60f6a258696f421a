//! A constant made once, one letter from another that is used in the same place.

use crate::gdl::{Facts, Place, Shape, Sym, TermId, keyword, one_slip_apart, same_ends};
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
    for (_, rule) in facts.sound_rules() {
        let Some(head) = rule.head.map(|head| facts.term(head)) else { continue };
        for (n, arg) in head.args().enumerate() {
            let place = facts.domains.argument(head.sym, head.arity(), n);
            place.into_iter().for_each(|place| look(facts, &counts, rule.is_fact(), arg, place, findings));
        }
    }
}

/// The finding for a constant that should be another.
pub(super) fn describe(facts: &Facts, term: TermId, near: &str) -> Diagnostic {
    let range = facts.range(term);
    let edit = TextEdit { file: FileId(0), range, insert: near.to_string() };
    let message = format!("`{}` appears nowhere else in the game: did you mean `{near}`?", facts.text(range));
    facts.at(&RULE, range, message).fix(format!("Change to `{near}`"), vec![edit])
}

/// Whether a name in a fact is a slip of another. Facts are full of names that each stand once, so more is asked than in a rule:
/// the other is a role or used often, and the two have the same letters, or are long.
fn is_slip_in_fact(facts: &Facts, counts: &[u32], name: &str, other: Sym) -> bool {
    const OFTEN: u32 = 4;
    const LONG: usize = 6;
    let is_role = facts.is_role(other);
    let alike = same_letters(name, facts.name(other)) || name.len() >= LONG;
    alike && (is_role || counts[other.index()] >= OFTEN) && same_ends(name, facts.name(other))
}

fn same_letters(a: &str, b: &str) -> bool {
    let letters = |name: &str| {
        let mut letters: Vec<u8> = name.bytes().map(|byte| byte.to_ascii_lowercase()).collect();
        letters.sort_unstable();
        letters
    };
    a.len() == b.len() && letters(a) == letters(b)
}

fn look(facts: &Facts, counts: &[u32], is_fact: bool, term: TermId, place: Place, findings: &mut Findings) {
    let node = facts.term(term);
    match node.shape {
        Shape::Constant if counts[node.sym.index()] == 1 && !keyword::is_relation(node.sym) => {
            let name = facts.name(node.sym);
            let often = |sym: &Sym| {
                counts[sym.index()] > 1
                    && one_slip_apart(name, facts.name(*sym))
                    && (!is_fact || is_slip_in_fact(facts, counts, name, *sym))
            };
            // Numbered names are families, and long tables hold thousands of them.
            if is_fact && name.bytes().any(|byte| byte.is_ascii_digit()) {
                return;
            }
            // Of the few roles a short one is known again, too: `rde`.
            let is_role = |sym: &Sym| often(sym) || name.len() == 3 && same_letters(name, facts.name(*sym));
            let role = facts.roles.iter().flatten().copied().find(is_role);
            let Some(near) = facts.domains.constants(place).find(often).or(role).map(|sym| facts.name(sym)) else {
                return;
            };
            if !findings.reported(FileId(0), node.range()) {
                findings.push(describe(facts, term, near));
            }
        }
        Shape::Compound => {
            for (n, arg) in node.args().enumerate() {
                let inside = facts.domains.inside(place, node.sym, node.arity(), n);
                inside.into_iter().for_each(|place| look(facts, counts, is_fact, arg, place, findings));
            }
        }
        _ => {}
    }
}
