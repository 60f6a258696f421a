//! A keyword with the wrong number of arguments.

use crate::gdl::{Facts, Fault, Node, Shape, Space, TermId, keyword};
use crate::{Diagnostic, FileId, Findings, Rule, Severity, TextEdit};
use percept_syntax::{Language, Source, Syntax, TextRange, TokenKind};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "keyword-arity", severity: Severity::Error, page: include_str!("keyword-arity.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for fault in &facts.structure.faults {
        let finding = match fault {
            Fault::Arity { atom, .. } => wrong_atom(facts, facts.term(*atom)),
            Fault::Swallowed { rule, head, expected } => {
                swallowed(facts, facts.lowered.rules[*rule as usize].is_fact(), *head, *expected)
            }
            Fault::Parts { keyword, count, .. } => {
                let word = facts.text(*keyword);
                let message = match count {
                    0 => format!("`{word}` is empty: give it a condition or remove it"),
                    n if word.eq_ignore_ascii_case("distinct") => {
                        format!("`distinct` compares two terms; {}", here(*n))
                    }
                    n => format!("`{word}` takes one literal and has {n}: close its parenthesis after the first"),
                };
                facts.at(&RULE, *keyword, message)
            }
            _ => continue,
        };
        findings.push_cause(finding);
    }
}

/// The number of arguments in words.
fn here(count: usize) -> String {
    match count {
        0 => "here is none".to_string(),
        1 => "here is one".to_string(),
        n => format!("here are {n}"),
    }
}

fn wrong_atom(facts: &Facts, node: &Node) -> Diagnostic {
    let expected = keyword::arity(node.sym).unwrap_or_default();
    let word = facts.spelling(node);
    let takes = match expected {
        0 => "no arguments".to_string(),
        1 => "one argument".to_string(),
        n => format!("{n} arguments"),
    };
    let holds = match node.sym {
        keyword::TRUE | keyword::NEXT | keyword::INIT | keyword::BASE => ", a fluent",
        keyword::ROLE => ", a role",
        keyword::GOAL => ", a role and a value",
        keyword::SEES | keyword::PERCEPT => ", a role and a percept",
        keyword::TERMINAL => "",
        _ => ", a role and a move",
    };
    let message = format!("`{word}` takes {takes}{holds}; {}", here(node.arity()));
    let edit = |at: u32, insert: &str| TextEdit { file: FileId(0), range: TextRange::at(at), insert: insert.into() };
    let args: Vec<TextRange> = node.args().map(|arg| facts.range(arg)).collect();
    let constants = node.args().all(|arg| facts.term(arg).shape() == Shape::Constant);
    // `(role red black)`: several facts in one.
    if node.sym == keyword::ROLE && args.len() > 1 && constants {
        let prefix = facts.source.language != Language::GdlInfix;
        let one = |arg: &TextRange| {
            if prefix { format!("({word} {})", facts.text(*arg)) } else { format!("{word}({})", facts.text(*arg)) }
        };
        let written = args.iter().map(one).collect::<Vec<_>>().join(" ");
        let whole = TextEdit { file: FileId(0), range: node.range(), insert: written.clone() };
        return facts
            .at(&RULE, node.name_range(), format!("{message}: write `{written}`"))
            .fix("Write a fact for each", vec![whole]);
    }
    // `(true (step 1) (open 2))`: the parenthesis closes too late.
    if args.len() > expected
        && expected > 0
        && are_literals(facts, node, expected)
        && facts.text(node.range()).ends_with(')')
    {
        let message = format!("{message}: close its parenthesis after `{}`", facts.text(args[expected - 1]));
        let last = TextRange::new(node.range().end - 1, node.range().end);
        let edits =
            vec![edit(args[expected - 1].end, ")"), TextEdit { file: FileId(0), range: last, insert: String::new() }];
        return facts.at(&RULE, node.name_range(), message).fix("Move the parenthesis", edits);
    }
    let Some(inner) = loose_term(facts, node, expected) else { return facts.at(&RULE, node.name_range(), message) };
    let message = format!("{message}: write `({})` with parentheses of its own", facts.text(inner));
    let open = edit(inner.start, "(");
    if is_closed_twice(facts.source, node.range()) {
        return facts.at(&RULE, node.name_range(), message).safe_fix("Add the parenthesis", vec![open]);
    }
    facts.at(&RULE, node.name_range(), message).safe_fix("Add the parentheses", vec![open, edit(inner.end, ")")])
}

