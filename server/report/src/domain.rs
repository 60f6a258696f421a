//! Finds the domain of a POGDDL problem by its name.
//!
//! The search has three steps, nearest first: the problem's own folder; the folders above it inside the workspace, each
//! with its folder `domains`; every other folder of the workspace. The **workspace** is the nearest folder around the
//! problem with a `percept.toml` or a `.git`. If there is none, it is the folder open in an editor or given to
//! `percept check`; else the problem's own folder with its subfolders. In the last case the parent folder and
//! `../domains` are also searched.
//!
//! If several files in one step define the domain, the one whose name shares the most with the problem's wins: all of
//! it (`p01-domain.pddl` for `p01.pddl`), its first three letters (`p01-domain.pddl` for `p01-south.pddl`, as in Fast
//! Downward), its beginning or its end. If no name shares anything and all files are in one folder, the file called
//! `domain` or named after the domain wins: `domain-old.pddl` beside `domain.pddl` is a copy. Any other ambiguity is
//! reported, never guessed.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use percept_analysis::Diagnostic;
use rustc_hash::FxHashSet;

use crate::files;
use crate::half::{self, Half};
use crate::settings;

/// The most files and folders that one search visits, so that every search ends soon.
const MAX_ENTRIES: usize = 20_000;
/// The most levels of folders below the workspace that a search descends.
const MAX_DEPTH: usize = 16;
/// The usual name of a domain's file, or its beginning or end.
const DOMAIN: &str = "domain";
/// The folder beside problems that holds domains.
const DOMAINS: &str = "domains";
/// The entries that mark a folder as a workspace.
const MARKS: [&str; 2] = [settings::NAME, ".git"];

/// The folders that a search reads: the disk, or an editor's copy of it.
pub trait Folders {
    /// The POGDDL files directly in a folder, by name, and the subfolders worth visiting.
    fn list(&self, folder: &Path) -> Listing;
    /// The half of a game that a file defines, from its first words.
    fn half(&self, file: &Path) -> Option<Half>;
}

/// The content of a folder.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// POGDDL files, in alphabetical order.
    pub files: Vec<PathBuf>,
    /// Folders in alphabetical order, without links and those that [`files::is_passed_by`] skips.
    pub folders: Vec<PathBuf>,
}

/// The folders on disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Folders for Disk {
    fn list(&self, folder: &Path) -> Listing {
        list(folder)
    }

    fn half(&self, file: &Path) -> Option<Half> {
        half::of_text(&files::head(file)?)
    }
}

/// The content of a folder on disk; empty if it cannot be read.
pub fn list(folder: &Path) -> Listing {
    let mut listing = Listing::default();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if !files::is_passed_by(&entry.file_name().to_string_lossy()) {
                listing.folders.push(path);
            }
        } else if files::is_pddl(&path) {
            listing.files.push(path);
        }
    }
    listing.files.sort();
    listing.folders.sort();
    listing
}

/// The reason why a problem has no domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Several files at the same distance define the domain.
    Several {
        /// The name of the domain.
        name: String,
        /// The candidates, two or more.
        files: Vec<PathBuf>,
    },
    /// The file that defines the domain cannot be read.
    Unreadable {
        /// The name of the domain.
        name: String,
        /// The file and the reason why it cannot be read.
        why: String,
    },
    /// No file defines the domain.
    Nowhere {
        /// The name of the domain.
        name: String,
        /// The searched folders, in order.
        looked: Vec<PathBuf>,
        /// The folder whose subfolders were all searched.
        below: PathBuf,
        /// A few of the domains that were found.
        others: Vec<String>,
        /// True if the search ended before it had visited every folder.
        gave_up: bool,
    },
}

/// The most files that are named if several define one domain.
const SHOWN: usize = 4;

impl Missing {
    /// The error for a text that was never saved: there is no folder to search.
    pub fn unsaved(name: &str) -> Missing {
        let (looked, others) = (Vec::new(), Vec::new());
        Missing::Nowhere { name: name.to_owned(), looked, below: PathBuf::new(), others, gave_up: false }
    }

    /// The error for the domain called `name` whose file `file` cannot be read.
    pub fn unreadable(name: &str, file: &Path) -> Missing {
        match files::source(file) {
            Err(why) => Missing::Unreadable { name: name.to_owned(), why: why.to_string() },
            // The file has become readable.
            Ok(_) => Missing::unsaved(name),
        }
    }

    /// The error in one sentence without a final full stop.
    pub fn message(&self) -> String {
        match self {
            Missing::Several { name, files } => {
                let shown: Vec<String> = files.iter().take(SHOWN).map(|file| file.display().to_string()).collect();
                let more = if files.len() > SHOWN { " and others" } else { "" };
                format!("{} files define the domain `{name}`: {}{more}", files.len(), shown.join(", "))
            }
            Missing::Unreadable { name, why } => format!("the domain `{name}` cannot be read: {why}"),
            Missing::Nowhere { name, .. } => format!("the domain `{name}` was not found"),
        }
    }

