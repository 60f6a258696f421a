//! The cases of `*/test/corpus`, as `tree-sitter test` runs them, without the CLI.

use percept_grammar::{GDL, GDL_INFIX, POGDDL};
use tree_sitter::{Node, Parser};
use tree_sitter_language::LanguageFn;

struct Case<'a> {
    name: &'a str,
    has_error: bool,
    text: &'a str,
    tree: String,
}

/// Cases are `===` name attributes `===` text `---` tree.
fn cases(file: &str) -> Vec<Case<'_>> {
    let rule = "==================\n";
    let parts: Vec<&str> = file.split(rule).skip(1).collect();
    assert!(parts.len().is_multiple_of(2), "each case has a title and a body");
    parts
        .chunks(2)
        .map(|pair| {
            let (text, tree) = pair[1].split_once("\n---\n").expect("a text and a tree");
            let mut lines = pair[0].lines();
            Case {
                name: lines.next().expect("a name"),
                has_error: lines.any(|line| line == ":error"),
                text: text.strip_prefix('\n').unwrap_or(text),
                tree: tree.split_whitespace().collect::<Vec<_>>().join(" "),
            }
        })
        .collect()
}

/// The named nodes without their fields.
fn show(node: Node<'_>) -> String {
    let mut cursor = node.walk();
    let children: String = node.named_children(&mut cursor).map(|child| format!(" {}", show(child))).collect();
    format!("({}{children})", node.kind())
}

fn run(language: LanguageFn, file: &str) {
    let mut parser = Parser::new();
    parser.set_language(&language.into()).unwrap();
    let cases = cases(file);
    assert!(cases.len() >= 3);
    for case in cases {
        let tree = parser.parse(case.text, None).unwrap();
        let root = tree.root_node();
        assert_eq!(root.has_error(), case.has_error, "{}: {}", case.name, root.to_sexp());
        if !case.has_error {
            assert_eq!(show(root).replace("( ", "("), case.tree.replace("( ", "("), "{}", case.name);
        }
    }
}

#[test]
fn gdl() {
    run(GDL, include_str!("../../gdl/test/corpus/games.txt"));
}

#[test]
fn gdl_infix() {
    run(GDL_INFIX, include_str!("../../gdl-infix/test/corpus/games.txt"));
}

#[test]
fn pogddl() {
    run(POGDDL, include_str!("../../pogddl/test/corpus/games.txt"));
}
