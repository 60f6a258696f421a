//! What is known of a GDL description.

use percept_syntax::{Source, gdl::Description};

/// The facts about one file.
pub struct Facts<'a> {
    pub source: &'a Source,
    pub description: &'a Description,
}

impl<'a> Facts<'a> {
    pub fn new(source: &'a Source, description: &'a Description) -> Self {
        Facts { source, description }
    }
}
