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
    assert!(run.out.contains("white: does not know whether the match is over after round 3-4"), "{}", run.out);
}

#[test]
fn every_command_has_help_and_a_schema() {
    let page = std::fs::read_to_string(root().join("docs/commands.md")).expect("there is a page");
    let schema = std::fs::read_to_string(root().join("server/cli/schema.md")).expect("the schema is described");
    for command in ["check", "explain", "step", "play", "infoset", "observe", "prove", "advise", "bench"] {
        assert!(page.contains(&format!("`percept {command}")), "the page does not tell of {command}");
        assert!(schema.contains(&format!("| `{command}")), "the schema of {command} is not described");
    }
    for command in ["fmt", "convert", "generate", "lsp"] {
        assert!(page.contains(&format!("percept {command}")), "the page does not tell of {command}");
    }
    let help = percept(&["--help"]);
    assert_eq!(help.code, 0);
}
