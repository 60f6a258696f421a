//! The facts and values of a problem's `:init`.

use super::{
    ast::Init,
    condition::{atom, expr},
    lower::Findings,
};
use crate::forms::Form;

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
    if let Some(init) = super::beyond::init(form, head, findings) {
        return init;
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
    atom(form, findings).map_or(Init::Error { range }, Init::Fact)
}

/// Reads `(= (score p1) 0)`.
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
