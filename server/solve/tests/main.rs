//! Values and strategies, tested: one program, so that it is linked once.

mod export;
mod extensive;
mod naive;
mod support;
mod values;
mod worth;
