//! Matches in the lanes of words, with moves that callers choose: one sweep of the circuit advances all matches of a
//! block by the given moves.
//!
//! Unlike [`super::lanes`], which plays whole matches at random and keeps only their ends, a block pauses between
//! rounds, reports the legal moves there, and begins a match again on request. So its matches are in different rounds,
//! and there is one circuit for all of them ([`super::phases`] do not pay).

use std::sync::Arc;

use super::choices::{Choices, Effects, MANY_MOVES, ones};
use super::compile::{ALWAYS, Compiled, NEVER, NOWHERE, codes};
use super::segment::Segment;
use super::values::Words;
use crate::circuit::{Lit, Node, mark_live};
use crate::play::block::{Block, Illegal, Leaver, NO_GOAL, NO_MOVE, Numbers};
use crate::play::{Stream, block};
use crate::{BitRound, FluentId, Ground, Registers, RoleId, State};

const OVER: usize = 0;
const LEGAL: usize = 1;
const GOALS: usize = 2;
const NEXT: usize = 3;
const SEES: usize = 4;

/// A compiled round of a ground game. Fluents that no output depends on are left out.
#[derive(Debug)]
pub(crate) struct Rounds {
    compiled: Compiled,
    /// For each role and number of a move, the code of its legality.
    legal: Vec<Vec<u32>>,
    /// For each role, the numbers of its moves in the order in which random play draws them, with the codes of their
    /// legality.
    drawn: Vec<(Vec<u32>, Vec<u32>)>,
    effects: Effects,
    terminal: u32,
    fluents: Vec<Fluent>,
    goals: Vec<Vec<(i64, u32)>>,
    adds_goals: bool,
    /// For each role and number of a percept, its code.
    sees: Vec<Vec<u32>>,
    /// The code which states that a number becomes too large for its digits.
    beyond: u32,
    registers: Option<Registers>,
    initial: State,
}

/// A fluent that the instructions read.
#[derive(Clone, Copy, Debug)]
struct Fluent {
    id: FluentId,
    slot: u32,
    initial: bool,
    /// The code of its next value.
    next: u32,
}

/// The gates in the order of `numbers`; false for those without a gate.
fn numbered<K: Ord + Copy>(numbers: &[K], gates: &[(K, Lit)]) -> Vec<Lit> {
    let mut found = vec![Lit::FALSE; numbers.len()];
    for (key, gate) in gates {
        if let Ok(at) = numbers.binary_search(key) {
            found[at] = *gate;
        }
    }
    found
}

