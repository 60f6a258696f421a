//! State shared between requests. Everything here except `sittings` is a cache: losing it costs only time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use percept_game::gdl::Grounding;
use percept_game::{Game, PogddlTerminal};
use percept_infoset::Factored;
use percept_report::board::Layout;
use tower_lsp::lsp_types::{SemanticToken, Url};

use crate::basis::{Basis, InText, Verdicts};
use crate::counts::Counter;
use crate::file::are_same;
use crate::games::{self, Loaded, Memo, Refusal};
use crate::good::GoodTexts;
use crate::prices::Prices;
use crate::program::Program;
use crate::sittings::Sittings;
use crate::snapshot::{File, Kind, Snapshot};
use crate::units;
use crate::verdicts::{Note, Verdict};

/// The name of a report on a document.
pub(crate) enum Report {
    /// The client has the current findings under this name.
    Same(String),
    /// There is news, under a new name.
    New(String),
}

/// The caches of one session.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// The last colours sent for each document, with their name.
    tokens: Mutex<HashMap<Url, (String, Vec<SemanticToken>)>>,
    results: AtomicU64,
    /// The games built last, newest first.
    games: Mutex<Vec<CachedGame>>,
    /// The most recently requested verdicts, newest first.
    verdicts: Mutex<Vec<Arc<Verdict>>>,
    /// The findings in the most recently checked texts, newest first.
    in_text: Mutex<Vec<(Basis, Arc<Vec<InText>>)>>,
    /// The judge's findings about the most recently judged games, newest first.
    judged: Mutex<Vec<Arc<Verdicts>>>,
    /// The last texts without errors and warnings.
    pub good: GoodTexts,
    /// The last report on each document to a client that pulls, with its name.
    reports: Mutex<HashMap<Url, (String, Basis)>>,
    /// True once the client has pulled findings.
    pulls: AtomicBool,
    /// The numbers of ground instances.
    pub counter: Arc<Counter>,
    /// The worth of percepts.
    pub prices: Prices,
    /// The matches played by persons; the only part that is not a cache.
    pub sittings: Sittings,
    /// The functions of the program that serves.
    pub program: Program,
}

/// The most games that are kept.
const GAMES: usize = 4;
/// The most judged games that are kept.
const JUDGED: usize = 32;
/// The most texts whose findings are kept: one version of each.
const TEXTS: usize = 8;
/// The most verdicts that are kept.
const VERDICTS: usize = 8;

/// A game, its boards and its public percepts, both computed on first use, and answers about it.
type Built = (Arc<Game>, Arc<OnceLock<Layout>>, Arc<OnceLock<Option<Factored>>>, Arc<Memo>);

/// A game and its files.
struct CachedGame {
    files: Vec<Arc<File>>,
    terminal: PogddlTerminal,
    game: Result<Built, Vec<Refusal>>,
}

impl std::fmt::Debug for CachedGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CachedGame").field("files", &self.files.len()).finish()
    }
}

impl Shared {
    /// Empty caches for a program.
    pub(crate) fn of(program: Program) -> Shared {
        Shared { program, ..Shared::default() }
    }

    /// Keeps the colours of a document and gives them a name.
    pub(crate) fn remember_tokens(&self, uri: Url, tokens: Vec<SemanticToken>) -> String {
        let name = self.results.fetch_add(1, Ordering::Relaxed).to_string();
        let mut tokens_of = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens_of.insert(uri, (name.clone(), tokens));
        name
    }

    /// The colours that were sent under this name, if they were the last ones.
    pub(crate) fn tokens(&self, uri: &Url, name: &str) -> Option<Vec<SemanticToken>> {
        let tokens_of = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens_of.get(uri).filter(|(last, _)| last == name).map(|(_, tokens)| tokens.clone())
    }

