//! One text, open or on disk, with the results derived from it so far.

use std::sync::{Arc, OnceLock};

use percept_analysis::ide::Index;
use percept_report::half::{self, Half};
use percept_report::place::{InEditor, Point, Span};
use percept_syntax::lines::LineIndex;
use percept_syntax::{Document, Language, Source, TextRange};
use ropey::Rope;
use tower_lsp::lsp_types::{Location, Position, Range, TextDocumentContentChangeEvent, Url};

use crate::kinds::{self, Kind};
use crate::positions::{self, Encoding};

/// The number of bytes used to detect the dialect.
const DETECTED: usize = 64 << 10;

/// One text, with the results derived from it so far.
#[derive(Debug)]
pub(crate) struct File {
    pub uri: Url,
    /// The editor's version; `None` for a file read from disk.
    pub version: Option<i32>,
    /// The editor's word for its language.
    named: Option<Arc<str>>,
    content: Content,
    parsed: OnceLock<Parsed>,
    half: OnceLock<Option<Half>>,
}

#[derive(Clone, Debug)]
enum Content {
    Game(Document),
    Trace(Rope),
}

/// Results computed by the first caller that needs them.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// `None` for a trace.
    pub source: Option<Arc<Source>>,
    pub text: Arc<str>,
    pub lines: LineIndex,
    /// The content with the tree of this parse in it: the next edit's parse starts from it.
    content: Content,
    index: OnceLock<Index>,
}

/// True if both are the same files in memory.
pub(crate) fn are_same(one: &[Arc<File>], other: &[Arc<File>]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| Arc::ptr_eq(a, b))
}

impl File {
    pub(crate) fn new(uri: Url, version: Option<i32>, named: Option<&str>, kind: Kind, text: &str) -> File {
        let content = match kind {
            Kind::Game(language) => Content::Game(Document::new(text, language)),
            Kind::Trace => Content::Trace(Rope::from_str(text)),
        };
        File { uri, version, named: named.map(Arc::from), content, parsed: OnceLock::new(), half: OnceLock::new() }
    }

