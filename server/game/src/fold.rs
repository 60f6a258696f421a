//! A ground game with some of its leaves known.

use crate::Ground;
use crate::circuit::{Lit, Node, rebuild};

impl Ground {
    /// Folds the circuit with some leaves known: fluents and moves, in games without numbers.
    pub(crate) fn substitute(&mut self, value: &dyn Fn(&Node) -> Option<bool>) {
        let rebuilt = rebuild(&self.circuit, &self.roots(), &mut |circuit, node| match (value(node), node) {
            (Some(true), _) => Lit::TRUE,
            (Some(false), _) => Lit::FALSE,
            (None, Node::Fluent(fluent)) => circuit.fluent(*fluent),
            (None, Node::Move(role, mv)) => circuit.does(*role, *mv),
            (None, other) => unreachable!("{other:?} is not a leaf of GDL"),
        });
        let lit = |gate: &mut Lit| *gate = rebuilt.lit(*gate);
        self.moves.iter_mut().flatten().for_each(|(_, gate)| lit(gate));
        self.next.iter_mut().for_each(|(_, gate)| lit(gate));
        self.sees.iter_mut().flatten().for_each(|(_, gate)| lit(gate));
        self.goals.iter_mut().flatten().for_each(|(_, gate)| lit(gate));
        lit(&mut self.terminal);
        self.circuit = rebuilt.circuit;
    }

    /// Every gate that may be queried.
    pub(crate) fn roots(&self) -> Vec<Lit> {
        let moves = self.moves.iter().flatten().map(|(_, gate)| *gate);
        let next = self.next.iter().map(|(_, gate)| *gate);
        let sees = self.sees.iter().flatten().map(|(_, gate)| *gate);
        let goals = self.goals.iter().flatten().map(|(_, gate)| *gate);
        let numbers = self.goal_numbers.iter().flatten().map(|(_, gate)| *gate);
        let updates = self.updates.iter().map(|update| update.gate);
        moves.chain(next).chain(sees).chain(goals).chain(numbers).chain(updates).chain([self.terminal]).collect()
    }
}
