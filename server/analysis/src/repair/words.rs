//! Repairs of syntax errors of POGDDL beside those of brackets: a word too many, a side of a comparison that is
//! missing.

use percept_syntax::{Source, SyntaxError, TextRange, Token, TokenKind};

use crate::{FileId, Fix, TextEdit};

/// The most sides that are proposed for a comparison.
const SIDES: usize = 4;

const COMPARISONS: [&str; 5] = ["<", "<=", "=", ">=", ">"];

/// The repairs of an error in a file, the likeliest first.
pub(crate) fn words(source: &Source, error: &SyntaxError, file: FileId) -> Vec<Fix> {
    let all = source.tokens.iter().filter(|token| token.kind != TokenKind::Comment);
    let words = Words { text: &source.text, tokens: all.copied().collect(), file };
    let Some(at) = words.tokens.iter().position(|token| token.range.start == error.range.start) else {
        return Vec::new();
    };
    let is = |part: &str| error.message.contains(part);
    let fixes = match () {
        () if is("`not` deletes one atom") => words.without_not(at).map(|fix| vec![fix]),
        () if is("the arguments of") => words.comparison(at).map(|fix| vec![fix]),
        () if is("takes two sides") => words.sides(at),
        () if is("there is nothing after") => {
            let range = TextRange::at(error.range.end);
            Some(vec![Fix::new("Add `()`", vec![TextEdit { file, range, insert: " ()".to_string() }])])
        }
        () => None,
    };
    fixes.unwrap_or_default()
}

struct Words<'s> {
    text: &'s str,
    tokens: Vec<Token>,
    file: FileId,
}

impl<'s> Words<'s> {
    fn written(&self, range: TextRange) -> &'s str {
        &self.text[range.as_usize()]
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| self.written(token.range).eq_ignore_ascii_case(word))
    }

    /// The `)` of a `(`.
    fn close(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        (open..self.tokens.len()).find(|at| {
            match self.tokens[*at].kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })
    }

    /// The `(` of the form that a token is directly in.
    fn open(&self, at: usize) -> Option<usize> {
        let mut depth = 0_usize;
        (0..at).rev().find(|before| match self.tokens[*before].kind {
            TokenKind::Close => {
                depth += 1;
                false
            }
            TokenKind::Open => {
                depth = depth.wrapping_sub(1);
                depth == usize::MAX
            }
            _ => false,
        })
    }

    /// The parts of a form after its first word.
    fn parts(&self, open: usize) -> Option<Vec<TextRange>> {
        let (end, mut at, mut parts) = (self.close(open)?, open + 2, Vec::new());
        while at < end {
            let last = if self.tokens[at].kind == TokenKind::Open { self.close(at)? } else { at };
            parts.push(self.tokens[at].range.cover(self.tokens[last].range));
            at = last + 1;
        }
        Some(parts)
    }

    fn edit(&self, range: TextRange, insert: impl Into<String>) -> TextEdit {
        TextEdit { file: self.file, range, insert: insert.into() }
    }

    /// Removes the `not` around a form that cannot be deleted.
    fn without_not(&self, inner: usize) -> Option<Fix> {
        let outer = inner.checked_sub(2).filter(|_| self.is(inner - 1, "not"))?;
        let (inner_end, outer_end) = (self.close(inner)?, self.close(outer)?);
        let before = TextRange::new(self.tokens[outer].range.start, self.tokens[inner].range.start);
        let after = TextRange::new(self.tokens[inner_end].range.end, self.tokens[outer_end].range.end);
        Some(Fix::new("Remove the `not`", vec![self.edit(before, ""), self.edit(after, "")]))
    }

    /// Writes a comparison for a word of its signs that is none.
    fn comparison(&self, inside: usize) -> Option<Fix> {
        let word = self.tokens.get(self.open(inside)? + 1)?.range;
        let written = self.written(word);
        let is_signs = !written.is_empty() && written.bytes().all(|byte| b"<=>".contains(&byte));
        let is_part = |it: &&&str| written.contains(**it) || it.bytes().rev().eq(written.bytes());
        let longest = COMPARISONS.iter().filter(is_part).max_by_key(|it| it.len())?;
        let is_wrong = is_signs && !COMPARISONS.contains(&written);
        is_wrong.then(|| Fix::new(format!("Write `{longest}`"), vec![self.edit(word, *longest)]))
    }

    /// Adds the side that a comparison lacks: the one that another comparison has beside the same side, or a number.
    fn sides(&self, keyword: usize) -> Option<Vec<Fix>> {
        let own = self.parts(keyword.checked_sub(1)?)?;
        let [side] = own[..] else { return None };
        let side = |range: TextRange, of: &str| {
            self.written(range).split_whitespace().eq(of.split_whitespace()) && range != side
        };
        let written = self.written(own[0]);
        let mut sides: Vec<(bool, u32, String)> = Vec::new();
        for at in (0..self.tokens.len()).filter(|at| COMPARISONS.iter().any(|word| self.is(*at, word))) {
            let Some(parts) = at.checked_sub(1).and_then(|open| self.parts(open)) else { continue };
            let [left, right] = parts[..] else { continue };
            let distance = left.start.abs_diff(own[0].start);
            if side(left, written) {
                sides.push((false, distance, self.written(right).to_string()));
            }
            if side(right, written) {
                sides.push((true, distance, self.written(left).to_string()));
            }
        }
        sides.sort_by_key(|(_, distance, _)| *distance);
        sides.extend(["0", "1"].map(|number| (false, 0, number.to_string())));
        let mut fixes: Vec<Fix> = Vec::new();
        for (is_first, _, value) in sides {
            let edit = match is_first {
                true => self.edit(TextRange::at(own[0].start), format!("{value} ")),
                false => self.edit(TextRange::at(own[0].end), format!(" {value}")),
            };
            let fix = Fix::new(format!("Add `{value}`"), vec![edit]);
            if fixes.len() < SIDES && !fixes.contains(&fix) {
                fixes.push(fix);
            }
        }
        Some(fixes)
    }
}

#[cfg(test)]
mod tests {
    use percept_syntax::{Language, Source};

    use super::words;
    use crate::FileId;

    /// The text after the first repair of the only error.
    fn repaired(part: &str) -> String {
        let text = format!("(define (domain d) (:action a :parameters (?x) {part}))");
        let source = Source::parse(text.clone(), Language::Pogddl);
        assert_eq!(source.errors.len(), 1, "{part}");
        let fixes = words(&source, &source.errors[0], FileId(0));
        let text = crate::repair::edited(&text, &fixes.first().expect("a repair").edits);
        assert!(Source::parse(text.clone(), Language::Pogddl).errors.is_empty(), "{text}");
        text[text.find(":p").expect("the parameters") + 17..].to_string()
    }

    #[test]
    fn errors_of_words_are_repaired() {
        let cases = [
            (":effect (and (not (when (p) (q))) (r))", ":effect (and (when (p) (q)) (r))))"),
            (":effect (when (>> (f ?x) 0) (q))", ":effect (when (> (f ?x) 0) (q))))"),
            (
                ":precondition (and (> (f ?x) (g ?x)) (< (f ?x)))",
                ":precondition (and (> (f ?x) (g ?x)) (< (f ?x) (g ?x)))))",
            ),
            (":effect (when (= (g ?x)) (q))", ":effect (when (= (g ?x) 0) (q))))"),
            (":precondition :effect (q)", ":precondition () :effect (q)))"),
        ];
        for (wrong, right) in cases {
            assert_eq!(repaired(wrong).trim(), right, "{wrong}");
        }
    }
}
