//! Players and their matches, tested: one program, so that it is linked once.

mod eyes;
mod fragment;
mod hurry;
mod information_has_a_price;
mod scsp;
mod support;
mod tournament;
mod wire;
mod wires;
mod world;
