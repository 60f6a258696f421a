//! The shape of a text: the ranges that can be folded, and those around a place.

use percept_syntax::{Language, Source, Syntax, TextRange, TokenKind};

/// A range that can be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The range, from the first line to the last.
    pub range: TextRange,
    /// True for comments, false for rules.
    pub is_comment: bool,
}

/// Returns the forms and blocks of comments that span lines.
pub fn folds(source: &Source) -> Vec<Fold> {
    let text = &*source.text;
    let spans_lines = |range: &TextRange| text[range.as_usize()].contains(['\n', '\r']);
    let mut folds: Vec<Fold> =
        forms(source).into_iter().filter(spans_lines).map(|range| Fold { range, is_comment: false }).collect();
    for block in comment_blocks(source) {
        if spans_lines(&block) {
            folds.push(Fold { range: block, is_comment: true });
        }
    }
    folds.sort_by_key(|fold| (fold.range.start, std::cmp::Reverse(fold.range.end)));
    folds
}

/// Blocks of comments on consecutive lines.
fn comment_blocks(source: &Source) -> Vec<TextRange> {
    let mut blocks: Vec<TextRange> = Vec::new();
    for comment in &source.comments {
        match blocks.last_mut() {
            Some(last) if is_one_break(&source.text[last.end as usize..comment.range.start as usize]) => {
                *last = last.cover(comment.range);
            }
            _ => blocks.push(comment.range),
        }
    }
    blocks
}

fn is_one_break(between: &str) -> bool {
    between.trim().is_empty() && between.matches('\n').count().max(between.matches('\r').count()) <= 1
}

/// Every bracketed form, and in infix text every statement. The outermost is first of those with the same start.
fn forms(source: &Source) -> Vec<TextRange> {
    let mut open = Vec::new();
    let mut forms = Vec::new();
    for token in source.tokens.iter() {
        match token.kind {
            TokenKind::Open => open.push(token.range.start),
            TokenKind::Close => forms.extend(open.pop().map(|start| TextRange::new(start, token.range.end))),
            _ => {}
        }
    }
    if let (Language::GdlInfix, Syntax::Gdl(description)) = (source.language, &source.syntax) {
        forms.extend(description.statements.iter().map(|statement| statement.range));
    }
    forms
}

/// Returns the ranges around `offset`, innermost first: the word, the inside of the form, the form ... the whole text.
pub fn enclosing(source: &Source, offset: u32) -> Vec<TextRange> {
    let whole = TextRange::new(0, source.text.len() as u32);
    let mut ranges = vec![whole];
    for form in forms(source) {
        if form.touches(offset) {
            ranges.push(form);
            let inside = TextRange::new(form.start + 1, form.end.saturating_sub(1).max(form.start + 1));
            if source.text.as_bytes().get(form.start as usize) == Some(&b'(') && inside.touches(offset) {
                ranges.push(inside);
            }
        }
    }
    let word = source.tokens.iter().filter(|token| !matches!(token.kind, TokenKind::Open | TokenKind::Close));
    ranges.extend(word.map(|token| token.range).filter(|range| range.touches(offset) && !range.is_empty()).take(1));
    ranges.sort_by_key(|range| (range.len(), range.start));
    ranges.dedup();
    // Each range must contain the one before it.
    let mut nested: Vec<TextRange> = Vec::new();
    for range in ranges {
        if nested.last().is_none_or(|last| range.contains_range(*last) && range != *last) {
            nested.push(range);
        }
    }
    nested
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn forms_and_comment_blocks_fold() {
        let text = "; a board\n; of three\n(<= (p ?x)\n    (q ?x))\n(fact a)\n";
        let source = Source::parse(text, Language::GdlPrefix);
        let shown: Vec<String> = folds(&source)
            .iter()
            .map(|fold| format!("{:?} {}", fold.range, if fold.is_comment { "comment" } else { "form" }))
            .collect();
        expect![[r#"
            [
                "0..20 comment",
                "21..43 form",
            ]
        "#]]
        .assert_debug_eq(&shown);
    }

    #[test]
    fn a_selection_grows_from_the_word_to_the_file() {
        let text = "(<= (p ?x) (q ?x))\n(r)";
        let source = Source::parse(text, Language::GdlPrefix);
        let shown: Vec<&str> = enclosing(&source, 8).iter().map(|range| &text[range.as_usize()]).collect();
        expect![[r#"
            [
                "?x",
                "p ?x",
                "(p ?x)",
                "<= (p ?x) (q ?x)",
                "(<= (p ?x) (q ?x))",
                "(<= (p ?x) (q ?x))\n(r)",
            ]
        "#]]
        .assert_debug_eq(&shown);
    }
}
