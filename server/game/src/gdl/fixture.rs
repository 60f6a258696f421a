//! Rules for tests.

use percept_syntax::gdl::Description;
use percept_syntax::{Language, Source, Syntax};

use super::prepare::{Bodies, Prepared, prepare};
use super::program::{Program, RelationId};

/// The statements of a text.
pub(super) fn description(text: &str) -> Description {
    let Syntax::Gdl(description) = Source::parse(text.to_string(), Language::GdlPrefix).syntax else {
        panic!("not GDL")
    };
    description
}

/// The rules of a text.
pub(super) fn prepared(text: &str, bodies: Bodies) -> Prepared {
    prepare(&description(text), bodies).expect("rules")
}

/// The author's relation with this name.
pub(super) fn relation(program: &Program, name: &str) -> RelationId {
    let named = |at: &usize| program.name(RelationId(*at as u32)) == name && !program.relations[*at].helper;
    RelationId((0..program.relations.len()).find(named).expect("a relation") as u32)
}
