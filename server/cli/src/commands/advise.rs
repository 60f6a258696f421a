//! `percept advise`.

use crate::args::Advise;
use crate::failure::{Failure, Outcome};

pub fn run(_: &Advise) -> Outcome {
    Err(Failure::new("this command is not in this version yet"))
}
