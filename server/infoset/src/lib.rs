//! # percept-infoset: what a role can know
//!
//! In: a [`percept_game::Game`] and a [`View`] (a role's own moves and percepts). Out: the histories that the role
//! cannot distinguish from the real one (its *information set*), and verdicts on the properties it must know: its legal
//! moves, the end and its goal. If the language does not give a role its own moves, they are judged, too ([`own`]).
//!
//! ```
//! use percept_game::view::View;
//! use percept_game::{Budget, Game};
//! use percept_infoset::prove::{self, Prover, Verdict};
//! use percept_infoset::{Options, Property, infoset};
//! use percept_syntax::{Language, Source, Syntax};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A coin falls, and ann does not see the side.
//! let text = "
//!     (role random) (role ann) (init flying)
//!     (<= (legal random (fall heads)) (true flying))
//!     (<= (legal random (fall tails)) (true flying))
//!     (<= (legal ann wait) (true flying))
//!     (<= (next (coin ?side)) (does random (fall ?side)))
//!     (<= terminal (true (coin ?side)))
//!     (<= (goal ann 100) (true (coin heads)))
//!     (<= (goal ann 0) (true (coin tails)))";
//! let source = Source::parse(text, Language::GdlPrefix);
//! let Syntax::Gdl(description) = &source.syntax else { unreachable!("the language is GDL") };
//! let game = Game::from_gdl(description).map_err(|errors| errors[0].message.clone())?;
//! let ann = game.role("ann").expect("a role of the game");
//! let budget = Budget::default();
//!
//! // The information set of ann after one round: both sides of the coin.
//! let mut at = game.start();
//! let joint: Vec<_> = game.role_ids().map(|role| at.legal(role)[0]).collect();
//! let view = View::of_match(&game, ann, &[joint])?;
//! let set = infoset(&game, &view, &Options::default(), &budget)?;
//! assert_eq!(set.members.len(), 2);
//!
//! // In every match ann knows that it is over, but not its goal.
//! let mut prover = Prover::new(&game);
//! let mut verdict = |property| prover.prove(ann, property, &prove::Options::default(), &budget).verdict;
//! assert!(matches!(verdict(Property::Terminal), Verdict::Proved { .. }));
//! assert!(matches!(verdict(Property::Goal), Verdict::Refuted { .. }));
//! # Ok(())
//! # }
//! ```
//!
//! This crate does not depend on rule languages, files or editors, only on `percept-game`.
//!
//! A history belongs to the set if it is as long as the view, legal, not over before its last round, and gives the
//! role the same own moves (if the game lets it know them) and the same percepts in every round. A history found by any
//! method is simulated again by [`replay`] before it is shown.
//!
//! ```text
//! view ──> exact ── counts, draws, lists              (states fit the memory, if necessary by looking ahead in the
//!      │                                               unrolled view)
//!      ├─> unroll ── csp: propagate, probe, sample or list   (any number of histories)
//!      ├─> unroll ── sat: proofs, witnesses, what is certain
//!      └─> dfs   ── Figure 4 of the paper, the baseline
//! ```
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | find members of information sets differently | `src`: one module per method, one entry point (`infoset.rs`) |
//! | extend the language of questions | `prove/query`: `formula.rs` reads, `writer.rs` writes out, `explicit.rs` and `symbolic.rs` answer; `docs/queries.md` |
//! | judge observability | `observe.rs` and `verdict.rs` along a match, `prove` for all matches (`claims.rs`: the claims of proofs; `findings.rs`: the answers; the methods build on these two); limits: `README.md`, `docs/proofs.md` |
//! | change the meaning of "a role knows its own moves" | `own.rs`: the notion, which all others use; its proof for all matches is in `prove` (`Property::Own`), the finding in `server/judge/src/rules/unseen_own_move.rs` |
//! | change the check of a proof before it counts as proved | `prove/reader.rs`: the second reader, on `Game::plain` (`server/game/src/written.rs`, `server/game/src/plain`); for a match `confirm.rs` |
//! | use another SAT solver | `solver`: one trait, implemented by CaDiCaL, by BatSat for web pages, and by the follower of proofs |

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

pub use advise::{Advice, AdviseOptions, MoveAdvice, SoFar, advise, advise_each, advise_from};
pub use certain::{Claims, certain};
pub use csp::{CspError, sampler::Estimate};
pub use dfs::Dfs;
pub use factored::{Factored, RoundPercepts};
pub use follow::Follow;
pub use infoset::{Method, Options, Report, Wanted, infoset};
pub use member::{Guarantee, Member, Members, Target};
pub use observe::{News, ObserveOptions, Observed, Size, observe, observe_each};
pub use percept_game::view::{MatchError, Mismatch, Round, View, play, replay};
pub use percept_game::{Budget, Pace, Progress, Steps, Stop};
pub use sat::impossible_round;
pub use verdict::{Finding, Property, Value, Verdict, Witness};

/// The default limit of a method's memory, in bytes.
pub const DEFAULT_MEMORY: usize = 400 << 20;
