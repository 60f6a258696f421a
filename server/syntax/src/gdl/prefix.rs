//! From nested lists to rules: GDL in prefix notation.

use std::sync::Arc;

use super::{
    ast::{Formula, Statement, Term, TermKind},
    statements::{Collector, Description},
};
use crate::{
    Language, Name, SyntaxError, TextRange,
    forms::{self, Form, Forms, report},
    lex,
    nest::{self, Nesting},
    token::{Token, TokenKind},
};

pub(crate) fn description(
    text: &Arc<str>,
    tokens: &[Token],
    nesting: &Nesting,
    errors: &mut Vec<SyntaxError>,
) -> Description {
    let mut statements = Collector::default();
    let mut forms = forms::top(text, tokens, &nesting.nodes).peekable();
    while let Some(form) = forms.next() {
        let before = errors.len();
        let statement = match forms.next_if(|next| form.is_list() && is_infix_arrow(*next)) {
            Some(arrow) => infix_rule(form, arrow, forms.next_if(|next| next.is_list()), errors),
            None => statement(form, errors),
        };
        statements.push(statement, nesting.errors.is_empty() && errors.len() == before);
    }
    Description { statements: statements.finish(text, statements_in) }
}

/// The statements of a part of a text that was read without an error.
pub(crate) fn statements_in(text: &str, range: TextRange) -> Vec<Statement> {
    let mut tokens = Vec::new();
    lex::scan(Language::GdlPrefix, text, range, &mut tokens);
    let nesting = nest::nest(Language::GdlPrefix, text, &tokens);
    forms::top(text, &tokens, &nesting.nodes).read(|form| statement(form, &mut Vec::new()))
}

/// An arrow of infix text between the forms of a file.
fn is_infix_arrow(form: Form<'_>) -> bool {
    !form.is_list() && matches!(form.word(), ":-" | "=>" | "<-" | "<=")
}

/// `(head ?x) :- (condition ?x)`, in prefix text.
fn infix_rule(head: Form<'_>, arrow: Form<'_>, body: Option<Form<'_>>, errors: &mut Vec<SyntaxError>) -> Statement {
    report(errors, arrow.range(), "the arrow comes first in prefix text: write `(<= head condition ...)`");
    let range = head.range().cover(body.map_or(arrow.range(), Form::range));
    let head = Some(term(head, errors));
    let body = body.into_iter().map(|form| formula(form, errors)).collect();
    Statement { range, head, arrow: Some(arrow.range()), body }
}

pub(crate) fn statement(form: Form<'_>, errors: &mut Vec<SyntaxError>) -> Statement {
    if let Some(arrow) = form.head() {
        if arrow.kind() == TokenKind::Arrow {
            return rule(form, arrow, 1, errors);
        }
        if let Some(width) = misspelt_arrow(form) {
            let last = form.children().nth(width - 1).map_or(arrow.range(), Form::range);
            report(errors, arrow.range().cover(last), "a rule begins with `<=`: `(<= head condition ...)`");
            return rule(form, arrow, width, errors);
        }
    }
    if let Some(head) = form.children().next().filter(|head| form.is_list() && head.is_list())
        && form.children().count() > 1
        && form.children().all(Form::is_list)
    {
        let message = "two `(` in a row: a rule begins with `<=`, so write `(<= head condition ...)`";
        report(errors, head.first_range(), message);
        return rule(form, head, 0, errors);
    }
    if !form.is_list() && matches!(form.word(), ":-" | "=>" | "<-") {
        let message =
            format!("`{}` is not part of prefix text: a rule is written `(<= head condition ...)`", form.word());
        report(errors, form.range(), message);
    }
    Statement { range: form.range(), head: Some(term(form, errors)), arrow: None, body: Vec::new() }
}

/// The number of words of a misspelt `<=` that begins a list before a head, if there is one.
fn misspelt_arrow(form: Form<'_>) -> Option<usize> {
    let mut parts = form.children();
    let (first, second) = (parts.next()?, parts.next()?);
    let is_head = |part: Option<Form<'_>>| part.is_some_and(|part| part.is_list() || part.is_word("terminal"));
    match first.word() {
        "=>" | "=<" | "<-" | "->" | "<--" | "<==" | ":-" | "⇐" | "←" if is_head(Some(second)) => Some(1),
        "<" if (second.is_word("=") || second.is_word("-")) && is_head(parts.next()) => Some(2),
        "=" if (second.is_word(">") || second.is_word("<")) && is_head(parts.next()) => Some(2),
        _ => None,
    }
}

