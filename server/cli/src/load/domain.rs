//! The domain of a POGDDL problem, found by its name on disk.

use std::path::{Path, PathBuf};

use percept_report::domain::{self, Disk, Missing};
use percept_report::files;
use percept_syntax::Source;

use crate::failure::Failure;

/// Finds and parses the domain with this name.
///
/// # Errors
/// Where none or several were found: where it was looked for and which domains are there.
pub fn find_domain(problem: &Path, name: &str) -> Result<(PathBuf, Source), Failure> {
    read(problem, domain::find(&Disk, &absolute(problem), name, &[]))
}

/// As [`find_domain`]; where there is none, a domain of the same folder with nearly the same name, or the only one there:
/// the mismatch is then for the analysis to report.
///
/// # Errors
/// Those of [`find_domain`].
pub fn find_domain_or_near(problem: &Path, name: &str) -> Result<(PathBuf, Source), Failure> {
    read(problem, domain::find_or_near(&Disk, &absolute(problem), name, &[]))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

fn read(problem: &Path, found: Result<PathBuf, Missing>) -> Result<(PathBuf, Source), Failure> {
    let path = found.map_err(|missing| {
        let message = match &missing {
            Missing::Several { .. } => format!("which domain does {} need? {}", problem.display(), missing.message()),
            Missing::Nowhere { name, .. } => {
                format!("{} needs the domain `{name}`, which was not found", problem.display())
            }
        };
        missing.notes().into_iter().fold(Failure::new(message), Failure::note)
    })?;
    let source = files::source(&path)?;
    Ok((path, source))
}
