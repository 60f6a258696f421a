//! The cases of a body: conjunctions of atoms, negated atoms and (in)equations, of which one must hold.

use percept_syntax::TextRange;
use smol_str::SmolStr;

use super::tree::{Atom, Tree};
use super::{MOST_CASES, wrong};
use crate::GameError;

/// A part of a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Holds(Atom),
    Not(Atom),
    Distinct(Tree, Tree),
    Same(Tree, Tree),
}

impl Part {
    /// The terms inside it.
    pub(super) fn terms(&self) -> Vec<&Tree> {
        match self {
            Part::Holds(atom) | Part::Not(atom) => atom.args.iter().collect(),
            Part::Distinct(left, right) | Part::Same(left, right) => vec![left, right],
        }
    }

    /// The names of its variables, one for each occurrence.
    pub(super) fn variables(&self) -> Vec<&SmolStr> {
        self.terms().into_iter().flat_map(Tree::variables).collect()
    }

    /// Puts a tree in the place of a variable.
    pub(super) fn replace(&mut self, name: &SmolStr, by: &Tree) {
        match self {
            Part::Holds(atom) | Part::Not(atom) => atom.replace(name, by),
            Part::Distinct(left, right) | Part::Same(left, right) => {
                left.replace(name, by);
                right.replace(name, by);
            }
        }
    }
}

/// All of its parts must hold.
pub(super) type Case = Vec<Part>;

/// A formula with negations at its leaves only.
pub(super) enum Flat {
    Part(Part),
    All(Vec<Flat>, TextRange),
    One(Vec<Flat>, TextRange),
}

impl Flat {
    /// One case for each way to pick a part of every disjunction.
    pub(super) fn cases(&self) -> Result<Vec<Case>, GameError> {
        let too_many = |range: &TextRange| wrong(*range, format!("this has more than {MOST_CASES} cases"));
        match self {
            Flat::Part(part) => Ok(vec![vec![part.clone()]]),
            Flat::One(parts, range) => {
                let mut cases = Vec::new();
                for part in parts {
                    cases.extend(part.cases()?);
                    if cases.len() > MOST_CASES {
                        return Err(too_many(range));
                    }
                }
                Ok(cases)
            }
            Flat::All(parts, range) => {
                let mut cases = vec![Case::new()];
                for part in parts {
                    let more = part.cases()?;
                    if cases.len() * more.len() > MOST_CASES {
                        return Err(too_many(range));
                    }
                    let joined = |case: &Case| {
                        let case = case.clone();
                        more.iter().map(move |other| case.iter().chain(other).cloned().collect::<Case>())
                    };
                    cases = cases.iter().flat_map(joined).collect();
                }
                Ok(cases)
            }
        }
    }
}
