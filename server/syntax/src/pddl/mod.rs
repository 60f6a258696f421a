//! PDDL 2.2 and POGDDL.

mod ast;

pub use ast::*;
