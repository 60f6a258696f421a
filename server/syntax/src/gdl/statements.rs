//! The statements of a description. A long row of facts is not kept: it is read again on every access, because its
//! typed syntax takes ten times the memory of its text. In a text that is being edited, all statements are read on the
//! first access.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::ast::{Statement, TermKind, is_keyword};
use crate::{Followed, TextRange};

/// The number of facts in a row that are read again together.
const ROW: usize = 256;

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Description {
    /// Facts and rules in the order of the text; a copy of the description shares them.
    pub statements: Statements,
}

impl Description {
    /// The same with more statements at the end.
    pub fn with(&self, more: impl IntoIterator<Item = Statement>) -> Description {
        Description { statements: self.statements.with(more) }
    }
}

/// Facts and rules in the order of the text; a copy shares them.
///
/// A slice keeps all of them in memory from then on. [`Statements::each`] holds only a few at once.
#[derive(Clone, Default)]
pub struct Statements(Arc<Inner>);

/// Reads a part of a text that was read without an error.
pub(crate) type Read = fn(&str, TextRange) -> Vec<Statement>;

#[derive(Default)]
struct Inner {
    made: OnceLock<Made>,
    /// The text of the statements, and its reader.
    text: Arc<str>,
    read: Option<Read>,
    /// All statements, if there are rows and a slice was requested.
    all: OnceLock<Vec<Statement>>,
    /// The places of the statements, if the text is being edited and has no errors.
    followed: Option<Followed>,
}

/// Statements that were read.
#[derive(Clone, Default)]
struct Made {
    /// The statements outside of the rows.
    kept: Vec<Statement>,
    rows: Vec<Row>,
}

impl Inner {
    fn made(&self) -> &Made {
        self.made.get_or_init(|| {
            let mut collector = Collector::default();
            let whole = TextRange::new(0, self.text.len() as u32);
            let statements = self.read.iter().flat_map(|read| read(&self.text, whole));
            statements.for_each(|statement| collector.push(statement, true));
            collector.end()
        })
    }
}

/// Facts whose arguments are words, without errors.
#[derive(Clone)]
struct Row {
    /// The number of kept statements before it.
    before: usize,
    range: TextRange,
}

impl Statements {
    /// The statements in their order, one after the other.
    pub fn each(&self) -> impl Iterator<Item = Cow<'_, Statement>> {
        let Inner { text, read, .. } = &*self.0;
        let Made { kept, rows } = self.0.made();
        let mut from = 0;
        rows.iter().map(Some).chain([None]).flat_map(move |row| {
            let before = std::mem::replace(&mut from, row.map_or(kept.len(), |row| row.before));
            let facts = row.zip(*read).into_iter().flat_map(|(row, read)| read(text, row.range));
            kept[before..from].iter().map(Cow::Borrowed).chain(facts.map(Cow::Owned))
        })
    }

    /// The same with more statements at the end.
    fn with(&self, more: impl IntoIterator<Item = Statement>) -> Statements {
        let Made { kept, rows } = self.0.made();
        let made = Made { kept: kept.iter().cloned().chain(more).collect(), rows: rows.clone() };
        let (text, read) = (self.0.text.clone(), self.0.read);
        Statements(Arc::new(Inner { made: made.into(), text, read, ..Inner::default() }))
    }

    /// The statements of a text that is being edited, none of which has been read yet.
    pub(crate) fn followed(text: &Arc<str>, read: Read, followed: Followed) -> Statements {
        let (text, read, followed) = (text.clone(), Some(read), Some(followed));
        Statements(Arc::new(Inner { text, read, followed, ..Inner::default() }))
    }

    /// The same, if all have been read.
    pub(crate) fn follow(&mut self, followed: Followed) {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.followed = Some(followed);
        }
    }

    /// The places of the statements of a text that is being edited, if it has no errors.
    pub fn places(&self) -> Option<&Followed> {
        self.0.followed.as_ref()
    }

    /// Reads a part of a text without errors, from the beginning of a statement to the end of one.
    pub fn within(&self, range: TextRange) -> Vec<Statement> {
        self.0.read.map_or_else(Vec::new, |read| read(&self.0.text, range))
    }

    /// The statements with a body.
    pub fn with_body(&self) -> impl Iterator<Item = &Statement> {
        self.0.made().kept.iter().filter(|statement| !statement.body.is_empty())
    }

    /// The statement at exactly this range.
    pub fn at(&self, range: TextRange) -> Option<Cow<'_, Statement>> {
        let Inner { text, read, .. } = &*self.0;
        let Made { kept, rows } = self.0.made();
        if let Some(statement) = kept.iter().find(|statement| statement.range == range) {
            return Some(Cow::Borrowed(statement));
        }
        let row = rows.iter().find(|row| row.range.cover(range) == row.range)?;
        let mut facts = read.iter().flat_map(|read| read(text, row.range));
        facts.find(|fact| fact.range == range).map(Cow::Owned)
    }

    /// The statements whose head has this relation. Facts of keywords are never in rows, so that this search finds
    /// them.
    pub fn about<'s>(&self, relation: &'s str) -> impl Iterator<Item = &Statement> + use<'_, 's> {
        let all = if is_keyword(relation) { &self.0.made().kept } else { &self[..] };
        all.iter().filter(move |statement| statement.head.as_ref().is_some_and(|head| head.name.is(relation)))
    }
}