impl Rounds {
    /// Compiles a round; matches begin in `initial`.
    pub(crate) fn new(round: &BitRound, initial: State, numbers: &Numbers) -> Rounds {
        let ground = &*round.ground;
        let legal: Vec<Vec<Lit>> =
            numbers.moves.iter().zip(&ground.moves).map(|(numbers, gates)| numbered(numbers, gates)).collect();
        let sees: Vec<Vec<Lit>> =
            numbers.percepts.iter().zip(&ground.sees).map(|(numbers, gates)| numbered(numbers, gates)).collect();
        let roots: Vec<Lit> = sees.iter().flatten().copied().chain([round.beyond]).collect();
        let next = needed(ground, &legal, &roots);
        let segments = [
            Segment::always(vec![ground.terminal]),
            Segment::always(legal.iter().flatten().copied().collect()),
            Segment::on_demand(ground.goals.iter().flatten().map(|(_, gate)| *gate).collect()),
            Segment::always(next.iter().map(|(_, gate)| *gate).chain([round.beyond]).collect()),
            Segment::on_demand(sees.iter().flatten().copied().collect()),
        ];
        let many: Vec<bool> = legal.iter().map(|moves| moves.len() > MANY_MOVES).collect();
        let compiled = Compiled::compact(&ground.circuit, &segments, &many);
        let code = |gate: &Lit| compiled.code(*gate);
        let by_role = |gates: &[Vec<Lit>]| gates.iter().map(|gates| gates.iter().map(code).collect()).collect();
        let bits = round.registers.map_or_else(|| initial.clone(), |registers| registers.spread(&initial, 0));
        let fluent = |(id, &slot): (u32, &u32)| {
            let id = FluentId(id);
            Fluent { id, slot, initial: bits.has(id), next: NEVER }
        };
        let mut fluents: Vec<Fluent> = (0..).zip(&compiled.fluents).map(fluent).collect();
        for (fluent, gate) in &next {
            if let Some(fluent) = fluents.get_mut(fluent.0 as usize) {
                fluent.next = code(gate);
            }
        }
        fluents.retain(|fluent| fluent.slot != NOWHERE);
        let legal: Vec<Vec<u32>> = by_role(&legal);
        let drawn = ground.moves.iter().zip(&numbers.moves).zip(&legal).map(|((moves, numbers), codes)| {
            let places = moves.iter().filter_map(|(mv, _)| numbers.binary_search(mv).ok());
            places.map(|number| (number as u32, codes[number])).unzip()
        });
        Rounds {
            drawn: drawn.collect(),
            legal,
            effects: Effects::new(&compiled, numbers.moves.iter().map(|moves| moves.iter().copied())),
            terminal: code(&ground.terminal),
            fluents,
            goals: ground.goals.iter().map(|goals| codes(&compiled, goals)).collect(),
            adds_goals: round.adds_goals,
            sees: by_role(&sees),
            beyond: code(&round.beyond),
            registers: round.registers,
            initial,
            compiled,
        }
    }

    /// The number of bytes of this number of matches.
    pub(crate) fn bytes(&self, matches: usize) -> usize {
        let most = self.legal.iter().map(Vec::len).max().unwrap_or(0);
        let bits = self.compiled.slots as usize + self.fluents.len() + most;
        matches.div_ceil(64).saturating_mul(bits * 8).saturating_add(matches.saturating_mul(40))
    }

    /// Makes `size` matches, numbered from 0, all before their first move, in the largest blocks that pay: wide words
    /// read the instructions less often, as long as a block's values stay in the caches. Also returns the size of a
    /// block.
    pub(crate) fn blocks(self: &Arc<Rounds>, size: usize, seed: u64) -> (Vec<Box<dyn Block>>, usize) {
        let bytes = self.compiled.slots as usize * 8;
        match size {
            1025.. if bytes * 16 <= 1 << 20 => self.of_width::<16>(size, seed),
            513.. if bytes * 8 <= 4 << 20 => self.of_width::<8>(size, seed),
            65.. => self.of_width::<4>(size, seed),
            _ => self.of_width::<1>(size, seed),
        }
    }

    fn of_width<const W: usize>(self: &Arc<Rounds>, size: usize, seed: u64) -> (Vec<Box<dyn Block>>, usize) {
        let lanes = 64 * W;
        let block = |first: usize| -> Box<dyn Block> {
            let streams = (first..size.min(first + lanes)).map(|number| Stream::new(seed, number as u64)).collect();
            Box::new(Lanes::<W>::new(self.clone(), streams))
        };
        ((0..size).step_by(lanes).map(block).collect(), lanes)
    }

    fn is_forced(&self, role: usize) -> bool {
        matches!(self.legal[role][..], [ALWAYS])
    }
}

