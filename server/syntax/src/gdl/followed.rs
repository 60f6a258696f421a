//! The places of the statements of a text that is being edited.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use crate::TextRange;

/// A caller's result about the newest version of a text. Only that caller knows its type.
type Note = Box<dyn Any + Send + Sync>;

/// The places of the statements in one version of a text that is being edited, and a note that all versions share.
#[derive(Clone)]
pub struct Followed {
    places: Arc<Vec<TextRange>>,
    note: Arc<Mutex<Option<Note>>>,
}

impl Followed {
    /// The places in a text, of which `before` is an earlier version.
    pub(crate) fn new(places: Vec<TextRange>, before: Option<&Followed>) -> Followed {
        let note = before.map_or_else(Arc::default, |before| before.note.clone());
        Followed { places: Arc::new(places), note }
    }

    /// The places of all statements, in the order of the text.
    pub fn ranges(&self) -> &[TextRange] {
        &self.places
    }

    /// Takes the last note about a version of the text.
    pub fn take_note(&self) -> Option<Note> {
        self.note.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Leaves a note for the next version of the text.
    pub fn set_note(&self, note: Note) {
        *self.note.lock().unwrap_or_else(PoisonError::into_inner) = Some(note);
    }
}

impl std::fmt::Debug for Followed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Followed").field("statements", &self.places.len()).finish()
    }
}
