//! Comments as documentation.

use crate::{Source, TextRange, token::TokenKind};

impl Source {
    /// The documentation comment of a statement or section: the comment lines directly above it, without their `;` or
    /// `%`, joined with line breaks. A blank line or other text ends them. If there are none, the comment after it on
    /// its last line, at `range.end`. `None` if there is neither.
    pub fn doc_comment(&self, range: TextRange) -> Option<String> {
        self.comments_above(range.start).or_else(|| self.comment_behind(range.end))
    }

    fn comments_above(&self, offset: u32) -> Option<String> {
        let mut next = offset;
        let mut lines = Vec::new();
        let first = self.tokens.partition_point(|token| token.range.start < offset);
        for at in (0..first).rev() {
            let token = self.tokens[at];
            let is_alone = at == 0 || line_breaks(self.between(self.tokens[at - 1].range.end, token.range.start)) > 0;
            let is_above = line_breaks(self.between(token.range.end, next)) == 1;
            if token.kind != TokenKind::Comment || !is_alone || !is_above {
                break;
            }
            lines.push(comment_text(&self.text[token.range.as_usize()]));
            next = token.range.start;
        }
        lines.reverse();
        joined(&lines)
    }

    fn comment_behind(&self, offset: u32) -> Option<String> {
        let next = self.tokens.partition_point(|token| token.range.start < offset);
        let token = self.tokens.get(next).filter(|token| token.kind == TokenKind::Comment)?;
        let is_behind = line_breaks(self.between(offset, token.range.start)) == 0;
        joined(&[is_behind.then(|| comment_text(&self.text[token.range.as_usize()]))?])
    }

    fn between(&self, start: u32, end: u32) -> &str {
        &self.text[start as usize..end as usize]
    }
}

fn joined(lines: &[&str]) -> Option<String> {
    let text = lines.join("\n");
    let text = text.trim_matches('\n');
    (!text.trim().is_empty()).then(|| text.to_owned())
}

/// A comment without its marks; empty for a line of dashes or stars.
fn comment_text(comment: &str) -> &str {
    let text = comment.trim_start_matches([';', '%']).trim();
    if text.chars().all(|c| matches!(c, '-' | '=' | '*' | '#' | '_' | ';' | '%')) { "" } else { text }
}

/// The number of line breaks in a stretch of white space.
fn line_breaks(space: &str) -> usize {
    let feeds = space.matches('\n').count();
    feeds + space.matches('\r').count() - space.matches("\r\n").count()
}
