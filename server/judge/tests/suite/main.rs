//! What the judge finds, from outside the crate.

mod causes;
mod coverage;
mod induction;
mod reasons;
mod steps;
mod well_formed;
