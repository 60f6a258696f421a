//! A browser that opens a link. All users of a machine see the arguments of its programs, so the link itself is in a file
//! that only its owner reads, and the browser is given that file.

use std::io::Write;

use tempfile::NamedTempFile;

use crate::commands::page::escape;
use crate::output;

/// Opens a link in the browser of this machine. The file has to be kept until the browser has read it.
pub(super) fn open(link: &str) -> Option<NamedTempFile> {
    let link = escape(link);
    let page = format!(
        "<!doctype html>\n<title>Percept table</title>\n<meta http-equiv=\"refresh\" content=\"0; url={link}\">\n<a href=\"{link}\">To the table</a>\n"
    );
    let written = tempfile::Builder::new().prefix("percept-table-").suffix(".html").tempfile().and_then(|mut file| {
        file.write_all(page.as_bytes())?;
        open::that_detached(file.path())?;
        Ok(file)
    });
    written.map_err(|error| output::say(&format!("note: no browser was opened: {error}"))).ok()
}
