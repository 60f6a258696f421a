//! The places of the parts of a text that is being edited.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::TextRange;

/// A caller's result about the newest version of a text. Only that caller knows its type.
type Note = Box<dyn Any + Send + Sync>;

/// The places of the parts in one version of a text that is being edited, and a note that all versions share. The parts
/// are the statements of a description; those of a PDDL file are listed at [`Part`].
#[derive(Clone)]
pub struct Followed {
    places: Arc<Vec<TextRange>>,
    /// The kinds of the parts; none for statements.
    parts: Arc<Vec<Part>>,
    shared: Arc<Shared>,
}

/// The state that all versions of a text share.
#[derive(Default)]
struct Shared {
    note: Mutex<Option<Note>>,
    /// True if a check of the next version needs only a few of its parts.
    is_wanted: AtomicBool,
}

/// A part of a PDDL file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The beginning of a list that consists of parts: `(define (domain d)`, `(:predicates`.
    Open(Parent),
    /// The `)` of such a list.
    Close,
    /// A section that is one part.
    Section,
    /// An action, a declared predicate or an initial fact.
    Free(Parent),
}

/// The list that a part is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    /// `(define ...)`, with its actions.
    Define,
    /// `(:predicates ...)`, with its declarations.
    Predicates,
    /// `(:init ...)`, with its facts.
    Init,
}

impl Followed {
    /// The places in a text, of which `before` is an earlier version.
    pub(crate) fn new(places: Vec<TextRange>, parts: Vec<Part>, before: Option<&Followed>) -> Followed {
        let shared = before.map_or_else(Arc::default, |before| before.shared.clone());
        Followed { places: Arc::new(places), parts: Arc::new(parts), shared }
    }

    /// The kinds of all parts of a PDDL file, in the order of the text.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// True if a check of the next version needs only a few of its parts.
    pub(crate) fn is_wanted(&self) -> bool {
        self.shared.is_wanted.load(Ordering::Relaxed)
    }

    /// States if a check of the next version needs only a few of its parts: then the others are not even read.
    pub fn set_wanted(&self, is_wanted: bool) {
        self.shared.is_wanted.store(is_wanted, Ordering::Relaxed);
    }

    /// The places of all parts, in the order of the text.
    pub fn ranges(&self) -> &[TextRange] {
        &self.places
    }

    /// Takes the last note about a version of the text.
    pub fn take_note(&self) -> Option<Note> {
        self.shared.note.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Leaves a note for the next version of the text.
    pub fn set_note(&self, note: Note) {
        *self.shared.note.lock().unwrap_or_else(PoisonError::into_inner) = Some(note);
    }
}

impl std::fmt::Debug for Followed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Followed").field("parts", &self.places.len()).finish()
    }
}
