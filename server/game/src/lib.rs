//! # percept-game: from typed syntax to a game that can be played
//!
//! In: a [`percept_syntax::gdl::Description`], or a PDDL domain and problem. Out: a [`Game`]: roles, states, legal
//! moves, joint moves, percepts, terminal, goal, and the *ground game* ([`Ground`]): an and-or-not circuit from fluents
//! and moves to everything else, which the information sets run on.
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
//! let Syntax::Gdl(description) = &source.syntax else { unreachable!("the language is GDL") };
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
//! Never known here: editors, files and folders (callers read them), and the knowledge of players (`percept-infoset`).
//!
//! ```text
//! typed syntax -> rules (lifted) -> Ground (one circuit per round) -> compiled circuit -> playouts
//! ```
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | change the meaning of a rule of a game | `gdl`, `pogddl`, and `plain`, by which proofs are checked: the same meaning without optimisations, in code of its own (`tests/suite/plain.rs` verifies that) |
//! | treat another number of a POGDDL match as a fault | `pogddl/faults.rs`, and `plain/pogddl/rules.rs`; callers must check `Rules::fault` before they report results |
//! | read or write another trace format | `trace` |
//! | read words and lists (names, traces, questions, strategies, messages) | `sexpr.rs`, nowhere else |
//! | find symmetries of a game (cells, colours, roles) | `symmetry`: candidates by colour refinement, accepted if the circuit is invariant; used by `server/infoset/src/prove/pairs`, for the first moves of the search by length (`bounded.rs`), for agreement (`agree.rs`), and for another role's answers (`namesake.rs`) |
//! | set large games up faster | `gdl`: `reach` finds the reachable atoms (`saturate`, round by round), `found.rs` keeps the solutions of rule bodies, `instantiate` makes gates of them; conditions are ordered by `plan.rs` and joined by `join.rs`; `unequal.rs` and `instantiate/frame.rs` keep pairs of cells from being listed, and `closure.rs` those of large orders of numbers; `unique` proves what there is only one of (the king), and so need not be listed for every value; `instantiate/unread.rs` omits atoms that are never read; `limits.rs` has the limits |
//! | interpret a game that has no circuit | `gdl/lifted`: `core.rs` lists (by `saturate`) or evaluates on demand (`asking/`), `way.rs` chooses |
//! | change the basis of random matches | `compiled`: `partial.rs` folds the known part of a round, `phases.rs`, `unfold.rs` and `blocks.rs` determine it; `shrink.rs` computes once what many gates share; `kinds` sorts the lanes of a sequential game by the kind of their positions; `pogddl/ground/play.rs` makes the round of a POGDDL game, `pogddl/sound.rs` proves that none of its numbers is a fault |
//! | advance many states at once | `compiled/cursors.rs`, a cursor over 64 states; `batch`, with moves and percepts as numbers. Both run a round over bits (`Play::bit_round`); for POGDDL, `pogddl/ground/play.rs` makes it, and `pogddl/ground/digits.rs` makes gates of numbers |
//! | search states | `states.rs` keeps them, each once; `longest.rs` finds the longest path, or the cycle that makes it endless; `budget.rs` has the time limit |

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
pub use compiled::cursors::Lanes;
pub use game::*;
pub use longest::longest_way;
pub use pogddl::{PogddlOptions, PogddlTerminal};
pub use rules::{Cursor, Names, Play, Rules, Structure};
pub use states::States;
pub use term::{NotAName, Term};
pub use terms::{Sym, TermId, Terms};
pub use written::Written;
