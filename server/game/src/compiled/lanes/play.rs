//! The rounds of all lanes.

use std::ops::Range;

use super::{GOALS, LEGAL, NEXT, Playouts};
use crate::compiled::choices::ones;
use crate::compiled::draws::Draws;
use crate::compiled::values::{Aligned, Words, zeros};
use crate::play::{Limits, MatchRecord};

/// Matches in progress. Match and stream of a lane are found by its bit, then its word.
pub(super) struct Lanes<'a, const W: usize> {
    game: &'a Playouts,
    limits: &'a Limits,
    words: Words<W>,
    pub waiting: Range<u64>,
    /// Lanes with a match in progress; the others wait for phase 0, or for the end.
    pub active: [u64; W],
    /// For each lane, the number of its match, and the round in which it began.
    numbers: Vec<[u64; W]>,
    began: Vec<[u64; W]>,
    draws: Draws<W>,
    /// The phase of the next round.
    at: usize,
    /// The number of rounds played, and a lower bound: every match in progress began at or after it.
    now: u64,
    oldest: u64,
    /// The next values of fluents that get those of others.
    next: Aligned<[u64; W]>,
    /// The match that is being reported.
    record: MatchRecord,
}

impl<'a, const W: usize> Lanes<'a, W> {
    pub(super) fn new(game: &'a Playouts, waiting: Range<u64>, limits: &'a Limits) -> Self {
        let roles = game.phases[0].legal.len();
        let most = game.phases.iter().flat_map(|phase| &phase.legal).map(Vec::len).max().unwrap_or(0);
        let mut lanes = Lanes {
            game,
            limits,
            // One more, for moves that set nothing (`Effects`).
            words: Words::of_size(game.phases.iter().map(|phase| phase.compiled.slots + 1).max().unwrap_or(1)),
            waiting,
            active: [0; W],
            began: vec![[0; W]; 64],
            numbers: vec![[0; W]; 64],
            draws: Draws::new(roles, most),
            at: 0,
            now: 0,
            oldest: 0,
            next: zeros(game.phases.iter().map(|phase| phase.next.fluents.len()).max().unwrap_or(0)),
            record: MatchRecord::new(0, roles),
        };
        let fresh = lanes.begin();
        for &(slot, initial) in &game.phases[0].fluents {
            *lanes.words.slot_mut(slot) = fresh.map(|fresh| if initial { fresh } else { 0 });
        }
        lanes
    }

    /// Begins matches in the lanes that have none. Returns these lanes.
    #[inline(always)]
    fn begin(&mut self) -> [u64; W] {
        let mut fresh = [0; W];
        for word in 0..W {
            let mut free = !self.active[word];
            while free != 0 {
                let bit = free.trailing_zeros() as usize;
                free &= free - 1;
                let Some(number) = self.waiting.next() else { return fresh };
                self.numbers[bit][word] = number;
                self.began[bit][word] = self.now;
                self.draws.begin(bit, word, self.limits.seed, number);
                self.active[word] |= 1 << bit;
                fresh[word] |= 1 << bit;
            }
        }
        fresh
    }

    /// Plays one round of all lanes. Lanes whose match is over start the next one at the next phase 0.
    #[inline(always)]
    pub(super) fn round(&mut self, sink: &mut dyn FnMut(&MatchRecord), select: impl Fn(u64, u32) -> u32 + Copy) {
        let game = self.game;
        let at = self.at;
        let phase = &game.phases[at];
        self.words.run(&phase.compiled, LEGAL);
        let terminal = self.words.get(phase.terminal);
        self.words.clear(&phase.compiled.move_slots);
        let mut over = terminal;
        self.cut(&mut over);
        let mut stuck = [0; W];
        for role in 0..phase.legal.len() {
            let waits = game.is_sequential && phase.legal[role].is_empty();
            if !phase.is_forced(role) && !waits {
                self.choose(at, role, &mut over, &mut stuck, select);
            }
        }
        if (0..W).any(|word| over[word] & self.active[word] != 0) {
            self.finish(at, &over, &terminal, &stuck, sink);
        }
        self.now += 1;
        self.words.run(&phase.compiled, NEXT);
        for (next, (code, _)) in self.next.iter_mut().zip(&phase.next.fluents) {
            *next = self.words.get(*code);
        }
        for &(code, slot) in &phase.next.gates {
            *self.words.slot_mut(slot) = self.words.get(code);
        }
        for (next, (_, slot)) in self.next.iter().zip(&phase.next.fluents) {
            *self.words.slot_mut(*slot) = *next;
        }
        let to = if game.together && self.active == [0; W] { 0 } else { game.following(at) };
        self.at = to;
        let may_begin = to == 0 && (!game.together || self.active == [0; W]);
        if may_begin && self.active != [!0; W] {
            let fresh = self.begin();
            for &(slot, initial) in &game.phases[to].fluents {
                let start = u64::from(initial).wrapping_neg();
                let words = self.words.slot_mut(slot);
                (0..W).for_each(|word| words[word] = (words[word] & !fresh[word]) | (start & fresh[word]));
            }
        }
    }

