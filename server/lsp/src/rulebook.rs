//! The rule book as files that an editor can open. The page of a rule is written into the user's cache folder when a
//! finding first names it, so the link of a finding works without a network.
//!
//! The folder belongs to the user alone. Without such a folder there is no page: a link into a folder of others would
//! show their content, and a file written there might follow their link.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use percept_analysis::Rule;
use tower_lsp::lsp_types::Url;

static PAGES: LazyLock<Mutex<HashMap<&'static str, Option<Url>>>> = LazyLock::new(Mutex::default);

/// The address of the rule's page; `None` if it could not be written.
pub(crate) fn page(rule: &'static Rule) -> Option<Url> {
    let mut pages = PAGES.lock().unwrap_or_else(PoisonError::into_inner);
    let write = || Url::from_file_path(write(&cache(|name| std::env::var_os(name))?, rule).ok()?).ok();
    pages.entry(rule.name).or_insert_with(write).clone()
}

/// The system's folder for caches.
fn cache(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Caches"))
    } else {
        folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")))
    }
}

/// Writes the page, if it does not exist.
fn write(cache: &Path, rule: &Rule) -> io::Result<PathBuf> {
    std::fs::create_dir_all(cache)?;
    let folder = cache.join(format!("percept-rules-{}", env!("CARGO_PKG_VERSION")));
    match private().create(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    // Written to a draft and renamed, so that two servers never show half a page; a link at the target is replaced.
    let draft = folder.join(format!(".{}.{}", rule.name, std::process::id()));
    let mut file = create(&folder, &draft)?;
    let path = folder.join(format!("{}.md", rule.name));
    let is_there = std::fs::symlink_metadata(&path).is_ok_and(|data| data.is_file())
        && std::fs::read(&path).is_ok_and(|page| page == rule.page.as_bytes());
    let written = match is_there {
        true => std::fs::remove_file(&draft),
        false => file.write_all(rule.page.as_bytes()).and_then(|()| std::fs::rename(&draft, &path)),
    };
    if written.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    written.map(|()| path)
}

/// A new file in a folder that belongs to the user alone.
fn create(folder: &Path, path: &Path) -> io::Result<File> {
    if !std::fs::symlink_metadata(folder)?.is_dir() {
        return Err(io::Error::other("no folder"));
    }
    // Left by a server that was killed.
    let _ = std::fs::remove_file(path);
    let file = OpenOptions::new().write(true).create_new(true).open(path)?;
    if is_private(folder, &file)? {
        return Ok(file);
    }
    let _ = std::fs::remove_file(path);
    Err(io::Error::other("the folder belongs to another user"))
}

/// A builder of folders that only the user can read.
fn private() -> DirBuilder {
    #[allow(unused_mut)]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// True if the folder belongs to the owner of the file `made`, which this program has just created, and no other user
/// may change it.
#[cfg(unix)]
fn is_private(folder: &Path, made: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let folder = std::fs::symlink_metadata(folder)?;
    Ok(folder.is_dir() && folder.uid() == made.metadata()?.uid() && folder.mode() & 0o022 == 0)
}

/// The system protects that folder from others.
#[cfg(not(unix))]
fn is_private(_: &Path, _: &File) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule() -> &'static Rule {
        percept_analysis::rules::all()[0]
    }

    fn folder(cache: &Path) -> PathBuf {
        cache.join(format!("percept-rules-{}", env!("CARGO_PKG_VERSION")))
    }

    #[test]
    fn a_page_is_written_once() {
        let cache = tempfile::tempdir().unwrap();
        let path = write(&cache.path().join("a/b"), rule()).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), rule().page);
        assert_eq!(write(&cache.path().join("a/b"), rule()).unwrap(), path);
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no draft is left");
    }

    #[test]
    fn the_cache_folder_is_the_systems() {
        let of = |set: &'static [(&str, &str)]| {
            cache(|name| set.iter().find(|(other, _)| *other == name).map(|(_, value)| OsString::from(value)))
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("HOME", "here"), ("XDG_CACHE_HOME", "here"), ("LOCALAPPDATA", "here")]), None);
        if cfg!(target_os = "linux") {
            assert_eq!(of(&[("HOME", "/home/a")]), Some("/home/a/.cache".into()));
            assert_eq!(of(&[("HOME", "/home/a"), ("XDG_CACHE_HOME", "/c")]), Some("/c".into()));
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let root = tempfile::tempdir().unwrap();
        let victim = root.path().join("victim");
        std::fs::write(&victim, "precious").unwrap();
        // Links at the places of the page and of its draft.
        let cache = root.path().join("cache");
        private().recursive(true).create(folder(&cache)).unwrap();
        let page = folder(&cache).join(format!("{}.md", rule().name));
        symlink(&victim, &page).unwrap();
        symlink(&victim, folder(&cache).join(format!(".{}.{}", rule().name, std::process::id()))).unwrap();
        assert_eq!(write(&cache, rule()).unwrap(), page);
        assert!(std::fs::symlink_metadata(&page).unwrap().is_file());
        // A link in place of the folder, and a folder that every user may change.
        let linked = root.path().join("linked");
        std::fs::create_dir(&linked).unwrap();
        symlink(root.path(), folder(&linked)).unwrap();
        assert!(write(&linked, rule()).is_err());
        let open = root.path().join("open");
        std::fs::create_dir_all(folder(&open)).unwrap();
        std::fs::set_permissions(folder(&open), PermissionsExt::from_mode(0o777)).unwrap();
        assert!(write(&open, rule()).is_err());
        assert_eq!(std::fs::read_dir(folder(&open)).unwrap().count(), 0);
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
    }
}
