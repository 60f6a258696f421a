//! # percept-solve: the value of a game
//!
//! In: a [`percept_game::Game`]. Out: its extensive form ([`Tree`]), values and strategies with a proof or a measure of
//! their quality ([`solve()`]), tables of strategies ([`Strategy`]), best responses to them ([`respond()`]), the worth of
//! every percept ([`worth`]), and the game in the formats of other tools ([`export`]).
//!
//! This crate does not depend on files, editors or terminals. Only [`worth`] reads rules as text; the rest works on
//! games.
//!
//! ```text
//! game ──> tree: sequences and leaves ──> zero_sum: a matrix ──> lp, exact      (thousands of sequences)
//! │                  │                                    └──> cfr            (what fits the memory)
//! │                  └──> general: more players, other goals
//! │                                                          └──> apart: cfr with its payoffs on many machines
//! ├──> blocks ──> cfr                                                         (two players, the tree is too large)
//! ├──> sampling                                                               (the rest; proves nothing)
//! └──> respond: states ──> the views of one role at a time                    (values of given strategies)
//! ```
//!
//! # Correctness of the answers
//! A strategy of each player and the best response to it bound the value from both sides, whatever method found the
//! strategies. If probabilities are fractions, the same is done in exact numbers and both bounds meet.
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | solve games differently | `src`: everything rests on `tree`, one module per method, one front door (`solve.rs`) |
//! | change the prices of percepts, or export to another tool | `worth`, `export` |

#![warn(missing_docs, unreachable_pub)]

pub mod apart;
mod arena;
pub mod blocks;
pub mod cfr;
mod checkpoint;
pub mod correlated;
mod descent;
mod evaluate;
pub mod exact;
pub mod export;
mod face;
pub mod general;
mod large;
pub mod lp;
mod many;
mod opposed;
mod options;
pub mod outlook;
pub mod plan;
pub mod respond;
pub mod sampling;
mod shape;
mod solution;
mod solve;
pub mod strategy;
mod together;
pub mod tree;
pub mod worth;
pub mod zero_sum;

pub use checkpoint::Checkpoint;
pub use evaluate::evaluate;
pub use opposed::LP_SEQUENCES;
pub use options::{Method, Options, Point, Sampling};
pub use respond::{Profile, respond};
pub use solution::{DEFAULT_VARIANT, Deviation, Kind, RoleValue, Solution};
pub use solve::solve;
pub use strategy::{Entry, Shared, Strategy, StrategyError, ViewRound, known_view};
pub use tree::{BuildError, Space, Tree};
