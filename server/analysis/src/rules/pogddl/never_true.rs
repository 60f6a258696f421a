//! Conditions on facts that never become true.

use rustc_hash::FxHashSet;

use super::mends;
use crate::pddl::{AtomUse, CallableId, Facts, KeyId, Place, Term, UseKind, split_names};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "never-true", severity: Severity::Warning, page: include_str!("never-true.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    if !facts.is_whole() || facts.makes_unknown() {
        return;
    }
    let mut seen: FxHashSet<KeyId> = FxHashSet::default();
    // A domain for planners has many problems, and another problem may have the missing facts. Only the goal belongs to
    // this problem.
    let counts = |atom: &AtomUse| model.is_pogddl || atom.place == Place::Goal;
    let mut doubtful = super::argument_type::doubtful(facts);
    // The effect that should set it sets another predicate: `unused-predicate` reports it.
    if model.is_pogddl {
        doubtful.extend(split_names(facts).into_values());
    }
    for i in 0..model.callables.len() as u32 {
        let id = CallableId(i);
        if doubtful.contains(&id) {
            continue;
        }
        let uses = facts.usage.of(id);
        if model.callable(id).is_function || uses.reads.is_empty() {
            continue;
        }
        if uses.adds.is_empty() && uses.heads.is_empty() && uses.init.is_empty() {
            // A fact that an action removes should also be added by some action.
            let is_own = uses.reads.iter().any(|id| counts(model.atom(*id)));
            if is_own || !uses.deletes.is_empty() {
                whole_predicate(facts, id, is_own, findings);
            }
            continue;
        }
        for read in &uses.reads {
            let atom = model.atom(*read);
            let positive = atom.kind == UseKind::Read { positive: true };
            let fits =
                |position| super::argument_type::judge(facts, atom, position) != super::argument_type::Match::Never;
            let clear = names_are_clear(facts, atom) && (0..atom.terms.len()).all(fits);
            if positive && clear && counts(atom) && !facts.usage.can_hold(model, atom) && seen.insert(atom.key) {
                one(facts, atom, findings);
            }
        }
    }
}

/// True if the variables of an atom have their apparent meaning: none hides another, and a gain's first one is a role.
fn names_are_clear(facts: &Facts, atom: &AtomUse) -> bool {
    facts.model.terms_of(atom).iter().all(|term| match term {
        Term::Variable(id) => {
            facts.model.variable(*id).shadows.is_none() && !super::unclear_roles::is_no_gainer(facts, *id)
        }
        _ => true,
    })
}

/// `is_own`: no other problem can have the facts that this one leaves out.
fn whole_predicate(facts: &Facts, id: CallableId, is_own: bool, findings: &mut Findings) {
    let model = &facts.model;
    let reads = &facts.usage.of(id).reads;
    let positive = |id: &&crate::pddl::UseId| model.atom(**id).kind == UseKind::Read { positive: true };
    let in_goal = |id: &&crate::pddl::UseId| positive(id) && model.atom(**id).place == Place::Goal;
    let found = reads.iter().find(in_goal).or(reads.iter().find(positive)).or(reads.first());
    let Some(first) = found else { return };
    let atom = model.atom(*first);
    let name = &atom.name.text;
    let message = match atom.kind {
        _ if !is_own => {
            format!("`{name}` is never true in this problem: `:init` lacks it, and actions only delete it")
        }
        UseKind::Read { positive: true } => {
            format!("`{name}` is never true: it is not in `:init` and no action adds it, so this never holds")
        }
        _ => {
            format!("`{name}` is never true: it is not in `:init` and no action adds it, so its negation always holds")
        }
    };
    let mut finding = facts.at(&RULE, atom.file, atom.range, message);
    if !is_own {
        finding.severity = Severity::Information;
    }
    if is_own {
        finding.fixes = mends::made_true(facts, atom);
    }
    findings.push(finding.related(model.domain_file, model.callable(id).declaration.name.range, "declared here"));
}

fn one(facts: &Facts, atom: &AtomUse, findings: &mut Findings) {
    let text = facts.quote(atom.file, atom.range);
    let message = format!("nothing ever makes `{text}` true: no fact of `:init` and no effect fits it");
    let mut finding = facts.at(&RULE, atom.file, atom.range, message);
    let source = atom.callable.and_then(|head| {
        let uses = facts.usage.of(head);
        uses.adds.iter().chain(&uses.init).next()
    });
    if let Some(source) = source {
        let source = facts.model.atom(*source);
        finding = finding.related(source.file, source.range, "an atom that is made true, for example");
    }
    finding.fixes = mends::made_true(facts, atom);
    findings.push(finding);
}
