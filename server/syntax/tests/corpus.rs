//! Published games: how many syntax errors each file has. Files with errors really have mistakes; each was read.

mod support;

use std::path::{Path, PathBuf};

use expect_test::expect;
use percept_syntax::{Language, Source};

/// The files of the corpus with their names in it, or nothing where there is no corpus.
fn corpus() -> Option<Vec<(String, PathBuf)>> {
    let Some(root) = std::env::var_os("PERCEPT_CORPUS") else {
        eprintln!("skipped: PERCEPT_CORPUS is not set");
        return None;
    };
    let mut files = Vec::new();
    for folder in ["gdl", "gdl-ii", "pogddl", "pogddl/problems"] {
        for entry in std::fs::read_dir(Path::new(&root).join(folder)).expect("the corpus has this folder") {
            let path = entry.expect("a readable folder").path();
            if path.is_file() {
                files.push((format!("{folder}/{}", path.file_name().unwrap().to_string_lossy()), path));
            }
        }
    }
    files.sort();
    assert!(files.len() > 300, "the corpus is whole");
    Some(files)
}

fn read(path: &Path) -> Source {
    let bytes = std::fs::read(path).unwrap();
    let language = Language::detect(path, &String::from_utf8_lossy(&bytes)).expect("a game");
    Source::from_bytes(bytes, language).expect("text")
}

#[test]
fn syntax_errors_per_file() {
    let Some(files) = corpus() else { return };
    let mut report = format!("{} files\n", files.len());
    for (name, path) in files {
        let source = read(&path);
        support::check_ranges(&source);
        if !source.errors.is_empty() {
            report.push_str(&format!("{name}: {}\n", source.errors.len()));
        }
    }
    // 7wonders uses lists without a name as tuples: `(buy ?card (?p ?coins ?neighbour2 ?coins2))`.
    // Coin is the broken draft that the reference parser refuses, too.
    expect![[r#"
        319 files
        gdl-ii/7wonders.kif: 17
        pogddl/Coin.pog: 5
    "#]]
    .assert_eq(&report);
}

#[test]
fn the_broken_draft() {
    let Some(files) = corpus() else { return };
    let Some((_, path)) = files.iter().find(|(name, _)| name == "pogddl/Coin.pog") else { panic!("Coin.pog is there") };
    let source = read(path);
    let errors: String = source.errors.iter().map(|error| format!("{:?} {}\n", error.range, error.message)).collect();
    expect![[r#"
        1..8 write `define`, without the `:`
        73..74 this `(` is never closed: a `)` is missing before `(:constants` begins
        279..289 this stands outside every section: does a `)` close `(:predicates` too early? Sections begin with a keyword such as `:action`
        655..656 a receiver gets one message here: close it with `)` before the next one
        2307..2316 variables are listed in parentheses: `(?x - type)`
    "#]].assert_eq(&errors);
}
