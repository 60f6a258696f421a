//! Checks that every query fits its grammar, and that highlighting gives the expected result.

use expect_test::{Expect, expect};
use percept_grammar::*;
use tree_sitter::{Language, Parser, Query, QueryCursor, StreamingIterator};
use tree_sitter_language::LanguageFn;

#[test]
fn queries_fit_their_grammars() {
    for (language, queries) in [(GDL, GDL_QUERIES), (GDL_INFIX, GDL_INFIX_QUERIES), (POGDDL, POGDDL_QUERIES)] {
        let language: Language = language.into();
        for query in [queries.highlights, queries.folds, queries.indents, queries.locals, queries.tags] {
            Query::new(&language, query).unwrap();
        }
    }
}

/// Each word with its highlight; if there are several captures the last pattern wins, as in editors.
fn highlights(language: LanguageFn, queries: &Queries, text: &str, expected: Expect) {
    let language: Language = language.into();
    let mut parser = Parser::new();
    parser.set_language(&language).unwrap();
    let tree = parser.parse(text, None).unwrap();
    let query = Query::new(&language, queries.highlights).unwrap();
    let mut cursor = QueryCursor::new();
    let mut found = std::collections::BTreeMap::new();
    let mut captures = cursor.captures(&query, tree.root_node(), text.as_bytes());
    while let Some((matched, index)) = captures.next() {
        let capture = matched.captures[*index];
        let name = query.capture_names()[capture.index as usize];
        let best =
            found.entry(capture.node.start_byte()).or_insert((matched.pattern_index, name, capture.node.byte_range()));
        if name != "spell" && matched.pattern_index >= best.0 {
            *best = (matched.pattern_index, name, capture.node.byte_range());
        }
    }
    let lines: String = found
        .values()
        .filter(|(_, name, _)| !name.starts_with("punctuation"))
        .map(|(_, name, range)| format!("{} {name}\n", &text[range.clone()]))
        .collect();
    expected.assert_eq(&lines);
}

#[test]
fn gdl() {
    highlights(
        GDL,
        &GDL_QUERIES,
        "(<= (legal random (noop 1)) (not (q ?x a))) (<= terminal b) ; c",
        expect![[r#"
        <= operator
        legal keyword
        random constant.builtin
        noop function
        1 number
        not keyword.operator
        q function
        ?x variable
        a constant
        <= operator
        terminal keyword
        b constant
        ; c comment
    "#]],
    );
}

#[test]
fn gdl_infix() {
    highlights(
        GDL_INFIX,
        &GDL_INFIX_QUERIES,
        "legal(random,noop(1)) :- not q(X,a) & ~b | distinct(X,Y) % c",
        expect![[r#"
            legal keyword
            random constant.builtin
            noop function
            1 number
            :- operator
            not keyword.operator
            q function
            X variable
            a constant
            & operator
            ~ operator
            b constant
            | operator
            distinct keyword.operator
            X variable
            Y variable
            % c comment
        "#]],
    );
}

#[test]
fn pogddl() {
    highlights(
        POGDDL,
        &POGDDL_QUERIES,
        "(define (domain d) (:requirements :adl) (:action go :parameters (?x - (either a b)) :effect (when (and (p ?x 1)) (observe (all (m u)) (p1 (m ?x))))))",
        expect![[r#"
            define keyword
            domain keyword
            d module
            :requirements keyword
            :adl attribute
            :action keyword
            go function.definition
            :parameters property
            ?x variable.parameter
            - operator
            either keyword.operator
            a type
            b type
            :effect property
            when keyword.operator
            and keyword.operator
            p function
            ?x variable.parameter
            1 number
            observe keyword.function
            all constant.builtin
            m function
            u constant
            p1 function
            m function
            ?x variable.parameter
        "#]],
    );
}
