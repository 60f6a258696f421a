//! `others` beside another receiver.

use crate::pddl::Facts;
use crate::{Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "others-not-alone", severity: Severity::Error, page: include_str!("others-not-alone.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    for recipient in model.observes.iter().flat_map(|observe| &observe.recipients) {
        if recipient.receivers.len() < 2 {
            continue;
        }
        for (arg, _) in recipient.receivers.iter().filter(|(arg, _)| !arg.is_variable && arg.name.is("others")) {
            let message = "`others` must be the only receiver: give it a part of its own, `(others (message ...))`";
            findings.push(facts.at(&RULE, model.domain_file, arg.name.range, message));
        }
    }
}
