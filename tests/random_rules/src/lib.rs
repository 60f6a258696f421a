//! # percept-random-rules: a second opinion on whole games
//!
//! Random games as texts, and what they mean, read naively; the tests beside this crate hold everything that Percept says
//! of them against it: states, moves, percepts and goals at every step; information sets by every method, as sets of
//! histories with their numbers and chances; the verdicts along matches and about every match, by every method; answers to
//! questions; bounds on the length of a match.
//!
//! | what | rests on |
//! | --- | --- |
//! | the texts ([`gdl::write`], [`pogddl::write`]) | nothing |
//! | the meaning of GDL ([`gdl::Naive`]) | our own reader of lists of words ([`sexp`]) and our own fixpoint, layer by layer |
//! | the meaning of POGDDL | `percept-syntax`'s tree as written, and `server/game/tests/support/naive.rs`, which evaluates it by recursion |
//! | what can happen ([`graph`]), what roles know ([`truth`]), what questions mean ([`query`]) | the two readers; all histories and all pairs of states, by brute force |
//!
//! This crate depends on no crate of Percept; only `tests/` sees both sides. What both sides share is therefore: for POGDDL
//! the parser; for GDL nothing.
//!
//! Brute force is complete up to a length. A `proved` must have no pair of histories up to there, a `refuted` must be a
//! pair and the shortest, a list must be the whole set; where all pairs of states were seen, nothing may stay open.
//!
//! ```sh
//! cargo test -p percept-random-rules                                   the same seeds every time
//! PERCEPT_LONG=1 cargo test -p percept-random-rules                   a thousand, and fresh ones, which are printed
//! PERCEPT_RANDOM_SEED=1234 cargo test -p percept-random-rules --test gdl     one again; 0..500: a range
//! ```
//! A case that differs is made small ([`shrink`]) and printed as a file for `kept/`, whose cases run for ever after.

pub mod gdl;
pub mod graph;
pub mod pogddl;
pub mod query;
pub mod sexp;
pub mod shrink;
pub mod truth;
