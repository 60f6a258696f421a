//! The common parts of report pages: one self-contained file, light and dark.

use std::path::PathBuf;

use crate::load::{Loaded, title};

const STYLE: &str = include_str!("page.css");

/// Escapes text for a page.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A page about a game: `kicker` is the command, `what` follows the game's name in the title.
pub(crate) fn whole(kicker: &str, what: &str, loaded: &Loaded, body: &str) -> String {
    let files: Vec<PathBuf> = loaded.files.iter().map(|(path, _)| path.clone()).collect();
    let title = files.last().map(|path| title(path)).unwrap_or_default();
    titled(kicker, &format!("{title}: {what}"), &files, body)
}

/// A page about any number of games.
pub(crate) fn titled(kicker: &str, title: &str, files: &[PathBuf], body: &str) -> String {
    let files: Vec<String> = files.iter().map(|path| escape(&path.display().to_string())).collect();
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<p class=\"kicker\">{kicker}</p>\n\
         <h1>{title}</h1>\n<p class=\"files\">{}</p>\n</header>\n<main>\n{body}</main>\n</body>\n</html>\n",
        files.join(" &middot; ")
    )
}
