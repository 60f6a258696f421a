//! `percept --help`: the commands grouped by purpose, and an example at the top of each command's help.

use std::fmt::Write;

use clap::{Command, CommandFactory};

use crate::args::Cli;

/// A purpose, and its commands with an example each.
type Group = (&'static str, &'static [(&'static str, &'static str)]);

/// The groups, in the order of the page. A test checks that every command is in one.
const GROUPS: &[Group] = &[
    (
        "Write",
        &[
            ("new", "new night-ships --like hidden-move"),
            ("check", "check games/kuhn-poker"),
            ("explain", "explain unsafe-variable"),
            ("fmt", "fmt --check games"),
            ("convert", "convert game.kif --to hrf -o game.hrf"),
            ("test", "test games"),
        ],
    ),
    (
        "Step and play",
        &[
            ("step", "step game.kif match.trace"),
            ("play", "play game.kif -n 1000 --coverage"),
            ("table", "table game.kif --seat black=auto"),
            ("debrief", "debrief matches.jsonl --html report.html"),
        ],
    ),
    (
        "Know",
        &[
            ("observe", "observe game.kif match.trace --role white"),
            ("prove", "prove game.kif --time 1m"),
            ("infoset", "infoset game.kif match.trace --role white"),
        ],
    ),
    (
        "Solve",
        &[
            ("solve", "solve game.kif"),
            ("worth", "worth game.kif"),
            ("advise", "advise game.kif match.trace --role white"),
            ("learn", "learn game.kif --out game.safetensors"),
        ],
    ),
    (
        "Compete",
        &[
            ("match", "match game.kif --role white=human"),
            ("tournament", "tournament game.kif --players auto,random --out results.jsonl"),
            ("player", "player --port 9147"),
        ],
    ),
    (
        "Exchange",
        &[
            ("export", "export game.kif --to efg -o game.efg"),
            ("generate", "generate -o problem.pog racko --slots 5 --cards 20"),
        ],
    ),
    (
        "Maintain",
        &[
            ("lsp", "lsp"),
            ("mcp", "mcp games"),
            ("completions", "completions bash"),
            ("man", "man --output share/man/man1"),
            ("bench", "bench engine games/tic-tac-toe"),
        ],
    ),
];

/// The commands for a first hour, with the question that each answers.
const FIRST: &[(&str, &str)] =
    &[("check", "is the game right?"), ("step", "what happens in a match?"), ("observe", "who knows what?")];

/// The command line's parser with its help pages.
pub(crate) fn parser() -> Command {
    let mut cli = Cli::command();
    let page = page(&cli);
    for (name, example) in GROUPS.iter().flat_map(|(_, commands)| *commands) {
        if cli.find_subcommand(name).is_some() {
            cli = cli.mut_subcommand(name, |it| it.before_help(format!("Example: percept {example}")));
        }
    }
    cli.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{page}\nOptions:\n{{options}}{{after-help}}"
    ))
}

/// The list of commands, by group.
fn page(cli: &Command) -> String {
    let mut page = String::from("Begin with:\n");
    for (name, question) in FIRST {
        let _ = writeln!(page, "  {name:<12} {question}");
    }
    for (title, commands) in GROUPS {
        let _ = writeln!(page, "\n{title}:");
        for command in commands.iter().filter_map(|(name, _)| cli.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(page, "  {:<12} {about}", command.get_name());
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, commands)| *commands).map(|(name, _)| *name).collect();
        let cli = Cli::command();
        let commands: BTreeSet<&str> = cli.get_subcommands().map(Command::get_name).collect();
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), commands);
        assert_eq!(listed.len(), commands.len(), "a command is listed twice");
        assert!(FIRST.iter().all(|(name, _)| commands.contains(name)));
    }

    /// An option of a command with the name of a global one would be read as the other type, and fail.
    #[test]
    fn no_option_has_the_name_of_a_global_one() {
        let cli = Cli::command();
        let global: BTreeSet<_> = cli.get_arguments().filter(|it| it.is_global_set()).map(|it| it.get_id()).collect();
        assert!(!global.is_empty());
        let mut commands: Vec<&Command> = cli.get_subcommands().collect();
        while let Some(command) = commands.pop() {
            let double = command.get_arguments().find(|it| global.contains(it.get_id()));
            assert!(double.is_none(), "{}: {double:?}", command.get_name());
            commands.extend(command.get_subcommands());
        }
    }

    #[test]
    fn examples_are_valid_command_lines() {
        for (_, example) in GROUPS.iter().flat_map(|(_, commands)| *commands) {
            let words = std::iter::once("percept").chain(example.split(' '));
            assert!(parser().try_get_matches_from(words).is_ok(), "{example}");
        }
    }
}
