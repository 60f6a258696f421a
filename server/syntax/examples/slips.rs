//! Measures the locality of errors. Removes or doubles each bracket of each file, one at a time, and counts the errors
//! and the lines between the slip and the nearest one. `cargo run --release -p percept-syntax --example slips --
//! FILES`.

use std::{collections::BTreeMap, path::Path};

use percept_syntax::{
    Language, Source, TokenKind,
    lines::{Encoding, LineIndex},
};

fn main() {
    let mut table: BTreeMap<(&str, &str), Vec<(usize, u32)>> = BTreeMap::new();
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("readable text");
        let language = Language::detect(Path::new(&path), &text).unwrap_or(Language::GdlPrefix);
        let source = Source::parse(text.clone(), language);
        if !source.errors.is_empty() {
            continue;
        }
        let brackets = source.tokens.iter().filter(|token| matches!(token.kind, TokenKind::Open | TokenKind::Close));
        for (number, token) in brackets.enumerate() {
            // A sample is enough.
            if number % 17 != 3 {
                continue;
            }
            let bracket = if token.kind == TokenKind::Open { "(" } else { ")" };
            let at = token.range.as_usize();
            for (slip, insert) in [("gone", ""), ("doubled", if bracket == "(" { "((" } else { "))" })] {
                let mut slipped = text.clone();
                slipped.replace_range(at.clone(), insert);
                let index = LineIndex::new(&slipped);
                let line = index.position(token.range.start, Encoding::Utf8).line;
                let errors = Source::parse(slipped, language).errors;
                let distance = errors
                    .iter()
                    .map(|error| index.position(error.range.start, Encoding::Utf8).line.abs_diff(line))
                    .min();
                table.entry((bracket, slip)).or_default().push((errors.len(), distance.unwrap_or(u32::MAX)));
            }
        }
    }
    for ((bracket, slip), rows) in table {
        let share = |count: usize| 100.0 * count as f64 / rows.len() as f64;
        println!(
            "{bracket} {slip:8} {:6} slips: no error {:4.1} %, one {:4.1} %, two {:4.1} %, more {:4.1} %; on the line {:4.1} %, within 3 {:4.1} %",
            rows.len(),
            share(rows.iter().filter(|row| row.0 == 0).count()),
            share(rows.iter().filter(|row| row.0 == 1).count()),
            share(rows.iter().filter(|row| row.0 == 2).count()),
            share(rows.iter().filter(|row| row.0 > 2).count()),
            share(rows.iter().filter(|row| row.1 == 0).count()),
            share(rows.iter().filter(|row| row.1 <= 3).count()),
        );
    }
}
