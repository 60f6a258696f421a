//! What was converted can be read, and converted back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use percept_syntax::{Language, Source, convert::convert, format::Options};

fuzz_target!(|input: (bool, String)| {
    let (is_infix, text) = input;
    let (from, to) = match is_infix {
        true => (Language::GdlInfix, Language::GdlPrefix),
        false => (Language::GdlPrefix, Language::GdlInfix),
    };
    let Ok(there) = convert(&Source::parse(text, from), to, &Options::default()) else { return };
    let middle = Source::parse(there.text, to);
    assert_eq!(middle.errors, []);
    let back = convert(&middle, from, &Options::default()).expect("what was written can be read");
    assert_eq!(Source::parse(back.text, from).errors, []);
});
