//! Effects, `observe` among them.

use super::{
    ast::{Arg, AssignOp, Atom, Effect, Recipient},
    condition::{atom, bare_atom, condition, exactly, expr, first_word, unbracketed},
    lower::Findings,
};
use crate::{
    forms::{Form, Forms},
    token::TokenKind,
};

pub(super) fn effect(form: Form<'_>, findings: &mut Findings<'_>) -> Effect {
    let range = form.range();
    if !form.is_list() {
        findings.report(range, format!("an effect needs parentheses: `({})`", form.word()));
        return Effect::Error { range };
    }
    let mut parts = form.children();
    let Some(first) = parts.next() else { return Effect::And { range, keyword: range, parts: Vec::new() } };
    let keyword = first.first_range();
    let words = ["and", "not", "when", "forall", "observe", "assign", "increase", "decrease"];
    let word = first_word(form, first, &words, findings);
    if let Some(effect) = super::beyond::effect(form, first, &word, findings) {
        return effect;
    }
    match word.as_str() {
        "and" if first.is_list() => {
            Effect::And { range, keyword, parts: form.children().read(|part| effect(part, findings)) }
        }
        "and" => Effect::And { range, keyword, parts: parts.read(|part| effect(part, findings)) },
        "not" => match exactly::<1>(first, parts, "one atom", findings).and_then(|[inner]| deleted(inner, findings)) {
            Some(atom) => Effect::Delete { range, keyword, atom },
            None => Effect::Error { range },
        },
        "when" => match exactly::<2>(first, parts, "a condition and an effect", findings) {
            Some([test, inner]) => {
                let condition = Box::new(condition(test, findings));
                Effect::When { range, keyword, condition, effect: Box::new(effect(inner, findings)) }
            }
            None => Effect::Error { range },
        },
        "forall" if parts.clone().next().is_some_and(|part| part.kind() == TokenKind::Variable) => {
            let params = unbracketed(first, &mut parts, findings);
            match parts.next() {
                Some(inner) => Effect::Forall { range, keyword, params, effect: Box::new(effect(inner, findings)) },
                None => Effect::Error { range },
            }
        }
        "forall" => match exactly::<2>(first, parts, "variables and one effect: `(?x - type) (...)`", findings) {
            Some([list, inner]) => {
                let params = super::declare::parameters(list, findings);
                Effect::Forall { range, keyword, params, effect: Box::new(effect(inner, findings)) }
            }
            None => Effect::Error { range },
        },
        "observe" => Effect::Observe { range, keyword, recipients: recipients(first, parts, findings) },
        word => match assign_op(word) {
            Some(op) => match exactly::<2>(first, parts, "a function and a value: `(score ?p) 1`", findings) {
                Some([target, value]) => assignment(form, first, op, target, value, findings),
                None => Effect::Error { range },
            },
            None => other(form, first, word, findings),
        },
    }
}

fn deleted(inner: Form<'_>, findings: &mut Findings<'_>) -> Option<Atom> {
    if inner.head().is_some_and(|head| ["and", "or", "not", "when", "forall"].iter().any(|word| head.is_word(word))) {
        findings.report(inner.first_range(), "in an effect `not` deletes one atom: write a `(not ...)` for each");
        return None;
    }
    atom(inner, findings)
}

fn assign_op(word: &str) -> Option<AssignOp> {
    Some(match word {
        "assign" => AssignOp::Assign,
        "increase" => AssignOp::Increase,
        "decrease" => AssignOp::Decrease,
        "scale-up" => AssignOp::ScaleUp,
        "scale-down" => AssignOp::ScaleDown,
        _ => return None,
    })
}

