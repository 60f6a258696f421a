//! The limits of statements, and the text skipped after a mistake.
//!
//! Two statements of infix GDL may follow each other without any sign between them, so lines and columns show the
//! author's intention.

use super::Parser;
use crate::{TextRange, forms::report, token::TokenKind};

/// Slips and arrows of other languages that are written after a head instead of `:-`. Each is one token: longer ones,
/// such as `->`, are split into several.
const ARROWS: [&str; 5] = ["-", "--", "if", ":", "="];

/// True if a name that begins a statement would be read as an operator of the statement before it.
pub(crate) fn goes_on_with_a_statement(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "and" || ARROWS.contains(&name.as_str())
}

impl Parser<'_> {
    /// Reports and takes every `)` without a matching `(`.
    pub(super) fn stray_close(&mut self) -> bool {
        let Some(mut range) = self.take(TokenKind::Close) else { return false };
        while let Some(next) = self.take(TokenKind::Close) {
            range = range.cover(next);
        }
        report(self.errors, range, "this `)` closes nothing: remove it, or add the `(` it belongs to");
        true
    }

    /// Reports a token that can neither continue a statement nor begin one, and skips the text that has the same cause.
    pub(super) fn stray(&mut self) {
        let word = self.word(self.at).to_owned();
        let message = match self.peek() {
            Some(TokenKind::Close) => "this `)` closes nothing: remove it, or add the `(` it belongs to".to_owned(),
            Some(TokenKind::Stop) => "there is nothing before this `.`: remove it".to_owned(),
            Some(TokenKind::Arrow) => format!("a rule needs a head before `{word}`: `head :- condition & ...`"),
            Some(TokenKind::Unknown) => format!("`{}` has no meaning here: remove it", word.escape_debug()),
            Some(TokenKind::Open) => "a statement begins with a name: this `(` belongs to nothing".to_owned(),
            _ => format!("a statement begins with a name: `{word}` belongs to nothing before it"),
        };
        let here = self.here();
        report(self.errors, here, message);
        self.at += 1;
        self.skip();
    }

    /// Skips to the next statement.
    pub(super) fn skip(&mut self) {
        while self.at < self.tokens.len() && !self.at_statement_start() {
            if self.take(TokenKind::Stop).is_some() {
                return;
            }
            self.at += 1;
        }
    }

    /// True if a new statement clearly begins here: a word, first on its line, no further right than this statement.
    pub(super) fn at_statement_start(&self) -> bool {
        let begins = match self.peek() {
            Some(TokenKind::Word | TokenKind::Number) => true,
            // A capitalised functor is a mistake, but no condition begins with it.
            Some(TokenKind::Variable) => self.opens(self.at + 1),
            Some(_) => false,
            None => return true,
        };
        if self.at <= self.statement || !begins {
            return false;
        }
        match (self.indent(self.at), self.indent(self.statement)) {
            (Some(column), Some(limit)) => column <= limit,
            _ => false,
        }
    }

    /// True if the statement cannot continue here because the file ends or a new rule begins: a word that is first on
    /// its line, no further right than this statement, and an arrow after it. Without the arrow it may be a condition
    /// of a body that is not indented.
    pub(super) fn at_rule(&self) -> bool {
        if !self.at_statement_start() {
            return false;
        }
        self.after_term().map_or(self.at >= self.tokens.len(), |kind| kind == TokenKind::Arrow)
    }

    /// True if a statement clearly begins here: as in [`Self::at_statement_start`], and after an empty line.
    pub(super) fn at_next_paragraph(&self) -> bool {
        if !self.at_statement_start() || self.at >= self.tokens.len() {
            return false;
        }
        let gap = &self.text[self.last_end() as usize..self.here().start as usize];
        // A comment may be between the conditions of a body, with empty lines around it.
        let lines: Vec<&str> = gap.split('\n').collect();
        !gap.contains(['%', ';'])
            && lines.len() > 2
            && lines[1..lines.len() - 1].iter().any(|line| line.trim().is_empty())
    }

    /// True if the word here is a condition that lacks the operator before it: it is at least as far right as a
    /// condition would be, and an operator follows it.
    pub(super) fn lacks_operator(&mut self) -> bool {
        if self.peek() != Some(TokenKind::Word) || self.at_statement_start() {
            return false;
        }
        matches!(self.after_term(), Some(TokenKind::And | TokenKind::Or))
    }

    /// True for `a and b`, the conjunction of other languages.
    pub(super) fn is_and_in_words(&self) -> bool {
        self.word(self.at).eq_ignore_ascii_case("and")
            && !self.at_statement_start()
            && self.at + 1 < self.tokens.len()
            && self.after_term() != Some(TokenKind::Arrow)
    }

    /// Takes a misspelt arrow of a rule: `head - condition`, `head if condition`.
    pub(super) fn misspelt_arrow(&mut self) -> Option<TextRange> {
        let is_meant = ARROWS.contains(&self.word(self.at).to_ascii_lowercase().as_str());
        let follows = self
            .tokens
            .get(self.at + 1)
            .is_some_and(|next| matches!(next.kind, TokenKind::Word | TokenKind::Variable | TokenKind::Not));
        if !is_meant || !follows || self.at_statement_start() {
            return None;
        }
        let range = self.here();
        let message = format!("a rule is written `head :- condition & ...`: write `:-` for `{}`", self.word(self.at));
        report(self.errors, range, message);
        self.at += 1;
        Some(range)
    }

    /// Reports and takes a `.` before further conditions, which are further right than the beginning of the statement.
    pub(super) fn early_stop(&mut self) -> bool {
        if self.peek() != Some(TokenKind::Stop) || self.at + 1 >= self.tokens.len() {
            return false;
        }
        let (before, limit) = (self.at, self.indent(self.statement));
        self.at += 1;
        let further = self.indent(self.at).zip(limit).is_some_and(|(column, limit)| column > limit);
        let goes_on = match self.peek() {
            Some(TokenKind::Not) => true,
            Some(TokenKind::Word | TokenKind::Variable) => {
                matches!(self.after_term(), Some(TokenKind::And | TokenKind::Or))
            }
            _ => false,
        };
        if !further || !goes_on {
            self.at = before;
            return false;
        }
        let stop = self.tokens[before].range;
        report(self.errors, stop, "this `.` ends the rule, but more conditions follow: write `&`");
        true
    }

    /// The kind of token after the word here and its arguments, if that is near.
    pub(super) fn after_term(&self) -> Option<TokenKind> {
        const FAR: usize = 200;
        let mut depth = 0u32;
        for token in self.tokens.iter().skip(self.at + 1).take(FAR) {
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth > 0 => depth -= 1,
                kind if depth == 0 => return Some(kind),
                _ => {}
            }
        }
        None
    }

    /// The column of a token that is the first on its line.
    pub(super) fn indent(&self, at: usize) -> Option<usize> {
        let start = self.tokens[at].range.start as usize;
        let before = &self.text.as_bytes()[..start];
        let width = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let is_first = before.len() == width || matches!(before[start - width - 1], b'\n' | b'\r');
        is_first.then_some(width)
    }
}
