//! # percept-players: players that see only their percepts, and the manager of their matches
//!
//! In: a [`Briefing`] (a game with its rules as text) and a [`Strategy`] for each role. Out: an [`Outcome`]: the moves
//! and goals of all roles, and the faults of players that were late, died or answered nonsense.
//!
//! This crate does not depend on files and terminals, and a [`Player`] never has the real state of the match. A player
//! is made from a [`Seat`] (rules, role, clocks) and receives its own moves and percepts, a [`percept_infoset::View`].
//! No function of the trait takes a state, so none can reach it. `tests/suite/eyes.rs` plays with marked states that
//! would be recognised anywhere.
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
//! | add a strategy | `strategies`: one module each; the common parts are `belief.rs`, `tree.rs`, `clock.rs`, and `search/`, which simulates many matches at once (`flock.rs`, in the lanes of `server/game/src/compiled/cursors.rs`) or one by one (`visited.rs`) |
//! | change the messages to remote players and managers | `wire` (messages, HTTP), `host` (a local player behind a port) |
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
pub use exploited::{Exploited, ExploitedError, QueryLimits, exploited};
pub use manager::{Arena, Ended, Fault, FaultKind, MatchOptions, Outcome, Watch};
pub use player::{Player, Seat, Trouble};
pub use strategies::{Absence, Address, Person, Sight, Strategy, StrategyError};
