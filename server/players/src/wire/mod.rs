//! Matches over the network, as in general game playing: one HTTP/1.0 request per message, with a body in KIF.
//!
//! ```text
//! manager ── strategies::remote: a Player ── message ── http::ask ──>  a remote player
//! a remote manager  ── host::Server ── message ── Host ── seat: a local player
//! ```
//!
//! Four dialects are supported, and [`Host`](crate::host::Host) detects them automatically: chapter 17.5 of *General
//! Game Playing*, the Dresden game controller of 2013 and of 2011, and GDL-I. Symbols are compared without case, and
//! answered in the case in which they came: the Dresden controller writes everything in capital letters.

mod http;
mod message;
mod names;
mod outline;
mod shown;

pub use http::{Limits, WireError, ask};
pub use message::{News, Protocol, Request, RequestError};
pub(crate) use message::{flat, loud, question};
pub(crate) use names::Names;
pub(crate) use outline::may_be_long;
pub(crate) use shown::shown;
