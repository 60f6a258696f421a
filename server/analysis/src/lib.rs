//! # percept-analysis: the meaning of a description, and its faults
//!
//! In: parsed files ([`percept_syntax::Source`]). Out: diagnostics, and the answers to an editor's requests (hover,
//! completion, definition ...), as plain functions over an immutable snapshot. All places are byte ranges.
//!
//! - [`check`] and [`check_pddl`] find faults; [`Settings`] and comments in the text silence them.
//! - [`rules`] is the rule book: one file and one page per rule.
//! - [`repair`] lists the repairs that are safe without review, and finds those of brackets.
//! - `gdl::Facts` is the knowledge about a GDL description that the rules and the editor's features share.
//!
//! Never handled here: states and moves of a running match (`percept-game`), the language server protocol.
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | add a rule to `check` about the text | `rules`: one file and one page per rule |
//! | know more of a domain's actions without a look at each | `pddl/plain.rs`: selects those of thousands that are skipped |
//! | look at less of a description after an edit | `kept`: says when the findings of a part are those of the whole |
//! | change the content of hover or completion | `src`, then the request in `server/lsp/src/requests` |
//! | call another repair safe, or find brackets differently | `repair`; repairs are made and checked in `server/cli/src/commands/check/fix.rs` |

#![warn(missing_docs, unreachable_pub)]

mod checks;
mod findings;
mod gdl;
mod hints;
pub mod ide;
mod kept;
mod pddl;
pub mod repair;
pub mod rules;
mod settings;
mod suppress;

pub use checks::{Dedup, check, check_alone, check_pddl, check_with_domain};
pub use findings::{Findings, heed};
pub use percept_syntax::finding::{Diagnostic, FileId, Fix, Place, Related, Rule, Severity, Tag, TextEdit};
pub use settings::{Level, Settings, SettingsError};
