//! PDDL 2.2 and POGDDL.

mod action;
mod analogy;
mod ast;
mod beyond;
mod condition;
mod declare;
mod dialect;
mod effect;
mod file;
mod init;
pub(crate) mod lower;
mod mend;
mod placed;

pub use analogy::Lack;
pub use ast::*;
pub use dialect::Dialect;
pub(crate) use dialect::rddl;
pub use file::File;
pub use placed::{Note, Placed};
