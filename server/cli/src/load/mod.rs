//! From paths to sources, games and traces.

mod domain;
mod game;
mod text;

pub use domain::find_domain_or_near;
pub use game::{Loaded, Loader, pogddl};
pub use percept_report::files::{EXTENSIONS, descriptions, parse as to_source, read as bytes, source};
pub use text::{Columns, place};