/// Reads a rule; `width` is the number of words of the arrow.
fn rule(form: Form<'_>, arrow: Form<'_>, width: usize, errors: &mut Vec<SyntaxError>) -> Statement {
    let mut parts = form.children();
    parts.by_ref().take(width).for_each(drop);
    let head = parts.next().map(|head| term(head, errors));
    if head.is_none() {
        report(errors, arrow.range(), "a rule needs a head: `(<= head condition ...)`");
    }
    Statement { range: form.range(), head, arrow: Some(arrow.range()), body: formulas(parts, errors) }
}

fn formulas(forms: Forms<'_>, errors: &mut Vec<SyntaxError>) -> Vec<Formula> {
    forms.read(|form| formula(form, errors))
}

fn formula(form: Form<'_>, errors: &mut Vec<SyntaxError>) -> Formula {
    let Some(head) = form.head().filter(|head| head.kind() == TokenKind::Word) else {
        return Formula::Atom(term(form, errors));
    };
    let (range, keyword) = (form.range(), head.range());
    let mut parts = form.children();
    parts.next();
    if let Some(instead) = quantifier(form, head) {
        report(errors, keyword, format!("GDL has no `{}`: {instead}", head.word()));
        parts.next();
        return Formula::And { range, keyword, parts: formulas(parts, errors) };
    }
    if head.is_word("not") {
        Formula::Not { range, keyword, parts: formulas(parts, errors) }
    } else if head.is_word("or") {
        Formula::Or { range, keyword, parts: formulas(parts, errors) }
    } else if head.is_word("and") {
        Formula::And { range, keyword, parts: formulas(parts, errors) }
    } else if head.is_word("distinct") {
        Formula::Distinct { range, keyword, args: terms(parts, errors) }
    } else {
        Formula::Atom(term(form, errors))
    }
}

/// The advice for `(exists (?x) ...)` and `(forall (?x) ...)`, which GDL does not have.
fn quantifier(form: Form<'_>, head: Form<'_>) -> Option<&'static str> {
    let bound = form.children().nth(1)?;
    let is_list = bound.is_list() && bound.children().all(|part| part.kind() == TokenKind::Variable);
    match () {
        () if !is_list && bound.kind() != TokenKind::Variable => None,
        () if head.is_word("exists") => Some("use a variable that occurs only in the body"),
        () if head.is_word("forall") => Some("write a rule for the exceptions and negate it with `not`"),
        () => None,
    }
}

fn terms(forms: Forms<'_>, errors: &mut Vec<SyntaxError>) -> Vec<Term> {
    forms.read(|form| term(form, errors))
}

fn term(form: Form<'_>, errors: &mut Vec<SyntaxError>) -> Term {
    let range = form.range();
    if form.is_list() {
        return list(form, errors);
    }
    match form.kind() {
        TokenKind::Variable => Term { range, name: form.name(), kind: TermKind::Variable },
        TokenKind::Arrow => {
            report(errors, range, "`<=` begins a rule and comes directly after its `(`: `(<= head condition ...)`");
            Term { range, name: Name::new("", range), kind: TermKind::Error(Arc::default()) }
        }
        _ => Term { range, name: Name::new(form.word(), range), kind: TermKind::Constant },
    }
}

fn list(form: Form<'_>, errors: &mut Vec<SyntaxError>) -> Term {
    let range = form.range();
    let Some(first) = form.children().next() else {
        report(errors, range, "`()` is not a term: write a name after the `(`");
        return Term { range, name: Name::new("", range), kind: TermKind::Error(Arc::default()) };
    };
    if matches!(first.kind(), TokenKind::Word | TokenKind::Number) {
        let mut args = form.children();
        args.next();
        return Term { range, name: first.name(), kind: TermKind::Compound(terms(args, errors).into()) };
    }
    match first.kind() {
        TokenKind::Open => report(
            errors,
            first.first_range(),
            "two `(` in a row: a list begins with the name of a relation or function",
        ),
        TokenKind::Variable => {
            report(
                errors,
                first.range(),
                "a variable cannot be the name of a relation or function: a list begins with a name",
            );
        }
        _ => {}
    }
    Term { range, name: Name::new("", range), kind: TermKind::Error(terms(form.children(), errors).into()) }
}
