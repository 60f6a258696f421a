use percept_analysis::{Settings, check};
use percept_syntax::{Language, Source};
#[test]
fn show() {
    let Some(list) = std::env::var_os("UNSEEN") else { return };
    for path in std::fs::read_to_string(list).unwrap().lines() {
        let source = Source::parse(std::fs::read_to_string(path).unwrap(), Language::Pogddl);
        println!("== {path}");
        for f in check(&source, &Settings::default()) {
            let line = source.text[..f.range.start as usize].matches('\n').count() + 1;
            println!("  {:?} {} {line} `{}`: {}", f.severity, f.rule.name, &source.text[f.range.as_usize()], f.message);
        }
    }
}
