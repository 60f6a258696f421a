//! # percept-game: from typed syntax to a game that can be played
//!
//! In: a [`percept_syntax::gdl::Description`], or a PDDL domain and problem. Out: a [`Game`]: roles, states, legal
//! moves, joint moves, percepts, terminal, goal, and the *ground game* ([`Ground`]): an and-or-not circuit from
//! fluents and moves to everything else, which the information sets run on.
//!
//! Never known here: editors, files and folders (callers read them), and what a player can know (`percept-infoset`).
//!
//! ```text
//! typed syntax -> rules (lifted) -> Ground (one circuit per round) -> compiled circuit -> playouts
//! ```

#![warn(missing_docs, unreachable_pub)]

pub mod batch;
pub mod bench;
pub mod bound;
mod budget;
pub mod circuit;
pub mod compiled;
mod components;
mod fold;
mod game;
pub mod gdl;
mod ids;
mod longest;
pub mod onward;
pub mod plain;
pub mod play;
pub mod pogddl;
mod pool;
mod rules;
pub mod sexpr;
mod states;
pub mod stepper;
pub mod symmetry;
mod term;
mod terms;
#[cfg(test)]
mod toy;
pub mod trace;
pub mod view;
mod written;

pub use budget::{Budget, Pace, Progress, Stop};
pub use game::*;
pub use longest::longest_way;
pub use pogddl::{PogddlOptions, PogddlTerminal};
pub use rules::{Cursor, Names, Play, Rules, Structure};
pub use states::States;
pub use term::{NotAName, Term};
pub use terms::{Sym, TermId, Terms};
pub use written::Written;
