//! Arguments that are of the declared type only sometimes.

use super::argument_type::{Match, describe, judge};
use crate::pddl::{Facts, Term, VarId};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule = Rule {
    name: "argument-type-too-wide",
    severity: Severity::Warning,
    page: include_str!("argument-type-too-wide.md"),
};

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let mut seen: rustc_hash::FxHashSet<VarId> = Default::default();
    for atom in &model.uses {
        for (position, term) in model.terms_of(atom).iter().enumerate() {
            if judge(facts, atom, position) != Match::Partly {
                continue;
            }
            // The first argument of a gain is reported by another rule.
            if matches!(term, Term::Variable(id) if super::unclear_roles::is_no_gainer(facts, *id)) {
                continue;
            }
            // The cause is the declaration of the variable: once is enough.
            if matches!(term, Term::Variable(id) if !seen.insert(*id)) {
                continue;
            }
            let (Some(found), Some(callable)) = (model.types_of(*term), atom.callable) else { continue };
            let callable = model.callable(callable);
            let wanted = &callable.params[position];
            let declared = match wanted.as_slice() {
                [_] => describe(facts, wanted),
                _ => format!("(either {})", describe(facts, wanted).replace(" or ", " ")),
            };
            let (found, wanted) = (describe(facts, found), describe(facts, wanted));
            let name = facts.term(*term);
            let message = match term {
                Term::Variable(_) => format!(
                    "`{}` takes a `{wanted}` here, and `{name}` may be any `{found}`: declare `{name} - {declared}`",
                    atom.name.text
                ),
                _ => format!("`{}` takes a `{wanted}` here, and `{name}` is a `{found}`", atom.name.text),
            };
            let finding = facts.at(&RULE, atom.file, model.term_range(atom, position), message);
            findings.push(finding.related(model.domain_file, callable.declaration.name.range, "declared here"));
        }
    }
}
