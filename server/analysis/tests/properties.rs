//! No text, however broken, makes the analysis panic, and every finding has a place inside the text.

use percept_analysis::{Settings, check};
use percept_syntax::{Language, Source};
use proptest::prelude::*;

fn check_all(text: &str) -> Result<(), TestCaseError> {
    for language in [Language::GdlPrefix, Language::GdlInfix, Language::Pogddl] {
        let source = Source::parse(text, language);
        for finding in check(&source, &Settings::default()) {
            let edits = finding.fixes.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.range));
            let related = finding.related.iter().map(|related| related.range);
            for range in std::iter::once(finding.range).chain(edits).chain(related) {
                prop_assert!(text.get(range.as_usize()).is_some(), "{} at {range:?} in {text:?}", finding.rule.name);
            }
        }
    }
    Ok(())
}

/// Words and signs that mean something, in any order.
fn soup() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "(",
        ")",
        "(",
        ")",
        "(<= ",
        "<=",
        ":-",
        "&",
        "|",
        "~",
        ".",
        ",",
        " ",
        "\n",
        "; percept: allow(syntax-error)\n",
        "true",
        "next",
        "init",
        "does",
        "legal",
        "goal",
        "terminal",
        "role",
        "sees",
        "base",
        "input",
        "action",
        "percept",
        "distinct",
        "not",
        "or",
        "and",
        "random",
        "white",
        "cell",
        "cel",
        "?x",
        "?y",
        "X",
        "_",
        "f",
        "100",
        "(role white)",
        "(true (cell ?x 1))",
        "(next (cell ?x 2))",
        "(f (f ?x))",
        "(next (n (s ?x)))",
        "(true (n ?x))",
    ]);
    prop::collection::vec(words, 0..60).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn arbitrary_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check_all(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn words_in_any_order_are_survived(text in soup()) {
        check_all(&text)?;
    }
}
