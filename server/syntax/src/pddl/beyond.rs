//! Constructs of PDDL 2.1, 2.2 and 3 outside POGDDL: times, preferences, trajectory constraints, uncertain facts. They
//! are reported as outside of POGDDL and still read, so that their names count as used and can be checked.

use super::{
    ast::{Condition, Effect, Expr, Init, OutsideCondition, OutsideKind},
    lower::{Findings, Timing},
};
use crate::{Name, TextRange, forms::Form, near, token::TokenKind};

/// The trajectory constraints: word, number of times, number of conditions, and the expected arguments in words.
const TRAJECTORIES: &[(&str, usize, usize, &str)] = &[
    ("always", 0, 1, "one condition"),
    ("sometime", 0, 1, "one condition"),
    ("at-most-once", 0, 1, "one condition"),
    ("within", 1, 1, "a time and a condition"),
    ("sometime-after", 0, 2, "two conditions"),
    ("sometime-before", 0, 2, "two conditions"),
    ("always-within", 1, 2, "a time and two conditions"),
    ("hold-after", 1, 1, "a time and a condition"),
    ("hold-during", 2, 1, "two times and a condition"),
];

/// Reads such a condition; `word` is its first word in lower case, corrected if it is misspelt.
pub(super) fn condition(form: Form<'_>, first: Form<'_>, word: &str, findings: &mut Findings<'_>) -> Option<Condition> {
    if let Some((keyword, inner)) = timed(form, first, word, findings) {
        let before = std::mem::replace(&mut findings.timing, Timing::Given);
        let parts = vec![super::condition::condition(inner, findings)];
        findings.timing = before;
        let (range, kind) = (form.range(), OutsideKind::Timed);
        return Some(outside(OutsideCondition { range, keyword, kind, times: Vec::new(), parts }));
    }
    if let Some(meant) = glued_time(word).filter(|_| findings.timing == Timing::Expected) {
        findings.report(first.range(), format!("`{}` means nothing here: did you mean `{meant}`?", first.word()));
        let before = std::mem::replace(&mut findings.timing, Timing::Given);
        let parts = form.children().skip(1).filter(|part| part.is_list());
        let parts = parts.map(|part| super::condition::condition(part, findings)).collect();
        findings.timing = before;
        return Some(Condition::And { range: form.range(), keyword: first.range(), parts });
    }
    untimed(form, word, "condition", "`(at start ...)`, `(over all ...)` or `(at end ...)`", findings);
    if word == "preference" && form.children().last().is_some_and(Form::is_list) {
        return Some(preference(form, first, findings));
    }
    let trajectory = TRAJECTORIES.iter().find(|(other, ..)| *other == word)?;
    form.children().any(Form::is_list).then(|| trajectory_constraint(form, first, *trajectory, findings))
}

fn outside(condition: OutsideCondition) -> Condition {
    Condition::Outside(Box::new(condition))
}

/// Reads `(at start c)`: the two words and the condition or effect.
fn timed<'a>(form: Form<'a>, first: Form<'a>, word: &str, findings: &mut Findings<'_>) -> Option<(Name, Form<'a>)> {
    if !matches!(word, "at" | "over") {
        return None;
    }
    let [when, inner] = <[Form<'a>; 2]>::try_from(form.children().skip(1).take(3).collect::<Vec<_>>()).ok()?;
    if when.kind() != TokenKind::Word || !inner.is_list() {
        return None;
    }
    let range = first.range().cover(when.range());
    let when_word = when.word().to_ascii_lowercase();
    match (word, when_word.as_str()) {
        ("at", "start" | "end") | ("over", "all") => {}
        ("at", "all") => findings.report(range, "write `over all`"),
        ("over", "start" | "end") => findings.report(range, format!("write `at {when_word}`")),
        (_, other) => {
            let meant = near::meant(other, &["start", "end", "all"]);
            let message = match meant {
                Some("all") => "this is not a time: did you mean `over all`?".to_owned(),
                Some(meant) => format!("this is not a time: did you mean `at {meant}`?"),
                None => format!("`{word} {other}` is not a time: write `at start`, `over all` or `at end`"),
            };
            findings.report(range, message);
        }
    }
    if findings.timing == Timing::None {
        findings.read_outside(first, form.range(), "a condition or effect of durative actions");
    }
    Some((Name::new(&form.text[range.as_usize()], range), inner))
}

/// The correction of `overall` and `at-start`: one word that should be two.
fn glued_time(word: &str) -> Option<&'static str> {
    Some(match word {
        "overall" | "over-all" | "over_all" => "over all",
        "atstart" | "at-start" | "at_start" => "at start",
        "atend" | "at-end" | "at_end" => "at end",
        _ => return None,
    })
}

