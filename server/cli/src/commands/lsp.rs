//! `percept lsp`: the language server.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use percept_lsp::{BegunTest, Program};
use serde::Deserialize;

pub(crate) fn run() -> ExitCode {
    percept_lsp::run(Program { begin_test })
}

/// The answer of `percept test --begin`.
#[derive(Deserialize)]
struct Answer {
    begun: std::path::PathBuf,
    text: String,
}

/// Runs `percept test --begin` in a process of its own: its limits on time and memory end the process.
fn begin_test(game: &Path, time: Duration) -> Result<BegunTest, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let seconds = time.as_secs_f64().to_string();
    let mut command = Command::new(program);
    command.args(["test", "--format", "json", "--time", &seconds, "--begin"]).arg(game).stdin(Stdio::null());
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        let error = error.trim().trim_start_matches("error: ").to_string();
        return Err(if error.is_empty() { "the game could not be tested".to_string() } else { error });
    }
    let answer: Answer = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    Ok(BegunTest { path: answer.begun, text: answer.text })
}
