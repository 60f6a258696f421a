//! Any bytes are read or refused, and every range is in the text.
#![no_main]

mod input;

use libfuzzer_sys::fuzz_target;
use percept_syntax::Source;

fuzz_target!(|bytes: &[u8]| {
    for language in input::LANGUAGES {
        let Ok(source) = Source::from_bytes(bytes.to_vec(), language) else { return };
        let mut end = 0;
        for token in source.tokens.iter() {
            assert!(token.range.start >= end && !token.range.is_empty(), "tokens are in order and not empty");
            end = token.range.end;
        }
        for range in source.tokens.iter().map(|token| token.range).chain(source.errors.iter().map(|error| error.range))
        {
            assert!(source.text.get(range.as_usize()).is_some());
        }
    }
});
