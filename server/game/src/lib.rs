//! # percept-game: from typed syntax to a game that can be played
//!
//! In: a [`percept_syntax::gdl::Description`], or a PDDL domain and problem. Out: a [`Game`]: roles, states, legal
//! moves, joint moves, percepts, terminal, goal, and the *ground game* ([`Ground`]): an and-or-not circuit from
//! fluents and moves to everything else, which the information sets run on.
//!
//! ```
//! use percept_game::Game;
//! use percept_syntax::{Language, Source, Syntax};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Read a game.
//! let text = "
//!     (role ann) (role bob) (init (turn ann))
//!     (<= (legal ?r (say yes)) (true (turn ?r)))
//!     (<= (legal ?r (say no)) (true (turn ?r)))
//!     (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
//!     (<= (next (turn bob)) (true (turn ann)))
//!     (<= (next over) (true (turn bob)))
//!     (<= (sees bob ?word) (does ann (say ?word)))
//!     (<= terminal (true over))
//!     (goal ann 50) (goal bob 50)";
//! let source = Source::parse(text, Language::GdlPrefix);
//! let Syntax::Gdl(description) = &source.syntax else { unreachable!("GDL was asked for") };
//! let game = Game::from_gdl(description).map_err(|errors| errors[0].message.clone())?;
//!
//! // Step through a match: ann says yes, bob makes its only legal move.
//! let [ann, bob] = [game.role("ann"), game.role("bob")].map(|role| role.expect("a role of the game"));
//! let mut at = game.start();
//! let yes = game.rules.move_named(ann, &"(say yes)".parse()?).expect("a move of ann");
//! let joint = [yes, at.legal(bob)[0]];
//! let percepts = at.percepts(&joint, bob);
//! assert_eq!(game.rules.percept_term(bob, percepts[0]).to_string(), "yes");
//! assert!(at.percepts(&joint, ann).is_empty());
//! at.step(&joint);
//! assert!(!at.is_terminal());
//! # Ok(())
//! # }
//! ```
//!
//! Never known here: editors, files and folders (callers read them), and what a player can know (`percept-infoset`).
//!
//! ```text
//! typed syntax -> rules (lifted) -> Ground (one circuit per round) -> compiled circuit -> playouts
//! ```
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | change what a rule of a game means | `gdl`, `pogddl`, and `plain`, by which proofs are checked: the same meaning without any cleverness, in code of its own (`tests/suite/plain.rs` looks) |
//! | call another number of a POGDDL match a fault | `pogddl/faults.rs`, and `plain/pogddl/rules.rs`; whoever claims something asks `Rules::fault` first |
//! | read or write another trace format | `trace` |
//! | read words and lists (names, traces, questions, strategies, messages) | `sexpr.rs`, nowhere else |
//! | know what may change places in a game (cells, colours, roles) | `symmetry`: found by colours, believed when the circuit is the same; used by `server/infoset/src/prove/pairs.rs`, for the first moves of the search by length (`bounded.rs`), for what agrees (`agree.rs`), and for another role's answers (`namesake.rs`) |
//! | set large games up faster | `gdl`: `reach.rs` finds what can be at all (`saturate.rs`, round by round), `found.rs` keeps the solutions of rule bodies that this comes to, `instantiate.rs` makes gates of them; who joins puts conditions in order by `plan.rs` and joins by `join.rs`; `instantiate/unread.rs` spares atoms that nobody reads; `limits.rs` says how much is too much |
//! | interpret a game that has no circuit | `gdl/lifted.rs` and its folder: `core.rs` lists (by `saturate.rs`) or asks (`asking/`), `way.rs` says which |
//! | change what random matches run on | `compiled`: `partial.rs` folds what is known of a round, `phases.rs` and `unfold.rs` say what that is |
//! | search states | `states.rs` keeps them, each once; `longest.rs` finds the longest way, or the circle that makes it endless; `budget.rs` says how long |

#![warn(missing_docs, unreachable_pub)]

pub mod batch;
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

pub use budget::{Budget, Pace, Progress, Steps, Stop};
pub use game::*;
pub use longest::longest_way;
pub use pogddl::{PogddlOptions, PogddlTerminal};
pub use rules::{Cursor, Names, Play, Rules, Structure};
pub use states::States;
pub use term::{NotAName, Term};
pub use terms::{Sym, TermId, Terms};
pub use written::Written;
