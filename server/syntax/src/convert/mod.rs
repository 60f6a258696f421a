//! The converter between prefix and infix GDL.
//!
//! The order of statements, comments and line breaks are kept. The spelling of variables changes (`?cell` and `Cell`),
//! and so do the few names that the other syntax cannot write; each of these is reported. A conjunction at the top of a
//! body becomes part of the body. Converting there and back gives the same statements, up to those names.
//!
//! Every converted text is read back and compared with its original before it leaves this module: see `same`.

mod names;
mod pieces;
mod same;
mod write;

use std::sync::Arc;

use smol_str::SmolStr;

use crate::{
    Language, MAX_BYTES, Source, Syntax, TextRange, flood,
    format::{self, Options},
    gdl::{Description, Statement},
    lex,
};

/// The least number of bytes of a long text that are converted at once.
const PIECE: u32 = 1 << 16;

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
            let mut used = names::Used::new(to);
            used.add(description);
            let names = used.names();
            let text = write::write(source, description, to, &names)?;
            (format::format(&Source::parse(text, to), options), names.renamed().to_vec())
        }
    };
    read_back(description, &text, to, &renamed)?;
    Ok(Converted { text, language: to, renamed })
}

/// Converts a text like [`convert`], without its typed syntax: a long text without errors is read and written piece by
/// piece.
///
/// # Errors
/// Those of [`convert`].
pub fn convert_text(text: Arc<str>, from: Language, to: Language, options: &Options) -> Result<Converted, Refusal> {
    match by_pieces(&text, from, to, options, PIECE) {
        Some(converted) => Ok(converted),
        None => convert(&Source::parse(text, from), to, options),
    }
}

/// Converts a text of several pieces. `None` if it has to be read as a whole: because it is short, only has to be
/// formatted, or cannot be converted, which is then reported at its place.
fn by_pieces(text: &str, from: Language, to: Language, options: &Options, size: u32) -> Option<Converted> {
    let languages = [from, to];
    if languages.contains(&Language::Pogddl) || from == to || text.len() > MAX_BYTES || text.len() < size as usize {
        return None;
    }
    let pieces = pieces::pieces(from, text, size);
    let read = |piece: &pieces::Piece| read_piece(&text[piece.range.as_usize()], from);
    let mut used = names::Used::new(to);
    // Most texts need no new names, and are then read only once.
    let same = names::Names::new(to);
    let mut growing = Growing::new(to, options, &same, text.len());
    for piece in &pieces {
        let (source, description) = read(piece)?;
        used.add(&description);
        if used.are_writable() {
            growing.add(piece, &source, &description)?;
        }
    }
    if used.are_writable() {
        return growing.finish();
    }
    let names = used.names();
    let mut growing = Growing::new(to, options, &names, text.len());
    for piece in &pieces {
        let (source, description) = read(piece)?;
        growing.add(piece, &source, &description)?;
    }
    growing.finish()
}

/// A converted text that grows piece by piece.
struct Growing<'n> {
    to: Language,
    options: Options,
    names: &'n names::Names,
    comparison: same::Comparison<'n>,
    text: String,
    /// The last statement so far, and its place in `text`: it must not be read as one with the next.
    last: Option<(Statement, usize)>,
}

impl<'n> Growing<'n> {
    fn new(to: Language, options: &Options, names: &'n names::Names, length: usize) -> Growing<'n> {
        Growing {
            to,
            options: *options,
            names,
            comparison: same::Comparison::new(pairs(names.renamed()), crate::gdl::is_keyword),
            text: String::with_capacity(length + length / 8),
            last: None,
        }
    }

    /// Adds a piece, read back and compared. `None` if it has no text in the other notation.
    fn add(&mut self, piece: &pieces::Piece, source: &Source, description: &Description) -> Option<()> {
        let written = write::write(source, description, self.to, self.names).ok()?;
        let (written, _) = read_piece(&written, self.to)?;
        if piece.is_apart {
            self.text.push('\n');
        }
        let from = self.last.as_ref().map_or(self.text.len(), |(_, start)| *start);
        self.text.push_str(&format::format(&written, &self.options));
        let (_, back) = read_piece(&self.text[from..], self.to)?;
        let old = self.last.iter().map(|(statement, _)| statement).chain(description.statements.iter());
        self.comparison.statements(old, &back.statements).ok()?;
        if let (Some(last), Some(written)) = (description.statements.last(), back.statements.last()) {
            self.last = Some((last.clone(), from + written.range.start as usize));
        }
        Some(())
    }

    fn finish(self) -> Option<Converted> {
        let Growing { text, to, names, .. } = self;
        (text.len() <= MAX_BYTES).then(|| Converted { text, language: to, renamed: names.renamed().to_vec() })
    }
}

/// Reads a piece of GDL, if it has no errors.
fn read_piece(text: &str, language: Language) -> Option<(Source, Description)> {
    let text: Arc<str> = text.into();
    let tokens = lex::tokens(language, &text);
    if flood::among(&text, &tokens).is_some() {
        return None;
    }
    let source = Source::from_tokens(Arc::new(tokens), text, language);
    match &source.syntax {
        Syntax::Gdl(description) if source.errors.is_empty() => {
            let description = description.clone();
            Some((source, description))
        }
        _ => None,
    }
}

fn pairs(renamed: &[(SmolStr, SmolStr)]) -> impl Iterator<Item = (&str, &str)> {
    renamed.iter().map(|(old, new)| (old.as_str(), new.as_str()))
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
    let difference = match same::same(description, back, pairs(renamed), crate::gdl::is_keyword) {
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
mod tests;
