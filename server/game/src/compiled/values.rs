//! The words of one evaluation.

use aligned_vec::{AVec, ConstAlign};

use super::compile::{Compiled, LOOPS, NOWHERE, PAIRED, SHAPE, SLOT, Unit};
use super::shapes::{self, conjunction};
use crate::circuit::Lit;
use crate::{FluentId, MoveId, RoleId};

/// The values of all nodes of a compiled circuit, `64 * W` lanes wide. Leaves start out false.
#[derive(Clone, Debug)]
pub struct Values<'a, const W: usize> {
    compiled: &'a Compiled,
    words: Words<W>,
}

/// The words alone, for callers that keep the circuit elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Words<const W: usize>(Aligned<[u64; W]>);

/// A list that begins with a line of the cache.
pub(super) type Aligned<T> = AVec<T, ConstAlign<64>>;

/// A list of this many zeros.
pub(super) fn zeros<T: Copy + Default, const W: usize>(count: usize) -> Aligned<[T; W]> {
    AVec::from_iter(64, std::iter::repeat_n([T::default(); W], count))
}

impl Compiled {
    /// Allocates the values of an evaluation, all leaves false.
    pub fn values<const W: usize>(&self) -> Values<'_, W> {
        Values { compiled: self, words: Words::new(self) }
    }
}

impl<const W: usize> Values<'_, W> {
    /// Sets a fluent in all lanes; fluents that no segment needs are ignored.
    pub fn set_fluent(&mut self, fluent: FluentId, words: [u64; W]) {
        self.words.set(self.compiled.fluents.get(fluent.0 as usize), words);
    }

    /// Sets a move in all lanes.
    pub fn set_move(&mut self, role: RoleId, mv: MoveId, words: [u64; W]) {
        let slots = self.compiled.moves.get(role.0 as usize);
        self.words.set(slots.and_then(|slots| slots.get(mv.0 as usize)), words);
    }

    /// Sets a comparison over registers (an index into `Circuit::comparisons`) in all lanes.
    pub fn set_comparison(&mut self, comparison: u32, words: [u64; W]) {
        self.words.set(self.compiled.comparisons.get(comparison as usize), words);
    }

    /// Evaluates a segment.
    pub fn run(&mut self, segment: usize) {
        self.words.run(self.compiled, segment);
    }

    /// The value of a literal that is a root of a segment that was run, or is below one.
    ///
    /// # Panics
    /// If no segment needs the literal.
    pub fn get(&self, lit: Lit) -> [u64; W] {
        self.words.get(self.compiled.code(lit))
    }
}

impl<const W: usize> Words<W> {
    pub(crate) fn new(compiled: &Compiled) -> Words<W> {
        Words::of_size(compiled.slots)
    }

    /// Words for this number of slots; the first is the constant.
    pub(crate) fn of_size(slots: u32) -> Words<W> {
        let mut words = zeros(slots as usize);
        words[0] = [!0; W];
        Words(words)
    }

    #[inline(always)]
    pub(crate) fn clear(&mut self, slots: &std::ops::Range<u32>) {
        self.0[slots.start as usize..slots.end as usize].fill([0; W]);
    }

    /// Writes a leaf, if it has a slot.
    pub(crate) fn set(&mut self, slot: Option<&u32>, words: [u64; W]) {
        if let Some(&slot) = slot
            && slot != NOWHERE
        {
            self.0[slot as usize] = words;
        }
    }

    /// Sets lanes of the first word of a leaf, if it has a slot.
    #[inline(always)]
    pub(crate) fn mark(&mut self, slot: Option<&u32>, lanes: u64) {
        if let Some(&slot) = slot
            && slot != NOWHERE
        {
            self.0[slot as usize][0] |= lanes;
        }
    }

    /// Clears all moves.
    pub(crate) fn clear_moves(&mut self, compiled: &Compiled) {
        self.clear(&compiled.move_slots);
    }

    #[inline(always)]
    pub(crate) fn slot_mut(&mut self, slot: u32) -> &mut [u64; W] {
        &mut self.0[slot as usize]
    }

    #[inline(always)]
    pub(crate) fn get(&self, code: u32) -> [u64; W] {
        let flip = (u64::from(code & 1)).wrapping_neg();
        self.0[(code >> 1) as usize].map(|word| word ^ flip)
    }

    /// The same, of `PART` words from `from` on.
    #[inline(always)]
    pub(super) fn part<const PART: usize>(&self, code: u32, from: usize) -> [u64; PART] {
        let flip = (u64::from(code & 1)).wrapping_neg();
        let words = &self.0[(code >> 1) as usize];
        let mut part = [0; PART];
        part.copy_from_slice(&words[from..from + PART]);
        for word in &mut part {
            *word ^= flip;
        }
        part
    }

    /// Sets lanes of the words from `from` on.
    #[inline(always)]
    pub(super) fn set_part<const PART: usize>(&mut self, slot: u32, from: usize, lanes: &[u64; PART]) {
        let words = &mut self.0[slot as usize][from..from + PART];
        for word in 0..PART {
            words[word] |= lanes[word];
        }
    }

    /// True if a literal holds in one lane of a word.
    #[inline(always)]
    pub(crate) fn holds(&self, code: u32, word: usize, lane: usize) -> bool {
        (self.0[(code >> 1) as usize][word] >> lane ^ u64::from(code)) & 1 == 1
    }

    #[inline(always)]
    pub(crate) fn run(&mut self, compiled: &Compiled, segment: usize) {
        for unit in &compiled.segments[segment] {
            match unit {
                Unit::Gates(gates) => self.gates(compiled, gates),
                Unit::Fixpoint { gates, leaves } => self.fixpoint(compiled, gates, leaves),
            }
        }
    }

    #[inline(always)]
    fn gates(&mut self, compiled: &Compiled, gates: &std::ops::Range<u32>) {
        let mut at = if gates.start == 0 { 0 } else { compiled.gates[gates.start as usize - 1].end as usize };
        for gate in &compiled.gates[gates.start as usize..gates.end as usize] {
            let operands = &compiled.operands[at..gate.end as usize];
            let value = match gate.slot >> SHAPE {
                LOOPS => conjunction(&self.0, operands.split_at(gate.plain as usize - at), [&[]; 3]),
                PAIRED => self.paired(operands, at, gate.plain as usize),
                number => shapes::value(&self.0, number, operands),
            };
            self.0[(gate.slot & SLOT) as usize] = value;
            at = gate.end as usize;
        }
    }

    /// The value of a gate with others within it, whose operands begin at `at`; its plain ones end at `plain`.
    #[inline(always)]
    fn paired(&self, operands: &[u32], at: usize, plain: usize) -> [u64; W] {
        let [negated, both, mixed] = [0, 1, 2].map(|place: usize| operands[place] as usize - at);
        let pairs = [&operands[negated..both], &operands[both..mixed], &operands[mixed..]];
        conjunction(&self.0, operands[3..negated].split_at(plain - at - 3), pairs)
    }

    /// The least fixpoint: leaves start false and grow.
    fn fixpoint(&mut self, compiled: &Compiled, gates: &std::ops::Range<u32>, leaves: &[(u32, u32)]) {
        leaves.iter().for_each(|&(slot, _)| self.0[slot as usize] = [0; W]);
        loop {
            self.gates(compiled, gates);
            let mut changed = 0;
            for &(slot, definition) in leaves {
                let new = self.get(definition);
                let old = &mut self.0[slot as usize];
                for word in 0..W {
                    changed |= old[word] ^ new[word];
                    old[word] = new[word];
                }
            }
            if changed == 0 {
                return;
            }
        }
    }
}
