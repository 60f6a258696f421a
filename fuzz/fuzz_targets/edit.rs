//! Edits lead where a fresh parse leads. The first bytes say where to edit, the rest is the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use percept_syntax::{Document, Language, Source, TextRange};

fuzz_target!(|input: (u8, Vec<(u16, u8, String)>, String)| {
    let (language, edits, text) = input;
    let language = [Language::GdlPrefix, Language::GdlInfix, Language::Pogddl][usize::from(language % 3)];
    let mut document = Document::new(&text, language);
    document.snapshot();
    for (at, length, insert) in edits {
        document.edit(TextRange::new(at.into(), u32::from(at) + u32::from(length)), &insert);
        let source = document.snapshot();
        let fresh = Source::parse(source.text.clone(), language);
        assert_eq!((source.tokens, source.syntax, source.errors), (fresh.tokens, fresh.syntax, fresh.errors));
    }
});
