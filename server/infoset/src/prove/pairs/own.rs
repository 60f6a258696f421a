//! Own moves by pairs of states. Unlike properties of states, they are compared in the rounds from a pair.

use std::sync::Arc;

use percept_game::symmetry::Symmetries;
use percept_game::view::{JointMoves, play};
use percept_game::{Game, JointMove, MoveId, RoleId, State};
use rustc_hash::FxHashMap;

use super::{Pairs, Sight, unpack};
use crate::prove::findings::{Argument, Pair, Verdict, is_real, proved};
use crate::verdict::Property;
use crate::{Budget, Stop};

/// The role's observations, by number, and a move that gives each; sorted, without repeats.
type Moves = Arc<[(u32, MoveId)]>;

impl Pairs<'_> {
    /// A pair of the deepest layer with two rounds that give the role the same observation although its move differs.
    /// `moves_of`: the cached results of states.
    fn first_of_moves(&mut self, moves_of: &mut FxHashMap<u32, Moves>, budget: &Budget) -> Result<Option<u64>, Stop> {
        for pair in self.layer().to_vec() {
            let (a, b) = unpack(pair);
            let (left, right) = (self.moves(a, moves_of, budget)?, self.moves(b, moves_of, budget)?);
            for &(sight, mv) in &*left {
                let begin = right.partition_point(|(other, _)| *other < sight);
                if right[begin..].iter().take_while(|(other, _)| *other == sight).any(|(_, other)| *other != mv) {
                    return Ok(Some(pair));
                }
            }
        }
        Ok(None)
    }

    fn moves(&mut self, id: u32, moves_of: &mut FxHashMap<u32, Moves>, budget: &Budget) -> Result<Moves, Stop> {
        self.within_limits(budget).ok_or(Stop::OutOfMemory)?;
        if let Some(moves) = moves_of.get(&id) {
            return Ok(moves.clone());
        }
        let mut found = Vec::new();
        let mut at = self.game.at(&self.states[id]);
        if !at.is_terminal() {
            for joint in JointMoves::at(self.game, &mut *at, self.role, None) {
                self.pace.check(budget)?;
                let sight = self.sight(&mut *at, &joint);
                let fresh = self.sights.len() as u32;
                found.push((*self.sights.entry(sight).or_insert(fresh), joint[self.role.0 as usize]));
            }
        }
        found.sort_unstable();
        found.dedup();
        self.held += size_of_val(&*found);
        let moves: Moves = found.into();
        moves_of.insert(id, moves.clone());
        Ok(moves)
    }
}

/// Joint moves from two states with the same observation but different moves of the role.
fn alike(game: &Game, role: RoleId, a: &State, b: &State) -> Option<(JointMove, JointMove)> {
    let sights = |state: &State| {
        let mut at = game.at(state);
        let joints: Vec<JointMove> = JointMoves::at(game, &mut *at, role, None).collect();
        let sight = |joint: JointMove| -> (Sight, JointMove) {
            ((game.own_move(role, &joint), at.percepts(&joint, role)), joint)
        };
        joints.into_iter().map(sight).collect::<Vec<_>>()
    };
    let mut left: FxHashMap<Sight, Vec<JointMove>> = FxHashMap::default();
    for (sight, joint) in sights(a) {
        left.entry(sight).or_default().push(joint);
    }
    let own = |joint: &JointMove| joint[role.0 as usize];
    sights(b).into_iter().find_map(|(sight, right)| {
        let other = left.get(&sight)?.iter().find(|left| own(left) != own(&right))?;
        Some((other.clone(), right))
    })
}

/// The whole search, as [`super::by_pairs`].
pub(crate) fn by_pairs<'b>(
    game: &Game,
    role: RoleId,
    depth: Option<usize>,
    symmetries: &Symmetries,
    time: &dyn Fn() -> &'b Budget,
) -> Verdict {
    let mut search = Pairs::up_to(game, role, symmetries);
    let mut moves_of = FxHashMap::default();
    loop {
        let (budget, rounds) = (time(), search.depth());
        budget.report("pairs of states, rounds", rounds, None);
        if depth.is_some_and(|depth| rounds >= depth) {
            return Verdict::Open { depth: rounds };
        }
        match search.first_of_moves(&mut moves_of, budget) {
            Ok(None) => {}
            Err(_) => return Verdict::Open { depth: rounds },
            Ok(Some(found)) => {
                let pair = lengthened(game, role, search.histories(found));
                return match pair.filter(|pair| is_real(game, role, Property::Own, pair)) {
                    Some(pair) => Verdict::Refuted { pair, method: "pairs" },
                    None => Verdict::Open { depth: rounds },
                };
            }
        }
        match search.deepen(budget) {
            Some(true) => {}
            Some(false) => return proved("pairs", Argument::Pairs),
            None => return Verdict::Open { depth: rounds + 1 },
        }
    }
}

/// Extends two matches by one round in which the role makes different moves.
fn lengthened(game: &Game, role: RoleId, (mut left, mut right): (Vec<JointMove>, Vec<JointMove>)) -> Option<Pair> {
    let ends = [&left, &right].map(|history| play(game, history).ok()?.pop());
    let [Some(a), Some(b)] = ends else { return None };
    let (first, second) = alike(game, role, &a, &b)?;
    left.push(first);
    right.push(second);
    Some(Pair { left, right })
}
