//! The rule book as files an editor can open: the page of a rule is written into the user's temporary folder when a
//! finding first names it, so that the link behind a finding works without a network.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};

use percept_analysis::Rule;
use tower_lsp::lsp_types::Url;

static PAGES: LazyLock<Mutex<HashMap<&'static str, Option<Url>>>> = LazyLock::new(Mutex::default);

/// Where the rule's page lies; `None` where it could not be written.
pub(crate) fn page(rule: &'static Rule) -> Option<Url> {
    let mut pages = PAGES.lock().unwrap_or_else(PoisonError::into_inner);
    pages.entry(rule.name).or_insert_with(|| write(rule)).clone()
}

fn write(rule: &Rule) -> Option<Url> {
    let folder = folder();
    std::fs::create_dir_all(&folder).ok()?;
    let path = folder.join(format!("{}.md", rule.name));
    if std::fs::read(&path).ok().as_deref() != Some(rule.page.as_bytes()) {
        // Written beside and renamed, so that two servers never show half a page.
        let draft = folder.join(format!(".{}.{}", rule.name, std::process::id()));
        std::fs::write(&draft, rule.page).ok()?;
        std::fs::rename(&draft, &path).ok()?;
    }
    Url::from_file_path(path).ok()
}

fn folder() -> PathBuf {
    let user = std::env::var("USER").or_else(|_| std::env::var("USERNAME")).unwrap_or_default();
    let user: String = user.chars().filter(char::is_ascii_alphanumeric).collect();
    std::env::temp_dir().join(format!("percept-rules-{}-{user}", env!("CARGO_PKG_VERSION")))
}
