//! The command line of Percept: reads arguments and files, calls the crates below, prints.
//!
//! One file per command under `commands/`; `load` turns paths into games and traces; `help` groups the commands and has
//! an example of each. Exit codes: 0 no problem, 1 a problem in the game, 2 the command failed, 3 undecided, 130
//! Ctrl-C.
//!
//! ## Where a change belongs
//!
//! | to | go to |
//! | --- | --- |
//! | add a command or an option | `args.rs` (and `args/`), `help.rs`, and one file in `commands` |
//! | add another kind of expectation | `commands/test`: `format.rs` (and `docs/testing.md`), `ask.rs` names the command, `compare.rs` asks and compares |
//! | change the files of a new game | `commands/new/templates` |
//! | change a report | `commands/<command>`, `show.rs`; lines are broken in `wrap.rs`; JSON is described in `schema.md` |
//! | keep a limit of time or memory, or end soon after Ctrl-C | `limits.rs`; work receives its limits by `work.rs`; `late.rs` abandons it |
//! | write a file | `save.rs`: the one way to do it |
//! | add a tool for assistants | `mcp/tools`: its arguments, and the command that answers |
//! | change the terminal stepper | `tui` (painting, keys); its model is `server/game/src/stepper` |

#![warn(unreachable_pub)]

mod args;
#[cfg(feature = "bench")]
#[path = "../bench/mod.rs"]
mod bench;
mod commands;
mod failure;
mod followed;
mod help;
mod late;
mod limits;
mod load;
mod mcp;
mod output;
mod pace;
mod pieces;
mod save;
mod show;
mod tui;
mod watch;
mod work;
mod wrap;

// Used only for its features; Cargo.toml has the reasons.
use regex_syntax as _;

use std::process::ExitCode;

use clap::FromArgMatches;

use args::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::from_arg_matches(&help::parser().get_matches()).unwrap_or_else(|error| error.exit());
    // The language server ends with its editor.
    if !matches!(cli.command, Command::Lsp(_) | Command::Mcp(_)) {
        limits::keep(cli.memory);
    }
    if !cli.within.is_empty() {
        percept_syntax::confine(&cli.within);
    }
    work::show(cli.progress);
    let outcome = match cli.command {
        Command::Check(args) => commands::check::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Step(args) => commands::step::run(&args),
        Command::Play(args) => commands::play::run(&args),
        Command::Infoset(args) => commands::infoset::run(&args),
        Command::Observe(args) => commands::observe::run(&args),
        Command::Prove(args) => commands::prove::run(&args),
        Command::Advise(args) => commands::advise::run(&args),
        Command::Solve(args) => commands::solve::run(&args),
        Command::Worth(args) => commands::worth::run(&args),
        Command::Match(args) => commands::matches::run(&args),
        Command::Table(args) => commands::table::run(&args),
        Command::Debrief(args) => commands::debrief::run(&args),
        Command::Player(args) => commands::player::run(&args),
        Command::Tournament(args) => commands::tournament::run(&args),
        Command::Learn(args) => commands::learn::run(&args),
        Command::Export(args) => commands::export::run(&args),
        Command::New(args) => commands::new::run(&args),
        Command::Test(args) => commands::test::run(&args),
        Command::Fmt(args) => commands::fmt::run(&args),
        Command::Convert(args) => commands::convert::run(&args),
        Command::Generate(args) => commands::generate::run(&args),
        #[cfg(feature = "bench")]
        Command::Bench(args) => bench::run(&args),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Man(args) => commands::completions::man(&args),
        Command::Lsp(_) => return commands::lsp::run(),
        Command::Mcp(args) => mcp::run(&args, cli.memory),
    };
    let code = outcome.unwrap_or_else(|failure| {
        failure.print();
        failure.code()
    });
    if limits::is_out_of_memory() {
        output::say("note: work was ended early to stay within --memory");
    }
    // The partial results may be incomplete.
    ExitCode::from(match code {
        _ if limits::is_interrupted() => failure::INTERRUPTED,
        failure::OK if limits::is_out_of_memory() => failure::OPEN,
        _ => code,
    })
}
