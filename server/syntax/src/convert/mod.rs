//! The converter between prefix and infix GDL.
//!
//! Statements, their order, comments and line breaks stay; the spelling of variables changes (`?cell` and `Cell`), and so do
//! the few names that the other syntax cannot write, each of which is told. A conjunction at the top of a body becomes
//! part of the body. Converting there and back gives the same statements, up to those names.

mod names;
mod write;

use smol_str::SmolStr;

use crate::{
    Language, Source, Syntax, TextRange,
    format::{self, Options},
};

/// A converted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    pub text: String,
    pub language: Language,
    /// Constants, functions and relations that had to be renamed, old and new name: a trace of the old game speaks of the
    /// old ones.
    pub renamed: Vec<(SmolStr, SmolStr)>,
}

/// Why a text cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub range: TextRange,
    pub message: String,
}

/// Writes a GDL text in the other notation and formats it. A text in that notation already is just formatted.
///
/// # Errors
/// A text with syntax errors, a text in PDDL, a `not` that has no or several parts.
pub fn convert(source: &Source, to: Language, options: &Options) -> Result<Converted, Refusal> {
    let refuse = |range, message: &str| Err(Refusal { range, message: message.to_owned() });
    let Syntax::Gdl(description) = &source.syntax else {
        return refuse(TextRange::at(0), "only GDL can be converted between prefix and infix notation, this is PDDL");
    };
    if to == Language::Pogddl {
        return refuse(TextRange::at(0), "GDL can be converted to prefix or infix notation only");
    }
    if let Some(error) = source.errors.first() {
        return refuse(error.range, &format!("repair this before converting: {}", error.message));
    }
    if source.language == to {
        return Ok(Converted { text: format::format(source, options), language: to, renamed: Vec::new() });
    }
    let names = names::Names::new(description, to);
    let text = write::write(source, description, to, &names)?;
    let text = format::format(&Source::parse(text, to), options);
    Ok(Converted { text, language: to, renamed: names.renamed() })
}
