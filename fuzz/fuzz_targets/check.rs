//! Analyses any text: every finding, related place and fix is in its file, fixes' edits do not overlap, and a second
//! run finds the same. First byte: the language. In a POGDDL text a `\x01` separates the domain from the problem.
#![no_main]

mod input;

use libfuzzer_sys::fuzz_target;
use percept_analysis::{Diagnostic, FileId, Settings, check, check_pddl};
use percept_syntax::{Language, Source};

fn judge(list: &[Diagnostic], files: &[&Source]) {
    for finding in list {
        let within = |file: FileId, range: percept_syntax::TextRange| {
            let text = &files[file.0 as usize].text;
            assert!(text.get(range.as_usize()).is_some(), "{} at {range:?}", finding.rule.name);
        };
        within(finding.file, finding.range);
        finding.related.iter().for_each(|related| within(related.file, related.range));
        for fix in &finding.fixes {
            let mut edits: Vec<_> =
                fix.edits.iter().map(|edit| (edit.file, edit.range.start, edit.range.end)).collect();
            edits.sort();
            fix.edits.iter().for_each(|edit| within(edit.file, edit.range));
            assert!(
                edits.windows(2).all(|pair| pair[0].0 != pair[1].0 || pair[0].2 <= pair[1].1),
                "{}: the edits of `{}` overlap",
                finding.rule.name,
                fix.title
            );
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = input::Input(bytes);
    let language = input.language();
    let text = input.text();
    let settings = Settings::default();
    if let (Language::Pogddl, Some((domain, problem))) = (language, text.split_once('\u{1}')) {
        let (domain, problem) = (Source::parse(domain, language), Source::parse(problem, language));
        judge(&check_pddl(Some(&domain), Some(&problem), &settings), &[&domain, &problem]);
        return;
    }
    let source = Source::parse(text, language);
    let list = check(&source, &settings);
    judge(&list, &[&source]);
    input::same(&format!("{list:?}"), &format!("{:?}", check(&source, &settings)), "findings");
});
