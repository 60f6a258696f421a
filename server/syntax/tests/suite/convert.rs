//! Tests of the converter in both directions: nothing is lost.

use crate::support;
use std::collections::HashMap;

use expect_test::{Expect, expect};
use percept_syntax::{
    Language, Source, Syntax,
    convert::{Converted, convert},
    format::Options,
    gdl::{Formula, Statement, Term, TermKind},
};
use proptest::prelude::*;

fn other(language: Language) -> Language {
    if language == Language::GdlInfix { Language::GdlPrefix } else { Language::GdlInfix }
}

fn converts(language: Language, text: &str, expected: Expect) {
    let source = Source::parse(text, language);
    let converted = convert(&source, other(language), &Options::default()).unwrap();
    let renamed: String = converted.renamed.iter().map(|(old, new)| format!("renamed {old} to {new}\n")).collect();
    expected.assert_eq(&(converted.text + &renamed));
    there_and_back(&source).unwrap();
}

/// Statements with numbered variables and names replaced as in `renamed`.
fn normal(source: &Source, renamed: &[&Converted]) -> Vec<String> {
    let Syntax::Gdl(description) = &source.syntax else { panic!("GDL") };
    let renamed: Vec<HashMap<_, _>> =
        renamed.iter().map(|converted| converted.renamed.iter().cloned().collect()).collect();
    let mut statements = Vec::new();
    for statement in description.statements.iter() {
        let mut variables = HashMap::new();
        let mut normal = |term: &mut Term| {
            rename(term, &mut |name, is_variable| {
                if is_variable {
                    let number = variables.len();
                    return format!("v{}", variables.entry(name.to_owned()).or_insert(number));
                }
                renamed
                    .iter()
                    .fold(name.to_owned(), |name, map| map.get(name.as_str()).map_or(name, |new| new.to_string()))
            });
        };
        let mut statement: Statement = statement.clone();
        statement.head.iter_mut().for_each(&mut normal);
        statement.body = flat(statement.body);
        statement.body.iter_mut().for_each(|formula| each_term(formula, &mut normal));
        statements.push(support::show_statement(&statement));
    }
    statements
}

fn flat(body: Vec<Formula>) -> Vec<Formula> {
    body.into_iter()
        .flat_map(|formula| match formula {
            Formula::And { parts, .. } => flat(parts),
            other => vec![other],
        })
        .collect()
}

fn each_term(formula: &mut Formula, f: &mut dyn FnMut(&mut Term)) {
    match formula {
        Formula::Atom(term) => f(term),
        Formula::Distinct { args, .. } => args.iter_mut().for_each(f),
        Formula::Not { parts, .. } | Formula::Or { parts, .. } | Formula::And { parts, .. } => {
            parts.iter_mut().for_each(|part| each_term(part, f));
        }
    }
}

fn rename(term: &mut Term, f: &mut dyn FnMut(&str, bool) -> String) {
    term.name.text = f(&term.name.text, matches!(term.kind, TermKind::Variable)).into();
    if let TermKind::Compound(args) | TermKind::Error(args) = &mut term.kind {
        std::sync::Arc::make_mut(args).iter_mut().for_each(|arg| rename(arg, f));
    }
}

fn comments(source: &Source) -> Vec<&str> {
    let text =
        |range: percept_syntax::TextRange| source.text[range.as_usize()].trim_start_matches([';', '%']).trim_end();
    source.comments.iter().map(|comment| text(comment.range)).collect()
}

fn there_and_back(source: &Source) -> Result<(), String> {
    let options = Options::default();
    let there = convert(source, other(source.language), &options).map_err(|refusal| refusal.message)?;
    let middle = Source::parse(there.text.clone(), there.language);
    if !middle.errors.is_empty() {
        return Err(format!("not readable: {:?}\n{}\n---\n{}", middle.errors[0], source.text, there.text));
    }
    let back = convert(&middle, source.language, &options).map_err(|refusal| refusal.message)?;
    let end = Source::parse(back.text.clone(), source.language);
    if normal(source, &[&there]) != normal(&middle, &[]) {
        return Err(format!("there:\n{}\n---\n{}", source.text, there.text));
    }
    if normal(source, &[&there, &back]) != normal(&end, &[]) || !end.errors.is_empty() {
        return Err(format!("there and back:\n{}\n---\n{}\n---\n{}", source.text, there.text, back.text));
    }
    if comments(source) != comments(&middle) || comments(source) != comments(&end) {
        return Err(format!("comments:\n{}\n---\n{}", source.text, there.text));
    }
    Ok(())
}

