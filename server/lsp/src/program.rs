//! Functions of the program that serves the protocol: commands of its command line that editors offer, too.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// The functions; by default the program has none.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Writes expectations beside a saved game, within a time limit for each. The error is for the user.
    pub begin_test: fn(&Path, Duration) -> Result<BegunTest, String>,
}

/// A new file of expectations.
#[derive(Clone, Debug)]
pub struct BegunTest {
    /// The path of the file.
    pub path: PathBuf,
    /// The text of the file.
    pub text: String,
}

impl Default for Program {
    fn default() -> Program {
        Program { begin_test: |_, _| Err("this server writes no expectations".into()) }
    }
}
