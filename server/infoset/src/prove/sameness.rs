//! The argument by structure on the plain rules: the values that are the same in every two matches that look alike to a
//! role.
//!
//! In: the round of a plain game and a role. Out: the fluents and numbers that never differ in two such matches, as far
//! as the structure of the circuit shows it. A gate is the same in both matches if all its operands are. The role's own
//! moves are the same if it knows them, and so are its percepts when the round is over. To find the greatest such set,
//! the search begins with everything and drops the values that a round may make different, until a round makes nothing
//! different.
//!
//! It shares no code with the prover ([`super::agree`]), with the copies of a round ([`super::twin`]) or with a solver:
//! a proof that it repeats rests on the plain rules and on this file alone. One pass visits every operand once.

use percept_game::circuit::{Lit, Node, Number};
use percept_game::{Game, Ground, RoleId};

use crate::verdict::Property;
use crate::{Budget, Stop};

/// The values that are the same in two matches before a round.
struct Sameness<'a> {
    game: &'a Game,
    ground: &'a Ground,
    role: RoleId,
    /// True for each fluent that is the same.
    fluents: Vec<bool>,
    /// True for each register that is the same.
    registers: Vec<bool>,
}

/// True if the structure of the plain rules shows that the role always knows the property. False proves nothing.
///
/// # Errors
/// If the budget is spent.
pub(super) fn is_known(
    game: &Game,
    ground: &Ground,
    role: RoleId,
    property: Property,
    budget: &Budget,
) -> Result<bool, Stop> {
    // The rules define nothing after a number has left its range, and structure cannot show that no number does.
    if game.rules.outside().is_some() {
        return Ok(false);
    }
    let (fluents, registers) = (game.rules.fluent_count(), game.rules.initial().registers.len());
    let mut same = Sameness { game, ground, role, fluents: vec![true; fluents], registers: vec![true; registers] };
    while same.drop_changed() {
        if let Some(stop) = budget.stop() {
            return Err(stop);
        }
    }
    Ok(same.decides(property))
}

impl Sameness<'_> {
    /// Plays a round and drops the values that may differ after it. False if nothing was dropped.
    fn drop_changed(&mut self) -> bool {
        let nodes = self.nodes(true);
        let fluents: Vec<usize> = self
            .ground
            .next
            .iter()
            .filter(|(_, gate)| !holds_alike(&nodes, *gate))
            .map(|(it, _)| it.0 as usize)
            .collect();
        let updates = self.ground.updates.iter().filter(|it| !holds_alike(&nodes, it.gate) || !self.is_same(&it.value));
        let registers: Vec<usize> = updates.map(|it| it.register as usize).collect();
        let dropped = |marks: &mut [bool], all: Vec<usize>| {
            let before: Vec<bool> = all.iter().map(|&index| std::mem::replace(&mut marks[index], false)).collect();
            before.contains(&true)
        };
        dropped(&mut self.fluents, fluents) | dropped(&mut self.registers, registers)
    }

    /// The nodes that are the same in both matches. `after`: at the end of the round, when the role has got its
    /// percepts.
    fn nodes(&self, after: bool) -> Vec<bool> {
        let circuit = &self.ground.circuit;
        let mut members: Vec<Vec<bool>> =
            circuit.groups().iter().map(|group| vec![true; group.definitions.len()]).collect();
        loop {
            let nodes = self.nodes_given(&members, after);
            let mut changed = false;
            for (members, group) in members.iter_mut().zip(circuit.groups()) {
                for (member, &definition) in members.iter_mut().zip(&group.definitions) {
                    if *member && !holds_alike(&nodes, definition) {
                        *member = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return nodes;
            }
        }
    }

    /// The nodes that are the same if these members of fixpoint groups are. Members that depend only on each other and
    /// on such values have one least solution, so they may be assumed to be the same until a contradiction.
    fn nodes_given(&self, members: &[Vec<bool>], after: bool) -> Vec<bool> {
        let circuit = &self.ground.circuit;
        let mut is_percept = vec![false; circuit.nodes().len()];
        if after {
            let percepts = &self.ground.sees[self.role.0 as usize];
            percepts.iter().for_each(|(_, gate)| is_percept[gate.node() as usize] = true);
        }
        let mut nodes: Vec<bool> = Vec::with_capacity(circuit.nodes().len());
        for (index, node) in circuit.nodes().iter().enumerate() {
            let same = is_percept[index]
                || match node {
                    Node::True => true,
                    Node::Fluent(fluent) => self.fluents[fluent.0 as usize],
                    Node::Move(role, _) => self.is_told(*role),
                    Node::And(operands) | Node::Or(operands) => operands.iter().all(|lit| holds_alike(&nodes, *lit)),
                    Node::Compare(index) => {
                        let comparison = &circuit.comparisons()[*index as usize];
                        self.is_same(&comparison.left) && self.is_same(&comparison.right)
                    }
                    Node::Loop { group, member } => members[*group as usize][*member as usize],
                };
            nodes.push(same);
        }
        nodes
    }

    /// True if a role makes the same move in both matches: the role of the proof, if it knows its moves, or a role with
    /// a single move in the whole game.
    fn is_told(&self, role: RoleId) -> bool {
        let has_one_move = !self.game.is_sequential && self.ground.moves[role.0 as usize].len() == 1;
        (role == self.role && self.game.knows_own_moves) || has_one_move
    }

    /// True if all registers that a number reads are the same.
    fn is_same(&self, number: &Number) -> bool {
        match number {
            Number::Constant(_) => true,
            Number::Register(register) => self.registers[*register as usize],
            Number::Add(a, b) | Number::Subtract(a, b) | Number::Multiply(a, b) | Number::Divide(a, b) => {
                self.is_same(a) && self.is_same(b)
            }
        }
    }

    /// True if the property depends only on values that are the same. The percepts of the coming round are not known
    /// yet.
    fn decides(&self, property: Property) -> bool {
        let nodes = self.nodes(false);
        let role = self.role.0 as usize;
        match property {
            Property::Terminal => holds_alike(&nodes, self.ground.terminal),
            Property::Legal => self.ground.moves[role].iter().all(|(_, gate)| holds_alike(&nodes, *gate)),
            Property::Goal => {
                let numbers = self.ground.goal_numbers.get(role).into_iter().flatten();
                self.ground.goals[role].iter().all(|(_, gate)| holds_alike(&nodes, *gate))
                    && numbers.into_iter().all(|(number, gate)| holds_alike(&nodes, *gate) && self.is_same(number))
            }
            Property::Own => self.game.knows_own_moves,
        }
    }
}

/// True if the literal is the same in both matches.
fn holds_alike(nodes: &[bool], lit: Lit) -> bool {
    nodes[lit.node() as usize]
}
