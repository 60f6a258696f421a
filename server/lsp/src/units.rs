//! Which files mean something together: a GDL description alone; a POGDDL domain with its problems.
//!
//! A domain is looked for by its name as `percept-report` says, an open document standing for its file, then among the
//! other open documents; problems of a domain in its folder and below the workspace's nearest folders, if this is the
//! domain that they find.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use percept_report::domain::{self, Folders, Listing, Missing};
use percept_report::files;
use percept_report::half::{self, Half};
use percept_syntax::Language;
use tower_lsp::lsp_types::Url;

use crate::snapshot::{File, Kind, Snapshot};

/// Problems of one domain that are read with it.
const MAX_PROBLEMS: usize = 12;

/// Files that are read together.
#[derive(Clone, Debug)]
pub(crate) enum Unit {
    Single(Arc<File>),
    /// A domain, where it is known, and the problems that name it.
    Pogddl {
        domain: Option<Arc<File>>,
        /// Why there is none.
        missing: Option<Missing>,
        problems: Vec<Arc<File>>,
    },
}

impl PartialEq for Unit {
    fn eq(&self, other: &Unit) -> bool {
        let (mine, theirs) = (self.files(), other.files());
        self.missing() == other.missing()
            && mine.len() == theirs.len()
            && mine.iter().zip(theirs).all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

impl Unit {
    /// The unit a file belongs to.
    pub(crate) fn of(snapshot: &Snapshot, file: &Arc<File>) -> Unit {
        let Kind::Game(Language::Pogddl) = file.kind() else { return Unit::Single(file.clone()) };
        match half_of(file) {
            None => Unit::Single(file.clone()),
            Some(Half::Domain(name)) => {
                Unit::Pogddl { domain: Some(file.clone()), missing: None, problems: problems_of(snapshot, file, &name) }
            }
            Some(Half::Problem(name)) => {
                let found = domain_of(snapshot, file, &name);
                let (domain, missing) =
                    found.map_or_else(|missing| (None, Some(missing)), |domain| (Some(domain), None));
                Unit::Pogddl { domain, missing, problems: vec![file.clone()] }
            }
        }
    }

    /// Why no domain is known.
    pub(crate) fn missing(&self) -> Option<&Missing> {
        match self {
            Unit::Single(_) => None,
            Unit::Pogddl { missing, .. } => missing.as_ref(),
        }
    }

    /// All files of the unit, the domain first.
    pub(crate) fn files(&self) -> Vec<&Arc<File>> {
        match self {
            Unit::Single(file) => vec![file],
            Unit::Pogddl { domain, problems, .. } => domain.iter().chain(problems).collect(),
        }
    }

    /// Every domain with a problem of its own.
    pub(crate) fn pairs(&self) -> Vec<(&Arc<File>, &Arc<File>)> {
        match self {
            Unit::Pogddl { domain: Some(domain), problems, .. } => problems.iter().map(|it| (domain, it)).collect(),
            _ => Vec::new(),
        }
    }
}

/// What an editor knows of folders: an open document stands for its file.
struct Open<'a>(&'a Snapshot);

impl Open<'_> {
    fn at(&self, path: &Path) -> Option<&Arc<File>> {
        self.0.open.get(&Url::from_file_path(path).ok()?)
    }

    fn file(&self, path: &Path) -> Option<Arc<File>> {
        self.at(path).cloned().or_else(|| self.0.session.disk.file(path))
    }
}

impl Folders for Open<'_> {
    /// With the open documents that are not there yet.
    fn list(&self, folder: &Path) -> Listing {
        let mut listing = self.0.session.disk.listing(folder);
        let open = self.0.open.keys().filter_map(|uri| uri.to_file_path().ok());
        listing.files.extend(open.filter(|path| path.parent() == Some(folder) && files::is_pddl(path)));
        listing.files.sort();
        listing.files.dedup();
        listing
    }

    fn half(&self, path: &Path) -> Option<Half> {
        match self.at(path) {
            Some(file) => half_of(file),
            None => self.0.session.disk.half(path),
        }
    }
}

fn half_of(file: &File) -> Option<Half> {
    let Kind::Game(Language::Pogddl) = file.kind() else { return None };
    half::of_text(&file.head())
}

/// The domain of a problem.
fn domain_of(snapshot: &Snapshot, problem: &Arc<File>, name: &str) -> Result<Arc<File>, Missing> {
    let open = Open(snapshot);
    let elsewhere = |missing: Missing| {
        let is_it = |file: &&Arc<File>| half_of(file).is_some_and(|half| half == Half::Domain(name.to_owned()));
        let mut files = snapshot.open.values().filter(is_it);
        match (files.next(), files.next()) {
            (Some(one), None) => Ok(one.clone()),
            _ => Err(missing),
        }
    };
    let Ok(path) = problem.uri.to_file_path() else {
        // A document that was never saved is nowhere.
        return elsewhere(Missing::unsaved(name));
    };
    let roots = &snapshot.session.roots;
    let read = |found: PathBuf| open.file(&found).ok_or_else(|| Missing::unreadable(name, &found));
    match domain::find(&open, &path, name, roots) {
        Ok(found) => read(found),
        Err(missing @ Missing::Several { .. }) => Err(missing),
        Err(missing) => {
            elsewhere(missing).or_else(|missing| domain::near(&open, &path, name).map_or(Err(missing), read))
        }
    }
}

/// The problems of a domain: open ones first, then those of its folder, then those of the workspace.
fn problems_of(snapshot: &Snapshot, domain: &Arc<File>, name: &str) -> Vec<Arc<File>> {
    let open = Open(snapshot);
    let wanted = Half::Problem(name.to_owned());
    let own = domain.uri.to_file_path().ok();
    let folder = own.as_ref().and_then(|path| path.parent());
    let disk = &snapshot.session.disk;
    let near = folder.map(|folder| disk.listing(folder).files).unwrap_or_default();
    let root = snapshot.session.roots.iter().find(|root| folder.is_some_and(|folder| folder.starts_with(root)));
    let below = root.into_iter().flat_map(|root| disk.below(root));
    let is_mine = |path: &PathBuf| {
        open.half(path).as_ref() == Some(&wanted)
            && own.as_ref().is_some_and(|own| {
                domain::find(&open, path, name, &snapshot.session.roots).is_ok_and(|found| found == *own)
            })
    };
    let on_disk = near.into_iter().chain(below).filter(is_mine).filter_map(|path| open.file(&path));
    let unsaved = snapshot.open.values().filter(|file| half_of(file).as_ref() == Some(&wanted)).cloned();
    let unsaved = unsaved.filter(|file| match file.uri.to_file_path() {
        Ok(path) => own.is_none() || is_mine(&path),
        Err(()) => true,
    });
    let mut seen = std::collections::HashSet::new();
    unsaved.chain(on_disk).filter(|file| seen.insert(file.uri.clone())).take(MAX_PROBLEMS).collect()
}
