//! The rules of GDL and GDL-II.

mod arguments;
mod arithmetic;
mod bare_not;
mod conjunction;
mod contradiction;
mod declaring;
mod depends_on_moves;
mod duplicate_rule;
mod empty_parentheses;
mod exchanged_arguments;
mod exchanged_variables;
mod fluent_without_init;
mod foreign;
mod function_arity;
mod goal_value;
mod impossible_literal;
mod incomplete_game;
mod inconsistent_case;
mod keyword_arity;
mod keyword_as_constant;
mod keyword_placement;
mod legal_in_sees;
mod literal_outside_rule;
mod mends;
mod missing_fact;
mod missing_parenthesis;
mod misspelled_constant;
mod misspelled_variable;
mod negated_formula;
mod negative_cycle;
mod next_in_body;
mod outside_declaration;
mod relation_arity;
mod role_sees_nothing;
mod role_without_goal;
mod shared_name;
mod single_use_variable;
mod state_dependent_declaration;
mod stray_words;
mod unbounded_recursion;
mod unequal_percepts;
mod unknown_fluent;
mod unknown_relation;
mod unknown_role;
mod unread_fluent;
mod unsafe_variable;
mod untold_move;
mod unused_relation;
mod unusual_character;

use crate::gdl::Facts;
use crate::{FileId, Findings, Rule};

/// The check of a rule, over the facts of the description.
pub(crate) type Check = fn(&Facts, &mut Findings);

/// The rules in order of precedence: if two findings are about exactly the same tokens, that of the earlier rule is
/// kept.
pub(crate) static RULES: &[(&Rule, Check)] = &[
    (&literal_outside_rule::RULE, literal_outside_rule::check),
    (&stray_words::RULE, stray_words::check),
    (&bare_not::RULE, bare_not::check),
    (&missing_parenthesis::RULE, missing_parenthesis::check),
    (&keyword_arity::RULE, keyword_arity::check),
    (&keyword_placement::RULE, keyword_placement::check),
    (&next_in_body::RULE, next_in_body::check),
    (&legal_in_sees::RULE, legal_in_sees::check),
    (&negated_formula::RULE, negated_formula::check),
    (&conjunction::RULE, conjunction::check),
    (&arithmetic::RULE, arithmetic::check),
    (&empty_parentheses::RULE, empty_parentheses::check),
    (&incomplete_game::RULE, incomplete_game::check),
    (&unknown_role::RULE, unknown_role::check),
    (&relation_arity::RULE, relation_arity::check),
    (&unsafe_variable::RULE, unsafe_variable::check),
    (&negative_cycle::RULE, negative_cycle::check),
    (&unbounded_recursion::RULE, unbounded_recursion::check),
    (&depends_on_moves::RULE, depends_on_moves::check),
    (&state_dependent_declaration::RULE, state_dependent_declaration::check),
    (&goal_value::RULE, goal_value::check),
    (&unknown_relation::RULE, unknown_relation::check),
    (&unknown_fluent::RULE, unknown_fluent::check),
    (&impossible_literal::RULE, impossible_literal::check),
    (&outside_declaration::RULE, outside_declaration::check),
    (&fluent_without_init::RULE, fluent_without_init::check),
    (&unused_relation::RULE, unused_relation::check),
    (&unread_fluent::RULE, unread_fluent::check),
    (&role_without_goal::RULE, role_without_goal::check),
    (&contradiction::RULE, contradiction::check),
    (&misspelled_variable::RULE, misspelled_variable::check),
    (&misspelled_constant::RULE, misspelled_constant::check),
    (&duplicate_rule::RULE, duplicate_rule::check),
    (&exchanged_arguments::RULE, exchanged_arguments::check),
    (&exchanged_variables::RULE, exchanged_variables::check),
    (&missing_fact::RULE, missing_fact::check),
    (&inconsistent_case::RULE, inconsistent_case::check),
    (&function_arity::RULE, function_arity::check),
    (&keyword_as_constant::RULE, keyword_as_constant::check),
    (&role_sees_nothing::RULE, role_sees_nothing::check),
    (&unequal_percepts::RULE, unequal_percepts::check),
    (&untold_move::RULE, untold_move::check),
    (&shared_name::RULE, shared_name::check),
    (&unusual_character::RULE, unusual_character::check),
    (&single_use_variable::RULE, single_use_variable::check),
];

/// Runs every rule, in order of precedence.
pub(crate) fn run(facts: &Facts, findings: &mut Findings) {
    look(facts, findings);
    let statements: Vec<_> = facts.lowered.rules.iter().map(|rule| rule.range).collect();
    findings.gather(FileId(0), &statements);
}

/// The same without joining repeated findings.
pub(crate) fn look(facts: &Facts, findings: &mut Findings) {
    for range in &facts.structure.explained {
        findings.explain(FileId(0), *range);
    }
    for (_, check) in RULES {
        check(facts, findings);
    }
}
