//! `percept check --fix`: makes repairs. Each is checked before it counts. Files are written only at the end, each in
//! one step.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use percept_analysis::repair;
use percept_analysis::{Diagnostic, FileId, Fix, Severity, TextEdit};
use percept_report::workspace;
use percept_syntax::{Charset, Source};
use rustc_hash::FxHashSet;

use super::{Named, SettingsFiles, its_domain};
use crate::args::Fixes;
use crate::failure::Failure;
use crate::load;
use crate::save;

/// The most rounds of repairs of one game. Each round improves the game, so more rounds would mean a cycle.
const ROUNDS: usize = 300;
/// The most passes over all games: the second one nearly always finds nothing.
const PASSES: usize = 4;
/// The longest text, in bytes, in which a bracket is searched: longer texts have no human author.
const LOOKED_THROUGH: usize = 4 << 20;

/// The number of syntax errors up to which brackets are searched before other repairs.
const LOOKED_FOR: usize = 8;

/// The repairs made.
pub(super) struct Fixed {
    /// The changed files, with their old and new texts.
    pub changed: Vec<Changed>,
    /// One line per repair.
    pub log: Vec<String>,
    /// The number of repairs that only `--fix=all` would make.
    pub guesses: usize,
}

/// A file with its repairs.
pub(super) struct Changed {
    pub path: PathBuf,
    /// The encoding of both.
    pub charset: Charset,
    pub before: Arc<str>,
    pub after: Arc<str>,
}

/// Finds all repairs of these files and makes them in memory.
///
/// # Errors
/// If a settings file cannot be read.
pub(super) fn find(
    paths: &[PathBuf],
    named: &Named,
    which: Fixes,
    settings: &mut SettingsFiles,
) -> Result<Fixed, Failure> {
    let mut desk =
        Desk { texts: BTreeMap::new(), games: Vec::new(), mine: FxHashSet::default(), which, log: Vec::new() };
    let mut before = BTreeMap::new();
    for path in paths {
        // The check reports files that cannot be read.
        let Ok(source) = load::source(path) else { continue };
        before.insert(path.clone(), source.text.clone());
        let domain = its_domain(path, &source, named).ok().flatten();
        let mut files = vec![path.clone()];
        if let Some((path, domain)) = domain {
            // The same file may also be named by another path.
            let path = paths.iter().find(|named| is_same(named, &path)).cloned().unwrap_or(path);
            desk.texts.entry(path.clone()).or_insert(domain);
            files.insert(0, path);
        }
        desk.texts.insert(path.clone(), source);
        desk.games.push(OneGame { files, settings: settings.of(path)?.clone() });
    }
    desk.mine = before.keys().cloned().collect();
    // A repair of a problem may enable one of its domain.
    for _ in 0..PASSES {
        let count = desk.log.len();
        (0..desk.games.len()).for_each(|game| desk.repair(game));
        if desk.log.len() == count {
            break;
        }
    }
    let guesses = (0..desk.games.len()).map(|game| desk.guesses(game)).sum();
    let changed = before.into_iter().filter_map(|(path, before)| {
        let Source { text: after, charset, .. } = desk.texts[&path].clone();
        (after != before).then_some(Changed { path, charset, before, after })
    });
    Ok(Fixed { changed: changed.collect(), log: desk.log, guesses })
}

