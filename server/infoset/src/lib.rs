//! # percept-infoset: what a role can know
//!
//! In: a [`percept_game::Game`] and a [`View`] (a role's own moves and percepts). Out: the histories that the role
//! cannot tell from the real one (its *information set*), and the verdict whether it knows what it must: its legal
//! moves, the end, its goal; and where the language does not say so by itself, its own moves ([`own`]).
//!
//! Never known here: rule languages, files, editors. Only `percept-game` is.
//!
//! A history belongs to the set if it is as long as the view, legal, not over before its last round, and gives the
//! role the same own moves (where the game lets it know them) and the same percepts in every round. Whatever method
//! finds a history, it is re-simulated by [`replay`] before it is shown.
//!
//! ```text
//! view ──> exact ── counts, draws, lists              (states fit the memory, if need be by looking ahead in the
//!      │                                               unrolled view)
//!      ├─> unroll ── csp: propagate, probe, sample or list   (any number of histories)
//!      ├─> unroll ── sat: proofs, witnesses, what is certain
//!      └─> dfs   ── Figure 4 of the paper, the baseline
//! ```

#![warn(missing_docs, unreachable_pub)]

mod advise;
mod certain;
mod clauses;
mod confirm;
pub mod csp;
mod dfs;
pub mod exact;
mod factored;
mod follow;
mod infoset;
mod member;
mod net;
mod observe;
pub mod own;
pub mod prove;
mod reading;
mod sat;
mod solver;
mod stage_graph;
mod unroll;
mod verdict;

pub use advise::{Advice, AdviseOptions, MoveAdvice, advise, advise_from};
pub use certain::{Claims, certain};
pub use csp::{CspError, sampler::Estimate};
pub use dfs::Dfs;
pub use factored::{Factored, Told};
pub use follow::Follow;
pub use infoset::{Method, Options, Report, Wanted, infoset};
pub use member::{Guarantee, Member, Members, Target};
pub use observe::{ObserveOptions, Observed, Size, observe};
pub use percept_game::view::{MatchError, Mismatch, Round, View, play, replay};
pub use percept_game::{Budget, Pace, Progress, Stop};
pub use sat::impossible_round;
pub use verdict::{Finding, Property, Value, Verdict, Witness};

/// Bytes a method may use unless told otherwise.
pub const DEFAULT_MEMORY: usize = 400 << 20;
