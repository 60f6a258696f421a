//! Random play: in lanes if the game has a circuit that shows all its faults, else by the interpreter. The matches are
//! the same.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::super::{
    ground::{MOST_NODES, NoCircuit, Playable, ground_for_play, ground_in_bits},
    model::Obj,
    random,
    sound::Unsound,
};
use super::Operators;
use crate::compiled::Playouts;
use crate::compiled::cursors::Instructions;
use crate::play::{Limits, MatchRecord, Stream};
use crate::{BitRound, JointMove, Lanes, Play, State};

/// From this number of matches on, making a circuit takes less time than it saves.
const WORTH_A_CIRCUIT: u64 = 512;

/// The most nodes for 64 states at once: random matches by cursors are faster than those by a larger circuit. With 6,900
/// nodes (`racko-6-30.pog`), both take the same time.
const MOST_NODES_OF_LANES: usize = 10_000;

/// A game in lanes.
pub(super) struct InLanes {
    playable: Playable,
    few: Playouts,
    many: OnceLock<Option<Playouts>>,
}

impl InLanes {
    fn new(rules: &Operators) -> Result<InLanes, NoCircuit> {
        let playable = ground_for_play(rules)?;
        let few = Playouts::new(&playable.ground, &playable.initial).sequential();
        Ok(InLanes { playable, few, many: OnceLock::new() })
    }
}

impl fmt::Display for NoCircuit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoCircuit::TooLarge(why) => write!(f, "{why}"),
            NoCircuit::Large => f.write_str("a number is very large"),
            NoCircuit::Unsound(Unsound::Large) => f.write_str("a number may become very large"),
            NoCircuit::Unsound(Unsound::ByZero) => f.write_str("a number may be divided by zero"),
            NoCircuit::Divided => f.write_str("a number without a small range is divided"),
        }
    }
}

impl Operators {
    fn in_lanes(&self) -> Result<&InLanes, &NoCircuit> {
        self.lanes.get_or_init(|| InLanes::new(self)).as_ref()
    }
}

impl Play for Operators {
    fn playouts(&self) -> Option<&Playouts> {
        self.in_lanes().ok().map(|lanes| &lanes.few)
    }

    fn playouts_of_many(&self) -> Option<&Playouts> {
        let InLanes { playable: Playable { ground, initial }, few, many } = self.in_lanes().ok()?;
        let find =
            || few.in_kinds(ground, initial).or_else(|| Some(few.for_many(ground, initial).playouts?.sequential()));
        Some(many.get_or_init(find).as_ref().unwrap_or(few))
    }

    fn worth_playouts(&self) -> u64 {
        if self.lanes.get().is_some() { 0 } else { WORTH_A_CIRCUIT }
    }

    fn bit_round(&self) -> Option<Arc<BitRound>> {
        self.in_bits.get_or_init(|| ground_in_bits(self, MOST_NODES).ok().map(Arc::new)).clone()
    }

    fn lanes(&self) -> Option<Lanes<'_>> {
        let instructions = || {
            let mut round = ground_in_bits(self, MOST_NODES_OF_LANES).ok()?;
            // The order of cursors.
            let moves = &mut Arc::make_mut(&mut round.ground).moves;
            moves.iter_mut().for_each(|moves| moves.sort_by_cached_key(|(mv, _)| self.action(*mv)));
            Some(Instructions::new(&round))
        };
        Some(Lanes::new(self, self.instructions.get_or_init(instructions).as_ref()?))
    }

    fn given_up(&self) -> Option<String> {
        Some(format!("no circuit: {}", self.in_lanes().err()?))
    }

    fn random_rounds(&self, state: &mut State, limit: usize, rng: &mut dyn rand::RngCore) -> Option<usize> {
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        Some(self.engine.play(state, self.ends_at_payoff, &mut random::RandomChoice { limit, rng }).0 as usize)
    }

    fn random_match(
        &self,
        limits: &Limits,
        stream: &mut Stream,
        record: &mut MatchRecord,
        moves: Option<&mut Vec<JointMove>>,
    ) -> Option<State> {
        let mut state = self.engine.initial.clone();
        let moves = moves.map(|moves| (moves, |schema, args: &[Obj]| self.intern_move(schema, args)));
        let mut watch = random::Recorded { limits, stream, record, moves };
        let (rounds, terminal) = self.engine.play(&mut state, self.ends_at_payoff, &mut watch);
        (record.rounds, record.terminal) = (rounds, terminal);
        Some(state)
    }
}
