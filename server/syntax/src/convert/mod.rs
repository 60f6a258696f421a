//! The converter between prefix and infix GDL.
//!
//! The order of statements, comments and line breaks are kept. The spelling of variables changes (`?cell` and `Cell`),
//! and so do the few names that the other syntax cannot write; each of these is reported. A conjunction at the top of a
//! body becomes part of the body. Converting there and back gives the same statements, up to those names.
//!
//! Every converted text is read back and compared with its original before it leaves this module: see `same`.

mod names;
mod same;
mod write;

use smol_str::SmolStr;

use crate::{
    Language, Source, Syntax, TextRange,
    format::{self, Options},
    gdl::Description,
};

/// A converted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// The whole text.
    pub text: String,
    /// The language of the text.
    pub language: Language,
    /// The old and new names of constants, functions and relations that had to be renamed: traces of the old game still
    /// use the old names.
    pub renamed: Vec<(SmolStr, SmolStr)>,
}

/// The reason why a text cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The place of the problem.
    pub range: TextRange,
    /// A sentence without a full stop.
    pub message: String,
}

/// Writes a GDL text in the other notation and formats it. A text that is already in that notation is only formatted.
///
/// # Errors
/// The text has syntax errors, is PDDL, has a `not` without or with several parts, or would not read back as the same
/// rules.
pub fn convert(source: &Source, to: Language, options: &Options) -> Result<Converted, Refusal> {
    let refuse = |range, message: &str| Err(Refusal { range, message: message.to_owned() });
    let Syntax::Gdl(description) = &source.syntax else {
        return refuse(TextRange::at(0), "only GDL can be converted between prefix and infix notation; this is PDDL");
    };
    if to == Language::Pogddl {
        return refuse(TextRange::at(0), "GDL can be converted to prefix or infix notation only");
    }
    if let Some(error) = source.errors.first() {
        return refuse(error.range, &format!("repair this before converting: {}", error.message));
    }
    let (text, renamed) = match source.language == to {
        true => (format::format(source, options), Vec::new()),
        false => {
            let names = names::Names::new(description, to);
            let text = write::write(source, description, to, &names)?;
            (format::format(&Source::parse(text, to), options), names.renamed())
        }
    };
    read_back(description, &text, to, &renamed)?;
    Ok(Converted { text, language: to, renamed })
}

/// Reads a converted text and compares it with its original.
fn read_back(
    description: &Description,
    text: &str,
    to: Language,
    renamed: &[(SmolStr, SmolStr)],
) -> Result<(), Refusal> {
    let written = Source::parse(text.to_owned(), to);
    let Syntax::Gdl(back) = &written.syntax else {
        return Err(Refusal { range: TextRange::at(0), message: "the converted text would not be GDL".into() });
    };
    let renamed = renamed.iter().map(|(old, new)| (old.as_str(), new.as_str()));
    let difference = match same::same(description, back, renamed, crate::gdl::is_keyword) {
        Err(difference) => difference,
        Ok(()) => match written.errors.first() {
            None => return Ok(()),
            Some(error) => {
                // Statements correspond one to one, so the statement with the error has the same number in the
                // original.
                let number = back.statements.partition_point(|statement| statement.range.end < error.range.start);
                let range = description.statements.get(number).map_or(TextRange::at(0), |statement| statement.range);
                same::Difference { range, message: format!("this would be misread: {}", error.message) }
            }
        },
    };
    let message = format!("the converted text would have another meaning: {}", difference.message);
    Err(Refusal { range: difference.range, message })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The report on a text as the conversion of another: `None`, or the place and the message.
    fn difference(text: &str, converted: &str, renamed: &[(&str, &str)]) -> Option<String> {
        let source = Source::parse(text.to_owned(), Language::GdlPrefix);
        let Syntax::Gdl(description) = &source.syntax else { panic!("GDL") };
        let renamed: Vec<(SmolStr, SmolStr)> =
            renamed.iter().map(|(old, new)| (SmolStr::new(old), SmolStr::new(new))).collect();
        let refusal = read_back(description, converted, Language::GdlInfix, &renamed).err()?;
        let message = refusal.message.trim_start_matches("the converted text would have another meaning: ");
        Some(format!("{}: {message}", &text[refusal.range.as_usize()]))
    }

    #[test]
    fn a_wrong_conversion_is_refused_at_its_place() {
        let rule = "(<= (p ?or a) (q ?or) (r b))";
        assert_eq!(difference(rule, "p(X, a) :- q(X) & r(b)", &[]), None);
        assert_eq!(difference(rule, "p(X, c) :- q(X) & r(b)", &[("a", "c")]), None);
        for (wrong, renamed, expected) in [
            ("p(Or, a) :- q(Or) & r(b)", &[][..], "(<= (p ?or a) (q ?or) (r b)): this statement would be lost"),
            ("p(X, a) :- q(Y) & r(b)", &[], "?or: the variable `or` would be `Y` here and another elsewhere"),
            ("p(X, a) :- q(X) | r(b)", &[], "(<= (p ?or a) (q ?or) (r b)): this would be read as something else"),
            ("p(X, a) :- q(X)", &[], "(<= (p ?or a) (q ?or) (r b)): this would be read as something else"),
            ("p(X, a) q(X) r(b)", &[], "(<= (p ?or a) (q ?or) (r b)): this would be read as something else"),
            ("p(X, c) :- q(X) & r(b)", &[], "a: `a` would become `c`"),
            ("p(X, b) :- q(X) & r(b)", &[("a", "b")], "b: two names would become `b`"),
            ("p(X, a) :- q(X) & r(b) s", &[], "(<= (p ?or a) (q ?or) (r b)): this statement would become several"),
            ("p(X, role) :- q(X) & r(b)", &[("a", "role")], "a: `a` would become `role`"),
        ] {
            let difference = difference(rule, wrong, renamed).unwrap_or_else(|| panic!("{wrong} passes"));
            assert!(difference.starts_with(expected), "{wrong}\n  {difference}\n  {expected}");
        }
    }
}
