//! A best response in parts, for many machines: the views of the role after some rounds are the leaves of a small tree,
//! and each part walks its share of them. The values are added up in the order of a walk on one machine, so they are the
//! same to the last bit.

use std::time::Instant;

use percept_game::{Game, RoleId};
use percept_infoset::Budget;

use super::lens::Lens;
use super::table::{Memory, Table};
use super::walk::{Member, Scratch, Walk, Worth};
use super::{Profile, RespondError, Response};
use crate::arena::Arena;
use crate::tree::Space;

/// The number of leaves for each part, so that parts take about the same time.
const LEAVES: usize = 16;

/// A part of a best response: the worth of every leaf with the numbers `number`, `number + of`, and so on.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The number of the part, from 0.
    pub number: usize,
    /// The number of parts.
    pub of: usize,
    /// The number of leaves of all parts.
    pub leaves: usize,
    /// The worth of the leaves of this part.
    pub worths: Vec<Worth>,
}

/// The states of a game, and the positions of one role against the strategies of the others.
pub struct Responder {
    role: RoleId,
    arena: Arena,
    /// `None` if the match is over at the start.
    lens: Option<Lens>,
    begin: Instant,
}

impl Responder {
    /// Finds the states and positions.
    ///
    /// # Errors
    /// Those of [`super::respond`].
    pub fn new(
        game: &Game,
        profile: Profile<'_>,
        role: RoleId,
        space: &Space,
        budget: &Budget,
    ) -> Result<Responder, RespondError> {
        let begin = Instant::now();
        let arena = Arena::new(game, space, budget)?;
        let tables: Vec<Table<'_>> =
            game.role_ids().map(|role| Table::new(game, arena.lists(role), role, profile)).collect();
        let lens = match arena.goals(0) {
            Some(_) => None,
            None => Some(Lens::new(game, &arena, &tables, role, space, budget)?),
        };
        Ok(Responder { role, arena, lens, begin })
    }

    /// Walks one part.
    ///
    /// # Errors
    /// If the role does not know its legal moves, forgets its own moves, or the work is stopped.
    pub fn part(
        &self,
        game: &Game,
        profile: Profile<'_>,
        number: usize,
        of: usize,
        budget: &Budget,
    ) -> Result<Part, RespondError> {
        let Some(lens) = &self.lens else { return Ok(Part { number, of, leaves: 0, worths: Vec::new() }) };
        let own = Table::new(game, self.arena.lists(self.role), self.role, profile);
        let walk = Walk::new(game, &self.arena, lens, &own, budget);
        let (depth, leaves) = self.cut(&walk, of)?;
        let (mut at, mut scratch, mut worths) = (0, Scratch::default(), Vec::new());
        walk.above(depth, &mut |members, memory| {
            if at % of == number {
                worths.push(walk.narrow(&mut scratch, 0, members, memory));
            }
            at += 1;
            Worth::default()
        })?;
        Ok(Part { number, of, leaves, worths })
    }

    /// The response, from all parts.
    ///
    /// # Errors
    /// If a part is missing or belongs to another game; else those of [`Responder::part`].
    pub fn join(
        &self,
        game: &Game,
        profile: Profile<'_>,
        parts: &[Part],
        budget: &Budget,
    ) -> Result<Response, RespondError> {
        let role = self.role;
        let Some(lens) = &self.lens else {
            let goal = self.arena.goals(0).map_or(0.0, |goals| goals[role.0 as usize] as f64);
            return Ok(Response { role, value: goal, best: goal, infosets: 0, forced: 0, positions: 1, seconds: 0.0 });
        };
        let own = Table::new(game, self.arena.lists(role), role, profile);
        let walk = Walk::new(game, &self.arena, lens, &own, budget);
        let (depth, leaves) = self.cut(&walk, parts.len())?;
        let fits =
            |(number, part): (usize, &Part)| (part.number, part.of, part.leaves) == (number, parts.len(), leaves);
        if !parts.iter().enumerate().all(fits) {
            return Err(RespondError::Parts);
        }
        let mut at = 0;
        let mut is_whole = true;
        let Worth { best, followed, infosets, forced } = walk.above(depth, &mut |_, _| {
            let worth = parts[at % parts.len()].worths.get(at / parts.len()).copied();
            at += 1;
            is_whole &= worth.is_some();
            worth.unwrap_or_default()
        })?;
        if !is_whole {
            return Err(RespondError::Parts);
        }
        let seconds = self.begin.elapsed().as_secs_f64();
        Ok(Response { role, value: followed, best, infosets, forced, positions: lens.len(), seconds })
    }

    /// The number of rounds above the leaves, if there are this number of parts, and the number of leaves.
    fn cut(&self, walk: &Walk<'_>, parts: usize) -> Result<(usize, usize), RespondError> {
        let mut best = (0, 1);
        for depth in 1..=self.arena.rounds {
            let mut leaves = 0;
            walk.above(depth, &mut |_: &[Member], _: Memory| {
                leaves += 1;
                Worth::default()
            })?;
            if leaves > best.1 {
                best = (depth, leaves);
            }
            if leaves == 0 || leaves >= LEAVES * parts {
                break;
            }
        }
        Ok(best)
    }
}
