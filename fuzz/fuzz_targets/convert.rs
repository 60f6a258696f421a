//! A converted text can be read, has the same meaning, keeps its comments, and can be converted back. First byte: the
//! source notation; the rest is the text.
#![no_main]

mod input;

use std::collections::HashMap;

use libfuzzer_sys::fuzz_target;
use percept_syntax::{
    Language, Source,
    convert::{Converted, convert},
    format::Options,
};

/// Applies the renamings of some conversions to a name.
fn renamed(name: &str, by: &[&Converted]) -> String {
    by.iter().fold(name.to_string(), |name, converted| {
        let map: HashMap<_, _> = converted.renamed.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        map.get(name.as_str()).map_or(name.clone(), |new| new.to_string())
    })
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = input::Input(bytes);
    let (from, to) = match input.byte() % 2 {
        1 => (Language::GdlInfix, Language::GdlPrefix),
        _ => (Language::GdlPrefix, Language::GdlInfix),
    };
    let start = Source::parse(input.text(), from);
    let Ok(there) = convert(&start, to, &Options::default()) else { return };
    let middle = Source::parse(there.text.clone(), to);
    assert_eq!(middle.errors, [], "{}", there.text);
    let back = convert(&middle, from, &Options::default()).expect("the converted text can be read");
    let end = Source::parse(back.text.clone(), from);
    assert_eq!(end.errors, [], "{}", back.text);
    let same = |name: &str| name.to_string();
    let meaning = input::meaning;
    input::same(&meaning(&start, &|name| renamed(name, &[&there])), &meaning(&middle, &same), "meanings there");
    input::same(&meaning(&start, &|name| renamed(name, &[&there, &back])), &meaning(&end, &same), "meanings back");
    assert_eq!(start.comments.len(), middle.comments.len());
    assert_eq!(start.comments.len(), end.comments.len());
});
