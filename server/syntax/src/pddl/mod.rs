//! PDDL 2.2 and POGDDL.

mod ast;
mod beyond;
mod condition;
mod declare;
mod effect;
mod init;
pub(crate) mod lower;

pub use ast::*;
