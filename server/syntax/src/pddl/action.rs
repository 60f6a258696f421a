//! The fields of an action: its parameters, its precondition, its effect.

use super::ast::{Action, Condition, Effect, Section, TimedAction, TimedKind, TypedGroup};
use super::lower::{Findings, Timing, meant_keyword};
use crate::{
    Name, TextRange,
    forms::{Form, Forms},
    token::TokenKind,
};

const FIELDS: &[&str] = &[":parameters", ":precondition", ":effect"];
const DURATIVE_FIELDS: &[&str] = &[":parameters", ":duration", ":condition", ":effect"];
const AXIOM_FIELDS: &[&str] = &[":vars", ":context", ":implies"];

/// Reads an action, or (with a `kind`) an action of PDDL outside POGDDL; only the latter can have a duration.
pub(super) fn action(
    form: Form<'_>,
    mut rest: Forms<'_>,
    kind: Option<TimedKind>,
    findings: &mut Findings<'_>,
) -> Option<TimedAction> {
    let keyword = form.head()?;
    let action = Action {
        range: form.range(),
        name: Name::new("", TextRange::at(keyword.range().end)),
        params: Vec::new(),
        vars: Vec::new(),
        precondition: None,
        effect: None,
        senses: None,
        fields: Vec::with_capacity(FIELDS.len()),
    };
    let mut timed = TimedAction { kind: kind.unwrap_or(TimedKind::Durative), action, duration: None };
    match rest.clone().next() {
        Some(name) if matches!(name.kind(), TokenKind::Word | TokenKind::Number) => {
            timed.action.name = name.name();
            rest.next();
        }
        _ if kind == Some(TimedKind::Axiom) => {}
        _ => findings.report(keyword.range(), "an action needs a name: `(:action name :parameters (...) ...)`"),
    }
    let mut last: Option<(Form<'_>, Form<'_>)> = None;
    while let Some(field) = rest.next() {
        if field.kind() != TokenKind::Keyword {
            let joins = |head: Form<'_>| {
                ["and", "or", "not", "forall", "exists", "when", "imply"].iter().any(|word| head.is_word(word))
            };
            let lacks_and = last.filter(|(_, value)| field.is_list() && value.head().is_some_and(|head| !joins(head)));
            let message = match lacks_and {
                Some((keyword, _)) => {
                    format!("`{}` takes only one: join several with `(and ...)`", keyword.word())
                }
                None => {
                    "a field such as `:precondition` or `:effect` is expected here: check the position of each `)` before it"
                        .to_owned()
                }
            };
            findings.report(field.first_range(), message);
            // The text up to the next field has the same cause.
            until_keyword(&mut rest);
            continue;
        }
        let value = rest.clone().next().filter(|value| value.kind() != TokenKind::Keyword);
        let range = field.range().cover(value.map_or(field.range(), Form::range));
        timed.action.fields.push(Section { keyword: field.name(), range });
        let Some(value) = value else {
            findings.report(
                field.range(),
                format!("there is nothing after `{}`: write `()` or leave it out", field.word()),
            );
            continue;
        };
        rest.next();
        last = Some((field, value));
        let before = std::mem::replace(&mut findings.timing, Timing::None);
        action_field(&mut timed, kind, field, value, findings);
        // `:agent ?a - agent` is written without parentheses.
        let is_open = value.kind() == TokenKind::Variable && field.is_word(":agent");
        if is_open {
            until_keyword(&mut rest);
        } else if value.is_list() {
            more_of_field(&mut timed.action, field, value, until_keyword(&mut rest), findings);
        }
        findings.timing = before;
    }
    if kind == Some(TimedKind::Durative) && !timed.action.fields.iter().any(|field| field.keyword.is(":duration")) {
        let range = timed.action.name.range;
        findings.report(range, "a durative action needs a duration: add `:duration (= ?duration 1)`");
    }
    Some(timed)
}

/// Takes the forms before the next keyword.
fn until_keyword<'a>(rest: &mut Forms<'a>) -> Vec<Form<'a>> {
    let mut taken = Vec::new();
    while let Some(next) = rest.clone().next().filter(|next| next.kind() != TokenKind::Keyword) {
        taken.push(next);
        rest.next();
    }
    taken
}

