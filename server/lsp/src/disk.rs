//! Files that are not open: read when a document needs its other half, and kept while they do not change.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use percept_report::domain::Listing;
use percept_report::files;
use percept_report::half::{self, Half};
use percept_report::settings;
use tower_lsp::lsp_types::Url;

use crate::file::File;
use crate::kept::Kept;
use crate::kinds;
use crate::project::Project;

/// The time for which a folder's listing is trusted. An editor that watches files reports changes earlier.
const FRESH: Duration = Duration::from_secs(2);
/// The most files of a folder that are read.
const MAX_FILES: usize = 1000;
/// The most folders of a search in a workspace, and its depth.
const MAX_FOLDERS: usize = 400;
const MAX_DEPTH: usize = 6;

/// The cache. All snapshots share it, because the disk has no version on the wire.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    cache: Mutex<CachedFolder>,
}

#[derive(Debug)]
struct CachedFolder {
    files: Kept<(Stamp, Arc<File>)>,
    folders: Kept<(Instant, Arc<Contents>)>,
    halves: Kept<(Stamp, Option<Half>)>,
    /// The `percept.toml` that applies to each folder.
    settled: Kept<(Instant, Option<PathBuf>)>,
    projects: Kept<(Stamp, Arc<Project>)>,
}

impl Default for CachedFolder {
    fn default() -> CachedFolder {
        CachedFolder {
            // Once parsed, a text takes many times its length.
            files: Kept::new(4000, 16 << 20, |(_, file)| Arc::strong_count(file) > 1),
            folders: Kept::new(4000, 16 << 20, |_| false),
            // One search for a domain visits this many.
            halves: Kept::new(20_000, 8 << 20, |_| false),
            settled: Kept::new(4000, 1 << 20, |_| false),
            projects: Kept::new(100, 1 << 20, |(_, project)| Arc::strong_count(project) > 1),
        }
    }
}

/// The relevant entries of a folder, by name.
#[derive(Debug, Default)]
struct Contents {
    /// Games and traces.
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

type Stamp = (Option<SystemTime>, u64);

impl Disk {
    fn contents(&self, folder: &Path) -> Arc<Contents> {
        if let Some((when, contents)) = self.lock().folders.get(folder)
            && when.elapsed() < FRESH
        {
            return contents.clone();
        }
        let contents = Arc::new(list(folder));
        let length = |path: &PathBuf| path.as_os_str().len() + size_of::<PathBuf>();
        let bytes = contents.files.iter().chain(&contents.folders).map(length).sum();
        self.lock().folders.insert(folder.to_path_buf(), (Instant::now(), contents.clone()), bytes);
        contents
    }

    /// The games and traces in a folder, by name.
    pub(crate) fn folder(&self, folder: &Path) -> Vec<PathBuf> {
        self.contents(folder).files.clone()
    }

    /// The POGDDL files of a folder, and its folders.
    pub(crate) fn listing(&self, folder: &Path) -> Listing {
        let contents = self.contents(folder);
        Listing {
            files: contents.files.iter().filter(|path| files::is_pddl(path)).cloned().collect(),
            folders: contents.folders.clone(),
        }
    }

    /// The half of a game that a POGDDL file defines, from its first words.
    pub(crate) fn half(&self, path: &Path) -> Option<Half> {
        let data = std::fs::metadata(path).ok().filter(|data| data.is_file())?;
        let stamp = (data.modified().ok(), data.len());
        if let Some((old_stamp, half)) = self.lock().halves.get(path)
            && *old_stamp == stamp
        {
            return half.clone();
        }
        let half = files::head(path).and_then(|head| half::of_text(&head));
        self.lock().halves.insert(path.to_path_buf(), (stamp, half.clone()), size_of::<Half>());
        half
    }

    /// A file's text, parsed on first use. `None` if it cannot be read or is not a description.
    pub(crate) fn file(&self, path: &Path) -> Option<Arc<File>> {
        let data = std::fs::metadata(path)
            .ok()
            .filter(|data| data.is_file() && data.len() <= percept_syntax::MAX_BYTES as u64)?;
        let stamp = (data.modified().ok(), data.len());
        if let Some((old_stamp, file)) = self.lock().files.get(path)
            && *old_stamp == stamp
        {
            return Some(file.clone());
        }
        let bytes = percept_syntax::read(path, percept_syntax::MAX_BYTES).ok()?;
        let text = percept_syntax::text_of(bytes).ok()?;
        let uri = Url::from_file_path(path).ok()?;
        let kind = kinds::of(&uri, None, &text)?;
        let file = Arc::new(File::new(uri, None, None, kind, &text));
        self.lock().files.insert(path.to_path_buf(), (stamp, file.clone()), text.len() + size_of::<File>());
        Some(file)
    }

    /// The games and traces below a folder, nearest first.
    pub(crate) fn below(&self, root: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = std::collections::VecDeque::from([(root.to_path_buf(), 0)]);
        let mut seen = 0;
        while let Some((folder, depth)) = folders.pop_front() {
            seen += 1;
            let contents = self.contents(&folder);
            found.extend(contents.files.iter().cloned());
            if seen >= MAX_FOLDERS || found.len() >= MAX_FILES {
                break;
            }
            if depth < MAX_DEPTH {
                folders.extend(contents.folders.iter().map(|folder| (folder.clone(), depth + 1)));
            }
        }
        found.truncate(MAX_FILES);
        found
    }

    /// The nearest `percept.toml` above a file.
    pub(crate) fn project(&self, file: &Path) -> Option<Arc<Project>> {
        let path = self.settings_file(file.parent()?)?;
        let data = std::fs::metadata(&path).ok()?;
        let stamp = (data.modified().ok(), data.len());
        let mut cache = self.lock();
        if let Some((at, project)) = cache.projects.get(&path)
            && *at == stamp
        {
            return Some(project.clone());
        }
        let project = Arc::new(Project::read(&path)?);
        cache.projects.insert(path, (stamp, project.clone()), data.len() as usize);
        Some(project)
    }

    fn settings_file(&self, folder: &Path) -> Option<PathBuf> {
        if let Some((when, found)) = self.lock().settled.get(folder)
            && when.elapsed() < FRESH
        {
            return found.clone();
        }
        let found = settings::nearest(folder);
        self.lock().settled.insert(folder.to_path_buf(), (Instant::now(), found.clone()), size_of::<PathBuf>());
        found
    }

    /// Something on disk has changed: listings are read again.
    pub(crate) fn forget_listings(&self) {
        let mut cache = self.lock();
        cache.folders.clear();
        cache.settled.clear();
    }

    /// No document of the folder is open any more.
    pub(crate) fn forget_below(&self, folder: &Path) {
        let mut cache = self.lock();
        cache.files.forget_below(folder);
        cache.folders.forget_below(folder);
        cache.halves.forget_below(folder);
        cache.settled.forget_below(folder);
        cache.projects.forget_below(folder);
    }

    /// No document is open any more.
    pub(crate) fn forget(&self) {
        *self.lock() = CachedFolder::default();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, CachedFolder> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn list(folder: &Path) -> Contents {
    let mut contents = Contents::default();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if !files::is_passed_by(&entry.file_name().to_string_lossy()) {
                contents.folders.push(path);
            }
        } else if kinds::EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str()) {
            contents.files.push(path);
        }
    }
    contents.files.sort();
    contents.files.truncate(MAX_FILES);
    contents.folders.sort();
    contents
}