fn is_same(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// The files in memory, and their games.
struct Desk {
    texts: BTreeMap<PathBuf, Source>,
    games: Vec<OneGame>,
    /// The files that may be changed: those named on the command line.
    mine: FxHashSet<PathBuf>,
    which: Fixes,
    log: Vec<String>,
}

/// A description, or a domain and its problem.
struct OneGame {
    files: Vec<PathBuf>,
    settings: percept_analysis::Settings,
}

/// A repair that could be made.
struct Candidate {
    finding: Diagnostic,
    fix: Fix,
}

/// Refused repairs: rule, message and title of each.
type Refused = FxHashSet<(&'static str, String, String)>;

impl Candidate {
    fn key(&self) -> (&'static str, String, String) {
        (self.finding.rule.name, self.finding.message.clone(), self.fix.title.clone())
    }

    fn is_bracket(&self) -> bool {
        self.finding.rule.name == "syntax-error"
    }
}

impl Desk {
    /// The findings in the texts of a game, with some texts replaced.
    fn findings_of(&self, game: usize, with: &BTreeMap<PathBuf, Source>) -> Vec<Diagnostic> {
        let OneGame { files, settings } = &self.games[game];
        let text = |path: &PathBuf| with.get(path).unwrap_or(&self.texts[path]);
        let sources: Vec<&Source> = files.iter().map(text).collect();
        workspace::findings_of_last(&sources, settings)
    }

    fn repair(&mut self, game: usize) {
        let (mut refused, mut made, mut last) = (Refused::default(), Refused::default(), "");
        for _ in 0..ROUNDS {
            let mut candidates = self.candidates(game, self.which, &refused);
            // Two rules that undo each other's repairs would go on for ever.
            candidates.retain(|it| it.finding.rule.name == last || !made.contains(&it.key()));
            let Some(rule) = candidates.first().map(|first| first.finding.rule.name) else { return };
            // All repairs of one rule together; if that fails, one after the other.
            let batch = apart(candidates.iter().filter(|it| it.finding.rule.name == rule).collect());
            if self.attempt(game, &batch) || batch.len() > 1 && batch.iter().any(|one| self.attempt(game, &[*one])) {
                // A repair that was refused may work now.
                refused.clear();
                made.extend(batch.iter().map(|it| it.key()));
                last = rule;
            } else {
                refused.extend(batch.iter().map(|it| it.key()));
            }
        }
    }

    /// The best repair of each finding of a game, in the order of the text.
    fn candidates(&self, game: usize, which: Fixes, refused: &Refused) -> Vec<Candidate> {
        let found = self.findings_of(game, &BTreeMap::new());
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut looked = 0;
        for finding in found {
            let fix = match finding.rule.name {
                // One bracket changes the next error, so one at a time is enough; and the search takes time.
                "syntax-error" if looked == LOOKED_FOR || candidates.iter().any(Candidate::is_bracket) => None,
                "syntax-error" => {
                    looked += 1;
                    self.bracket(game, &finding, which)
                }
                _ if which == Fixes::All => finding.fixes.first().cloned(),
                _ => finding.safe_repair().cloned(),
            };
            let is_mine = |edit: &TextEdit| self.mine.contains(self.path(game, edit.file));
            let candidate = fix.filter(|fix| fix.edits.iter().all(is_mine)).map(|fix| Candidate { finding, fix });
            candidates.extend(candidate.filter(|it| !refused.contains(&it.key())));
        }
        candidates
    }

    fn bracket(&self, game: usize, error: &Diagnostic, which: Fixes) -> Option<Fix> {
        let path = self.path(game, error.file).clone();
        let source = &self.texts[&path];
        if source.text.len() > LOOKED_THROUGH || !self.mine.contains(&path) {
            return None;
        }
        let check = |tried: &Source| self.findings_of(game, &BTreeMap::from([(path.clone(), tried.clone())]));
        let best = repair::syntax(source, error, &check).into_iter().next()?;
        (best.is_certain || which == Fixes::All).then_some(best.fix)
    }

    fn path(&self, game: usize, file: FileId) -> &PathBuf {
        let files = &self.games[game].files;
        &files[(file.0 as usize).min(files.len() - 1)]
    }

    /// Makes repairs if they improve the games of these files: their findings disappear and no new error appears (with
    /// safe repairs, no new warning either).
    fn attempt(&mut self, game: usize, batch: &[&Candidate]) -> bool {
        let mut edits: BTreeMap<PathBuf, Vec<&TextEdit>> = BTreeMap::new();
        for edit in batch.iter().flat_map(|it| &it.fix.edits) {
            edits.entry(self.path(game, edit.file).clone()).or_default().push(edit);
        }
        let after: BTreeMap<PathBuf, Source> = edits
            .into_iter()
            .map(|(path, edits)| {
                let old = &self.texts[&path];
                let new = Source::parse(repair::edited(&old.text, edits), old.language);
                let new = Source { charset: old.charset, ..new };
                (path, new)
            })
            .collect();
        let is_certain = |it: &&Candidate| it.is_bracket() || it.finding.safe_repair().is_some();
        let grave = if batch.iter().all(is_certain) { Severity::Warning } else { Severity::Error };
        for other in 0..self.games.len() {
            let files = &self.games[other].files;
            if !files.iter().any(|path| after.contains_key(path)) {
                continue;
            }
            let (old, new) = (self.findings_of(other, &BTreeMap::new()), self.findings_of(other, &after));
            let syntax = |list: &[Diagnostic]| list.iter().filter(|it| it.rule.name == "syntax-error").count();
            // A repaired bracket may reveal other mistakes behind it; those are not caused by the repair.
            let reads_more = syntax(&new) < syntax(&old) && self.which == Fixes::All;
            let is_worse = new.iter().any(|it| it.severity >= grave && count(&new, it) > count(&old, it));
            let stays = other == game && batch.iter().any(|it| count(&new, &it.finding) >= count(&old, &it.finding));
            if stays || (is_worse && !reads_more) {
                return false;
            }
        }
        for it in batch {
            let path = self.path(game, it.finding.file);
            let text = &self.texts[path].text;
            let line = text[..it.finding.range.start as usize].matches('\n').count() + 1;
            self.log.push(format!("{}:{line}: {} ({})", path.display(), it.fix.title, it.finding.rule.name));
        }
        self.texts.extend(after);
        true
    }

    /// The number of further repairs that `--fix=all` would offer.
    fn guesses(&self, game: usize) -> usize {
        match self.which {
            Fixes::All => 0,
            Fixes::Safe => self.candidates(game, Fixes::All, &Refused::default()).len(),
        }
    }
}

fn count(findings: &[Diagnostic], like: &Diagnostic) -> usize {
    findings.iter().filter(|it| it.rule.name == like.rule.name && it.message == like.message).count()
}

/// The repairs that do not overlap, the earlier first.
fn apart(candidates: Vec<&Candidate>) -> Vec<&Candidate> {
    let mut taken: Vec<&TextEdit> = Vec::new();
    let mut apart: Vec<&Candidate> = Vec::new();
    for it in candidates {
        let touches = |edit: &TextEdit| {
            taken.iter().any(|other| {
                other.file == edit.file && other.range.start <= edit.range.end && edit.range.start <= other.range.end
            })
        };
        if !it.fix.edits.iter().any(touches) {
            taken.extend(&it.fix.edits);
            apart.push(it);
        }
    }
    apart
}

/// The lines that change, as `patch` and `git apply` read them.
pub(super) fn diff(fixed: &Fixed) -> String {
    let mut text = String::new();
    let here = std::env::current_dir().unwrap_or_default();
    for it in &fixed.changed {
        // Tools that apply the lines take no absolute paths.
        let path = it.path.strip_prefix(&here).or_else(|_| it.path.strip_prefix("/"));
        let name = path.unwrap_or(&it.path).display().to_string();
        let diff = similar::TextDiff::from_lines(&*it.before, &*it.after);
        let header = (format!("a/{name}"), format!("b/{name}"));
        text.push_str(&diff.unified_diff().header(&header.0, &header.1).to_string());
    }
    text
}

/// Writes all files.
///
/// # Errors
/// If a file cannot be written, or was changed by another program meanwhile; such a file is left as it is.
pub(super) fn write(fixed: &Fixed) -> Result<(), Failure> {
    for it in &fixed.changed {
        let written = |text: &str| it.charset.write(text).ok_or_else(|| load::not_written(&it.path, it.charset));
        let (before, after) = (written(&it.before)?, written(&it.after)?);
        if load::bytes(&it.path, percept_syntax::MAX_BYTES)? != before {
            let message = format!("{} was changed in the meantime and is left as it is", it.path.display());
            return Err(Failure::new(message).note("run the command again"));
        }
        save::file(&it.path, &after)?;
    }
    Ok(())
}