    /// Adds the lanes whose matches are stopped at a limit.
    #[inline(always)]
    fn cut(&mut self, over: &mut [u64; W]) {
        if self.limits.is_late() {
            self.waiting = 0..0;
            (0..W).for_each(|word| over[word] |= self.active[word]);
        }
        let longest = u64::from(self.limits.max_rounds);
        if self.now - self.oldest < longest {
            return;
        }
        self.oldest = self.now;
        for (lane, began) in self.began.iter().enumerate() {
            for (word, &began) in began.iter().enumerate() {
                if self.active[word] >> lane & 1 == 0 {
                    continue;
                }
                if self.now - began >= longest {
                    over[word] |= 1 << lane;
                } else {
                    self.oldest = self.oldest.min(began);
                }
            }
        }
    }

    /// Chooses a move for a role in every lane that goes on; a lane without a legal move is over.
    #[inline(always)]
    fn choose(
        &mut self,
        at: usize,
        role: usize,
        over: &mut [u64; W],
        stuck: &mut [u64; W],
        select: impl Fn(u64, u32) -> u32 + Copy,
    ) {
        let phase = &self.game.phases[at];
        let words = &mut self.words;
        let some = self.draws.read(words, &phase.legal[role]);
        let mut going: [u64; W] = std::array::from_fn(|word| self.active[word] & !over[word]);
        if self.game.is_sequential {
            (0..W).for_each(|word| going[word] &= some[word]);
        }
        self.draws.choose(words, &phase.legal[role], (&phase.effects, role), &going, select);
        for word in 0..W {
            let without = going[word] & !some[word];
            stuck[word] |= without;
            over[word] |= without;
            // Earlier roles with a forced move have counted it already.
            for forced in (0..role).filter(|&role| phase.is_forced(role)) {
                for lane in ones(without) {
                    self.draws.count_forced(forced, lane, word);
                }
            }
        }
    }

    /// Reports the matches that are over.
    fn finish(
        &mut self,
        at: usize,
        over: &[u64; W],
        terminal: &[u64; W],
        stuck: &[u64; W],
        sink: &mut dyn FnMut(&MatchRecord),
    ) {
        let phases = &self.game.phases;
        let words = &mut self.words;
        words.run(&phases[at].compiled, GOALS);
        for word in 0..W {
            let mut ending = over[word] & self.active[word];
            self.active[word] &= !ending;
            while ending != 0 {
                let bit = ending.trailing_zeros() as usize;
                ending &= ending - 1;
                let record = &mut self.record;
                record.restart(self.numbers[bit][word]);
                let rounds = self.now - self.began[bit][word];
                record.rounds = rounds as u32;
                record.terminal = terminal[word] >> bit & 1 == 1;
                record.stuck = stuck[word] >> bit & 1 == 1;
                for (goals, codes) in record.goals.iter_mut().zip(&phases[at].goals) {
                    let holding = codes.iter().filter(|(_, code)| words.holds(*code, word, bit));
                    let holding = holding.map(|(value, _)| *value);
                    if self.game.is_sequential { goals.push(holding.sum()) } else { goals.extend(holding) }
                }
                // Of a sequential game there may be one more list of goals.
                if let Some(codes) = phases[at].goals.get(record.goals.len()) {
                    record.stuck = codes.iter().any(|(_, code)| words.holds(*code, word, bit));
                }
                for (role, branching) in record.branching.iter_mut().enumerate() {
                    *branching = self.draws.take(role, bit, word);
                    // Rounds in which the role had no choice were not counted one by one.
                    for (number, _) in phases.iter().enumerate().filter(|(_, phase)| phase.is_forced(role)) {
                        let forced = self.game.times(number, rounds);
                        let greatest = branching.1.max(u32::from(forced > 0));
                        *branching = (branching.0 + forced, greatest);
                    }
                }
                sink(record);
            }
        }
    }
}
