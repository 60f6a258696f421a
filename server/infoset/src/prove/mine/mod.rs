//! Candidates for invariants: claims that held in every state of the random matches.
//!
//! Fluents are grouped by the shape of their names. If the members of a group differ in some arguments only, at most
//! one or at least one of them may hold. A fluent may imply or exclude a member of a small family (a phase, a turn) or
//! a fluent about the same objects, or imply that one of several about the same objects holds. A number may count the
//! moves that change it. At most one of some conjunctions of two fluents may hold ([`joint`]).

use percept_game::circuit::{Lit, Node};
use percept_game::{FluentId, Game, Ground, MoveId, RoleId};
use rustc_hash::{FxHashMap, FxHashSet};

mod exclusions;
mod joint;

use exclusions::Exclusions;

use super::bounded::Bounded;
use super::claims::{Atom, Claim, Count, Invariants};
use super::sample::{Bits, Samples};
use super::shapes::{Shape, Words};
use super::twin::Symbolic;
use crate::net::Net;

/// The size up to which a family is taken for a phase, a turn or a stage, and related to everything.
const SMALL: usize = 12;
/// The most arguments of fluents to be grouped: the number of groupings is two to the power of this.
const MOST_ARGUMENTS: u32 = 5;
/// The most claims tried.
const MOST_CLAIMS: usize = 60_000;
/// The most moves that a counter may count.
const MOST_TOKENS: usize = 2_000;
/// The most exclusive groups examined phase by phase.
const MOST_PARTIAL: usize = 500;
/// The expected number of matches in which two independent fluents meet, above which it is evidence of an exclusion if
/// they never meet, although others like them do.
const EXPECTED: u64 = 4;
/// The most history variables.
const MOST_MADE: usize = 6_000;

struct Miner {
    words: Words,
    shapes: Vec<Shape>,
    /// For each functor, the fluents that can hold, in order.
    families: Vec<Vec<Atom>>,
    /// The values of fluents that are assumed to be constant.
    fixed: Vec<Option<bool>>,
    bits: Vec<Bits>,
    /// For each fluent, the number of matches in which it was met.
    counts_of_matches: Vec<u32>,
    matches: u32,
    everywhere: Bits,
    /// Groups of which at most one member holds, and sometimes none.
    partial: Vec<Vec<Atom>>,
    found: Vec<Claim>,
}

/// Facts that held in all sampled states after the rounds of `base` or more; fluents that never changed are checked
/// there. Facts about pairs of fluents are returned separately: they are worth proving only if the rest does not
/// suffice. `None` if time ran out, or no match is that long.
pub(super) fn candidates(
    game: &Game,
    ground: &Ground,
    samples: &Samples,
    base: &mut Bounded<'_>,
) -> Option<(Invariants, Vec<Claim>)> {
    let places = samples.since(base.depth());
    if places.is_empty() {
        return None;
    }
    let count = game.rules.fluent_count();
    let mut words = Words::default();
    let shapes: Vec<Shape> =
        (0..count as u32).map(|fluent| words.shape(&game.rules.fluent_term(FluentId(fluent)))).collect();
    let bits = samples.fluents(&places, count);
    let (counts_of_matches, matches) = counts_of_matches(&bits, &places);
    let mut everywhere: Bits = vec![u64::MAX; places.len().div_ceil(64)].into();
    if !places.len().is_multiple_of(64)
        && let Some(last) = everywhere.last_mut()
    {
        *last = (1 << (places.len() % 64)) - 1;
    }
    let seen: Vec<Option<bool>> = bits.iter().map(|bits| constant(bits, &everywhere)).collect();
    let odd = |net: &mut Net, state: &Symbolic| {
        let odd = |(atom, &seen): (u32, &Option<bool>)| match seen {
            Some(holds) => Claim::Clause(vec![(atom, holds)]).violated(net, state),
            None => Lit::FALSE,
        };
        (0..).zip(&seen).map(odd).collect()
    };
    let changes = base.which(|net, state, _| odd(net, state), &[])?;
    let fixed: Vec<Option<bool>> =
        seen.into_iter().zip(changes).map(|(seen, changes)| seen.filter(|_| !changes)).collect();
    let mut families: FxHashMap<&str, Vec<Atom>> = FxHashMap::default();
    for (atom, shape) in shapes.iter().enumerate().filter(|(atom, _)| fixed[*atom] != Some(false)) {
        families.entry(&shape.functor).or_default().push(atom as u32);
    }
    let mut families: Vec<Vec<Atom>> = families.into_values().collect();
    families.sort_unstable();
    let mut miner = Miner {
        words,
        shapes,
        families,
        fixed,
        bits,
        counts_of_matches,
        matches,
        everywhere,
        partial: Vec::new(),
        found: Vec::new(),
    };
    miner.units();
    let counters = miner.groups();
    let (made, counts) = miner.counts(game, ground, samples, &places, &counters);
    miner.related(&made, game, count as u32);
    miner.small();
    miner.phased();
    let joint = miner.exclusive_pairs();
    let Miner { mut found, .. } = miner;
    found.truncate(MOST_CLAIMS);
    Some((Invariants { from: base.depth(), made, claims: found, counts }, joint))
}

