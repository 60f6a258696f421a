//! # percept-syntax: from text to typed syntax with ranges
//!
//! In: the bytes of a file and edits to them. Out: a tree-sitter tree that covers the whole text, the typed syntax
//! of a GDL description ([`gdl::Description`], prefix and infix alike) or of a PDDL file ([`pddl::File`]), the
//! comments, the tokens, and syntax errors, each with its byte range.
//!
//! Never known here: what a game is, what a diagnostic rule is, and the language server protocol.
//! Parsing never fails: it returns what it understood and a list of errors.

#[cfg(test)]
mod agree;
pub mod convert;
mod detect;
mod doc;
mod document;
pub mod format;
mod forms;
pub mod gdl;
mod lex;
pub mod lines;
mod nest;
pub mod pddl;
mod source;
mod text;
mod token;
mod tree;

pub use document::Document;
pub use nest::MAX_DEPTH;
pub use source::{Comment, Language, MAX_BYTES, NotText, Source, Syntax, SyntaxError, text_of};
pub use text::{Name, TextRange};
pub use token::{Token, TokenKind};
