//! Numeric functions that are used and not declared.

use super::unknown_predicate::{declaration, unknown_heads};
use crate::pddl::{AtomUse, Facts, Place, UseKind, nearest, replace, replace_all};
use crate::{Diagnostic, Findings, Fix, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unknown-function", severity: Severity::Error, page: include_str!("unknown-function.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let model = &facts.model;
    let unknown =
        unknown_heads(facts, |kind| matches!(kind, UseKind::Number { .. } | UseKind::Assigned | UseKind::InitValue));
    for &(file, name) in model.not_numbers.iter().take(200) {
        let message = format!("`?{}` is not a number: write a number or a function such as `(score ?p)`", name.text);
        findings.push(facts.at(&RULE, file, name.range, message));
    }
    for uses in unknown.iter().take(200) {
        let first = uses[0];
        let name = &first.name.text;
        let functions = model.callables.iter().filter(|callable| callable.is_function);
        let near = nearest(name, functions.map(|callable| model.names.text(callable.name)));
        if let Some(number) = Number::of(name).filter(|_| first.args.is_empty()) {
            findings.push(number.finding(facts, first));
            continue;
        }
        let is_predicate = model.names.get(name).is_some_and(|symbol| model.predicates.contains_key(&symbol));
        // The left side of `=` is a function, with or without arguments.
        let is_value = matches!(first.kind, UseKind::Number { .. });
        let is_word = first.place == Place::Init && is_value && first.args.is_empty();
        let message = match near {
            Some(near) => format!("`{name}` is not a declared function: did you mean `{near}`?"),
            None if is_predicate => format!("`{name}` is a predicate: it is true or false and has no number"),
            None if is_word => {
                format!("`{name}` is not a number: the facts of `:init` give functions numbers")
            }
            None => format!("`{name}` is not a declared function: add `{}` to `:functions`", declaration(facts, first)),
        };
        let mut finding = facts.at(&RULE, first.file, first.name.range, message);
        if let Some(near) = near {
            finding.fixes.push(replace_all(
                format!("Write `{near}`"),
                uses.iter().map(|it| (it.file, it.name.range)),
                near,
            ));
        }
        if let (false, Some(edit)) = (is_predicate || is_word, facts.declare(":functions", &declaration(facts, first)))
        {
            finding.fixes.push(Fix::new(format!("Declare the function `{name}`"), vec![edit]));
        }
        for other in uses.iter().skip(1).take(5) {
            finding = finding.related(other.file, other.name.range, "also here");
        }
        match near {
            Some(near) => findings.push_about(near, finding),
            None => findings.push(finding),
        }
    }
}

/// A word that begins like a number but is not one: `1e3`.
struct Number {
    /// The same number without an exponent, if it is a number in other languages.
    plain: Option<String>,
}

impl Number {
    fn of(word: &str) -> Option<Number> {
        let digits = word.trim_start_matches(['-', '+', '.']);
        digits.starts_with(|c: char| c.is_ascii_digit()).then(|| Number { plain: without_exponent(word) })
    }

    fn finding(&self, facts: &Facts, at: &AtomUse) -> Diagnostic {
        let word = &at.name.text;
        let message = match &self.plain {
            Some(plain) => format!("PDDL's numbers have no exponent: write {plain} for `{word}`"),
            None => format!("`{word}` begins with a digit and is not a number, so no function can have this name"),
        };
        let mut finding = facts.at(&RULE, at.file, at.name.range, message);
        if let Some(plain) = &self.plain {
            finding.fixes.push(replace(format!("Write `{plain}`"), at.file, at.name.range, plain));
        }
        finding
    }
}

/// The number without its exponent: `1000` for `1e3`, digit by digit, so that nothing is rounded. `None` if it is not
/// such a number, or too long to write out.
fn without_exponent(word: &str) -> Option<String> {
    const LONGEST: i32 = 15;
    let (sign, rest) = word.strip_prefix('-').map_or(("", word.strip_prefix('+').unwrap_or(word)), |rest| ("-", rest));
    let (mantissa, exponent) = rest.split_once(['e', 'E'])?;
    let exponent: i32 = exponent.parse().ok().filter(|it: &i32| it.abs() <= LONGEST)?;
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{part}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let point = whole.len() as i32 + exponent;
    let (before, behind) = match usize::try_from(point) {
        Ok(point) if point >= digits.len() => (digits.clone() + &"0".repeat(point - digits.len()), String::new()),
        Ok(point) => (digits[..point].to_owned(), digits[point..].to_owned()),
        Err(_) => (String::new(), "0".repeat(point.unsigned_abs() as usize) + &digits),
    };
    let (before, behind) = (before.trim_start_matches('0'), behind.trim_end_matches('0'));
    let before = if before.is_empty() { "0" } else { before };
    Some(if behind.is_empty() { format!("{sign}{before}") } else { format!("{sign}{before}.{behind}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_written_out() {
        let cases = [("1e3", "1000"), ("2.5e-1", "0.25"), ("-12.50E1", "-125"), ("0e2", "0"), ("3e-3", "0.003")];
        for (written, plain) in cases {
            assert_eq!(without_exponent(written).as_deref(), Some(plain), "{written}");
        }
        for other in ["1x", "12", "1e", "1e99", "e3", "1.2.3e1"] {
            assert_eq!(without_exponent(other), None, "{other}");
        }
    }
}
