//! Formatting changes no token, and formatting twice is formatting once.
#![no_main]

use libfuzzer_sys::fuzz_target;
use percept_syntax::{
    Language, Source, TokenKind,
    format::{Options, format},
};

fn tokens(source: &Source) -> Vec<(TokenKind, &str)> {
    source.tokens.iter().map(|token| (token.kind, source.text[token.range.as_usize()].trim_end())).collect()
}

fuzz_target!(|input: (u8, u8, String)| {
    let (language, width, text) = input;
    let language = [Language::GdlPrefix, Language::GdlInfix, Language::Pogddl][usize::from(language % 3)];
    let options = Options { width: width.into(), ..Options::default() };
    let source = Source::parse(text, language);
    let once = Source::parse(format(&source, &options), language);
    assert_eq!(tokens(&source), tokens(&once));
    assert_eq!(*once.text, *format(&once, &options));
});
