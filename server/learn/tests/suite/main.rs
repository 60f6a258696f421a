//! What is learnt, and searches by it, from outside the crate.

mod encoding;
mod network;
mod sampling;
mod search;
mod support;
