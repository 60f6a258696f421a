//! Finds the files that form one game, and the findings in them: a GDL description alone, or a POGDDL domain with its
//! problems.
//!
//! In: a text, and access to the others ([`Texts`]: the disk, or an editor's texts). Out: its [`Unit`], and the
//! findings of the text, each reported once. A domain is searched by name as [`domain`] describes, then among the open
//! texts. The problems of a domain are those in its folder and below the workspace's folders that find this domain.
//!
//! A unit holds its texts as `Arc`s and stays equal as long as they do, so results may be cached under it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use percept_analysis::{
    Dedup, Diagnostic, FileId, Settings, Severity, check, check_alone, check_pddl, check_with_domain,
};
use percept_syntax::pddl::Definition;
use percept_syntax::{Source, Syntax};
use rustc_hash::FxHashSet;

use crate::Finding;
use crate::domain::{self, Disk, Folders, Listing, Missing};
use crate::files;
use crate::half::{self, Half};
use crate::load::File;

/// The most problems of one domain that are read with it.
const MAX_PROBLEMS: usize = 12;

/// A text in the form in which its owner stores it.
pub trait Text {
    /// The parsed text; `None` if it is not a description.
    fn source(&self) -> Option<&Source>;
    /// The half of a POGDDL game that the text defines.
    fn half(&self) -> Option<Half>;
    /// The path of the text, if it is saved.
    fn path(&self) -> Option<PathBuf>;
}

/// Access to all texts.
pub trait Texts: Folders {
    /// The type of one text.
    type Text: Text;
    /// The text at a path, if it can be read.
    fn read(&self, path: &Path) -> Option<Arc<Self::Text>>;
    /// The texts that an editor has open.
    fn open(&self) -> Vec<Arc<Self::Text>>;
    /// The files below a folder, nearest first.
    fn below(&self, folder: &Path) -> Vec<PathBuf>;
    /// The folders open in an editor, or given to a command.
    fn roots(&self) -> &[PathBuf];
}

/// The texts on disk, with the folders given to a command.
#[derive(Clone, Copy, Debug)]
pub struct OnDisk<'a>(pub &'a [PathBuf]);

impl Folders for OnDisk<'_> {
    fn list(&self, folder: &Path) -> Listing {
        Disk.list(folder)
    }

    fn half(&self, file: &Path) -> Option<Half> {
        Disk.half(file)
    }
}

impl Texts for OnDisk<'_> {
    type Text = File;

    fn read(&self, path: &Path) -> Option<Arc<File>> {
        Some(Arc::new((path.to_path_buf(), files::source(path).ok()?)))
    }

    fn open(&self) -> Vec<Arc<File>> {
        Vec::new()
    }

    fn below(&self, folder: &Path) -> Vec<PathBuf> {
        files::searched(folder)
    }

    fn roots(&self) -> &[PathBuf] {
        self.0
    }
}

impl Text for File {
    fn source(&self) -> Option<&Source> {
        Some(&self.1)
    }

    fn half(&self) -> Option<Half> {
        matches!(self.1.syntax, Syntax::Pddl(_)).then(|| half::of_text(&self.1.text)).flatten()
    }

    fn path(&self) -> Option<PathBuf> {
        std::path::absolute(&self.0).ok()
    }
}

/// Texts that are read together.
#[derive(Debug)]
pub enum Unit<T> {
    /// A description, or a POGDDL file that is neither a domain nor a problem.
    Single(Arc<T>),
    /// A POGDDL game.
    Pogddl {
        /// The domain, if it is known.
        domain: Option<Arc<T>>,
        /// The reason why there is no domain.
        missing: Option<Missing>,
        /// The problems that name the domain.
        problems: Vec<Arc<T>>,
    },
}

/// A finding of a text, with the files that its file numbers refer to.
pub type InText<T> = (Vec<Arc<T>>, Diagnostic);

impl<T> Clone for Unit<T> {
    fn clone(&self) -> Unit<T> {
        match self {
            Unit::Single(text) => Unit::Single(text.clone()),
            Unit::Pogddl { domain, missing, problems } => {
                Unit::Pogddl { domain: domain.clone(), missing: missing.clone(), problems: problems.clone() }
            }
        }
    }
}

