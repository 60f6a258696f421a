//! The promises of the README work.

use crate::support::{percept, root};

#[test]
fn the_first_command_works() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("there is a README");
    let commands: Vec<&str> = readme.lines().filter_map(|line| line.strip_prefix("    cargo ")).collect();
    assert_eq!(commands[1], "test --workspace");
    let args: Vec<&str> = commands[0].strip_prefix("run -- ").expect("a run").split(' ').collect();
    let run = percept(&args);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    assert!(run.out.contains("white: knows its legal moves after every round of this match"), "{}", run.out);
    assert!(run.out.contains("white: does not know whether the match is over after rounds 3-4"), "{}", run.out);
}

#[test]
fn every_command_has_help_and_a_schema() {
    let page = std::fs::read_to_string(root().join("docs/commands.md")).expect("there is a page");
    let schema = std::fs::read_to_string(root().join("server/cli/schema.md")).expect("the schema is described");
    for command in ["check", "explain", "step", "play", "infoset", "observe", "prove", "advise", "bench"] {
        assert!(page.contains(&format!("`percept {command}")), "the page does not list {command}");
        assert!(schema.contains(&format!("| `{command}")), "the schema of {command} is not described");
    }
    for command in ["fmt", "convert", "generate", "lsp"] {
        assert!(page.contains(&format!("percept {command}")), "the page does not list {command}");
    }
}

#[test]
fn the_page_of_commands_has_the_sections_of_the_help() {
    let help = percept(&["--help"]);
    assert_eq!((help.code, help.err.as_str()), (0, ""));
    let page = std::fs::read_to_string(root().join("docs/commands.md")).expect("there is a page");
    let (list, _) = help.out.split_once("\nOptions:").expect("the options follow the commands");
    let (_, list) = list.split_once("\nBegin with:\n").expect("the list starts with examples");
    let mut commands = 0;
    for group in list.trim_end().split("\n\n").skip(1) {
        let (heading, lines) = group.split_once(":\n").expect("a heading with commands");
        let (_, section) = page.split_once(&format!("\n## {heading}\n")).expect(heading);
        let section = section.split("\n## ").next().unwrap_or_default();
        for name in lines.lines().filter_map(|line| line.split_whitespace().next()) {
            assert!(section.contains(&format!("`percept {name}")), "{heading} does not list {name}");
            let own = percept(&["help", name]);
            assert!(own.out.contains(&format!("Example: percept {name}")), "{}", own.out);
            commands += 1;
        }
    }
    assert!(commands > 20, "only {commands} commands are listed");
}
