//! The questions that were asked, with their answers, for as long as these stay true.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Given;
use crate::gdl::program::{Program, RelationId, UNBOUND};
use crate::gdl::strata::Strata;
use crate::gdl::table::Table;

/// A question by the shelf it stands on and its place there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct QuestionId {
    shelf: Lasts,
    at: u32,
}

/// For how long answers are true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lasts {
    Always,
    ForTheState,
    ForTheMoves,
}

/// Which tuples of a relation have the given places, and what is known of them.
pub(crate) struct Question {
    pub relation: RelationId,
    pub given: Given,
    pub answers: Table,
    pub answered: Answered,
    /// Whether it is being answered.
    pub on_the_way: bool,
}

/// How far a question is answered.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answered {
    /// Not asked, or not to the end: the answers there are hold, but there may be more.
    Not,
    /// In a circle that is not closed: its place in the order of open questions, the round in which it was last asked,
    /// and the first open question that its answers depended on then.
    Open {
        order: usize,
        round: u64,
        lowest: usize,
    },
    Complete,
}

impl Question {
    /// Whether it is about one tuple, and that holds.
    pub(crate) fn needs_no_more(&self) -> bool {
        !self.answers.is_empty() && self.given.iter().all(|&term| term != UNBOUND)
    }
}

#[derive(Default)]
struct Shelf {
    questions: Vec<Question>,
    ids: FxHashMap<(RelationId, Given), u32>,
}

/// All questions of a reasoner.
pub(crate) struct Memory {
    shelves: [Shelf; 3],
    /// By relation: whether a table has all of it.
    is_table: Vec<bool>,
    rules_of: Vec<Arc<[usize]>>,
    /// Rounds of circles so far.
    pub rounds: u64,
    /// Indexes of tables by rule, condition and the variables that have values.
    pub slots: FxHashMap<(usize, usize, u64), usize>,
}

impl Memory {
    /// Nothing asked yet. Fluents and moves are in tables, and the relations that `is_table` picks.
    pub(crate) fn new(program: &Program, is_table: impl Fn(RelationId) -> bool) -> Memory {
        let mut rules_of: Vec<Vec<usize>> = vec![Vec::new(); program.relations.len()];
        program.rules.iter().enumerate().for_each(|(index, rule)| rules_of[rule.head.relation.index()].push(index));
        let is_given = |relation| matches!(relation, RelationId::TRUE | RelationId::DOES);
        let all = (0..program.relations.len() as u32).map(RelationId);
        Memory {
            shelves: Default::default(),
            is_table: all.map(|relation| is_given(relation) || is_table(relation)).collect(),
            rules_of: rules_of.into_iter().map(Into::into).collect(),
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

    /// The question about a relation's tuples with these places, new or asked before.
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
            questions.push(Question { relation, given, answers, answered: Answered::Not, on_the_way: false });
            questions.len() as u32 - 1
        });
        QuestionId { shelf, at }
    }

    pub(crate) fn get(&self, id: QuestionId) -> &Question {
        &self.shelves[id.shelf as usize].questions[id.at as usize]
    }

    pub(crate) fn get_mut(&mut self, id: QuestionId) -> &mut Question {
        &mut self.shelves[id.shelf as usize].questions[id.at as usize]
    }

    /// Forgets what is true for the moves only, or for the state too.
    pub(crate) fn forget(&mut self, lasts: Lasts) {
        self.shelves[lasts as usize..].iter_mut().for_each(|shelf| *shelf = Shelf::default());
    }

    pub(crate) fn forget_all(&mut self) {
        self.forget(Lasts::Always);
    }

    /// Rows of all answers that stay from state to state.
    pub(crate) fn lasting_rows(&self) -> usize {
        let Shelf { questions, .. } = &self.shelves[Lasts::Always as usize];
        questions.iter().map(|question| question.answers.len() as usize + 1).sum()
    }
}
