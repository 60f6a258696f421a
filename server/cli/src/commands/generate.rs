//! `percept generate`.

use crate::args::Generate;
use crate::failure::{Failure, Outcome};

pub fn run(_: &Generate) -> Outcome {
    Err(Failure::new("this command is not in this version yet"))
}
