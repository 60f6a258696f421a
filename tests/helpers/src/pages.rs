//! Pages of a rule book: their headings, and the examples below them.

/// The code blocks under a heading: the word after the fence and the text.
pub fn blocks(page: &str, heading: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut here = false;
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => blocks.extend(open.take().filter(|_| here)),
            (Some((_, text)), None) => *text = format!("{text}{line}\n"),
            (None, Some(language)) => open = Some((language.trim().to_string(), String::new())),
            (None, None) if line.starts_with("## ") => here = line[3..].trim() == heading,
            (None, None) => {}
        }
    }
    blocks
}

/// The faults of a rule's page before its examples are run: a different title, a missing heading or example.
pub fn faults(rule: &str, page: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if !page.starts_with(&format!("# {rule}\n")) {
        faults.push(format!("{rule}: the page has another title"));
    }
    for heading in ["## Why", "## Bad", "## Good", "## Source"] {
        if !page.contains(heading) {
            faults.push(format!("{rule}: no {heading}"));
        }
    }
    if blocks(page, "Bad").is_empty() || blocks(page, "Good").is_empty() {
        faults.push(format!("{rule}: an example is missing"));
    }
    faults
}

/// Checks that every name is in small letters with hyphens, and that none occurs twice.
///
/// # Panics
/// A name is different.
pub fn assert_names(mut names: Vec<&str>) {
    let count = names.len();
    assert!(names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')), "{names:?}");
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
