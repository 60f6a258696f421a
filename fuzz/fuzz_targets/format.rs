//! Formatting changes no token and is idempotent; a range's edits are in the text and change no token either. Bytes:
//! language, width, two for each end of the range; the rest is the text.
#![no_main]

mod input;

use libfuzzer_sys::fuzz_target;
use percept_syntax::{
    Source, TextRange, TokenKind,
    format::{Options, format, format_range},
};

fn tokens(source: &Source) -> Vec<(TokenKind, &str)> {
    source.tokens.iter().map(|token| (token.kind, source.text[token.range.as_usize()].trim_end())).collect()
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = input::Input(bytes);
    let language = input.language();
    let options = Options { width: input.byte().into(), ..Options::default() };
    let (a, b) = (input.number(), input.number());
    let source = Source::parse(input.text(), language);
    let once = Source::parse(format(&source, &options), language);
    input::same(&tokens(&source), &tokens(&once), "tokens");
    input::same(&once.text.to_string(), &format(&once, &options), "formatted texts");

    let length = source.text.len() as u32 + 1;
    let (a, b) = (a % length, b % length);
    let mut text = source.text.to_string();
    for edit in format_range(&source, TextRange::new(a.min(b), a.max(b)), &options).into_iter().rev() {
        text.replace_range(edit.range.as_usize(), &edit.insert);
    }
    let ranged = Source::parse(text, language);
    input::same(&tokens(&source), &tokens(&ranged), "tokens after a range");
});