/// The number of matches in which each fluent was met, and the number of all matches.
fn counts_of_matches(bits: &[Bits], places: &[(u32, u32)]) -> (Vec<u32>, u32) {
    let mut ends: Vec<usize> = (1..places.len()).filter(|&at| places[at].0 != places[at - 1].0).collect();
    ends.push(places.len());
    let holds = |bits: &Bits, place: usize| bits[place / 64] >> (place % 64) & 1 == 1;
    let count = |bits: &Bits| {
        let mut start = 0;
        let match_range = |&end: &usize| std::mem::replace(&mut start, end)..end;
        ends.iter().map(match_range).filter(|places| places.clone().any(|place| holds(bits, place))).count() as u32
    };
    (bits.iter().map(count).collect(), ends.len() as u32)
}

/// The value of a fluent that never changed.
fn constant(bits: &[u64], everywhere: &[u64]) -> Option<bool> {
    match bits {
        _ if bits.iter().all(|&word| word == 0) => Some(false),
        _ if bits == everywhere => Some(true),
        _ => None,
    }
}

impl Miner {
    fn bits(&self, atom: Atom) -> &[u64] {
        &self.bits[atom as usize]
    }

    fn implies(&self, a: &[u64], b: &[u64]) -> bool {
        a.iter().zip(b).all(|(a, b)| a & !b == 0)
    }

    fn excludes(&self, a: &[u64], b: &[u64]) -> bool {
        a.iter().zip(b).all(|(a, b)| a & b == 0)
    }

    /// True if two fluents are so frequent that they would have met if they were independent.
    fn would_meet(&self, a: Atom, b: Atom) -> bool {
        u64::from(self.counts_of_matches[a as usize]) * u64::from(self.counts_of_matches[b as usize])
            >= EXPECTED * u64::from(self.matches)
    }

    fn any(&self, atoms: &[Atom]) -> Vec<u64> {
        let mut any = vec![0; self.everywhere.len()];
        for &atom in atoms {
            any.iter_mut().zip(self.bits(atom)).for_each(|(any, word)| *any |= word);
        }
        any
    }

    fn at_most_one(&self, atoms: &[Atom]) -> bool {
        let mut one = vec![0; self.everywhere.len()];
        atoms.iter().all(|&atom| {
            let free = self.excludes(&one, self.bits(atom));
            one.iter_mut().zip(self.bits(atom)).for_each(|(any, word)| *any |= word);
            free
        })
    }

    fn is_constant(&self, atom: Atom) -> bool {
        self.fixed[atom as usize].is_some()
    }

    fn units(&mut self) {
        for atom in 0..self.shapes.len() as u32 {
            if let Some(holds) = self.fixed[atom as usize] {
                self.found.push(Claim::Clause(vec![(atom, holds)]));
            }
        }
    }

