//! The domain of a POGDDL problem, found by its name: in the same folder, in the folders above, in the workspace.

use std::path::{Path, PathBuf};

use percept_syntax::{Name, Source};

use super::text;
use crate::failure::Failure;

/// How many folders above the problem's are looked into.
const ABOVE: usize = 8;

/// Which half of a POGDDL game a file is.
#[derive(Clone, Debug, PartialEq)]
pub enum Half {
    /// With its name.
    Domain(Option<Name>),
    /// With the name of the domain it wants.
    Problem(Option<Name>),
    /// Both in one file.
    Both,
}

/// Which half of a POGDDL game a file is; `None` for other languages and files that define nothing.
pub fn half(source: &Source) -> Option<Half> {
    match (source.domain(), source.problem()) {
        (Some(_), Some(_)) => Some(Half::Both),
        (Some(domain), None) => Some(Half::Domain(domain.name.clone())),
        (None, Some(problem)) => Some(Half::Problem(problem.domain.clone())),
        (None, None) => None,
    }
}

/// Finds and parses the domain with this name.
///
/// # Errors
/// Says where it was looked for and which domains are there.
pub fn find_domain(problem: &Path, name: &str) -> Result<(PathBuf, Source), Failure> {
    let mut seen = Seen::default();
    let folder = folder_of(problem);
    let absolute = std::path::absolute(&folder).unwrap_or_else(|_| folder.clone());
    let mut places = Vec::new();
    let root = workspace_of(&absolute);
    for above in absolute.ancestors().take(ABOVE) {
        places.push(show(above));
        if let Some(found) = seen.search(files_in(above), name) {
            return Ok(found);
        }
        if Some(above) == root.as_deref() {
            break;
        }
    }
    let workspace = root.unwrap_or(absolute);
    let below = text::descriptions(&workspace).unwrap_or_default();
    if let Some(found) = seen.search(below, name) {
        return Ok(found);
    }
    let mut failure = Failure::new(format!("{} needs the domain `{name}`, which was not found", problem.display()))
        .note(format!("looked in {}", places.join(", ")))
        .note(format!("and in every folder below {}", show(&workspace)));
    if !seen.names.is_empty() {
        seen.names.truncate(12);
        failure = failure.note(format!("found the domains {}", seen.names.join(", ")));
    }
    Err(failure.note("name its file with --domain FILE"))
}

/// As [`find_domain`]; where there is none, a domain of the same folder with nearly the same name, or the only one there:
/// the mismatch is then for the analysis to report.
///
/// # Errors
/// Those of [`find_domain`].
pub fn find_domain_or_near(problem: &Path, name: &str) -> Result<(PathBuf, Source), Failure> {
    find_domain(problem, name).or_else(|failure| {
        let named = files_in(&folder_of(problem)).into_iter().filter(|path| mentions_domain(path)).filter_map(|path| {
            let source = text::source(&path).ok()?;
            let Some(Half::Domain(Some(name))) = half(&source) else { return None };
            Some((path, name, source))
        });
        let mut all: Vec<(PathBuf, Name, Source)> = named.collect();
        let near = percept_analysis::pddl::nearest(name, all.iter().map(|(_, name, _)| name.text.as_str()));
        let near = near.map(str::to_owned);
        let index = match near {
            Some(near) => all.iter().position(|(_, name, _)| name.text == near),
            None => (all.len() == 1).then_some(0),
        };
        index.map(|index| all.swap_remove(index)).map(|(path, _, source)| (path, source)).ok_or(failure)
    })
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

/// The nearest folder above that looks like the root of a workspace.
fn workspace_of(folder: &Path) -> Option<PathBuf> {
    let is_root = |folder: &&Path| folder.join("percept.toml").exists() || folder.join(".git").exists();
    folder.ancestors().take(ABOVE).find(is_root).map(Path::to_path_buf)
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| is_pddl(path) && path.is_file()).collect();
    files.sort();
    files
}

fn is_pddl(path: &Path) -> bool {
    path.extension().is_some_and(|own| ["pog", "pogddl", "pddl"].iter().any(|known| own.eq_ignore_ascii_case(known)))
}

/// What was looked at so far.
#[derive(Default)]
struct Seen {
    paths: rustc_hash::FxHashSet<PathBuf>,
    names: Vec<String>,
}

impl Seen {
    fn search(&mut self, files: Vec<PathBuf>, wanted: &str) -> Option<(PathBuf, Source)> {
        for path in files.into_iter().filter(|path| is_pddl(path)) {
            if !self.paths.insert(path.clone()) || !mentions_domain(&path) {
                continue;
            }
            let Ok(source) = text::source(&path) else { continue };
            let Some(Half::Domain(Some(name))) = half(&source) else { continue };
            if name.is(wanted) {
                return Some((path, source));
            }
            self.names.push(format!("`{}`", name.text));
        }
        None
    }
}

/// A cheap look before parsing: whether the head of a file may define a domain.
fn mentions_domain(path: &Path) -> bool {
    use std::io::Read;
    let mut head = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(1 << 16).read_to_end(&mut head));
    read.is_ok() && String::from_utf8_lossy(&head).to_ascii_lowercase().contains("domain")
}
