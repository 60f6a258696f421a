//! Compares Percept with the naive readers.

mod coverage;
mod gdl;
mod planted;
mod pogddl;
mod product;
mod witnesses;
