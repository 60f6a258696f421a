//! Two copies of a round, for two matches that one role cannot tell apart so far.
//!
//! The copies share the role's own moves (if it knows them) and must agree on its percepts. This is the
//! self-composition behind the inductive proofs of Haufe and Thielscher (KR 2012).

use percept_game::circuit::Lit;
use percept_game::{MoveId, RoleId};

use super::choice::{Choice, Does};
use super::claims::Atom;
use super::setting::Setting;
use crate::clauses::Clauses;
use crate::net::{Net, Term};
use crate::unroll::{Goals, Round, Values};
use crate::verdict::Property;

/// The moves in a copy.
#[derive(Clone, Copy)]
pub(crate) enum Moves<'a> {
    /// No moves: only the state matters.
    Nobody,
    /// Free moves of all roles.
    Own,
    /// The moves of the role are those of another copy, if it knows them.
    Shared(&'a Does),
}

/// A state as literals of the network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbolic {
    /// The literal of each fluent.
    pub fluents: Vec<Lit>,
    /// For each history variable, a literal that is true if the move has been made.
    pub made: Vec<Lit>,
    pub registers: Vec<Values>,
}

impl Symbolic {
    /// The literal of a fluent or of a history variable; these are numbered after the fluents.
    pub(crate) fn atom(&self, atom: Atom) -> Lit {
        let index = atom as usize;
        if index < self.fluents.len() { self.fluents[index] } else { self.made[index - self.fluents.len()] }
    }

    pub(crate) fn set(&mut self, atom: Atom, lit: Lit) {
        let (index, fluents) = (atom as usize, self.fluents.len());
        if index < fluents {
            self.fluents[index] = lit;
        } else {
            self.made[index - fluents] = lit;
        }
    }
}

/// One copy of a round: its state before, its moves, and the literal of every node of the ground circuit.
pub(crate) struct Copy {
    pub does: Does,
    /// Sets of literals of which at most one holds.
    pub(super) exclusive: Vec<Vec<Lit>>,
    map: Vec<Lit>,
    /// For each role, the goals in the state before, by value, and the goals that are terms.
    goals: Vec<Goals>,
    registers: Vec<Values>,
    /// The history variables in the state before.
    made: Vec<Lit>,
}

impl Copy {
    /// The approximate number of literals kept for this copy. If a match repeats itself, the formula stops growing, but
    /// copies are still kept.
    pub(crate) fn size(&self) -> usize {
        /// The cost of the lists themselves.
        const LISTS: usize = 64;
        let goals: usize = self.goals.iter().map(|(goals, terms)| 4 * (goals.len() + terms.len()) + 8).sum();
        LISTS + self.map.len() + 5 * self.does.len() + goals + 8 * self.registers.len() + self.made.len()
    }
}

