//! Two copies of a round: two matches that one role cannot tell apart so far.
//!
//! The copies share the role's own moves (where it knows them) and must agree on its percepts. This is the
//! self-composition behind the inductive proofs of Haufe and Thielscher (KR 2012).

use percept_game::circuit::Lit;
use percept_game::{FluentId, Game, Ground, MoveId, RoleId};
use rustc_hash::FxHashMap;

use super::Property;
use super::net::{Clauses, Leaves, Net, through};

/// The moves of one copy in one round, as variables.
pub type Does = FxHashMap<(RoleId, MoveId), Lit>;

/// One copy of a round: its state before, its moves, and the literal of every node of the ground circuit.
pub struct Copy {
    pub does: Does,
    map: Vec<Lit>,
}

/// What the encodings need to know of the game.
pub struct Setting<'a> {
    pub game: &'a Game,
    pub ground: &'a Ground,
    pub role: RoleId,
}

struct Inputs<'a> {
    state: &'a [Lit],
    does: &'a Does,
}

impl Leaves for Inputs<'_> {
    fn fluent(&mut self, _: &mut Net, fluent: FluentId) -> Lit {
        self.state.get(fluent.0 as usize).copied().unwrap_or(Lit::FALSE)
    }

    fn does(&mut self, net: &mut Net, role: RoleId, mv: MoveId) -> Lit {
        if mv != MoveId::NOOP {
            return self.does.get(&(role, mv)).copied().unwrap_or(Lit::FALSE);
        }
        let mut others: Vec<Lit> = self.does.iter().filter(|((r, _), _)| *r == role).map(|(_, &lit)| lit).collect();
        others.sort_unstable();
        !net.or(others)
    }

    fn compare(&mut self, net: &mut Net, _: u32) -> Lit {
        net.fresh()
    }
}

impl<'a> Setting<'a> {
    /// Fresh move variables. `shared`: another copy, whose own moves of the role are to be the same.
    pub fn moves(&self, net: &mut Net, shared: Option<&Does>) -> Does {
        let mut does = Does::default();
        for role in self.game.role_ids() {
            for &(mv, _) in &self.ground.moves[role.0 as usize] {
                if mv == MoveId::NOOP {
                    continue;
                }
                let known = shared.filter(|_| role == self.role && self.game.knows_own_moves);
                let lit = match known.and_then(|shared| shared.get(&(role, mv))) {
                    Some(&lit) => lit,
                    None => net.fresh(),
                };
                does.insert((role, mv), lit);
            }
        }
        does
    }

    /// A copy of the round over `state`. `replace` as in [`Net::copy`].
    pub fn copy(&self, net: &mut Net, state: &[Lit], does: Does, replace: &dyn Fn(u32) -> Option<Lit>) -> Copy {
        let map = net.copy(&self.ground.circuit, &mut Inputs { state, does: &does }, replace);
        Copy { does, map }
    }

    /// Demands of a copy that one legal joint move is made and that the match was not over.
    pub fn demand_round(&self, net: &mut Net, clauses: &mut Clauses, copy: &Copy) {
        clauses.add(net, [!copy.terminal(self)]);
        let mut all = Vec::new();
        for role in self.game.role_ids() {
            let mut lits = Vec::new();
            for &(mv, legal) in &self.ground.moves[role.0 as usize] {
                if let Some(&lit) = copy.does.get(&(role, mv)) {
                    clauses.add(net, [!lit, copy.lit(legal)]);
                    lits.push(lit);
                }
            }
            if self.game.is_sequential {
                all.append(&mut lits);
            } else {
                clauses.exactly_one(net, &lits);
            }
        }
        if self.game.is_sequential {
            clauses.exactly_one(net, &all);
        }
    }

    /// Demands that the role perceives the same in both copies.
    pub fn demand_same_percepts(&self, net: &mut Net, clauses: &mut Clauses, a: &Copy, b: &Copy) {
        for &(_, sees) in &self.ground.sees[self.role.0 as usize] {
            let differ = net.differ(a.lit(sees), b.lit(sees));
            clauses.add(net, [!differ]);
        }
    }

    /// True where the property tells the two states apart although the role cannot.
    pub fn differ(&self, net: &mut Net, property: Property, a: &Copy, b: &Copy) -> Lit {
        let (over_a, over_b) = (a.terminal(self), b.terminal(self));
        let (condition, gates): ([Lit; 2], Vec<Lit>) = match property {
            Property::Legal => {
                ([!over_a, !over_b], self.ground.moves[self.role.0 as usize].iter().map(|&(_, lit)| lit).collect())
            }
            Property::Terminal => return net.differ(over_a, over_b),
            Property::Goal => {
                ([over_a, over_b], self.ground.goals[self.role.0 as usize].iter().map(|&(_, lit)| lit).collect())
            }
        };
        let mut differences: Vec<Lit> = gates.iter().map(|&gate| net.differ(a.lit(gate), b.lit(gate))).collect();
        if property == Property::Goal {
            // A goal that reads registers could be any number here.
            let numbers = self.ground.goal_numbers.get(self.role.0 as usize).map(Vec::as_slice).unwrap_or_default();
            differences.extend(numbers.iter().flat_map(|&(_, gate)| [a.lit(gate), b.lit(gate)]));
        }
        let any = net.or(differences);
        net.and([condition[0], condition[1], any])
    }

    /// The state after the round, by fluent.
    pub fn next(&self, copy: &Copy) -> Vec<Lit> {
        let mut next = vec![Lit::FALSE; self.game.rules.fluent_count()];
        for &(fluent, gate) in &self.ground.next {
            next[fluent.0 as usize] = copy.lit(gate);
        }
        next
    }
}

impl Copy {
    /// What a literal of the ground circuit is in this copy.
    pub fn lit(&self, lit: Lit) -> Lit {
        through(&self.map, lit)
    }

    pub fn node(&self, node: u32) -> Lit {
        self.map[node as usize]
    }

    pub fn terminal(&self, setting: &Setting<'_>) -> Lit {
        self.lit(setting.ground.terminal)
    }

    /// The joint move made in the model just found.
    pub fn joint(&self, setting: &Setting<'_>, clauses: &Clauses) -> Vec<MoveId> {
        let made = |role: RoleId| {
            let mut moves = setting.ground.moves[role.0 as usize].iter().map(|&(mv, _)| mv);
            moves.find(|&mv| self.does.get(&(role, mv)).is_some_and(|&lit| clauses.value(lit)))
        };
        setting.game.role_ids().map(|role| made(role).unwrap_or(MoveId::NOOP)).collect()
    }
}
