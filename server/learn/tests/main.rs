//! Networks that guess what is hidden, tested: one program, so that it is linked once.

mod encoding;
mod network;
mod sampling;
mod search;
mod support;
