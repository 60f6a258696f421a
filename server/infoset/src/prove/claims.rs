//! The claims of a proof about a game, as plain data: members that agree in two matches that look alike, and facts that
//! hold in every state.
//!
//! Their meaning for a state in literals is in the modules above: agreement in [`super::step`], invariants in
//! [`super::invariant`] and [`super::count`].

use percept_game::symmetry::Symmetry;
use percept_game::{FluentId, MoveId, RoleId};
use rustc_hash::FxHashSet;

/// The members that agree: fluents, registers, nodes of the round's circuit (nodes that read only the state), and
/// formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Agreement {
    pub fluents: Vec<bool>,
    /// A register agrees if both matches begin with the same number and every round changes it equally; the number need
    /// not be known.
    pub registers: Vec<bool>,
    pub nodes: Vec<bool>,
    pub formulas: Formulas,
    pub counts: Counts,
}

/// A group of fluents.
pub(crate) type Group = Vec<FluentId>;

/// Groups with the same number of true members in both matches (see [`super::census`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub all: Vec<Group>,
    /// The indices of the groups that agree.
    pub(crate) agreeing: Vec<usize>,
}

/// Formulas over fluents, independent of any circuit. Each is a conjunction of fluents and earlier formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Formulas {
    pub all: Vec<Vec<(Operand, bool)>>,
    /// The indices of the formulas that agree.
    pub(crate) agreeing: Vec<usize>,
}

/// A part of a formula; it is negated if paired with `false`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Fluent(FluentId),
    /// An earlier formula.
    Formula(usize),
}

/// A member of an agreement.
#[derive(Clone, Copy)]
pub(super) enum Candidate {
    Fluent(usize),
    Register(usize),
    Node(usize),
    Formula(usize),
    Count(usize),
}

impl Agreement {
    /// The agreement for the image of the role. Games with symmetries have no registers.
    pub(super) fn image(&self, symmetry: &Symmetry) -> Agreement {
        let to = |from: &[bool], becomes: &dyn Fn(u32) -> u32| {
            let mut image = vec![false; from.len()];
            (0..).zip(from).filter(|(_, kept)| **kept).for_each(|(it, _)| image[becomes(it) as usize] = true);
            image
        };
        let operand = |&(operand, holds): &(Operand, bool)| match operand {
            Operand::Fluent(fluent) => (Operand::Fluent(symmetry.fluent(fluent)), holds),
            Operand::Formula(earlier) => (Operand::Formula(earlier), holds),
        };
        let formula = |formula: &Vec<(Operand, bool)>| formula.iter().map(operand).collect();
        let group = |group: &Group| group.iter().map(|&fluent| symmetry.fluent(fluent)).collect();
        Agreement {
            fluents: to(&self.fluents, &|it| symmetry.fluent(FluentId(it)).0),
            registers: self.registers.clone(),
            nodes: to(&self.nodes, &|it| symmetry.node(it)),
            formulas: Formulas {
                all: self.formulas.all.iter().map(formula).collect(),
                agreeing: self.formulas.agreeing.clone(),
            },
            counts: Counts { all: self.counts.all.iter().map(group).collect(), agreeing: self.counts.agreeing.clone() },
        }
    }

    /// True if it contains this member, which is neither a formula nor a count.
    pub(super) fn has(&self, member: Candidate) -> bool {
        let set = |set: &[bool], index: usize| set.get(index) == Some(&true);
        match member {
            Candidate::Fluent(index) => set(&self.fluents, index),
            Candidate::Register(index) => set(&self.registers, index),
            Candidate::Node(index) => set(&self.nodes, index),
            Candidate::Formula(_) | Candidate::Count(_) => false,
        }
    }

    pub(super) fn members(&self) -> impl Iterator<Item = Candidate> + '_ {
        let fluents = (0..self.fluents.len()).filter(|&index| self.fluents[index]).map(Candidate::Fluent);
        let registers = (0..self.registers.len()).filter(|&index| self.registers[index]).map(Candidate::Register);
        let nodes = (0..self.nodes.len()).filter(|&index| self.nodes[index]).map(Candidate::Node);
        let formulas = self.formulas.agreeing.iter().copied().map(Candidate::Formula);
        let counts = self.counts.agreeing.iter().copied().map(Candidate::Count);
        fluents.chain(registers).chain(nodes).chain(formulas).chain(counts)
    }

    pub(super) fn drop(&mut self, member: &Candidate) {
        match *member {
            Candidate::Fluent(index) => self.fluents[index] = false,
            Candidate::Register(index) => self.registers[index] = false,
            Candidate::Node(index) => self.nodes[index] = false,
            Candidate::Formula(index) => self.formulas.agreeing.retain(|&kept| kept != index),
            Candidate::Count(index) => self.counts.agreeing.retain(|&kept| kept != index),
        }
    }

    /// The fluents in the set.
    pub(crate) fn fluents(&self) -> impl Iterator<Item = FluentId> + '_ {
        self.fluents.iter().enumerate().filter(|(_, kept)| **kept).map(|(index, _)| FluentId(index as u32))
    }
}

/// A fluent or a history variable ("the move was made before"); these are numbered after the fluents.
pub(super) type Atom = u32;

/// A fact that may hold in every state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Claim {
    /// At least one of these literals is true.
    Clause(Vec<(Atom, bool)>),
    /// At most one of these holds.
    AtMostOne(Vec<Atom>),
}

/// The counter's value is `sign` times the number of tokens plus `offset`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    /// The fluent of each value.
    pub values: Vec<(i64, Atom)>,
    /// The fluent and the history variable of each token.
    pub tokens: Vec<(Atom, Atom)>,
    /// 1 or -1.
    pub sign: i64,
    pub offset: i64,
}

/// Proved invariants of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Invariants {
    /// The number of rounds after which they hold in every state.
    pub from: usize,
    /// The history variables.
    pub made: Vec<(RoleId, MoveId)>,
    pub claims: Vec<Claim>,
    pub counts: Vec<Count>,
}

impl Invariants {
    /// The number of claims and counts; claims are numbered first.
    pub(crate) fn len(&self) -> usize {
        self.claims.len() + self.counts.len()
    }

    /// The groups of fluents of which exactly one holds.
    pub(super) fn exactly_one(&self) -> Vec<Vec<FluentId>> {
        let sorted = |atoms: &mut dyn Iterator<Item = Atom>| {
            let mut atoms: Vec<Atom> = atoms.collect();
            atoms.sort_unstable();
            atoms
        };
        let mut one: FxHashSet<Vec<Atom>> = FxHashSet::default();
        for claim in &self.claims {
            if let Claim::Clause(literals) = claim
                && literals.iter().all(|&(_, holds)| holds)
            {
                one.insert(sorted(&mut literals.iter().map(|it| it.0)));
            }
        }
        let mut found = Vec::new();
        for claim in &self.claims {
            let Claim::AtMostOne(atoms) = claim else { continue };
            let atoms = sorted(&mut atoms.iter().copied());
            if one.contains(&atoms) {
                found.push(atoms.into_iter().map(FluentId).collect());
            }
        }
        found
    }

    /// Drops the marked ones; claims are numbered first.
    pub(super) fn without(self, broken: &[bool]) -> Invariants {
        let (claims, counts) = broken.split_at(self.claims.len());
        Invariants { claims: whole(self.claims, claims), counts: whole(self.counts, counts), ..self }
    }
}

/// The elements that are not broken.
fn whole<T>(all: Vec<T>, broken: &[bool]) -> Vec<T> {
    all.into_iter().zip(broken).filter(|(_, broken)| !**broken).map(|(one, _)| one).collect()
}
