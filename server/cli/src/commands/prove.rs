//! `percept prove`.

use crate::args::Prove;
use crate::failure::{Failure, Outcome};

pub fn run(_: &Prove) -> Outcome {
    Err(Failure::new("this command is not in this version yet"))
}
