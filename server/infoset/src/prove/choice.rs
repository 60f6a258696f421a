//! The choice of moves in a copy of a round, in literals.
//!
//! A move is identified by its name and its arguments. If there are many moves, the inputs are not the moves but every
//! name and every argument at its position, and a move is their conjunction. A fact that a solver learns about one
//! argument then applies to all moves with it. (The split representation of actions: Kautz and Selman, "Pushing the
//! envelope", AAAI 1996.)
//!
//! If a percept of the role is exactly one move, the role knows in both copies if that move is made, so both share its
//! literal.

use percept_game::circuit::{Lit, Node};
use percept_game::{MoveId, RoleId, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use super::setting::Setting;
use crate::net::Net;
use crate::unroll::Round;

/// Up to this number, each move is an input of its own.
const FEW: usize = 100;

/// The moves of one copy in one round, as variables.
pub(super) type Does = FxHashMap<(RoleId, MoveId), Lit>;

/// The moves of a copy, and the constraints on them.
#[derive(Default)]
pub(super) struct Choice {
    pub does: Does,
    /// Sets of literals of which at most one holds; then every mover makes at most one move.
    pub exclusive: Vec<Vec<Lit>>,
}

/// A role and its move.
type Made = (RoleId, MoveId);

impl Setting<'_> {
    /// Returns the choice of moves: no literal for a move that the state forbids, and no choice if there is only one
    /// move. `shared`: the moves of the other copy.
    pub(super) fn choice(&self, round: &mut Round<'_>, shared: Option<&Does>) -> Choice {
        let mut possible: Vec<Made> = Vec::new();
        for role in self.game.role_ids() {
            let is_own = role == self.role && self.game.knows_own_moves;
            for &(mv, legal) in self.ground.moves[role.0 as usize].iter().filter(|(mv, _)| *mv != MoveId::NOOP) {
                // A move that is possible in the other copy is explicitly forbidden if it is illegal here.
                let is_made = shared.is_some_and(|shared| is_own && shared.contains_key(&(role, mv)));
                if round.lit(legal) != Lit::FALSE || is_made {
                    possible.push((role, mv));
                }
            }
        }
        let perceived = shared.map(|_| self.perceived()).unwrap_or_default();
        let mut choice = Choice::default();
        let movers: Vec<Vec<Made>> = match self.game.is_sequential {
            true => vec![possible],
            false => possible.chunk_by(|a, b| a.0 == b.0).map(<[Made]>::to_vec).collect(),
        };
        for moves in movers {
            self.choose(round.net, &moves, shared.map(|shared| (shared, &perceived)), &mut choice);
        }
        choice
    }

    /// Adds literals for these moves, of which one is made.
    fn choose(&self, net: &mut Net, moves: &[Made], shared: Option<(&Does, &FxHashSet<MoveId>)>, choice: &mut Choice) {
        let is_told = |&&(role, mv): &&Made| {
            shared.is_some_and(|(_, perceived)| {
                role == self.role && self.game.knows_own_moves || self.game.is_sequential && perceived.contains(&mv)
            })
        };
        let (informed, rest): (Vec<&Made>, Vec<&Made>) = moves.iter().partition(is_told);
        let mut lits: Vec<Lit> = match shared {
            Some((shared, perceived)) => self.informed(net, &informed, shared, perceived, choice),
            None => Vec::new(),
        };
        if let ([only], []) = (&rest[..], &lits[..]) {
            choice.does.insert(**only, Lit::TRUE);
            return;
        }
        if moves.len() <= FEW {
            for &&made in &rest {
                let lit = net.input();
                lits.push(lit);
                choice.does.insert(made, lit);
            }
            choice.exclusive.push(lits);
            return;
        }
        let informed = net.or(lits);
        self.split(net, !informed, &rest, choice);
    }

    /// The literals of the moves that are made in both copies or in neither.
    fn informed(
        &self,
        net: &mut Net,
        informed: &[&Made],
        shared: &Does,
        perceived: &FxHashSet<MoveId>,
        choice: &mut Choice,
    ) -> Vec<Lit> {
        let other = |made: &Made| shared.get(made).copied().unwrap_or(Lit::FALSE);
        if !self.game.is_sequential {
            let lits: Vec<Lit> = informed.iter().map(|made| other(made)).collect();
            choice.does.extend(informed.iter().map(|made| **made).zip(lits.iter().copied()));
            return lits;
        }
        // The percept does not contain the mover, so any of them may have made the move.
        let mut movers: FxHashMap<MoveId, Vec<RoleId>> = FxHashMap::default();
        informed.iter().for_each(|(role, mv)| movers.entry(*mv).or_default().push(*role));
        let roles: Vec<Lit> = match movers.values().any(|movers| movers.len() > 1) {
            true => self.game.role_ids().map(|_| net.input()).collect(),
            false => Vec::new(),
        };
        let mut lits = Vec::with_capacity(informed.len());
        for &&(role, mv) in informed {
            let made = match perceived.contains(&mv) {
                true => net.or(self.game.role_ids().map(|role| other(&(role, mv))).collect::<Vec<_>>()),
                false => other(&(role, mv)),
            };
            let lit = match movers[&mv].len() {
                1 => made,
                _ => net.and([made, roles[role.0 as usize]]),
            };
            lits.push(lit);
            choice.does.insert((role, mv), lit);
        }
        choice.exclusive.push(roles);
        lits
    }

    /// Makes each move the conjunction of its name, its arguments and `free`.
    fn split(&self, net: &mut Net, free: Lit, moves: &[&Made], choice: &mut Choice) {
        // A place is a position in the moves with one name of one role; position 0 is the name itself.
        let mut places: FxHashMap<(RoleId, String, usize), usize> = FxHashMap::default();
        let mut parts: Vec<FxHashMap<String, Lit>> = Vec::new();
        let mut part = |net: &mut Net, place: (RoleId, String, usize), word: String| {
            let fresh = parts.len();
            let index = *places.entry(place).or_insert(fresh);
            if index == fresh {
                parts.push(FxHashMap::default());
            }
            *parts[index].entry(word).or_insert_with(|| net.input())
        };
        for &&(role, mv) in moves {
            let term = self.game.rules.move_term(role, mv);
            let mut words = Vec::new();
            let name = spell(&term, &mut words);
            let mut lits = vec![free, part(net, (RoleId(0), String::new(), 0), format!("{} {name}", role.0))];
            for (at, word) in words.into_iter().enumerate() {
                lits.push(part(net, (role, name.clone(), at + 1), word));
            }
            choice.does.insert((role, mv), net.and(lits));
        }
        choice.exclusive.extend(parts.into_iter().map(|words| {
            let mut lits: Vec<Lit> = words.into_values().collect();
            lits.sort_unstable();
            lits
        }));
    }

    /// The moves for which some percept of the role says exactly that they were made. (In games with one mover per
    /// round.)
    fn perceived(&self) -> FxHashSet<MoveId> {
        let nodes = self.ground.circuit.nodes();
        let made = |lit: &Lit| match nodes[lit.node() as usize] {
            Node::Move(_, mv) if !lit.is_negated() => Some(mv),
            _ => None,
        };
        // The number of possible movers: a percept that does not mention all of them carries less information.
        let mut movers: FxHashMap<MoveId, usize> = FxHashMap::default();
        for (mv, _) in self.ground.moves.iter().flatten() {
            *movers.entry(*mv).or_default() += 1;
        }
        let mut perceived = FxHashSet::default();
        for (_, gate) in &self.ground.sees[self.role.0 as usize] {
            let whole = match &nodes[gate.node() as usize] {
                Node::Move(..) => made(gate).map(|mv| (mv, 1)),
                Node::Or(operands) if !gate.is_negated() => {
                    let all: Option<Vec<MoveId>> = operands.iter().map(made).collect();
                    all.filter(|all| all.iter().all(|mv| *mv == all[0])).map(|all| (all[0], all.len()))
                }
                _ => None,
            };
            perceived.extend(whole.filter(|(mv, count)| movers.get(mv) == Some(count)).map(|(mv, _)| mv));
        }
        perceived
    }
}

/// The name of a move with its arguments left out, and the arguments.
fn spell(term: &Term, words: &mut Vec<String>) -> String {
    let mut name = term.head().to_owned();
    for arg in term.args() {
        if arg.is_list() {
            name.push_str(&format!("({})", spell(arg, words)));
        } else {
            name.push_str(" _");
            words.push(arg.head().to_owned());
        }
    }
    name
}
