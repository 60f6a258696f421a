//! The ground game: ids for everything reachable, the circuit folded until nothing changes.

use rustc_hash::FxHashMap;

use super::Grounding;
use super::instantiate::{Gates, Leaves, instantiate};
use super::lifted::goal_value;
use super::limits::{Exceeded, Limits};
use super::names::ByName;
use super::prepare::Prepared;
use super::program::RelationId;
use super::reach::reach;
use crate::circuit::{Lit, Node, live};
use crate::terms::{TermId, Terms};
use crate::{FluentId, Ground, MoveId, PerceptId, RoleId, State};

/// The circuit is copied without its unread gates if they are more than one in this many.
const FEW_DEAD: usize = 16;

/// A ground game with the names of its ids.
#[derive(Clone, Debug)]
pub(crate) struct GroundGame {
    pub terms: Terms,
    /// The terms of the fluents, by `FluentId`.
    pub fluents: Vec<TermId>,
    /// The terms of the moves, by role and `MoveId`.
    pub moves: Vec<Vec<TermId>>,
    /// The terms of the percepts, by role and `PerceptId`.
    pub percepts: Vec<Vec<TermId>>,
    pub initial: State,
    pub ground: Ground,
}

/// Sorts the terms of rows by their names; `place` is called with every row and its index in that order.
fn ordered(
    names: &ByName<'_>,
    rows: impl Iterator<Item = (u32, TermId)>,
    mut place: impl FnMut(u32, u32),
) -> Vec<TermId> {
    let rows = names.sorted(&rows.collect::<Vec<_>>());
    rows.iter().enumerate().for_each(|(at, (row, _))| place(*row, at as u32));
    rows.into_iter().map(|(_, term)| term).collect()
}

/// Grounds everything that is reachable from the initial state. Ids follow the order of the names.
///
/// # Errors
/// [`Exceeded`] if the domain or the circuit exceeds a limit.
pub(crate) fn ground(mut prepared: Prepared, grounding: &Grounding) -> Result<GroundGame, Exceeded> {
    let limits =
        Limits { fuel: grounding.fuel, rows: Limits::GROUND, budget: grounding.budget.clone(), ..Limits::default() };
    let found = reach(&mut prepared, &limits, grounding.demand_from)?;
    let terms = &prepared.program.terms;
    let by_name = ByName::new(terms);
    let table = &prepared.tables[RelationId::TRUE.index()];
    let mut fluent_ids = vec![FluentId(0); table.len() as usize];
    let rows = (0..table.len()).map(|row| (row, table.row(row)[0]));
    let fluents = ordered(&by_name, rows, |row, id| fluent_ids[row as usize] = FluentId(id));
    let table = &prepared.tables[RelationId::DOES.index()];
    let mut move_ids = vec![None; table.len() as usize];
    let of_role = |(role, &name): (usize, &TermId)| {
        let rows = (0..table.len()).map(|row| (row, table.row(row))).filter(|(_, tuple)| tuple[0] == name);
        let rows = rows.map(|(row, tuple)| (row, tuple[1]));
        ordered(&by_name, rows, |row, id| move_ids[row as usize] = Some((RoleId(role as u16), MoveId(id))))
    };
    let moves: Vec<Vec<TermId>> = prepared.role_terms.iter().enumerate().map(of_role).collect();
    let leaves = Leaves { fluents: &fluent_ids, moves: &move_ids };
    let (circuit, gates) = instantiate(&mut prepared, found, &leaves, grounding)?;
    let mut collected = Collected { prepared: &prepared, gates: &gates };
    let fluent_of: FxHashMap<TermId, u32> =
        fluents.iter().enumerate().map(|(index, &term)| (term, index as u32)).collect();
    let next =
        collected.rows(RelationId::NEXT).filter_map(|(tuple, gate)| Some((FluentId(*fluent_of.get(&tuple[0])?), gate)));
    let mut next: Vec<(FluentId, Lit)> = next.collect();
    next.sort_unstable();
    let (percepts, sees) = collected.percepts();
    let mut initial = State::new(fluents.len(), 0);
    for row in prepared.tables[RelationId::INIT.index()].rows() {
        initial.set(FluentId(fluent_of[&row[0]]), true);
    }
    let ground = Ground {
        moves: collected.moves(&moves),
        next,
        sees,
        terminal: collected.rows(RelationId::TERMINAL).next().map_or(Lit::FALSE, |(_, gate)| gate),
        goals: collected.goals(),
        updates: Vec::new(),
        goal_numbers: Vec::new(),
        circuit,
    };
    let terms = std::mem::take(&mut prepared.program.terms);
    // Memory use peaks here, so everything the circuit was made from is dropped before copies of the circuit are made.
    drop((prepared, gates));
    let mut game = GroundGame { terms, fluents, moves, percepts, initial, ground };
    game.fold();
    Ok(game)
}

