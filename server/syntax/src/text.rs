//! Byte ranges and names, the basic types of all crates above.

use smol_str::SmolStr;

/// A half-open range of bytes in one source text. Lines and columns are in `lines` only, so that no feature can mix up
/// the encodings of editors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct TextRange {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl std::fmt::Debug for TextRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

impl TextRange {
    /// Creates a range from the byte at `start` to the one before `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        TextRange { start, end }
    }

    /// An empty range at `at`.
    pub const fn at(at: u32) -> Self {
        TextRange { start: at, end: at }
    }

    /// The range of a part of a text, which must be a slice of it, not a copy.
    pub fn of_part(text: &str, part: &str) -> Self {
        let start = (part.as_ptr() as usize - text.as_ptr() as usize) as u32;
        TextRange { start, end: start + part.len() as u32 }
    }

    /// The number of bytes.
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// True if it has no bytes.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// True if `offset` is in the range or at its end (a cursor after a name is on the name).
    pub const fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// True if the other range is inside or equal.
    pub const fn contains_range(self, other: TextRange) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The smallest range that covers both.
    pub fn cover(self, other: TextRange) -> TextRange {
        TextRange { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The range as a slice index.
    pub fn as_usize(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A word of the source with its place. `text` is as written, without the `?` of a variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Name {
    /// The text as written.
    pub text: SmolStr,
    /// The place of the name.
    pub range: TextRange,
}

impl Name {
    /// Creates a name at its place.
    pub fn new(text: impl Into<SmolStr>, range: TextRange) -> Self {
        Name { text: text.into(), range }
    }

    /// Compares without case: keywords of GDL and all names of PDDL ignore it.
    pub fn is(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }
}
