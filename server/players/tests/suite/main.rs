//! Players, matches over the network and tournaments, from outside the crate.

mod eyes;
mod fragment;
mod ggp;
mod hurry;
mod information_has_a_price;
mod interrupted;
mod port;
mod scsp;
mod support;
mod tournament;
mod wire;
mod wires;
