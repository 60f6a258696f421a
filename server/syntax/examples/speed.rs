//! Prints what reading costs: tree-sitter's parse alone, everything from text to typed syntax, and the same after one
//! edit in the middle. `cargo run --release -p percept-syntax --example speed -- [FILES]`; a generated domain of 4 MB
//! comes last.

use std::{hint::black_box, path::Path, sync::Arc, time::Instant};

use percept_syntax::{Document, Language, Source, TextRange};

fn main() {
    println!(
        "{:>9}  {:>9} {:>9} {:>6}  {:>9} {:>9}  file",
        "bytes", "parse ms", "all ms", "ratio", "edit: p", "edit: all"
    );
    for path in std::env::args().skip(1) {
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("a readable file")).into_owned();
        let language = Language::detect(Path::new(&path), &text).unwrap_or(Language::GdlPrefix);
        row(&text, language, path.rsplit('/').next().unwrap_or(&path));
    }
    row(&domain(4_000_000), Language::Pogddl, "(generated domain)");
}

fn row(text: &str, language: Language, name: &str) {
    let shared: Arc<str> = Arc::from(text);
    let grammar: tree_sitter::Language = match language {
        Language::GdlPrefix => percept_grammar::GDL.into(),
        Language::GdlInfix => percept_grammar::GDL_INFIX.into(),
        Language::Pogddl => percept_grammar::POGDDL.into(),
    };
    let parse = best(|| {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&grammar).expect("same version");
        black_box(parser.parse(text, None));
    });
    let all = best(|| {
        black_box(Source::parse(shared.clone(), language));
    });
    let middle = (0..text.len() / 2).rev().find(|at| text.as_bytes()[*at] == b'\n').unwrap_or(0);
    let mut document = Document::new(text, language);
    document.snapshot();
    let mut insert = false;
    let edit_all = best(|| {
        insert = !insert;
        edit(&mut document, middle, insert);
        black_box(document.snapshot());
    });
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&grammar).expect("same version");
    let changed = format!("{} {}", &text[..middle], &text[middle..]);
    let mut tree = parser.parse(text, None).expect("no limit");
    let mut grown = false;
    let edit_parse = best(|| {
        grown = !grown;
        let (old_end_byte, new_end_byte) = if grown { (middle, middle + 1) } else { (middle + 1, middle) };
        let point = tree_sitter::Point { row: 0, column: middle };
        tree.edit(&tree_sitter::InputEdit {
            start_byte: middle,
            old_end_byte,
            new_end_byte,
            start_position: point,
            old_end_position: point,
            new_end_position: point,
        });
        tree = parser.parse(if grown { &changed } else { text }, Some(&tree)).expect("no limit");
    });
    println!(
        "{:>9}  {parse:>9.2} {all:>9.2} {:>6.2}  {edit_parse:>9.2} {edit_all:>9.2}  {name}",
        text.len(),
        all / parse
    );
}

fn edit(document: &mut Document, at: usize, insert: bool) {
    let at = at as u32;
    match insert {
        true => document.edit(TextRange::at(at), " "),
        false => document.edit(TextRange::new(at, at + 1), ""),
    }
}

/// The shortest of several runs, in milliseconds.
fn best(mut run: impl FnMut()) -> f64 {
    let begin = Instant::now();
    let mut best = f64::MAX;
    for round in 0..40 {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64() * 1000.0);
        if round >= 3 && begin.elapsed().as_secs() >= 2 {
            break;
        }
    }
    best
}

/// A domain like those that grounding planners write: many actions over many predicates.
fn domain(bytes: usize) -> String {
    let mut text = String::from(
        "(define (domain large)\n(:requirements :typing :adl :pogddl)\n(:types card role)\n(:predicates (p0 ?c - card))\n",
    );
    let mut number = 0;
    while text.len() < bytes {
        number += 1;
        text.push_str(&format!(
            "(:action move-{number}\n  :parameters (?x ?y - card ?p - role)\n  :precondition (and (whoseturn ?p) (on ?x ?y) (not (clear-{} ?x)) (forall (?z - card) (imply (on ?z ?x) (clear ?z))))\n  :effect (and (not (on ?x ?y)) (clear-{} ?y) (when (clear ?x) (observe (?p (moved ?x)) (others (moved u))))\n    (increase (score ?p) {number})))\n",
            number % 97, number % 89
        ));
    }
    text.push(')');
    text
}
