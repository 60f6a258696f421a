//! `percept explain`: pages of the rule book.

use percept_report::book;
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::{Explain, Format};
use crate::failure::{Failure, OK, Outcome};
use crate::output;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Page {
    rule: &'static str,
    severity: &'static str,
    page: &'static str,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Pages {
    rules: Vec<Page>,
}

pub(crate) fn run(args: &Explain) -> Outcome {
    let chosen: Vec<_> = match &args.rule {
        Some(name) => vec![book::find(name).ok_or_else(|| unknown(name))?],
        None => book::all().to_vec(),
    };
    if args.format == Format::Json {
        let page =
            |rule: &&percept_analysis::Rule| Page { rule: rule.name, severity: rule.severity.name(), page: rule.page };
        output::json("explain", &Pages { rules: chosen.iter().map(page).collect() });
    } else if args.rule.is_some() {
        output::println(chosen[0].page.trim_end());
    } else {
        let width = chosen.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
        for rule in chosen {
            output::println(&format!("{:width$}  {}", rule.name, rule.severity.name()));
        }
    }
    Ok(OK)
}

fn unknown(name: &str) -> Failure {
    let failure = Failure::new(percept_analysis::rules::no_rule(name));
    let near = book::all().iter().map(|rule| rule.name).filter(|other| near(other, name));
    let near: Vec<&str> = near.take(5).collect();
    match near[..] {
        [] => failure.note("`percept explain` lists all rules"),
        _ => failure.note(format!("did you mean {}?", near.join(" or "))),
    }
}

/// True if two names share a significant word.
fn near(rule: &str, name: &str) -> bool {
    rule.split('-')
        .any(|word| word.len() > 3 && name.split(['-', '_', ' ']).any(|other| other.eq_ignore_ascii_case(word)))
}
