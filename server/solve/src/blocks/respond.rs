//! The values of given strategies, and best responses to them. A view of the blocks can stand for many views of the
//! game, at which a strategy may do different things. What they have in common is all that the other player can meet:
//! the sum of the probabilities of each move.

use std::time::Instant;

use num_traits::ToPrimitive;
use percept_game::{Game, MoveId};
use percept_infoset::Budget;
use rayon::prelude::*;

use super::{Blocks, Passage, Player};
use crate::arena::RespondError;
use crate::cfr::Coupling;
use crate::respond::{Memory, Profile, Response, Responses, Table, behaviour};
use crate::tree::Space;

/// A view of the blocks, with a memory of the strategy there.
struct Place {
    view: u32,
    memory: Memory,
    /// The probability that the player makes the moves to it.
    reach: f64,
}

impl Blocks {
    /// The values of a strategy of each player. The numbers of information sets are those of the whole game, whether
    /// the strategies reach them or not.
    ///
    /// # Errors
    /// If a strategy does not fit the game, or the limits are reached.
    pub fn respond(
        &self,
        game: &Game,
        profile: Profile<'_>,
        space: &Space,
        budget: &Budget,
    ) -> Result<Responses, RespondError> {
        let begin = Instant::now();
        let plan = |player: usize| {
            let table = Table::new(game, &self.percepts[player], self.roles[player], profile);
            self.plan(game, player, &table, space, budget)
        };
        let plans = [plan(0)?, plan(1)?];
        let offset = self.offset as f64;
        let (mut value, mut best) = (0.0, [0.0; 2]);
        for player in 0..2 {
            budget.check()?;
            let shape = &self.players[player].shape;
            let mut gains = vec![0.0; shape.variables()];
            self.gains(player, &plans[1 - player], &mut gains);
            if player == 0 {
                value = offset + gains.iter().zip(&plans[0]).map(|(gain, reach)| gain * reach).sum::<f64>();
            }
            best[player] = shape.best_response(&mut gains);
        }
        let number = |it: &num_rational::BigRational| it.to_f64().unwrap_or(f64::NAN);
        let (constant, slope) = (number(&self.opposed.constant), number(&self.opposed.slope));
        let other = |goal: f64| constant - slope * goal;
        let response = |player: usize| Response {
            role: self.roles[player],
            value: if player == 0 { value } else { other(value) },
            best: if player == 0 { offset + best[0] } else { other(offset - best[1]) },
            infosets: self.size.infosets[player] as u64,
            forced: self.size.forced[player] as u64,
            positions: self.size.distinct[player],
            seconds: begin.elapsed().as_secs_f64(),
        };
        Ok(Responses {
            roles: vec![response(0), response(1)],
            sum: (slope == 1.0).then_some(constant as i64),
            stopped: None,
            states: self.size.states,
            steps: self.size.steps,
            rounds: self.size.rounds,
            distinct: Some(self.size.distinct.iter().sum()),
            seconds: begin.elapsed().as_secs_f64(),
        })
    }

    /// The plan of a player that follows a strategy: views and memories are followed together, round by round.
    fn plan(
        &self,
        game: &Game,
        player: usize,
        table: &Table<'_>,
        space: &Space,
        budget: &Budget,
    ) -> Result<Vec<f64>, RespondError> {
        let Player { shape, passages, deciding, .. } = &self.players[player];
        let mut plan = vec![0.0; shape.variables()];
        plan[0] = 1.0;
        let mut here = vec![Place { view: 0, memory: table.start(), reach: 1.0 }];
        let mut infosets = 0;
        for (passages, deciding) in passages.iter().zip(deciding) {
            budget.check()?;
            let (mut next, mut rest) = (Vec::new(), &passages[..]);
            for place in here {
                rest = &rest[rest.iter().take_while(|passage| passage.before < place.view).count()..];
                let after = &rest[..rest.iter().take_while(|passage| passage.before == place.view).count()];
                let infoset = deciding.binary_search(&place.view).ok().map(|at| infosets + at);
                let behaviour = self.behaviour_at(game, player, table, &place, infoset, after)?;
                if let Some(infoset) = infoset {
                    let variables = plan[shape.moves(infoset)].iter_mut();
                    variables.zip(&behaviour).for_each(|(variable, it)| *variable += place.reach * it.1);
                }
                next.extend(after.iter().filter_map(|passage| self.next(player, table, &place, &behaviour, passage)));
            }
            infosets += deciding.len();
            here = together(next);
            if 3 * here.len() * size_of::<Place>() > space.bytes {
                let what = "views with memories of a strategy";
                return Err(RespondError::TooLarge { what, count: here.len(), space: space.bytes });
            }
        }
        shape.add_up(0..shape.sums.len() - 1, &mut plan);
        Ok(plan)
    }

    /// The legal moves at a place, with the probabilities that the strategy gives to them.
    fn behaviour_at(
        &self,
        game: &Game,
        player: usize,
        table: &Table<'_>,
        place: &Place,
        infoset: Option<usize>,
        after: &[Passage],
    ) -> Result<Vec<(MoveId, f64)>, RespondError> {
        let Player { shape, moves, .. } = &self.players[player];
        let only = after.first().map(|passage| self.symbols[player][passage.symbol as usize].mv);
        let legal = infoset.map_or(only.as_slice(), |infoset| &moves[shape.moves(infoset)]);
        // Without a choice, there is nothing to look up, but a table may have an illegal move there.
        if infoset.is_none() && !table.is_listed(place.memory) {
            return Ok(legal.iter().map(|&mv| (mv, 1.0)).collect());
        }
        let behaviour = behaviour(game, table, place.memory, legal)?;
        Ok(legal.iter().copied().zip(behaviour).collect())
    }

    /// The place after a passage; `None` if the strategy does not go there.
    fn next(
        &self,
        player: usize,
        table: &Table<'_>,
        place: &Place,
        behaviour: &[(MoveId, f64)],
        passage: &Passage,
    ) -> Option<Place> {
        let symbol = &self.symbols[player][passage.symbol as usize];
        let &(_, probability) = behaviour.iter().find(|it| it.0 == symbol.mv)?;
        let memory = table.after(place.memory, symbol.mv, symbol.percepts);
        let reach = place.reach * probability;
        (reach > 0.0).then_some(Place { view: passage.after, memory, reach })
    }
}

/// Takes places with the same view and memory as one.
fn together(mut places: Vec<Place>) -> Vec<Place> {
    places.par_sort_by_key(|place| (place.view, place.memory));
    places.dedup_by(|next, kept| {
        let same = (next.view, next.memory) == (kept.view, kept.memory);
        if same {
            kept.reach += next.reach;
        }
        same
    });
    places
}
