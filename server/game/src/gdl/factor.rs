//! Smaller disjunctions: literals that rule instances have in common are written once.
//!
//! A frame rule such as "a cell keeps its piece unless the move touches it" has an instance for every cell and move.
//! Factored, it is the cell and one disjunction of moves. Because a role makes exactly one move in a round, a
//! disjunction of most of its moves is the negation of the disjunction of the others.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::RoleId;
use crate::circuit::{Circuit, Lit, Node};

/// Properties of the circuit under construction that factoring uses.
pub(super) struct Factors {
    /// For each node, true if it depends on moves.
    on_moves: Vec<bool>,
    /// All moves of each role.
    moves: FxHashMap<RoleId, Vec<Lit>>,
    /// The role of each node that is a move. The leaves of moves are among the first nodes.
    roles: Vec<Option<RoleId>>,
}

/// Conjunctions in one buffer, which is reused for the next ones.
#[derive(Default)]
pub(super) struct Conjunctions {
    lits: Vec<Lit>,
    /// The end of each conjunction in `lits`.
    ends: Vec<usize>,
}

impl Conjunctions {
    pub(super) fn clear(&mut self) {
        self.lits.clear();
        self.ends.clear();
    }

    pub(super) fn push(&mut self, lits: impl Iterator<Item = Lit>) {
        self.lits.extend(lits);
        self.ends.push(self.lits.len());
    }

    fn iter(&self) -> impl Iterator<Item = &[Lit]> {
        (0..self.ends.len()).map(|at| &self.lits[if at == 0 { 0 } else { self.ends[at - 1] }..self.ends[at]])
    }
}

/// Some moves, for repeated queries that leave a few out.
pub(super) struct AllBut {
    /// For each role that has some of them: these, ascending, and the others, or the disjunction of the others.
    roles: Vec<(Vec<Lit>, Vec<Lit>)>,
}

impl AllBut {
    /// More other moves than this are one gate.
    const FEW: usize = 8;

    /// The disjunction of all these moves but some of them, which are ascending.
    pub(super) fn without(&self, circuit: &mut Circuit, left_out: &[Lit]) -> Lit {
        let mut lits = Vec::new();
        for (moves, others) in &self.roles {
            let gone: SmallVec<[Lit; 16]> =
                left_out.iter().copied().filter(|lit| moves.binary_search(lit).is_ok()).collect();
            if gone.len() * 2 + others.len() < moves.len() {
                lits.push(!circuit.or(others.iter().copied().chain(gone)));
            } else {
                lits.extend(moves.iter().filter(|lit| gone.binary_search(lit).is_err()));
            }
        }
        circuit.or(lits)
    }
}

/// A part of a conjunction: most are short.
type Few = SmallVec<[Lit; 8]>;

impl Factors {
    /// `moves` are the leaves of all moves of the game.
    pub(super) fn new(circuit: &Circuit, moves: &[Lit]) -> Factors {
        let mut by_role: FxHashMap<RoleId, Vec<Lit>> = FxHashMap::default();
        for &lit in moves {
            if let Node::Move(role, _) = circuit.nodes()[lit.node() as usize] {
                by_role.entry(role).or_default().push(lit);
            }
        }
        let mut roles = vec![None; moves.iter().map(|lit| lit.node() as usize + 1).max().unwrap_or(0)];
        for (role, moves) in &by_role {
            moves.iter().for_each(|lit| roles[lit.node() as usize] = Some(*role));
        }
        let mut factors = Factors { on_moves: Vec::new(), moves: by_role, roles };
        factors.learn(circuit);
        factors
    }

    /// The role of a move.
    pub(super) fn role_of(&self, lit: Lit) -> Option<RoleId> {
        self.roles.get(lit.node() as usize).copied().flatten().filter(|_| !lit.is_negated())
    }

    /// The number of moves of a role.
    pub(super) fn moves_of(&self, role: RoleId) -> usize {
        self.moves.get(&role).map_or(0, Vec::len)
    }

    /// Records the new nodes.
    pub(super) fn learn(&mut self, circuit: &Circuit) {
        for node in &circuit.nodes()[self.on_moves.len()..] {
            let depends = match node {
                Node::Move(..) => true,
                Node::And(operands) | Node::Or(operands) => operands.iter().any(|lit| self.depends(*lit)),
                // Groups are few. Their members are taken to depend on the moves, which only costs some factoring.
                Node::Loop { .. } => true,
                Node::True | Node::Fluent(_) | Node::Compare(_) => false,
            };
            self.on_moves.push(depends);
        }
    }

