//! The domain of a POGDDL problem, found by its name on disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use percept_report::load::LoadError;
use percept_report::workspace::{self, OnDisk};
use percept_syntax::Source;

use crate::failure::Failure;

/// Finds and parses the domain with this name; where there is none, a domain of the same folder with nearly the same name, or the only one there:
/// the mismatch is then for the analysis to report. `roots` are the folders that the command was given.
///
/// # Errors
/// Where none or several were found: where it was looked for and which domains are there.
pub(crate) fn find_domain_or_near(problem: &Path, name: &str, roots: &[PathBuf]) -> Result<(PathBuf, Source), Failure> {
    let absolute = std::path::absolute(problem).unwrap_or_else(|_| problem.to_path_buf());
    let found = workspace::domain_of(&OnDisk(roots), Some(&absolute), name);
    let found =
        found.map_err(|missing| LoadError::Domain { problem: problem.to_path_buf(), missing: missing.into() })?;
    Ok(Arc::unwrap_or_clone(found))
}
