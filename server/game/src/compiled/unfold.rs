//! What the number of a round decides where it does not come back: a game that counts its rounds, or that fills a board.
//!
//! From the initial state on, every round is evaluated in three values: what is legal may happen or not, so a gate is
//! true, false, or unknown. Fluents that are known after `r` rounds are known in all matches; with them folded away, every
//! round has a circuit of its own, often a small part of the whole one: in hex, groups of stones are numbered by the
//! round that began them, and all but a few numbers are not yet, or cannot be changed by who is in turn. All matches
//! must be in the same round then: lanes wait for each other, which pays where matches are about equally long.

use crate::circuit::{Circuit, Lit, Node};
use crate::{FluentId, Ground, MoveId, State};

use super::phases::{Phase, prune};

/// To choose for a role, in every lane by itself, takes as long as so many operands, which all lanes read at once.
pub(super) const A_CHOICE: usize = 4000;

/// More rounds are not unfolded.
const MOST_ROUNDS: usize = 256;
/// Nor is what has more nodes in all rounds, those that are known counted, too: each takes a byte while this is done.
const MOST_NODES: usize = 1 << 24;

/// So many rounds are looked at first.
const SOON: usize = 8;

/// The value of a gate that is not known.
const UNKNOWN: u8 = 2;

/// What is known of every round.
pub(super) struct Rounds<'a> {
    ground: &'a Ground,
    /// By round and node: 0, 1, or [`UNKNOWN`].
    values: Vec<Vec<u8>>,
    /// The round that follows the last one.
    back: usize,
}

/// What is known of the rounds of a game; nothing if that ends in a few rounds, or after too many, or if rounds soon cost
/// more than that.
pub(super) fn rounds<'a>(ground: &'a Ground, initial: &State, most_cost: usize) -> Option<Rounds<'a>> {
    let circuit = &ground.circuit;
    if !circuit.groups().is_empty() || !circuit.comparisons().is_empty() {
        return None;
    }
    let in_rules = ground.next.iter().map(|(fluent, _)| *fluent);
    let in_nodes = circuit.nodes().iter().filter_map(|node| match node {
        Node::Fluent(fluent) => Some(*fluent),
        _ => None,
    });
    let count = in_rules.chain(in_nodes).map(|fluent| fluent.0 as usize + 1).max().unwrap_or(0);
    let mut states: Vec<Vec<u8>> =
        vec![(0..count).map(|fluent| u8::from(initial.has(FluentId(fluent as u32)))).collect()];
    let mut rounds = Rounds { ground, values: Vec::new(), back: 0 };
    let most = MOST_ROUNDS.min(MOST_NODES / circuit.nodes().len());
    while rounds.values.len() < most {
        let known = evaluate(ground, &states[rounds.values.len()]);
        let mut next = vec![0; count];
        ground.next.iter().for_each(|(fluent, gate)| next[fluent.0 as usize] = value(&known, *gate));
        rounds.values.push(known);
        if let Some(back) = states.iter().position(|state| *state == next) {
            rounds.back = back;
            // Whatever comes back to the start, or soon, is a matter of phases.
            return (back >= SOON).then_some(rounds);
        }
        if states.len() == SOON && rounds.cost(SOON - 1) > most_cost {
            return None;
        }
        states.push(next);
    }
    None
}

fn value(values: &[u8], lit: Lit) -> u8 {
    match values[lit.node() as usize] {
        UNKNOWN => UNKNOWN,
        value => value ^ u8::from(lit.is_negated()),
    }
}

/// The values of all nodes where these are the fluents'.
fn evaluate(ground: &Ground, fluents: &[u8]) -> Vec<u8> {
    let mut values = vec![UNKNOWN; ground.circuit.nodes().len()];
    let most = |moves: &Vec<(MoveId, Lit)>| moves.iter().map(|(mv, _)| mv.0 as usize + 1).max().unwrap_or(0);
    let mut does: Vec<Vec<u8>> = ground.moves.iter().map(|moves| vec![UNKNOWN; most(moves)]).collect();
    sweep(&ground.circuit, fluents, &does, &mut values);
    for (does, moves) in does.iter_mut().zip(&ground.moves) {
        does.fill(0);
        moves.iter().for_each(|(mv, gate)| does[mv.0 as usize] = value(&values, *gate).min(1) * UNKNOWN);
        let mut legal = moves.iter().filter(|(_, gate)| value(&values, *gate) != 0);
        // A role's only move, where it has it, is the one it makes.
        if let (Some((mv, gate)), None) = (legal.next(), legal.next())
            && value(&values, *gate) == 1
        {
            does[mv.0 as usize] = 1;
        }
    }
    sweep(&ground.circuit, fluents, &does, &mut values);
    values
}

