//! Conditions, atoms and numeric expressions.

use super::{
    ast::{Arg, Atom, Comparison, Condition, Expr, Operator},
    lower::Findings,
};
use crate::{
    TextRange,
    forms::{Form, Forms},
    token::TokenKind,
};

/// The section keywords, without their `:`.
pub(super) const SECTION_WORDS: &[&str] = &[
    "requirements",
    "types",
    "constants",
    "predicates",
    "functions",
    "action",
    "derived",
    "gain",
    "durative-action",
    "domain",
    "objects",
    "init",
    "goal",
    "metric",
    "constraints",
];

pub(super) fn condition(form: Form<'_>, findings: &mut Findings<'_>) -> Condition {
    let range = form.range();
    if !form.is_list() {
        findings.report(range, format!("a condition needs parentheses: `({})`", form.word()));
        return Condition::Error { range };
    }
    let mut parts = form.children();
    let Some(first) = parts.next() else { return Condition::And { range, keyword: range, parts: Vec::new() } };
    let keyword = first.first_range();
    let word = first_word(form, first, CONNECTIVES, findings);
    if let Some(condition) = super::beyond::condition(form, first, &word, findings) {
        return condition;
    }
    match word.as_str() {
        "and" if first.is_list() => Condition::And { range, keyword, parts: conditions(form.children(), findings) },
        "and" => Condition::And { range, keyword, parts: conditions(parts, findings) },
        "or" => Condition::Or { range, keyword, parts: conditions(parts, findings) },
        "not" => match exactly::<1>(first, parts, "one condition", findings) {
            Some([inner]) => Condition::Not { range, keyword, inner: Box::new(condition(inner, findings)) },
            None => Condition::Error { range },
        },
        "imply" => match exactly::<2>(first, parts, "two conditions", findings) {
            Some([left, right]) => {
                let (left, right) = (Box::new(condition(left, findings)), Box::new(condition(right, findings)));
                Condition::Imply { range, keyword, left, right }
            }
            None => Condition::Error { range },
        },
        "exists" | "forall" if parts.clone().next().is_some_and(|part| part.kind() == TokenKind::Variable) => {
            unbracketed_quantifier(form, first, parts, findings)
        }
        "exists" | "forall" => {
            match exactly::<2>(first, parts, "variables and one condition: `(?x - type) (...)`", findings) {
                Some([list, body]) => {
                    let params = super::declare::parameters(list, findings);
                    let body = Box::new(condition(body, findings));
                    match word.as_str() {
                        "exists" => Condition::Exists { range, keyword, params, body },
                        _ => Condition::Forall { range, keyword, params, body },
                    }
                }
                None => Condition::Error { range },
            }
        }
        "=" | "<" | "<=" | ">=" | ">" => match exactly::<2>(first, parts, "two sides", findings) {
            Some(sides) => comparison(range, first, sides, findings),
            None => Condition::Error { range },
        },
        word if is_effect_word(word) => {
            findings.report(keyword, format!("`{word}` belongs in an effect, and this is a condition"));
            Condition::Error { range }
        }
        _ => atom(form, findings).map_or(Condition::Error { range }, Condition::Atom),
    }
}

/// The word that begins a condition or effect. `adn` before a list is reported and read as `and`, and so is a list of
/// lists without any word.
pub(super) fn first_word(form: Form<'_>, first: Form<'_>, words: &[&str], findings: &mut Findings<'_>) -> String {
    if first.is_list() {
        let parts = form.children().count();
        if !form.children().all(Form::is_list) || first.head().is_none_or(Form::is_list) {
            return String::new();
        }
        let what =
            if parts > 1 { "several are joined with `and`: write `(and (...) (...))`" } else { "one `(` is enough" };
        findings.report(form.first_range(), format!("two `(` in a row: {what}"));
        return "and".to_owned();
    }
    let word = first.word().to_ascii_lowercase();
    // Arguments of predicates are not lists, so this is rarely reached.
    if words.contains(&word.as_str()) || !form.children().nth(1).is_some_and(Form::is_list) {
        return word;
    }
    let meant = match word.as_str() {
        "implies" if words.contains(&"imply") => Some("imply"),
        _ => crate::near::meant(&word, words),
    };
    match meant {
        Some(meant) if !is_effect_word(&word) => {
            findings.report(first.range(), format!("`{}` means nothing here: did you mean `{meant}`?", first.word()));
            meant.to_owned()
        }
        _ => word,
    }
}

