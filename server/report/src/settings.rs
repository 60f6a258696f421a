//! `percept.toml`: the settings of a folder and its subfolders, up to the next such file below.

use std::path::{Path, PathBuf};

use percept_analysis::{Settings, SettingsError};

use crate::book;

/// The file's name.
pub const NAME: &str = "percept.toml";

/// The greatest size of the file, in bytes: settings are short.
pub const MAX_BYTES: usize = 1 << 20;

/// The settings file for a folder: the one in it, or in the nearest folder above that has one.
pub fn nearest(folder: &Path) -> Option<PathBuf> {
    folder
        .ancestors()
        .map(|folder| folder.join(NAME))
        .find(|file| file.is_file() && percept_syntax::is_within(file).is_ok())
}

/// The settings in the text of such a file. Unknown rule names are in [`Settings::unknown_rules`].
///
/// # Errors
/// The first error in the text, with its place.
pub fn of_text(text: &str) -> Result<Settings, SettingsError> {
    Settings::from_toml(text).map(book::knowing)
}

/// True if a settings file is a link to a file of another name. It may lead to any file of the user, and an error
/// message would show a line of it.
pub fn leads_elsewhere(file: &Path) -> bool {
    file.is_symlink() && !file.canonicalize().is_ok_and(|target| target.file_name().is_some_and(|name| name == NAME))
}