/// Reports `:effect (p) (q)` once and reads it as `(and (p) (q))`, so that the names in `(q)` count as used.
fn more_of_field(
    action: &mut Action,
    field: Form<'_>,
    first: Form<'_>,
    more: Vec<Form<'_>>,
    findings: &mut Findings<'_>,
) {
    let Some(extra) = more.first() else { return };
    let word = field.word();
    let is_and = first.head().is_some_and(|head| head.is_word("and"));
    let message = match word.to_ascii_lowercase().as_str() {
        _ if !extra.is_list() => None,
        ":precondition" | ":condition" | ":effect" if is_and => {
            Some("a `)` before this closes the `and` too early".to_owned())
        }
        ":precondition" | ":condition" | ":effect" => {
            Some(format!("join the parts of `{word}` with `and`: `{word} (and ... ...)`"))
        }
        _ => None,
    };
    let unexpected =
        "a field such as `:precondition` or `:effect` is expected here: check the position of each `)` before it";
    let is_known = message.is_some();
    findings.report(extra.first_range(), message.unwrap_or_else(|| unexpected.to_owned()));
    if !is_known {
        return;
    }
    let range = first.range().cover(more[more.len() - 1].range());
    let keyword = field.range();
    let lists = more.into_iter().filter(|form| form.is_list());
    if let Some(effect) = action.effect.take_if(|_| word.eq_ignore_ascii_case(":effect")) {
        let parts = std::iter::once(effect).chain(lists.map(|form| super::effect::effect(form, findings))).collect();
        action.effect = Some(Effect::And { range, keyword, parts });
    } else if let Some(condition) = action.precondition.take_if(|_| !word.eq_ignore_ascii_case(":effect")) {
        let read = |form| super::condition::condition(form, findings);
        let parts = std::iter::once(condition).chain(lists.map(read)).collect();
        action.precondition = Some(Condition::And { range, keyword, parts });
    }
}

fn action_field(
    timed: &mut TimedAction,
    kind: Option<TimedKind>,
    field: Form<'_>,
    value: Form<'_>,
    findings: &mut Findings<'_>,
) {
    let is_empty = value.is_list() && value.children().next().is_none();
    let word = field.word().to_ascii_lowercase();
    let is_durative = kind == Some(TimedKind::Durative);
    let (fields, owner) = match kind {
        Some(TimedKind::Durative) => (DURATIVE_FIELDS, "field of a durative action"),
        Some(TimedKind::Axiom) => (AXIOM_FIELDS, "field of an axiom"),
        _ => (FIELDS, "field of an action"),
    };
    let is_known = fields.contains(&word.as_str()) || outside_field(&word).is_some() || word == ":precondition";
    let meant = if is_known { None } else { meant_keyword(field, fields, owner, findings) };
    let action = &mut timed.action;
    if let (Some(meant), Some(written)) = (meant, action.fields.last_mut()) {
        written.keyword = Name::new(meant, field.range());
    }
    let word = meant.unwrap_or(&word);
    if is_durative && word == ":precondition" {
        findings.report(field.range(), "a durative action has a `:condition`, with times: `(at start ...)`");
    }
    match word {
        ":parameters" => action.params.extend(super::declare::parameters(value, findings)),
        ":vars" if kind == Some(TimedKind::Axiom) => action.vars = super::declare::parameters(value, findings),
        ":precondition" | ":effect" | ":condition" | ":duration" | ":context" if is_empty => {}
        ":context" => action.precondition = Some(super::condition::condition(value, findings)),
        ":implies" => action.effect = Some(super::effect::effect(value, findings)),
        ":precondition" => action.precondition = Some(super::condition::condition(value, findings)),
        ":condition" if is_durative => {
            findings.timing = Timing::Expected;
            action.precondition = Some(super::condition::condition(value, findings));
        }
        ":duration" if is_durative => timed.duration = Some(super::condition::condition(value, findings)),
        ":effect" => {
            if is_durative {
                findings.timing = Timing::Expected;
            }
            action.effect = Some(super::effect::effect(value, findings));
        }
        word => outside_action_field(action, word, owner, fields, (field, value), findings),
    }
}

/// Reads a field of another PDDL; its content is read if its form is clear.
fn outside_action_field(
    action: &mut Action,
    word: &str,
    owner: &str,
    fields: &[&str],
    (field, value): (Form<'_>, Form<'_>),
    findings: &mut Findings<'_>,
) {
    let range = field.range().cover(value.range());
    let Some(what) = outside_field(word) else {
        let message = format!("`{}` is not a {owner}: they are {}", field.word(), fields.join(", "));
        return findings.report(field.range(), message);
    };
    let is_list = value.is_list();
    findings.push_outside(field, range, what, matches!(word, ":vars" | ":agent" | ":observe"));
    match word {
        ":vars" | ":agent" if is_list => action.vars.extend(super::declare::parameters(value, findings)),
        ":agent" if value.kind() == TokenKind::Variable => {
            let name = value.name();
            action.vars.push(TypedGroup { range: name.range, names: vec![name], types: Vec::new() });
        }
        ":observe" if is_list => action.senses = Some(super::condition::condition(value, findings)),
        _ => {}
    }
}

fn outside_field(word: &str) -> Option<&'static str> {
    Some(match word {
        ":observe" => "contingent PDDL's field for sensing; in POGDDL `(observe ...)` is an effect",
        ":duration" | ":condition" => "a field of durative actions",
        ":vars" => "a field of PDDL 1",
        ":agent" => "a field of multi-agent PDDL",
        ":cost" => "an action cost",
        _ => return None,
    })
}
