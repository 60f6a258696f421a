//! Edits have the same result as a fresh parse. First byte: the language; second: the number of edits; then for each
//! edit two bytes for the place, one for the removed length, one for the inserted text; the rest is the text.
#![no_main]

mod input;

use libfuzzer_sys::fuzz_target;
use percept_syntax::{Document, Source, TextRange};

/// Texts that people type, and texts that break tokens and lines.
const INSERTED: [&str; 32] = [
    "", "(", ")", " ", "\n", "\r\n", "\r", ";", "%", "?", "?x", "x", "X", "<=", ":-", "&", "|", "~", ".", ",", ":",
    "-", "(not ", "true", "(define", ":action", "é", "𝄞", "\u{feff}", "\"", "; c\n", "((((",
];

fuzz_target!(|bytes: &[u8]| {
    let mut input = input::Input(bytes);
    let language = input.language();
    let edits: Vec<(u32, u32, usize)> =
        (0..input.byte() % 12).map(|_| (input.number(), u32::from(input.byte()), usize::from(input.byte()))).collect();
    let mut document = Document::new(&input.text(), language);
    document.snapshot();
    for (at, length, insert) in edits {
        let at = at.checked_rem(document.rope().len_bytes() as u32 + 1).unwrap_or(0);
        let length = if length < 200 { length % 8 } else { length };
        document.edit(TextRange::new(at, at + length), INSERTED[insert % INSERTED.len()]);
        let source = document.snapshot();
        let fresh = Source::parse(source.text.clone(), language);
        input::same(&source.tokens, &fresh.tokens, "tokens");
        input::same(&source.errors, &fresh.errors, "errors");
        input::same(&source.syntax, &fresh.syntax, "syntax");
    }
});
