//! The requests of an editor while a text is edited.

use percept_analysis::ide::{self, Class};
use percept_analysis::{Diagnostic, FileId, Fix, Settings, repair};
use percept_report::{book, workspace};
use percept_syntax::format::Options;
use percept_syntax::{Language, Source, Syntax};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::desk::{Desk, Spread, Texts};

/// A place in a text.
#[derive(Deserialize)]
pub struct At {
    #[serde(flatten)]
    texts: Texts,
    /// The number of the text.
    text: usize,
    /// The offset in the text, in UTF-16 code units.
    at: u32,
}

/// One of the texts.
#[derive(Deserialize)]
pub struct Of {
    #[serde(flatten)]
    texts: Texts,
    text: usize,
}

/// The number of syntax errors for which bracket repairs are searched: the first repair often resolves the others.
const BRACKETS: usize = 2;
/// The length in bytes above which no bracket repairs are searched at every keystroke.
const LOOKED_THROUGH: usize = 64 << 10;

/// The findings in the texts.
pub fn check(spread: &mut Spread) -> Value {
    let settings = book::knowing(Settings::default());
    let findings = of_text(spread, &settings);
    let mut looked = 0;
    let shown: Vec<Value> = findings
        .iter()
        .map(|finding| {
            let mut fixes = finding.fixes.clone();
            if finding.rule.name == "syntax-error" && looked < BRACKETS {
                looked += 1;
                fixes.extend(brackets(spread, finding, &settings));
            }
            shown(spread, finding, &fixes)
        })
        .collect();
    json!({ "findings": shown, "languages": spread.read.iter().map(|it| it.source.language.name()).collect::<Vec<_>>() })
}

/// The findings of the text alone.
pub fn of_text(spread: &Spread, settings: &Settings) -> Vec<Diagnostic> {
    workspace::findings(&spread.sources(), settings)
}

fn brackets(spread: &Spread, error: &Diagnostic, settings: &Settings) -> Vec<Fix> {
    let source = &spread.read[error.file.0 as usize].source;
    if source.text.len() > LOOKED_THROUGH {
        return Vec::new();
    }
    let check = |tried: &Source| percept_analysis::check(tried, settings);
    let repairs = repair::syntax(source, error, &check);
    repairs.into_iter().map(|it| it.fix).collect()
}

/// A finding in the format of the page.
pub fn shown(spread: &Spread, finding: &Diagnostic, fixes: &[Fix]) -> Value {
    let place = |file: FileId, range| {
        let read = &spread.read[(file.0 as usize).min(spread.read.len() - 1)];
        let span = read.places.span(range);
        json!({ "text": read.number, "from": span.from, "to": span.to })
    };
    let with = |mut place: Value, key: &str, says: &str| {
        place[key] = says.into();
        place
    };
    let mut shown = place(finding.file, finding.range);
    shown["rule"] = finding.rule.name.into();
    shown["severity"] = finding.severity.name().into();
    shown["message"] = finding.message.as_str().into();
    let related = finding.related.iter().map(|it| with(place(it.file, it.range), "message", &it.message));
    shown["related"] = related.collect::<Vec<_>>().into();
    let fix = |fix: &Fix| {
        let edits = fix.edits.iter().map(|it| with(place(it.file, it.range), "insert", &it.insert));
        json!({ "title": fix.title, "edits": edits.collect::<Vec<_>>() })
    };
    shown["fixes"] = fixes.iter().map(fix).collect::<Vec<_>>().into();
    shown
}

/// The place of a request: the files, the file's number, and the byte offset.
fn at(desk: &mut Desk, texts: Texts, text: usize, unit: u32) -> Option<(&Spread, usize, u32)> {
    let spread = &*desk.spread(texts);
    let file = spread.position(text)?;
    let byte = spread.read[file].places.byte(unit).min(spread.read[file].source.text.len() as u32);
    Some((spread, file, byte))
}

