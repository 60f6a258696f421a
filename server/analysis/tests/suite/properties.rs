//! No text, however broken, makes the analysis panic, and every finding has a place inside the text.

use percept_analysis::{Settings, check};
use percept_syntax::{Document, Language, Source, TextRange};
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

/// Words and signs with a meaning, in any order.
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

/// Sections of a domain about the same names, some with findings.
fn sections() -> impl Strategy<Value = Vec<&'static str>> {
    let section = prop::sample::select(vec![
        "(:types t - object role)",
        "(:predicates (p ?x - t) (q ?x - t) (unused))",
        "(:constants é o - t)",
        "(:action a :parameters (?x - t) :precondition (and (p ?x) (not (q ?x))) :effect (q ?x))",
        "(:action b\r\n  :parameters (?x ?y - t) ; (comment\r\n  :precondition (p ?x)\r\n  :effect (and (not (p ?x)) (q é)))",
        "; percept: allow(unused-parameter)\n(:action c :parameters (?x) :effect (observe (all (said))))",
        "(:action d :precondition (and (p o) (not (p o))) :effect (observe (others (said o))))",
        "(:action e :effect (r))",
        "(:gain ?p - role 1 (q o))",
        "(:derived (d ?x - t) (p ?x))",
    ]);
    prop::collection::vec(section, 1..10)
}

proptest! {
    #[test]
    fn findings_after_edits_are_those_of_the_text(
        sections in sections(),
        edits in prop::collection::vec((any::<u32>(), 0u32..3, "[a-eopqx ()?;\r\né]{0,2}"), 1..10),
    ) {
        let mut document = Document::new(&format!("(define (domain d)\n{})\n", sections.join("\n")), Language::Pogddl);
        for (at, length, insert) in edits {
            let at = at % (document.rope().len_bytes() as u32 + 1);
            document.edit(TextRange::new(at, at + length), &insert);
            let source = document.snapshot();
            let fresh = Source::parse(source.text.clone(), Language::Pogddl);
            let findings = [&source, &fresh].map(|source| format!("{:#?}", check(source, &Settings::default())));
            prop_assert_eq!(&findings[0], &findings[1]);
        }
    }

    #[test]
    fn arbitrary_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check_all(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn words_in_any_order_are_survived(text in soup()) {
        check_all(&text)?;
    }
}