/// The percepts of a role with their gates.
type Percepts = Vec<(PerceptId, Lit)>;

/// Reads outputs off the tables.
struct Collected<'a> {
    prepared: &'a Prepared,
    gates: &'a Gates,
}

impl Collected<'_> {
    /// The tuples of a relation with their gates, false ones left out.
    fn rows(&self, relation: RelationId) -> impl Iterator<Item = (&[TermId], Lit)> {
        let table = &self.prepared.tables[relation.index()];
        let is_static = self.prepared.strata.is_static(relation);
        let gates = &self.gates[relation.index()];
        (0..table.len())
            .map(move |row| (table.row(row), if is_static { Lit::TRUE } else { gates[row as usize] }))
            .filter(|(_, gate)| *gate != Lit::FALSE)
    }

    fn of_role(&self, relation: RelationId, role: usize) -> impl Iterator<Item = (TermId, Lit)> {
        let term = self.prepared.role_terms[role];
        self.rows(relation).filter(move |(tuple, _)| tuple[0] == term).map(|(tuple, gate)| (tuple[1], gate))
    }

    fn moves(&self, names: &[Vec<TermId>]) -> Vec<Vec<(MoveId, Lit)>> {
        let of_role = |(role, names): (usize, &Vec<TermId>)| {
            let mut gates = vec![Lit::FALSE; self.prepared.program.terms.len()];
            self.of_role(RelationId::LEGAL, role).for_each(|(term, gate)| gates[term.0 as usize] = gate);
            names.iter().enumerate().map(|(id, term)| (MoveId(id as u32), gates[term.0 as usize])).collect()
        };
        names.iter().enumerate().map(of_role).collect()
    }

    fn percepts(&mut self) -> (Vec<Vec<TermId>>, Vec<Percepts>) {
        let by_name = ByName::new(&self.prepared.program.terms);
        (0..self.prepared.roles.len())
            .map(|role| {
                let found: Vec<(Lit, TermId)> =
                    self.of_role(RelationId::SEES, role).map(|(term, gate)| (gate, term)).collect();
                let found = by_name.sorted(&found);
                let names = found.iter().map(|(_, term)| *term).collect();
                let gates = found.iter().enumerate().map(|(id, (gate, _))| (PerceptId(id as u32), *gate)).collect();
                (names, gates)
            })
            .unzip()
    }

    fn goals(&self) -> Vec<Vec<(i64, Lit)>> {
        let terms = &self.prepared.program.terms;
        (0..self.prepared.roles.len())
            .map(|role| {
                let found = self.of_role(RelationId::GOAL, role);
                let mut found: Vec<(i64, Lit)> =
                    found.filter_map(|(term, gate)| Some((goal_value(terms, term)?, gate))).collect();
                found.sort_unstable();
                found
            })
            .collect()
    }
}

/// Fluents and moves without an id in the folded game.
struct Dropped {
    /// The value of each fluent that never changes.
    fluents: Vec<Option<bool>>,
    /// For each role and move, true if it is never legal.
    moves: Vec<Vec<bool>>,
}

impl Dropped {
    /// The value of a leaf that needs no id.
    fn value(&self, node: &Node) -> Option<bool> {
        match node {
            Node::Fluent(fluent) => self.fluents[fluent.0 as usize],
            Node::Move(role, mv) => self.moves[role.0 as usize][mv.0 as usize].then_some(false),
            _ => None,
        }
    }
}

impl GroundGame {
    /// Folds fluents that never change and moves that are never legal, until nothing more folds; then closes the gaps
    /// in the numbering.
    ///
    /// Every substitution may make further gates constant (only then is recursion found to be always true or never
    /// founded), so the search for constants is repeated after each, including the last one.
    fn fold(&mut self) {
        let mut dropped = self.dropped();
        // A circuit without groups, whose members may turn out to be constant, is folded while it is built. If nothing
        // is to be substituted, it need not be copied.
        let mut is_folded = self.ground.circuit.groups().is_empty();
        while !is_folded || self.ground.circuit.nodes().iter().any(|node| dropped.value(node).is_some()) {
            self.ground.substitute(&|node| dropped.value(node));
            dropped = self.dropped();
            is_folded = true;
        }
        // Folding may have removed the only readers of a gate; a few such gates do no harm.
        let live = live(&self.ground.circuit, &self.ground.roots());
        if live.iter().filter(|live| !**live).count() > live.len() / FEW_DEAD {
            self.ground.substitute(&|_| None);
        }
        self.compact();
    }

    fn dropped(&self) -> Dropped {
        let never_legal = |moves: &Vec<(MoveId, Lit)>| moves.iter().map(|(_, gate)| *gate == Lit::FALSE).collect();
        Dropped { fluents: self.constant_fluents(), moves: self.ground.moves.iter().map(never_legal).collect() }
    }

