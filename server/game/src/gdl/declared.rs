//! The declarations of a description: the fluents of `base` and the moves of `input`.
//!
//! Grounding does not read them. A fluent or move that they leave out may nevertheless be reached, so leaving it out of
//! the game too would change the meaning of the rules. Only reachability could show that it is never reached, and then
//! it is not in the reachable domain anyway. Measured on 88 published games that declare something: in 72 all reachable
//! fluents are declared, in 83 all reachable moves (in connectFour, breakthrough and reversi, among others, both), so a
//! bound would leave their circuits unchanged. No match of the other games (some not ground within the two seconds they
//! were given) showed an undeclared fluent or move. The declarations are checked against matches instead
//! (`percept-judge`).

use percept_syntax::gdl::Description;
use rustc_hash::{FxHashMap, FxHashSet};

use super::decompose::decompose;
use super::limits::Limits;
use super::lower::lower;
use super::prepare::{evaluate_static, too_much};
use super::program::{Program, RelationId};
use super::strata::stratify;
use crate::{Budget, FluentId, Game, GameError, MoveId, RoleId, State};

/// The declarations of a description. If it declares no fluents, or no moves, all of them are accepted.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// The names in `base`, if it has rules.
    fluents: Option<FxHashSet<String>>,
    /// The roles and names in `input`, if it has rules.
    moves: Option<FxHashSet<(String, String)>>,
    /// The first words of these fluents and moves.
    words: [FxHashSet<String>; 2],
}

/// The reason why declarations cannot be listed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeclarationError {
    /// The rules have a mistake, or declare too much.
    #[error(transparent)]
    Rules(#[from] GameError),
    /// `base` or `input` changes from state to state.
    #[error("`{0}` depends on the state or the moves")]
    Changing(String),
}

impl From<Vec<GameError>> for DeclarationError {
    fn from(errors: Vec<GameError>) -> DeclarationError {
        DeclarationError::Rules(errors.into_iter().next().expect("refused rules have an error"))
    }
}

impl Declared {
    /// Evaluates `base` and `input`.
    ///
    /// # Errors
    /// Fails if they cannot be listed: they depend on the state or the moves, or hold for too many arguments.
    pub fn of(description: &Description) -> Result<Declared, DeclarationError> {
        let wanted = [RelationId::BASE, RelationId::INPUT];
        let mut program = lower(description, &Budget::NONE)?;
        if let Some((_, error)) = program.left_out.iter().find(|(it, _)| wanted.contains(it)) {
            return Err(error.clone().into());
        }
        let wanted = wanted.map(|it| (it, has_rules(&program, it)));
        if !wanted.iter().any(|(_, declared)| *declared) {
            return Ok(Declared::default());
        }
        let written = stratify(&mut program)?;
        decompose(&mut program, &written, evaluate_static);
        let strata = stratify(&mut program)?;
        if let Some((relation, _)) = wanted.iter().find(|(relation, _)| !strata.is_static(*relation)) {
            return Err(DeclarationError::Changing(program.name(*relation).to_string()));
        }
        let (tables, _, exceeded) =
            evaluate_static(&mut program, &strata, &wanted.map(|(relation, _)| relation), &Limits::STATIC);
        if let Some(exceeded) = exceeded {
            return Err(too_much(&program, exceeded).into());
        }
        let [fluents, moves] = wanted.map(|(relation, declared)| declared.then(|| &tables[relation.index()]));
        let terms = &program.terms;
        let fluents: Option<FxHashSet<String>> =
            fluents.map(|table| table.rows().map(|row| terms.show(row[0])).collect());
        let moves: Option<FxHashSet<(String, String)>> =
            moves.map(|table| table.rows().map(|row| (terms.show(row[0]), terms.show(row[1]))).collect());
        let words = [
            fluents.iter().flatten().map(|name| word(name).to_owned()).collect(),
            moves.iter().flatten().map(|(_, name)| word(name).to_owned()).collect(),
        ];
        Ok(Declared { fluents, moves, words })
    }

    /// True if `base` has a fluent that begins with the same word as this one.
    pub fn has_fluent_like(&self, name: &str) -> bool {
        self.words[0].contains(word(name))
    }

    /// True if `input` has a move, of any role, that begins with the same word as this one.
    pub fn has_move_like(&self, name: &str) -> bool {
        self.words[1].contains(word(name))
    }

    /// True if there are rules for `base`.
    pub fn has_fluents(&self) -> bool {
        self.fluents.is_some()
    }

    /// True if there are rules for `input`.
    pub fn has_moves(&self) -> bool {
        self.moves.is_some()
    }
}

/// The first word of a fluent or a move.
fn word(name: &str) -> &str {
    name.trim_start_matches('(').split([' ', ')']).next().unwrap_or_default()
}

fn has_rules(program: &Program, relation: RelationId) -> bool {
    program.rules.iter().any(|rule| rule.head.relation == relation)
}

/// Searches states and moves of a game for undeclared ones. Names are compared once for every id.
pub struct Watch<'a> {
    game: &'a Game,
    declared: &'a Declared,
    fluents: FxHashMap<FluentId, bool>,
    moves: FxHashMap<(RoleId, MoveId), bool>,
}

impl<'a> Watch<'a> {
    /// A watch that has seen no state or move yet.
    pub fn new(game: &'a Game, declared: &'a Declared) -> Watch<'a> {
        Watch { game, declared, fluents: FxHashMap::default(), moves: FxHashMap::default() }
    }

    /// True if fluents or moves are declared.
    pub fn watches(&self) -> bool {
        self.declared.has_fluents() || self.declared.has_moves()
    }

    /// True if moves are declared.
    pub fn watches_moves(&self) -> bool {
        self.declared.has_moves()
    }

    /// True if `base` has this fluent or has no rules.
    pub fn knows_fluent(&mut self, fluent: FluentId) -> bool {
        let Some(declared) = &self.declared.fluents else { return true };
        *self.fluents.entry(fluent).or_insert_with(|| declared.contains(&self.game.rules.fluent_name(fluent)))
    }

    /// True if `input` has this move of a role or has no rules.
    pub fn knows_move(&mut self, role: RoleId, mv: MoveId) -> bool {
        let Some(declared) = &self.declared.moves else { return true };
        let game = self.game;
        let name = || (game.roles[role.0 as usize].name.clone(), game.rules.move_name(role, mv));
        *self.moves.entry((role, mv)).or_insert_with(|| declared.contains(&name()))
    }

    /// The first fluent of a state that `base` lacks.
    pub fn fluent(&mut self, state: &State) -> Option<FluentId> {
        self.declared.fluents.as_ref()?;
        state.fluents().find(|&fluent| !self.knows_fluent(fluent))
    }

    /// The first of a role's legal moves that `input` lacks.
    pub fn mv(&mut self, role: RoleId, legal: &[MoveId]) -> Option<MoveId> {
        self.declared.moves.as_ref()?;
        legal.iter().copied().find(|&mv| !self.knows_move(role, mv))
    }
}
