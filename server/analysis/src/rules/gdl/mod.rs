//! The rules of GDL and GDL-II.

use crate::gdl::Facts;
use crate::{FileId, Findings};

super::rule_modules! { Facts:
    literal_outside_rule,
    stray_words,
    bare_not,
    missing_parenthesis,
    keyword_arity,
    keyword_placement,
    next_in_body,
    legal_in_sees,
    negated_formula,
    empty_parentheses,
    incomplete_game,
    unknown_role,
    relation_arity,
    unsafe_variable,
    negative_cycle,
    unbounded_recursion,
    depends_on_moves,
    state_dependent_declaration,
    goal_value,
    two_goals,
    unknown_relation,
    unknown_fluent,
    impossible_literal,
    outside_declaration,
    unused_relation,
    unread_fluent,
    role_without_move,
    role_without_goal,
    contradiction,
    misspelled_variable,
    misspelled_constant,
    duplicate_rule,
    exchanged_arguments,
    broken_sequence,
    inconsistent_case,
    function_arity,
    keyword_as_constant,
    fluent_not_kept,
    role_sees_nothing,
    shared_name,
    unusual_character,
    single_use_variable,
}

/// Runs every rule, in order of precedence.
pub(crate) fn run(facts: &Facts, findings: &mut Findings) {
    for range in &facts.structure.explained {
        findings.explain(FileId(0), *range);
    }
    for (_, check) in RULES {
        check(facts, findings);
    }
}