impl Deref for Statements {
    type Target = [Statement];

    fn deref(&self) -> &[Statement] {
        let made = self.0.made();
        match made.rows.is_empty() {
            true => &made.kept,
            false => self.0.all.get_or_init(|| self.each().map(Cow::into_owned).collect()),
        }
    }
}

impl From<Vec<Statement>> for Statements {
    fn from(kept: Vec<Statement>) -> Statements {
        let made = Made { kept, rows: Vec::new() };
        Statements(Arc::new(Inner { made: made.into(), ..Inner::default() }))
    }
}

impl FromIterator<Statement> for Statements {
    fn from_iter<T: IntoIterator<Item = Statement>>(statements: T) -> Statements {
        Vec::from_iter(statements).into()
    }
}

impl PartialEq for Statements {
    fn eq(&self, other: &Statements) -> bool {
        self[..] == other[..]
    }
}

impl std::fmt::Debug for Statements {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self[..].fmt(f)
    }
}

/// Collects the statements of a text in prefix notation.
#[derive(Default)]
pub(super) struct Collector {
    kept: Vec<Statement>,
    rows: Vec<Row>,
    /// The newest facts, fewer than a row.
    facts: Vec<Statement>,
}

impl Collector {
    /// Adds a statement; `is_sound` if it was read without an error.
    pub(super) fn push(&mut self, statement: Statement, is_sound: bool) {
        if !is_sound || !is_plain(&statement) {
            self.kept.append(&mut self.facts);
            self.kept.push(statement);
            return;
        }
        self.facts.push(statement);
        if let ([first, .., last], ROW) = (&self.facts[..], self.facts.len()) {
            self.rows.push(Row { before: self.kept.len(), range: first.range.cover(last.range) });
            self.facts.clear();
        }
    }

    /// The statements of `text`, of which `read` reads the rows again.
    pub(super) fn finish(self, text: &Arc<str>, read: Read) -> Statements {
        let (made, text) = (self.end().into(), text.clone());
        Statements(Arc::new(Inner { made, text, read: Some(read), ..Inner::default() }))
    }

    fn end(mut self) -> Made {
        self.kept.append(&mut self.facts);
        Made { kept: self.kept, rows: self.rows }
    }
}

/// True for a fact like `(succ 1 2)`.
fn is_plain(statement: &Statement) -> bool {
    let is_flat = statement.head.as_ref().is_some_and(|head| {
        let is_list = matches!(head.kind, TermKind::Compound(_)) && !is_keyword(&head.name.text);
        is_list && head.args().iter().all(|arg| arg.kind == TermKind::Constant)
    });
    is_flat && statement.arrow.is_none() && statement.body.is_empty()
}
