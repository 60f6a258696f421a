//! GDL-II: random rule sets, and their meaning.

mod naive;
mod names;
pub mod plots;
mod rules;
mod write;

pub use naive::{Bounds, Naive};
pub use rules::{Refusal, Rules};
pub use write::{Features, write, write_large};
