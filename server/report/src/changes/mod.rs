//! Statements that were removed or changed since a text that was right, and the findings that they lead to.
//!
//! A change is named beside a finding if it mentions the subject of the finding. It need not be the cause. The
//! caller checks that the old text lacks the finding ([`crate::name_changes`]).

mod pieces;
mod subject;

use percept_analysis::{Diagnostic, FileId, Place};
use percept_syntax::Source;
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Serialize;

use pieces::Piece;
use subject::Subject;

/// The older text with which the new one is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// The last commit of the file.
    Commit,
    /// The last text of an open document that had no errors or warnings.
    GoodText,
}

/// A statement that was removed or changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Change<P> {
    /// A sentence for the reader.
    pub message: String,
    /// The kind of change.
    pub kind: Kind,
    /// The old statement, on one line.
    pub was: String,
    /// The new statement, if it was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<P>,
}

/// The kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The statement is gone.
    Removed,
    /// Another statement about the same subject is in its place.
    Changed,
}

impl<P> Change<P> {
    /// The same change with its place converted.
    pub fn at<Q>(&self, place: impl FnOnce(&P) -> Q) -> Change<Q> {
        let (message, was) = (self.message.clone(), self.was.clone());
        Change { message, kind: self.kind, was, place: self.place.as_ref().map(place) }
    }
}

/// The statements that are missing since an older text.
#[derive(Debug)]
pub struct Changes<'a> {
    now: Vec<&'a Source>,
    since: Since,
    /// The missing statements, each with its place in the new text if it was changed.
    lost: Vec<(Piece, Option<Place>)>,
    roles: Vec<String>,
}

impl<'a> Changes<'a> {
    /// Compares two versions of the texts of a game. `None` if no statement is lost, or if one of the texts has syntax
    /// errors, which hide statements.
    pub fn new(old: &[&Source], now: &[&'a Source], since: Since) -> Option<Changes<'a>> {
        let is_same = old.len() == now.len() && old.iter().zip(now).all(|(old, now)| old.text == now.text);
        if is_same || old.iter().chain(now).any(|source| !source.errors.is_empty()) {
            return None;
        }
        let (before, after) = (pieces::of(old), pieces::of(now));
        let removed = without(&before, &after);
        let added = without(&after, &before);
        let lost = paired(removed, added);
        (!lost.is_empty()).then(|| Changes { now: now.to_vec(), since, lost, roles: subject::roles(now) })
    }

    /// The change that mentions the subject of the finding.
    pub fn of(&self, finding: &Diagnostic) -> Option<Change<Place>> {
        let subject = Subject::of(finding, self.now.get(finding.file.0 as usize).copied(), &self.roles);
        let ranked = self.lost.iter().filter_map(|lost| Some((subject.rank(&lost.0)?, lost)));
        let (_, (piece, place)) = ranked.min_by_key(|(rank, _)| *rank)?;
        let since = match self.since {
            Since::Commit => "the last commit",
            Since::GoodText => "the last text without errors and warnings",
        };
        let a = if piece.what.starts_with(['e', 'i', 'o']) { "an" } else { "a" };
        let (what, was) = (&piece.what, piece.shown.clone());
        let (kind, message) = match place {
            None => (Kind::Removed, format!("{a} {what} was removed since {since}: `{was}`")),
            Some(_) => (Kind::Changed, format!("{a} {what} was changed since {since}; it was `{was}`")),
        };
        Some(Change { message, kind, was, place: *place })
    }
}

/// The pieces of one text that the other lacks. A piece is listed as often as the other has fewer copies of it.
fn without(all: &[Piece], other: &[Piece]) -> Vec<Piece> {
    let mut kept: FxHashMap<(&str, &str), usize> = FxHashMap::default();
    for piece in other {
        *kept.entry((&piece.what, &piece.normal)).or_default() += 1;
    }
    let mut lost = Vec::new();
    for piece in all {
        match kept.get_mut(&(&*piece.what, &*piece.normal)) {
            Some(count) if *count > 0 => *count -= 1,
            _ => lost.push(piece.clone()),
        }
    }
    lost
}

/// Pairs each lost piece with the most similar new piece of the same kind.
fn paired(removed: Vec<Piece>, added: Vec<Piece>) -> Vec<(Piece, Option<Place>)> {
    let mut by_key: FxHashMap<(String, String), Vec<Piece>> = FxHashMap::default();
    for piece in added {
        by_key.entry(piece.key()).or_default().push(piece);
    }
    let pair = |piece: Piece| {
        let near = by_key.get_mut(&piece.key()).and_then(|near| {
            let likeness = near.iter().map(|it| piece.likeness(it)).enumerate();
            let (at, likeness) = likeness.max_by_key(|(at, likeness)| (*likeness, std::cmp::Reverse(*at)))?;
            (likeness >= 50).then(|| near.swap_remove(at))
        });
        let place = near.map(|it| Place { file: FileId(it.file), range: it.range });
        (piece, place)
    };
    removed.into_iter().map(pair).collect()
}