impl Setting<'_> {
    /// An unknown state: each fluent is an input.
    pub(crate) fn any_state(&self, net: &mut Net) -> Symbolic {
        let mut inputs = |count: usize| (0..count).map(|_| net.input()).collect::<Vec<_>>();
        let fluents = inputs(self.game.rules.fluent_count());
        let made = inputs(self.made.len());
        let registers = (0..self.game.rules.initial().registers.len()).map(|_| Values::any(net)).collect();
        Symbolic { fluents, made, registers }
    }

    /// A copy of the round over `state`. `preset`: nodes with given literals (used if two copies are known to agree).
    pub(crate) fn copy(&self, net: &mut Net, state: &Symbolic, moves: Moves<'_>, preset: &[(u32, Lit)]) -> Copy {
        let mut round = Round::new(self.ground, &state.fluents, &state.registers, net);
        preset.iter().for_each(|&(node, lit)| round.set(node, lit));
        let Choice { does, exclusive } = match moves {
            Moves::Nobody => Choice::default(),
            Moves::Own => self.choice(&mut round, None),
            Moves::Shared(other) => self.choice(&mut round, Some(other)),
        };
        for role in self.game.role_ids() {
            let mut made: Vec<Lit> = does.iter().filter(|((of, _), _)| *of == role).map(|(_, &lit)| lit).collect();
            made.sort_unstable();
            let none = !round.net.or(made);
            round.moves.insert((role, MoveId::NOOP), none);
        }
        round.moves.extend(&does);
        let map = round.all();
        let goals = self.game.role_ids().map(|role| round.goals(role.0 as usize)).collect();
        let registers = round.updated();
        Copy { does, exclusive, map, goals, registers, made: state.made.clone() }
    }

    /// Demands of a copy that a legal joint move is made and that the match was not over.
    pub(crate) fn demand_round(&self, net: &mut Net, clauses: &mut Clauses, copy: &Copy) {
        self.legal_round(copy).into_iter().for_each(|clause| clauses.add(net, clause));
        copy.exclusive.iter().for_each(|lits| clauses.at_most_one(net, lits));
    }

    /// Clauses that demand of a copy a legal move of every mover and a match that was not over. They do not demand that
    /// a mover makes only one move.
    pub(super) fn legal_round(&self, copy: &Copy) -> Vec<Vec<Lit>> {
        let mut clauses = vec![vec![!copy.terminal(self)]];
        let mut all = Vec::new();
        for role in self.game.role_ids() {
            let mut lits = Vec::new();
            for &(mv, legal) in &self.ground.moves[role.0 as usize] {
                if let Some(&lit) = copy.does.get(&(role, mv)).filter(|&&lit| lit != Lit::FALSE) {
                    clauses.push(vec![!lit, copy.lit(legal)]);
                    lits.push(lit);
                }
            }
            if self.game.is_sequential {
                all.append(&mut lits);
            } else {
                clauses.push(lits);
            }
        }
        if self.game.is_sequential {
            clauses.push(all);
        }
        clauses
    }

    /// A literal that is true if a copy's match is not over and each role has a legal move; in a game with one mover
    /// per round, some role.
    pub(super) fn can_go_on(&self, net: &mut Net, copy: &Copy) -> Lit {
        let moves = |role: RoleId| self.ground.moves[role.0 as usize].iter().map(|&(_, legal)| copy.lit(legal));
        let mut all = vec![!copy.terminal(self)];
        if self.game.is_sequential {
            let legal: Vec<Lit> = self.game.role_ids().flat_map(moves).collect();
            all.push(net.or(legal));
        } else {
            for role in self.game.role_ids() {
                let legal: Vec<Lit> = moves(role).collect();
                all.push(net.or(legal));
            }
        }
        net.and(all)
    }

    /// Demands that the role perceives the same in both copies.
    pub(crate) fn demand_same_percepts(&self, net: &mut Net, clauses: &mut Clauses, a: &Copy, b: &Copy) {
        for differ in self.percepts_that_differ(net, a, b) {
            clauses.add(net, [!differ]);
        }
    }

    /// For each percept of the role a literal that is true if it differs.
    pub(super) fn percepts_that_differ(&self, net: &mut Net, a: &Copy, b: &Copy) -> Vec<Lit> {
        let sees = &self.ground.sees[self.role.0 as usize];
        sees.iter().map(|&(_, sees)| net.differ(a.lit(sees), b.lit(sees))).collect()
    }

    /// A literal that is true if the property differs between the two states although the role cannot tell them apart;
    /// for own moves, between the rounds made from them.
    pub(crate) fn differ(&self, net: &mut Net, property: Property, a: &Copy, b: &Copy) -> Lit {
        let ways = self.ways_to_differ(net, property, a, b);
        net.or(ways)
    }

    /// The ways in which the property can differ between the two states, such as one move or one goal.
    pub(crate) fn ways_to_differ(&self, net: &mut Net, property: Property, a: &Copy, b: &Copy) -> Vec<Lit> {
        let (over_a, over_b) = (a.terminal(self), b.terminal(self));
        let (ways, when) = match property {
            Property::Terminal => return vec![net.differ(over_a, over_b)],
            Property::Legal => {
                let gates = &self.ground.moves[self.role.0 as usize];
                let ways: Vec<Lit> = gates.iter().map(|&(_, gate)| net.differ(a.lit(gate), b.lit(gate))).collect();
                (ways, [!over_a, !over_b])
            }
            Property::Goal => {
                let mut ways = each_differs(net, a.goals(self.role), b.goals(self.role));
                ways.extend(each_differs(net, a.goal_terms(self.role), b.goal_terms(self.role)));
                (ways, [over_a, over_b])
            }
            Property::Own => {
                let does = |copy: &Copy, mv| copy.does.get(&(self.role, mv)).copied().unwrap_or(Lit::FALSE);
                let moves = self.ground.moves[self.role.0 as usize].iter().map(|&(mv, _)| mv);
                let ways = moves.filter(|mv| *mv != MoveId::NOOP).map(|mv| net.differ(does(a, mv), does(b, mv)));
                (ways.collect(), [Lit::TRUE; 2])
            }
        };
        ways.into_iter().map(|way| net.and([when[0], when[1], way])).filter(|&way| way != Lit::FALSE).collect()
    }

    /// The state after the round.
    pub(crate) fn next(&self, net: &mut Net, copy: &Copy) -> Symbolic {
        let mut fluents = vec![Lit::FALSE; self.game.rules.fluent_count()];
        for &(fluent, gate) in &self.ground.next {
            fluents[fluent.0 as usize] = copy.lit(gate);
        }
        let does = |key| copy.does.get(key).copied().unwrap_or(Lit::FALSE);
        let made = self.made.iter().zip(&copy.made).map(|(key, &before)| net.or([before, does(key)])).collect();
        Symbolic { fluents, made, registers: copy.registers.clone() }
    }
}

