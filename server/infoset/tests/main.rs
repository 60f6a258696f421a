//! What a role can know, tested: one program, so that it is linked once.

mod closed_forms;
mod own_moves;
mod prove;
mod published;
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
