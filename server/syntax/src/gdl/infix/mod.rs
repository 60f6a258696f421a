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
//! Two statements may follow each other without any sign between them, so a statement ends if a term follows a term.
//! After an error the next statement begins after a `.`, or at a word that is first on its line and no further right
//! than the statement.

mod condition;
mod layout;

use self::condition::Comma;
pub(crate) use self::condition::is_foreign_operator;
pub(crate) use self::layout::goes_on_with_a_statement;
use super::{
    ast::{Statement, Term, TermKind},
    statements::Description,
};
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
    Description { statements: statements.into() }
}

struct Parser<'a> {
    text: &'a str,
    /// All tokens except comments.
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// The index of the first token of the statement being read.
    statement: usize,
    /// The number of `_` in the statement so far.
    anonymous: u32,
    errors: &'a mut Vec<SyntaxError>,
}

/// The statement cannot be repaired and the reader skips to the next one. An error has been reported.
struct Broken;

type Parsed<T> = Result<T, Broken>;

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
        let arrow = self.take(TokenKind::Arrow).or_else(|| self.misspelt_arrow());
        let mut body = Vec::new();
        let mut broken = false;
        // `head :- .` is a rule without conditions.
        if arrow.is_some() && !self.at_rule() && self.peek() != Some(TokenKind::Stop) {
            broken = self.disjunction(Comma::Joins, &mut body).is_err();
            // An extra `)` is reported and left out; the conditions after it still belong to the rule. So do those
            // after a `.` that comes too early.
            while !broken {
                if self.early_stop() {
                    broken = self.disjunction(Comma::Joins, &mut body).is_err();
                    continue;
                }
                if !self.stray_close() {
                    break;
                }
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

    /// Reads the end of a whole statement: its `.`, or the beginning of a new one.
    fn end_statement(&mut self) {
        let begins =
            self.peek().is_none_or(|kind| matches!(kind, TokenKind::Word | TokenKind::Number | TokenKind::Variable));
        if begins || self.take(TokenKind::Stop).is_some() {
            return;
        }
        self.stray();
    }

    /// Counts the nesting depth; text that is too deep is an error and ends the statement.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail(format!("terms may be nested {MAX_DEPTH} deep: the contents of this one are not read"));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    fn opens(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Open)
    }

    /// Reads the `)` of `open`. A missing one is reported at its place, and the statement continues if it can.
    fn closing(&mut self, open: TextRange) -> Parsed<()> {
        if self.take(TokenKind::Close).is_some() {
            return Ok(());
        }
        if self.peek() == Some(TokenKind::Unknown) {
            let word = self.word(self.at).to_owned();
            return self.fail(format!("`{}` has no meaning here: remove it", word.escape_debug()));
        }
        let here = self.here();
        // Two brackets that lack their `)` in the same place are one slip.
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
            is_unclosed: true,
        });
        self.after_unclosed()
    }

    /// The mistake is reported: at an arrow, a `.` or a new statement, reading continues as if the `)` were there.
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
            let message = "a relation or function begins with a small letter: a capital, `_` or `?` begins a variable";
            report(self.errors, range, message);
        }
        let args = self.nested(Self::args)?;
        let name = Name::new(word.strip_prefix('?').unwrap_or(&word), range);
        Ok(Term { range: TextRange::new(range.start, self.last_end()), name, kind: TermKind::Compound(args.into()) })
    }

    /// Reads `(a, b)` after a name.
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

    /// A variable's name without its `?`. Each `_` is a separate variable: the second in a statement is `_#2`.
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