/// For each key of one of the lists, a literal that is true if its literals differ.
fn each_differs<K: std::marker::Copy + Ord>(net: &mut Net, a: &[(K, Lit)], b: &[(K, Lit)]) -> Vec<Lit> {
    let mut keys: Vec<K> = a.iter().chain(b).map(|&(key, _)| key).collect();
    keys.sort_unstable();
    keys.dedup();
    let of = |list: &[(K, Lit)], key| list.iter().find(|(other, _)| *other == key).map_or(Lit::FALSE, |it| it.1);
    keys.into_iter().map(|key| net.differ(of(a, key), of(b, key))).collect()
}

impl Copy {
    /// The literal in this copy for a literal of the ground circuit.
    pub(crate) fn lit(&self, lit: Lit) -> Lit {
        let mapped = self.map[lit.node() as usize];
        if lit.is_negated() { !mapped } else { mapped }
    }

    pub(crate) fn node(&self, node: u32) -> Lit {
        self.map[node as usize]
    }

    /// The goals of a role in the state before, by value; [`Values::ANY_GOAL`] represents all others.
    pub(crate) fn goals(&self, role: RoleId) -> &[(i64, Lit)] {
        &self.goals[role.0 as usize].0
    }

    /// The goals of a role in the state before that are terms.
    pub(crate) fn goal_terms(&self, role: RoleId) -> &[(Term, Lit)] {
        &self.goals[role.0 as usize].1
    }

    pub(crate) fn terminal(&self, setting: &Setting<'_>) -> Lit {
        self.lit(setting.ground.terminal)
    }

    /// The joint move in the solver's last model.
    pub(crate) fn joint(&self, setting: &Setting<'_>, clauses: &Clauses) -> Vec<MoveId> {
        let made = |role: RoleId| {
            let mut moves = setting.ground.moves[role.0 as usize].iter().map(|&(mv, _)| mv);
            moves.find(|&mv| self.does.get(&(role, mv)).is_some_and(|&lit| clauses.value(lit)))
        };
        setting.game.role_ids().map(|role| made(role).unwrap_or(MoveId::NOOP)).collect()
    }
}
