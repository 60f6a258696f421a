//! Fluents that the number of a round decides without a period: in a game that counts its rounds, or that fills a
//! board.
//!
//! From the initial state on, every round is evaluated in three values ([`super::partial`]). Fluents that are known
//! after `r` rounds are known in all matches. With them folded away, every round has a circuit of its own, often a
//! small part of the whole one: in hex, groups of stones are numbered by the round that began them, and all but a few
//! numbers do not yet exist, or cannot be changed by the role in turn. All matches must then be in the same round:
//! lanes wait for each other, which pays if matches are about equally long.

use crate::{FluentId, Ground, State};

use super::partial::{KnownRounds, Round, fluent_count};

/// The maximum number of rounds that are unfolded.
pub(super) const MOST_ROUNDS: usize = 400;
/// The maximum number of nodes in all rounds, known ones included: each takes two bits meanwhile.
const MOST_NODES: usize = 1 << 26;
/// If that allows for fewer rounds than this, unfolding is not tried: a game with so large a circuit takes more rounds.
const FEW_ROUNDS: usize = 64;

/// Larger circuits take seconds to unfold, so that their first checked round must be cheaper by this factor. The rounds
/// of hex, for which unfolding was made, begin with few groups of stones and cost hardly anything.
const LARGE: usize = 1 << 18;
const CHEAPER: usize = 4;

/// A return to one of the first few rounds is left to `phases`.
const SOON: usize = 8;
/// The rounds in which the cost is checked. In the first ones, most pieces of any game stand where they began, so that
/// one check is not enough: chess would be unfolded for hundreds of rounds in vain.
const CHECKED: [usize; 4] = [8, 16, 24, 32];

/// The result of unfolding a game.
pub(super) enum Unfolded<'a> {
    Rounds(KnownRounds<'a>),
    /// It would pay, but the rounds have too many nodes.
    TooLarge(TooLarge),
    /// The rounds return to one of the first few, or do not return soon enough, or an early round costs too much.
    No,
}

/// The maximum number of rounds of a game that are unfolded.
pub(super) fn most_rounds(ground: &Ground) -> usize {
    MOST_ROUNDS.min(MOST_NODES / ground.circuit.nodes().len())
}

/// True if a circuit is so large that its rounds cannot have a circuit each.
pub(super) fn is_too_large(ground: &Ground) -> bool {
    most_rounds(ground) < FEW_ROUNDS
}

/// The rounds of a game that have too many nodes to have a circuit each.
#[derive(Debug)]
pub struct TooLarge {
    /// The number of rounds that would have been unfolded.
    rounds: usize,
    /// The cost of a round of the circuit of all rounds, divided by that of the last round that was checked.
    times: usize,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let TooLarge { rounds, times } = self;
        write!(
            f,
            "one circuit for all rounds, up to {times} times slower: more than {rounds} rounds would need too many gates"
        )
    }
}

/// The limits on unfolding that follow from the lengths of matches.
pub(super) struct Worth {
    /// The number of rounds that are worth unfolding.
    pub rounds: usize,
    /// The length of a long match.
    pub longest: usize,
    /// The most that a round may cost on average.
    pub cost: usize,
}

/// Questions about the lengths of matches. The answers take time: matches are played.
pub(super) struct Lengths<'a> {
    /// True if a match is longer than this number of rounds.
    pub is_longer: &'a dyn Fn(usize) -> bool,
    pub worth: &'a dyn Fn() -> Worth,
}

/// The checks of early rounds.
struct Checks<'a> {
    lengths: &'a Lengths<'a>,
    /// The most that the first checked round may cost.
    most_cost: usize,
    /// The maximum number of rounds.
    most: usize,
    is_large: bool,
    limits: Option<Worth>,
    /// The cost of the first checked round, if it is not yet compared with the limits.
    put_off: Option<usize>,
    /// The cost of a round of the circuit of all rounds, divided by that of the last round that was checked.
    times: usize,
}

impl Checks<'_> {
    /// True if unfolding may pay, given the cost of the round after `at - 1` others.
    fn pass(&mut self, at: usize, cost: usize) -> bool {
        if self.limits.is_none() {
            let is_first = at == CHECKED[0];
            if cost > if is_first && self.is_large { self.most_cost / CHEAPER } else { self.most_cost } {
                return false;
            }
            // Most games are found out at the second check, long before all matches have been measured.
            if is_first && (self.lengths.is_longer)(3 * CHECKED[1]) {
                self.put_off = Some(cost);
                return true;
            }
        }
        let limits = self.limits.get_or_insert_with(self.lengths.worth);
        // All rounds of a match must be unfolded to pay.
        if self.most == MOST_ROUNDS && limits.longest > self.most {
            return false;
        }
        // Rounds in the first third of a match cost no more than the average. A large circuit is worth no risk.
        let is_dear = |(at, cost): (usize, usize)| (self.is_large || at * 3 <= limits.longest) && cost > limits.cost;
        if self.put_off.take().map(|cost| (CHECKED[0], cost)).into_iter().chain([(at, cost)]).any(is_dear) {
            return false;
        }
        self.times = (limits.cost.saturating_mul(2) / cost.max(1)).max(1);
        true
    }

    /// True if the longest match has more rounds than are possible.
    fn are_too_few(&self) -> bool {
        self.limits.as_ref().is_some_and(|limits| self.most < limits.longest)
    }
}

