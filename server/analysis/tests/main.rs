//! Findings of texts, tested: one program, so that it is linked once.

mod corpus;
mod edits;
mod fixes;
mod fixtures;
mod gdl_mutants;
mod growth;
mod one_slip;
mod open_bracket;
mod passed_over;
mod pogddl_corpus;
mod pogddl_mutants;
mod pogddl_speed;
mod pogddl_survives;
mod properties;
mod published_pddl;
mod rule_book;
mod support;
