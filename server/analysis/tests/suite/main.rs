//! What the analysis finds, from outside the crate.

mod corpus;
mod edits;
mod fixes;
mod fixtures;
mod gdl_mutants;
mod one_slip;
mod open_bracket;
mod passed_over;
mod pddl;
mod pogddl_corpus;
mod pogddl_mutants;
mod pogddl_speed;
mod pogddl_survives;
mod properties;
mod rule_book;
mod support;
