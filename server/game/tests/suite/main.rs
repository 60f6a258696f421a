//! The behaviour of games, however they are run, tested from outside the crate.

mod asking;
mod batch;
mod corpus_games;
mod frames;
mod gdl_rules;
mod growth;
mod lanes;
mod plain;
mod pogddl_explain;
mod pogddl_faults;
mod pogddl_games;
mod pogddl_lanes;
mod pogddl_mutants;
mod pogddl_naive;
mod pogddl_published;
mod pogddl_refused;
mod random_lanes;
mod random_play;
mod set_up;
mod support;
mod three_ways;
mod traces;
mod uniform_draws;
