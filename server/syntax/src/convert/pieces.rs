//! Pieces of a long text that can be converted one by one, so that little more than the text itself is in memory.
//!
//! A text without errors may be cut between two statements, each of which begins a line: brackets that nest without an
//! error nest in only one way, and an infix statement ends if a word that is first on its line follows a term. A piece
//! that is read with an error has no meaning of its own; the caller then reads the text as a whole.

use crate::{
    Language, TextRange,
    gdl::goes_on_with_a_statement,
    lex,
    token::{Token, TokenKind},
};

/// The number of bytes that are scanned at once.
const SCANNED: u32 = 4096;

/// A part of a text that begins and ends with a token.
pub(super) struct Piece {
    /// The place of the piece; the first one and the last one reach to the ends of the text.
    pub range: TextRange,
    /// True if an empty line is before the piece.
    pub is_apart: bool,
}

/// Cuts a text into pieces of at least `size` bytes each, except the last.
pub(super) fn pieces(language: Language, text: &str, size: u32) -> Vec<Piece> {
    let mut cutter = Cutter {
        language,
        text,
        size,
        pieces: Vec::new(),
        piece: Piece { range: TextRange::new(0, text.len() as u32), is_apart: false },
        depth: 0,
        last: None,
        end: 0,
        next: None,
        is_commented: false,
        ends_with_comment: false,
    };
    let (mut at, mut tokens) = (0u32, Vec::new());
    while (at as usize) < text.len() {
        tokens.clear();
        let end = at.saturating_add(SCANNED).min(text.len() as u32);
        at = lex::scan(language, text, TextRange::new(at, end), &mut tokens);
        tokens.iter().for_each(|token| cutter.pass(*token));
    }
    let Cutter { mut pieces, piece, .. } = cutter;
    pieces.push(piece);
    pieces
}

struct Cutter<'a> {
    language: Language,
    text: &'a str,
    size: u32,
    pieces: Vec<Piece>,
    /// The piece that has begun; it ends with the text unless it is cut.
    piece: Piece,
    depth: usize,
    /// The kind of the last token that is not a comment.
    last: Option<TokenKind>,
    /// The end of that token, with a comment behind it on its line.
    end: u32,
    /// The first comment after that, and true if there is a comment since the last token at all.
    next: Option<u32>,
    is_commented: bool,
    /// True if only brackets are between a comment and the last token: the comment is then written after the statement.
    ends_with_comment: bool,
}

impl Cutter<'_> {
    fn pass(&mut self, token: Token) {
        let space = &self.text[self.end as usize..token.range.start as usize];
        if token.kind == TokenKind::Comment {
            match self.next {
                None if !self.is_commented && breaks(space) == 0 => self.end = token.range.end,
                _ => self.next = self.next.or(Some(token.range.start)),
            }
            self.is_commented = true;
            return;
        }
        let next = self.next.take().unwrap_or(token.range.start);
        let gap = &self.text[self.end as usize..next as usize];
        let is_long = self.end - self.piece.range.start >= self.size;
        if is_long && self.depth == 0 && !self.ends_with_comment && breaks(gap) > 0 && self.is_border(token) {
            let rest = Piece { range: TextRange::new(next, self.piece.range.end), is_apart: breaks(gap) > 1 };
            let mut done = std::mem::replace(&mut self.piece, rest);
            done.range.end = self.end;
            self.pieces.push(done);
        }
        match token.kind {
            TokenKind::Open => self.depth += 1,
            TokenKind::Close => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        let is_end = matches!(token.kind, TokenKind::Close | TokenKind::Stop);
        self.ends_with_comment = is_end && (self.ends_with_comment || self.is_commented);
        self.is_commented = false;
        self.last = Some(token.kind);
        self.end = token.range.end;
    }

    /// True if a statement certainly ends with the last token, and another begins with `next`.
    fn is_border(&self, next: Token) -> bool {
        if self.language != Language::GdlInfix {
            return self.last == Some(TokenKind::Close) && next.kind == TokenKind::Open;
        }
        use TokenKind::{Close, Number, Stop, Variable, Word};
        let word = &self.text[next.range.as_usize()];
        let is_first = self.text[..next.range.start as usize].ends_with(['\n', '\r']);
        let is_ended = matches!(self.last, Some(Word | Number | Variable | Close | Stop));
        let is_name = next.kind == Word && word.starts_with(|first: char| first.is_ascii_alphanumeric());
        is_ended && is_first && is_name && !goes_on_with_a_statement(word)
    }
}

/// The number of line breaks in the white space between two tokens.
fn breaks(gap: &str) -> usize {
    gap.matches('\n').count() + gap.matches('\r').count() - gap.matches("\r\n").count()
}
