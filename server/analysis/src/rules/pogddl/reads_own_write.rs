//! Numbers that an action reads after it has changed them.

use crate::pddl::{EffectNode, Facts, KeyId, Number, UseId};
use crate::{Findings, Rule, Severity};
use percept_syntax::TextRange;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "reads-own-write", severity: Severity::Warning, page: include_str!("reads-own-write.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if !model.is_pogddl {
        return;
    }
    for action in &model.actions {
        let mut written: Vec<(KeyId, TextRange)> = Vec::new();
        let mut reads = Vec::new();
        in_order(facts, &action.effects, &mut written, &mut reads);
        for (read, before) in reads {
            let atom = model.atom(read);
            let message = format!(
                "this action changes `{0}` before it reads it here: PDDL reads the old value, the published POGDDL program the new one; put this effect before that one",
                facts.atom(read)
            );
            let finding = facts.at(&RULE, model.domain_file, atom.range, message);
            findings.push(finding.related(model.domain_file, before, "changed here"));
        }
    }
}

/// Reads of numbers that an earlier change wrote, in the order of changes in the published program: those of the
/// action, then those under `forall`. (It does not support changes under `when`.)
fn in_order(
    facts: &Facts,
    effects: &[EffectNode],
    written: &mut Vec<(KeyId, TextRange)>,
    reads: &mut Vec<(UseId, TextRange)>,
) {
    for effect in effects {
        let EffectNode::Assign { target, value, range, .. } = effect else { continue };
        each_fluent(value, &mut |read| {
            let key = facts.model.atom(read).key;
            reads.extend(written.iter().find(|(other, _)| *other == key).map(|(_, range)| (read, *range)));
        });
        written.push((facts.model.atom(*target).key, *range));
    }
    for effect in effects {
        if let EffectNode::Forall { effects, .. } = effect {
            in_order(facts, effects, written, reads);
        }
    }
}

fn each_fluent(number: &Number, visit: &mut impl FnMut(UseId)) {
    match number {
        Number::Fluent(id) => visit(*id),
        Number::Operation { operands, .. } => operands.iter().for_each(|operand| each_fluent(operand, visit)),
        Number::Constant { .. } | Number::Unknown => {}
    }
}
