//! Recursive descent over the tokens of infix GDL.
//!
//! ```text
//! statement   = term [("<=" | ":-") [disjunction]] ["."]          a rule without conditions needs its "."
//! disjunction = conjunction {("|" | "or") conjunction}
//! conjunction = unary {("&" | ",") unary}
//! unary       = ("~" | "\+" | "not") unary | "(" disjunction ")" | ("or" | "and") "(" list ")" | "distinct" "(" terms ")" | term
//! term        = variable | name ["(" [term {"," term}] ")"]
//! ```
//!
//! Nothing need stand between statements, so a statement ends where a term follows a term. After an error the next
//! statement begins after a `.`, or at a word that is first on its line and stands no further right than the statement.

use super::ast::{Description, Formula, Statement, Term, TermKind};
use crate::{
    MAX_DEPTH, Name, SyntaxError, TextRange,
    forms::report,
    token::{Token, TokenKind},
};

pub(crate) fn parse(text: &str, tokens: &[Token], errors: &mut Vec<SyntaxError>) -> Description {
    let tokens = tokens.iter().copied().filter(|token| token.kind != TokenKind::Comment).collect();
    let mut parser = Parser { text, tokens, at: 0, depth: 0, statement: 0, anonymous: 0, errors };
    let mut statements = Vec::new();
    while parser.at < parser.tokens.len() {
        let before = parser.at;
        statements.extend(parser.statement());
        debug_assert!(parser.at > before, "every statement takes a token");
        parser.at = parser.at.max(before + 1);
    }
    Description { statements }
}

struct Parser<'a> {
    text: &'a str,
    /// Without comments.
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// The first token of the statement being read.
    statement: usize,
    /// How many `_` the statement has had.
    anonymous: u32,
    errors: &'a mut Vec<SyntaxError>,
}

/// The statement is beyond repair: skip to the next one. An error has been reported.
struct Broken;

type Parsed<T> = Result<T, Broken>;

/// What separates the parts of a conjunction.
#[derive(Clone, Copy, PartialEq)]
enum Comma {
    Joins,
    /// In `or(a, b)` it separates the alternatives.
    Separates,
}

