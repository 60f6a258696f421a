//! The findings of the analysis, seen from outside the crate.

mod corpus;
mod edits;
mod fixes;
mod fixtures;
mod gdl_mutants;
mod one_slip;
mod open_bracket;
mod pddl;
mod pogddl_corpus;
mod pogddl_speed;
mod pogddl_survives;
mod properties;
mod rule_book;
mod support;