    /// Claims that at most one or at least one member of a group holds. Returns the groups that are numbers, as values
    /// with their fluents.
    fn groups(&mut self) -> Vec<Vec<(i64, Atom)>> {
        let mut counters = Vec::new();
        for family in self.families.clone() {
            let arity = self.shapes[family[0] as usize].arguments.len() as u32;
            if family.len() < 2 || arity > MOST_ARGUMENTS {
                continue;
            }
            // The varying arguments of the group, as bits. Larger sets come first, because a larger group is a stronger
            // claim.
            let mut masks: Vec<u32> = (1..1 << arity).collect();
            masks.sort_by_key(|mask| std::cmp::Reverse(mask.count_ones()));
            for mask in masks {
                for group in self.split(&family, mask) {
                    self.group(&group, mask, &mut counters);
                }
            }
        }
        counters
    }

    fn split(&self, family: &[Atom], mask: u32) -> Vec<Vec<Atom>> {
        let mut groups: FxHashMap<Vec<u32>, Vec<Atom>> = FxHashMap::default();
        for &atom in family {
            let arguments = self.shapes[atom as usize].arguments.iter().enumerate();
            let kept = arguments.filter(|(at, _)| mask >> at & 1 == 0).map(|(_, &argument)| argument).collect();
            groups.entry(kept).or_default().push(atom);
        }
        let mut groups: Vec<Vec<Atom>> = groups.into_values().filter(|group| group.len() > 1).collect();
        groups.sort_unstable();
        groups
    }

    fn group(&mut self, group: &[Atom], mask: u32, counters: &mut Vec<Vec<(i64, Atom)>>) {
        let exclusive = self.at_most_one(group);
        if exclusive {
            self.found.push(Claim::AtMostOne(group.to_vec()));
        }
        let covered = self.any(group) == *self.everywhere;
        if covered {
            self.found.push(Claim::Clause(group.iter().map(|&atom| (atom, true)).collect()));
        }
        if exclusive && !covered && self.partial.len() < MOST_PARTIAL {
            self.partial.push(group.to_vec());
        }
        if exclusive && covered && mask.count_ones() == 1 {
            let value = |atom: Atom| {
                let arguments = &self.shapes[atom as usize].arguments;
                self.words.integer(arguments[mask.trailing_zeros() as usize])
            };
            counters.extend(group.iter().map(|&atom| Some((value(atom)?, atom))).collect::<Option<Vec<_>>>());
        }
    }

    /// Claims implications and exclusions of members of small families.
    fn small(&mut self) {
        let small: Vec<Atom> = self.families.iter().filter(|family| family.len() <= SMALL).flatten().copied().collect();
        let (mut found, mut exclusions) = (Vec::new(), Exclusions::default());
        for &one in small.iter().filter(|&&one| !self.is_constant(one)) {
            for family in &self.families {
                if self.implies(self.bits(one), &self.any(family)) && !family.contains(&one) {
                    found.push(implication(one, family));
                }
                for &other in family.iter().filter(|&&other| other != one && !self.is_constant(other)) {
                    if self.implies(self.bits(other), self.bits(one)) {
                        found.push(implication(other, &[one]));
                    } else {
                        let excluded = self.excludes(self.bits(other), self.bits(one));
                        let shape = |atom: Atom| (atom, &self.shapes[atom as usize]);
                        exclusions.note(shape(one), shape(other), excluded);
                    }
                }
            }
        }
        found.extend(exclusions.believed(|a, b| self.would_meet(a, b)));
        self.found.append(&mut found);
    }

    /// Claims the phases in which one member of a group holds: a member of a small family implies it, or it holds if
    /// none does.
    fn phased(&mut self) {
        let small: Vec<Atom> = self.families.iter().filter(|family| family.len() <= SMALL).flatten().copied().collect();
        let small: Vec<Atom> = small.into_iter().filter(|&one| !self.is_constant(one)).collect();
        let mut found = Vec::new();
        for group in &self.partial {
            let any = self.any(group);
            let none: Vec<u64> = self.everywhere.iter().zip(&any).map(|(all, any)| all & !any).collect();
            for &one in small.iter().filter(|one| !group.contains(one)) {
                if self.implies(self.bits(one), &any) {
                    found.push(implication(one, group));
                }
                if self.implies(&none, self.bits(one)) {
                    let clause = group.iter().chain([&one]).map(|&atom| (atom, true));
                    found.push(Claim::Clause(clause.collect()));
                }
            }
        }
        self.found.append(&mut found);
    }

