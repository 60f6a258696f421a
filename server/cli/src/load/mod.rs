//! From paths to sources, games and traces.

mod domain;
mod game;
mod text;

pub use domain::{Half, find_domain_or_near, half};
pub use game::{Loaded, Loader, pogddl};
pub use text::{Columns, EXTENSIONS, bytes, descriptions, place, source, to_source};
