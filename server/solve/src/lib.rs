//! # percept-solve: what a game is worth
//!
//! In: a [`percept_game::Game`]. Out: its extensive form ([`Tree`]), values and strategies that are proved to be good or
//! come with how good they are ([`solve()`]), tables of strategies ([`Strategy`]), what every percept is worth
//! ([`worth`]), and the game in the formats of other tools ([`export`]).
//!
//! Never known here: files, editors, terminals. [`worth`] alone knows rules as text; the rest sees a game.
//!
//! ```text
//! game ──> tree: sequences and leaves ──> zero_sum: a matrix ──> lp, exact      (thousands of sequences)
//!   │                  │                                    └──> cfr            (what fits the memory)
//!   │                  └──> general: more players, other goals
//!   └──> sampling                                                               (the rest; proves nothing)
//! ```
//!
//! # How the answers are known to be right
//! A strategy of each player and the best response to it leave the value between two numbers: whatever found the
//! strategies, the bracket holds. Where probabilities are fractions the same is done in exact numbers and both ends meet.
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | solve games otherwise | `src`: `tree` is what everything stands on, one module per method, one front door (`solve.rs`) |
//! | change how percepts are priced, or export to another tool | `worth`, `export` |

#![warn(missing_docs, unreachable_pub)]

pub mod cfr;
pub mod exact;
pub mod export;
mod face;
pub mod general;
pub mod lp;
mod options;
pub mod plan;
pub mod sampling;
mod solve;
pub mod strategy;
pub mod tree;
pub mod worth;
pub mod zero_sum;

pub use options::{Method, Options, Point, Sampling};
pub use solve::{DEFAULT_VARIANT, Deviation, Kind, LP_SEQUENCES, RoleValue, Solution, solve};
pub use strategy::{Entry, Known, Strategy, StrategyError, known_view};
pub use tree::{BuildError, Space, Tree};
