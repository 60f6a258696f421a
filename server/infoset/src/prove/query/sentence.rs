//! Questions without variables, in the ids of one game.

use percept_game::{FluentId, MoveId, RoleId};

/// A formula without variables, in the ids of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sentence {
    Constant(bool),
    Terminal,
    Fluent(FluentId),
    Legal(RoleId, MoveId),
    Can(RoleId),
    Goal(RoleId, i64),
    /// The register with this number holds this value.
    Number(u32, i64),
    Not(Box<Sentence>),
    And(Vec<Sentence>),
    Or(Vec<Sentence>),
    Knows(RoleId, Box<Sentence>),
}

impl Sentence {
    pub(super) fn negated(self) -> Sentence {
        match self {
            Sentence::Constant(value) => Sentence::Constant(!value),
            Sentence::Not(part) => *part,
            other => Sentence::Not(Box::new(other)),
        }
    }

    pub(super) fn all(parts: impl IntoIterator<Item = Sentence>) -> Sentence {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Sentence::Constant(true) => {}
                Sentence::Constant(false) => return Sentence::Constant(false),
                Sentence::And(parts) => kept.extend(parts),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Sentence::Constant(true),
            1 => kept.remove(0),
            _ => Sentence::And(kept),
        }
    }

    pub(super) fn any(parts: impl IntoIterator<Item = Sentence>) -> Sentence {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Sentence::Constant(false) => {}
                Sentence::Constant(true) => return Sentence::Constant(true),
                Sentence::Or(parts) => kept.extend(parts),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Sentence::Constant(false),
            1 => kept.remove(0),
            _ => Sentence::Or(kept),
        }
    }

    /// Adds the roles whose knowledge the sentence mentions.
    pub(crate) fn knowers(&self, found: &mut Vec<RoleId>) {
        match self {
            Sentence::And(parts) | Sentence::Or(parts) => parts.iter().for_each(|part| part.knowers(found)),
            Sentence::Not(part) => part.knowers(found),
            Sentence::Knows(role, part) => {
                found.push(*role);
                part.knowers(found);
            }
            _ => {}
        }
    }
}
