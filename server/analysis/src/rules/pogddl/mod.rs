//! The rules of POGDDL.

use percept_syntax::Source;

use crate::Findings;
use crate::pddl::Facts;

super::rule_modules! { Facts:
    unknown_type,
    cyclic_types,
    repeated_section,
    contingent_observe,
    outside_pogddl,
    domain_mismatch,
    domain_not_found,
    missing_goal,
    duplicate_declaration,
    unknown_predicate,
    unknown_function,
    argument_count,
    unknown_object,
    unbound_variable,
    argument_type,
    argument_type_too_wide,
    duplicate_variable,
    redeclared_constant,
    requirement_without_colon,
    unknown_requirement,
    missing_requirement,
    unneeded_requirement,
    derived_in_effect,
    derived_negation,
    shadowed_variable,
    receiver_no_role,
    others_not_alone,
    message_shape,
    misspelled_message,
    message_sent_twice,
    reserved_constant,
    unclear_roles,
    turn_in_init,
    contradictory_init,
    repeated_init,
    contradictory_condition,
    never_true,
    never_applicable,
    redundant_condition,
    complementary_effects,
    aliased_effects,
    conflicting_effects,
    redundant_effect,
    action_without_effect,
    unseen_own_move,
    action_without_turn,
    two_turns,
    fluent_without_value,
    fractional_number,
    unused_parameter,
    immutable_predicate,
    static_predicate,
    unused_predicate,
    unused_type,
    unused_object,
}

/// Runs every rule, in order of precedence.
pub(crate) fn run(domain: Option<&Source>, problem: Option<&Source>, findings: &mut Findings) {
    let facts = Facts::new(domain, problem);
    for (file, range) in facts.broken() {
        findings.explain(file, range);
    }
    for (_, check) in RULES {
        check(&facts, findings);
    }
}
