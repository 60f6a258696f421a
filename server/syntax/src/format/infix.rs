//! Formatting of infix GDL: fixed spaces around operators, and the author's line breaks at operators and commas.

use super::{Gap, Options, Words};
use crate::{Source, Syntax, TextRange, token::TokenKind};

pub(super) fn gaps(source: &Source, options: &Options) -> Vec<Option<Gap>> {
    let words = Words { text: &source.text, tokens: &source.tokens };
    let mut layout = Layout { words: &words, options, column: 0 };
    let mut gaps: Vec<Option<Gap>> = Vec::with_capacity(source.tokens.len());
    let mut at = 0;
    for statement in statements(source) {
        while at < words.tokens.len() && words.tokens[at].range.start < statement.start {
            gaps.push(layout.outside(at));
            at += 1;
        }
        let end = words.tokens.partition_point(|token| token.range.end <= statement.end);
        layout.statement(at, end.max(at + 1), &mut gaps);
        at = end.max(at + 1);
    }
    while at < words.tokens.len() {
        gaps.push(layout.outside(at));
        at += 1;
    }
    leave_broken(source, &mut gaps);
    gaps
}

/// The statements with the `.` after them.
fn statements(source: &Source) -> Vec<TextRange> {
    let Syntax::Gdl(description) = &source.syntax else { return Vec::new() };
    let mut ranges: Vec<TextRange> = description.statements.iter().map(|statement| statement.range).collect();
    for range in &mut ranges {
        let next = source.tokens.partition_point(|token| token.range.start < range.end);
        let stop = source.tokens[next..].iter().find(|token| token.kind != TokenKind::Comment);
        if let Some(stop) = stop.filter(|token| token.kind == TokenKind::Stop) {
            range.end = stop.range.end;
        }
    }
    ranges
}

/// Leaves everything unchanged from the statement that contains or precedes the first error.
fn leave_broken(source: &Source, gaps: &mut [Option<Gap>]) {
    let Some(error) = source.errors.iter().map(|error| error.range).min() else { return };
    let from = statements(source).iter().map(|range| range.start).take_while(|start| *start <= error.start).last();
    let first = source.tokens.partition_point(|token| token.range.start < from.unwrap_or(0));
    gaps[first..].fill(None);
}

struct Layout<'a> {
    words: &'a Words<'a>,
    options: &'a Options,
    /// The column at which the last token ended.
    column: u32,
}

impl Layout<'_> {
    /// The gap before a comment between statements, or before a token outside of all statements.
    fn outside(&mut self, at: usize) -> Option<Gap> {
        let gap = self.between(at, 0);
        self.advance(at, gap);
        if self.words.kind(at) == TokenKind::Comment { Some(gap) } else { None }
    }

    /// The gap before a statement or a comment between statements.
    fn between(&self, at: usize, width: u32) -> Gap {
        if at == 0 {
            return Gap::NONE;
        }
        let is_far = width > 0 && self.column + 1 + width > self.options.width;
        if self.words.is_after_comment(at) || self.words.breaks(at) > 0 || is_far {
            return self.words.kept(at, 0);
        }
        Gap::SPACE
    }

    fn advance(&mut self, at: usize, gap: Gap) {
        if gap.breaks > 0 {
            self.column = 0;
        }
        self.column += gap.columns + self.words.width(at);
    }

    fn statement(&mut self, first: usize, end: usize, gaps: &mut Vec<Option<Gap>>) {
        let width: u32 =
            (first..end).map(|at| self.words.width(at) + if at == first { 0 } else { self.tight(at).columns }).sum();
        let gap = self.between(first, width);
        self.advance(first, gap);
        gaps.push(Some(gap));
        let start = self.column - self.words.width(first);
        let has_breaks = (first + 1..end).any(|at| self.keeps_break(at));
        let must_break = !has_breaks && start + width > self.options.width;
        let mut depth = 0;
        for at in first + 1..end {
            let kind = self.words.kind(at);
            let is_break_point = must_break
                && depth == 0
                && matches!(
                    self.words.kind(at - 1),
                    TokenKind::Arrow | TokenKind::And | TokenKind::Comma | TokenKind::Or
                );
            let gap = match kind {
                _ if self.keeps_break(at) || is_break_point => {
                    let gap = self.words.kept(at, self.options.indent * (1 + depth));
                    if kind == TokenKind::Comment { gap } else { Gap { breaks: gap.breaks.max(1), ..gap } }
                }
                TokenKind::Comment => Gap::SPACE,
                _ => self.tight(at),
            };
            self.advance(at, gap);
            gaps.push(Some(gap));
            match kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth = u32::saturating_sub(depth, 1),
                _ => {}
            }
        }
    }

    /// True if a break is kept: after a comment, and next to an operator or a comma.
    fn keeps_break(&self, at: usize) -> bool {
        if self.words.is_after_comment(at) {
            return true;
        }
        if self.words.breaks(at) == 0 {
            return false;
        }
        let is_operator = |kind| matches!(kind, TokenKind::Arrow | TokenKind::And | TokenKind::Or);
        match (self.words.kind(at - 1), self.words.kind(at)) {
            (_, TokenKind::Comment) => true,
            (_, TokenKind::Comma | TokenKind::Close | TokenKind::Stop) => false,
            (before, kind) => is_operator(before) || before == TokenKind::Comma || is_operator(kind),
        }
    }

    /// The gap before a token that stays on its line.
    fn tight(&self, at: usize) -> Gap {
        let is_glued = self.words.space(at).is_empty();
        match (self.words.kind(at - 1), self.words.kind(at)) {
            (TokenKind::Arrow, TokenKind::Stop) => Gap::SPACE,
            (_, TokenKind::Comma | TokenKind::Close | TokenKind::Stop) | (TokenKind::Open, _) => Gap::NONE,
            // `not (a)` and `not(a)` are both usual, `f (a)` is not.
            (TokenKind::Word | TokenKind::Number | TokenKind::Variable, TokenKind::Open) => Gap::NONE,
            (TokenKind::Not | TokenKind::Or, TokenKind::Open) if is_glued => Gap::NONE,
            (TokenKind::Not, _) if self.words.word(at - 1) == "~" => Gap::NONE,
            _ => Gap::SPACE,
        }
    }
}
