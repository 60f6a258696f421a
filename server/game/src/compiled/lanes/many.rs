//! The way to play many matches that is fastest, once the search for it pays.

use std::cell::LazyCell;

use super::{GOALS, Phase, Playouts};
use crate::compiled::blocks::{self, Blocks};
use crate::compiled::partial::{A_CHOICE, KnownRounds};
use crate::compiled::phases::phases;
use crate::compiled::unfold::{self, TooLarge, Unfolded, Worth};
use crate::play::Limits;
use crate::{Ground, State};

/// The number of matches played to measure their lengths.
const SAMPLE: u64 = 64;

/// The maximum number of rounds, and of operands read, for which lanes wait for each other.
const MOST_ROUNDS: usize = 1000;
const MOST_OPERANDS: usize = 1 << 28;

/// The lengths of [`SAMPLE`] matches, in rounds.
struct Lengths {
    sum: usize,
    shortest: usize,
    longest: usize,
}

/// The result of a search for faster playouts.
#[derive(Debug)]
pub struct Many {
    /// Faster playouts of the same matches; `None` if there are none.
    pub playouts: Option<Playouts>,
    /// The circuits that would have been too large.
    pub given_up: Option<TooLarge>,
}

impl Playouts {
    /// Playouts of the same matches that take longer to set up but are faster for many matches. `None` if these are as
    /// good.
    pub fn for_many(&self, ground: &Ground, initial: &State) -> Many {
        let cost = self.cost();
        // Blocks of rounds may repeat; if all rounds have a circuit each, longer matches need not be measured.
        let all = unfold::most_rounds(ground);
        let most = if all < unfold::MOST_ROUNDS { MOST_ROUNDS } else { all };
        let lengths = LazyCell::new(|| self.lengths(most));
        let worth = || {
            let Lengths { sum, longest, .. } = *lengths;
            let cost = sum * cost / (2 * SAMPLE as usize * longest.max(1));
            Worth { rounds: self.often(longest) + self.phases.len() + 1, longest, cost }
        };
        let is_longer = |rounds| self.lengths(rounds).longest > rounds;
        let measures = unfold::Lengths { is_longer: &is_longer, worth: &worth };
        let given_up = match unfold::rounds(ground, initial, cost / 2, &measures) {
            Unfolded::Rounds(rounds) => match self.unfolded(rounds, &lengths, ground, initial) {
                Some(playouts) => return Many { playouts: Some(playouts), given_up: None },
                None => None,
            },
            Unfolded::TooLarge(given_up) => match self.in_blocks(&lengths, ground, initial) {
                Some(playouts) => return Many { playouts: Some(playouts), given_up: None },
                None => Some(given_up),
            },
            Unfolded::No if unfold::is_too_large(ground) => match self.in_blocks(&lengths, ground, initial) {
                Some(playouts) => return Many { playouts: Some(playouts), given_up: None },
                None => None,
            },
            Unfolded::No => None,
        };
        Many { playouts: self.pays_together(cost).then(|| self.together()), given_up }
    }

    /// Playouts with a circuit for every round, if they pay.
    fn unfolded<'a>(
        &self,
        mut unfolded: KnownRounds<'a>,
        lengths: &Lengths,
        ground: &'a Ground,
        initial: &State,
    ) -> Option<Playouts> {
        let is_longer = lengths.longest > unfolded.rounds.len();
        // The rounds after them are played by the circuits of all rounds.
        let often = self.often(lengths.longest);
        if self.back == 0 && often + self.phases.len() < unfolded.rounds.len() {
            unfolded.rounds.truncate(often);
            unfolded.back = often;
            unfolded.rounds.extend(phases(ground, initial).rounds);
        }
        unfolded.mark();
        let costs = unfolded.rounds.iter().map(|round| round.unpacked().cost());
        let many = SAMPLE as usize * costs.take(lengths.longest).sum::<usize>();
        let pays = !is_longer && 2 * many <= lengths.sum * self.cost();
        pays.then(|| Playouts::of(&unfolded, initial))
    }

    /// Playouts with circuits for blocks of rounds, if they pay.
    fn in_blocks(
        &self,
        lengths: &LazyCell<Lengths, impl FnOnce() -> Lengths>,
        ground: &Ground,
        initial: &State,
    ) -> Option<Playouts> {
        let Blocks { mut unpacked, lengths: of_blocks, period } =
            blocks::blocks(ground, initial, blocks::worth(ground), self.cost() / 2)?;
        unpacked.mark();
        let costs: Vec<usize> = unpacked.rounds.iter().map(|round| round.unpacked().cost()).collect();
        let rounds =
            of_blocks.iter().zip(costs.chunks(period)).flat_map(|(&length, costs)| costs.iter().cycle().take(length));
        let last = costs.iter().rev().take(1).cycle();
        let many = SAMPLE as usize * rounds.chain(last).take(lengths.longest).sum::<usize>();
        let pays = 2 * many <= lengths.sum * self.cost();
        pays.then(|| Playouts::of_blocks(&unpacked, &of_blocks, period, initial))
    }

    /// The number of rounds that hardly one match in a thousand exceeds, by the longest match of the sample.
    fn often(&self, longest: usize) -> usize {
        (longest * 2).next_multiple_of(self.phases.len())
    }

    /// True if matches that begin and end together save goals that would be evaluated in every round.
    fn pays_together(&self, cost: usize) -> bool {
        let goals =
            self.phases.iter().map(|phase| phase.compiled.operands_of(GOALS)).sum::<usize>() / self.phases.len();
        if goals < cost / 4 {
            return false;
        }
        // If lanes end in every round, goals are evaluated in every round too.
        let most = MOST_ROUNDS.min(MOST_OPERANDS / cost.max(1));
        let lengths = self.lengths(most);
        if lengths.longest > most {
            return false;
        }
        let apart = lengths.sum * cost;
        let together = (cost - goals) * lengths.longest + goals * (lengths.longest - lengths.shortest + 1);
        SAMPLE as usize * together * 5 / 4 <= apart
    }

    /// The average cost of a round: operands read, with each choice counted as [`A_CHOICE`] of them.
    pub(super) fn cost(&self) -> usize {
        let of = |phase: &Phase| {
            let choices =
                (0..phase.legal.len()).filter(|&role| !phase.is_forced(role) && !phase.legal[role].is_empty()).count();
            phase.compiled.operand_count() + A_CHOICE * choices
        };
        self.phases.iter().map(of).sum::<usize>() / self.phases.len()
    }

    /// Measures the lengths of some matches. Those longer than `most` rounds are stopped.
    fn lengths(&self, most: usize) -> Lengths {
        let limits = Limits { max_rounds: most as u32 + 1, ..Limits::default() };
        let mut lengths = Lengths { sum: 0, shortest: usize::MAX, longest: 0 };
        self.run::<1>(0..SAMPLE, &limits, &mut |record| {
            let rounds = record.rounds as usize;
            lengths.sum += rounds;
            lengths.shortest = lengths.shortest.min(rounds);
            lengths.longest = lengths.longest.max(rounds);
        });
        lengths
    }
}
