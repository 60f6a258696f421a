//! A file, whose content is read on the first access if its text is being edited.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::ast::Content;
use super::lower::lower;
use crate::{Followed, Language, lex, nest};

/// A file: one or more `(define ...)`. A copy shares its content.
#[derive(Clone, Default)]
pub struct File(Arc<Inner>);

#[derive(Default)]
struct Inner {
    content: OnceLock<Content>,
    /// The text, which has no errors, until the content is read.
    text: Arc<str>,
    /// The places of the parts, if the text is being edited and has no errors.
    followed: Option<Followed>,
}

impl File {
    /// A text without errors that is being edited, of which nothing has been read yet.
    pub(crate) fn followed(text: &Arc<str>, followed: Followed) -> File {
        File(Arc::new(Inner { text: text.clone(), followed: Some(followed), ..Inner::default() }))
    }

    /// The same, if the content has been read.
    pub(crate) fn follow(&mut self, followed: Followed) {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.followed = Some(followed);
        }
    }

    /// The places of the parts of a text that is being edited: actions, declared predicates and initial facts one by
    /// one, and everything else. `None` if it has errors or constructs outside of POGDDL.
    pub fn places(&self) -> Option<&Followed> {
        self.0.followed.as_ref()
    }

    /// The content by value.
    pub fn into_content(self) -> Content {
        match Arc::try_unwrap(self.0) {
            Ok(mut inner) => inner.content.take().unwrap_or_else(|| read(&inner.text)),
            Err(inner) => File(inner).clone().deref().clone(),
        }
    }
}

/// Reads a text that is known to have no errors.
fn read(text: &str) -> Content {
    let tokens = lex::tokens(Language::Pogddl, text);
    let nesting = nest::nest(Language::Pogddl, text, &tokens);
    lower(text, &tokens, &nesting.nodes, &mut Vec::new())
}

impl Deref for File {
    type Target = Content;

    fn deref(&self) -> &Content {
        self.0.content.get_or_init(|| read(&self.0.text))
    }
}

impl From<Content> for File {
    fn from(content: Content) -> File {
        File(Arc::new(Inner { content: content.into(), ..Inner::default() }))
    }
}

impl PartialEq for File {
    fn eq(&self, other: &File) -> bool {
        **self == **other
    }
}

impl std::fmt::Debug for File {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Content { definitions, outside } = &**self;
        f.debug_struct("File").field("definitions", definitions).field("outside", outside).finish()
    }
}
