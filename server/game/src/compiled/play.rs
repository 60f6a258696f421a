//! Random matches in the lanes of words.

use crate::{Ground, State};

/// A ground game compiled for random play.
pub struct Playouts {}

impl Playouts {
    pub fn new(_ground: &Ground, _initial: &State) -> Playouts {
        Playouts {}
    }
}