/// Reports a condition or effect without a time, once per field: in a durative action each of them has its time.
fn untimed(form: Form<'_>, word: &str, what: &str, times: &str, findings: &mut Findings<'_>) {
    let holds_others = matches!(
        word,
        "and" | "or" | "imply" | "forall" | "exists" | "preference" | "when" | "oneof" | "probabilistic"
    );
    if findings.timing != Timing::Expected || holds_others {
        return;
    }
    let inner = form.children().nth(1).and_then(Form::head);
    if word == "not" && inner.is_some_and(|head| head.is_word("at") || head.is_word("over")) {
        return;
    }
    findings.timing = Timing::Given;
    findings.report(form.range(), format!("a {what} of a durative action needs a time: write {times} around it"));
}

fn preference(form: Form<'_>, first: Form<'_>, findings: &mut Findings<'_>) -> Condition {
    findings.read_outside(first, form.range(), "a preference");
    let parts: Vec<Form<'_>> = form.children().skip(1).collect();
    let (name, inner) = match parts[..] {
        [inner] => (None, inner),
        [name, inner] if matches!(name.kind(), TokenKind::Word | TokenKind::Number) => (Some(name.name()), inner),
        _ => {
            findings.report(first.range(), "a preference is a name and one condition: `(preference name (p))`");
            return Condition::Error { range: form.range() };
        }
    };
    let parts = vec![super::condition::condition(inner, findings)];
    let (range, kind) = (form.range(), OutsideKind::Preference(name));
    outside(OutsideCondition { range, keyword: first.name(), kind, times: Vec::new(), parts })
}

fn trajectory_constraint(
    form: Form<'_>,
    first: Form<'_>,
    (word, times, parts, what): (&str, usize, usize, &str),
    findings: &mut Findings<'_>,
) -> Condition {
    let (range, keyword, kind) = (form.range(), first.name(), OutsideKind::Trajectory);
    findings.read_outside(first, range, "a trajectory constraint");
    let given: Vec<Form<'_>> = form.children().skip(1).collect();
    if given.len() != times + parts {
        findings.report(first.range(), format!("`{word}` takes {what}"));
        let lists = given.into_iter().filter(|form| form.is_list());
        let parts = lists.map(|form| super::condition::condition(form, findings)).collect();
        return outside(OutsideCondition { range, keyword, kind, times: Vec::new(), parts });
    }
    let times = given[..times].iter().map(|time| super::condition::expr(*time, findings)).collect::<Vec<_>>();
    let parts = given[times.len()..].iter().map(|part| super::condition::condition(*part, findings)).collect();
    outside(OutsideCondition { range, keyword, kind, times, parts })
}

/// Reads such a numeric expression: `?duration`, `#t`, `(is-violated preference)`.
pub(super) fn number(form: Form<'_>, findings: &mut Findings<'_>) -> Option<Expr> {
    let range = form.range();
    if is_duration(form) || form.is_word("#t") {
        return Some(Expr::Outside { range, preference: None });
    }
    form.head().filter(|head| head.is_word("is-violated"))?;
    match form.children().skip(1).collect::<Vec<_>>()[..] {
        [name] if matches!(name.kind(), TokenKind::Word | TokenKind::Number) => {
            Some(Expr::Outside { range, preference: Some(name.name()) })
        }
        _ => {
            findings.report(range, "`is-violated` takes the name of a preference: `(is-violated name)`");
            Some(Expr::Error { range })
        }
    }
}

/// True for `?duration`.
pub(super) fn is_duration(form: Form<'_>) -> bool {
    form.kind() == TokenKind::Variable && form.is_word("?duration")
}

/// Reads such an effect.
pub(super) fn effect(form: Form<'_>, first: Form<'_>, word: &str, findings: &mut Findings<'_>) -> Option<Effect> {
    let range = form.range();
    if let Some((keyword, inner)) = timed(form, first, word, findings) {
        let before = std::mem::replace(&mut findings.timing, Timing::Given);
        let parts = vec![super::effect::effect(inner, findings)];
        findings.timing = before;
        return Some(Effect::Outside { range, keyword, parts });
    }
    if let Some(meant) = glued_time(word).filter(|_| findings.timing == Timing::Expected) {
        findings.report(first.range(), format!("`{}` means nothing here: did you mean `{meant}`?", first.word()));
        let before = std::mem::replace(&mut findings.timing, Timing::Given);
        let parts = form.children().skip(1).filter(|part| part.is_list());
        let parts = parts.map(|part| super::effect::effect(part, findings)).collect();
        findings.timing = before;
        return Some(Effect::And { range, keyword: first.range(), parts });
    }
    if !is_continuous(form, word) {
        untimed(form, word, "change", "`(at start ...)` or `(at end ...)`", findings);
    }
    let what = match word {
        "oneof" => "a non-deterministic effect; in POGDDL `chance` moves",
        "probabilistic" => "a probabilistic effect; in POGDDL `chance` moves",
        _ => return None,
    };
    findings.read_outside(first, range, what);
    let outcomes = form.children().filter(|part| part.is_list() && !is_number(*part));
    let parts = outcomes.map(|part| super::effect::effect(part, findings)).collect();
    Some(Effect::Outside { range, keyword: first.name(), parts })
}

