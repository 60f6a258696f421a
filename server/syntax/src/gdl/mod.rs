//! GDL and GDL-II.

mod ast;

pub use ast::*;