    /// The game of a document: of a description, of a problem with its domain, of a domain with its first problem, of a
    /// trace with the game it is a match of. Remembered until one of the files changes.
    ///
    /// # Errors
    /// If the document is not a game.
    pub(crate) fn load(&self, snapshot: &Snapshot, uri: &Url) -> Result<Loaded, Vec<Refusal>> {
        let files = games::files_at(snapshot, uri)?;
        let terminal = games::terminal(snapshot, &files[0]);
        let same = |known: &CachedGame| known.terminal == terminal && are_same(&known.files, &files);
        let loaded =
            |(game, layout, factored, memo): Built| Loaded { game, files: files.clone(), layout, factored, memo };
        let found = self.lock_games().iter().find(|known| same(known)).map(|known| known.game.clone());
        if let Some(game) = found {
            return game.map(loaded);
        }
        let game = games::build(&files, terminal, &Grounding::default())
            .map(|game| (Arc::new(game), Arc::default(), Arc::default(), Arc::default()));
        let mut games = self.lock_games();
        games.insert(0, CachedGame { files: files.clone(), terminal, game: game.clone() });
        games.truncate(GAMES);
        game.map(loaded)
    }

    fn lock_games(&self) -> std::sync::MutexGuard<'_, Vec<CachedGame>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cached verdict about the observability of a document's current game.
    pub(crate) fn verdict(&self, snapshot: &Snapshot, file: &Arc<File>) -> Option<Arc<Verdict>> {
        let verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        verdicts.iter().find(|verdict| verdict.is_about(file) && verdict.is_current(snapshot)).cloned()
    }

    /// Keeps a verdict, which replaces those on the same documents.
    pub(crate) fn remember_verdict(&self, verdict: Verdict) {
        let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        verdicts.retain(|other| !other.is_replaced_by(&verdict));
        verdicts.insert(0, Arc::new(verdict));
        verdicts.truncate(VERDICTS);
    }

    /// Keeps the repairs of a finding beside the other notes on these documents.
    pub(crate) fn remember_repairs(&self, files: &[Arc<File>], note: Note) {
        let old = {
            let verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
            verdicts.iter().find(|it| are_same(it.files(), files)).cloned()
        };
        let verdict = match old {
            Some(old) => old.with(note),
            None => Verdict::new(files.to_vec(), vec![note]),
        };
        self.remember_verdict(verdict);
    }

    /// True if the game of these files has been judged.
    pub(crate) fn is_judged(&self, files: &[Arc<File>]) -> bool {
        self.lock_judged().iter().any(|other| are_same(&other.files, files))
    }

    /// The judge's findings about the current games of a document.
    pub(crate) fn judged(&self, snapshot: &Snapshot, file: &Arc<File>) -> Option<Arc<Verdicts>> {
        let is_current = |file: &Arc<File>| games::file(snapshot, &file.uri).is_some_and(|now| Arc::ptr_eq(&now, file));
        let of_file = |verdicts: &&Arc<Verdicts>| {
            !verdicts.judged.is_empty()
                && verdicts.files.iter().any(|it| Arc::ptr_eq(it, file))
                && verdicts.files.iter().all(is_current)
        };
        self.lock_judged().iter().find(of_file).cloned()
    }

    /// Stores the judge's findings.
    pub(crate) fn remember_judged(&self, verdicts: Verdicts) {
        let mut judged = self.lock_judged();
        judged.retain(|other| !are_same(&other.files, &verdicts.files));
        judged.insert(0, Arc::new(verdicts));
        judged.truncate(JUDGED);
    }