    /// Adds the reason to the finding that the domain was not found.
    pub fn tell(&self, findings: &mut [Diagnostic]) {
        let missing = findings.iter_mut().filter(|finding| finding.rule.name == "domain-not-found");
        for finding in missing {
            finding.message = match self {
                Missing::Several { .. } => format!("{}: keep only one of them near this problem", self.message()),
                Missing::Unreadable { .. } => self.message(),
                Missing::Nowhere { .. } => format!("{}: put its file beside this one", self.message()),
            } + ", since without it no name here can be checked";
        }
    }

    /// The folders searched, the obstacles met, and the way out.
    pub fn notes(&self) -> Vec<String> {
        let (looked, below, others, gave_up) = match self {
            Missing::Several { .. } => {
                return vec!["keep one of them near the problem, or name the right one with --domain FILE".into()];
            }
            Missing::Unreadable { .. } => return Vec::new(),
            Missing::Nowhere { looked, below, others, gave_up, .. } => (looked, below, others, gave_up),
        };
        let looked: Vec<String> = looked.iter().map(|folder| folder.display().to_string()).collect();
        let mut notes = vec![format!("looked in {}", looked.join(", "))];
        notes.push(match gave_up {
            false => format!("and in every folder below {}", below.display()),
            true => format!("and below {}, until {MAX_ENTRIES} files and folders were seen", below.display()),
        });
        if !others.is_empty() {
            notes.push(format!("found the domains {}", others.join(", ")));
        }
        notes.push("name its file with --domain FILE".into());
        notes
    }
}

/// Finds the domain called `name` for the problem at the absolute path `problem`. `roots` are the folders open in an
/// editor, or given to a command.
///
/// # Errors
/// If no file or several files define the domain.
pub fn find(folders: &impl Folders, problem: &Path, name: &str, roots: &[PathBuf]) -> Result<PathBuf, Missing> {
    let name = name.to_ascii_lowercase();
    let own = problem.parent().unwrap_or(Path::new("/"));
    let workspace = workspace(own, roots);
    let mut search =
        Search { folders, problem, name: &name, seen: FxHashSet::default(), others: Vec::new(), entries: 0 };
    let mut looked = Vec::new();
    for folder in steps(own, workspace.as_deref()) {
        let found = search.folder(&folder).defining;
        looked.push(folder);
        if let Some(answer) = search.decide(found) {
            return answer;
        }
    }
    let below = workspace.unwrap_or_else(|| own.to_path_buf());
    let found = search.below(&below);
    if let Some(answer) = search.decide(found) {
        return answer;
    }
    let Search { mut others, entries, .. } = search;
    others.truncate(12);
    Err(Missing::Nowhere { name, looked, below, others, gave_up: entries >= MAX_ENTRIES })
}

/// A domain in the problem's own folder with nearly this name, or the only one there. The analysis reports the
/// mismatch.
pub fn near(folders: &impl Folders, problem: &Path, name: &str) -> Option<PathBuf> {
    let others = folders.list(problem.parent()?).files.into_iter().filter(|file| file != problem);
    let mut domains: Vec<(PathBuf, String)> = others
        .filter_map(|file| match folders.half(&file) {
            Some(Half::Domain(name)) => Some((file, name)),
            _ => None,
        })
        .collect();
    let name = name.to_ascii_lowercase();
    let index = match percept_syntax::near::nearest(&name, domains.iter().map(|(_, name)| name.as_str())) {
        Some(near) => domains.iter().position(|(_, name)| name == near),
        None => (domains.len() == 1).then_some(0),
    };
    Some(domains.swap_remove(index?).0)
}

/// The workspace of the files in `folder`; `None` if it is not determined by a mark or a root.
pub fn workspace(folder: &Path, roots: &[PathBuf]) -> Option<PathBuf> {
    let is_marked = |folder: &&Path| MARKS.iter().any(|mark| folder.join(mark).exists());
    let marked = folder.ancestors().find(is_marked).map(Path::to_path_buf);
    marked.or_else(|| {
        roots.iter().filter(|root| folder.starts_with(root)).max_by_key(|root| root.as_os_str().len()).cloned()
    })
}

/// The folders that are searched one by one.
fn steps(own: &Path, workspace: Option<&Path>) -> Vec<PathBuf> {
    let above: Vec<&Path> = match workspace {
        Some(root) => own.ancestors().skip(1).take_while(|folder| folder.starts_with(root)).collect(),
        None => own.parent().into_iter().collect(),
    };
    let both = above.into_iter().flat_map(|folder| [folder.to_path_buf(), folder.join(DOMAINS)]);
    std::iter::once(own.to_path_buf()).chain(both).filter(|folder| folder.is_dir()).collect()
}

