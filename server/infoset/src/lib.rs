//! # percept-infoset: what a role can know
//!
//! In: a [`percept_game::Game`] and a [`View`] (a role's own moves and percepts). Out: the histories that the role
//! cannot tell from the real one (its *information set*), and the verdict whether it knows what it must: its legal
//! moves, the end, its goal; and where the language does not say so by itself, its own moves ([`own`]).
//!
//! ```
//! use percept_game::view::View;
//! use percept_game::{Budget, Game};
//! use percept_infoset::prove::{self, Prover, Verdict};
//! use percept_infoset::{Options, Property, infoset};
//! use percept_syntax::{Language, Source, Syntax};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A coin falls, and nobody tells ann how.
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
//! let Syntax::Gdl(description) = &source.syntax else { unreachable!("GDL was asked for") };
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
//! // In every match ann knows that it is over, but not what it got.
//! let mut prover = Prover::new(&game);
//! let mut verdict = |property| prover.prove(ann, property, &prove::Options::default(), &budget).verdict;
//! assert!(matches!(verdict(Property::Terminal), Verdict::Proved { .. }));
//! assert!(matches!(verdict(Property::Goal), Verdict::Refuted { .. }));
//! # Ok(())
//! # }
//! ```
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
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | find members of information sets differently | `src`: one module per method, one front door (`infoset.rs`) |
//! | let questions say more | `prove/query`: `formula.rs` reads, `writer.rs` writes out, `explicit.rs` and `symbolic.rs` answer; `docs/queries.md` |
//! | judge observability | `observe.rs` and `verdict.rs` along a match, `prove` for all matches (`claims.rs`: what proofs claim; `findings.rs`: what is answered; the methods stand above these two); how far that gets: `README.md`, `docs/proofs.md` |
//! | change what it means that a role knows its own moves | `own.rs`: the notion, which all others use; how it is proved for all matches is in `prove` (`Property::Own`), the finding in `server/judge/src/rules/unseen_own_move.rs` |
//! | change how a proof is followed before it is called proved | `prove/reader.rs`: the second reader, on `Game::plain` (`server/game/src/written.rs`, `server/game/src/plain`); for a match `confirm.rs` |
//! | use another SAT solver | `solver`: one trait, behind which CaDiCaL is, BatSat for web pages, and who follows the log |

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
pub use percept_game::{Budget, Pace, Progress, Steps, Stop};
pub use sat::impossible_round;
pub use verdict::{Finding, Property, Value, Verdict, Witness};

/// Bytes a method may use unless told otherwise.
pub const DEFAULT_MEMORY: usize = 400 << 20;