    /// Claims implications between fluents and history variables about the same objects.
    fn related(&mut self, made: &[(RoleId, MoveId)], game: &Game, fluents: u32) {
        let moves: Vec<Shape> =
            made.iter().map(|&(role, mv)| self.words.shape(&game.rules.move_term(role, mv))).collect();
        let mut mentions: FxHashMap<u32, Vec<Atom>> = FxHashMap::default();
        for &atom in self.families.iter().flatten().filter(|&&atom| !self.is_constant(atom)) {
            let arguments: FxHashSet<u32> = self.shapes[atom as usize].arguments.iter().copied().collect();
            for argument in arguments {
                mentions.entry(argument).or_default().push(atom);
            }
        }
        let (mut found, mut exclusions) = (Vec::new(), Exclusions::default());
        let live = self.families.iter().flatten().copied().filter(|&atom| !self.is_constant(atom));
        let atoms = live.chain(fluents..fluents + moves.len() as u32);
        for atom in atoms {
            let shape = if atom < fluents { &self.shapes[atom as usize] } else { &moves[(atom - fluents) as usize] };
            let arguments: FxHashSet<u32> = shape.arguments.iter().copied().collect();
            let mut shared: FxHashMap<Atom, usize> = FxHashMap::default();
            for argument in &arguments {
                mentions.get(argument).into_iter().flatten().for_each(|&other| *shared.entry(other).or_default() += 1);
            }
            let mut about: FxHashMap<&str, Vec<Atom>> = FxHashMap::default();
            let mut shared: Vec<(Atom, usize)> = shared.into_iter().filter(|&(other, _)| other != atom).collect();
            shared.sort_unstable();
            for (other, count) in shared {
                let theirs = &self.shapes[other as usize];
                let distinct = theirs.arguments.iter().collect::<FxHashSet<_>>().len();
                if count == distinct {
                    if self.implies(self.bits(atom), self.bits(other)) {
                        found.push(implication(atom, &[other]));
                    }
                    if theirs.functor != shape.functor {
                        let excluded = self.excludes(self.bits(atom), self.bits(other));
                        exclusions.note((atom, shape), (other, theirs), excluded);
                    }
                }
                if count == arguments.len() && count > 0 && theirs.functor != shape.functor {
                    about.entry(&theirs.functor).or_default().push(other);
                }
            }
            for group in about.into_values() {
                if self.implies(self.bits(atom), &self.any(&group)) {
                    found.push(implication(atom, &group));
                }
            }
        }
        found.extend(exclusions.believed(|a, b| self.would_meet(a, b)));
        found.sort_unstable();
        self.found.append(&mut found);
    }

    /// Finds numbers that count the moves by which they change.
    fn counts(
        &mut self,
        game: &Game,
        ground: &Ground,
        samples: &Samples,
        places: &[(u32, u32)],
        counters: &[Vec<(i64, Atom)>],
    ) -> (Vec<(RoleId, MoveId)>, Vec<Count>) {
        let fluents = self.shapes.len() as u32;
        let (mut made, mut counts): (Vec<(RoleId, MoveId)>, Vec<Count>) = (Vec::new(), Vec::new());
        for values in counters {
            let moves = changing(ground, values);
            if moves.is_empty() || moves.len() > MOST_TOKENS || made.len() + moves.len() > MOST_MADE {
                continue;
            }
            let history = samples.made(places, &moves);
            for fluent in self.fluents_of(game, ground, &moves) {
                let first = made.len() as u32 + fluents;
                let tokens: Vec<(Atom, Atom)> =
                    fluent.iter().enumerate().map(|(index, &atom)| (atom, first + index as u32)).collect();
                let holds = |index: usize, place: usize| {
                    let bit = |bits: &[u64]| bits[place / 64] >> (place % 64) & 1 == 1;
                    bit(self.bits(fluent[index])) && !bit(&history[index])
                };
                if let Some((sign, offset)) = self.fit(values, places.len(), moves.len(), &holds) {
                    counts.push(Count { values: values.clone(), tokens, sign, offset });
                    made.extend(&moves);
                    self.counts_of_matches.extend(counts_of_matches(&history, places).0);
                    self.bits.extend(history);
                    break;
                }
            }
        }
        (made, counts)
    }

