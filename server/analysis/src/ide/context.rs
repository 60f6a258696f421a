//! The position of a place within a form: an argument of a relation, a literal, the beginning of a statement. It is
//! determined from the tokens, so half-written text is supported too.

use percept_syntax::{Language, Source, TextRange, Token, TokenKind};

/// The kind of form that belongs at a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Slot {
    /// A new statement or section.
    Statement,
    /// The head of a rule.
    Head,
    /// A literal of a body, a condition or an effect.
    Literal,
    /// An argument of a relation.
    Argument {
        /// The name of the relation.
        relation: String,
        /// The position of the argument, from 0.
        position: usize,
    },
    /// A type after a dash.
    Other,
}

/// The context of the text that is being written.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    /// The kind of form that belongs there.
    pub slot: Slot,
    /// True if the bracket of the form that begins here has been written already.
    pub opened: bool,
    /// The outermost form or statement around the place.
    pub form: TextRange,
}

/// An open bracket before the place.
struct Open {
    /// The first word of the form: after the bracket, or in infix text before it.
    head: String,
    /// The number of tokens between the head and the place that begin an argument, at this level.
    arguments: usize,
    start: u32,
}

/// The context of a place between tokens.
pub fn context(source: &Source, at: u32) -> Context {
    let before: Vec<&Token> = source.tokens.iter().take_while(|token| token.range.end <= at).collect();
    let before: Vec<&Token> = before.into_iter().filter(|token| token.kind != TokenKind::Comment).collect();
    match source.language {
        Language::GdlInfix => infix(source, &before, at),
        _ => lists(source, &before, at),
    }
}

fn text<'a>(source: &'a Source, token: &Token) -> &'a str {
    &source.text[token.range.as_usize()]
}

fn lists(source: &Source, before: &[&Token], at: u32) -> Context {
    let mut stack: Vec<Open> = Vec::new();
    for (index, token) in before.iter().enumerate() {
        match token.kind {
            TokenKind::Open => {
                if let Some(outer) = stack.last_mut() {
                    outer.arguments += 1;
                }
                stack.push(Open { head: String::new(), arguments: 0, start: token.range.start });
            }
            TokenKind::Close => {
                stack.pop();
            }
            _ => {
                if let Some(open) = stack.last_mut() {
                    let is_first = index > 0 && before[index - 1].kind == TokenKind::Open;
                    match is_first {
                        true => open.head = text(source, token).to_ascii_lowercase(),
                        false => open.arguments += 1,
                    }
                }
            }
        }
    }
    // In POGDDL everything is inside `define`, so the section or action counts.
    let outermost = match source.language {
        Language::Pogddl => stack.iter().rfind(|open| open.head.starts_with(':')).or(stack.first()),
        _ => stack.first(),
    };
    let form = TextRange::new(outermost.map_or(at, |open| open.start), form_end(source, outermost, at));
    let opened = before.last().is_some_and(|token| token.kind == TokenKind::Open);
    if before.last().is_some_and(|token| token.kind == TokenKind::Dash) {
        return Context { slot: Slot::Other, opened, form };
    }
    let inner = if opened { stack.len().checked_sub(2).map(|at| &stack[at]) } else { stack.last() };
    // The bracket that has just been opened is counted among its outer form's arguments.
    let counted = |open: &Open| open.arguments - usize::from(opened);
    let slot = match inner {
        None => Slot::Statement,
        Some(open) => match source.language {
            Language::Pogddl => pogddl_slot(open, counted(open), &stack),
            _ => gdl_slot(open, counted(open), opened && stack.len() == 1),
        },
    };
    Context { slot, opened, form }
}

fn gdl_slot(open: &Open, position: usize, is_outermost: bool) -> Slot {
    match open.head.as_str() {
        _ if is_outermost => Slot::Statement,
        "<=" if position == 0 => Slot::Head,
        "<=" | "not" | "or" | "and" => Slot::Literal,
        "" => Slot::Statement,
        relation => Slot::Argument { relation: relation.into(), position },
    }
}

fn pogddl_slot(open: &Open, position: usize, stack: &[Open]) -> Slot {
    match open.head.as_str() {
        "and" | "or" | "not" | "when" | "imply" | ":derived" => Slot::Literal,
        "exists" | "forall" if position >= 1 => Slot::Literal,
        ":action" | ":init" | ":goal" => Slot::Literal,
        ":gain" => Slot::Literal,
        "define" => Slot::Statement,
        "" if stack.len() >= 2 && stack[stack.len() - 2].head == "observe" => {
            Slot::Argument { relation: "observe".into(), position }
        }
        "" => Slot::Other,
        relation => Slot::Argument { relation: relation.into(), position },
    }
}

