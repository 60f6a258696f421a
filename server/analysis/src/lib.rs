//! # percept-analysis: what a description means and what is wrong with it
//!
//! In: parsed files ([`percept_syntax::Source`]). Out: diagnostics, and the answers an editor asks for (hover,
//! completion, definition ...), as plain functions over an immutable snapshot. All places are byte ranges.
//!
//! - [`check`] and [`check_pddl`] find what is wrong; [`Settings`] and comments in the text say what to keep quiet of.
//! - [`rules`] is the rule book: one file and one page per rule.
//! - [`repair`] says which repairs may be made unseen, and looks for those of brackets.
//! - [`gdl::Facts`] is what the rules (and the editor's features) know of a GDL description.
//!
//! Never known here: states and moves of a running match (`percept-game`), the language server protocol.

mod diagnostic;
mod findings;
pub mod gdl;
pub mod ide;
pub mod pddl;
pub mod repair;
pub mod rules;
mod settings;
mod suppress;

pub use diagnostic::{Diagnostic, FileId, Fix, Related, Rule, Severity, Tag, TextEdit};
pub use findings::{Findings, heed};
use percept_syntax::{Source, Syntax};
pub use settings::{Level, Settings, SettingsError};

/// Everything that is wrong with one file, in the order of the text; ranges are in [`FileId`] 0.
///
/// A POGDDL file is checked by itself, as far as that goes: give a domain and its problem to [`check_pddl`].
pub fn check(source: &Source, settings: &Settings) -> Vec<Diagnostic> {
    match &source.syntax {
        Syntax::Gdl(description) => {
            let mut findings = Findings::new();
            findings.syntax_errors(FileId(0), &source.errors);
            let facts = gdl::Facts::new(source, description);
            rules::gdl::run(&facts, &mut findings);
            findings.finish(&[Some(source)], settings)
        }
        Syntax::Pddl(_) => pddl::check_alone(source, settings),
    }
}

/// Everything that is wrong with a POGDDL domain ([`FileId`] 0), its problem ([`FileId`] 1), and the two together.
/// Either may be missing; what needs both is then left out.
pub fn check_pddl(domain: Option<&Source>, problem: Option<&Source>, settings: &Settings) -> Vec<Diagnostic> {
    let mut findings = Findings::new();
    for (file, source) in [(FileId(0), domain), (FileId(1), problem)] {
        if let Some(source) = source {
            findings.syntax_errors(file, &source.errors);
        }
    }
    rules::pogddl::run(domain, problem, &mut findings);
    findings.finish(&[domain, problem], settings)
}
