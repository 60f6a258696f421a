//! # percept-syntax: from text to typed syntax with ranges
//!
//! In: the bytes of a file and edits to them. Out: a tree-sitter tree that covers the whole text, the typed syntax
//! of a GDL description ([`gdl::Description`], prefix and infix alike) or of a PDDL file ([`pddl::File`]), the
//! comments, the tokens, and syntax errors, each with its byte range.
//!
//! This crate does not depend on games, on the rules of the rule book, or on the language server protocol.
//! Parsing never fails: it returns the text that it understood and a list of errors.
//!
//! | to do | call |
//! | --- | --- |
//! | name a file's language | [`Language::detect`] |
//! | parse a text, or the bytes of a file | [`Source::parse`], [`Source::from_bytes`] |
//! | follow edits | [`Document::edit`], [`Document::snapshot`] |
//! | turn offsets into lines and columns | [`lines::LineIndex`] |
//! | report a problem at a place, from any rule | [`finding::Diagnostic`] |
//! | find the comment that documents a statement | [`Source::doc_comment`] |
//! | format a text or a part of it | [`format::format`], [`format::format_range`] |
//! | write prefix text as infix text and back | [`convert::convert`]; [`convert::convert_text`] if that is all |
//!
//! ```
//! use percept_syntax::{Language, Source, Syntax, lines::LineIndex};
//!
//! let source = Source::parse("(role ann)\n(legal ann wait", Language::GdlPrefix);
//! // Parsing never fails: the result has all that was understood, and the errors with their places.
//! let Syntax::Gdl(description) = &source.syntax else { panic!("the language is GDL") };
//! assert_eq!(description.statements.len(), 2);
//! let error = &source.errors[0];
//! assert_eq!(LineIndex::new(&source.text).line_of(error.range.start), 1, "lines count from 0: {}", error.message);
//! ```
//!
//! ## How a text is read
//! In an editor tree-sitter parses the text, incrementally after an edit; `tree` walks the leaves once and `lex`
//! assigns their kinds (a text that is read only once needs `lex` alone). In a PDDL domain the actions without edits
//! keep their typed syntax (`untouched`): then only the rest is read again, and the tree, with the edit marked, is not
//! updated until a text has to be read as a whole. In a text without errors, only the statements of a description, or
//! the actions, declared predicates and initial facts of a large PDDL file, that have edits are read (`again`), and the
//! typed syntax of the others on first access. `nest` builds the lists and finds the
//! ends of unclosed forms, so that one slip is one error at its place; infix text has its own recursive descent parser.
//! `gdl::prefix`, `gdl::infix` and `pddl::lower` make the typed syntax. Nodes of tree-sitter are not exported. Data that
//! takes more memory than the text and is seldom needed is read again on access: tokens ([`Tokens`]), and long rows of
//! facts ([`gdl::Statements`]). Lists deeper than [`MAX_DEPTH`] are reported and left out, so that all other code may
//! recurse; texts longer than [`MAX_BYTES`], and floods of brackets (`flood`), are refused before a tree is built for
//! them.
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | keep more of a text that is being edited | `document.rs`; `untouched.rs` for actions, `again` for parts of texts without errors |
//! | accept another way to write something | `gdl`, `pddl`, `grammar/` |

#![warn(missing_docs, unreachable_pub)]

mod acts;
mod again;
#[cfg(test)]
mod agree;
mod charset;
pub mod convert;
mod detect;
mod doc;
mod document;
pub mod finding;
mod flood;
mod followed;
pub mod format;
mod forms;
pub mod gdl;
mod lex;
pub mod lines;
mod mend;
pub mod near;
mod nest;
pub mod pddl;
mod read;
mod source;
mod text;
mod token;
mod tree;
mod untouched;
pub mod words;

pub use acts::acts;
pub use charset::{Charset, MAX_BYTES, NotText, text_of};
pub use document::Document;
pub use followed::{Followed, Parent, Part};
pub use nest::MAX_DEPTH;
pub use read::{confine, is_within, no_file, plain, read, read_text};
pub use source::{Comment, Language, Source, Syntax, SyntaxError, Tokens};
pub use text::{Name, TextRange};
pub use token::{Token, TokenKind};
