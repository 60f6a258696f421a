//! The rules of POGDDL.

mod action_without_effect;
mod aliased_effects;
mod argument_count;
mod argument_type;
mod argument_type_too_wide;
mod complementary_effects;
mod conflicting_effects;
mod contingent_observe;
mod contradictory_condition;
mod contradictory_init;
mod cyclic_types;
mod derived_in_effect;
mod derived_negation;
mod domain_mismatch;
mod domain_not_found;
mod duplicate_declaration;
mod duplicate_variable;
mod empty_group;
mod fluent_without_value;
mod fractional_number;
mod immutable_predicate;
mod mends;
mod message_sent_twice;
mod message_shape;
mod message_to_nobody;
mod missing_goal;
mod missing_requirement;
mod misspelled_message;
mod never_applicable;
mod never_true;
mod nothing_defined;
mod others_not_alone;
mod outside_pogddl;
mod reads_own_write;
mod receiver_no_role;
mod redeclared_constant;
mod redundant_condition;
mod redundant_effect;
mod repeated_init;
mod repeated_section;
mod requirement_without_colon;
mod reserved_constant;
mod shadowed_variable;
mod static_predicate;
mod unbound_variable;
mod unclear_end;
mod unclear_roles;
mod unfounded_delete;
mod unknown_function;
mod unknown_object;
mod unknown_predicate;
mod unknown_preference;
mod unknown_requirement;
mod unknown_type;
mod unlike_other_actions;
mod unneeded_requirement;
mod unseen_own_move;
mod unused_object;
mod unused_parameter;
mod unused_predicate;
mod unused_type;

pub(crate) use outside_pogddl::RULE as OUTSIDE;
use percept_syntax::{Source, TextRange};

use crate::pddl::Facts;
use crate::{Findings, Rule};

/// The check of a rule, over the facts of the description.
pub(crate) type Check = fn(&Facts, &mut Findings);

/// The rules in order of precedence: if two findings are about exactly the same tokens, that of the earlier rule is
/// kept.
pub(crate) static RULES: &[(&Rule, Check)] = &[
    (&nothing_defined::RULE, nothing_defined::check),
    (&unknown_type::RULE, unknown_type::check),
    (&empty_group::RULE, empty_group::check),
    (&cyclic_types::RULE, cyclic_types::check),
    (&repeated_section::RULE, repeated_section::check),
    (&contingent_observe::RULE, contingent_observe::check),
    (&outside_pogddl::RULE, outside_pogddl::check),
    (&domain_mismatch::RULE, domain_mismatch::check),
    (&domain_not_found::RULE, domain_not_found::check),
    (&missing_goal::RULE, missing_goal::check),
    (&duplicate_declaration::RULE, duplicate_declaration::check),
    (&unknown_predicate::RULE, unknown_predicate::check),
    (&unknown_function::RULE, unknown_function::check),
    (&argument_count::RULE, argument_count::check),
    (&unknown_object::RULE, unknown_object::check),
    (&unbound_variable::RULE, unbound_variable::check),
    (&unknown_preference::RULE, unknown_preference::check),
    (&argument_type::RULE, argument_type::check),
    (&argument_type_too_wide::RULE, argument_type_too_wide::check),
    (&duplicate_variable::RULE, duplicate_variable::check),
    (&redeclared_constant::RULE, redeclared_constant::check),
    (&requirement_without_colon::RULE, requirement_without_colon::check),
    (&unknown_requirement::RULE, unknown_requirement::check),
    (&missing_requirement::RULE, missing_requirement::check),
    (&unneeded_requirement::RULE, unneeded_requirement::check),
    (&derived_in_effect::RULE, derived_in_effect::check),
    (&derived_negation::RULE, derived_negation::check),
    (&shadowed_variable::RULE, shadowed_variable::check),
    (&receiver_no_role::RULE, receiver_no_role::check),
    (&others_not_alone::RULE, others_not_alone::check),
    (&message_shape::RULE, message_shape::check),
    (&misspelled_message::RULE, misspelled_message::check),
    (&message_sent_twice::RULE, message_sent_twice::check),
    (&message_to_nobody::RULE, message_to_nobody::check),
    (&reserved_constant::RULE, reserved_constant::check),
    (&unclear_roles::RULE, unclear_roles::check),
    (&unclear_end::RULE, unclear_end::check),
    (&contradictory_init::RULE, contradictory_init::check),
    (&repeated_init::RULE, repeated_init::check),
    (&contradictory_condition::RULE, contradictory_condition::check),
    (&never_true::RULE, never_true::check),
    (&never_applicable::RULE, never_applicable::check),
    (&redundant_condition::RULE, redundant_condition::check),
    (&complementary_effects::RULE, complementary_effects::check),
    (&aliased_effects::RULE, aliased_effects::check),
    (&conflicting_effects::RULE, conflicting_effects::check),
    (&redundant_effect::RULE, redundant_effect::check),
    (&action_without_effect::RULE, action_without_effect::check),
    (&reads_own_write::RULE, reads_own_write::check),
    (&unseen_own_move::RULE, unseen_own_move::check),
    (&unlike_other_actions::RULE, unlike_other_actions::check),
    (&unfounded_delete::RULE, unfounded_delete::check),
    (&fluent_without_value::RULE, fluent_without_value::check),
    (&fractional_number::RULE, fractional_number::check),
    (&unused_parameter::RULE, unused_parameter::check),
    (&immutable_predicate::RULE, immutable_predicate::check),
    (&static_predicate::RULE, static_predicate::check),
    (&unused_predicate::RULE, unused_predicate::check),
    (&unused_type::RULE, unused_type::check),
    (&unused_object::RULE, unused_object::check),
];

/// Runs every rule, in order of precedence.
pub(crate) fn run(domain: Option<&Source>, problem: Option<&Source>, findings: &mut Findings) {
    let facts = Facts::telling(domain, problem);
    // The skipped actions are checked in builds with debug assertions, as in every test.
    let mut of_all = (cfg!(debug_assertions) && facts.model.passed_over > 0).then(|| findings.clone());
    judge(&facts, findings);
    if let Some(of_all) = &mut of_all {
        judge(&Facts::new(domain, problem), of_all);
        assert_eq!(findings.listing(), of_all.listing(), "nothing is wrong with actions that say nothing new");
    }
}

fn check_all(facts: &Facts, findings: &mut Findings) {
    for (_, check) in RULES {
        check(facts, findings);
    }
}

/// Runs every rule on a part of a domain. `compared_until`: only the predicates that are declared before this place are
/// compared with an unknown one.
pub(crate) fn look(part: &Source, compared_until: u32, findings: &mut Findings) {
    let mut facts = Facts::telling(Some(part), None);
    facts.compared_until = compared_until;
    check_all(&facts, findings);
}

fn judge(facts: &Facts, findings: &mut Findings) {
    for (file, range) in facts.broken() {
        findings.explain(file, range);
    }
    check_all(facts, findings);
    let model = &facts.model;
    if let Some(domain) = model.domain.filter(|_| findings.are_many()) {
        let mut statements: Vec<TextRange> =
            domain.actions.iter().map(|action| action.here(action.as_read().range)).collect();
        statements.extend(domain.timed.iter().map(|timed| timed.action.range));
        statements.extend(domain.derived.iter().map(|derived| derived.range));
        statements.extend(domain.gains.iter().map(|gain| gain.range));
        statements.sort_unstable();
        findings.gather(model.domain_file, &statements);
    }
}