fn sweep(circuit: &Circuit, fluents: &[u8], does: &[Vec<u8>], values: &mut [u8]) {
    for (index, node) in circuit.nodes().iter().enumerate() {
        values[index] = match node {
            Node::True => 1,
            Node::Fluent(fluent) => fluents[fluent.0 as usize],
            Node::Move(role, mv) => does[role.0 as usize].get(mv.0 as usize).copied().unwrap_or(0),
            Node::And(operands) => all(values, operands, 0),
            Node::Or(operands) => all(values, operands, 1),
            Node::Compare(_) | Node::Loop { .. } => UNKNOWN,
        };
    }
}

/// The value of a gate that one operand of this value decides.
fn all(values: &[u8], operands: &[Lit], deciding: u8) -> u8 {
    let mut result = 1 - deciding;
    for operand in operands {
        match value(values, *operand) {
            UNKNOWN => result = UNKNOWN,
            value if value == deciding => return deciding,
            _ => {}
        }
    }
    result
}

impl Rounds<'_> {
    /// By round: what playing it costs, in operands and choices that take as long.
    pub(super) fn costs(&self) -> Vec<usize> {
        (0..self.values.len()).map(|round| self.cost(round)).collect()
    }

    fn cost(&self, round: usize) -> usize {
        let values = &self.values[round];
        let unknown = |operands: &[Lit]| operands.iter().filter(|lit| value(values, **lit) == UNKNOWN).count();
        let gates = self.ground.circuit.nodes().iter().zip(self.needed(round)).filter(|(_, needed)| *needed);
        let gates = gates.map(|(node, _)| match node {
            Node::And(operands) | Node::Or(operands) => unknown(operands),
            _ => 0,
        });
        let possible = |moves: &&Vec<(MoveId, Lit)>| {
            moves.iter().filter(|(_, gate)| value(values, *gate) != 0).take(2).count() > 1
        };
        gates.sum::<usize>() + A_CHOICE * self.ground.moves.iter().filter(possible).count()
    }

    fn roots(&self) -> impl Iterator<Item = Lit> {
        let moves = self.ground.moves.iter().flatten().map(|(_, gate)| *gate);
        let goals = self.ground.goals.iter().flatten().map(|(_, gate)| *gate);
        let next = self.ground.next.iter().map(|(_, gate)| *gate);
        moves.chain(goals).chain(next).chain([self.ground.terminal])
    }

    /// The nodes that a round needs and does not know.
    fn needed(&self, round: usize) -> Vec<bool> {
        let values = &self.values[round];
        let mut marks = vec![false; values.len()];
        let mut stack: Vec<u32> = self.roots().map(Lit::node).collect();
        while let Some(node) = stack.pop() {
            if values[node as usize] != UNKNOWN || std::mem::replace(&mut marks[node as usize], true) {
                continue;
            }
            if let Node::And(operands) | Node::Or(operands) = &self.ground.circuit.nodes()[node as usize] {
                stack.extend(operands.iter().map(|lit| lit.node()));
            }
        }
        marks
    }

    /// A circuit for every round, and the round that follows the last.
    pub(super) fn phases(&self) -> (Vec<Phase>, usize) {
        let phases = (0..self.values.len()).map(|round| self.phase(round)).collect();
        (prune(phases, self.back), self.back)
    }

    fn phase(&self, round: usize) -> Phase {
        let ground = self.ground;
        let values = &self.values[round];
        let marks = self.needed(round);
        let mut circuit = Circuit::new();
        let mut map = vec![Lit::FALSE; values.len()];
        for (index, node) in ground.circuit.nodes().iter().enumerate().filter(|(index, _)| marks[*index]) {
            let unknown = |lit: &&Lit| value(values, **lit) == UNKNOWN;
            let lit = |lit: &Lit| placed(&map, *lit);
            // Operands that are known do not decide the gate: else it would be known, too.
            map[index] = match node {
                Node::And(operands) => circuit.and(operands.iter().filter(unknown).map(lit)),
                Node::Or(operands) => circuit.or(operands.iter().filter(unknown).map(lit)),
                Node::Fluent(fluent) => circuit.fluent(*fluent),
                Node::Move(role, mv) => circuit.does(*role, *mv),
                other => unreachable!("{other:?} is in no circuit that is unfolded"),
            };
        }
        let lit = |gate: Lit| match value(values, gate) {
            0 => Lit::FALSE,
            1 => Lit::TRUE,
            _ => placed(&map, gate),
        };
        let legal = |moves: &Vec<(MoveId, Lit)>| {
            let mut legal: Vec<(MoveId, Lit)> = moves.iter().map(|(mv, gate)| (*mv, lit(*gate))).collect();
            legal.retain(|(_, gate)| *gate != Lit::FALSE);
            legal.sort_unstable_by_key(|(mv, _)| *mv);
            legal
        };
        let goals = |goals: &Vec<(i64, Lit)>| goals.iter().map(|(goal, gate)| (*goal, lit(*gate))).collect();
        Phase {
            moves: ground.moves.iter().map(legal).collect(),
            next: ground.next.iter().map(|(fluent, gate)| (*fluent, lit(*gate))).collect(),
            goals: ground.goals.iter().map(goals).collect(),
            terminal: lit(ground.terminal),
            circuit,
        }
    }
}

