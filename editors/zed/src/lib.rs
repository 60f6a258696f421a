//! Defines the command of the language server for Zed: `percept lsp`, with the `percept` on the `PATH` of the folder's
//! shell.

use zed_extension_api as zed;

struct Percept;

impl zed::Extension for Percept {
    fn new() -> Self {
        Percept
    }

    fn language_server_command(
        &mut self,
        _server: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<zed::Command> {
        let command =
            worktree.which("percept").ok_or("`percept` is not on the PATH: cargo install --path server/cli")?;
        Ok(zed::Command { command, args: vec!["lsp".to_string()], env: worktree.shell_env() })
    }
}

zed::register_extension!(Percept);