/// The rounds of a game with their known values, if none of the early ones costs too much: at first more than
/// `most_cost`; then `lengths` tells. Where it ends them, `back` has no meaning.
pub(super) fn rounds<'a>(ground: &'a Ground, initial: &State, most_cost: usize, lengths: &Lengths<'_>) -> Unfolded<'a> {
    let circuit = &ground.circuit;
    if !circuit.groups().is_empty() || !circuit.comparisons().is_empty() {
        return Unfolded::No;
    }
    let count = fluent_count(ground);
    let mut states: Vec<Vec<u8>> =
        vec![(0..count).map(|fluent| u8::from(initial.has(FluentId(fluent as u32)))).collect()];
    let mut rounds: Vec<Round> = Vec::new();
    let most = most_rounds(ground);
    if is_too_large(ground) {
        return Unfolded::No;
    }
    let is_large = circuit.nodes().len() > LARGE;
    let mut checks = Checks { lengths, most_cost, most, is_large, limits: None, put_off: None, times: 1 };
    while rounds.len() < most {
        if checks.limits.as_ref().is_some_and(|worth| rounds.len() >= worth.rounds) {
            return Unfolded::Rounds(KnownRounds { rounds, fluents: count, back: 0, block: None });
        }
        let (round, mut values) = Round::with_values(ground, &states[rounds.len()]);
        let next = values.next(count);
        if CHECKED.contains(&states.len()) {
            values.mark_all();
            if !checks.pass(states.len(), values.cost()) {
                return Unfolded::No;
            }
            if checks.are_too_few() && states.len() == CHECKED[CHECKED.len() - 1] {
                break;
            }
        }
        drop(values);
        rounds.push(round);
        if let Some(back) = states.iter().position(|state| *state == next) {
            // A return to the start, or to an early round, is left to phases.
            let is_late = back >= SOON;
            return if is_late {
                Unfolded::Rounds(KnownRounds { rounds, fluents: count, back, block: None })
            } else {
                Unfolded::No
            };
        }
        states.push(next);
    }
    if most == MOST_ROUNDS { Unfolded::No } else { Unfolded::TooLarge(TooLarge { rounds: most, times: checks.times }) }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Lengths, Unfolded, Worth, rounds};
    use crate::compiled::Playouts;
    use crate::play::{Limits, MatchRecord};
    use crate::{Game, Ground};
    use percept_syntax::{Language, Source, Syntax};

    /// Stones are numbered by the step in which they are placed, sixteen at most. If stones 2 and 5, or 3 and 7, become
    /// neighbours, the role in turn has lost. After ten steps the clock stops, and the matches go on.
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

    pub(in crate::compiled) fn played(playouts: &Playouts, matches: u64, max_rounds: u32) -> Vec<MatchRecord> {
        let mut records = Vec::new();
        let limits = Limits { seed: 3, max_rounds, ..Limits::default() };
        playouts.run::<4>(0..matches, &limits, &mut |record| records.push(record.clone()));
        records.sort_by_key(|record| record.number);
        records
    }

    pub(in crate::compiled) fn stones() -> (Game, std::sync::Arc<Ground>) {
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
        let all = || Worth { rounds: usize::MAX, longest: 0, cost: usize::MAX };
        let lengths = Lengths { is_longer: &|_| false, worth: &all };
        let Unfolded::Rounds(mut unfolded) = rounds(&ground, &initial, usize::MAX, &lengths) else {
            panic!("rounds that are counted")
        };
        unfolded.mark();
        assert_eq!((unfolded.rounds.len(), unfolded.back), (13, 11), "a round for each step, then one for each turn");
        let unfolded = Playouts::of(&unfolded, &initial);
        for (matches, max_rounds) in [(2000, 100), (300, 5), (3, 100)] {
            let records = played(&folded, matches, max_rounds);
            assert_eq!(records.len() as u64, matches);
            assert_eq!(played(&unfolded, matches, max_rounds), records);
            assert_eq!(played(&folded.together(), matches, max_rounds), records);
        }
    }
}