    /// Lists of fluents, one list per functor. Each list has a necessary fluent for each of the moves.
    fn fluents_of(&mut self, game: &Game, ground: &Ground, moves: &[(RoleId, MoveId)]) -> Vec<Vec<Atom>> {
        let mut ways: FxHashMap<String, Vec<Atom>> = FxHashMap::default();
        for (index, &(role, mv)) in moves.iter().enumerate() {
            let shape = self.words.shape(&game.rules.move_term(role, mv));
            let legal = ground.moves[role.0 as usize].iter().find(|(other, _)| *other == mv);
            let mut needed = Vec::new();
            if let Some(&(_, legal)) = legal {
                conjuncts(ground, legal, &mut needed);
            }
            for atom in needed {
                let general = &self.shapes[atom as usize];
                if general.arguments.len() > 1 && general.arguments.iter().all(|it| shape.arguments.contains(it)) {
                    let way = ways.entry(general.functor.clone()).or_default();
                    if way.len() == index {
                        way.push(atom);
                    }
                }
            }
        }
        let mut ways: Vec<(String, Vec<Atom>)> = ways.into_iter().filter(|(_, way)| way.len() == moves.len()).collect();
        ways.sort_unstable();
        ways.into_iter().map(|(_, way)| way).collect()
    }

    /// The sign and the offset with which the number of tokens always gave the value.
    fn fit(
        &self,
        values: &[(i64, Atom)],
        places: usize,
        tokens: usize,
        holds: &dyn Fn(usize, usize) -> bool,
    ) -> Option<(i64, i64)> {
        let value = |place: usize| {
            values
                .iter()
                .find(|(_, atom)| self.bits(*atom)[place / 64] >> (place % 64) & 1 == 1)
                .map(|(value, _)| *value)
        };
        let at = |place: usize| Some((value(place)?, (0..tokens).filter(|&index| holds(index, place)).count() as i64));
        let seen: FxHashSet<(i64, i64)> = (0..places).map(at).collect::<Option<_>>()?;
        [1, -1].into_iter().find_map(|sign| {
            let offsets: FxHashSet<i64> = seen.iter().map(|(value, count)| value - sign * count).collect();
            (offsets.len() == 1 && seen.len() > 1).then(|| offsets.into_iter().next().map(|offset| (sign, offset)))?
        })
    }
}

fn implication(one: Atom, others: &[Atom]) -> Claim {
    Claim::Clause(std::iter::once((one, false)).chain(others.iter().map(|&atom| (atom, true))).collect())
}

/// The moves on which the next value of a number depends.
fn changing(ground: &Ground, values: &[(i64, Atom)]) -> Vec<(RoleId, MoveId)> {
    let nodes = ground.circuit.nodes();
    let gates = ground.next.iter().filter(|(fluent, _)| values.iter().any(|(_, atom)| *atom == fluent.0));
    let mut stack: Vec<u32> = gates.map(|(_, gate)| gate.node()).collect();
    let mut seen: FxHashSet<u32> = stack.iter().copied().collect();
    let mut moves = Vec::new();
    while let Some(node) = stack.pop() {
        match &nodes[node as usize] {
            Node::Move(role, mv) if *mv != MoveId::NOOP => moves.push((*role, *mv)),
            Node::And(operands) | Node::Or(operands) => {
                stack.extend(operands.iter().map(|lit| lit.node()).filter(|&node| seen.insert(node)));
            }
            _ => {}
        }
    }
    moves.sort_unstable();
    moves.dedup();
    moves
}

/// The fluents that are necessary for a gate, as far as its conjunctions show.
fn conjuncts(ground: &Ground, gate: Lit, found: &mut Vec<Atom>) {
    if gate.is_negated() {
        return;
    }
    match &ground.circuit.nodes()[gate.node() as usize] {
        Node::Fluent(fluent) => found.push(fluent.0),
        Node::And(operands) => operands.iter().for_each(|&lit| conjuncts(ground, lit, found)),
        _ => {}
    }
}
