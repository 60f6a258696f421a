//! The pages say what is so, and nothing is asked for that is not used.

use std::path::{Path, PathBuf};

use crate::support::root;

/// Files below a folder with one of these endings, without those that programs made.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && !matches!(&*name, "target" | "node_modules") {
            found.extend(files(&path, endings));
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn links_of_the_pages_lead_somewhere() {
    let mut checked = 0;
    for page in files(&root(), &[".md"]) {
        for piece in read(&page).split("](").skip(1) {
            let target = piece.split([')', '#']).next().unwrap_or_default();
            if target.is_empty() || target.contains("://") || target.contains(char::is_whitespace) {
                continue;
            }
            checked += 1;
            let path = page.parent().expect("a folder").join(target);
            assert!(path.exists(), "{} links to {target}, which is not there", page.display());
        }
    }
    assert!(checked > 15, "only {checked} links were found");
}

/// Every line of an example stands in the file that its fence names.
#[test]
fn the_examples_of_contributing_are_true() {
    let page = read(&root().join("CONTRIBUTING.md"));
    let mut lines = page.lines();
    let mut checked = 0;
    while let Some(line) = lines.next() {
        let Some((_, file)) = line.strip_prefix("```").and_then(|fence| fence.split_once(' ')) else { continue };
        let text = read(&root().join(file));
        for line in lines.by_ref().take_while(|line| *line != "```") {
            assert!(text.lines().any(|other| other == line), "{file} has no line `{line}`");
            checked += 1;
        }
    }
    assert!(checked > 12, "only {checked} lines were found");
    for name in page.split('`').skip(1).step_by(2).filter(|name| name.starts_with("server/")) {
        assert!(root().join(name).exists(), "{name} is not there");
    }
}

/// A crate that is named and never used costs everybody its build.
#[test]
fn dependencies_are_used() {
    let mut unused = Vec::new();
    let crates: Vec<PathBuf> = files(&root().join("server"), &["Cargo.toml"]);
    assert!(crates.len() > 6, "{crates:?}");
    for manifest in crates.into_iter().chain([root().join("grammar/Cargo.toml")]) {
        let folder = manifest.parent().expect("a folder");
        let mut sources = files(folder, &[".rs"]);
        let table: toml::Table = read(&manifest).parse().expect("a manifest");
        // Tests that stand elsewhere are named.
        let tests = table.get("test").and_then(|tests| tests.as_array()).into_iter().flatten();
        for path in tests.filter_map(|test| test.get("path")?.as_str()) {
            sources.extend(files(folder.join(path).parent().expect("a folder"), &[".rs"]));
        }
        let code: Vec<String> = sources.iter().map(|path| read(path)).collect();
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let names = table.get(section).and_then(|section| section.as_table()).into_iter().flat_map(|it| it.keys());
            for name in names {
                let name = name.replace('-', "_");
                let is_used = |text: &String| {
                    [format!("{name}::"), format!("use {name}"), format!("{name}!")].iter().any(|it| text.contains(it))
                };
                if !code.iter().any(is_used) {
                    unused.push(format!("{}: {name}", manifest.display()));
                }
            }
        }
    }
    assert!(unused.is_empty(), "{}", unused.join("\n"));
}
