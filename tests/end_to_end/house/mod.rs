//! The pages are true, and every dependency is used.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{read, root};
use modules::Modules;

mod modules;
mod words;

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

/// Every line of an example is in the file named by its fence.
#[test]
fn the_examples_of_contributing_are_true() {
    let page = read(root().join("CONTRIBUTING.md"));
    let mut lines = page.lines();
    let mut checked = 0;
    while let Some(line) = lines.next() {
        let Some((_, file)) = line.strip_prefix("```").and_then(|fence| fence.split_once(' ')) else { continue };
        let text = read(root().join(file));
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

/// A module with modules below it is `name/mod.rs`, never `name.rs` beside a folder `name`.
#[test]
fn modules_are_laid_out_in_one_way() {
    let sources: Vec<PathBuf> = ["server", "tests"].iter().flat_map(|top| files(&root().join(top), &[".rs"])).collect();
    assert!(sources.len() > 300, "only {} files were found", sources.len());
    let split: Vec<&PathBuf> = sources.iter().filter(|file| file.with_extension("").is_dir()).collect();
    assert!(split.is_empty(), "move into their folders, as `mod.rs`: {split:?}");
}

/// The crates that `server/python` names only for their features: see [`libraries_are_built_once`].
const FEATURES: &[&str] = &[
    "base64",
    "chrono",
    "libc",
    "schemars",
    "serde",
    "serde_core",
    "regex-syntax",
    "smallvec",
    "syn",
    "syn-2",
    "toml_edit",
];

/// An unused dependency costs every build.
#[test]
fn dependencies_are_used() {
    let mut unused = Vec::new();
    let crates: Vec<PathBuf> = files(&root().join("server"), &["Cargo.toml"]);
    assert!(crates.len() > 6, "{crates:?}");
    for manifest in crates.into_iter().chain([root().join("grammar/Cargo.toml")]) {
        let folder = manifest.parent().expect("a folder");
        let mut sources = files(folder, &[".rs"]);
        let table: toml::Table = read(&manifest).parse().expect("a manifest");
        // Tests in other folders are named.
        let tests = table.get("test").and_then(|tests| tests.as_array()).into_iter().flatten();
        for path in tests.filter_map(|test| test.get("path")?.as_str()) {
            sources.extend(files(folder.join(path).parent().expect("a folder"), &[".rs"]));
        }
        let code: Vec<String> = sources.iter().map(read).collect();
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let named = table.get(section).and_then(|section| section.as_table()).into_iter().flatten();
            // One exact version pins what another library asks for.
            let is_pin = |value: &toml::Value| value.as_str().is_some_and(|version| version.starts_with('='));
            let is_for_features =
                |name: &String| manifest.ends_with("python/Cargo.toml") && FEATURES.contains(&name.as_str());
            for (name, _) in named.filter(|(name, value)| !is_pin(value) && !is_for_features(name)) {
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

/// The README's second command builds the tests, but none of the libraries that the first command built; the same is
/// true of the Python package.
#[test]
fn libraries_are_built_once() {
    let libraries = |of: &[&str]| -> BTreeSet<String> {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(root()).args(["tree", "--offline", "--prefix", "none", "--format", "{p} {f}"]).args(of);
        let output = cargo.output().expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let listed = String::from_utf8(output.stdout).expect("a list");
        listed.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
    };
    let program = libraries(&["--package", "percept", "--edges", "normal,build"]);
    assert!(program.len() > 100, "{program:?}");
    let tests = libraries(&["--workspace", "--edges", "normal,build,dev"]);
    let again: Vec<&String> = program.difference(&tests).collect();
    assert!(again.is_empty(), "built twice: {again:#?}");
    let package = libraries(&["--package", "percept-python", "--edges", "normal,build"]);
    let name = |line: &str| line.split(" v").next().map(str::to_owned);
    let shared: BTreeSet<Option<String>> = program.iter().map(|line| name(line)).collect();
    let again: Vec<&String> = package.difference(&program).filter(|line| shared.contains(&name(line))).collect();
    assert!(again.is_empty(), "built twice, add their features to server/python/Cargo.toml: {again:#?}");
}

/// The allowed cycles, by crate: sibling modules, each with all that is below it. None may be added.
const CIRCLES: &[(&str, &[&str])] = &[
    ("server/analysis", &["findings", "rules", "settings", "suppress"]),
    ("server/analysis", &["ide/domains", "ide/gdl_index", "ide/index", "ide/pddl_index"]),
    ("server/analysis", &["rules/pogddl/argument_type", "rules/pogddl/unclear_roles"]),
    ("server/cli", &["bench/lsp", "bench/seen"]),
    ("server/cli", &["tui/app", "tui/ask"]),
    (
        "server/game",
        &[
            "bound", "circuit", "compiled", "game", "gdl", "plain", "play", "pogddl", "rules", "stepper", "view",
            "written",
        ],
    ),
    ("server/game", &["gdl/asking", "gdl/join", "gdl/table"]),
    ("server/game", &["gdl/found", "gdl/prepare", "gdl/saturate"]),
    ("server/game", &["gdl/lower", "gdl/unify"]),
    ("server/game", &["plain/read/negation", "plain/read/rule"]),
    ("server/game", &["pogddl/bounds", "pogddl/engine", "pogddl/step"]),
    ("server/game", &["pogddl/ground", "pogddl/rules", "pogddl/supply"]),
    ("server/judge", &["exhaust", "watch"]),
    ("server/judge", &["rules/alternatives", "rules/dead_rule"]),
    (
        "server/players",
        &["strategies/cfr", "strategies/grave", "strategies/ismcts", "strategies/search", "strategies/uct"],
    ),
    ("server/report", &["board/infer", "board/survey"]),
    ("server/report", &["repair/declare", "repair/gdl"]),
    ("server/syntax", &["flood", "forms", "gdl", "lex", "nest", "pddl", "source"]),
    (
        "server/syntax",
        &["pddl/action", "pddl/beyond", "pddl/condition", "pddl/declare", "pddl/effect", "pddl/init", "pddl/lower"],
    ),
    ("server/syntax", &["pddl/ast", "pddl/placed"]),
    ("tests/random_rules", &["gdl", "graph"]),
];

/// A module and the modules inside it may use each other.
#[test]
fn modules_do_not_know_each_other_in_circles() {
    let (mut crates, mut modules) = (0, 0);
    let mut allowed: BTreeSet<(String, Vec<String>)> = CIRCLES
        .iter()
        .map(|(name, circle)| (name.to_string(), circle.iter().map(|it| it.to_string()).collect()))
        .collect();
    let mut found = Vec::new();
    for manifest in files(&root(), &["Cargo.toml"]) {
        let folder = manifest.parent().expect("a folder");
        let source = folder.join("src");
        if !source.join("lib.rs").exists() && !source.join("main.rs").exists() {
            continue;
        }
        let inside = folder.strip_prefix(root()).expect("a folder of the project");
        let name = inside.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
        let all = Modules::of(&source);
        (crates, modules) = (crates + 1, modules + all.files());
        for (circle, knows) in all.circles() {
            let circle = (name.clone(), circle);
            if !allowed.remove(&circle) {
                found.push(format!("{name}: {}\n  {}", circle.1.join(", "), knows.join("\n  ")));
            }
        }
    }
    assert!(crates > 12 && modules > 700, "only {crates} crates with {modules} modules were found");
    let gone: Vec<String> = allowed.iter().map(|(name, circle)| format!("{name}: {}", circle.join(", "))).collect();
    assert!(
        found.is_empty() && gone.is_empty(),
        "modules that know each other in a circle, but not in the list:\n{}\nno circle any more, so take it from the list:\n{}",
        found.join("\n"),
        gone.join("\n")
    );
}

/// Only one source of a folder uses these functions; `instead` names the function to call. Tests may.
fn goes_one_way(folder: &str, one: &str, ways: &[&str], instead: &str) {
    let sources = files(&root().join(folder), &[".rs"]);
    let own = |path: &&PathBuf| !path.ends_with(one) && !path.to_string_lossy().contains("/tests");
    for path in sources.iter().filter(own) {
        let text = read(path);
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for way in ways {
            assert!(!code.contains(way), "{} uses `{way}`: call {instead}", path.display());
        }
    }
}

/// Commands write files in one way (`save`), so that none can be cut off or written through a link.
#[test]
fn files_are_written_in_one_way() {
    goes_one_way("server/cli/src", "src/save.rs", &["fs::write(", "File::create", "OpenOptions"], "`save::file`");
}

/// Output is cleaned (`output.rs`): untrusted names and comments could otherwise act on a terminal.
#[test]
fn output_goes_one_way() {
    let ways = ["print!(", "println!(", "io::stdout().lock", "io::stderr().lock", "writeln!(std::io"];
    goes_one_way("server/cli", "src/output.rs", &ways, "`output::print` or its like");
}
