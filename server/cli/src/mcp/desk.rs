//! The files that one call may see: those below the roots, and a folder of its own for the texts in its arguments.

use std::path::{Path, PathBuf};

use percept_report::files;
use percept_syntax::Language;
use schemars::JsonSchema;
use serde::Deserialize;
use tempfile::TempDir;

use crate::save;

/// The reason why a call is not made, with what to send instead.
pub(super) type Refusal = String;

/// A game in the arguments of a tool.
#[derive(Deserialize, JsonSchema, Clone, Debug, Default)]
pub(super) struct Game {
    /// The path of a GDL description or of a POGDDL problem.
    pub path: Option<String>,
    /// The text of a game, instead of a path. POGDDL: the problem with its domain before it, or the problem alone.
    pub text: Option<String>,
    /// POGDDL: the domain of the problem, as a text if `text` is given, else as a path. A path is needed only if the
    /// domain is not found by its name.
    pub domain: Option<String>,
}

/// A game as files.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub file: PathBuf,
    pub domain: Option<PathBuf>,
}

/// The files of one call.
pub(super) struct Desk {
    roots: Vec<PathBuf>,
    /// The call's own folder, and its path after links are followed.
    own: Option<(TempDir, PathBuf)>,
}

impl Desk {
    /// `roots`: the folders that the call may use; the first one is its working directory.
    pub(super) fn new(roots: Vec<PathBuf>) -> Desk {
        Desk { roots, own: None }
    }

    /// The folder to which paths are relative.
    pub(super) fn place(&self) -> PathBuf {
        self.roots.first().cloned().unwrap_or_else(std::env::temp_dir)
    }

    /// All folders that the call may use.
    pub(super) fn within(&self) -> Vec<PathBuf> {
        self.own.iter().map(|(_, own)| own.clone()).chain(self.roots.iter().cloned()).collect()
    }

    /// Removes the name of the call's own folder from an answer.
    pub(super) fn without_place(&self, text: &str) -> String {
        let Some((_, own)) = &self.own else { return text.to_string() };
        let own = own.display().to_string();
        text.replace(&format!("{own}/"), "").replace(&own, ".")
    }

    /// A file or folder that exists, below the roots.
    ///
    /// # Errors
    /// If it does not exist, or is not below them.
    pub(super) fn existing(&self, path: &str) -> Result<PathBuf, Refusal> {
        let whole = self.place().join(path);
        let real = whole.canonicalize().map_err(|error| {
            let near = self.namesake(path).map_or_else(|| self.roots(), |near| format!("Did you mean `{near}`?"));
            format!("cannot read `{path}`: {error}. {near}")
        })?;
        self.below_roots(path, &real)?;
        Ok(PathBuf::from(path))
    }

    /// A description of the same file name below the first root.
    fn namesake(&self, path: &str) -> Option<String> {
        let (name, place) = (Path::new(path).file_name()?, self.place());
        let found = files::searched(&place).into_iter().find(|it| it.file_name() == Some(name))?;
        Some(found.strip_prefix(&place).ok()?.display().to_string())
    }

    fn below_roots(&self, path: &str, real: &Path) -> Result<(), Refusal> {
        let is_below = |root: &PathBuf| root.canonicalize().is_ok_and(|root| real.starts_with(root));
        match self.roots.iter().any(is_below) {
            true => Ok(()),
            false => Err(format!("`{path}` is outside of the folders that may be used. {}", self.roots())),
        }
    }

    /// The sentence about the roots.
    fn roots(&self) -> String {
        match &self.roots[..] {
            [] => "No folder may be used: send the text instead of a path".to_string(),
            roots => {
                let roots: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
                format!("Send a path below {}, or the text itself as `text`", roots.join(" or "))
            }
        }
    }

    /// The game of a call as files.
    ///
    /// # Errors
    /// If there is not exactly one of `path` and `text`, a path is not allowed, or a text is in no known language.
    pub(super) fn game(&mut self, game: &Game) -> Result<Placed, Refusal> {
        match (&game.path, &game.text) {
            (Some(path), None) => {
                let domain = game.domain.as_deref().map(|domain| self.existing(domain)).transpose()?;
                Ok(Placed { file: self.existing(path)?, domain })
            }
            (None, Some(text)) => {
                let file = self.text("game", text)?;
                let domain = game.domain.as_deref().map(|domain| self.text("domain", domain)).transpose()?;
                Ok(Placed { file, domain })
            }
            (Some(_), Some(_)) => Err("send `path` or `text`, not both".to_string()),
            (None, None) => Err("send the game: its `path`, or its `text`".to_string()),
        }
    }

    /// Puts a description into the call's own folder.
    fn text(&mut self, name: &str, text: &str) -> Result<PathBuf, Refusal> {
        let ending = match Language::detect(Path::new(name), text) {
            Some(Language::GdlPrefix) => "kif",
            Some(Language::GdlInfix) => "hrf",
            Some(Language::Pogddl) => "pog",
            None => {
                return Err(format!(
                    "`{}` is in no language that Percept reads: GDL begins with `(role name)` or `role(name)`, POGDDL \
                     with `(define (domain name) ...)`",
                    if name == "game" { "text" } else { name }
                ));
            }
        };
        self.file(&format!("{name}.{ending}"), text)
    }

    /// Writes a file into the call's own folder.
    ///
    /// # Errors
    /// The system's error.
    pub(super) fn file(&mut self, name: &str, text: &str) -> Result<PathBuf, Refusal> {
        let path = self.own()?.join(name);
        save::write(&path, text.as_bytes()).map_err(|error| format!("the text could not be kept: {error}"))?;
        Ok(path)
    }

    /// The call's own folder.
    ///
    /// # Errors
    /// The system's error.
    pub(super) fn own(&mut self) -> Result<PathBuf, Refusal> {
        if let Some((_, own)) = &self.own {
            return Ok(own.clone());
        }
        let failed = |error| format!("no folder could be made for the text: {error}");
        let made = tempfile::Builder::new().prefix("percept-").tempdir().map_err(failed)?;
        let own = made.path().canonicalize().map_err(failed)?;
        self.own = Some((made, own.clone()));
        Ok(own)
    }
}
