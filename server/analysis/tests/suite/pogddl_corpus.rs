//! Published POGDDL files: their findings were judged by hand once and are pinned.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use percept_analysis::{Diagnostic, FileId, Settings, check_pddl};
use percept_syntax::{Language, Source};
use percept_test::{entries, folder, lossy};

fn read(folder: PathBuf) -> Vec<(String, Source)> {
    let mut paths = entries(folder);
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pog"));
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), Source::parse(lossy(path), Language::Pogddl))).collect()
}

/// `coin-1` belongs to `Coin`, although it names another domain; `battleship-1.4` to `LongBattleship`.
fn domain_of<'s>(problem: &str, source: &Source, domains: &'s [(String, Source)]) -> &'s Source {
    let wanted = source.problem().and_then(|problem| problem.domain.as_ref()).expect("a problem names its domain");
    let by_name = domains.iter().find(|(_, domain)| {
        domain.domain().and_then(|domain| domain.name.as_ref()).is_some_and(|name| name.is(&wanted.text))
    });
    let stem = problem.split('-').next().unwrap_or_default();
    let by_file = domains.iter().find(|(file, _)| file.eq_ignore_ascii_case(stem));
    &by_name.or(by_file).expect("every problem has its domain").1
}

fn line(source: &Source, d: &Diagnostic) -> String {
    let before = &source.text[..d.range.start as usize];
    let line = before.matches('\n').count() + 1;
    let token: String = source.text[d.range.as_usize()].split_whitespace().collect::<Vec<_>>().join(" ");
    let token: String = token.chars().take(50).collect();
    format!("{line}: {:?} {} `{token}`: {}", d.severity, d.rule.name, d.message)
}

/// Domains alone, then problems with their domains; problems with the same findings together.
fn findings(folder: PathBuf) -> String {
    let domains = read(folder.clone());
    let mut text = String::new();
    for (name, source) in &domains {
        text += &format!("== {name} alone\n");
        for d in check_pddl(Some(source), None, &Settings::default()) {
            text += &format!("{}\n", line(source, &d));
        }
    }
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, source) in read(folder.join("problems")) {
        let domain = domain_of(&name, &source, &domains);
        let alone = check_pddl(Some(domain), None, &Settings::default());
        let list = check_pddl(Some(domain), Some(&source), &Settings::default());
        let is_new = |d: &&Diagnostic| !alone.iter().any(|other| other.range == d.range && other.message == d.message);
        let new = list.iter().filter(|d| d.file == FileId(1) || is_new(d));
        let show = |d: &Diagnostic| match d.file {
            FileId(0) => format!("in the domain, {}\n", line(domain, d)),
            _ => format!("{}\n", line(&source, d)),
        };
        groups.entry(new.map(show).collect()).or_default().push(name);
    }
    for (findings, names) in groups {
        text += &format!("== with {}\n{findings}", names.join(" "));
    }
    text
}

/// Each of these was compared with its file by hand; `UPDATE_EXPECT=1` writes them again.
#[test]
#[ignore = "needs PERCEPT_CORPUS"]
fn published_files_have_these_findings() {
    let folder = folder("PERCEPT_CORPUS").join("pogddl");
    expect_test::expect_file!["../snapshots/pogddl-corpus.txt"].assert_eq(&findings(folder));
}
