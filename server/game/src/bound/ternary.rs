//! Ternary evaluation of circuits: every value is false, true or unknown, in 64 cases at once.

use rustc_hash::FxHashMap;

use crate::circuit::{Circuit, Lit, Node};

/// A value in each of 64 cases: bit `i` of `no` is set if it may be false in case `i`, bit `i` of `yes` if it may be
/// true.
///
/// It has no equality: two values that may be either need not be the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct May {
    pub no: u64,
    pub yes: u64,
}

impl May {
    pub(super) const FREE: May = May { no: u64::MAX, yes: u64::MAX };
    pub(super) const TRUE: May = May { no: 0, yes: u64::MAX };
    pub(super) const FALSE: May = May { no: u64::MAX, yes: 0 };

    fn negated(self, negated: bool) -> May {
        if negated { May { no: self.yes, yes: self.no } } else { self }
    }

    /// True if it is certainly true in all cases.
    pub(super) fn is_true(self) -> bool {
        self.knows_as_much(May::TRUE)
    }

    /// True if it is certainly false in all cases.
    pub(super) fn is_false(self) -> bool {
        self.knows_as_much(May::FALSE)
    }

    /// True if it may be either, in all cases.
    pub(super) fn is_free(self) -> bool {
        self.knows_as_much(May::FREE)
    }

    /// True if the same is known about both, case by case; not that they are the same.
    fn knows_as_much(self, other: May) -> bool {
        (self.no, self.yes) == (other.no, other.yes)
    }

    /// The cases in which it is certainly true.
    pub(super) fn certain(self) -> u64 {
        self.yes & !self.no
    }
}

/// The values of a circuit's nodes.
pub(super) struct Values(Vec<May>);

impl Values {
    /// Evaluates from the leaves. The literals of `fixed` have the given values, whatever the values of their operands
    /// are.
    pub(super) fn of(circuit: &Circuit, fixed: &[(Lit, May)], leaf: impl Fn(&Node) -> May) -> Values {
        let groups = circuit.groups();
        let mut members: Vec<Vec<May>> = groups.iter().map(|group| vec![May::FALSE; group.definitions.len()]).collect();
        let fixed = fixed.iter().map(|(lit, value)| (lit.node(), value.negated(lit.is_negated()))).collect();
        // A group depends only on itself and on earlier ones. Both bounds of a least fixpoint must grow from false:
        // values computed while an earlier group still grew might support themselves, or oscillate for ever.
        for (number, group) in groups.iter().enumerate() {
            let nodes = group.definitions.iter().map(|lit| lit.node() as usize + 1).max().unwrap_or(0);
            loop {
                let values = Values::sweep(&circuit.nodes()[..nodes], &fixed, &members, &leaf);
                let now: Vec<May> = group.definitions.iter().map(|&definition| values.get(definition)).collect();
                if now.iter().zip(&members[number]).all(|(now, before)| now.knows_as_much(*before)) {
                    break;
                }
                members[number] = now;
            }
        }
        Values::sweep(circuit.nodes(), &fixed, &members, &leaf)
    }

    fn sweep(
        nodes: &[Node],
        fixed: &FxHashMap<u32, May>,
        members: &[Vec<May>],
        leaf: &impl Fn(&Node) -> May,
    ) -> Values {
        let mut values = Values(Vec::with_capacity(nodes.len()));
        for (index, node) in nodes.iter().enumerate() {
            if let Some(&value) = fixed.get(&(index as u32)) {
                values.0.push(value);
                continue;
            }
            let value = match node {
                Node::True => May::TRUE,
                Node::And(lits) => lits.iter().fold(May::TRUE, |all, &lit| {
                    let value = values.get(lit);
                    May { no: all.no | value.no, yes: all.yes & value.yes }
                }),
                Node::Or(lits) => lits.iter().fold(May::FALSE, |any, &lit| {
                    let value = values.get(lit);
                    May { no: any.no & value.no, yes: any.yes | value.yes }
                }),
                Node::Loop { group, member } => members[*group as usize][*member as usize],
                Node::Compare(_) => May::FREE,
                Node::Fluent(_) | Node::Move(..) => leaf(node),
            };
            values.0.push(value);
        }
        values
    }

    pub(super) fn get(&self, lit: Lit) -> May {
        self.0[lit.node() as usize].negated(lit.is_negated())
    }

    /// The literals of fluents that must hold for `lit` to be true in the first case, given these values. Conjunctions
    /// pass the demand to all their operands, disjunctions only if a single operand can meet it.
    pub(super) fn implied(&self, circuit: &Circuit, lit: Lit) -> Vec<Lit> {
        let (mut open, mut found) = (vec![lit], Vec::new());
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(lit) = open.pop() {
            if !seen.insert(lit) {
                continue;
            }
            match (&circuit.nodes()[lit.node() as usize], lit.is_negated()) {
                (Node::Fluent(_), _) => found.push(lit),
                (Node::And(lits), false) => open.extend(lits.iter()),
                (Node::Or(lits), true) => open.extend(lits.iter().map(|&lit| !lit)),
                (Node::Or(lits), false) => open.extend(self.only(lits.iter().copied())),
                (Node::And(lits), true) => open.extend(self.only(lits.iter().map(|&lit| !lit))),
                _ => {}
            }
        }
        found
    }

    fn only(&self, lits: impl Iterator<Item = Lit>) -> Option<Lit> {
        let mut can = lits.filter(|&lit| self.get(lit).yes & 1 == 1);
        can.next().filter(|_| can.next().is_none())
    }
}
