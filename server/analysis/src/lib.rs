//! # percept-analysis: the meaning of a description and the mistakes in it
//!
//! In: parsed files ([`percept_syntax::Source`]). Out: diagnostics, and answers for editors (hover, completion,
//! definition ...), as plain functions over an immutable snapshot. All places are byte ranges.
//!
//! - [`check`] and [`check_pddl`] find mistakes; [`Settings`] and comments in the text silence findings.
//! - [`rules`] is the rule book: one file and one page per rule.
//! - [`repair`] decides which repairs are safe, and searches for repairs of brackets.
//! - `gdl::Facts` is the knowledge of the rules (and of the editor's features) about a GDL description.
//!
//! Never known here: states and moves of a running match (`percept-game`), the language server protocol.
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | add a rule to `check` about the text | `rules`: one file and one page per rule |
//! | know more about a domain's actions without examining each | `pddl/plain.rs`: the actions that are passed over |
//! | change the text of hover or completion | `src`, then the request in `server/lsp/src/requests` |
//! | call another repair safe, or search for brackets differently | `repair`; repairs are made and checked in `server/cli/src/commands/check/fix.rs` |

#![warn(missing_docs, unreachable_pub)]

mod checks;
mod findings;
mod gdl;
pub mod ide;
mod pddl;
pub mod repair;
pub mod rules;
mod settings;
mod suppress;

pub use checks::{Dedup, check, check_alone, check_pddl, check_with_domain};
pub use findings::{Findings, heed};
pub use percept_syntax::finding::{Diagnostic, FileId, Fix, Place, Related, Rule, Severity, Tag, TextEdit};
pub use settings::{Level, Settings, SettingsError};
