//! Wrong conversions are refused at their place, and a text in pieces is converted like the whole.

use proptest::prelude::*;

use super::*;

/// The report on a text as the conversion of another: `None`, or the place and the message.
fn difference(text: &str, converted: &str, renamed: &[(&str, &str)]) -> Option<String> {
    let source = Source::parse(text.to_owned(), Language::GdlPrefix);
    let Syntax::Gdl(description) = &source.syntax else { panic!("GDL") };
    let renamed: Vec<(SmolStr, SmolStr)> =
        renamed.iter().map(|(old, new)| (SmolStr::new(old), SmolStr::new(new))).collect();
    let refusal = read_back(description, converted, Language::GdlInfix, &renamed).err()?;
    let message = refusal.message.trim_start_matches("the converted text would have another meaning: ");
    Some(format!("{}: {message}", &text[refusal.range.as_usize()]))
}

#[test]
fn a_wrong_conversion_is_refused_at_its_place() {
    let rule = "(<= (p ?or a) (q ?or) (r b))";
    assert_eq!(difference(rule, "p(X, a) :- q(X) & r(b)", &[]), None);
    assert_eq!(difference(rule, "p(X, c) :- q(X) & r(b)", &[("a", "c")]), None);
    for (wrong, renamed, expected) in [
        ("p(Or, a) :- q(Or) & r(b)", &[][..], "(<= (p ?or a) (q ?or) (r b)): this statement would be lost"),
        ("p(X, a) :- q(Y) & r(b)", &[], "?or: the variable `or` would be `Y` here and another elsewhere"),
        ("p(X, a) :- q(X) | r(b)", &[], "(<= (p ?or a) (q ?or) (r b)): this would be read as something else"),
        ("p(X, a) :- q(X)", &[], "(<= (p ?or a) (q ?or) (r b)): this would be read as something else"),
        ("p(X, a) q(X) r(b)", &[], "(<= (p ?or a) (q ?or) (r b)): this would be read as something else"),
        ("p(X, c) :- q(X) & r(b)", &[], "a: `a` would become `c`"),
        ("p(X, b) :- q(X) & r(b)", &[("a", "b")], "b: two names would become `b`"),
        ("p(X, a) :- q(X) & r(b) s", &[], "(<= (p ?or a) (q ?or) (r b)): this statement would become several"),
        ("p(X, role) :- q(X) & r(b)", &[("a", "role")], "a: `a` would become `role`"),
    ] {
        let difference = difference(rule, wrong, renamed).unwrap_or_else(|| panic!("{wrong} passes"));
        assert!(difference.starts_with(expected), "{wrong}\n  {difference}\n  {expected}");
    }
}

/// The conversion in pieces of at least `size` bytes, which has to be that of the whole text.
fn in_pieces(text: &str, from: Language, size: u32) -> Option<Converted> {
    let to = if from == Language::GdlInfix { Language::GdlPrefix } else { Language::GdlInfix };
    let converted = by_pieces(text, from, to, &Options::default(), size);
    if let Some(converted) = &converted {
        assert_eq!(Ok(converted), convert(&Source::parse(text, from), to, &Options::default()).as_ref(), "{text}");
    }
    converted
}

