//! Values, exports and the worth of percepts, from outside the crate.

mod apart;
mod blocks;
mod correlated;
mod export;
mod extensive;
mod naive;
mod outlook;
mod respond;
mod together;
mod values;
mod worth;
