//! GDL and GDL-II.

pub(crate) mod again;
mod ast;
pub(crate) mod infix;
pub(crate) mod prefix;
mod statements;

pub use again::Followed;
pub use ast::*;
pub(crate) use infix::{goes_on_with_a_statement, is_foreign_operator};
pub use statements::{Description, Statements};