fn placed(map: &[Lit], old: Lit) -> Lit {
    let new = map[old.node() as usize];
    if old.is_negated() { !new } else { new }
}

#[cfg(test)]
mod tests {
    use super::rounds;
    use crate::compiled::Playouts;
    use crate::play::{Limits, MatchRecord};
    use crate::{Game, Ground};
    use percept_syntax::{Language, Source, Syntax};

    /// Stones are numbered by the step in which they are placed, sixteen at most; whoever's stones 2 and 5, or 3 and 7, are
    /// neighbours has lost. After ten steps the clock stands, and the matches go on.
    const STONES: &str = "
        (role left) (role right)
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
        (succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15)
        (<= (cell ?c) (succ ?c ?d)) (cell 15)
        (init (step 0)) (init (control left))
        (<= (next (control left)) (true (control right)))
        (<= (next (control right)) (true (control left)))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n) (distinct ?n 11))
        (<= (next (step 10)) (true (step 10)))
        (<= (taken ?c) (true (stone ?k ?c)))
        (<= (legal ?r (place ?c)) (role ?r) (true (control ?r)) (cell ?c) (not (taken ?c)))
        (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
        (<= (next (stone ?k ?c)) (does ?r (place ?c)) (true (step ?k)))
        (<= (next (stone ?k ?c)) (true (stone ?k ?c)))
        (<= (near ?j ?k) (true (stone ?j ?c)) (true (stone ?k ?d)) (succ ?c ?d))
        (<= open (cell ?c) (not (taken ?c)))
        (<= lost (near 2 5)) (<= lost (near 3 7)) (<= lost (near 10 10))
        (<= terminal lost) (<= terminal (not open))
        (<= (goal ?r 0) (true (control ?r)) lost)
        (<= (goal ?r 100) (role ?r) (not (true (control ?r))) lost)
        (<= (goal ?r 50) (role ?r) (not lost))";

    fn played(playouts: &Playouts, matches: u64, max_rounds: u32) -> Vec<MatchRecord> {
        let mut records = Vec::new();
        let limits = Limits { seed: 3, max_rounds, ..Limits::default() };
        playouts.run::<4>(0..matches, &limits, &mut |record| records.push(record.clone()));
        records.sort_by_key(|record| record.number);
        records
    }

    fn stones() -> (Game, std::sync::Arc<Ground>) {
        let source = Source::parse(STONES.to_string(), Language::GdlPrefix);
        let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
        let game = Game::from_gdl(description).expect("a game");
        let ground = game.rules.kept().expect("a ground game").clone();
        (game, ground)
    }

    #[test]
    fn unfolded_matches_are_the_same() {
        let (game, ground) = stones();
        let initial = game.rules.initial();
        let folded = Playouts::new(&ground, &initial);
        let (phases, back) = rounds(&ground, &initial, usize::MAX).expect("rounds that are counted").phases();
        assert_eq!((phases.len(), back), (13, 11), "a round for each step, then one for each turn");
        let unfolded = Playouts::of(&phases, back, &initial);
        for (matches, max_rounds) in [(2000, 100), (300, 5), (3, 100)] {
            let records = played(&folded, matches, max_rounds);
            assert_eq!(records.len() as u64, matches);
            assert_eq!(played(&unfolded, matches, max_rounds), records);
            assert_eq!(played(&folded.together(), matches, max_rounds), records);
        }
    }
}
