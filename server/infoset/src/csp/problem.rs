//! The open choices of a view: groups of moves of which exactly one is made, and a network of requirements.

use percept_game::{JointMove, MoveId};

use crate::{
    net::{Gate, Lit, Net},
    unroll::Unrolled,
};

/// The moves, at least two, of one role in one round between which the view does not decide.
#[derive(Clone, Debug)]
pub struct Group {
    pub round: usize,
    pub role: usize,
    /// The moves with their inputs.
    pub options: Vec<(MoveId, u32)>,
}

#[derive(Clone)]
pub struct Problem {
    pub(crate) net: Net,
    pub groups: Vec<Group>,
    /// The moves that are decided, by round and role.
    pub decided: Vec<Vec<Option<MoveId>>>,
    pub required: Vec<Lit>,
    /// True if every solution of the network is a member.
    pub(crate) faithful: bool,
    /// True if the requirements were found to have no solution.
    pub impossible: bool,
}

impl Problem {
    /// The problem of an unrolled view, reduced to the nodes that the requirements depend on.
    pub(crate) fn of(unrolled: &Unrolled<'_>) -> Problem {
        let Parts { groups, decided, required } = Parts::of(unrolled);
        let whole = Whole { net: &unrolled.net, groups: &groups, required: &required };
        let Rebuilt { net, groups, required } = whole.compact();
        let impossible = required.contains(&Lit::FALSE);
        Problem { net, groups, decided, required, faithful: unrolled.faithful, impossible }
    }

    /// The problem of an unrolled view over its whole network, with the same nodes.
    pub(crate) fn whole(unrolled: Unrolled<'_>) -> Problem {
        let Parts { groups, decided, required } = Parts::of(&unrolled);
        let impossible = required.contains(&Lit::FALSE);
        Problem { groups, decided, required, faithful: unrolled.faithful, impossible, net: unrolled.net }
    }

    /// Returns the problem after some nodes got values (by `value_of`) and some pairs of inputs were found to exclude
    /// each other; both in terms of this problem's nodes.
    pub fn reduced(&self, value_of: impl Fn(u32) -> Option<bool>, exclude: impl Fn(u32, u32) -> bool) -> Problem {
        let mut decided = self.decided.clone();
        let mut groups = Vec::new();
        let mut impossible = self.impossible;
        for group in &self.groups {
            let mut left = group.clone();
            left.options.retain(|&(_, input)| value_of(input) != Some(false));
            let chosen = left.options.iter().find(|&&(_, input)| value_of(input) == Some(true)).copied();
            match (chosen, &left.options[..]) {
                (Some((mv, _)), _) | (None, &[(mv, _)]) => decided[group.round][group.role] = Some(mv),
                (None, []) => impossible = true,
                _ => groups.push(left),
            }
        }
        let whole = Whole { net: &self.net, groups: &groups, required: &self.required };
        let folded = whole.folded(value_of, exclude);
        let whole = Whole { net: &folded.net, groups: &folded.groups, required: &folded.required };
        let Rebuilt { net, groups, required } = whole.compact();
        impossible |= required.contains(&Lit::FALSE);
        Problem { net, groups, decided, required, faithful: self.faithful, impossible }
    }

    /// Returns the history that takes `option(group)` of each group.
    pub fn history(&self, option: impl Fn(usize) -> usize) -> Vec<JointMove> {
        let mut rounds = self.decided.clone();
        for (index, group) in self.groups.iter().enumerate() {
            rounds[group.round][group.role] = Some(group.options[option(index)].0);
        }
        rounds.into_iter().map(|joint| joint.into_iter().map(|mv| mv.unwrap_or(MoveId::NOOP)).collect()).collect()
    }

    /// The natural logarithm of the number of combinations of moves, disregarding the requirements.
    pub(crate) fn ln_combinations(&self) -> f64 {
        self.groups.iter().map(|group| (group.options.len() as f64).ln()).sum()
    }

    pub(crate) fn option_count(&self) -> usize {
        self.groups.iter().map(|group| group.options.len()).sum()
    }
}

/// The parts of a problem, taken from an unrolled view.
struct Parts {
    groups: Vec<Group>,
    decided: Vec<Vec<Option<MoveId>>>,
    required: Vec<Lit>,
}

