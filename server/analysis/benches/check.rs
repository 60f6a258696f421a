//! Time to diagnostics compared with tree-sitter alone: for the largest published games (`PERCEPT_CORPUS`), a generated
//! game, and a generated domain of 4 MB. `cargo bench -p percept-analysis --bench check`.
//!
//! Columns: tree-sitter's parse alone; text to typed syntax; text to diagnostics (parsed with tree-sitter, typed,
//! analysed); the ratio of the last to the first; one keystroke in the middle to typed syntax, and to diagnostics. Each
//! is the shortest of several runs, since other work only ever adds time. Below: keystrokes elsewhere in the domain,
//! and the peak memory of the process, after it has checked the domain once and at the end.

use std::time::Instant;

use percept_analysis::{Settings, check};
use percept_syntax::{Document, Language, Source, TextRange};

fn generated() -> String {
    let mut text = String::from(
        "(role a)(role b)(<= (legal ?r noop) (role ?r))(<= terminal (true (s 500)))(goal a 1)(goal b 1)\n",
    );
    for n in 0..500 {
        text.push_str(&format!(
            "(succ {n} {})\n(<= (next (s {n})) (true (s ?x)) (succ ?x {n}) (not (true (c{n} ?x))))\n",
            n + 1
        ));
        text.push_str(&format!("(<= (next (c{n} ?x)) (true (c{n} ?x)) (role ?r) (does ?r noop))\n(init (c{n} {n}))\n"));
    }
    text
}

/// A domain like those that planners write when they ground one.
fn domain(bytes: usize) -> String {
    let mut text = String::from(
        "(define (domain large)\n(:requirements :strips :typing :negative-preconditions)\n(:types card)\n(:constants c - card)\n(:predicates (on ?x ?y - card) (clear ?x - card))\n",
    );
    let mut number = 0;
    while text.len() < bytes {
        number += 1;
        text.push_str(&format!(
            "(:action move-{number}\n  :parameters (?x ?y - card)\n  :precondition (and (on ?x ?y) (not (clear ?x)))\n  :effect (and (not (on ?x ?y)) (clear ?y)))\n",
        ));
    }
    text.push_str(")\n");
    text
}

/// The shortest of several runs, in milliseconds.
fn best(mut run: impl FnMut()) -> f64 {
    let begin = Instant::now();
    let mut best = f64::MAX;
    for round in 0..40 {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
        if round >= 2 && begin.elapsed().as_secs() >= 2 {
            break;
        }
    }
    best
}

fn row(name: &str, text: &str, language: Language) {
    let grammar: tree_sitter::Language = match language {
        Language::GdlPrefix => percept_grammar::GDL.into(),
        Language::GdlInfix => percept_grammar::GDL_INFIX.into(),
        Language::Pogddl => percept_grammar::POGDDL.into(),
    };
    let settings = Settings::default();
    let parse = best(|| {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&grammar).expect("the same version");
        drop(parser.parse(text, None));
    });
    let typed = best(|| drop(Source::parse(text, language)));
    let cold = best(|| drop(check(&Source::parse(text, language), &settings)));
    let middle = (0..text.len() / 2).rev().find(|at| text.as_bytes()[*at] == b'\n').unwrap_or(0) as u32;
    let mut document = Document::new(text, language);
    document.snapshot();
    let reread = keystrokes(&mut document, middle, " ", drop);
    let edit = keystrokes(&mut document, middle, " ", |source| drop(check(&source, &settings)));
    println!(
        "{name:34} {:7} {parse:12.2} {typed:9.2} {cold:9.2} {:6.2} {reread:9.2} {edit:9.2}",
        text.len() / 1000,
        cold / parse
    );
}

/// Keystrokes in a large domain that do more than move its actions.
fn elsewhere(text: &str) {
    let settings = Settings::default();
    let mut document = Document::new(text, Language::Pogddl);
    drop(check(&document.snapshot(), &settings));
    let middle = text.len() / 2;
    let inside = middle + text[middle..].find("(on ?x").expect("an action has it") + 1;
    let declared = text.find("c - card").expect("a constant is declared") + 1;
    for (name, at, key) in [("inside an action", inside, "o"), ("in the declarations", declared, "c")] {
        let time = keystrokes(&mut document, at as u32, key, |source| drop(check(&source, &settings)));
        println!("a keystroke {name}: {time:.2} ms");
    }
}

/// Types a key several times and calls `then` with each text: each keystroke moves the text after it. At the end all
/// are undone.
fn keystrokes(document: &mut Document, at: u32, key: &str, mut then: impl FnMut(Source)) -> f64 {
    let mut typed = 0;
    let time = best(|| {
        typed += 1;
        document.edit(TextRange::at(at), key);
        then(document.snapshot());
    });
    document.edit(TextRange::new(at, at + typed), "");
    time
}

/// The peak memory of the process.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("unknown");
    line.trim_start_matches("VmHWM:").trim().to_owned()
}

fn main() {
    // First, before the process has done anything else.
    let large = domain(4_000_000);
    drop(check(&Source::parse(large.as_str(), Language::Pogddl), &Settings::default()));
    let checked = memory();
    let mut games = vec![("(generated game)".to_string(), generated())];
    if let Some(folder) = std::env::var_os("PERCEPT_CORPUS") {
        for entry in std::fs::read_dir(std::path::Path::new(&folder).join("gdl")).expect("a corpus").flatten() {
            let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
            games.push((entry.file_name().to_string_lossy().into_owned(), text));
        }
        games.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
        games.truncate(12);
    }
    println!(
        "{:34} {:>7} {:>12} {:>9} {:>9} {:>6} {:>9} {:>9}",
        "file", "kB", "tree-sitter", "typed ms", "cold ms", "ratio", "edit: typ", "edit ms"
    );
    for (name, text) in games {
        row(&name, &text, Language::GdlPrefix);
    }
    row("(generated domain)", &large, Language::Pogddl);
    elsewhere(&large);
    println!("most memory: {checked} to check the domain, {} at the end", memory());
}
