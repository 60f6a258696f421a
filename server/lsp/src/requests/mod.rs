//! The requests: each file takes the protocol's parameters apart, asks the pure function, puts the answer together.

pub mod definition;
pub mod document_highlight;
pub mod document_symbol;
pub mod execute_command;
pub mod folding_range;
pub mod hover;
pub mod references;
pub mod rename;
pub mod selection_range;
pub mod semantic_tokens;
mod view;

pub use view::View;
