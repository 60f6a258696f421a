//! Which files mean something together: a GDL description alone; a POGDDL domain with its problems.
//!
//! A domain is looked for by its name among the open documents, in the problem's folder, in the folders above it, then
//! in the workspace; problems of a domain in its folder and below the workspace's nearest folders. Where no domain has the
//! name, one of the problem's own folder with nearly that name, or the only one there, is read, and the difference told.

use std::path::PathBuf;
use std::sync::Arc;

use percept_syntax::Language;
use tower_lsp::lsp_types::Url;

use crate::snapshot::{File, Kind, Snapshot};

/// How many folders above a file's own are looked into.
const ABOVE: usize = 8;
/// Problems of one domain that are read with it.
const MAX_PROBLEMS: usize = 12;

/// Files that are read together.
#[derive(Clone, Debug)]
pub enum Unit {
    Single(Arc<File>),
    /// A domain, where it is known, and the problems that name it.
    Pogddl {
        domain: Option<Arc<File>>,
        problems: Vec<Arc<File>>,
    },
}

impl PartialEq for Unit {
    fn eq(&self, other: &Unit) -> bool {
        let (mine, theirs) = (self.files(), other.files());
        mine.len() == theirs.len() && mine.iter().zip(theirs).all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

impl Unit {
    /// The unit a file belongs to.
    pub fn of(snapshot: &Snapshot, file: &Arc<File>) -> Unit {
        let Kind::Game(Language::Pogddl) = file.kind() else { return Unit::Single(file.clone()) };
        match half(file) {
            None => Unit::Single(file.clone()),
            Some(Half::Domain(name)) => {
                let wanted = |it: &Arc<File>| matches!(half(it), Some(Half::Problem(of)) if of == name);
                let problems = companions(snapshot, file, false).filter(wanted).take(MAX_PROBLEMS).collect();
                Unit::Pogddl { domain: Some(file.clone()), problems }
            }
            Some(Half::Problem(name)) => {
                let wanted = |it: &Arc<File>| matches!(half(it), Some(Half::Domain(is)) if is == name);
                let domain =
                    companions(snapshot, file, true).find(wanted).or_else(|| near_domain(snapshot, file, &name));
                Unit::Pogddl { domain, problems: vec![file.clone()] }
            }
        }
    }

    /// All files of the unit, the domain first.
    pub fn files(&self) -> Vec<&Arc<File>> {
        match self {
            Unit::Single(file) => vec![file],
            Unit::Pogddl { domain, problems } => domain.iter().chain(problems).collect(),
        }
    }

    /// Every domain with a problem of its own.
    pub fn pairs(&self) -> Vec<(&Arc<File>, &Arc<File>)> {
        match self {
            Unit::Pogddl { domain: Some(domain), problems } => problems.iter().map(|it| (domain, it)).collect(),
            _ => Vec::new(),
        }
    }
}

/// The domain of the problem's own folder that has nearly the name asked for, or the only one there.
fn near_domain(snapshot: &Snapshot, problem: &Arc<File>, name: &str) -> Option<Arc<File>> {
    let folder = |file: &File| file.uri.to_file_path().ok().and_then(|path| path.parent().map(PathBuf::from));
    let own = folder(problem)?;
    let domains: Vec<(String, Arc<File>)> = companions(snapshot, problem, false)
        .filter(|file| folder(file).as_ref() == Some(&own))
        .filter_map(|file| match half(&file) {
            Some(Half::Domain(is)) => Some((is, file)),
            _ => None,
        })
        .collect();
    let near = percept_analysis::pddl::nearest(name, domains.iter().map(|(is, _)| is.as_str()));
    let index = match near {
        Some(near) => domains.iter().position(|(is, _)| is == near)?,
        None if domains.len() == 1 => 0,
        None => return None,
    };
    Some(domains[index].1.clone())
}

#[derive(Debug, PartialEq)]
enum Half {
    Domain(String),
    Problem(String),
}

/// Which half of a game a text is, and the name that binds it to the other, from its first words: no file is parsed
/// only to learn that it is somebody else's.
fn half(file: &File) -> Option<Half> {
    let Kind::Game(Language::Pogddl) = file.kind() else { return None };
    let mut words = Words { text: file.head() };
    let mut opened = false;
    while let Some(word) = words.next() {
        match word.to_ascii_lowercase().as_str() {
            "domain" if opened => return Some(Half::Domain(words.name()?)),
            "problem" if opened => {
                words.name()?;
                return words
                    .find(|word| word.eq_ignore_ascii_case(":domain"))
                    .and_then(|_| words.name())
                    .map(Half::Problem);
            }
            word => opened = word == "(",
        }
    }
    None
}

/// Words and brackets of a text without its comments.
struct Words {
    text: String,
}

impl Words {
    fn name(&mut self) -> Option<String> {
        self.next().filter(|word| word != "(" && word != ")").map(|word| word.to_ascii_lowercase())
    }
}

impl Iterator for Words {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        loop {
            let rest = self.text.trim_start();
            let skip = self.text.len() - rest.len();
            if let Some(comment) = rest.strip_prefix(';') {
                let end = comment.find(['\n', '\r']).map_or(rest.len(), |at| at + 1);
                self.text.drain(..skip + end);
                continue;
            }
            let first = rest.chars().next()?;
            let length = match first {
                '(' | ')' => 1,
                _ => rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';')).unwrap_or(rest.len()),
            };
            let word = rest[..length].to_string();
            self.text.drain(..skip + length);
            return Some(word);
        }
    }
}

/// The other files that may belong to a file, nearest first: open documents, then files on disk. An open document
/// stands for its file.
fn companions<'a>(snapshot: &'a Snapshot, file: &'a Arc<File>, far: bool) -> impl Iterator<Item = Arc<File>> + 'a {
    let path = file.uri.to_file_path().ok();
    let folder = path.as_ref().and_then(|path| path.parent()).map(PathBuf::from);
    let disk = &snapshot.session.disk;
    let above = if far { ABOVE } else { 1 };
    let folders: Vec<PathBuf> =
        folder.iter().flat_map(|folder| folder.ancestors()).take(above).map(PathBuf::from).collect();
    let near = folders.into_iter().flat_map(move |folder| disk.folder(&folder).to_vec());
    let root =
        snapshot.session.roots.iter().find(|root| folder.as_ref().is_some_and(|folder| folder.starts_with(root)));
    let below = root.into_iter().flat_map(move |root| disk.below(root));
    let from_disk = near.chain(below).filter(move |other| Some(other) != path.as_ref()).filter_map(move |path| {
        let uri = Url::from_file_path(&path).ok()?;
        if snapshot.open.contains_key(&uri) {
            return None;
        }
        disk.file(&path)
    });
    let mut seen = std::collections::HashSet::new();
    let open = snapshot.open.values().filter(move |other| !Arc::ptr_eq(other, file)).cloned();
    open.chain(from_disk).filter(move |file| seen.insert(file.uri.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half_of(text: &str) -> Option<Half> {
        let uri = Url::parse("file:///a.pog").unwrap();
        half(&File::new(uri, None, Kind::Game(Language::Pogddl), text))
    }

    #[test]
    fn halves_are_told_by_their_first_words() {
        assert_eq!(half_of("; (domain x)\n(define (DOMAIN Poker)"), Some(Half::Domain("poker".into())));
        assert_eq!(half_of("(define (problem p1)\n (:domain poker)) ; rest"), Some(Half::Problem("poker".into())));
        assert_eq!(half_of("(define (problem p1))"), None);
        assert_eq!(half_of("(:domain"), None);
        assert_eq!(half_of(""), None);
    }
}
