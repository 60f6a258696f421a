//! Runs the real binary and reads its output.

use std::path::Path;
use std::process::{Command, Output};

pub use percept_test::{read, root};
use serde_json::Value;

/// The result of a run of the binary.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// Runs `percept` in the project's root.
pub fn percept(args: &[&str]) -> Run {
    percept_in(&root(), args)
}

/// Runs `percept` in a folder.
pub fn percept_in(folder: &Path, args: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_percept")).current_dir(folder).args(args).output();
    let Output { status, stdout, stderr } = output.expect("the binary starts");
    Run {
        code: status.code().expect("the binary ends by itself"),
        out: String::from_utf8(stdout).expect("output is UTF-8"),
        err: String::from_utf8(stderr).expect("errors are UTF-8"),
    }
}

impl Run {
    /// The answer of a command that ran with `--format json`.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}\n{}\n{}", self.out, self.err))
    }
}

/// A folder of this test's own.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("there is a place for temporary files")
}

/// Writes a file into a folder and returns its path.
pub fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("the folder can be written to");
    path.to_str().expect("temporary paths are UTF-8").to_string()
}

/// Sends Ctrl-C to a process.
pub fn interrupt(process: &std::process::Child) {
    let sent = std::process::Command::new("kill").args(["-INT", &process.id().to_string()]).status().expect("kill");
    assert!(sent.success());
}
