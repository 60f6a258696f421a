//! The pages say what is so, and nothing is asked for that is not used.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::support::{read, root};

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
        let code: Vec<String> = sources.iter().map(read).collect();
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

/// The outermost modules of a crate, each with those that its files name: `crate::it`, and `super::it` in a file of the
/// outermost folder.
fn modules(source: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut modules: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in files(source, &[".rs"]) {
        let inside = path.strip_prefix(source).expect("a file of the crate").with_extension("");
        let parts: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if matches!(parts.last().map(String::as_str), Some("lib" | "main" | "tests")) {
            continue;
        }
        let text: String =
            read(&path).lines().map(|line| format!("{}\n", line.split("//").next().unwrap_or_default())).collect();
        let named = modules.entry(parts[0].clone()).or_default();
        let mut starts = vec!["crate::"];
        if parts.len() == 1 {
            starts.push("super::");
        }
        for start in starts {
            for rest in text.split(start).skip(1) {
                named.extend(heads(rest));
            }
        }
    }
    let known: BTreeSet<String> = modules.keys().cloned().collect();
    for (module, named) in &mut modules {
        named.retain(|other| known.contains(other) && other != module);
    }
    modules
}

/// The first words of a path: one, or those of a group in braces.
fn heads(rest: &str) -> Vec<String> {
    let word = |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(group) = rest.strip_prefix('{') else { return vec![word(rest)] };
    let (mut depth, mut heads, mut begin) = (0, Vec::new(), 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                heads.push(word(&group[begin..at]));
                begin = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    heads
}

/// All that can be reached from a module.
fn reached(from: &str, modules: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from.to_owned()]);
    while let Some(module) = open.pop() {
        for next in &modules[&module] {
            if seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    seen
}

#[test]
fn modules_do_not_know_each_other_in_circles() {
    let mut crates = 0;
    let mut found: BTreeSet<(String, Vec<String>)> = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("server")).expect("the crates").flatten() {
        let (name, source) = (entry.file_name().to_string_lossy().into_owned(), entry.path().join("src"));
        if !source.is_dir() {
            continue;
        }
        crates += 1;
        let modules = modules(&source);
        let reach: BTreeMap<&String, BTreeSet<String>> =
            modules.keys().map(|module| (module, reached(module, &modules))).collect();
        for (module, seen) in &reach {
            let circle: Vec<String> = seen.iter().filter(|other| reach[other].contains(*module)).cloned().collect();
            if !circle.is_empty() {
                found.insert((name.clone(), circle));
            }
        }
    }
    assert!(crates > 7, "only {crates} crates were found");
    assert!(found.is_empty(), "modules that know each other in a circle: {found:#?}");
}
