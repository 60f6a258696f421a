//! # percept-table: people who play a game in their browsers, each with the eyes of one role
//!
//! In: a game as players receive it ([`Arena`]), the layout of its boards, and the player of each role. Out: a server
//! with a page, and a secret link for each person and for watchers.
//!
//! This crate does not know how a game is read, and it has no manager of its own: `percept-players` plays the match,
//! and a person is one of its strategies. The messages to a seat are made from the person's [`Sight`] alone (`wire`),
//! which follows from the role's view. Nothing else is sent to a seat before the end of the match.
//!
//! ```text
//! manager ──> a person's thread ──> place ──> every browser with the link of the place
//!    │          (Sight: a view)       ^              │
//!    │                                └── a move ────┘
//!    ├── each round ──> kept: the file from which a match goes on after an interruption
//!    └── the end ──> opened: the whole match, to all
//! ```
//!
//! ## What the time of a message shows
//!
//! A seat gets one message for each round, as soon as its role knows the last one. A round ends when the last player
//! has chosen, so its length shows how long the slowest player took. A role with one legal move does not wait for its
//! person, so in a game with hidden turns this length can show that another role had a choice.
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | change the messages to a seat | `wire`, and the page in `page/` |
//! | change what is shown after the end | `opened` |
//! | change who may connect, and how much they may send | `serve`, `doors`, `session` |
//! | change the file of a table | `lines`, `kept` |
//! | change what a lobby offers | `hall` |
//! | change what the author's report says | `debrief` |
//! | change what a player can do beside the game | `table`; its matches are in `playing` |
//!
//! [`Arena`]: percept_players::Arena
//! [`Sight`]: percept_players::Sight

#![warn(missing_docs, unreachable_pub)]

mod chair;
pub mod debrief;
mod doors;
mod hall;
mod kept;
pub mod lines;
mod opened;
mod place;
mod playable;
mod playing;
mod serve;
mod session;
mod table;
mod token;
mod wire;

pub use doors::{Doors, DoorsError};
pub use hall::{Hall, named};
pub use kept::Kept;
pub use playable::{Playable, Shelf, Texts};
pub use playing::{Event, Listen, joint_moves};
pub use serve::serve;
pub use table::Terms;
pub use token::Token;