    /// Fluents with one value in every reachable state: in the initial state, and kept by every round.
    fn constant_fluents(&self) -> Vec<Option<bool>> {
        let mut gates = vec![Lit::FALSE; self.fluents.len()];
        self.ground.next.iter().for_each(|&(fluent, gate)| gates[fluent.0 as usize] = gate);
        let nodes = self.ground.circuit.nodes();
        let is =
            |lit: &Lit, fluent: u32| !lit.is_negated() && nodes[lit.node() as usize] == Node::Fluent(FluentId(fluent));
        (0..self.fluents.len() as u32)
            .map(|fluent| {
                let gate = gates[fluent as usize];
                let node = &nodes[gate.node() as usize];
                if self.initial.has(FluentId(fluent)) {
                    let kept = gate == Lit::TRUE || is(&gate, fluent)
                        || matches!(node, Node::Or(parts) if !gate.is_negated() && parts.iter().any(|part| is(part, fluent)));
                    kept.then_some(true)
                } else {
                    let kept = gate == Lit::FALSE || is(&gate, fluent)
                        || matches!(node, Node::And(parts) if !gate.is_negated() && parts.iter().any(|part| is(part, fluent)));
                    kept.then_some(false)
                }
            })
            .collect()
    }

    /// Renumbers fluents, moves and percepts so that those that can never hold have no id. They are no longer leaves of
    /// the circuit.
    fn compact(&mut self) {
        let mut keep = vec![false; self.fluents.len()];
        self.initial.fluents().for_each(|fluent| keep[fluent.0 as usize] = true);
        self.ground.next.retain(|(_, gate)| *gate != Lit::FALSE);
        self.ground.next.iter().for_each(|(fluent, _)| keep[fluent.0 as usize] = true);
        let fluents = Renumbered::new("fluent", &mut self.fluents, &keep);
        let fluent = |old: FluentId| FluentId(fluents.id(old.0));
        let mut moves = Vec::new();
        for (names, gates) in self.moves.iter_mut().zip(&mut self.ground.moves) {
            let ids = Renumbered::of_gates("move", names, gates, |mv| mv.0);
            gates.iter_mut().for_each(|(mv, _)| *mv = MoveId(ids.id(mv.0)));
            moves.push(ids);
        }
        for (names, gates) in self.percepts.iter_mut().zip(&mut self.ground.sees) {
            let ids = Renumbered::of_gates("percept", names, gates, |percept| percept.0);
            gates.iter_mut().for_each(|(percept, _)| *percept = PerceptId(ids.id(percept.0)));
        }
        self.ground.goals.iter_mut().for_each(|goals| goals.retain(|(_, gate)| *gate != Lit::FALSE));
        self.ground.next.iter_mut().for_each(|(old, _)| *old = fluent(*old));
        let mut initial = State::new(self.fluents.len(), 0);
        self.initial.fluents().for_each(|old| initial.set(fluent(old), true));
        self.initial = initial;
        self.ground.circuit.rename(&|node| match node {
            Node::Fluent(old) => Node::Fluent(fluent(*old)),
            Node::Move(role, mv) => Node::Move(*role, MoveId(moves[role.0 as usize].id(mv.0))),
            other => unreachable!("{other:?} is not a leaf of GDL"),
        });
    }
}

/// New ids for the names that are kept.
struct Renumbered {
    what: &'static str,
    ids: Vec<Option<u32>>,
}

impl Renumbered {
    /// Keeps the names that `keep` marks.
    fn new(what: &'static str, names: &mut Vec<TermId>, keep: &[bool]) -> Renumbered {
        assert_eq!(names.len(), keep.len(), "one mark per {what}");
        let mut next = 0..;
        let ids = keep.iter().map(|&keep| if keep { next.next() } else { None }).collect();
        let mut marks = keep.iter();
        names.retain(|_| marks.next().is_some_and(|&keep| keep));
        Renumbered { what, ids }
    }

    /// Keeps the names that some gate can make true.
    fn of_gates<K: Copy>(
        what: &'static str,
        names: &mut Vec<TermId>,
        gates: &mut Vec<(K, Lit)>,
        id: impl Fn(K) -> u32,
    ) -> Renumbered {
        let mut keep = vec![false; names.len()];
        gates.retain(|(_, gate)| *gate != Lit::FALSE);
        gates.iter().for_each(|&(key, _)| keep[id(key) as usize] = true);
        Renumbered::new(what, names, &keep)
    }

    /// The new id. Panics if the name was dropped: folding would be at fault, and every answer about such a game would
    /// be wrong.
    fn id(&self, old: u32) -> u32 {
        self.ids[old as usize].unwrap_or_else(|| panic!("{} {old} was dropped but is still named", self.what))
    }
}
