//! The queries so far with their answers, as long as these stay valid.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Given;
use crate::gdl::program::{Program, RelationId, UNBOUND};
use crate::gdl::strata::Strata;
use crate::gdl::table::Table;
use crate::terms::TermId;

/// The id of a query: its shelf and its index there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct QuestionId {
    shelf: Lasts,
    at: u32,
}

/// The period for which answers stay true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lasts {
    Always,
    ForTheState,
    ForTheMoves,
}

/// A query for the tuples of a relation with given arguments, and its answers.
pub(crate) struct Question {
    pub relation: RelationId,
    pub given: Given,
    pub answers: Table,
    pub answered: Answered,
    /// True while the query is being answered.
    pub on_the_way: bool,
}

/// The progress of a query.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answered {
    /// Not started, or not finished: the current answers hold, but there may be more.
    Not,
    /// In a cycle that is not closed: its index among the open queries, the round of its last evaluation, and the first
    /// open query that its answers depended on then.
    Open {
        order: usize,
        round: u64,
        lowest: usize,
    },
    Complete,
}

impl Question {
    /// True if the query is about one tuple and that tuple holds.
    pub(crate) fn needs_no_more(&self) -> bool {
        !self.answers.is_empty() && self.given.iter().all(|&term| term != UNBOUND)
    }
}

#[derive(Default)]
struct Shelf {
    questions: Vec<Question>,
    ids: FxHashMap<(RelationId, Given), u32>,
}

/// All queries of a reasoner.
pub(crate) struct Memory {
    shelves: [Shelf; 3],
    /// For each relation, true if a table has all of it.
    is_table: Vec<bool>,
    rules_of: Vec<Arc<[usize]>>,
    /// The number of answers that stay valid from state to state, plus one for each such query.
    lasting: usize,
    /// The number of rounds of cycles so far.
    pub rounds: u64,
    /// Indexes of tables by rule, condition and the variables that have values.
    pub slots: FxHashMap<(usize, usize, u64), usize>,
}

impl Memory {
    /// A memory without queries. Fluents and moves are in tables, and the relations that `is_table` picks.
    pub(crate) fn new(program: &Program, is_table: impl Fn(RelationId) -> bool) -> Memory {
        let mut rules_of: Vec<Vec<usize>> = vec![Vec::new(); program.relations.len()];
        program.rules.iter().enumerate().for_each(|(index, rule)| rules_of[rule.head.relation.index()].push(index));
        let is_given = |relation| matches!(relation, RelationId::TRUE | RelationId::DOES);
        let all = (0..program.relations.len() as u32).map(RelationId);
        Memory {
            shelves: Default::default(),
            is_table: all.map(|relation| is_given(relation) || is_table(relation)).collect(),
            rules_of: rules_of.into_iter().map(Into::into).collect(),
            lasting: 0,
            rounds: 0,
            slots: FxHashMap::default(),
        }
    }

    pub(crate) fn is_table(&self, relation: RelationId) -> bool {
        self.is_table[relation.index()]
    }

    pub(crate) fn rules_of(&self, relation: RelationId) -> &Arc<[usize]> {
        &self.rules_of[relation.index()]
    }

    /// The query for a relation's tuples with these arguments, new or known.
    pub(crate) fn question(&mut self, relation: RelationId, given: Given, strata: &Strata) -> QuestionId {
        let shelf = match relation.index() {
            at if strata.on_moves[at] => Lasts::ForTheMoves,
            at if strata.on_state[at] => Lasts::ForTheState,
            _ => Lasts::Always,
        };
        let Shelf { questions, ids } = &mut self.shelves[shelf as usize];
        let arity = given.len();
        let at = *ids.entry((relation, given.clone())).or_insert_with(|| {
            let answers = Table::new(arity);
            self.lasting += usize::from(shelf == Lasts::Always);
            questions.push(Question { relation, given, answers, answered: Answered::Not, on_the_way: false });
            questions.len() as u32 - 1
        });
        QuestionId { shelf, at }
    }

    pub(crate) fn get(&self, id: QuestionId) -> &Question {
        &self.shelves[id.shelf as usize].questions[id.at as usize]
    }

    /// Adds an answer; true if it is new.
    pub(crate) fn add(&mut self, id: QuestionId, tuple: &[TermId]) -> bool {
        let (_, is_new) = self.get_mut(id).answers.insert(tuple);
        self.lasting += usize::from(is_new && id.shelf == Lasts::Always);
        is_new
    }

    pub(crate) fn get_mut(&mut self, id: QuestionId) -> &mut Question {
        &mut self.shelves[id.shelf as usize].questions[id.at as usize]
    }

    /// Forgets answers that depend on the moves, or also those that depend on the state, or all.
    pub(crate) fn forget(&mut self, lasts: Lasts) {
        if lasts == Lasts::Always {
            self.lasting = 0;
        }
        self.shelves[lasts as usize..].iter_mut().for_each(|shelf| *shelf = Shelf::default());
    }

    pub(crate) fn forget_all(&mut self) {
        self.forget(Lasts::Always);
    }

    /// The number of answers that stay valid from state to state, plus one for each such query.
    pub(crate) fn lasting_rows(&self) -> usize {
        self.lasting
    }
}