impl<T> PartialEq for Unit<T> {
    fn eq(&self, other: &Unit<T>) -> bool {
        let (mine, theirs) = (self.texts(), other.texts());
        self.missing() == other.missing()
            && mine.len() == theirs.len()
            && mine.iter().zip(theirs).all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

impl<T> Unit<T> {
    /// The reason why no domain is known.
    pub fn missing(&self) -> Option<&Missing> {
        match self {
            Unit::Single(_) => None,
            Unit::Pogddl { missing, .. } => missing.as_ref(),
        }
    }

    /// The domain, if it is known.
    pub fn domain(&self) -> Option<&Arc<T>> {
        match self {
            Unit::Single(_) => None,
            Unit::Pogddl { domain, .. } => domain.as_ref(),
        }
    }

    /// All texts of the unit, the domain first.
    pub fn texts(&self) -> Vec<&Arc<T>> {
        match self {
            Unit::Single(text) => vec![text],
            Unit::Pogddl { domain, problems, .. } => domain.iter().chain(problems).collect(),
        }
    }

    /// The domain paired with each of its problems.
    fn pairs(&self) -> Vec<[&Arc<T>; 2]> {
        match self {
            Unit::Pogddl { domain: Some(domain), problems, .. } => problems.iter().map(|it| [domain, it]).collect(),
            _ => Vec::new(),
        }
    }
}

impl<T: Text> Unit<T> {
    /// The unit that a text belongs to.
    pub fn of(texts: &impl Texts<Text = T>, text: &Arc<T>) -> Unit<T> {
        match text.half() {
            None => Unit::Single(text.clone()),
            Some(Half::Domain(name)) => {
                Unit::Pogddl { domain: Some(text.clone()), missing: None, problems: problems_of(texts, text, &name) }
            }
            Some(Half::Problem(name)) => {
                let found = domain_of(texts, text.path().as_deref(), &name);
                let (domain, missing) =
                    found.map_or_else(|missing| (None, Some(missing)), |domain| (Some(domain), None));
                Unit::Pogddl { domain, missing, problems: vec![text.clone()] }
            }
        }
    }

    /// The texts of the game that contains `text`: the description; or the domain and the first problem, which may be
    /// the same text.
    ///
    /// # Errors
    /// If the domain or the problem is missing.
    pub fn game(self, text: &Arc<T>) -> Result<Vec<Arc<T>>, NoGame> {
        if text.source().is_some_and(|source| source.domain().is_some() && source.problem().is_some()) {
            return Ok(vec![text.clone(), text.clone()]);
        }
        match self {
            Unit::Single(text) => Ok(vec![text]),
            Unit::Pogddl { domain: None, missing, .. } => Err(NoGame::Domain(missing)),
            Unit::Pogddl { domain: Some(domain), problems, .. } => match problems.into_iter().next() {
                Some(problem) => Ok(vec![domain, problem]),
                None => Err(NoGame::Problem),
            },
        }
    }

    /// The findings in one of the unit's texts, each reported once even if several problems show it.
    pub fn findings(&self, text: &Arc<T>, settings: &Settings) -> Vec<InText<T>> {
        let Some(source) = text.source() else { return Vec::new() };
        let pairs = self.pairs();
        if pairs.is_empty() {
            let mut findings = check(source, settings);
            if let Some(missing) = self.missing() {
                missing.tell(&mut findings);
            }
            return findings.into_iter().map(|finding| (vec![text.clone()], finding)).collect();
        }
        let is_problem = is_problem(source);
        let own = FileId(u32::from(is_problem));
        let mut dedup = Dedup::default();
        let mut all = Vec::new();
        for pair in pairs.into_iter().filter(|[_, problem]| !is_problem || Arc::ptr_eq(problem, text)) {
            let [domain, problem] = pair.map(|text| text.source());
            for finding in check_pddl(domain, problem, settings) {
                if finding.file == own && dedup.is_new(&finding) {
                    all.push((pair.map(Arc::clone).to_vec(), finding));
                }
            }
        }
        all
    }
}

fn is_problem(source: &Source) -> bool {
    match &source.syntax {
        Syntax::Pddl(file) => matches!(file.definitions.first(), Some(Definition::Problem(_))),
        Syntax::Gdl(_) => false,
    }
}

/// The reason why a text of a unit is not part of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoGame {
    /// A problem without a domain, with the reason.
    #[error("{}", .0.as_ref().map_or_else(|| "this problem has no domain".to_owned(), Missing::message))]
    Domain(Option<Missing>),
    /// A domain without a problem.
    #[error("this is a domain; a match needs a problem of it, open or in the same folder")]
    Problem,
}

/// The domain called `name` for the problem saved at `path`.
///
/// # Errors
/// If no file or several files define it, or the file cannot be read.
pub fn domain_of<W: Texts>(texts: &W, path: Option<&Path>, name: &str) -> Result<Arc<W::Text>, Missing> {
    let elsewhere = |missing: Missing| {
        let wanted = Half::Domain(name.to_ascii_lowercase());
        let mut open = texts.open().into_iter().filter(|text| text.half().as_ref() == Some(&wanted));
        match (open.next(), open.next()) {
            (Some(one), None) => Ok(one),
            _ => Err(missing),
        }
    };
    let Some(path) = path else {
        // An unsaved text has no folder to search.
        return elsewhere(Missing::unsaved(name));
    };
    let read = |found: PathBuf| texts.read(&found).ok_or_else(|| Missing::unreadable(name, &found));
    match domain::find(texts, path, name, texts.roots()) {
        Ok(found) => read(found),
        Err(missing @ Missing::Several { .. }) => Err(missing),
        Err(missing) => {
            elsewhere(missing).or_else(|missing| domain::near(texts, path, name).map_or(Err(missing), read))
        }
    }
}

/// The problems of a domain: open ones first, then those in its folder, then those of the workspace.
fn problems_of<W: Texts>(texts: &W, domain: &Arc<W::Text>, name: &str) -> Vec<Arc<W::Text>> {
    let wanted = Half::Problem(name.to_owned());
    let own = domain.path();
    let folder = own.as_ref().and_then(|path| path.parent());
    let near = folder.map(|folder| texts.list(folder).files).unwrap_or_default();
    let root = texts.roots().iter().find(|root| folder.is_some_and(|folder| folder.starts_with(root)));
    let below = root.into_iter().flat_map(|root| texts.below(root));
    let is_mine = |path: &PathBuf| {
        texts.half(path).as_ref() == Some(&wanted)
            && own
                .as_ref()
                .is_some_and(|own| domain::find(texts, path, name, texts.roots()).is_ok_and(|found| found == *own))
    };
    let on_disk = near.into_iter().chain(below).filter(is_mine).filter_map(|path| texts.read(&path));
    let open = texts.open().into_iter().filter(|text| text.half().as_ref() == Some(&wanted));
    let open = open.filter(|text| text.path().is_none_or(|path| own.is_none() || is_mine(&path)));
    let mut seen = FxHashSet::default();
    let is_new = |text: &Arc<W::Text>| seen.insert((text.path(), text.path().is_none().then_some(Arc::as_ptr(text))));
    open.chain(on_disk).filter(is_new).take(MAX_PROBLEMS).collect()
}

/// All findings in the texts of a game: the description; or the domain and the problem, which may be the same text.
pub fn findings(sources: &[&Source], settings: &Settings) -> Vec<Diagnostic> {
    match sources {
        [domain, problem, ..] if domain.text != problem.text => {
            let mut all = check_alone(domain, settings);
            all.extend(check_with_domain(domain, problem, settings));
            all
        }
        [one, ..] => check(one, settings),
        [] => Vec::new(),
    }
}

/// The errors of the domain without its problem, if the texts are a domain and a problem. With such an error the game
/// has no meaning, whichever file is checked.
pub fn errors_of_domain(sources: &[&Source], settings: &Settings) -> Vec<Diagnostic> {
    match sources {
        [domain, problem, ..] if domain.text != problem.text => {
            let mut errors = check_alone(domain, settings);
            errors.retain(|it| it.severity == Severity::Error);
            errors
        }
        _ => Vec::new(),
    }
}

/// True if one of a game's texts has an error. The game then has no meaning, so nothing else is reported about it.
pub fn is_broken(sources: &[&Source], settings: &Settings) -> bool {
    findings(sources, settings).iter().any(|it| it.severity == Severity::Error)
}

/// The findings in the last text of a game, and those of its domain that appear only with this text.
pub fn findings_of_last(sources: &[&Source], settings: &Settings) -> Vec<Diagnostic> {
    match sources {
        [domain, problem] => check_with_domain(domain, problem, settings),
        [one, ..] => check(one, settings),
        [] => Vec::new(),
    }
}

/// Removes the findings in the domain that earlier problems have reported; `earlier` holds these findings.
pub fn leave_out_told(findings: &mut Vec<Finding>, earlier: &[&Finding]) {
    let mut dedup = Dedup::default();
    for finding in earlier {
        dedup.is_new(finding);
    }
    // Another problem of the domain may show the same finding with other matches.
    let key = |finding: &Finding| (finding.rule.name, finding.place());
    let is_shown = |it: &Finding| it.proof.is_some() && earlier.iter().any(|other| key(other) == key(it));
    findings.retain(|it| it.file != FileId(0) || !(dedup.knows(it) || is_shown(it)));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The editor shows the same findings in a domain and its problem as the command, which checks the domain
    /// separately.
    #[test]
    fn a_domain_has_no_findings_that_a_problem_takes_away() {
        let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let roots = [games.join("games"), games.join("server/analysis/tests/fixtures")];
        let texts = OnDisk(&roots);
        let mut pairs = 0;
        for path in roots.iter().flat_map(|root| texts.below(root)).filter(|path| files::is_pddl(path)) {
            let text = texts.read(&path).expect("a readable file");
            for [domain, problem] in Unit::of(&texts, &text).pairs() {
                pairs += 1;
                let (settings, mut dedup) = (Settings::default(), Dedup::default());
                let together = check_pddl(domain.source(), problem.source(), &settings);
                together.iter().for_each(|finding| _ = dedup.is_new(finding));
                let alone = check_pddl(domain.source(), None, &settings);
                let lost: Vec<_> = alone.iter().filter(|finding| !dedup.knows(finding)).collect();
                assert!(lost.is_empty(), "{} with {}: {lost:?}", domain.0.display(), problem.0.display());
            }
        }
        assert!(pairs > 0, "the games have problems");
    }
}