fn infix(source: &Source, before: &[&Token], at: u32) -> Context {
    let mut stack: Vec<Open> = Vec::new();
    let mut start = 0;
    let mut in_body = false;
    let mut last_end = 0;
    for (index, token) in before.iter().enumerate() {
        let fresh_line = source.text[last_end as usize..token.range.start as usize].contains('\n');
        let continues = matches!(
            token.kind,
            TokenKind::Arrow | TokenKind::And | TokenKind::Comma | TokenKind::Or | TokenKind::Close
        );
        let awaited = index > 0
            && matches!(
                before[index - 1].kind,
                TokenKind::Arrow | TokenKind::And | TokenKind::Comma | TokenKind::Or | TokenKind::Not
            );
        if stack.is_empty() && ((fresh_line && !continues && !awaited) || index == 0) {
            start = token.range.start;
            in_body = false;
        }
        match token.kind {
            TokenKind::Open => {
                let head = index.checked_sub(1).map(|it| before[it]).filter(|it| it.range.end == token.range.start);
                let head = head.map_or(String::new(), |it| text(source, it).to_ascii_lowercase());
                stack.push(Open { head, arguments: 0, start: token.range.start });
            }
            TokenKind::Close => {
                stack.pop();
            }
            TokenKind::Comma => {
                if let Some(open) = stack.last_mut() {
                    open.arguments += 1;
                }
            }
            TokenKind::Arrow => in_body = true,
            TokenKind::Stop if stack.is_empty() => in_body = false,
            _ => {}
        }
        last_end = token.range.end;
    }
    let fresh_line = source.text[last_end as usize..at as usize].contains('\n');
    let awaited = before.last().is_some_and(|token| {
        matches!(token.kind, TokenKind::Arrow | TokenKind::And | TokenKind::Comma | TokenKind::Or | TokenKind::Not)
    });
    let slot = match stack.last() {
        Some(open) if !open.head.is_empty() && !matches!(open.head.as_str(), "not" | "~") => {
            Slot::Argument { relation: open.head.clone(), position: open.arguments }
        }
        Some(_) => Slot::Literal,
        None if before.is_empty() || (fresh_line && !awaited) => Slot::Statement,
        None if in_body => Slot::Literal,
        None => Slot::Head,
    };
    let form = TextRange::new(start.min(at), statement_end(source, at));
    Context { slot, opened: false, form }
}

/// The end of the statement around a place in infix text: the next line that begins at the margin.
fn statement_end(source: &Source, at: u32) -> u32 {
    let rest = &source.text[at as usize..];
    let margin =
        rest.match_indices('\n').find(|(index, _)| rest[index + 1..].starts_with(|c: char| !c.is_whitespace()));
    at + margin.map_or(rest.len(), |(index, _)| index) as u32
}

/// The end of the outermost bracket; the end of the text if it is not closed.
fn form_end(source: &Source, open: Option<&Open>, at: u32) -> u32 {
    let Some(open) = open else { return at };
    let mut depth = 0usize;
    for token in source.tokens.iter().filter(|token| token.range.start >= open.start) {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return token.range.end;
                }
            }
            _ => {}
        }
    }
    source.text.len() as u32
}

/// The number of arguments written after the name at `range`.
pub(super) fn arity_at(source: &Source, range: TextRange) -> usize {
    let index = source.tokens.partition_point(|token| token.range.start < range.start);
    let infix = source.language == Language::GdlInfix;
    let rest = match infix {
        true => match source.tokens.get(index + 1) {
            Some(token) if token.kind == TokenKind::Open && token.range.start == range.end => {
                &source.tokens[index + 2..]
            }
            _ => return 0,
        },
        false => match index.checked_sub(1).map(|before| source.tokens[before].kind) {
            Some(TokenKind::Open) => source.tokens.get(index + 1..).unwrap_or_default(),
            _ => return 0,
        },
    };
    let mut depth = 0usize;
    let mut arguments = 0;
    for token in rest {
        match token.kind {
            TokenKind::Close if depth == 0 => break,
            TokenKind::Close => depth -= 1,
            TokenKind::Comma if depth == 0 => {}
            TokenKind::Comment => {}
            kind => {
                let begins = depth == 0 && !(infix && kind == TokenKind::Open);
                arguments += usize::from(begins);
                depth += usize::from(kind == TokenKind::Open);
            }
        }
    }
    arguments
}

/// The constants that are an argument of a relation or function anywhere in the text.
pub(super) fn constants_at(source: &Source, relation: &str, position: usize) -> Vec<String> {
    let percept_syntax::Syntax::Gdl(description) = &source.syntax else { return Vec::new() };
    let mut names = Vec::new();
    let mut visit = |term: &percept_syntax::gdl::Term| {
        if !term.name.text.eq_ignore_ascii_case(relation) {
            return;
        }
        if let Some(arg) = term.args().get(position)
            && matches!(arg.kind, percept_syntax::gdl::TermKind::Constant)
        {
            names.push(arg.name.text.to_string());
        }
    };
    for statement in description.statements.iter() {
        if let Some(head) = &statement.head {
            head.walk(&mut |term| visit(term));
        }
        for formula in &statement.body {
            formula.terms(&mut |term| term.walk(&mut |term| visit(term)));
        }
    }
    names
}
