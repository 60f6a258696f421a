//! ChooseMove: Richards and Amir, Information Set Generation in Partially Observable Games, AAAI 2012, Figure 3:
//! members of the information set, each weighed by the probability of the opponents' moves in it, and moves valued by
//! expectation.
//!
//! [`percept_infoset::advise_from`] makes one such choice. Choices that the paper leaves open: Members come from the
//! samplers of the information sets. A move is valued by random playouts. Opponents choose in the same way from *their*
//! information sets, and a better move is more probable. The numbers of judged decisions, members and playouts grow as
//! long as the clock allows, and the last complete answer counts. The work is done by one thread, so that equal clocks
//! are equal work.

use percept_game::MoveId;
use percept_infoset::{AdviseOptions, Follow, Options, View, Wanted, advise_from};
use rand::Rng;

use super::head::{Head, Look};
use crate::clock::Clock;
use crate::player::{Player, Seat, Trouble};

/// The memory for the network of a view, in bytes.
const MEMORY: usize = 256 << 20;
/// The number of members of the first answer, as in the paper's Table 1.
const MEMBERS: usize = 30;

pub(super) struct ChooseMove<'g> {
    seat: &'g Seat,
    head: Head<'g>,
    follow: Follow<'g>,
    depth: usize,
}

impl<'g> ChooseMove<'g> {
    pub(super) fn new(seat: &'g Seat) -> ChooseMove<'g> {
        let follow = Follow::new(seat.game(), seat.role, MEMORY);
        ChooseMove { seat, head: Head::new(seat), follow, depth: 0 }
    }

    /// The best move by the members, playouts and judged decisions in `options`; `None` if the time was too short.
    fn answer(&mut self, view: &View, moves: &[MoveId], options: &AdviseOptions, clock: &Clock) -> Option<MoveId> {
        let budget = clock.budget();
        let sampling = Options {
            wanted: Wanted::ByProbability,
            limit: options.samples,
            seed: self.head.rng.random(),
            memory: MEMORY,
            ..Options::default()
        };
        let sample = self.follow.infoset(&sampling, &budget).ok()?;
        let advice = advise_from(self.seat.game(), view, sample, options, &budget);
        let values = advice.moves.iter().filter(|it| moves.contains(&it.mv)).map(|it| (it.mv, it.value));
        self.head.best(values.collect::<Vec<_>>().into_iter())
    }
}

impl Player for ChooseMove<'_> {
    fn choose(&mut self, view: &View, clock: &Clock) -> Result<MoveId, Trouble> {
        let moves = match self.head.look(view, clock)? {
            Look::Only(only) => return Ok(only),
            Look::Among(moves) => moves,
        };
        let budget = clock.budget();
        for round in &view.rounds[self.follow.view().len()..] {
            // A round that cannot be added here is added at the next question.
            if self.follow.extend(round.clone(), &budget).is_err() {
                break;
            }
        }
        if self.follow.view().len() < view.len() {
            return Ok(moves[self.head.rng.random_range(0..moves.len())]);
        }
        let (mut best, mut done) = (None, 0);
        let (mut samples, mut playouts, mut depth) = (MEMBERS, 1, 0);
        while clock.goes_on(done) {
            let options = AdviseOptions {
                samples,
                playouts,
                opponent_decisions: depth,
                seed: self.head.rng.random(),
                memory: MEMORY,
                ..AdviseOptions::default()
            };
            let answer = self.answer(view, &moves, &options, clock);
            if answer.is_none() || (best.is_some() && clock.is_over()) {
                break;
            }
            (best, self.depth) = (answer, self.depth.max(depth));
            done += (samples * playouts * moves.len()) as u64;
            depth += 1;
            samples = (samples * 3 / 2).min(1_000);
            playouts = (playouts * 2).min(64);
        }
        Ok(best.unwrap_or_else(|| moves[self.head.rng.random_range(0..moves.len())]))
    }

    fn remark(&self) -> Option<String> {
        Some(format!("judged up to {} decisions of each opponent", self.depth))
    }
}
