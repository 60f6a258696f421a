//! Actions after which it is the turn of two roles.

use super::unclear_roles::turn_is_derived;
use super::unseen_own_move::mover;
use crate::pddl::{AtomUse, EffectNode, Facts, Place, Term, UseKind, fits};
use crate::{FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::TextRange;

/// See the page.
pub static RULE: Rule = Rule { name: "two-turns", severity: Severity::Warning, page: include_str!("two-turns.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if !model.is_pogddl || turn_is_derived(facts) {
        return;
    }
    for (i, action) in model.actions.iter().enumerate() {
        let Some(mover) = mover(facts, action).filter(|_| facts.action_is_sound(i as u32)) else { continue };
        let of_turn = |atom: &&AtomUse| atom.place == Place::Action(i as u32) && atom.name.is("whoseturn");
        let mut deleted = model.uses.iter().filter(of_turn).filter(|atom| atom.kind == UseKind::Delete);
        if deleted.any(|atom| fits(model, model.terms_of(atom), &[mover])) {
            continue;
        }
        // What happens under a condition may not happen, and `(whoseturn ?r)` for the mover itself changes nothing.
        let given = action.effects.iter().find_map(|effect| match effect {
            EffectNode::Add(id) if model.atom(*id).name.is("whoseturn") => Some(model.atom(*id)),
            _ => None,
        });
        let Some(given) = given.filter(|given| differs(model.terms_of(given), mover)) else { continue };
        let (name, old) = (&action.action.name.text, facts.term(mover));
        let message = format!(
            "after `{name}` it is the turn of `{}` and still of `{old}`: take it away with `(not (whoseturn {old}))`",
            model.terms_of(given).first().map(|term| facts.term(*term)).unwrap_or_default(),
        );
        findings.push(
            facts
                .at(&RULE, given.file, given.range, message)
                .fix(format!("Add `(not (whoseturn {old}))`"), vec![delete_before(given.file, given.range, &old)]),
        );
    }
}

fn differs(terms: &[Term], mover: Term) -> bool {
    terms.first().is_some_and(|term| *term != mover && !matches!(term, Term::Unknown(_)))
}

fn delete_before(file: FileId, range: TextRange, role: &str) -> TextEdit {
    TextEdit { file, range: TextRange::at(range.start), insert: format!("(not (whoseturn {role})) ") }
}
