//! PDDL 2.2 and POGDDL.

mod action;
mod ast;
mod beyond;
mod condition;
mod declare;
mod dialect;
mod effect;
mod file;
mod init;
pub(crate) mod lower;
mod placed;

pub use ast::*;
pub use dialect::Dialect;
pub(crate) use dialect::rddl;
pub use file::File;
pub use placed::{Note, Placed};
