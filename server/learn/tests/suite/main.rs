//! Tests of the learning and of searches with a network, from outside the crate.

mod encoding;
mod network;
mod sampling;
mod search;
mod support;