/// True if a `)` that closes nothing follows the statement around a place, as in `(init step 1))`.
fn is_closed_twice(source: &Source, place: TextRange) -> bool {
    let (Syntax::Gdl(description), Language::GdlPrefix) = (&source.syntax, source.language) else { return false };
    let begun = description.statements.partition_point(|statement| statement.range.start <= place.start);
    let Some(statement) = begun.checked_sub(1).map(|at| &description.statements[at]) else { return false };
    let behind = source.tokens.partition_point(|token| token.range.start < statement.range.end);
    let next = source.tokens[behind..].iter().find(|token| token.kind != TokenKind::Comment);
    next.is_some_and(|token| token.kind == TokenKind::Close)
}

/// True if the terms after the expected arguments can only be literals.
fn are_literals(facts: &Facts, node: &Node, expected: usize) -> bool {
    node.args().skip(expected).all(|arg| {
        let part = facts.term(arg);
        let made = facts.predicate(Space::Relation, part.sym).into_iter().flat_map(|relation| relation.produced());
        let is_relation = |arity: usize| made.into_iter().any(|made| facts.term(made.term).arity() == arity);
        part.shape() == Shape::Compound
            && (keyword::accepts(part.sym, part.arity())
                || keyword::is_connective(part.sym)
                || is_relation(part.arity()))
    })
}

/// `secret ?n` in `(true secret ?n)`: a constant as the last argument, and more after it.
fn loose_term(facts: &Facts, node: &Node, expected: usize) -> Option<TextRange> {
    let start = facts.term(node.arg(expected.checked_sub(1)?)?);
    let last = facts.term(node.arg(node.arity() - 1)?);
    (start.shape() == Shape::Constant && node.arity() > expected).then(|| start.range().cover(last.range()))
}

/// `(base (cell ?x ?y) (index ?x) (index ?y))`, in which `<=` and a parenthesis are missing, or `(<= (base (cell ?x ?y)
/// (index ?x) (index ?y)))`, in which a parenthesis closes too late.
fn swallowed(facts: &Facts, is_fact: bool, head: TermId, expected: usize) -> Diagnostic {
    let head = facts.term(head);
    let whole = head.range();
    let last_own = expected.checked_sub(1).and_then(|n| head.arg(n));
    let end_of_head = last_own.map_or(head.name_range().end, |arg| facts.range(arg).end);
    let word = facts.spelling(head);
    let edit = |range: TextRange, insert: &str| TextEdit { file: FileId(0), range, insert: insert.to_string() };
    let close = edit(TextRange::at(end_of_head), ")");
    if is_fact && expected == 0 {
        let first = head.arg(0).map_or("", |arg| facts.text(facts.range(arg)));
        let message = format!("this looks like a rule without `<=`: write `(<= {word} {first} ...)`");
        let edits = vec![edit(TextRange::at(head.name_range().start), "<= ")];
        return facts.at(&RULE, head.name_range(), message).fix("Make it a rule", edits);
    }
    if is_fact {
        let message = format!(
            "this looks like a rule without `<=`: `{word}` takes {expected}, and the rest are conditions; write `(<= \
            ({word} ...) ...)`"
        );
        let edits = vec![edit(TextRange::at(whole.start), "(<= "), close];
        return facts.at(&RULE, head.name_range(), message).fix("Make it a rule", edits);
    }
    let message =
        format!("`{word}` takes {expected} and {}: close its parenthesis before the conditions", here(head.arity()));
    let edits = vec![close, edit(TextRange::new(whole.end.saturating_sub(1), whole.end), "")];
    facts.at(&RULE, head.name_range(), message).fix("Move the parenthesis", edits)
}
