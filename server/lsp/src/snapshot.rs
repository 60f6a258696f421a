//! The state of everything at one place on the wire. Immutable: an edit makes a new one that shares the rest.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use percept_analysis::ide::Index;
use percept_syntax::{Language, Source, TextRange};
use tower_lsp::lsp_types::{Location, Position, Range, Url};

use crate::positions::{Encoding, Lines};
use crate::session::Session;
use crate::settings::Settings;

/// See the module's words.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Counts the changes since the start of the session.
    pub number: u64,
    pub session: Arc<Session>,
    pub settings: Arc<Settings>,
    /// The documents open in the editor.
    pub open: BTreeMap<Url, Arc<File>>,
}

impl Snapshot {
    pub fn file(&self, uri: &Url) -> Option<&Arc<File>> {
        self.open.get(uri)
    }

    pub fn encoding(&self) -> Encoding {
        self.session.encoding
    }
}

/// What a document holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Game(Language),
    /// A match: moves of a game.
    Trace,
}

/// One text, with what has been worked out of it so far.
#[derive(Debug)]
pub struct File {
    pub uri: Url,
    /// The editor's version; `None` for a file read from disk.
    pub version: Option<i32>,
    pub kind: Kind,
    pub text: ropey::Rope,
    parsed: OnceLock<Parsed>,
}

/// Worked out when first asked for, by whoever asks first.
#[derive(Debug)]
pub struct Parsed {
    /// `None` for a trace.
    pub source: Option<Arc<Source>>,
    pub text: Arc<str>,
    pub lines: Lines,
    index: OnceLock<Index>,
}

impl File {
    pub fn new(uri: Url, version: Option<i32>, kind: Kind, text: ropey::Rope) -> File {
        File { uri, version, kind, text, parsed: OnceLock::new() }
    }

    pub fn parsed(&self) -> &Parsed {
        self.parsed.get_or_init(|| {
            let text: Arc<str> = self.text.to_string().into();
            let source = match self.kind {
                Kind::Game(language) => Some(Arc::new(Source::parse(text.clone(), language))),
                Kind::Trace => None,
            };
            let lines = Lines::new(&text);
            Parsed { source, text, lines, index: OnceLock::new() }
        })
    }

    /// The typed syntax, if this is a game's text.
    pub fn source(&self) -> Option<&Arc<Source>> {
        self.parsed().source.as_ref()
    }

    /// What every name in a game's text stands for.
    pub fn index(&self) -> Option<&Index> {
        let parsed = self.parsed();
        let source = parsed.source.as_ref()?;
        Some(parsed.index.get_or_init(|| Index::new(source)))
    }

    pub fn text(&self) -> &Arc<str> {
        &self.parsed().text
    }

    pub fn offset(&self, position: Position, encoding: Encoding) -> u32 {
        let parsed = self.parsed();
        parsed.lines.offset(&parsed.text, position, encoding)
    }

    pub fn range(&self, range: TextRange, encoding: Encoding) -> Range {
        let parsed = self.parsed();
        parsed.lines.range(&parsed.text, range, encoding)
    }

    pub fn text_range(&self, range: Range, encoding: Encoding) -> TextRange {
        let parsed = self.parsed();
        parsed.lines.text_range(&parsed.text, range, encoding)
    }

    pub fn location(&self, range: TextRange, encoding: Encoding) -> Location {
        Location::new(self.uri.clone(), self.range(range, encoding))
    }
}
