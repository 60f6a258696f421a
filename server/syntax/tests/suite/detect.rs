//! Tests of language detection, refused files, and comments as documentation.

use std::path::Path;

use percept_syntax::{Language, NotText, Source, TextRange};

fn detect(path: &str, text: &str) -> Option<Language> {
    Language::detect(Path::new(path), text)
}

#[test]
fn names_decide_first() {
    assert_eq!(detect("a.kif", ""), Some(Language::GdlPrefix));
    assert_eq!(detect("a.hrf", "(role a)"), Some(Language::GdlInfix));
    assert_eq!(detect("a.POG", ""), Some(Language::Pogddl));
    assert_eq!(detect("a.pddl", "anything"), Some(Language::Pogddl));
}

#[test]
fn gdl_may_be_either() {
    assert_eq!(detect("a.gdl", "; x\n(role white) (<= terminal open)"), Some(Language::GdlPrefix));
    assert_eq!(detect("a.gdl", "% x\nrole(white) terminal :- open"), Some(Language::GdlInfix));
    assert_eq!(detect("a.kif", "role(white)\nrole(black)"), Some(Language::GdlInfix));
    assert_eq!(detect("a.gdl", "x (role white) (<= terminal open)"), Some(Language::GdlPrefix));
}

#[test]
fn content_decides_without_a_name() {
    assert_eq!(detect("-", "(define (domain d))"), Some(Language::Pogddl));
    assert_eq!(detect("-", "(:define (domain d))"), Some(Language::Pogddl));
    assert_eq!(detect("a.txt", "(role white)"), Some(Language::GdlPrefix));
    assert_eq!(detect("a.txt", "role(white) open :- closed"), Some(Language::GdlInfix));
    assert_eq!(detect("a.txt", "Dear reader, this is a letter (really)."), None);
    assert_eq!(detect("a.txt", ""), None);
}

#[test]
fn what_is_no_text_is_refused() {
    let refused = |bytes: &[u8]| Source::from_bytes(bytes.to_vec(), Language::GdlPrefix).unwrap_err();
    assert_eq!(refused(b"a\x01\xff"), NotText::NotUtf8(2));
    assert_eq!(refused(b"\x7fELF\0"), NotText::Binary(4));
    assert_eq!(refused(&vec![b' '; percept_syntax::MAX_BYTES + 1]), NotText::TooLong(percept_syntax::MAX_BYTES + 1));
    assert_eq!(
        refused(b"a\x01\xff").to_string(),
        "the file is not text: byte 2 does not begin a UTF-8 character; save it as UTF-8"
    );
}

#[test]
fn comments_above_and_behind_are_documentation() {
    let text =
        "; far\n\n;;; the board\n; ----\n;; of cells\n(cell 1)\n(cell 2) ; the second\n(cell 3)\r\n; crlf\r\n(cell 4)";
    let source = Source::parse(text, Language::GdlPrefix);
    let doc = |part: &str| {
        let start = text.find(part).unwrap() as u32;
        source.doc_comment(TextRange::new(start, start + part.len() as u32))
    };
    assert_eq!(doc("(cell 1)").as_deref(), Some("the board\n\nof cells"));
    assert_eq!(doc("(cell 2)").as_deref(), Some("the second"));
    assert_eq!(doc("(cell 3)"), None);
    assert_eq!(doc("(cell 4)").as_deref(), Some("crlf"));
}
