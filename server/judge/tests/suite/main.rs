//! The judge's findings, tested from outside the crate.

mod actions;
mod boards;
mod causes;
mod coverage;
mod induction;
mod reasons;
mod steps;
mod well_formed;
