//! Information sets, verdicts and proofs, from outside the crate.

mod closed_forms;
mod large_sets;
mod own_moves;
mod prove;
mod published_gdl;
mod questions;
mod random_games;
mod small_games;
mod support;
mod symmetry;
mod table1;
mod truths;
mod verdicts;
mod weights;
