//! From paths to sources, games and traces.

mod domain;
mod game;
mod saved;
mod text;

pub use domain::find_domain_or_near;
pub use game::{Loaded, Loader, pogddl};
pub use percept_report::files::{EXTENSIONS, descriptions, parse as to_source, read as bytes, source};
pub use saved::trace_text;
pub use text::place;
