//! `percept convert`.

use crate::args::Convert;
use crate::failure::{Failure, Outcome};

pub fn run(_: &Convert) -> Outcome {
    Err(Failure::new("this command is not in this version yet"))
}