#[test]
fn a_text_in_pieces_is_converted_like_the_whole() {
    use Language::{GdlInfix, GdlPrefix};
    for (text, from, count) in [
        ("; a game\n(role a) ; one\n\n\n(role b)\r\n\r\n; two\n\n; three\n(c)\n", GdlPrefix, 3),
        ("(a ?x)\n(b ?x) (c) ; d\n  (e\n; f\n)\n\n(<= g (not h))", GdlPrefix, 3),
        // A word that is not in a list, and statements without a break between them, are in one piece.
        ("(a)\nb\n(c)(d)\n\n(e)", GdlPrefix, 2),
        // New names, of which the last piece has the first: those before it are written again.
        ("(a b) (not_ a)\n(b 1.5)\n(c Not not)", GdlPrefix, 3),
        ("(if a)\n(b)\n(<= (if ?x) (- ?x))", GdlPrefix, 3),
        ("% a\na(b). % c\n\n% d\ne(X) :- f(X, _) &\ng(X)\nh :- i.\nj k\n l", GdlInfix, 4),
        ("a :- b &\nc\nd\n\n\nand(e)\n- :- f\ng(Or)", GdlInfix, 3),
    ] {
        assert_eq!(pieces::pieces(from, text, 1).len(), count, "{text}");
        for size in [1, 10, 20, 1_000] {
            let is_read = Source::parse(text, from).errors.is_empty();
            assert_eq!(in_pieces(text, from, size).is_some(), is_read && text.len() >= size as usize, "{text}");
        }
    }
    // Errors, and texts without a form in the other notation, are reported by the conversion of the whole.
    for text in ["(a)\n(b", "(a)\n(b))", "(a)\n:- (b)", "(a)\n(<= b (not c d))\n(e)", "(a)\n()"] {
        assert_eq!(in_pieces(text, GdlPrefix, 1), None, "{text}");
    }
    // A text that is short enough for one piece is not cut.
    assert_eq!(
        convert_text("(a)".into(), GdlPrefix, GdlInfix, &Options::default()).map(|it| it.text),
        Ok("a()\n".into())
    );
}

/// Statements with comments between and inside them, some with mistakes.
fn any_text(language: Language) -> impl Strategy<Value = String> {
    let statements: &[&str] = match language {
        Language::GdlInfix => &[
            "a",
            "a.",
            "a(b)",
            "a(X) :- b(X) & c",
            "a :- b & \n ~c",
            "a :- (b | c)",
            "a :-\nb(_, _)",
            "and(b)",
            "- :- c",
            "Or",
            "if(c) :- d",
            "a(Not1)",
            "a.b",
            "≠(c)",
            "c :- not d.",
            "x :- y & % z\n w",
            "a :- b \u{a0}& c",
            "1 :- 2",
        ],
        _ => &[
            "(a)",
            "(a b)",
            "(<= (a ?x) (b ?x))",
            "(<= a\n (or b (and c d)))",
            "(<= a (not b))",
            "b",
            "?x",
            "(A B)",
            "(if c)",
            "(- d)",
            "(<= (if ?x) (c ?x))",
            "(a 1.5)",
            "(c not)",
            "(a; b\n c)",
            "(<= a ; b\n c)",
            "(\u{feff}a)",
            "(a",
            ")",
            "()",
            "(<= a (not b c))",
            "(≠ a)",
            ":-",
        ],
    };
    let gap = prop::sample::select(&[" ", "\n", "\n\n", "\r\n", "\n\n\n", "", " ; c\n", "\n; c\n\n", "\n ", "\r"][..]);
    let statement = prop::sample::select(statements);
    prop::collection::vec((statement, gap), 0..12)
        .prop_map(|all| all.into_iter().map(|(statement, gap)| format!("{statement}{gap}")).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_text_in_pieces_is_converted_like_the_whole(
        prefix in any_text(Language::GdlPrefix), infix in any_text(Language::GdlInfix), size in 1u32..30,
    ) {
        in_pieces(&prefix, Language::GdlPrefix, size);
        in_pieces(&infix, Language::GdlInfix, size);
    }
}

mod corpus {
    use percept_test::{entries, folder};

    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn published_games_in_pieces() {
        let root = folder("PERCEPT_CORPUS");
        let (mut count, mut cut) = (0, 0);
        for path in ["gdl", "gdl-ii"].iter().flat_map(|folder| entries(root.join(folder))) {
            let text = std::fs::read_to_string(&path).unwrap();
            let language = Language::detect(&path, &text).unwrap();
            cut += usize::from(in_pieces(&text, language, 500).is_some());
            count += 1;
        }
        assert!(cut > count * 9 / 10, "{cut} of {count} games were converted in pieces");
    }
}
