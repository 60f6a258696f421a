//! Byte ranges and names: the coins every crate above pays with.

use smol_str::SmolStr;

/// A half-open range of bytes in one source text. Line and column are somebody else's business
/// (see `lines`), so that no feature can mix up the encodings an editor may speak.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct TextRange {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl std::fmt::Debug for TextRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

impl TextRange {
    /// From a byte to the one before `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        TextRange { start, end }
    }

    /// An empty range at `at`.
    pub const fn at(at: u32) -> Self {
        TextRange { start: at, end: at }
    }

    /// Where a part of a text stands in it: a slice of it, not a copy.
    pub fn of_part(text: &str, part: &str) -> Self {
        let start = (part.as_ptr() as usize - text.as_ptr() as usize) as u32;
        TextRange { start, end: start + part.len() as u32 }
    }

    /// How many bytes it has.
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether it has none.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `offset` lies in the range or touches its end (a cursor after a name is on the name).
    pub const fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// Whether the other lies inside, or is the same.
    pub const fn contains_range(self, other: TextRange) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The smallest range that covers both.
    pub fn cover(self, other: TextRange) -> TextRange {
        TextRange { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// To slice a text with.
    pub fn as_usize(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A word of the source with its place. `text` is as written, without the `?` of a variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Name {
    /// As it is written.
    pub text: SmolStr,
    /// Where it stands.
    pub range: TextRange,
}

impl Name {
    /// A name at its place.
    pub fn new(text: impl Into<SmolStr>, range: TextRange) -> Self {
        Name { text: text.into(), range }
    }

    /// Keywords of GDL and everything in PDDL are compared without regard to case.
    pub fn is(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }
}
