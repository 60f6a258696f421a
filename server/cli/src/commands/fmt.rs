//! `percept fmt`.

use crate::args::Fmt;
use crate::failure::{Failure, Outcome};

pub fn run(_: &Fmt) -> Outcome {
    Err(Failure::new("this command is not in this version yet"))
}
