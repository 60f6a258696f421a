//! A text for the display of findings. A line of megabytes is split into many short ones, so that the output is not
//! much longer than its subject.

use std::ops::Range;

use codespan_reporting::files::{Error, Files};
use percept_report::place::Position;
use percept_syntax::lines::LineIndex;

/// The length up to which lines are shown whole.
const LONGEST: usize = 400;
/// The length of a piece of a longer line, extended to the next space.
const PIECE: usize = 120;

/// A text with the starts of its lines, or of their pieces.
pub(crate) struct Pieces<'t> {
    name: &'t str,
    text: &'t str,
    lines: LineIndex,
    starts: Vec<usize>,
}

impl<'t> Pieces<'t> {
    pub(crate) fn new(name: &'t str, text: &'t str) -> Pieces<'t> {
        let mut starts = vec![0];
        let mut start = 0;
        // Lines end as in the index.
        while let Some(length) = text[start..].find(['\n', '\r']) {
            let rest = &text[start + length..];
            let end = start + length + if rest.starts_with("\r\n") { 2 } else { 1 };
            if end - start > LONGEST {
                cut(text, start, end, &mut starts);
            }
            start = end;
            starts.push(end);
        }
        if text.len() - start > LONGEST {
            cut(text, start, text.len(), &mut starts);
        }
        Pieces { name, text, lines: LineIndex::new(text), starts }
    }

    fn piece(&self, number: usize) -> Result<Range<usize>, Error> {
        let Some(start) = self.starts.get(number) else {
            return Err(Error::LineTooLarge { given: number, max: self.starts.len() - 1 });
        };
        Ok(*start..self.starts.get(number + 1).copied().unwrap_or(self.text.len()))
    }
}

/// Adds the starts of a line's pieces except the first.
fn cut(text: &str, start: usize, end: usize, starts: &mut Vec<usize>) {
    let bytes = text.as_bytes();
    let mut from = start;
    while from + 2 * PIECE < end {
        let space = (from + PIECE..from + 2 * PIECE).find(|at| bytes[*at] == b' ');
        from = space.map_or(from + 2 * PIECE, |space| space + 1);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        starts.push(from);
    }
}

impl<'a> Files<'a> for Pieces<'_> {
    type FileId = ();
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(self.name)
    }

    fn source(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(self.text)
    }

    fn line_index(&'a self, (): (), byte: usize) -> Result<usize, Error> {
        Ok(self.starts.partition_point(|start| *start <= byte) - 1)
    }

    fn line_number(&'a self, (): (), line: usize) -> Result<usize, Error> {
        Ok(Position::new(&self.lines, self.piece(line)?.start as u32).line)
    }

    fn column_number(&'a self, (): (), _: usize, byte: usize) -> Result<usize, Error> {
        Ok(Position::new(&self.lines, byte as u32).column)
    }

    fn line_range(&'a self, (): (), line: usize) -> Result<Range<usize>, Error> {
        self.piece(line)
    }
}

/// Several texts, each with its number.
pub(crate) struct Texts<'t>(pub Vec<Pieces<'t>>);

impl Texts<'_> {
    fn get(&self, file: usize) -> Result<&Pieces<'_>, Error> {
        self.0.get(file).ok_or(Error::FileMissing)
    }
}

impl<'a> Files<'a> for Texts<'_> {
    type FileId = usize;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, file: usize) -> Result<&'a str, Error> {
        self.get(file)?.name(())
    }

    fn source(&'a self, file: usize) -> Result<&'a str, Error> {
        self.get(file)?.source(())
    }

    fn line_index(&'a self, file: usize, byte: usize) -> Result<usize, Error> {
        self.get(file)?.line_index((), byte)
    }

    fn line_number(&'a self, file: usize, line: usize) -> Result<usize, Error> {
        self.get(file)?.line_number((), line)
    }

    fn column_number(&'a self, file: usize, line: usize, byte: usize) -> Result<usize, Error> {
        self.get(file)?.column_number((), line, byte)
    }

    fn line_range(&'a self, file: usize, line: usize) -> Result<Range<usize>, Error> {
        self.get(file)?.line_range((), line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_and_long_ones_are_cut() {
        let long = "(p é) ".repeat(1000);
        let text = format!("(a)\n{long}\n\n(b)");
        let pieces = Pieces::new("x", &text);
        let number = |byte: usize| pieces.line_number((), pieces.line_index((), byte).unwrap()).unwrap();
        assert_eq!((number(0), number(4), number(4000), number(text.len() - 1)), (1, 2, 2, 4));
        assert_eq!(pieces.column_number((), 0, 4 + 7 * 10).unwrap(), 61);
        let mut end = 0;
        for line in 0..pieces.starts.len() {
            let range = pieces.line_range((), line).unwrap();
            assert_eq!(range.start, end);
            assert!(range.len() <= LONGEST && text.is_char_boundary(range.end), "{range:?}");
            end = range.end;
        }
        assert_eq!(end, text.len());
        assert!(pieces.line_range((), pieces.starts.len()).is_err());
    }
}
