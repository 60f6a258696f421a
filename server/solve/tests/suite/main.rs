//! Values, exports and what percepts are worth, from outside the crate.

mod export;
mod extensive;
mod naive;
mod values;
mod worth;
