//! The one way in which commands write a file: to a draft beside it that then replaces it. After a full disk, a kill or
//! a second writer, the file has all of the old text or all of the new.

use std::io::{BufWriter, Error, ErrorKind, Result, Write};
use std::path::Path;

use crate::failure::Failure;

/// Writes a file.
///
/// # Errors
/// Like [`write()`], with the path in the message.
pub(crate) fn file(path: &Path, bytes: impl AsRef<[u8]>) -> std::result::Result<(), Failure> {
    write(path, bytes.as_ref()).map_err(|error| Failure::io("write", path, &error))
}

/// Writes a file in one step. An existing file keeps its permissions. Devices and pipes, such as standard output, are
/// written to directly.
///
/// # Errors
/// The system's error; for a symbolic link that leads out of its folder; for a file that is write-protected.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    stream(path, &|out| out.write_all(bytes))
}

/// Like [`write()`], for a text that is not in memory.
///
/// # Errors
/// Like [`write()`].
pub(crate) fn stream(path: &Path, text: &dyn Fn(&mut dyn Write) -> Result<()>) -> Result<()> {
    percept_syntax::is_within(path)?;
    let metadata = match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
        Ok(metadata) => Some(metadata),
    };
    let is_stream = |it: &std::fs::Metadata| !it.is_file() && !it.is_dir();
    if metadata.is_some() && std::fs::metadata(path).is_ok_and(|it| is_stream(&it)) {
        let mut out = BufWriter::new(std::fs::File::options().write(true).truncate(true).open(path)?);
        text(&mut out)?;
        return out.flush();
    }
    if metadata.as_ref().is_some_and(std::fs::Metadata::is_symlink) {
        return through_link(path, text);
    }
    if metadata.as_ref().is_some_and(|it| it.permissions().readonly()) {
        return Err(ErrorKind::PermissionDenied.into());
    }
    let mut file = draft(folder_of(path))?;
    let mut out = BufWriter::new(file.as_file_mut());
    text(&mut out)?;
    out.flush()?;
    drop(out);
    if let Some(metadata) = metadata {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Follows a link: the file that it leads to is written if it is below the link's folder.
fn through_link(path: &Path, text: &dyn Fn(&mut dyn Write) -> Result<()>) -> Result<()> {
    let target = path.canonicalize().ok().filter(|target| {
        let folder = folder_of(path).canonicalize();
        folder.is_ok_and(|folder| target.starts_with(folder))
    });
    match target {
        Some(target) => stream(&target, text),
        None => Err(Error::other("it is a symbolic link out of its folder; name the file that it leads to")),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A draft with another name, and the permissions of a new file.
fn draft(folder: &Path) -> Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".percept-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.kif");
        write(&path, b"(role a)").expect("new");
        write(&path, b"(role b)").expect("replaced");
        assert_eq!(std::fs::read(&path).expect("text"), b"(role b)");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
        write(folder.path(), b"").expect_err("a folder");
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).expect("a folder");
        let own = folder.path().join("own");
        let [link, dangling, beside] = ["link", "dangling", "beside"].map(|name| inner.join(name));
        std::fs::write(&own, "mine").expect("written");
        std::fs::set_permissions(&own, PermissionsExt::from_mode(0o640)).expect("set");
        symlink(&own, &link).expect("a link");
        symlink(folder.path().join("nowhere"), &dangling).expect("a link");
        for link in [&link, &dangling] {
            assert!(write(link, b"yours").expect_err("refused").to_string().contains("symbolic link"));
        }
        assert_eq!(std::fs::read_to_string(&own).expect("text"), "mine");
        write(&inner.join("near"), b"old").expect("written");
        symlink("near", &beside).expect("a link");
        write(&beside, b"near").expect("a link within its folder");
        assert_eq!(std::fs::read(inner.join("near")).expect("text"), b"near");
        write(&own, b"new").expect("written");
        assert_eq!(std::fs::metadata(&own).expect("a file").permissions().mode() & 0o777, 0o640);
        std::fs::set_permissions(&own, PermissionsExt::from_mode(0o440)).expect("set");
        write(&own, b"newer").expect_err("write-protected");
        write(Path::new("/dev/null"), b"gone").expect("a device");
    }
}