/// True for `(increase (fuel) (* #t (rate)))`, an effect during the whole action.
fn is_continuous(form: Form<'_>, word: &str) -> bool {
    matches!(word, "increase" | "decrease" | "assign" | "scale-up" | "scale-down") && mentions_time(form)
}

fn mentions_time(form: Form<'_>) -> bool {
    form.is_word("#t") || (form.is_list() && form.children().any(mentions_time))
}

/// True for a computed probability: `(/ 1 3)`.
fn is_number(form: Form<'_>) -> bool {
    form.head().is_some_and(|head| matches!(head.word(), "/" | "*" | "+" | "-"))
}

/// Reads such an initial fact.
pub(super) fn init(form: Form<'_>, head: Form<'_>, findings: &mut Findings<'_>) -> Option<Init> {
    let rest = || form.children().skip(1);
    // Contingent PDDL writes `(:init (and (p) (oneof (q) (r))))`; in other files it is a slip, and its parts are read.
    if head.is_word("and") && rest().all(Form::is_list) {
        if !rest().filter_map(Form::head).any(is_uncertain) {
            findings.report(head.range(), "`:init` is a list of facts: leave out `and`");
        }
        let facts = rest().map(|fact| super::init::init(fact, findings)).collect();
        return Some(Init::Outside { range: form.range(), keyword: head.name(), facts });
    }
    let is_time = || rest().next().is_some_and(|first| first.kind() == TokenKind::Number);
    let what = match head.word().to_ascii_lowercase().as_str() {
        "at" if is_time() && rest().any(Form::is_list) => "a timed initial literal",
        _ if is_uncertain(head) && rest().any(Form::is_list) => {
            "an uncertain initial fact of contingent PDDL; in POGDDL `chance` moves first"
        }
        "probabilistic" => "an initial fact of probabilistic PDDL; in POGDDL `chance` moves first",
        _ => return None,
    };
    findings.read_outside(head, form.range(), what);
    let facts = each_fact(form).into_iter().map(|fact| super::init::init(fact, findings)).collect();
    Some(Init::Outside { range: form.range(), keyword: head.name(), facts })
}

/// True for contingent PDDL's words for facts that may or may not hold.
fn is_uncertain(head: Form<'_>) -> bool {
    ["oneof", "unknown", "or"].iter().any(|word| head.is_word(word))
}

/// The facts in `(at 5 (p))`, `(oneof (p) (and (q) (r)))`.
fn each_fact(form: Form<'_>) -> Vec<Form<'_>> {
    let mut facts = Vec::new();
    for part in form.children().skip(1).filter(|part| part.is_list() && !is_number(*part)) {
        match part.head() {
            Some(head) if head.is_word("and") => facts.extend(part.children().skip(1).filter(|part| part.is_list())),
            _ => facts.push(part),
        }
    }
    facts
}

/// Reads a whole metric: `minimize` or `maximize` and an expression.
pub(super) fn metric(keyword: Form<'_>, form: Form<'_>, findings: &mut Findings<'_>) -> Option<Expr> {
    let mut rest = form.children().skip(1);
    let missing = "a metric is written `(:metric minimize (total-cost))`";
    findings.read_outside(keyword, form.range(), "a plan metric");
    match rest.next() {
        Some(way) if way.is_word("minimize") || way.is_word("maximize") => {}
        Some(way) => findings.report(way.first_range(), "a metric begins with `minimize` or `maximize`"),
        None => findings.report(keyword.range(), missing),
    }
    // Published files have `(:metric minimize total-cost)` and `(:metric minimize + (f) (g))`.
    let value = rest.next()?;
    (value.is_list() || rest.next().is_none()).then(|| super::condition::expr(value, findings))
}

/// Records constructs that the typed syntax represents.
impl Findings<'_> {
    pub(super) fn read_outside(&mut self, keyword: Form<'_>, range: TextRange, what: &'static str) {
        self.push_outside(keyword, range, what, true);
    }
}