/// The next values of the fluents that moves, the result or `more` depend on, now or later.
pub(super) fn needed(ground: &Ground, legal: &[Vec<Lit>], more: &[Lit]) -> Vec<(FluentId, Lit)> {
    let mut marks = vec![false; ground.circuit.nodes().len()];
    let mut wanted = vec![false; ground.next.iter().map(|(fluent, _)| fluent.0 as usize + 1).max().unwrap_or(0)];
    let mut next = vec![Lit::FALSE; wanted.len()];
    ground.next.iter().for_each(|(fluent, gate)| next[fluent.0 as usize] = *gate);
    let goals = ground.goals.iter().flatten().map(|(_, gate)| *gate);
    let mut roots: Vec<Lit> =
        legal.iter().flatten().chain(more).copied().chain(goals).chain([ground.terminal]).collect();
    while !roots.is_empty() {
        let now = std::mem::take(&mut roots);
        mark_live(&ground.circuit, &now, &mut marks, &mut |node| {
            if let Node::Fluent(fluent) = node
                && let Some(wanted) = wanted.get_mut(fluent.0 as usize)
                && !std::mem::replace(wanted, true)
            {
                roots.push(next[fluent.0 as usize]);
            }
        });
    }
    ground.next.iter().filter(|(fluent, _)| wanted[fluent.0 as usize]).copied().collect()
}

/// A block of `64 * W` matches, or fewer.
struct Lanes<const W: usize> {
    rounds: Arc<Rounds>,
    words: Words<W>,
    /// True if the words have the current legal moves, not only the matches that are over.
    is_told: bool,
    /// The lanes with a match, and those whose match is not over.
    there: [u64; W],
    active: [u64; W],
    /// The random stream of each match.
    streams: Vec<Stream>,
    played: Vec<u32>,
    next: Vec<[u64; W]>,
    choices: Choices<W>,
    left: Vec<Leaver>,
}

impl<const W: usize> Lanes<W> {
    fn new(rounds: Arc<Rounds>, streams: Vec<Stream>) -> Lanes<W> {
        let mut there = [0; W];
        (0..streams.len()).for_each(|lane| there[lane / 64] |= 1 << (lane % 64));
        let mut lanes = Lanes {
            words: Words::of_size(rounds.compiled.slots),
            is_told: false,
            there,
            active: [0; W],
            played: vec![0; streams.len()],
            streams,
            next: vec![[0; W]; rounds.fluents.len()],
            choices: Choices::new(rounds.legal.iter().map(Vec::len).max().unwrap_or(0)),
            left: Vec::new(),
            rounds,
        };
        lanes.begin();
        lanes
    }

    /// Begins a match in every lane that has no match in progress.
    fn begin(&mut self) {
        for fluent in &self.rounds.fluents {
            let words = self.words.slot_mut(fluent.slot);
            for (word, active) in words.iter_mut().zip(&self.active) {
                *word = (*word & active) | if fluent.initial { !active } else { 0 };
            }
        }
        for lane in set(&self.there, &self.active, |there, active| there & !active) {
            self.played[lane] = 0;
        }
        self.words.run(&self.rounds.compiled, OVER);
        self.is_told = false;
        let over = self.words.get(self.rounds.terminal);
        self.active = std::array::from_fn(|word| self.there[word] & !over[word]);
    }

    /// Evaluates the legal moves, unless that is done. Not done after every step, because matches may begin again
    /// first.
    #[inline(always)]
    fn tell(&mut self) {
        if !std::mem::replace(&mut self.is_told, true) {
            self.words.run(&self.rounds.compiled, LEGAL);
        }
    }

