//! The conditions of a rule: disjunction, conjunction, negation, `distinct`.

use super::{Parsed, Parser};
use crate::{
    Name, TextRange,
    forms::report,
    gdl::ast::{Formula, Term, TermKind},
    token::TokenKind,
};

/// An operator of other notations whose characters may also be in a name: only the whole word is read as the operator.
const NOT_EQUAL: &str = "≠";

/// True if a word in the position of a condition is read as an operator of other notations.
pub(crate) fn is_foreign_operator(word: &str) -> bool {
    word == NOT_EQUAL || word.starts_with('!')
}

/// The meaning of a comma.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Comma {
    Joins,
    /// It separates the alternatives, as in `or(a, b)`.
    Separates,
}

impl Parser<'_> {
    /// Reads `a & b | c & d`. Operands of a `&` at the top are appended to `parts` one by one.
    pub(super) fn disjunction(&mut self, comma: Comma, parts: &mut Vec<Formula>) -> Parsed<()> {
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
                Some(TokenKind::Word) if self.is_and_in_words() => {
                    let here = self.here();
                    report(self.errors, here, "conditions are joined with `&`: write `&` for `and`");
                    true
                }
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
            Some(TokenKind::Word) if self.word(self.at).starts_with('!') => self.nested(Self::exclamation),
            Some(TokenKind::Open) => self.nested(Self::parenthesized),
            Some(TokenKind::Or) if self.opens(self.at + 1) => self.nested(Self::listed),
            Some(TokenKind::Word) if self.opens(self.at + 1) && self.word(self.at).eq_ignore_ascii_case("and") => {
                self.nested(Self::listed)
            }
            Some(TokenKind::Word) if self.opens(self.at + 1) && self.word(self.at).eq_ignore_ascii_case("distinct") => {
                let term = self.term()?;
                let TermKind::Compound(args) = term.kind else { return Ok(Formula::Atom(term)) };
                Ok(Formula::Distinct { range: term.range, keyword: term.name.range, args: args.to_vec() })
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
        const OPERATORS: [&str; 5] = ["\\==", "\\=", "!==", "!=", "<>"];
        let start = self.here().start;
        let behind = self.text.get(start as usize..)?;
        let operator = match self.word(self.at) {
            NOT_EQUAL => NOT_EQUAL,
            _ => OPERATORS.into_iter().find(|operator| behind.starts_with(operator))?,
        };
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

    /// Reads `!open`, the negation of other languages, as `~open` and reports it.
    fn exclamation(&mut self) -> Parsed<Formula> {
        let token = self.here();
        let keyword = TextRange::new(token.start, token.start + 1);
        report(self.errors, keyword, "a condition is negated with `~` or `not`: write `~` for `!`");
        let inner = if self.word(self.at) == "!" {
            self.at += 1;
            self.unary()?
        } else {
            let mut term = self.term()?;
            term.range = TextRange::new(keyword.end, term.range.end);
            let name = TextRange::new(keyword.end, term.name.range.end);
            term.name = Name::new(&self.text[name.as_usize()], name);
            Formula::Atom(term)
        };
        Ok(Formula::Not { range: TextRange::new(token.start, self.last_end()), keyword, parts: vec![inner] })
    }

    /// Reads `(a & b | c)`.
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

    /// Reads `or(a, b)` and `and(a, b)`.
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