impl Parser<'_> {
    fn peek(&self) -> Option<TokenKind> {
        self.tokens.get(self.at).map(|token| token.kind)
    }

    fn take(&mut self, kind: TokenKind) -> Option<TextRange> {
        let token = self.tokens.get(self.at).filter(|token| token.kind == kind)?;
        self.at += 1;
        Some(token.range)
    }

    /// The place of the next token; at the end of the file, the end of the last one.
    fn here(&self) -> TextRange {
        match self.tokens.get(self.at) {
            Some(token) => token.range,
            None => TextRange::at(self.last_end()),
        }
    }

    fn last_end(&self) -> u32 {
        self.at.checked_sub(1).map_or(0, |last| self.tokens[last].range.end)
    }

    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &self.text[token.range.as_usize()])
    }

    fn fail<T>(&mut self, message: impl Into<String>) -> Parsed<T> {
        let here = self.here();
        report(self.errors, here, message);
        Err(Broken)
    }

    fn statement(&mut self) -> Option<Statement> {
        self.statement = self.at;
        self.anonymous = 0;
        self.depth = 0;
        let start = self.here().start;
        if !matches!(self.peek(), Some(TokenKind::Word | TokenKind::Number | TokenKind::Variable)) {
            self.stray();
            return None;
        }
        let Ok(head) = self.term() else {
            self.skip();
            return None;
        };
        self.stray_close();
        let arrow = self.take(TokenKind::Arrow);
        let mut body = Vec::new();
        let mut broken = false;
        // `head :- .` is a rule without conditions.
        if arrow.is_some() && !self.at_rule() && self.peek() != Some(TokenKind::Stop) {
            broken = self.disjunction(Comma::Joins, &mut body).is_err();
            // A `)` too many is reported and left out; the conditions behind it still belong to the rule.
            while !broken && self.stray_close() {
                if self.take(TokenKind::And).or_else(|| self.take(TokenKind::Comma)).is_none() {
                    break;
                }
                broken = self.disjunction(Comma::Joins, &mut body).is_err();
            }
        }
        let range = TextRange::new(start, self.last_end());
        match broken {
            true => self.skip(),
            false => self.end_statement(),
        }
        Some(Statement { range, head: Some(head), arrow, body })
    }

    /// After a whole statement: its `.`, or something that begins a new one.
    fn end_statement(&mut self) {
        let begins =
            self.peek().is_none_or(|kind| matches!(kind, TokenKind::Word | TokenKind::Number | TokenKind::Variable));
        if begins || self.take(TokenKind::Stop).is_some() {
            return;
        }
        self.stray();
    }

    /// Reports and takes `)` that close nothing.
    fn stray_close(&mut self) -> bool {
        let Some(mut range) = self.take(TokenKind::Close) else { return false };
        while let Some(next) = self.take(TokenKind::Close) {
            range = range.cover(next);
        }
        report(self.errors, range, "this `)` closes nothing: remove it, or add the `(` it belongs to");
        true
    }

    /// Reports a token that can neither go on with a statement nor begin one, and skips what has the same cause.
    fn stray(&mut self) {
        let word = self.word(self.at).to_owned();
        let message = match self.peek() {
            Some(TokenKind::Close) => "this `)` closes nothing: remove it, or add the `(` it belongs to".to_owned(),
            Some(TokenKind::Stop) => "nothing stands before this `.`: remove it".to_owned(),
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

    /// To the next statement.
    fn skip(&mut self) {
        while self.at < self.tokens.len() && !self.at_statement_start() {
            if self.take(TokenKind::Stop).is_some() {
                return;
            }
            self.at += 1;
        }
    }

    /// Whether a new statement clearly begins here: a word, first on its line, no further right than this statement.
    fn at_statement_start(&self) -> bool {
        let begins = match self.peek() {
            Some(TokenKind::Word | TokenKind::Number) => true,
            // A capitalised functor: a mistake, but no condition begins so.
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

    /// Whether nothing can follow here because the file ends or a new rule begins: a word that is first on its line, no
    /// further right than this statement, and an arrow after it. Without the arrow it may be a condition of a body
    /// that is not indented.
    fn at_rule(&self) -> bool {
        if !self.at_statement_start() {
            return false;
        }
        self.after_term().map_or(self.at >= self.tokens.len(), |kind| kind == TokenKind::Arrow)
    }

    /// Whether a statement clearly begins here: as [`Self::at_statement_start`], and behind an empty line.
    fn at_next_paragraph(&self) -> bool {
        if !self.at_statement_start() || self.at >= self.tokens.len() {
            return false;
        }
        let gap = &self.text[self.last_end() as usize..self.here().start as usize];
        // A comment may stand between the conditions of a body, with empty lines around it.
        let lines: Vec<&str> = gap.split('\n').collect();
        !gap.contains(['%', ';'])
            && lines.len() > 2
            && lines[1..lines.len() - 1].iter().any(|line| line.trim().is_empty())
    }

    /// Whether the word here is a condition that lacks the operator before it: it is no further left than a
    /// condition would be, and an operator follows it.
    fn lacks_operator(&mut self) -> bool {
        if self.peek() != Some(TokenKind::Word) || self.at_statement_start() {
            return false;
        }
        matches!(self.after_term(), Some(TokenKind::And | TokenKind::Or))
    }

    /// The kind of token behind the word here and its arguments, if that is near.
    fn after_term(&self) -> Option<TokenKind> {
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
    fn indent(&self, at: usize) -> Option<usize> {
        let start = self.tokens[at].range.start as usize;
        let before = &self.text.as_bytes()[..start];
        let width = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let is_first = before.len() == width || matches!(before[start - width - 1], b'\n' | b'\r');
        is_first.then_some(width)
    }

    /// Counts how deep the text is nested; an error ends the statement.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail(format!("terms may be nested {MAX_DEPTH} deep: what is inside this one is not read"));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// `a & b | c & d`. What joins with `&` at the top is appended to `parts` one by one.
    fn disjunction(&mut self, comma: Comma, parts: &mut Vec<Formula>) -> Parsed<()> {
        let first = parts.len();
        let mut result = self.conjunction(comma, parts).map(|_| ());
        if self.peek() != Some(TokenKind::Or) || result.is_err() {
            return result;
        }
        let keyword = self.here();
        let mut alternatives = Vec::new();
        gather(parts, first, keyword, &mut alternatives);
        while result.is_ok() && self.take(TokenKind::Or).is_some() {
            let mut alternative = Vec::new();
            result = self.conjunction(comma, &mut alternative).map(|_| ());
            gather(&mut alternative, 0, keyword, &mut alternatives);
        }
        let range = alternatives[0].range().cover(alternatives[alternatives.len() - 1].range());
        parts.push(Formula::Or { range, keyword, parts: alternatives });
        result
    }

    /// Appends the parts of a conjunction.
    fn conjunction(&mut self, comma: Comma, parts: &mut Vec<Formula>) -> Parsed<()> {
        loop {
            let part = self.unary()?;
            parts.push(part);
            let joins = match self.peek() {
                Some(TokenKind::Word) if comma == Comma::Joins && self.lacks_operator() => {
                    let (here, word) = (self.here(), self.word(self.at).to_owned());
                    report(self.errors, here, format!("a `&` is missing before `{word}`"));
                    continue;
                }
                Some(TokenKind::And) => true,
                Some(TokenKind::Comma) => comma == Comma::Joins,
                _ => false,
            };
            if !joins {
                return Ok(());
            }
            let operator = self.word(self.at).to_owned();
            self.at += 1;
            if self.at_rule() || self.at_next_paragraph() {
                self.at -= 1;
                return self.fail(format!("a condition is missing after this `{operator}`"));
            }
            // `&&`, as other languages write it.
            while let Some(range) = self.take(TokenKind::And) {
                report(self.errors, range, "one `&` joins two conditions: remove the second");
            }
        }
    }

    fn unary(&mut self) -> Parsed<Formula> {
        match self.peek() {
            Some(TokenKind::Not) => self.nested(Self::negation),
            Some(TokenKind::Open) => self.nested(Self::parenthesized),
            Some(TokenKind::Or) if self.opens(self.at + 1) => self.nested(Self::listed),
            Some(TokenKind::Word) if self.opens(self.at + 1) && self.word(self.at).eq_ignore_ascii_case("and") => {
                self.nested(Self::listed)
            }
            Some(TokenKind::Word) if self.opens(self.at + 1) && self.word(self.at).eq_ignore_ascii_case("distinct") => {
                let term = self.term()?;
                let TermKind::Compound(args) = term.kind else { return Ok(Formula::Atom(term)) };
                Ok(Formula::Distinct { range: term.range, keyword: term.name.range, args })
            }
            Some(TokenKind::Word | TokenKind::Number | TokenKind::Variable) => {
                let left = self.term()?;
                match self.inequality() {
                    Some(operator) => self.unequal(left, operator),
                    None => Ok(Formula::Atom(left)),
                }
            }
            None => self.fail("a condition is missing at the end of the file"),
            Some(TokenKind::Unknown) => {
                let word = self.word(self.at).to_owned();
                self.fail(format!(
                    "`{}` has no meaning here: conditions are joined with `&` or `|`",
                    word.escape_debug()
                ))
            }
            Some(_) => {
                let word = self.word(self.at).to_owned();
                self.fail(format!("a condition is missing before `{word}`"))
            }
        }
    }

    /// Takes `\=`, `!=` and the like, as Prolog and other languages write `distinct`.
    fn inequality(&mut self) -> Option<TextRange> {
        const OPERATORS: [&str; 6] = ["\\==", "\\=", "!==", "!=", "<>", "≠"];
        let start = self.here().start;
        let behind = self.text.get(start as usize..)?;
        let operator = OPERATORS.into_iter().find(|operator| behind.starts_with(operator))?;
        let range = TextRange::new(start, start + operator.len() as u32);
        while self.tokens.get(self.at).is_some_and(|token| token.range.start < range.end) {
            self.at += 1;
        }
        Some(range)
    }

    /// The right side of an inequality, which is reported and read as `distinct`.
    fn unequal(&mut self, left: Term, operator: TextRange) -> Parsed<Formula> {
        let right = self.term()?;
        let range = left.range.cover(right.range);
        let written = |range: TextRange| &self.text[range.as_usize()];
        let message = format!("write `distinct({}, {})`", written(left.range), written(right.range));
        report(self.errors, operator, message);
        Ok(Formula::Distinct { range, keyword: operator, args: vec![left, right] })
    }

    fn opens(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Open)
    }

    fn negation(&mut self) -> Parsed<Formula> {
        let keyword = self.here();
        self.at += 1;
        if self.at_rule() {
            self.at -= 1;
            let word = self.word(self.at).to_owned();
            return self.fail(format!("a condition is missing after `{word}`"));
        }
        let inner = self.unary()?;
        let range = TextRange::new(keyword.start, self.last_end());
        Ok(Formula::Not { range, keyword, parts: vec![inner] })
    }

    /// `(a & b | c)`
    fn parenthesized(&mut self) -> Parsed<Formula> {
        let open = self.here();
        self.at += 1;
        let mut parts = Vec::new();
        self.disjunction(Comma::Joins, &mut parts)?;
        self.closing(open)?;
        let range = TextRange::new(open.start, self.last_end());
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Formula::And { range, keyword: between(&parts, self.text), parts },
        })
    }

    /// `or(a, b)` and `and(a, b)`
    fn listed(&mut self) -> Parsed<Formula> {
        let keyword = self.here();
        let is_or = self.peek() == Some(TokenKind::Or);
        let open = self.tokens[self.at + 1].range;
        self.at += 2;
        let mut parts = Vec::new();
        while self.peek() != Some(TokenKind::Close) {
            let first = parts.len();
            self.disjunction(Comma::Separates, &mut parts)?;
            if parts.len() > first + 1 {
                let joined: Vec<Formula> = parts.drain(first..).collect();
                let range = joined[0].range().cover(joined[joined.len() - 1].range());
                parts.push(Formula::And { range, keyword: between(&joined, self.text), parts: joined });
            }
            if self.take(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.closing(open)?;
        let range = TextRange::new(keyword.start, self.last_end());
        Ok(match is_or {
            true => Formula::Or { range, keyword, parts },
            false => Formula::And { range, keyword, parts },
        })
    }

    /// The `)` of `open`. A missing one is reported there, and the statement goes on where it can.
    fn closing(&mut self, open: TextRange) -> Parsed<()> {
        if self.take(TokenKind::Close).is_some() {
            return Ok(());
        }
        if self.peek() == Some(TokenKind::Unknown) {
            let word = self.word(self.at).to_owned();
            return self.fail(format!("`{}` has no meaning here: remove it", word.escape_debug()));
        }
        let here = self.here();
        // Two brackets that lack their `)` at one place are one slip.
        let is_known =
            self.errors.last().and_then(|error| error.related.as_ref()).is_some_and(|(place, _)| *place == here);
        if is_known {
            return self.after_unclosed();
        }
        let place = match self.peek() {
            _ if self.at_statement_start() && self.at < self.tokens.len() => "before the next statement".to_owned(),
            Some(_) => format!("before `{}`", self.word(self.at)),
            None => "before the end of the file".to_owned(),
        };
        self.errors.push(SyntaxError {
            range: open,
            message: format!("this `(` is never closed: a `)` is missing {place}"),
            related: Some((here, "it is missing here at the latest".to_owned())),
        });
        self.after_unclosed()
    }

    /// The mistake is named: an arrow, a `.` or a new statement goes on as if the `)` stood there.
    fn after_unclosed(&self) -> Parsed<()> {
        match self.peek() {
            Some(TokenKind::Arrow | TokenKind::Stop | TokenKind::And | TokenKind::Or) | None => Ok(()),
            _ if self.at_statement_start() => Ok(()),
            _ => Err(Broken),
        }
    }

    fn term(&mut self) -> Parsed<Term> {
        let range = self.here();
        let (kind, word) = match self.peek() {
            Some(kind @ (TokenKind::Word | TokenKind::Number | TokenKind::Variable)) => {
                (kind, self.word(self.at).to_owned())
            }
            // `not`, `or` and `~` cannot be terms.
            Some(_) => {
                let word = self.word(self.at).to_owned();
                return self.fail(format!("a term is expected here, not `{}`", word.escape_debug()));
            }
            None => return self.fail("a term is missing at the end of the file"),
        };
        self.at += 1;
        let is_applied =
            self.opens(self.at) && (kind != TokenKind::Variable || self.tokens[self.at].range.start == range.end);
        if !is_applied {
            return Ok(match kind {
                TokenKind::Variable => Term { range, name: self.variable(&word, range), kind: TermKind::Variable },
                _ => Term { range, name: Name::new(word, range), kind: TermKind::Constant },
            });
        }
        if kind == TokenKind::Variable {
            let message = "names of relations and functions begin with a small letter: what begins with a capital, `_` or `?` is a variable";
            report(self.errors, range, message);
        }
        let args = self.nested(Self::args)?;
        let name = Name::new(word.strip_prefix('?').unwrap_or(&word), range);
        Ok(Term { range: TextRange::new(range.start, self.last_end()), name, kind: TermKind::Compound(args) })
    }

    /// `(a, b)` after a name.
    fn args(&mut self) -> Parsed<Vec<Term>> {
        let open = self.here();
        self.at += 1;
        let mut args = Vec::new();
        if self.take(TokenKind::Close).is_some() {
            return Ok(args);
        }
        loop {
            if self.at_rule() {
                break;
            }
            args.push(self.term()?);
            if self.take(TokenKind::Comma).is_some() {
                continue;
            }
            let follows = matches!(self.peek(), Some(TokenKind::Word | TokenKind::Number | TokenKind::Variable));
            if !follows || self.at_statement_start() {
                break;
            }
            let (here, word) = (self.here(), self.word(self.at).to_owned());
            report(self.errors, here, format!("a `,` is missing before `{word}`"));
        }
        self.closing(open)?;
        Ok(args)
    }

    /// A variable's name without its `?`. Each `_` is a variable of its own: the second in a statement is `_#2`.
    fn variable(&mut self, word: &str, range: TextRange) -> Name {
        let name = word.strip_prefix('?').unwrap_or(word);
        if name != "_" {
            return Name::new(name, range);
        }
        self.anonymous += 1;
        match self.anonymous {
            1 => Name::new("_", range),
            number => Name::new(format!("_#{number}"), range),
        }
    }
}

/// Moves `parts[first..]` into `alternatives` as one formula.
fn gather(parts: &mut Vec<Formula>, first: usize, keyword: TextRange, alternatives: &mut Vec<Formula>) {
    let mut joined: Vec<Formula> = parts.drain(first..).collect();
    match joined.len() {
        0 => {}
        1 => alternatives.push(joined.remove(0)),
        _ => {
            let range = joined[0].range().cover(joined[joined.len() - 1].range());
            alternatives.push(Formula::And { range, keyword, parts: joined });
        }
    }
}

/// The place of the operator between the first two parts.
fn between(parts: &[Formula], text: &str) -> TextRange {
    let (Some(first), Some(second)) = (parts.first(), parts.get(1)) else { return TextRange::default() };
    let gap = TextRange::new(first.range().end, second.range().start);
    match text[gap.as_usize()].find(['&', ',']) {
        Some(at) => TextRange::new(gap.start + at as u32, gap.start + at as u32 + 1),
        None => gap,
    }
}
