//! `others` if no other role is left.

use percept_syntax::pddl::Arg;
use rustc_hash::FxHashSet;

use crate::pddl::{Facts, Observe};
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "message-to-nobody", severity: Severity::Warning, page: include_str!("message-to-nobody.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let mut roles: FxHashSet<&str> = super::unclear_roles::roles(facts).iter().map(|(name, ..)| *name).collect();
    roles.remove("chance");
    // Without its problem a game may have more roles.
    if facts.model.problem.is_none() {
        roles.clear();
    }
    for observe in &facts.model.observes {
        one(facts, observe, &roles, findings);
    }
}

fn one(facts: &Facts, observe: &Observe, roles: &FxHashSet<&str>, findings: &mut Findings) {
    let receivers = || observe.recipients.iter().flat_map(|recipient| &recipient.receivers).map(|(arg, _)| *arg);
    let is = |arg: &Arg, name: &str| !arg.is_variable && arg.name.is(name);
    let mut others = receivers().filter(|arg| is(arg, "others"));
    let Some(first) = others.next() else { return };
    let names = receivers().filter(|arg| !arg.is_variable).map(|arg| arg.name.text.to_lowercase());
    let named: FxHashSet<String> = names.filter(|name| roles.contains(name.as_str())).collect();
    let (arg, message, because, word) = if let Some(second) = others.next() {
        let message = "only the first of several `others` gets its message, so this one reaches no role: remove it";
        (second, message, first.name.range, "these are all the other roles")
    } else if let Some(all) = receivers().find(|arg| is(arg, "all")) {
        let message = "`all` reaches every role, so no role is left for `others`: remove one of them";
        (first, message, all.name.range, "every role is reached here")
    } else if !roles.is_empty() && named.len() == roles.len() {
        let message =
            "every role but `chance` gets a message of its own here, so no role is left for `others`: remove it";
        (first, message, observe.keyword, "the receivers")
    } else {
        return;
    };
    let file = facts.model.domain_file;
    findings.push(facts.at(&RULE, file, arg.name.range, message).related(file, because, word));
}
