//! What the judge finds, from outside the crate.

mod coverage;
mod induction;
mod reasons;
mod well_formed;
