//! The rules. A rule is one file (`two_goals.rs`) with its page beside it (`two-goals.md`); only its line here connects
//! it to the rest. `watch` returns the rule's watch for a game; `None` if the rule does not apply.

mod action_without_turn;
mod alternatives;
mod constant_percept;
mod contents;
pub(crate) use contents::LOST;
mod dead_action;
mod dead_rule;
pub(crate) use dead_rule::in_order;
mod endless_match;
mod goal_out_of_range;
mod hole;
mod impossible_number;
mod lost_turn;
mod no_goal;
mod not_playable;
mod over_at_start;
mod role_without_move;
mod two_goals;
mod two_turns;
mod undeclared;
mod unseen_own_move;

pub use impossible_number::impossible_number;
pub use not_playable::refusals;
use percept_infoset::Budget;

use crate::{Case, Rule, Watch};

type Start = for<'a> fn(&'a Case<'a>, &Budget) -> Option<Box<dyn Watch + 'a>>;

/// The rules with the functions that start their watches. If two findings are at exactly one place, that of the earlier
/// rule is kept.
static RULES: &[(&[&Rule], Start)] = &[
    (&[&not_playable::RULE], not_playable::watch),
    (&[&impossible_number::RULE], impossible_number::watch),
    (&[&over_at_start::RULE], over_at_start::watch),
    (&[&role_without_move::RULE], role_without_move::watch),
    (&[&no_goal::RULE], no_goal::watch),
    (&[&two_goals::RULE], two_goals::watch),
    (&[&goal_out_of_range::RULE], goal_out_of_range::watch),
    (&[&two_turns::RULE], two_turns::watch),
    (&[&lost_turn::RULE], lost_turn::watch),
    (&[&action_without_turn::RULE], action_without_turn::watch),
    (&[&undeclared::FLUENT, &undeclared::MOVE], undeclared::watch),
    (&[&endless_match::RULE], endless_match::watch),
    (&[&contents::LOST, &contents::TWO], contents::watch),
    (&[&hole::RULE], hole::watch),
    (&[&dead_rule::RULE], dead_rule::watch),
    (&[&dead_action::RULE], dead_action::watch),
    (&[&constant_percept::RULE], constant_percept::watch),
    (&[&unseen_own_move::RULE], unseen_own_move::watch),
];

/// True if, with this finding, matches end or get stuck too early.
pub fn ends_early(rule: &Rule) -> bool {
    [role_without_move::RULE.name, over_at_start::RULE.name, lost_turn::RULE.name].contains(&rule.name)
}

/// All rules, in order of precedence.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().flat_map(|(rules, _)| rules.iter().copied())
}

/// The watches of the rules that apply to a game.
pub fn watches<'a>(case: &'a Case<'a>, budget: &Budget) -> Vec<Box<dyn Watch + 'a>> {
    RULES.iter().filter_map(|(_, start)| start(case, budget)).collect()
}
