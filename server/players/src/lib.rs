//! # percept-players: players that see only their percepts, and the manager of their matches
//!
//! In: a [`Briefing`] (a game with its rules as text) and a [`Strategy`] for each role. Out: an [`Outcome`]: what
//! everybody did, what it was worth, and who was late, died or answered nonsense.
//!
//! Never known here: files and terminals; and, in a [`Player`], how the match really stands. A player is made from a
//! [`Seat`] (rules, role, clocks) and is told its own moves and percepts, a [`percept_infoset::View`]; no function of
//! the trait takes a state, so none can reach it. `tests/suite/eyes.rs` plays with states that would be recognised anywhere.
//!
//! ```text
//! manager ── the real state ──> seat: a thread ──> player ──> belief: members of the information set, kept current
//!    │                            (view, clock)       │
//!    └── illegal, late, dead: a random move           └─────> tree: what was tried in simulated matches
//! ```
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | add a way to play | `strategies`: one module each; what all share is `belief.rs`, `tree.rs`, `clock.rs`, and `search/`, which simulates matches many at once (`flock.rs`, in the lanes of `server/game/src/gdl/block.rs`) or one by one (`visited.rs`) |
//! | change what is said to players and managers elsewhere | `wire` (messages, HTTP), `host` (our player behind a port) |
//! | change how tournaments are scheduled, kept or rated | `tournament` |

#![warn(missing_docs, unreachable_pub)]

mod belief;
mod briefing;
mod clock;
mod exploited;
pub mod fragment;
pub mod host;
mod manager;
mod player;
pub mod scsp;
mod seat;
mod simulation;
pub mod strategies;
pub mod tournament;
mod tree;
mod visited;
pub mod wire;

pub use belief::{Belief, Guess};
pub use briefing::{Briefing, BriefingError};
pub use clock::{Clock, Clocks};
pub use exploited::{Asked, Exploited, ExploitedError, exploited};
pub use manager::{Arena, Ended, Fault, FaultKind, MatchOptions, Outcome};
pub use player::{Player, Seat, Trouble};
pub use strategies::{Address, Person, Sight, Strategy, StrategyError};
