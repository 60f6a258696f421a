//! Attribution of a bracket error to a bracket, and removal of errors with the same cause.

use super::Node;
use crate::{
    Language, SyntaxError, TextRange,
    token::{Token, TokenKind},
};

/// The probable fault in an unclosed form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
    /// The `(` that lacks its `)`.
    Unclosed(usize),
    /// A `(` directly before another one: no language here allows that.
    Doubled(usize),
}

/// An open list with the columns needed to judge its indentation.
struct Open {
    token: usize,
    column: u32,
    /// The column of the first token on its line.
    indent: u32,
    /// True if another part is next to its name on its first line.
    has_arguments_beside: bool,
}

/// Looks for the fault in the tokens `from..to` of an unclosed form: a doubled `(`, or a list that is still open at a
/// line that begins too far left to belong to it.
pub(super) fn find(language: Language, text: &str, tokens: &[Token], from: usize, to: usize) -> Option<Fault> {
    let form = &tokens[from..to];
    if let Some(at) =
        form.windows(2).position(|pair| pair[0].kind == TokenKind::Open && pair[1].kind == TokenKind::Open)
    {
        return Some(Fault::Doubled(from + at));
    }
    let mut line = line_start(text, form.first()?.range.start as usize)?;
    let mut indent = (text[line..].len() - text[line..].trim_start_matches([' ', '\t']).len()) as u32;
    let mut open: Vec<Open> = Vec::new();
    let mut before = form[0].range.start as usize;
    for (at, token) in form.iter().enumerate() {
        let start = token.range.start as usize;
        let is_part = matches!(token.kind, TokenKind::Open | TokenKind::Word | TokenKind::Keyword);
        match text[before..start].rfind(['\n', '\r']) {
            Some(offset) => {
                line = before + offset + 1;
                indent = (start - line) as u32;
                // Prefix GDL is aligned below the arguments, PDDL also indented from the line. The outermost list is
                // unclosed anyway; only a list inside it is informative.
                let is_left_of = |list: &Open| match language {
                    Language::GdlPrefix if list.has_arguments_beside => indent <= list.column,
                    _ => indent <= list.indent,
                };
                if let Some(list) = open.iter().skip(1).find(|list| is_part && is_left_of(list)) {
                    return Some(Fault::Unclosed(from + list.token));
                }
            }
            None => {
                if let Some(list) = open.last_mut().filter(|list| at > list.token + 1) {
                    list.has_arguments_beside = true;
                }
            }
        }
        before = token.range.end as usize;
        match token.kind {
            TokenKind::Open => {
                open.push(Open { token: at, column: (start - line) as u32, indent, has_arguments_beside: false });
            }
            TokenKind::Close => {
                open.pop();
            }
            _ => {}
        }
    }
    None
}

/// The start of the line that contains `at`, unless it is far away.
fn line_start(text: &str, at: usize) -> Option<usize> {
    const FAR: usize = 2000;
    let from = at.saturating_sub(FAR);
    let offset = text.as_bytes()[from..at].iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
    match offset {
        Some(offset) => Some(from + offset + 1),
        None => (from == 0).then_some(0),
    }
}

/// Drops the errors inside forms whose brackets are wrong: they have the same cause, or reappear when that is repaired.
/// If the first such error comes before the bracket, it is the better place, and the bracket becomes its related place.
/// `units` are the forms, in order; a bracket error belongs to the form that contains or precedes it.
pub(crate) fn drop_consequences(brackets: &mut [SyntaxError], units: &[TextRange], found: &mut Vec<SyntaxError>) {
    if brackets.is_empty() {
        return;
    }
    let unit = |range: TextRange| units.partition_point(|unit| unit.start <= range.start).checked_sub(1);
    // The first bracket error of each unit.
    let mut tainted: Vec<Option<usize>> = vec![None; units.len()];
    let mut better_before: Vec<u32> = Vec::with_capacity(brackets.len());
    for (number, error) in brackets.iter().enumerate() {
        let mut before = error.range.start;
        let mut at = unit(error.range);
        // In an unclosed `(define`, the last section is the suspect: the `)` at the end may have closed that section.
        if let (Some(outer), Some((end, _))) = (at, &error.related)
            && units.get(outer + 1).is_some_and(|inner| inner.start < units[outer].end)
            && end.start > error.range.start
        {
            at = unit(TextRange::at(end.start.saturating_sub(1)));
            before = u32::MAX;
        }
        better_before.push(before);
        if let Some(at) = at {
            tainted[at].get_or_insert(number);
        }
    }
    let mut better: Vec<Option<SyntaxError>> = vec![None; brackets.len()];
    found.retain(|error| {
        let Some(bracket) = unit(error.range).and_then(|at| tainted[at]) else { return true };
        let best = better[bracket].as_ref().map_or(better_before[bracket], |best| best.range.start);
        if error.range.start < best {
            better[bracket] = Some(error.clone());
        }
        false
    });
    for (bracket, better) in brackets.iter_mut().zip(better) {
        if let Some(mut better) = better {
            better.related = Some((bracket.range, format!("the brackets do not match: {}", bracket.message)));
            *bracket = better;
        }
    }
}

/// Statements of GDL; the sections of PDDL's definitions.
pub(crate) fn units(text: &str, tokens: &[Token], nodes: &[Node]) -> Vec<TextRange> {
    let mut units = Vec::new();
    let mut at = 0;
    while let Some(node) = nodes.get(at) {
        units.push(tokens[node.first as usize].range.cover(tokens[node.last as usize].range));
        let head = tokens
            .get(node.first as usize + 1)
            .filter(|_| node.is_list)
            .map_or("", |head| &text[head.range.as_usize()]);
        let is_define = head.trim_start_matches(':').eq_ignore_ascii_case("define");
        at = if is_define { at + 1 } else { node.next as usize };
        if is_define {
            let end = node.next as usize;
            while at < end {
                let child = nodes[at];
                units.push(tokens[child.first as usize].range.cover(tokens[child.last as usize].range));
                at = child.next as usize;
            }
        }
    }
    units
}
