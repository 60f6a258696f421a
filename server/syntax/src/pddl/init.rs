//! The facts and values of a problem's `:init`.

use super::{
    ast::Init,
    condition::{atom, expr},
    lower::Findings,
};
use crate::{forms::Form, token::TokenKind};

pub(super) fn init(form: Form<'_>, findings: &mut Findings<'_>) -> Init {
    let range = form.range();
    let Some(head) = form.head() else {
        findings.report(
            form.first_range(),
            "`:init` holds facts such as `(whoseturn p1)` and values such as `(= (score p1) 0)`",
        );
        return Init::Error { range };
    };
    let mut parts = form.children();
    parts.next();
    if let Some(what) = outside(head, parts.clone().next()) {
        findings.outside(head, range, what);
        return Init::Error { range };
    }
    if head.is_word("not") {
        let inner = parts.next().filter(|inner| inner.is_list());
        return match (inner.and_then(|inner| atom(inner, findings)), parts.next()) {
            (Some(atom), None) => Init::Negated { range, atom },
            _ => {
                findings.report(head.range(), "`not` takes one fact: `(not (p a))`");
                Init::Error { range }
            }
        };
    }
    if head.is_word("=") {
        return value(form, head, findings);
    }
    if head.is_word("and") {
        findings.report(head.range(), "`:init` is a list of facts: leave out `and`");
        return Init::Error { range };
    }
    atom(form, findings).map_or(Init::Error { range }, Init::Fact)
}

fn outside(head: Form<'_>, first: Option<Form<'_>>) -> Option<&'static str> {
    let is_time = first.is_some_and(|first| first.kind() == TokenKind::Number);
    Some(match head.word().to_ascii_lowercase().as_str() {
        "at" if is_time => "a timed initial literal",
        "oneof" | "unknown" | "or" => "an uncertain initial fact of contingent PDDL; in POGDDL `chance` moves first",
        "probabilistic" => "an initial fact of probabilistic PDDL; in POGDDL `chance` moves first",
        _ => return None,
    })
}

/// `(= (score p1) 0)`
fn value(form: Form<'_>, head: Form<'_>, findings: &mut Findings<'_>) -> Init {
    let range = form.range();
    let mut parts = form.children().skip(1);
    let target = parts.next().and_then(|target| match target.is_list() {
        true => atom(target, findings),
        false => Some(super::condition::bare_atom(target)),
    });
    match (target, parts.next(), parts.next()) {
        (Some(target), Some(value), None) => Init::Value { range, target, value: expr(value, findings) },
        _ => {
            findings.report(head.range(), "a value is set with `(= (function argument ...) number)`");
            Init::Error { range }
        }
    }
}