fn assignment(
    form: Form<'_>,
    keyword: Form<'_>,
    op: AssignOp,
    target: Form<'_>,
    value: Form<'_>,
    findings: &mut Findings<'_>,
) -> Effect {
    let range = form.range();
    let (mut target, mut value) = (target, value);
    // `(decrease 1 (coins))` is read with its operands swapped, so that there is only one error.
    if target.kind() == TokenKind::Number && (value.is_list() || value.kind() == TokenKind::Word) {
        let what = &form.text[value.range().as_usize()];
        let message =
            format!("the function comes first, then the value: `({} {what} {})`", keyword.word(), target.word());
        findings.report(target.range(), message);
        std::mem::swap(&mut target, &mut value);
    }
    let target = match target.kind() {
        TokenKind::Word => Some(bare_atom(target)),
        _ => atom(target, findings),
    };
    match target {
        Some(target) => {
            Effect::Assign { range, op, keyword: keyword.range(), target, value: Box::new(expr(value, findings)) }
        }
        None => Effect::Error { range },
    }
}

/// Reads an added atom, or reports a word that is not allowed in an effect.
fn other(form: Form<'_>, first: Form<'_>, word: &str, findings: &mut Findings<'_>) -> Effect {
    let range = form.range();
    if matches!(word, "or" | "imply" | "exists" | "=" | "<" | ">" | "<=" | ">=") {
        findings.report(
            first.range(),
            format!("`{word}` is a condition, but an effect is expected here: put it into `(when condition effect)`"),
        );
        return Effect::Error { range };
    }
    atom(form, findings).map_or(Effect::Error { range }, Effect::Add)
}

/// Reads `(p1 p2 (message ...)) (all (message ...))`.
fn recipients(keyword: Form<'_>, parts: Forms<'_>, findings: &mut Findings<'_>) -> Vec<Recipient> {
    let mut recipients = Vec::new();
    for part in parts {
        if !part.is_list() {
            let message = "a receiver and its message need parentheses: `(observe (p1 (card ?c)))`";
            findings.report(part.range(), message);
            return recipients;
        }
        // `((p1 (a)) (p2 (b)))`: the one slip is reported, and the contents are read.
        let is_wrapped = |inner: Form<'_>| inner.is_list() && inner.children().any(Form::is_list);
        if part.children().next().is_some_and(is_wrapped) {
            let message = "leave out the parentheses around all the receivers: `(observe (p1 (card ?c)) (p2 (u)))`";
            findings.report(part.first_range(), message);
            recipients.extend(part.children().filter(|inner| inner.is_list()).map(|inner| recipient(inner, findings)));
            continue;
        }
        recipients.push(recipient(part, findings));
    }
    if recipients.is_empty() {
        findings.report(keyword.range(), "`observe` needs a receiver and a message: `(observe (p1 (card ?c)))`");
    }
    recipients
}

fn recipient(form: Form<'_>, findings: &mut Findings<'_>) -> Recipient {
    let mut receivers: Vec<Arg> = Vec::new();
    let mut parts = form.children();
    let mut message = None;
    for part in parts.by_ref() {
        match part.kind() {
            TokenKind::Word | TokenKind::Number | TokenKind::Variable => {
                receivers.push(Arg { name: part.name(), is_variable: part.kind() == TokenKind::Variable });
            }
            TokenKind::Open => {
                message = Some(part);
                break;
            }
            _ => findings
                .report(part.range(), format!("`{}` is not a receiver: write a role or a variable", part.word())),
        }
    }
    if receivers.is_empty() {
        findings.report(
            form.first_range(),
            "a receiver is missing: write a role, a variable, `all` or `others` before the message",
        );
    }
    match (message, parts.next()) {
        (None, _) if !receivers.is_empty() => {
            findings.report(form.range(), "a message in parentheses is missing after the receivers");
            // `(all won)`: the last word may be the message without its parentheses.
            receivers.truncate(1);
        }
        (Some(_), Some(extra)) => {
            findings
                .report(extra.first_range(), "a receiver gets one message here: close it with `)` before the next one");
        }
        _ => {}
    }
    Recipient { range: form.range(), receivers, message: message.and_then(|message| atom(message, findings)) }
}
