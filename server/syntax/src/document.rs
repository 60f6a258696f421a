//! A text that is being edited.

use std::sync::Arc;

use ropey::Rope;
use tree_sitter::{InputEdit, Point, Tree};

use crate::{
    Language, MAX_BYTES, Source, TextRange,
    again::Again,
    source::{refuse, unreadable},
    token::Token,
    tree::{self, Unchanged},
    untouched::Untouched,
};

/// An open file: its text as a rope, tree-sitter's tree with the edits marked in it, and the reusable parts of the last
/// reading. Clones share all of it and are cheap, so that each of an editor's snapshots can have its own.
///
/// ```
/// use percept_syntax::{Document, Language, TextRange};
/// let mut document = Document::new("(role white)", Language::GdlPrefix);
/// document.edit(TextRange::new(6, 11), "black");
/// assert_eq!(&*document.snapshot().text, "(role black)");
/// ```
#[derive(Clone)]
pub struct Document {
    language: Language,
    rope: Rope,
    /// The last parse with all later edits marked in it; `None` before the first parse and after a refusal.
    tree: Option<Tree>,
    /// The tokens of the last parse, and the part that is unchanged since then.
    tokens: Arc<Vec<Token>>,
    unchanged: Unchanged,
    /// The reusable parts of the last parse with correct brackets, and the part of the text that is unchanged since
    /// then.
    untouched: Option<(Arc<Untouched>, Unchanged)>,
    /// The parts of the last text without an error, and the part of the text that is unchanged since then.
    followed: Option<(Again, Unchanged)>,
}

impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Document").field("language", &self.language).field("bytes", &self.rope.len_bytes()).finish()
    }
}

impl Document {
    /// Creates a document. Nothing is parsed yet.
    pub fn new(text: &str, language: Language) -> Document {
        Document {
            language,
            rope: Rope::from_str(text),
            tree: None,
            tokens: Arc::default(),
            unchanged: Unchanged::all(0),
            untouched: None,
            followed: None,
        }
    }

    /// The language of the text.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The current text. Its lines end with `\n`, `\r\n` or `\r`.
    pub fn rope(&self) -> &Rope {
        &self.rope
    }

    /// Replaces the bytes in `range`. Ends beyond the text are moved to its end, ends inside a character to its
    /// beginning, and a reversed range is empty.
    pub fn edit(&mut self, range: TextRange, text: &str) {
        let start = self.floor(range.start);
        let end = self.floor(range.end).max(start);
        let (start_position, old_end_position) = (self.point(start), self.point(end));
        let first = self.rope.byte_to_char(start);
        self.rope.remove(first..self.rope.byte_to_char(end));
        self.rope.insert(first, text);
        let new_end = start + text.len();
        let new_end_position = self.point(new_end);
        let after = (self.rope.len_bytes() - new_end) as u32;
        self.unchanged.narrow(start as u32, after);
        if let Some((_, unchanged)) = &mut self.untouched {
            unchanged.narrow(start as u32, after);
        }
        if let Some((_, unchanged)) = &mut self.followed {
            unchanged.narrow(start as u32, after);
        }
        if let Some(tree) = &mut self.tree {
            tree.edit(&InputEdit {
                start_byte: start,
                old_end_byte: end,
                new_end_byte: new_end,
                start_position,
                old_end_position,
                new_end_position,
            });
        }
    }

    /// Replaces the whole text.
    pub fn replace(&mut self, text: &str) {
        self.rope = Rope::from_str(text);
        self.tree = None;
        self.untouched = None;
        self.followed = None;
    }

    /// Reads the edited text. Forms without edits keep their typed syntax.
    pub fn snapshot(&mut self) -> Source {
        let text: Arc<str> = Arc::from(self.rope.to_string());
        let source = self.with_followed(&text).or_else(|| self.with_untouched(&text));
        source.unwrap_or_else(|| self.whole(text))
    }

    /// Reads a text of which only the parts with edits are read.
    fn with_followed(&mut self, text: &Arc<str>) -> Option<Source> {
        let (followed, unchanged) = self.followed.as_ref()?;
        if text.len() > MAX_BYTES || !followed.is_wanted() {
            return None;
        }
        let (source, followed) = followed.read(text, *unchanged)?;
        self.followed = Some((followed, Unchanged::all(text.len())));
        Some(source)
    }

    /// Reads the text with the kept parts, if that is sufficient. tree-sitter's tree is left alone, with the edits
    /// marked in it, until a text has to be read as a whole.
    fn with_untouched(&mut self, text: &Arc<str>) -> Option<Source> {
        let (untouched, unchanged) = self.untouched.as_ref()?;
        if text.len() > MAX_BYTES {
            return None;
        }
        let (tokens, same) = tree::scan_again(self.language, text, &untouched.tokens, *unchanged);
        let by = (text.len() as u32).wrapping_sub(unchanged.old_length);
        let tokens = Arc::new(tokens);
        let (mut source, untouched) = untouched.read(text, &tokens, same, by)?;
        self.follow(&mut source);
        self.untouched = Some((Arc::new(untouched), Unchanged::all(text.len())));
        self.tokens = tokens;
        self.unchanged = Unchanged::all(text.len());
        Some(source)
    }

    /// Parses the whole text.
    fn whole(&mut self, text: Arc<str>) -> Source {
        if let Some(error) = unreadable(&text, self.language) {
            self.tree = None;
            self.untouched = None;
            self.followed = None;
            return refuse(text, self.language, error);
        }
        let rope = &self.rope;
        let mut read = |at: usize, _: Point| -> &[u8] {
            if at >= rope.len_bytes() {
                return &[];
            }
            let (chunk, start, _, _) = rope.chunk_at_byte(at);
            &chunk.as_bytes()[at - start..]
        };
        let tree = tree::parser(self.language).parse_with_options(&mut read, self.tree.as_ref(), None);
        let tree = tree.expect("a parser with a language and no time limit");
        self.tokens = Arc::new(match self.tree {
            Some(_) => tree::tokens_again(&tree, self.language, &text, &self.tokens, self.unchanged),
            None => tree::tokens(&tree, self.language, &text),
        });
        self.tree = Some(tree);
        self.unchanged = Unchanged::all(text.len());
        let unchanged = self.unchanged;
        let (mut source, is_nested) = Source::read(self.tokens.clone(), text, self.language);
        self.follow(&mut source);
        if is_nested {
            self.untouched = Untouched::of(&source).map(|untouched| (Arc::new(untouched), unchanged));
        }
        source
    }

    /// Follows the parts of a text that has been read as a whole.
    fn follow(&mut self, source: &mut Source) {
        let before = self.followed.as_ref().map(|(followed, _)| followed);
        if let Some(followed) = Again::of(source, before) {
            self.followed = Some((followed, Unchanged::all(source.text.len())));
        }
    }

    /// The offset, moved inside the text and to the beginning of its character.
    fn floor(&self, offset: u32) -> usize {
        let offset = (offset as usize).min(self.rope.len_bytes());
        self.rope.char_to_byte(self.rope.byte_to_char(offset))
    }

    /// The line and byte column of an offset, which tree-sitter needs in addition. It breaks lines at `\n` only, the
    /// rope also at a lone `\r`; this is harmless because the points are never read, and only the offsets decide about
    /// the parts to parse again.
    fn point(&self, offset: usize) -> Point {
        let row = self.rope.byte_to_line(offset);
        Point { row, column: offset - self.rope.line_to_byte(row) }
    }
}
