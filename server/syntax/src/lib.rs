//! # percept-syntax: from text to typed syntax with ranges
//!
//! In: the bytes of a file and edits to them. Out: a tree-sitter tree that covers the whole text, the typed syntax
//! of a GDL description ([`gdl::Description`], prefix and infix alike) or of a PDDL file ([`pddl::File`]), the
//! comments, the tokens, and syntax errors, each with its byte range.
//!
//! Never known here: what a game is, which rules there are, and the language server protocol.
//! Parsing never fails: it returns what it understood and a list of errors.
//!
//! | to do | call |
//! | --- | --- |
//! | name a file's language | [`Language::detect`] |
//! | parse a text, or the bytes of a file | [`Source::parse`], [`Source::from_bytes`] |
//! | follow edits | [`Document::edit`], [`Document::snapshot`] |
//! | turn offsets into lines and columns | [`lines::LineIndex`] |
//! | say what is wrong at a place, for whatever rule says so | [`finding::Diagnostic`] |
//! | find the comment that documents a statement | [`Source::doc_comment`] |
//! | format a text or a part of it | [`format::format`], [`format::format_range`] |
//! | write prefix text as infix text and back | [`convert::convert`] |
//!
//! ```
//! use percept_syntax::{Language, Source, Syntax, lines::LineIndex};
//!
//! let source = Source::parse("(role ann)\n(legal ann wait", Language::GdlPrefix);
//! // Parsing never fails: what was understood is there, and so is what is wrong, at its place.
//! let Syntax::Gdl(description) = &source.syntax else { panic!("GDL was asked for") };
//! assert_eq!(description.statements.len(), 2);
//! let error = &source.errors[0];
//! assert_eq!(LineIndex::new(&source.text).line_of(error.range.start), 1, "lines count from 0: {}", error.message);
//! ```
//!
//! ## How a text is read
//! In an editor tree-sitter parses, incrementally after an edit; `tree` walks the leaves once, `lex` says what tokens they are
//! (and does so alone where a text is read once). In a PDDL domain the actions that an edit did not touch keep their typed syntax
//! (`untouched`): then only the rest is read again, and the tree waits, with the edit marked, for a text that has to be read as a whole. Lists
//! nest in `nest`, which finds the ends of unclosed forms, so that one slip is one error at its place; infix text has a
//! recursive descent parser of its own. `gdl::prefix`, `gdl::infix` and `pddl::lower` make typed syntax. Nothing above this
//! crate sees a node of tree-sitter. Lists deeper than [`MAX_DEPTH`] are reported and left out, so everything above may
//! recurse; texts longer than [`MAX_BYTES`], and floods of brackets (`flood`), are refused
//! before a tree is built for them.
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | keep more of a text that is being edited | `document.rs`, and `untouched.rs` beside it: which forms an edit leaves alone |
//! | accept another way to write something | `gdl`, `pddl`, `grammar/` |

#![warn(missing_docs, unreachable_pub)]

mod acts;
#[cfg(test)]
mod agree;
mod charset;
pub mod convert;
mod detect;
mod doc;
mod document;
pub mod finding;
mod flood;
pub mod format;
mod forms;
pub mod gdl;
mod lex;
pub mod lines;
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
pub use nest::MAX_DEPTH;
pub use read::{no_file, plain, read, read_text};
pub use source::{Comment, Language, Source, Syntax, SyntaxError};
pub use text::{Name, TextRange};
pub use token::{Token, TokenKind};