    /// The file after a sequence of edits; each edit refers to the text after the previous one.
    pub(crate) fn edited(
        &self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> File {
        // The tree is present if this version has been parsed; if not, an older tree with the edits marked.
        let mut content = self.parsed.get().map_or(&self.content, |parsed| &parsed.content).clone();
        let mut is_new = false;
        for change in changes {
            is_new |= change.range.is_none() || content.says_nothing();
            content.edit(change, encoding);
        }
        let (uri, named) = (self.uri.clone(), self.named.clone());
        File { uri, version: Some(version), named, content, parsed: OnceLock::new(), half: OnceLock::new() }
            .in_its_dialect(is_new)
    }

    /// The file in the GDL dialect of its current text. A new text is treated as just opened; an edited one changes
    /// dialect only if no syntax error remains, so that half a word changes nothing.
    fn in_its_dialect(self, is_new: bool) -> File {
        let Kind::Game(Language::GdlPrefix | Language::GdlInfix) = self.kind() else { return self };
        let detected = kinds::of(&self.uri, self.named.as_deref(), &self.beginning(DETECTED));
        let Some(kind) = detected.filter(|kind| *kind != self.kind()) else { return self };
        let whole = self.content.rope().to_string();
        let anew = File::new(self.uri.clone(), self.version, self.named.as_deref(), kind, &whole);
        let is_right = |file: &File| file.source().is_some_and(|source| source.errors.is_empty());
        if is_new || !is_right(&self) && is_right(&anew) { anew } else { self }
    }

    pub(crate) fn kind(&self) -> Kind {
        match &self.content {
            Content::Game(document) => Kind::Game(document.language()),
            Content::Trace(_) => Kind::Trace,
        }
    }

    /// The number of bytes of the text.
    pub(crate) fn bytes(&self) -> usize {
        self.content.rope().len_bytes()
    }

    /// The first bytes of the text, cut at a character: enough to see its subject without parsing it.
    pub(crate) fn head(&self) -> String {
        self.beginning(4096)
    }

    /// The half of a POGDDL game that this file is. Every file that may belong to it queries this.
    pub(crate) fn half(&self) -> Option<Half> {
        let Kind::Game(Language::Pogddl) = self.kind() else { return None };
        self.half.get_or_init(|| half::of_text(&self.head())).clone()
    }

    /// The first `bytes` bytes at most, cut at a character.
    fn beginning(&self, bytes: usize) -> String {
        let rope = self.content.rope();
        let end = rope.byte_to_char(rope.len_bytes().min(bytes));
        rope.slice(..end).to_string()
    }

    pub(crate) fn parsed(&self) -> &Parsed {
        self.parsed.get_or_init(|| {
            let mut content = self.content.clone();
            let (source, text) = match &mut content {
                Content::Game(document) => {
                    let source = document.snapshot();
                    let text = source.text.clone();
                    (Some(Arc::new(source)), text)
                }
                Content::Trace(rope) => (None, rope.to_string().into()),
            };
            let lines = LineIndex::new(&text);
            Parsed { source, text, lines, content, index: OnceLock::new() }
        })
    }

    /// The typed syntax, if this is a game's text.
    pub(crate) fn source(&self) -> Option<&Arc<Source>> {
        self.parsed().source.as_ref()
    }

    /// The meaning of every name in a game's text.
    pub(crate) fn index(&self) -> Option<&Index> {
        let parsed = self.parsed();
        let source = parsed.source.as_ref()?;
        Some(parsed.index.get_or_init(|| Index::new(source)))
    }

    pub(crate) fn text(&self) -> &Arc<str> {
        &self.parsed().text
    }

    pub(crate) fn offset(&self, position: Position, encoding: Encoding) -> u32 {
        positions::to_offset(&self.parsed().lines, position, encoding)
    }

    pub(crate) fn position(&self, offset: u32, encoding: Encoding) -> Position {
        positions::to_position(&self.parsed().lines, offset, encoding)
    }

    pub(crate) fn range(&self, range: TextRange, encoding: Encoding) -> Range {
        positions::to_range(&self.parsed().lines, range, encoding)
    }

    pub(crate) fn text_range(&self, range: Range, encoding: Encoding) -> TextRange {
        positions::to_text_range(&self.parsed().lines, range, encoding)
    }

    pub(crate) fn location(&self, range: TextRange, encoding: Encoding) -> Location {
        Location::new(self.uri.clone(), self.range(range, encoding))
    }

    /// The places in the form of command answers.
    pub(crate) fn span(&self, range: TextRange, encoding: Encoding) -> Span {
        let point = |at: Position| Point { line: at.line, character: at.character };
        let Range { start, end } = self.range(range, encoding);
        Span { start: point(start), end: point(end) }
    }

    /// The places in the form of command answers.
    pub(crate) fn place(&self, range: TextRange, encoding: Encoding) -> InEditor {
        InEditor { uri: self.uri.to_string(), range: self.span(range, encoding) }
    }
}

impl Content {
    fn rope(&self) -> &Rope {
        match self {
            Content::Game(document) => document.rope(),
            Content::Trace(rope) => rope,
        }
    }

    /// True if the text has only blanks and comments.
    fn says_nothing(&self) -> bool {
        let first = |line: ropey::RopeSlice<'_>| line.chars().find(|c| !c.is_whitespace());
        self.rope().lines().all(|line| first(line).is_none_or(|c| matches!(c, ';' | '%')))
    }

    fn edit(&mut self, change: TextDocumentContentChangeEvent, encoding: Encoding) {
        let range = change.range.map(|range| {
            let (start, end) = (self.byte_at(range.start, encoding), self.byte_at(range.end, encoding));
            TextRange::new(start.min(end), start.max(end))
        });
        match (self, range) {
            (Content::Game(document), Some(range)) => document.edit(range, &change.text),
            (Content::Game(document), None) => document.replace(&change.text),
            (Content::Trace(rope), None) => *rope = Rope::from_str(&change.text),
            (Content::Trace(rope), Some(range)) => {
                let start = rope.byte_to_char(range.start as usize);
                rope.remove(start..rope.byte_to_char(range.end as usize));
                rope.insert(start, &change.text);
            }
        }
    }

    /// The byte of a position, clamped to its line and to the text.
    fn byte_at(&self, position: Position, encoding: Encoding) -> u32 {
        let rope = self.rope();
        let line = position.line as usize;
        let Some(slice) = rope.get_line(line) else { return rope.len_bytes() as u32 };
        (rope.line_to_byte(line) + positions::byte_in_line(slice, position.character, encoding)) as u32
    }
}