struct Search<'a, F> {
    folders: &'a F,
    problem: &'a Path,
    name: &'a str,
    seen: FxHashSet<PathBuf>,
    /// Names of domains that were found, in backticks.
    others: Vec<String>,
    entries: usize,
}

/// The relevant content of one folder.
struct FolderContent {
    defining: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl<F: Folders> Search<'_, F> {
    fn folder(&mut self, folder: &Path) -> FolderContent {
        let listing = self.folders.list(folder);
        self.entries += listing.files.len() + listing.folders.len() + 1;
        let mut defining = Vec::new();
        for file in listing.files {
            if file == self.problem || !self.seen.insert(file.clone()) {
                continue;
            }
            match self.folders.half(&file) {
                Some(Half::Domain(name)) if name == self.name => defining.push(file),
                Some(Half::Domain(name)) if self.others.len() < 100 => self.others.push(format!("`{name}`")),
                _ => {}
            }
        }
        FolderContent { defining, folders: listing.folders }
    }

    /// All files below a folder, nearest first.
    fn below(&mut self, root: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut waiting = VecDeque::from([(root.to_path_buf(), 0)]);
        while let Some((folder, depth)) = waiting.pop_front() {
            if self.entries >= MAX_ENTRIES {
                break;
            }
            let seen = self.folder(&folder);
            found.extend(seen.defining);
            if depth < MAX_DEPTH {
                waiting.extend(seen.folders.into_iter().map(|folder| (folder, depth + 1)));
            }
        }
        found
    }

    /// The result from the files of one step; `None` if there are none.
    fn decide(&self, found: Vec<PathBuf>) -> Option<Result<PathBuf, Missing>> {
        (!found.is_empty()).then(|| choose(self.problem, self.name, found))
    }
}

/// The file that belongs to the problem, among equally near files that define the domain called `name`. The module's
/// page has the criteria.
///
/// # Errors
/// If no criterion decides.
pub fn choose(problem: &Path, name: &str, mut found: Vec<PathBuf>) -> Result<PathBuf, Missing> {
    let own = stem(problem);
    let tie = |file: &Path| Tie::of(&stem(file), &own);
    if let Some(closest) = found.iter().filter_map(|file| tie(file)).max() {
        found.retain(|file| tie(file) == Some(closest));
    } else if found.iter().all(|file| file.parent() == found[0].parent()) {
        // The others are copies or variants.
        let is_plain = |file: &Path| [DOMAIN, name].contains(&stem(file).as_str());
        let mut plain = found.iter().filter(|file| is_plain(file));
        if let (Some(one), None) = (plain.next(), plain.next()) {
            return Ok(one.clone());
        }
    }
    match &mut found[..] {
        [one] => Ok(std::mem::take(one)),
        _ => Err(Missing::Several { name: name.to_owned(), files: found }),
    }
}

/// The likeness between the name of a domain's file and that of a problem, the closest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tie {
    /// The name begins or ends alike: `domain-03` and `instance-03`.
    Part,
    /// Its first three letters, as Fast Downward looks for domains: `p01-domain` and `p01-airport1-p1`.
    Three,
    /// All of it: `p01-domain`, or `domain-p01`, and `p01`.
    Whole,
}

impl Tie {
    /// The likeness of two lower-case names without extensions; `None` if the domain's file is not named after the
    /// problem.
    fn of(domain: &str, problem: &str) -> Option<Tie> {
        let joint = |c: char| matches!(c, '-' | '_' | '.' | ' ');
        let (before, after) = domain.split_once(DOMAIN)?;
        let (rest, is_before) = match (before.trim_matches(joint), after.trim_matches(joint)) {
            ("", rest) => (rest, false),
            (rest, "") => (rest, true),
            _ => return None,
        };
        if rest.is_empty() {
            return None;
        }
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let ends = || {
            // `domain-1` does not belong to `p11`, nor `domain-a` to `banana`.
            problem.strip_suffix(rest).is_some_and(|front| match front.chars().next_back() {
                Some(last) if !joint(last) => !is_digit(Some(last)) && is_digit(rest.chars().next()),
                _ => true,
            })
        };
        let begins = || {
            problem.strip_prefix(rest).is_some_and(|back| match back.chars().next() {
                Some(next) if !joint(next) => is_digit(Some(next)) != is_digit(rest.chars().next_back()),
                _ => true,
            })
        };
        match () {
            () if rest == problem => Some(Tie::Whole),
            () if is_before && rest.chars().count() == 3 && begins() => Some(Tie::Three),
            () if begins() || ends() => Some(Tie::Part),
            () => None,
        }
    }
}

/// A file's name in lower case, without its folder and extension.
fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}