pub fn hover(desk: &mut Desk, request: At) -> Value {
    let found = at(desk, request.texts, request.text, request.at).and_then(|(spread, file, byte)| {
        let hover = ide::hover::hover(&spread.files(), FileId(file as u32), byte)?;
        let span = spread.read[file].places.span(hover.range);
        Some(json!({ "markdown": hover.markdown, "from": span.from, "to": span.to }))
    });
    found.unwrap_or(Value::Null)
}

pub fn complete(desk: &mut Desk, request: At) -> Value {
    let found = at(desk, request.texts, request.text, request.at).and_then(|(spread, file, byte)| {
        let (range, items) = ide::completion::complete(&spread.files(), FileId(file as u32), byte)?;
        let span = spread.read[file].places.span(range);
        let item = |it: ide::completion::Item| {
            json!({ "label": it.label, "detail": it.detail, "kind": kind(it.class), "insert": it.insert,
                "snippet": it.is_snippet, "rank": it.rank, "info": it.documentation })
        };
        Some(json!({ "from": span.from, "to": span.to, "items": items.into_iter().map(item).collect::<Vec<_>>() }))
    });
    found.unwrap_or(Value::Null)
}

/// The kinds of completions for which the editor has icons.
fn kind(class: Class) -> &'static str {
    match class {
        Class::Keyword | Class::Requirement => "keyword",
        Class::Variable | Class::Parameter => "variable",
        Class::Relation | Class::Predicate | Class::Function => "function",
        Class::Role | Class::Object | Class::Number => "constant",
        Class::Fluent | Class::NumericFunction => "property",
        Class::Move | Class::Action => "method",
        Class::Percept => "interface",
        Class::Type => "type",
        Class::Name => "namespace",
    }
}

pub fn definition(desk: &mut Desk, request: At) -> Value {
    let found = at(desk, request.texts, request.text, request.at).map(|(spread, file, byte)| {
        let places = ide::navigation::definition(&spread.files(), FileId(file as u32), byte);
        let shown = places.iter().map(|it| {
            let read = &spread.read[it.file.0 as usize];
            let span = read.places.span(it.range);
            json!({ "text": read.number, "from": span.from, "to": span.to })
        });
        Value::from(shown.collect::<Vec<_>>())
    });
    found.unwrap_or(Value::Null)
}

/// The kind of every name, for colours: `[from, to, kind]`.
pub fn tokens(desk: &mut Desk, request: Of) -> Value {
    let spread = &*desk.spread(request.texts);
    let Some(file) = spread.position(request.text) else { return Value::Null };
    let read = &spread.read[file];
    let tokens = ide::semantic_tokens::tokens(ide::Indexed { source: &read.source, index: &read.index });
    let shown = tokens.into_iter().map(|it| {
        let span = read.places.span(it.range);
        json!([span.from, span.to, format!("{:?}", it.kind).to_lowercase()])
    });
    shown.collect::<Vec<_>>().into()
}

pub fn format(desk: &mut Desk, request: Of) -> Value {
    let spread = &*desk.spread(request.texts);
    let Some(file) = spread.position(request.text) else { return Value::Null };
    json!({ "text": percept_syntax::format::format(&spread.read[file].source, &Options::default()) })
}

/// Converts a GDL description to its other notation.
pub fn convert(desk: &mut Desk, request: Of) -> Result<Value, String> {
    let spread = &*desk.spread(request.texts);
    let file = spread.position(request.text).ok_or("this text does not exist")?;
    let source = &spread.read[file].source;
    let to = match (&source.syntax, source.language) {
        (Syntax::Gdl(_), Language::GdlPrefix) => Language::GdlInfix,
        (Syntax::Gdl(_), _) => Language::GdlPrefix,
        (Syntax::Pddl(_), _) => return Err("only GDL has two ways to write it".to_owned()),
    };
    let converted = percept_syntax::convert::convert(source, to, &Options::default());
    let converted = converted.map_err(|refusal| refusal.message.clone())?;
    let ending = if to == Language::GdlInfix { "hrf" } else { "kif" };
    Ok(json!({ "text": converted.text, "ending": ending }))
}
