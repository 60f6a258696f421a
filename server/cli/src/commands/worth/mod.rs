//! `percept worth`: computes the worth of every percept to every role.

mod html;

use num_traits::ToPrimitive;
use percept_game::{PogddlOptions, PogddlTerminal};
use percept_report::place::Position;
use percept_solve::worth::{Percept, Priced, Rules, Value, Worth, WorthError, worth_in};
use percept_syntax::Syntax;
use percept_syntax::lines::LineIndex;
use schemars::JsonSchema;
use serde::Serialize;

use super::solve::{Units, failure, number, options, write};
use crate::args::{Format, GameArgs, Terminal, Worth as Args};
use crate::failure::{Failure, OK, Outcome};
use crate::load::{Loaded, Loader};
use crate::output;
use crate::work::Work;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Answer {
    method: &'static str,
    /// True if values are those that roles can secure, because the goals are not opposed.
    secured: bool,
    /// The reason why percepts have no worth, if they have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    values: Vec<RoleValue>,
    percepts: Vec<Row>,
    announced: Vec<Announced>,
}

#[derive(Serialize, JsonSchema)]
struct RoleValue {
    role: String,
    value: f64,
    error: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Row {
    file: String,
    line: usize,
    says: String,
    role: String,
    value: f64,
    /// The values in the changed games; `null` if there is none, with the reason in `why`.
    without: Option<f64>,
    only: Option<f64>,
    public: Option<f64>,
    /// The worth of the percept: `value` less `without`.
    worth: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    why: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct Announced {
    role: String,
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let work = Work::begin(args.work.time);
    let loaded = Loader::new(&args.game, &work).load()?;
    work.say("building the game tree");
    let units = Units { zero: args.solve.zero, unit: args.solve.unit };
    let options = options(&args.solve, args.work.seed);
    let pogddl = pogddl_options(&loaded, &args.game);
    let worth =
        worth_in(&loaded.game, &rules(&loaded, &pogddl)?, &options, &work.budget()).map_err(|error| match error {
            WorthError::Tree(error) => failure(error),
            other => Failure::new(other.to_string()),
        })?;
    drop(work);
    if let Some(path) = &args.html {
        write(path, &html::page(&loaded, &worth, &units))?;
    }
    match args.format {
        Format::Json => output::json("worth", &answer(&loaded, &worth, &units)),
        Format::Human => output::print(&human(&loaded, &worth, &units)),
    }
    Ok(OK)
}

fn pogddl_options(loaded: &Loaded, args: &GameArgs) -> PogddlOptions {
    let (_, domain) = &loaded.files[0];
    let option = args.pogddl_terminal.map(|terminal| match terminal {
        Terminal::NoMoves => PogddlTerminal::NoMoves,
        Terminal::Payoff => PogddlTerminal::Payoff,
    });
    let declared = PogddlOptions::declared(&domain.text, &domain.comments);
    PogddlOptions { terminal: declared.or(option).unwrap_or_default() }
}

fn rules<'a>(loaded: &'a Loaded, options: &'a PogddlOptions) -> Result<Rules<'a>, Failure> {
    if let Syntax::Gdl(description) = &loaded.files[0].1.syntax {
        return Ok(Rules::Gdl(description));
    }
    let halves = (loaded.files[0].1.domain(), loaded.files.last().and_then(|(_, source)| source.problem()));
    match halves {
        (Some(domain), Some(problem)) => Ok(Rules::Pogddl(domain, problem, options)),
        _ => Err(Failure::new("a POGDDL game has a domain and a problem")),
    }
}

/// The file and line of a percept.
fn place(loaded: &Loaded, percept: &Percept) -> (String, usize) {
    let (path, source) = &loaded.files[0];
    let lines = LineIndex::new(&source.text);
    (path.display().to_string(), Position::new(&lines, percept.source.range.start).line)
}

fn answer(loaded: &Loaded, worth: &Worth, units: &Units) -> Answer {
    let in_units = |priced: &Priced| priced.as_ref().ok().map(|it| units.of(it.value));
    let mut percepts = Vec::new();
    for percept in &worth.percepts {
        let (file, line) = place(loaded, percept);
        for (row, (_, value)) in percept.rows.iter().zip(&worth.values) {
            let all = [&row.without, &row.only, &row.public];
            let mut why: Vec<String> = all.iter().filter_map(|it| it.as_ref().err().cloned()).collect();
            why.dedup();
            let value = units.of(value.value);
            percepts.push(Row {
                file: file.clone(),
                line,
                says: percept.source.says.clone(),
                role: row.role.clone(),
                value,
                without: in_units(&row.without),
                only: in_units(&row.only),
                public: in_units(&row.public),
                worth: in_units(&row.without).map(|without| value - without),
                why,
            });
        }
    }
    let value = |(role, it): &(String, Value)| RoleValue {
        role: role.clone(),
        value: units.of(it.value),
        error: it.error / units.unit,
        exact: it.exact.as_ref().and_then(|exact| units.exact(exact)).map(|it| it.to_string()),
    };
    let announced = |((role, _), priced): (&(String, Value), &Priced)| Announced {
        role: role.clone(),
        value: in_units(priced),
        why: priced.as_ref().err().cloned(),
    };
    Answer {
        method: worth.method,
        secured: worth.secured,
        note: unpriced(loaded, worth),
        values: worth.values.iter().map(value).collect(),
        percepts,
        announced: worth.values.iter().zip(&worth.announced).map(announced).collect(),
    }
}

/// A value with its certain digits.
fn shown(value: f64, error: f64, units: &Units) -> String {
    let (value, error) = (units.of(value), error / units.unit);
    let places = if error > 0.0 { (-error.log10()).floor().clamp(1.0, 6.0) as usize } else { 6 };
    let text = format!("{value:.places$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

fn cell(priced: &Priced, units: &Units) -> String {
    priced.as_ref().map_or_else(|_| "-".to_string(), |it| shown(it.value, it.error, units))
}

/// The worth of a percept to a role, if known; a difference smaller than the error is zero.
fn difference(value: &Value, without: &Priced, units: &Units) -> Option<String> {
    let without = without.as_ref().ok()?;
    let (gain, error) = (value.value - without.value, value.error + without.error);
    let gain = if gain.abs() <= error.max(1e-9) { 0.0 } else { gain };
    let text = shown(gain + units.zero, error, units);
    Some(if gain > 0.0 { format!("+{text}") } else { text })
}

/// True if a changed game is known to give a role the same value.
fn is_same(value: &Value, then: &Priced) -> bool {
    then.as_ref().is_ok_and(|then| (value.value - then.value).abs() <= (value.error + then.error).max(1e-9))
}

/// True if a percept has a worth, or the reason why there is none is printed in its place.
///
/// Where goals are not opposed, a value is what a role can guarantee against all others together. They can take almost
/// anything from it, so an unchanged guarantee does not mean that the percept is worth nothing.
fn is_priced(percept: &Percept, worth: &Worth) -> bool {
    let mut rows = percept.rows.iter().zip(&worth.values);
    !worth.secured
        || rows.any(|(row, (_, value))| [&row.without, &row.only, &row.public].iter().any(|it| !is_same(value, it)))
}

/// The sentence about percepts that are not priced.
fn unpriced(loaded: &Loaded, worth: &Worth) -> Option<String> {
    let unpriced: Vec<&Percept> = worth.percepts.iter().filter(|it| !is_priced(it, worth)).collect();
    let which = match unpriced.len() {
        0 => return None,
        count if count == worth.percepts.len() => "no percept changes".to_string(),
        _ => {
            let lines: Vec<String> = unpriced.iter().map(|it| place(loaded, it).1.to_string()).collect();
            let word = if lines.len() == 1 { "line" } else { "lines" };
            format!("no percept of {word} {} changes", lines.join(", "))
        }
    };
    let others = if worth.values.len() > 2 { "all others play together" } else { "the other plays" };
    Some(format!(
        "{which} what a role can guarantee if {others} against it, so this does not show what the percepts are worth; \
         `percept solve` finds strategies for all roles and what each gets with them: compare its values with and \
         without the rule"
    ))
}

fn human(loaded: &Loaded, worth: &Worth, units: &Units) -> String {
    let mut lines = Vec::new();
    for (role, value) in &worth.values {
        let exact = value.exact.as_ref().and_then(|exact| units.exact(exact));
        let exact = exact.filter(|it| !it.is_integer()).and_then(|it| percept_solve::exact::shown(&it));
        let exact = exact.map_or(String::new(), |fraction| format!(" = {fraction}"));
        lines.push(format!("{role}: worth {}{exact}", number(units.of(value.value))));
    }
    if worth.secured {
        lines.push("goals are not opposed: values are those that a role can guarantee".to_string());
    }
    for percept in worth.percepts.iter().filter(|percept| is_priced(percept, worth)) {
        let (file, line) = place(loaded, percept);
        lines.push(format!("\n{file}:{line}: {}", percept.source.says));
        let width = percept.rows.iter().map(|row| row.role.chars().count()).max().unwrap_or(0).max(4);
        lines.push(format!(
            "  {:width$}  {:>10}  {:>10}  {:>10}  {:>12}",
            "role", "worth", "without", "only to it", "to all"
        ));
        for (row, (_, value)) in percept.rows.iter().zip(&worth.values) {
            lines.push(format!(
                "  {:width$}  {:>10}  {:>10}  {:>10}  {:>12}",
                row.role,
                difference(value, &row.without, units).unwrap_or_else(|| "-".into()),
                cell(&row.without, units),
                cell(&row.only, units),
                cell(&row.public, units)
            ));
        }
        let mut why: Vec<&String> = percept
            .rows
            .iter()
            .flat_map(|row| [&row.without, &row.only, &row.public])
            .filter_map(|it| it.as_ref().err())
            .collect();
        why.dedup();
        lines.extend(why.iter().map(|why| format!("  - {why}")));
    }
    lines.extend(unpriced(loaded, worth).map(|note| format!("\n{note}")));
    let announced = worth.values.iter().zip(&worth.announced);
    if worth.secured && announced.clone().all(|((_, value), then)| is_same(value, then)) {
        return lines.join("\n") + "\n";
    }
    let announced: Vec<String> =
        announced.map(|((role, _), priced)| format!("{role} {}", cell(priced, units))).collect();
    lines.push(format!("\nif the whole state were announced: {}", announced.join(", ")));
    lines.join("\n") + "\n"
}

/// The greatest worth of a percept to any role, for the order of bars.
fn greatest(percept: &Percept, worth: &Worth) -> f64 {
    let rows = percept.rows.iter().zip(&worth.values);
    rows.filter_map(|(row, (_, value))| Some((value.value - row.without.as_ref().ok()?.value).abs()))
        .fold(0.0, f64::max)
        .to_f64()
        .unwrap_or(0.0)
}