    /// True if the gate depends on moves, or may depend on them.
    pub(super) fn depends(&self, lit: Lit) -> bool {
        self.on_moves.get(lit.node() as usize).copied().unwrap_or(true)
    }

    /// The disjunction of conjunctions.
    pub(super) fn disjunction(&self, circuit: &mut Circuit, conjunctions: &Conjunctions) -> Lit {
        if conjunctions.ends.len() < 2 {
            return match conjunctions.iter().next() {
                Some(only) => circuit.and(only.iter().copied()),
                None => Lit::FALSE,
            };
        }
        if !conjunctions.lits.iter().any(|lit| self.depends(*lit)) {
            let gates: SmallVec<[Lit; 16]> =
                conjunctions.iter().map(|lits| circuit.and(lits.iter().copied())).collect();
            return circuit.or(gates);
        }
        // For each part about the state: single moves, and other literals about moves.
        let mut groups: Vec<(Few, Vec<Lit>, Vec<Lit>)> = Vec::new();
        let mut places: FxHashMap<Few, usize> = FxHashMap::default();
        let (mut moves, mut state) = (Few::new(), Few::new());
        for conjunction in conjunctions.iter() {
            moves.clear();
            state.clear();
            for &lit in conjunction {
                if self.depends(lit) { moves.push(lit) } else { state.push(lit) }
            }
            let place = match places.get(&state) {
                Some(place) => *place,
                None => {
                    places.insert(state.clone(), groups.len());
                    groups.push((state.clone(), Vec::new(), Vec::new()));
                    groups.len() - 1
                }
            };
            match moves[..] {
                [single] if self.role_of(single).is_some() => groups[place].1.push(single),
                _ => groups[place].2.push(circuit.and(moves.iter().copied())),
            }
        }
        let mut disjuncts = Vec::with_capacity(groups.len());
        for (state, singles, mut alternatives) in groups {
            // A gate of its own, because other atoms have the same moves beside other alternatives.
            alternatives.push(self.any_of(circuit, singles));
            let moves = circuit.or(alternatives);
            disjuncts.push(circuit.and(state.into_iter().chain([moves])));
        }
        circuit.or(disjuncts)
    }

    /// The moves among `lits`, by role, in their order.
    fn by_role(&self, lits: impl Iterator<Item = Lit>) -> Vec<(RoleId, Vec<Lit>)> {
        let mut by_role: FxHashMap<RoleId, Vec<Lit>> = FxHashMap::default();
        for lit in lits {
            if let Some(role) = self.role_of(lit) {
                by_role.entry(role).or_default().push(lit);
            }
        }
        let mut roles: Vec<(RoleId, Vec<Lit>)> = by_role.into_iter().collect();
        roles.sort_unstable_by_key(|(role, _)| *role);
        roles
    }

    /// Disjunctions of all but a few of these moves.
    pub(super) fn all_but(&self, circuit: &mut Circuit, moves: impl Iterator<Item = Lit>) -> AllBut {
        let roles = self.by_role(moves).into_iter().map(|(role, mut moves)| {
            moves.sort_unstable();
            let mut others = self.moves[&role].clone();
            others.retain(|lit| moves.binary_search(lit).is_err());
            if others.len() > AllBut::FEW {
                others = vec![circuit.or(others)];
            }
            (moves, others)
        });
        AllBut { roles: roles.collect() }
    }

    /// The disjunction of `lits`, expressed by the other moves if those are fewer.
    fn any_of(&self, circuit: &mut Circuit, mut lits: Vec<Lit>) -> Lit {
        lits.sort_unstable();
        lits.dedup();
        for (role, some) in self.by_role(lits.iter().copied()) {
            let all = &self.moves[&role];
            if some.len() * 2 > all.len() {
                let others = all.iter().filter(|lit| some.binary_search(lit).is_err()).copied();
                let others = circuit.or(others);
                lits.retain(|lit| some.binary_search(lit).is_err());
                lits.push(!others);
            }
        }
        circuit.or(lits)
    }
}