    fn lock_judged(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Verdicts>>> {
        self.judged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The basis of a document's current findings.
    pub(crate) fn basis(&self, snapshot: &Snapshot, file: &Arc<File>) -> Basis {
        let game = match file.kind() {
            Kind::Trace => games::files(snapshot, file).unwrap_or_default(),
            Kind::Game(_) => Vec::new(),
        };
        Basis {
            file: file.clone(),
            unit: units::of(snapshot, file),
            game,
            settings: snapshot.settings.clone(),
            project: snapshot.project(file),
            verdict: self.verdict(snapshot, file),
            judged: self.judged(snapshot, file),
            is_beside: false,
        }
    }

    /// The findings in a text, computed by `find` if they are not cached. Published findings, pulled ones, repairs, and
    /// the second look after the judge has finished need the same.
    pub(crate) fn found_in_text(&self, basis: &Basis, find: impl FnOnce() -> Vec<InText>) -> Arc<Vec<InText>> {
        let texts = || self.in_text.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = texts().iter().find(|(other, _)| other.has_same_text(basis)) {
            return found.clone();
        }
        let found = Arc::new(find());
        let mut all = texts();
        // No client asks for an older version of a text, and each holds all that was read of it.
        all.retain(|(other, _)| other.uri() != basis.uri());
        all.insert(0, (basis.clone(), found.clone()));
        all.truncate(TEXTS);
        found
    }

    /// Notes that the client pulls findings; true the first time.
    pub(crate) fn pull_findings(&self) -> bool {
        !self.pulls.swap(true, Ordering::Relaxed)
    }

    pub(crate) fn pulls(&self) -> bool {
        self.pulls.load(Ordering::Relaxed)
    }

    /// Stores the basis of a document's report and gives it a name; it keeps the name `previous` if that report is
    /// still valid.
    pub(crate) fn report(&self, uri: &Url, basis: Basis, previous: Option<&str>) -> Report {
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((name, last)) = reports.get(uri)
            && previous == Some(name)
            && *last == basis
        {
            return Report::Same(name.clone());
        }
        let name = self.results.fetch_add(1, Ordering::Relaxed).to_string();
        reports.insert(uri.clone(), (name.clone(), basis));
        Report::New(name)
    }

    /// The basis of the last report on a document.
    pub(crate) fn reported(&self, uri: &Url) -> Option<Basis> {
        let reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        reports.get(uri).map(|(_, basis)| basis.clone())
    }

    /// Forgets the answers about texts that no client can ask for: older versions, and those of closed documents.
    pub(crate) fn forget_old(&self, newest: &Snapshot) {
        let are_new = |files: &[Arc<File>]| files.iter().all(|file| newest.may_have(file));
        self.lock_games().retain(|game| are_new(&game.files));
        self.lock_judged().retain(|verdicts| are_new(&verdicts.files));
        let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        verdicts.retain(|verdict| are_new(verdict.files()));
        let mut in_text = self.in_text.lock().unwrap_or_else(PoisonError::into_inner);
        in_text.retain(|(basis, _)| basis.unit.texts().into_iter().chain([&basis.file]).all(|it| newest.may_have(it)));
        self.counter.forget_old(newest);
        self.prices.forget_old(newest);
    }

    /// Forgets a closed document.
    pub(crate) fn forget(&self, uri: &Url) {
        self.reports.lock().unwrap_or_else(PoisonError::into_inner).remove(uri);
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner).remove(uri);
        self.sittings.leave(uri);
        self.good.forget(uri);
        self.in_text.lock().unwrap_or_else(PoisonError::into_inner).retain(|(basis, _)| basis.uri() != uri);
    }
}

#[cfg(test)]
mod tests {
    use percept_syntax::Language;

    use super::*;

    #[test]
    fn only_the_newest_version_of_a_text_is_kept() {
        let (shared, mut snapshot) = (Shared::default(), Snapshot::default());
        let uri = Url::parse("file:///nowhere/a.kif").expect("an address");
        let mut versions = Vec::new();
        for version in 0..3 {
            let kind = Kind::Game(Language::GdlPrefix);
            let file = Arc::new(File::new(uri.clone(), Some(version), None, kind, "(role a)"));
            snapshot.open.insert(file.clone());
            let basis = shared.basis(&snapshot, &file);
            shared.found_in_text(&basis, Vec::new);
            shared.remember_judged(Verdicts { files: vec![file.clone()], judged: Vec::new() });
            versions.push(Arc::downgrade(&file));
        }
        let kept = |versions: &[std::sync::Weak<File>]| -> Vec<bool> {
            versions.iter().map(|version| version.upgrade().is_some()).collect()
        };
        shared.forget_old(&snapshot);
        assert_eq!(kept(&versions), [false, false, true]);
        let current = snapshot.file(&uri).expect("it is open").clone();
        assert!(shared.is_judged(std::slice::from_ref(&current)), "what is about the open text stays");
        drop(current);
        snapshot.open.remove(&uri);
        shared.forget_old(&snapshot);
        assert_eq!(kept(&versions), [false; 3], "nothing is kept of a closed text");
    }
}
