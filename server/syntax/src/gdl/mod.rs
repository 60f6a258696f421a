//! GDL and GDL-II.

mod ast;
pub(crate) mod infix;
pub(crate) mod prefix;
mod statements;

pub use ast::*;
pub(crate) use infix::{goes_on_with_a_statement, is_foreign_operator};
pub use statements::{Description, Statements};
