//! What the product says of random games, held against a reader that shares no code with it: one program, so that it is linked once.

mod coverage;
mod gdl;
#[allow(dead_code)]
#[path = "../../../server/game/tests/support/naive.rs"]
mod naive;
mod planted;
mod pogddl;
mod product;
mod witnesses;
