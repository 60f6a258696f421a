//! The requests: each file takes the protocol's parameters apart, asks the pure function, puts the answer together.

pub mod document_symbol;
pub mod execute_command;
pub mod hover;
mod view;

pub use view::View;
