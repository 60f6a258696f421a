//! Published games: their findings were judged by hand once and are pinned.

use std::collections::BTreeMap;

use percept_analysis::{Diagnostic, Settings, Severity, check};
use percept_syntax::{Language, Source};
use percept_test::{entries, file_name, folder, lossy};

/// The files of a folder of the corpus, by name.
fn files(name: &str) -> Vec<(String, Source)> {
    let files = entries(folder("PERCEPT_CORPUS").join(name)).into_iter().map(|path| {
        let infix = path.extension().is_some_and(|extension| extension == "hrf");
        let language = if infix { Language::GdlInfix } else { Language::GdlPrefix };
        (file_name(&path), Source::parse(lossy(&path), language))
    });
    files.collect()
}

fn line(source: &Source, d: &Diagnostic) -> String {
    let before = &source.text[..d.range.start as usize];
    let line = before.matches('\n').count() + 1;
    let token: String = source.text[d.range.as_usize()].chars().take(50).collect();
    format!("{line}: {:?} {} `{token}`: {}", d.severity, d.rule.name, d.message)
}

/// `PERCEPT_PRINT=error|warning|hint|rule-name` prints the findings.
#[test]
#[ignore = "needs PERCEPT_CORPUS"]
fn print_findings() {
    let Ok(wanted) = std::env::var("PERCEPT_PRINT") else { return };
    for folder in ["gdl", "gdl-ii"] {
        let files = files(folder);
        let mut totals = BTreeMap::new();
        for (name, source) in &files {
            for d in check(source, &Settings::default()) {
                *totals.entry((std::cmp::Reverse(d.severity), d.rule.name)).or_insert(0) += 1;
                let shown = match wanted.as_str() {
                    "error" => d.severity == Severity::Error,
                    "warning" => d.severity == Severity::Warning,
                    "all" => true,
                    rule => d.rule.name == rule,
                };
                if shown {
                    println!("{folder}/{name}:{}", line(source, &d));
                }
            }
        }
        println!("{folder}: {totals:#?}");
    }
}

/// Errors and warnings per file and rule, in the files that have any. Every error was read and judged: the GDL folder
/// is free of errors; those in the GDL-II folder are real (unsafe rules, parentheses in the wrong place, roles that do
/// not exist, `sees` as a condition, fluents without `true`).
#[test]
#[ignore = "needs PERCEPT_CORPUS"]
fn findings_in_published_games_are_pinned() {
    let mut pinned = String::new();
    for folder in ["gdl", "gdl-ii"] {
        let files = files(folder);
        for (name, source) in &files {
            let mut counts = BTreeMap::new();
            for d in check(source, &Settings::default()) {
                if d.severity >= Severity::Warning {
                    *counts.entry((std::cmp::Reverse(d.severity), d.rule.name)).or_insert(0) += 1;
                }
            }
            for ((severity, rule), count) in counts {
                pinned.push_str(&format!("{folder}/{name}: {count} {:?} {rule}\n", severity.0));
            }
        }
    }
    assert!(!pinned.lines().any(|line| line.starts_with("gdl/") && line.contains(" Error ")), "{pinned}");
    expect_test::expect_file!["../corpus.expect"].assert_eq(&pinned);
}

/// Every error and warning in the published GDL-II games by its line, with the judgement of a reader: `file:line rule
/// token | judgement`. `UPDATE_EXPECT=1` writes the findings again and keeps the judgements. A new finding has none and
/// has to be judged.
#[test]
#[ignore = "needs PERCEPT_CORPUS"]
fn findings_in_gdl_ii_games_are_judged() {
    let files = files("gdl-ii");
    let path = percept_test::path("server/analysis/tests/gdl-ii-judged.txt");
    let pinned = std::fs::read_to_string(&path).unwrap_or_default();
    let judgements: BTreeMap<&str, &str> = pinned.lines().filter_map(|line| line.split_once(" | ")).collect();
    let mut fresh = String::new();
    for (name, source) in &files {
        for d in check(source, &Settings::default()).iter().filter(|d| d.severity >= Severity::Warning) {
            let line = source.text[..d.range.start as usize].matches('\n').count() + 1;
            let token: String = source.text[d.range.as_usize()].split_whitespace().collect::<Vec<_>>().join(" ");
            let token: String = token.chars().take(40).collect();
            let finding = format!("{name}:{line} {} `{token}`", d.rule.name);
            let judgement = judgements.get(finding.as_str()).copied().unwrap_or("to be judged");
            fresh.push_str(&format!("{finding} | {judgement}\n"));
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &fresh).expect("a writable file");
    }
    assert_eq!(fresh, std::fs::read_to_string(&path).unwrap_or_default(), "see {}", path.display());
    assert!(!fresh.contains("to be judged"), "judge these: {fresh}");
}

/// A hundred warnings of the rules of the text, drawn at random (seed 12) from all in the published games and judged by
/// hand: `folder/file:line rule token | true: reason` or `false: reason`. A finding judged false must not return, one
/// judged true must be found, and fewer than one in twenty may be false. An error in a file that the field's parsers
/// accept is false by definition: the other tests here check those. Sixty more, of which none was false, are drawn from
/// all warnings of `percept check` in the published games of both languages (seed 31415926, one for each rule and
/// file). Those in GDL are listed after the hundred.
#[test]
#[ignore = "needs PERCEPT_CORPUS"]
fn a_hundred_random_warnings_are_judged() {
    let judged = include_str!("../gdl-judged.txt");
    let mut found = std::collections::BTreeSet::new();
    for folder in ["gdl", "gdl-ii"] {
        let files = files(folder);
        for (name, source) in &files {
            let warnings = check(source, &Settings::default());
            for d in warnings.iter().filter(|d| d.severity == Severity::Warning) {
                let line = source.text[..d.range.start as usize].matches('\n').count() + 1;
                let token = source.text[d.range.as_usize()].lines().next().unwrap_or_default();
                let token: String = token.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(40).collect();
                found.insert(format!("{folder}/{name}:{line} {} `{}`", d.rule.name, token.trim_end()));
            }
        }
    }
    let (mut count, mut wrong, mut faults) = (0, 0, Vec::new());
    for line in judged.lines() {
        let (finding, judgement) = line.split_once(" | ").unwrap_or_else(|| panic!("no judgement: {line}"));
        let is_true = judgement.starts_with("true: ");
        assert!(is_true || judgement.starts_with("false: "), "{line}");
        count += 1;
        wrong += usize::from(!is_true);
        if found.contains(finding) != is_true {
            faults.push(line);
        }
    }
    assert!(faults.is_empty(), "judged false and found, or judged true and not found: {faults:#?}");
    assert!(count >= 100 && wrong * 20 < count, "{wrong} of {count} are false");
}