/// Handles `(exists ?x - t (p ?x))`: the brackets around the variables are missing, the rest is correct. Takes the
/// variables and reports them.
pub(super) fn unbracketed(
    keyword: Form<'_>,
    parts: &mut Forms<'_>,
    findings: &mut Findings<'_>,
) -> Vec<super::ast::TypedGroup> {
    let first = parts.clone().next().map_or(keyword.range(), Form::range);
    let params = super::declare::leading_parameters(parts, findings);
    let last = params.last().map_or(first, |group| group.range);
    findings.report(first.cover(last), "variables are listed in parentheses: `(?x - type)`");
    params
}

/// Reads a quantifier without the brackets around its variables.
fn unbracketed_quantifier(
    form: Form<'_>,
    keyword: Form<'_>,
    mut parts: Forms<'_>,
    findings: &mut Findings<'_>,
) -> Condition {
    let params = unbracketed(keyword, &mut parts, findings);
    let is_exists = keyword.is_word("exists");
    let (range, keyword) = (form.range(), keyword.range());
    match parts.next() {
        Some(body) => {
            let body = Box::new(condition(body, findings));
            match is_exists {
                true => Condition::Exists { range, keyword, params, body },
                false => Condition::Forall { range, keyword, params, body },
            }
        }
        None => Condition::Error { range },
    }
}

fn conditions(forms: Forms<'_>, findings: &mut Findings<'_>) -> Vec<Condition> {
    forms.read(|form| condition(form, findings))
}

/// The words that begin a condition with subconditions, of any PDDL.
const CONNECTIVES: &[&str] = &[
    "and",
    "or",
    "not",
    "imply",
    "exists",
    "forall",
    "preference",
    "always",
    "sometime",
    "within",
    "at-most-once",
    "sometime-after",
    "sometime-before",
    "always-within",
    "hold-during",
    "hold-after",
];

pub(super) fn is_effect_word(word: &str) -> bool {
    matches!(word, "when" | "observe" | "assign" | "increase" | "decrease" | "scale-up" | "scale-down")
}

/// The `N` forms required by `keyword`, no more and no fewer.
pub(super) fn exactly<'a, const N: usize>(
    keyword: Form<'a>,
    forms: Forms<'a>,
    what: &str,
    findings: &mut Findings<'_>,
) -> Option<[Form<'a>; N]> {
    let found: Vec<Form<'a>> = forms.take(N + 1).collect();
    match found.try_into() {
        Ok(forms) => Some(forms),
        Err(found) if found.len() > N => {
            let message =
                format!("`{}` takes {what}, so this one is extra: check the position of each `)`", keyword.word());
            findings.report(found[N].first_range(), message);
            found[..N].to_vec().try_into().ok()
        }
        Err(_) => {
            findings.report(keyword.range(), format!("`{}` takes {what}", keyword.word()));
            None
        }
    }
}

fn comparison(range: TextRange, op: Form<'_>, [left, right]: [Form<'_>; 2], findings: &mut Findings<'_>) -> Condition {
    let is_object = |side: Form<'_>| {
        matches!(side.kind(), TokenKind::Word | TokenKind::Variable) && !super::beyond::is_duration(side)
    };
    let is_variable = |side: Form<'_>| side.kind() == TokenKind::Variable && !super::beyond::is_duration(side);
    // Objects may be called `2`, and a variable never represents a number.
    let is_named = |side: Form<'_>, other: Form<'_>| side.kind() == TokenKind::Number && is_variable(other);
    let comparison = match op.word() {
        "=" if (is_object(left) || is_named(left, right)) && (is_object(right) || is_named(right, left)) => {
            return Condition::Equal { range, left: arg(left), right: arg(right) };
        }
        "=" => Comparison::Equal,
        "<" => Comparison::Less,
        "<=" => Comparison::LessEqual,
        ">=" => Comparison::GreaterEqual,
        _ => Comparison::Greater,
    };
    let (left, right) = (Box::new(expr(left, findings)), Box::new(expr(right, findings)));
    Condition::Compare { range, op: comparison, keyword: op.range(), left, right }
}

