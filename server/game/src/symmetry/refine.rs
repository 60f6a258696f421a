//! Colours: atoms of different colours cannot be mapped to each other.

use crate::circuit::{Lit, Node};
use crate::{Budget, Ground, State};

/// Roles, fluents and moves, in this order, numbered together.
pub(super) struct Atoms {
    pub roles: usize,
    pub fluents: usize,
    /// For each role, the number of its first move.
    pub moves: Vec<usize>,
    pub count: usize,
}

impl Atoms {
    pub(super) fn new(ground: &Ground, roles: usize, fluents: usize) -> Atoms {
        let mut count = roles + fluents;
        let moves = ground.moves.iter().map(|moves| {
            count += moves.iter().map(|(mv, _)| mv.0 as usize + 1).max().unwrap_or(0);
            count
        });
        let ends: Vec<usize> = moves.collect();
        let begins = std::iter::once(roles + fluents).chain(ends.iter().copied()).take(ends.len());
        Atoms { roles, fluents, moves: begins.collect(), count: ends.last().copied().unwrap_or(roles + fluents) }
    }

    /// The moves of a role.
    pub(super) fn moves_of(&self, role: usize) -> std::ops::Range<usize> {
        self.moves[role]..self.moves.get(role + 1).copied().unwrap_or(self.count)
    }
}

/// The colour of every atom.
pub(super) type Colours = Vec<u64>;

/// The use of a root.
#[derive(Clone, Copy)]
enum Use {
    Next = 1,
    Legal,
    Sees,
    Goal,
    Terminal,
    Operand,
    Negated,
    And,
    Or,
    One,
    Leaf,
    Chosen,
}

/// A colour made of two.
fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 29)
}

fn with(what: Use, colour: u64) -> u64 {
    mix(what as u64, colour)
}

/// Refines colours by those of the atoms and the circuit's dependencies.
pub(super) struct Refine<'a> {
    ground: &'a Ground,
    pub atoms: Atoms,
    /// For each atom, its leaf and its gate.
    leaf: Vec<Option<u32>>,
    gate: Vec<Lit>,
    up: Vec<u64>,
    down: Vec<u64>,
    /// The number of operands that may still be visited.
    pub fuel: u64,
    pub budget: &'a Budget,
}

