//! # percept-analysis: what a description means and what is wrong with it
//!
//! In: parsed files ([`percept_syntax::Source`]). Out: diagnostics, and the answers an editor asks for (hover,
//! completion, definition ...), as plain functions over an immutable snapshot. All places are byte ranges.
//!
//! Never known here: states and moves of a running match (`percept-game`), the language server protocol.

mod diagnostic;

pub use diagnostic::{Diagnostic, FileId, Fix, Related, Rule, Severity, Tag, TextEdit};
