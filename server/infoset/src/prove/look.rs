//! A first look at all questions, before there are proofs: random matches, each compared round by round with histories
//! that look the same to the role, as in [`super::matches`].

use percept_game::{Game, RoleId};

use super::findings::{Pair, is_real};
use super::many::Question;
use super::{matches, sample};
use crate::Budget;
use crate::verdict::{Property, RoleMatch, Verdict, by_exact};

/// The evidence of random matches.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// The matches that were compared, and the last one as far as there was time.
    pub matches: usize,
    /// The rounds of these matches.
    pub rounds: u64,
    /// The states that look the same to some role after one of these rounds, one for each role and round in which it is
    /// met.
    pub states: u64,
    /// The questions that were refuted, with the first pair of matches for each; each pair was replayed.
    pub refuted: Vec<(Question, Pair)>,
}

impl Look {
    /// Looks at random matches until the budget is spent, or until there are `most`.
    pub fn at(game: &Game, questions: &[Question], announce_end: bool, most: u64, budget: &Budget) -> Look {
        let mut look = Look::default();
        for number in 0..most {
            let Some(played) = sample::play(game, number, sample::MOST_ROUNDS, budget) else { break };
            if played.moves.is_empty() {
                break;
            }
            let mut furthest = 0;
            for asked in questions.chunk_by(|left, right| left.0 == right.0) {
                if budget.is_spent() {
                    break;
                }
                furthest = furthest.max(look.along(game, &played, asked, announce_end, budget));
            }
            look.matches += usize::from(furthest > 0);
            look.rounds += furthest as u64;
        }
        look
    }

    /// Looks at a match with the eyes of one role. Returns the number of rounds that were compared.
    fn along(
        &mut self,
        game: &Game,
        played: &sample::Match,
        asked: &[Question],
        announce_end: bool,
        budget: &Budget,
    ) -> usize {
        let role: RoleId = asked[0].0;
        let properties: Vec<Property> = asked.iter().map(|question| question.1).collect();
        let Some(view) = played.view(game, role, budget) else { return 0 };
        let (moves, states) = (&played.moves[..], &played.states[..]);
        let role_match = RoleMatch { game, view, moves, states, announce_end, properties: &properties };
        let (mut furthest, mut met) = (0, 0);
        let passed = |filter: &crate::exact::Filter<'_>| {
            furthest = filter.rounds();
            // One of them is the state of the match.
            met += filter.last().states.len().saturating_sub(1) as u64;
        };
        let _ = by_exact(&role_match, matches::MEMORY, Some(matches::BEAM), budget, passed, |_, property, verdict| {
            let Verdict::Unknown(witness) = verdict else { return };
            if self.refuted.iter().all(|it| it.0 != (role, property)) {
                let pair = Pair { left: witness.first, right: witness.second };
                if is_real(game, role, property, &pair) {
                    self.refuted.push(((role, property), pair));
                }
            }
        });
        self.states += met;
        furthest
    }
}
