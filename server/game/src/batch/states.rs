//! A batch on top of the calls that all rules have, for games that are not ground.

use std::sync::Arc;

use crate::play::Stream;
use crate::play::block::{Block, Illegal, NO_GOAL, NO_MOVE, Numbers};
use crate::{Game, JointMove, RoleId, State};

/// The number of matches in a block: few, so that every thread has some.
const BLOCK: usize = 16;

/// The approximate bytes of this number of matches.
pub(super) fn bytes(game: &Game, size: usize) -> usize {
    let state = game.rules.initial();
    size.saturating_mul(8 * (state.bits.len() + state.registers.len()) + 200)
}

/// `size` matches before their first move, in blocks of [`BLOCK`].
pub(super) fn blocks(game: &Game, numbers: &Arc<Numbers>, size: usize, seed: u64) -> (Vec<Box<dyn Block>>, usize) {
    let initial = game.rules.initial();
    let over = game.rules.terminal(&initial);
    let block = |first: usize| -> Box<dyn Block> {
        let size = BLOCK.min(size - first);
        Box::new(States {
            game: game.clone(),
            numbers: numbers.clone(),
            states: vec![initial.clone(); size],
            over: vec![over; size],
            rounds: vec![0; size],
            streams: (first..first + size).map(|number| Stream::new(seed, number as u64)).collect(),
            given: Vec::new(),
        })
    };
    ((0..size).step_by(BLOCK).map(block).collect(), BLOCK)
}

struct States {
    game: Game,
    numbers: Arc<Numbers>,
    states: Vec<State>,
    over: Vec<bool>,
    rounds: Vec<u32>,
    streams: Vec<Stream>,
    /// For each match the moves to make; `None` if it is over.
    given: Vec<Option<JointMove>>,
}

impl States {
    fn joint(&self, at: usize, row: &[i32]) -> Result<JointMove, Illegal> {
        let mut cursor = self.game.at(&self.states[at]);
        let mut one = |(role, &number): (RoleId, &i32)| {
            let moves = &self.numbers.moves[role.0 as usize];
            let mv = usize::try_from(number).ok().and_then(|number| moves.get(number)).copied();
            mv.filter(|mv| cursor.legal(role).contains(mv)).ok_or(Illegal { at, role, number })
        };
        self.game.role_ids().zip(row).map(&mut one).collect()
    }
}

impl Block for States {
    fn size(&self) -> usize {
        self.states.len()
    }

    fn give(&mut self, numbers: &[i32]) -> Result<(), Illegal> {
        let rows = numbers.chunks_exact(self.game.roles.len()).enumerate();
        let joint = |(at, row)| if self.over[at] { Ok(None) } else { self.joint(at, row).map(Some) };
        self.given = rows.map(joint).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn take_back(&mut self) {
        self.given.clear();
    }

    fn advance(&mut self, sees: &mut [(RoleId, &mut [u8])]) {
        for (at, joint) in std::mem::take(&mut self.given).into_iter().enumerate() {
            let Some(joint) = joint else { continue };
            let mut cursor = self.game.at(&self.states[at]);
            for (role, mask) in &mut *sees {
                let width = self.numbers.percepts[role.0 as usize].len();
                let percepts = cursor.percepts(&joint, *role);
                let places = percepts.into_iter().filter_map(|percept| self.numbers.of_percept(*role, percept));
                places.for_each(|place| mask[at * width + place] = 1);
            }
            cursor.step(&joint);
            (self.over[at], self.rounds[at]) = (cursor.is_terminal(), self.rounds[at] + 1);
            self.states[at] = cursor.state().clone();
        }
    }

    fn choose(&mut self, numbers: &mut [i32]) {
        let roles = self.game.roles.len();
        for (at, row) in numbers.chunks_exact_mut(roles).enumerate() {
            row.fill(NO_MOVE);
            if self.over[at] {
                continue;
            }
            let mut cursor = self.game.at(&self.states[at]);
            for role in self.game.role_ids() {
                let legal = cursor.legal(role);
                if legal.is_empty() {
                    row.fill(NO_MOVE);
                    break;
                }
                let mv = legal[self.streams[at].below(legal.len() as u32) as usize];
                row[role.0 as usize] = self.numbers.of_move(role, mv).map_or(NO_MOVE, |number| number as i32);
            }
        }
    }

    fn legal(&mut self, role: RoleId, mask: &mut [u8]) {
        let width = self.numbers.moves[role.0 as usize].len();
        for (at, row) in mask.chunks_exact_mut(width).enumerate().filter(|(at, _)| !self.over[*at]) {
            let legal = self.game.rules.legal(&self.states[at], role);
            legal.into_iter().filter_map(|mv| self.numbers.of_move(role, mv)).for_each(|number| row[number] = 1);
        }
    }

    fn goals(&mut self, goals: &mut [i32]) {
        for (state, row) in self.states.iter().zip(goals.chunks_exact_mut(self.game.roles.len())) {
            let mut cursor = self.game.at(state);
            for (role, goal) in self.game.role_ids().zip(row) {
                *goal = match cursor.goals(role)[..] {
                    [one] => i32::try_from(one).unwrap_or(NO_GOAL),
                    _ => NO_GOAL,
                };
            }
        }
    }

    fn over(&self, over: &mut [u8]) {
        over.iter_mut().zip(&self.over).for_each(|(over, is)| *over = u8::from(*is));
    }

    fn rounds(&self) -> &[u32] {
        &self.rounds
    }

    fn restart(&mut self) -> usize {
        let initial = self.game.rules.initial();
        let over = self.game.rules.terminal(&initial);
        let mut count = 0;
        for at in (0..self.states.len()).filter(|&at| self.over[at]).collect::<Vec<_>>() {
            self.states[at].clone_from(&initial);
            (self.over[at], self.rounds[at]) = (over, 0);
            count += 1;
        }
        count
    }
}