pub(super) fn arg(form: Form<'_>) -> Arg {
    Arg { name: form.name(), is_variable: form.kind() == TokenKind::Variable }
}

/// A name without arguments and parentheses.
pub(super) fn bare_atom(form: Form<'_>) -> Atom {
    Atom { range: form.range(), name: form.name(), args: Vec::new() }
}

/// Reads `(at ?c dealer)`. Reports the reason if it is not an atom.
pub(super) fn atom(form: Form<'_>, findings: &mut Findings<'_>) -> Option<Atom> {
    if !form.is_list() {
        findings.report(form.range(), format!("write it in parentheses: `({})`", form.word()));
        return None;
    }
    let mut parts = form.children();
    let name = match parts.next() {
        Some(name) if matches!(name.kind(), TokenKind::Word | TokenKind::Number) => name,
        Some(first) => {
            let message = match first.kind() {
                TokenKind::Open => "two `(` in a row: a name is missing between them".to_owned(),
                TokenKind::Variable => format!("`{}` is a variable, but a name is expected here", first.word()),
                TokenKind::Keyword => format!("`{}` is not allowed here: is a `)` missing before it?", first.word()),
                _ => format!("a name is expected here, not `{}`", first.word()),
            };
            findings.report(first.first_range(), message);
            return None;
        }
        None => {
            findings.report(form.range(), "a name is missing between `(` and `)`");
            return None;
        }
    };
    let mut args = Vec::with_capacity(parts.clone().count());
    for part in parts {
        match part.kind() {
            TokenKind::Word | TokenKind::Number | TokenKind::Variable => args.push(arg(part)),
            TokenKind::Open => {
                let message = format!(
                    "the arguments of `{}` are names and variables: a `)` is missing before this `(`, or the `(` is \
                    extra",
                    name.word()
                );
                findings.report(part.first_range(), message);
                break;
            }
            _ => {
                findings.report(
                    part.range(),
                    format!("`{}` is not an argument: arguments are names and variables", part.word()),
                );
                break;
            }
        }
    }
    Some(Atom { range: form.range(), name: name.name(), args })
}

/// A number, a fluent or a sum.
pub(super) fn expr(form: Form<'_>, findings: &mut Findings<'_>) -> Expr {
    let range = form.range();
    if let Some(value) = super::beyond::number(form, findings) {
        return value;
    }
    match form.kind() {
        TokenKind::Number => return Expr::Number { range, text: form.word().into() },
        TokenKind::Word => return Expr::Fluent(bare_atom(form)),
        TokenKind::Variable => return Expr::Object(arg(form)),
        TokenKind::Open => {}
        _ => {
            findings.report(
                range,
                format!("`{}` is not a number: write a number or a function such as `(score ?p)`", form.word()),
            );
            return Expr::Error { range };
        }
    }
    let mut parts = form.children();
    let operator = match parts.next().filter(|head| !head.is_list()).map(Form::word) {
        Some("+") => Operator::Add,
        Some("-") => Operator::Subtract,
        Some("*") => Operator::Multiply,
        Some("/") => Operator::Divide,
        _ => return atom(form, findings).map_or(Expr::Error { range }, Expr::Fluent),
    };
    let operands: Vec<Expr> = parts.map(|part| expr(part, findings)).collect();
    if operands.len() < 2 && !(operator == Operator::Subtract && operands.len() == 1) {
        findings.report(range, "an operator needs two operands");
        return Expr::Error { range };
    }
    Expr::Operation { range, op: operator, operands }
}
