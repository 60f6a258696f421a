//! The rules of GDL and GDL-II.

use crate::Findings;
use crate::gdl::Facts;

super::rule_modules! { Facts:
    literal_outside_rule,
    bare_not,
    keyword_arity,
    keyword_placement,
    next_in_body,
    incomplete_game,
    unknown_role,
    unsafe_variable,
    negative_cycle,
    unbounded_recursion,
    depends_on_moves,
    state_dependent_declaration,
    goal_value,
    unknown_relation,
    unknown_fluent,
    relation_arity,
    impossible_literal,
    outside_declaration,
    unused_relation,
    unread_fluent,
}

/// Runs every rule, in order of precedence.
pub(crate) fn run(facts: &Facts, findings: &mut Findings) {
    for (_, check) in RULES {
        check(facts, findings);
    }
}
