//! # percept-analysis: what a description means and what is wrong with it
//!
//! In: parsed files ([`percept_syntax::Source`]). Out: diagnostics, and the answers an editor asks for (hover,
//! completion, definition ...), as plain functions over an immutable snapshot. All places are byte ranges.
//!
//! - [`check`] and [`check_pddl`] find what is wrong; [`Settings`] and comments in the text say what to keep quiet of.
//! - [`rules`] is the rule book: one file and one page per rule.
//! - [`repair`] says which repairs may be made unseen, and looks for those of brackets.
//! - `gdl::Facts` is what the rules (and the editor's features) know of a GDL description.
//!
//! Never known here: states and moves of a running match (`percept-game`), the language server protocol.
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | add a rule to `check` that the text shows | `rules`: one file and one page per rule |
//! | know more of a domain's actions without looking at each | `pddl/plain.rs`: which of thousands are passed over |
//! | change what hover or completion say | `src`, then the request in `server/lsp/src/requests` |
//! | call another repair safe, or look for brackets otherwise | `repair`; how repairs are made and checked: `server/cli/src/commands/check/fix.rs` |

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

pub use checks::{Told, check, check_alone, check_pddl, check_with_domain};
pub use findings::{Findings, heed};
pub use percept_syntax::finding::{Diagnostic, FileId, Fix, Place, Related, Rule, Severity, Tag, TextEdit};
pub use settings::{Level, Settings, SettingsError};