impl Parts {
    fn of(unrolled: &Unrolled<'_>) -> Parts {
        let groups = unrolled
            .choices
            .iter()
            .enumerate()
            .flat_map(|(round, roles)| roles.iter().enumerate().map(move |(role, choice)| (round, role, choice)))
            .filter(|(_, _, choice)| choice.moves.len() > 1)
            .map(|(round, role, choice)| Group {
                round,
                role,
                options: choice.moves.iter().map(|&(mv, lit)| (mv, lit.node())).collect(),
            })
            .collect();
        let decided = unrolled
            .choices
            .iter()
            .map(|roles| {
                roles.iter().map(|choice| (choice.moves.len() == 1).then(|| choice.moves[0].0)).collect::<Vec<_>>()
            })
            .collect();
        let required = unrolled.required.iter().map(|&(_, lit)| lit).collect();
        Parts { groups, decided, required }
    }
}

struct Whole<'a> {
    net: &'a Net,
    groups: &'a [Group],
    required: &'a [Lit],
}

/// A network, groups and requirements, rebuilt.
struct Rebuilt {
    net: Net,
    groups: Vec<Group>,
    required: Vec<Lit>,
}

impl Whole<'_> {
    /// A copy folded with the known values. A gate with a known value becomes a constant, and this value becomes a
    /// requirement (which vanishes if the known values of its operands imply it).
    fn folded(&self, value_of: impl Fn(u32) -> Option<bool>, exclude: impl Fn(u32, u32) -> bool) -> Rebuilt {
        let wanted = self.net.cone(self.required.iter().copied().chain(self.inputs()));
        let mut net = Net::new();
        let mut map = vec![Lit::FALSE; self.net.len()];
        map[0] = Lit::TRUE;
        let mut required = Vec::new();
        for node in (1..self.net.len() as u32).filter(|&node| wanted[node as usize]) {
            let value = value_of(node);
            if let (Gate::And(operands), _) = (self.net.gate(node), value) {
                let excluded = exclusive(self.net, operands, &value_of, &exclude);
                let through =
                    |lit: &Lit| if lit.is_negated() { !map[lit.node() as usize] } else { map[lit.node() as usize] };
                let new = if excluded { Lit::FALSE } else { net.and(operands.iter().map(through)) };
                map[node as usize] = value.map_or(new, |value| if value { Lit::TRUE } else { Lit::FALSE });
                if let Some(value) = value {
                    required.push(if value { new } else { !new });
                }
            } else {
                map[node as usize] = match value {
                    Some(true) => Lit::TRUE,
                    Some(false) => Lit::FALSE,
                    None => net.input(),
                };
            }
        }
        let through = |lit: &Lit| if lit.is_negated() { !map[lit.node() as usize] } else { map[lit.node() as usize] };
        required.extend(self.required.iter().map(through));
        Rebuilt { groups: renamed(self.groups, &map), required: split(&net, required), net }
    }

    /// A copy reduced to the nodes that the requirements and the groups depend on.
    fn compact(&self) -> Rebuilt {
        self.folded(|_| None, |_, _| false)
    }

    fn inputs(&self) -> impl Iterator<Item = Lit> {
        self.groups.iter().flat_map(|group| group.options.iter().map(|&(_, input)| Lit::new(input, false)))
    }
}

fn renamed(groups: &[Group], map: &[Lit]) -> Vec<Group> {
    let rename = |group: &Group| Group {
        options: group.options.iter().map(|&(mv, input)| (mv, map[input as usize].node())).collect(),
        ..*group
    };
    groups.iter().map(rename).collect()
}

/// True if a conjunction contains two inputs that exclude each other. Only short conjunctions are checked.
fn exclusive(
    net: &Net,
    operands: &[Lit],
    value_of: &impl Fn(u32) -> Option<bool>,
    exclude: &impl Fn(u32, u32) -> bool,
) -> bool {
    const MOST: usize = 12;
    let mut inputs = [0; MOST];
    let mut count = 0;
    for lit in operands.iter().filter(|lit| !lit.is_negated()) {
        if net.gate(lit.node()) == Gate::Input && value_of(lit.node()).is_none() && count < MOST {
            inputs[count] = lit.node();
            count += 1;
        }
    }
    let inputs = &inputs[..count];
    inputs.iter().enumerate().any(|(index, &left)| inputs[..index].iter().any(|&right| exclude(left, right)))
}

/// Splits required conjunctions into their parts, without repeats and without constants that are true.
fn split(net: &Net, required: Vec<Lit>) -> Vec<Lit> {
    let mut parts = Vec::new();
    let mut stack = required;
    while let Some(lit) = stack.pop() {
        match net.gate(lit.node()) {
            Gate::And(operands) if !lit.is_negated() => stack.extend_from_slice(operands),
            _ if lit == Lit::TRUE => {}
            _ => parts.push(lit),
        }
    }
    parts.sort_unstable();
    parts.dedup();
    parts
}