    /// Runs an action with the best instructions that this processor has.
    fn act(&mut self, act: Act<'_, '_>) {
        #[cfg(target_arch = "x86_64")]
        if super::choices::is_wide() {
            // SAFETY: the processor has the features that the function is compiled for.
            return unsafe { self.act_wide(act) };
        }
        self.act_here(act, super::choices::select);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn act_wide(&mut self, act: Act<'_, '_>) {
        let deposit = |word: u64, rank: u32| std::arch::x86_64::_pdep_u64(1u64 << rank, word).trailing_zeros();
        self.act_here(act, deposit);
    }

    // Inlined, like everything it calls, so that `act_wide` compiles its own copy.
    #[inline(always)]
    fn act_here(&mut self, act: Act<'_, '_>, select: impl Fn(u64, u32) -> u32 + Copy) {
        match act {
            Act::Advance(sees) => self.advance(sees),
            Act::Choose(moves) => self.choose(moves, select),
            Act::Tell => self.tell(),
        }
    }

    #[inline(always)]
    fn advance(&mut self, sees: &mut [(RoleId, &mut [u8])]) {
        let rounds = self.rounds.clone();
        self.words.run(&rounds.compiled, NEXT);
        if rounds.beyond != NEVER {
            self.leave();
        }
        if !sees.is_empty() {
            self.words.run(&rounds.compiled, SEES);
            for (role, mask) in sees {
                self.mark(&rounds.sees[role.0 as usize], mask);
            }
        }
        // Copied first: new values may be in the slots of old ones.
        for (next, fluent) in self.next.iter_mut().zip(&rounds.fluents) {
            *next = self.words.get(fluent.next);
        }
        for (next, fluent) in self.next.iter().zip(&rounds.fluents) {
            let old = self.words.slot_mut(fluent.slot);
            (0..W).for_each(|word| old[word] = (next[word] & self.active[word]) | (old[word] & !self.active[word]));
        }
        self.words.clear(&rounds.compiled.move_slots);
        for (lanes, active) in self.played.chunks_mut(64).zip(&self.active) {
            lanes.iter_mut().enumerate().for_each(|(lane, played)| *played += (active >> lane & 1) as u32);
        }
        self.words.run(&rounds.compiled, OVER);
        self.is_told = false;
        let over = self.words.get(rounds.terminal);
        (0..W).for_each(|word| self.active[word] &= !over[word]);
    }

    /// Sets the matches aside in which a number becomes too large.
    fn leave(&mut self) {
        let (rounds, active) = (&*self.rounds, self.active);
        for lane in set(&self.words.get(rounds.beyond), &active, |beyond, active| beyond & active) {
            let (word, bit) = (lane / 64, lane % 64);
            let mut state = rounds.initial.clone();
            if let Some(registers) = rounds.registers {
                let mut bits = registers.spread(&state, 0);
                rounds.fluents.iter().for_each(|it| bits.set(it.id, self.words.holds(it.slot << 1, word, bit)));
                state = registers.gather(&bits, &state);
            }
            let stream = self.streams[lane].clone();
            self.left.push(Leaver { at: lane, state, rounds: self.played[lane], stream });
            self.active[word] &= !(1 << bit);
            self.there[word] &= !(1 << bit);
        }
    }

    #[inline(always)]
    fn choose(&mut self, numbers: &mut [i32], select: impl Fn(u64, u32) -> u32 + Copy) {
        self.tell();
        let rounds = &*self.rounds;
        let roles = rounds.legal.len();
        numbers.fill(NO_MOVE);
        // Lanes in which every earlier role has a move.
        let mut going = self.active;
        for role in 0..roles {
            let forced = rounds.is_forced(role);
            let (places, codes) = &rounds.drawn[role];
            if !forced {
                self.choices.read(&self.words, codes);
            }
            for (word, going) in going.iter_mut().enumerate() {
                let mut left = *going;
                while left != 0 {
                    let bit = left.trailing_zeros() as usize;
                    left &= left - 1;
                    let lane = word * 64 + bit;
                    let number = &mut numbers[lane * roles + role];
                    if forced {
                        *number = 0;
                        continue;
                    }
                    let count = self.choices.count(word, bit);
                    if count == 0 {
                        *going &= !(1 << bit);
                        numbers[lane * roles..][..roles].fill(NO_MOVE);
                        continue;
                    }
                    let pick = self.streams[lane].below(count);
                    *number = places[self.choices.place(word, bit, pick, select)] as i32;
                }
            }
        }
    }

    /// Sets the entries, by match and number, of those codes that hold.
    fn mark(&self, codes: &[u32], mask: &mut [u8]) {
        for (number, &code) in codes.iter().enumerate() {
            for lane in set(&self.words.get(code), &self.active, |holds, active| holds & active) {
                mask[lane * codes.len() + number] = 1;
            }
        }
    }
}

/// The lanes whose bits are set after `of` combines two words.
fn set<const W: usize>(left: &[u64; W], right: &[u64; W], of: impl Fn(u64, u64) -> u64) -> impl Iterator<Item = usize> {
    let words: [u64; W] = std::array::from_fn(|word| of(left[word], right[word]));
    words.into_iter().enumerate().flat_map(|(word, bits)| ones(bits).map(move |bit| word * 64 + bit))
}

/// The actions that take most of the time.
enum Act<'a, 'm> {
    Advance(&'a mut [(RoleId, &'m mut [u8])]),
    Choose(&'a mut [i32]),
    Tell,
}

