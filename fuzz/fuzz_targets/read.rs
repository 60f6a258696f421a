//! Any bytes are read or refused, and every range lies in the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use percept_syntax::{Language, Source};

fuzz_target!(|bytes: &[u8]| {
    for language in [Language::GdlPrefix, Language::GdlInfix, Language::Pogddl] {
        let Ok(source) = Source::from_bytes(bytes.to_vec(), language) else { return };
        for range in source.tokens.iter().map(|token| token.range).chain(source.errors.iter().map(|error| error.range)) {
            assert!(source.text.get(range.as_usize()).is_some());
        }
    }
});
