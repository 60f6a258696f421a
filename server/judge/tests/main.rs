//! Findings that need matches, tested: one program, so that it is linked once.

mod coverage;
mod induction;
mod reasons;
mod well_formed;