#[test]
fn to_infix() {
    converts(
        Language::GdlPrefix,
        ";; a game\n(ROLE white) (role random)\n\n(<= (legal ?p (mark ?x ?Y)) ; who\n    (role ?p)\n    ; why\n    (or (true (cell ?x ?Y b)) (not (or (a) (and b c))))\n    (distinct ?p random))\n(<= terminal (or a b))\n(<= open)\n",
        expect![[r#"
            %% a game
            role(white)
            role(random)

            legal(P, mark(X, Y)) :- % who
                role(P) &
                % why
                (true(cell(X, Y, b)) | ~(a() | (b & c))) &
                distinct(P, random)
            terminal :- a | b
            open :- .
            renamed ROLE to role
        "#]],
    );
}

#[test]
fn to_prefix() {
    converts(
        Language::GdlInfix,
        "%% a game\nrole(white) role(black).\nlegal(P,mark(XY,OldCard)) :- % who\n  role(P) & (a | b & ~c) &\n  % why\n  distinct(P, _) & p(_,_)\nterminal :- not (a, b).\n",
        expect![[r#"
            ;; a game
            (role white)
            (role black)
            (<= (legal ?p (mark ?xy ?oldCard)) ; who
                (role ?p) (or a (and b (not c)))
                ; why
                (distinct ?p ?_) (p ?_2 ?_3))
            (<= terminal (not (and a b)))
        "#]],
    );
}

#[test]
fn names_the_other_notation_cannot_write() {
    converts(
        Language::GdlPrefix,
        "(White white ?x ?X) (p >= 1.5 a.b not _x) (<= (q ?n++ ?n__ ?1 ?_) (r ?n++ ?n__ ?1 ?_) (or) (or a) (and b))",
        expect![[r#"
            white_2(white, X, X_2)
            p(gteq, 1_5, a_b, not_, x_x)
            q(N__, N___2, V1, V) :- r(N__, N___2, V1, V) & or() & or(a) & b
            renamed White to white_2
            renamed >= to gteq
            renamed 1.5 to 1_5
            renamed a.b to a_b
            renamed not to not_
            renamed _x to x_x
        "#]],
    );
}

/// `Or` and `Not` are operators of infix text, regardless of case; `And` and `If` are read as slips.
#[test]
fn variables_like_operators() {
    converts(
        Language::GdlPrefix,
        "(<= (p ?or ?not ?Or ?if) (q ?or) (q ?not) (q ?Or) (q ?if) (r ?and ?or_)) ?if",
        expect![[r#"
            p(Or_, Not_, Or__2, If_) :- q(Or_) & q(Not_) & q(Or__2) & q(If_) & r(And_, Or__3)
            If_
        "#]],
    );
}

/// A word that begins a rule in other languages is a name in infix text, but not in prefix text.
#[test]
fn names_like_arrows() {
    converts(
        Language::GdlInfix,
        "⇐(a(b), c) p(←, ⇐).",
        expect![[r#"
            (x_ (a b) c)
            (p x__2 x_)
            renamed ⇐ to x_
            renamed ← to x__2
        "#]],
    );
}

/// A prefix variable `?_` is one variable, however often it occurs; each `_` of infix text is a separate one.
#[test]
fn anonymous_variables() {
    converts(
        Language::GdlPrefix,
        "(<= (p ?_ ?x) (q ?_ ?x)) (<= a (q ?_ b))",
        expect![[r#"
            p(V, X) :- q(V, X)
            a :- q(_, b)
        "#]],
    );
    converts(
        Language::GdlInfix,
        "p(X) :- q(X, _) & q(_, X).",
        expect![[r#"
        (<= (p ?x) (q ?x ?_) (q ?_2 ?x))
    "#]],
    );
}

/// In infix text a `≠` between terms and a `!` before one are read as operators; prefix text has no operators.
#[test]
fn names_like_operators() {
    converts(
        Language::GdlPrefix,
        "(<= a (b ?x)) (<= (≠ ?x) (≠next ?x) (≠ ?x ?y)) (<= (≠next ?x) (b ?x)) (<= (! ?x) ! (!a ?x) (a! ?x)) (a) (- b) (a -)",
        expect![[r#"
            a :- b(X)
            neq(X) :- ≠next(X) & neq(X, Y)
            ≠next(X) :- b(X)
            x_(X) :- x_ & x_a(X) & a!(X)
            a()
            -_(b)
            a(-_)
            renamed ≠ to neq
            renamed ! to x_
            renamed !a to x_a
            renamed - to -_
        "#]],
    );
}

#[test]
fn what_cannot_be_converted_says_why() {
    let refusal = |language, text: &str, to| {
        convert(&Source::parse(text, language), to, &Options::default()).unwrap_err().message
    };
    let messages = [
        refusal(Language::GdlPrefix, "(<= a (not b c))", Language::GdlInfix),
        refusal(Language::GdlPrefix, "(<= a", Language::GdlInfix),
        refusal(Language::Pogddl, "(define (domain d))", Language::GdlInfix),
        refusal(Language::GdlPrefix, "(a)", Language::Pogddl),
    ];
    expect![[r#"
        `not` takes one condition but has 2 here: infix text cannot express this
        repair this before converting: this `(` is never closed: a `)` is missing before the end of the file
        only GDL can be converted between prefix and infix notation; this is PDDL
        GDL can be converted to prefix or infix notation only"#]]
    .assert_eq(&messages.join("\n"));
}

mod corpus {
    use percept_test::{entries, folder};

    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn on_published_games() {
        let root = folder("PERCEPT_CORPUS");
        let mut count = 0;
        let mut renamed = Vec::new();
        for folder in ["gdl", "gdl-ii"] {
            for path in entries(root.join(folder)) {
                let text = std::fs::read_to_string(&path).unwrap();
                let source = Source::parse(text.clone(), Language::detect(&path, &text).unwrap());
                if !source.errors.is_empty() {
                    continue;
                }
                let checked = there_and_back(&source);
                assert!(checked.is_ok(), "{}: {}", path.display(), checked.unwrap_err());
                renamed.extend(convert(&source, other(source.language), &Options::default()).unwrap().renamed);
                count += 1;
            }
        }
        renamed.sort();
        renamed.dedup();
        eprintln!("{count} games, names that changed: {renamed:?}");
        assert!(count > 200);
    }
}

/// Names with any character that a prefix name may have, and words that some notation reads as more than a name.
fn odd_name() -> impl Strategy<Value = String> {
    const RESERVED: &[&str] = &[
        "or", "not", "and", "distinct", "if", "Or", "NOT", "And", "If", "IF", "true", "TRUE", "role", "Role", "random",
        "=", "-", "--", ":", "!", "!a", "≠", "≠a", "->", "<-", "⇐", "←", ":-", "_", "__", "_#2", "+", "~a", "a.b",
        "1.5", "é", "É", "|", "&", "\\+", "%", "{", "a?", "x_2", "X_2",
    ];
    prop_oneof![
        2 => prop::sample::select(RESERVED).prop_map(str::to_owned),
        1 => "[^\\s();?\u{0}\u{a0}\u{feff}][^\\s();\u{0}\u{a0}\u{feff}]{0,2}",
        3 => "[a-dA-C0-9_+<=>.]{1,3}",
    ]
    .prop_filter("an arrow is not a name", |name| !matches!(name.as_str(), "<="))
}

fn game() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => odd_name(),
        2 => odd_name().prop_map(|name| format!("?{name}")),
        1 => "\\?[a-cA-C_+1]{0,2}",
        1 => Just("; c\n".to_owned()),
        1 => Just("\n".to_owned()),
    ];
    let functor = prop_oneof!["[a-dnot]{1,3}".prop_map(String::from), odd_name()];
    let term = leaf.prop_recursive(3, 20, 4, move |inner| {
        (functor.clone(), prop::collection::vec(inner, 0..4))
            .prop_map(|(name, args)| format!("({name} {})", args.join(" ")))
    });
    let formula = term.clone().prop_recursive(3, 20, 3, |inner| {
        (prop::sample::select(vec!["or", "and", "distinct"]), prop::collection::vec(inner.clone(), 0..3), inner)
            .prop_map(|(word, parts, not)| format!("({word} {}) (not (f {not}))", parts.join(" ")))
    });
    let statement = prop_oneof![
        term.clone(),
        (odd_name(), prop::collection::vec(formula, 0..4))
            .prop_map(|(head, body)| format!("(<= {head} {})", body.join(" "))),
    ];
    prop::collection::vec(statement, 0..6).prop_map(|statements| statements.join("\n"))
}

/// Infix text; the property skips texts that are not in the language.
fn infix_game() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![odd_name(), "[A-C_][a-c]?", "[a-c]"];
    let term = leaf.prop_recursive(2, 10, 3, |inner| {
        (prop_oneof!["[a-d]{1,2}", odd_name()], prop::collection::vec(inner, 1..3))
            .prop_map(|(name, args)| format!("{name}({})", args.join(", ")))
    });
    let condition = (prop_oneof!["", "~", "not "], term.clone()).prop_map(|(not, term)| format!("{not}{term}"));
    let body = prop::collection::vec(condition, 1..4);
    let rule = (term.clone(), body, prop_oneof![" & ", " | ", ", "])
        .prop_map(|(head, body, join)| format!("{head} :- {}.", body.join(&join)));
    prop::collection::vec(prop_oneof![term.prop_map(|fact| fact + "."), rule], 0..5)
        .prop_map(|statements| statements.join("\n"))
}

/// Only a `not` with several parts has no text in the other notation.
fn always_converts(source: &Source) -> Result<(), TestCaseError> {
    if source.errors.is_empty() {
        let result = there_and_back(source);
        let is_refused = result.as_ref().is_err_and(|message| message.starts_with("`not` takes one condition"));
        prop_assert!(result.is_ok() || is_refused, "{}\n---\n{}", result.unwrap_err(), source.text);
    }
    Ok(())
}

proptest! {
    #![proptest_config(support::cases())]

    #[test]
    fn on_any_game(text in game()) {
        always_converts(&Source::parse(text, Language::GdlPrefix))?;
    }

    #[test]
    fn on_any_infix_game(text in infix_game()) {
        always_converts(&Source::parse(text, Language::GdlInfix))?;
    }
}
