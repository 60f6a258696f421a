//! `percept bench`: set-up time and speed.

use crate::args::Bench;
use crate::failure::{Failure, Outcome};

pub fn run(_: &Bench) -> Outcome {
    Err(Failure::new("this command is not in this version yet"))
}