impl<'a> Refine<'a> {
    pub(super) fn new(ground: &'a Ground, atoms: Atoms, fuel: u64, budget: &'a Budget) -> Refine<'a> {
        let mut leaf = vec![None; atoms.count];
        for (at, node) in ground.circuit.nodes().iter().enumerate() {
            match node {
                Node::Fluent(fluent) => leaf[atoms.roles + fluent.0 as usize] = Some(at as u32),
                Node::Move(role, mv) => leaf[atoms.moves[role.0 as usize] + mv.0 as usize] = Some(at as u32),
                _ => {}
            }
        }
        let mut gate = vec![Lit::FALSE; atoms.count];
        ground.next.iter().for_each(|(fluent, lit)| gate[atoms.roles + fluent.0 as usize] = *lit);
        for (role, moves) in ground.moves.iter().enumerate() {
            moves.iter().for_each(|(mv, lit)| gate[atoms.moves[role] + mv.0 as usize] = *lit);
        }
        let nodes = ground.circuit.nodes().len();
        Refine { ground, atoms, leaf, gate, up: vec![0; nodes], down: vec![0; nodes], fuel, budget }
    }

    /// The initial colours.
    pub(super) fn first(&self, initial: &State, is_chance: &dyn Fn(usize) -> bool) -> Colours {
        let Atoms { roles, fluents, .. } = self.atoms;
        let role = |role: usize| 2 + u64::from(is_chance(role));
        let fluent = |at: usize| 4 + u64::from(initial.has(crate::FluentId(at as u32)));
        let moves = (0..roles).flat_map(|role| self.atoms.moves_of(role).map(|_| 6));
        (0..roles).map(role).chain((0..fluents).map(fluent)).chain(moves).map(|it| mix(it, 0)).collect()
    }

    /// The same colours, with one atom distinguished from all others.
    pub(super) fn chosen(&self, colours: &Colours, atom: usize) -> Colours {
        let mut chosen = colours.clone();
        chosen[atom] = with(Use::Chosen, chosen[atom]);
        chosen
    }

    /// Refines until no colour is split any more. `None` if there was too much to visit, or time ran out.
    pub(super) fn refine(&mut self, mut colours: Colours) -> Option<Colours> {
        let mut count = classes(&colours);
        loop {
            let cost = (self.ground.circuit.operand_count() + self.up.len()) as u64 * 2;
            self.fuel = self.fuel.checked_sub(cost)?;
            self.budget.check().ok()?;
            let finer = self.pass(&colours);
            let finer_count = classes(&finer);
            colours = finer;
            if finer_count <= count {
                return Some(colours);
            }
            count = finer_count;
        }
    }

    /// One pass over everything: the parts of an atom, and its readers.
    fn pass(&mut self, colours: &Colours) -> Colours {
        self.go_up(colours);
        self.go_down(colours);
        let colour = |lit: Lit| self.colour(lit);
        let mut next: Colours = (0..self.atoms.count)
            .map(|atom| {
                let read = self.leaf[atom].map_or(0, |leaf| self.down[leaf as usize]);
                mix(mix(colours[atom], colour(self.gate[atom])), read)
            })
            .collect();
        for role in 0..self.atoms.roles {
            let goals = self.ground.goals[role].iter();
            let goals = goals.map(|(value, gate)| mix(*value as u64, colour(*gate))).fold(0, u64::wrapping_add);
            let moves = self.atoms.moves_of(role).map(|mv| mix(1, colours[mv])).fold(0, u64::wrapping_add);
            next[role] = mix(mix(colours[role], goals), moves);
            for mv in self.atoms.moves_of(role) {
                next[mv] = mix(next[mv], colours[role]);
            }
        }
        next
    }

    fn colour(&self, lit: Lit) -> u64 {
        let colour = self.up[lit.node() as usize];
        if lit.is_negated() { with(Use::Negated, colour) } else { with(Use::Operand, colour) }
    }

    fn go_up(&mut self, colours: &Colours) {
        let (roles, moves) = (self.atoms.roles, &self.atoms.moves);
        for (at, node) in self.ground.circuit.nodes().iter().enumerate() {
            let all = |operands: &[Lit]| operands.iter().map(|lit| self.colour(*lit)).fold(0, u64::wrapping_add);
            self.up[at] = match node {
                Node::Fluent(fluent) => with(Use::Leaf, colours[roles + fluent.0 as usize]),
                Node::Move(role, mv) => with(Use::Leaf, colours[moves[role.0 as usize] + mv.0 as usize]),
                Node::And(operands) => with(Use::And, all(operands)),
                Node::Or(operands) => with(Use::Or, all(operands)),
                Node::True | Node::Compare(_) | Node::Loop { .. } => with(Use::One, 0),
            };
        }
    }

    fn go_down(&mut self, colours: &Colours) {
        let Refine { ground, atoms, gate, up, down, .. } = self;
        down.fill(0);
        let mut read = |lit: Lit, what: Use, by: u64| {
            let sign = if lit.is_negated() { Use::Negated } else { Use::Operand };
            let place = &mut down[lit.node() as usize];
            *place = place.wrapping_add(with(sign, with(what, by)));
        };
        (atoms.roles..atoms.roles + atoms.fluents).for_each(|at| read(gate[at], Use::Next, colours[at]));
        (atoms.roles + atoms.fluents..atoms.count).for_each(|at| read(gate[at], Use::Legal, colours[at]));
        for (role, &colour) in colours[..atoms.roles].iter().enumerate() {
            ground.sees[role].iter().for_each(|(_, gate)| read(*gate, Use::Sees, colour));
            ground.goals[role].iter().for_each(|(value, it)| read(*it, Use::Goal, mix(*value as u64, colour)));
        }
        read(ground.terminal, Use::Terminal, 0);
        for (at, node) in ground.circuit.nodes().iter().enumerate().rev() {
            let (Node::And(operands) | Node::Or(operands)) = node else { continue };
            let by = mix(down[at], up[at]);
            for lit in operands {
                let sign = if lit.is_negated() { Use::Negated } else { Use::Operand };
                let place = &mut down[lit.node() as usize];
                *place = place.wrapping_add(with(sign, by));
            }
        }
    }
}

/// The number of colours.
pub(super) fn classes(colours: &Colours) -> usize {
    let mut sorted = colours.clone();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}
