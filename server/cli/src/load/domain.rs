//! The domain of a POGDDL problem, found by its name on disk.

use std::path::{Path, PathBuf};

use percept_report::domain::{self, Disk, Missing};
use percept_report::files;
use percept_report::load::LoadError;
use percept_syntax::Source;

use crate::failure::Failure;

/// Finds and parses the domain with this name; where there is none, a domain of the same folder with nearly the same name, or the only one there:
/// the mismatch is then for the analysis to report. `roots` are the folders that the command was given.
///
/// # Errors
/// Where none or several were found: where it was looked for and which domains are there.
pub(crate) fn find_domain_or_near(problem: &Path, name: &str, roots: &[PathBuf]) -> Result<(PathBuf, Source), Failure> {
    read(problem, domain::find_or_near(&Disk, &absolute(problem), name, roots))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

fn read(problem: &Path, found: Result<PathBuf, Missing>) -> Result<(PathBuf, Source), Failure> {
    let path =
        found.map_err(|missing| LoadError::Domain { problem: problem.to_path_buf(), missing: missing.into() })?;
    let source = files::source(&path)?;
    Ok((path, source))
}