impl<const W: usize> Block for Lanes<W> {
    fn size(&self) -> usize {
        self.streams.len()
    }

    fn give(&mut self, numbers: &[i32]) -> Result<(), Illegal> {
        self.act(Act::Tell);
        let rounds = &*self.rounds;
        let roles = rounds.legal.len();
        for (lane, row) in numbers.chunks_exact(roles).enumerate() {
            let (word, bit) = (lane / 64, lane % 64);
            if self.active[word] >> bit & 1 == 0 {
                continue;
            }
            for (role, (&number, legal)) in row.iter().zip(&rounds.legal).enumerate() {
                let code = usize::try_from(number).ok().and_then(|number| legal.get(number));
                if !code.is_some_and(|&code| self.words.holds(code, word, bit)) {
                    return Err(Illegal { at: lane, role: RoleId(role as u16), number });
                }
                for &slot in rounds.effects.of(role, number as usize) {
                    self.words.slot_mut(slot)[word] |= 1 << bit;
                }
            }
        }
        Ok(())
    }

    fn take_back(&mut self) {
        self.words.clear(&self.rounds.compiled.move_slots);
    }

    fn advance(&mut self, sees: &mut [(RoleId, &mut [u8])]) {
        self.act(Act::Advance(sees));
    }

    fn choose(&mut self, numbers: &mut [i32]) {
        self.act(Act::Choose(numbers));
    }

    fn legal(&mut self, role: RoleId, mask: &mut [u8]) {
        self.act(Act::Tell);
        self.mark(&self.rounds.legal[role.0 as usize], mask);
    }

    fn goals(&mut self, goals: &mut [i32]) {
        self.act(Act::Tell);
        let rounds = self.rounds.clone();
        self.words.run(&rounds.compiled, GOALS);
        for (role, codes) in rounds.goals.iter().enumerate() {
            let mut found = vec![rounds.adds_goals.then_some(0); self.streams.len()];
            for &(value, code) in codes {
                let holds = self.words.get(code);
                for lane in set(&holds, &self.there, |holds, there| holds & there) {
                    found[lane] = match found[lane] {
                        Some(sum) if rounds.adds_goals => Some(sum + value),
                        Some(other) if other != value => Some(i64::MIN),
                        _ => Some(value),
                    };
                }
            }
            for (goals, found) in goals.chunks_exact_mut(rounds.legal.len()).zip(found) {
                goals[role] = found.and_then(|goal| i32::try_from(goal).ok()).unwrap_or(NO_GOAL);
            }
        }
    }

    fn over(&self, over: &mut [u8]) {
        for (lane, over) in over.iter_mut().enumerate() {
            *over = u8::from(self.active[lane / 64] >> (lane % 64) & 1 == 0);
        }
    }

    fn rounds(&self) -> Vec<u32> {
        self.played.clone()
    }

    fn restart(&mut self) -> usize {
        let over = block::ones(&self.there) - block::ones(&self.active);
        if over > 0 {
            self.begin();
        }
        over
    }

    fn give_away(&mut self) -> Vec<Leaver> {
        std::mem::take(&mut self.left)
    }

    fn take_again(&mut self, at: usize, stream: Stream) {
        self.streams[at] = stream;
        self.there[at / 64] |= 1 << (at % 64);
    }
}
