//! [`Rules`] on a ground circuit.

use std::sync::{Arc, Mutex, OnceLock};

use rustc_hash::FxHashMap;

use super::compile::{Compiled, Segment, codes};
use super::lanes::Playouts;
use super::values::Words;
use crate::circuit::Node;
use crate::gdl::ground::{GroundGame, roots, substitute};
use crate::gdl::names::find_term;
use crate::terms::TermId;
use crate::{FluentId, Ground, MoveId, PerceptId, RoleId, Rules, Scope, State, TooLarge};

const LEGAL: usize = 0;
const GOALS: usize = 1;
const NEXT: usize = 2;
const SEES: usize = 3;

/// The rules of a ground GDL game.
pub struct GroundRules {
    pub(super) game: GroundGame,
    pub(super) ground: Arc<Ground>,
    compiled: Compiled,
    codes: Codes,
    fluent_ids: FxHashMap<TermId, u32>,
    move_ids: Vec<FxHashMap<TermId, u32>>,
    percept_ids: Vec<FxHashMap<TermId, u32>>,
    /// Evaluations to use again; each remembers the state it is about.
    scratch: Mutex<Vec<Scratch>>,
    playouts: OnceLock<Playouts>,
}

/// Where the outputs are read.
struct Codes {
    legal: Vec<Vec<(MoveId, u32)>>,
    next: Vec<(FluentId, u32)>,
    sees: Vec<Vec<(PerceptId, u32)>>,
    goals: Vec<Vec<(i64, u32)>>,
    terminal: u32,
}

struct Scratch {
    words: Words<1>,
    state: State,
    goals_done: bool,
    joint: Vec<MoveId>,
    sees_done: bool,
}

fn ids(names: &[TermId]) -> FxHashMap<TermId, u32> {
    names.iter().enumerate().map(|(id, &term)| (term, id as u32)).collect()
}

impl GroundRules {
    pub(crate) fn new(mut game: GroundGame) -> GroundRules {
        let ground = Arc::new(std::mem::take(&mut game.ground));
        let legal = ground.moves.iter().flatten().map(|(_, gate)| *gate).chain([ground.terminal]).collect();
        let goals = ground.goals.iter().flatten().map(|(_, gate)| *gate).collect();
        let next = ground.next.iter().map(|(_, gate)| *gate).collect();
        let sees = ground.sees.iter().flatten().map(|(_, gate)| *gate).collect();
        let segments =
            [Segment::always(legal), Segment::on_demand(goals), Segment::always(next), Segment::on_demand(sees)];
        let compiled = Compiled::new(&ground.circuit, &segments);
        let codes = Codes {
            legal: ground.moves.iter().map(|moves| codes(&compiled, moves)).collect(),
            next: codes(&compiled, &ground.next),
            sees: ground.sees.iter().map(|sees| codes(&compiled, sees)).collect(),
            goals: ground.goals.iter().map(|goals| codes(&compiled, goals)).collect(),
            terminal: compiled.code(ground.terminal),
        };
        GroundRules {
            fluent_ids: ids(&game.fluents),
            move_ids: game.moves.iter().map(|names| ids(names)).collect(),
            percept_ids: game.percepts.iter().map(|names| ids(names)).collect(),
            game,
            ground,
            compiled,
            codes,
            scratch: Mutex::default(),
            playouts: OnceLock::new(),
        }
    }

    /// Runs `f` on an evaluation about `state`.
    fn with<T>(&self, state: &State, f: impl FnOnce(&Self, &mut Scratch) -> T) -> T {
        let mut pool = self.scratch.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let known = pool.iter().rposition(|scratch| scratch.state == *state);
        let reused = match known {
            Some(place) => Some(pool.swap_remove(place)),
            None => pool.pop(),
        };
        drop(pool);
        let mut scratch = reused.unwrap_or_else(|| Scratch {
            words: Words::new(&self.compiled),
            // No state has a register here, so this is none of them.
            state: State { bits: Box::default(), registers: [0].into() },
            goals_done: false,
            joint: Vec::new(),
            sees_done: false,
        });
        if scratch.state != *state {
            for (fluent, &slot) in self.compiled.fluents.iter().enumerate() {
                let value = u64::from(state.has(FluentId(fluent as u32))).wrapping_neg();
                scratch.words.set(Some(&slot), [value]);
            }
            scratch.words.run(&self.compiled, LEGAL);
            scratch.state = state.clone();
            scratch.goals_done = false;
            self.set_moves(&mut scratch, &[]);
        }
        let result = f(self, &mut scratch);
        self.scratch.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(scratch);
        result
    }

    fn set_moves(&self, scratch: &mut Scratch, joint: &[MoveId]) {
        let old = std::mem::replace(&mut scratch.joint, joint.to_vec());
        for (joint, value) in [(&old[..], [0]), (joint, [!0])] {
            for (role, mv) in joint.iter().enumerate() {
                let slot = self.compiled.moves.get(role).and_then(|slots| slots.get(mv.0 as usize));
                scratch.words.set(slot, value);
            }
        }
        scratch.sees_done = false;
    }

    /// Runs `f` on an evaluation about `state` and `joint`.
    fn with_moves<T>(&self, state: &State, joint: &[MoveId], f: impl FnOnce(&Self, &mut Scratch) -> T) -> T {
        self.with(state, |rules, scratch| {
            if scratch.joint != joint {
                rules.set_moves(scratch, joint);
                scratch.words.run(&rules.compiled, NEXT);
            }
            f(rules, scratch)
        })
    }

    /// Gates in the compiled circuit and operands they read, for reports.
    pub fn size(&self) -> (usize, usize) {
        (self.compiled.gate_count(), self.compiled.operand_count())
    }
}

impl Rules for GroundRules {
    fn initial(&self) -> State {
        self.game.initial.clone()
    }

    fn terminal(&self, state: &State) -> bool {
        self.with(state, |rules, scratch| scratch.words.get(rules.codes.terminal)[0] & 1 == 1)
    }

    fn legal(&self, state: &State, role: RoleId) -> Vec<MoveId> {
        let Some(codes) = self.codes.legal.get(role.0 as usize) else { return Vec::new() };
        self.with(state, |_, scratch| holding(&scratch.words, codes))
    }

    fn next(&self, state: &State, joint: &[MoveId]) -> State {
        self.with_moves(state, joint, |rules, scratch| {
            let mut next = State::new(rules.game.fluents.len(), 0);
            for fluent in holding(&scratch.words, &rules.codes.next) {
                next.set(fluent, true);
            }
            next
        })
    }

    fn percepts(&self, state: &State, joint: &[MoveId], role: RoleId) -> Vec<PerceptId> {
        let Some(codes) = self.codes.sees.get(role.0 as usize) else { return Vec::new() };
        self.with_moves(state, joint, |rules, scratch| {
            if !std::mem::replace(&mut scratch.sees_done, true) {
                scratch.words.run(&rules.compiled, SEES);
            }
            holding(&scratch.words, codes)
        })
    }

    fn goals(&self, state: &State, role: RoleId) -> Vec<i64> {
        let Some(codes) = self.codes.goals.get(role.0 as usize) else { return Vec::new() };
        self.with(state, |rules, scratch| {
            if !std::mem::replace(&mut scratch.goals_done, true) {
                scratch.words.run(&rules.compiled, GOALS);
            }
            let mut values = holding(&scratch.words, codes);
            values.dedup();
            values
        })
    }

    fn fluent_name(&self, fluent: FluentId) -> String {
        show(&self.game, self.game.fluents.get(fluent.0 as usize), fluent.0)
    }

    fn move_name(&self, role: RoleId, mv: MoveId) -> String {
        show(&self.game, self.game.moves[role.0 as usize].get(mv.0 as usize), mv.0)
    }

    fn percept_name(&self, role: RoleId, percept: PerceptId) -> String {
        show(&self.game, self.game.percepts[role.0 as usize].get(percept.0 as usize), percept.0)
    }

    fn find_move(&self, role: RoleId, name: &str) -> Option<MoveId> {
        let ids = self.move_ids.get(role.0 as usize)?;
        ids.get(&find_term(&self.game.terms, name)?).map(|&id| MoveId(id))
    }

    fn find_percept(&self, role: RoleId, name: &str) -> Option<PerceptId> {
        let ids = self.percept_ids.get(role.0 as usize)?;
        ids.get(&find_term(&self.game.terms, name)?).map(|&id| PerceptId(id))
    }

    fn find_fluent(&self, name: &str) -> Option<FluentId> {
        self.fluent_ids.get(&find_term(&self.game.terms, name)?).map(|&id| FluentId(id))
    }

    fn fluent_count(&self) -> usize {
        self.game.fluents.len()
    }

    fn register_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn playouts(&self) -> Option<&Playouts> {
        Some(self.playouts.get_or_init(|| Playouts::new(&self.ground, &self.game.initial)))
    }

    fn ground(&self, scope: &Scope<'_>) -> Result<Arc<Ground>, TooLarge> {
        let ground = match (scope.possible, scope.certain) {
            (None, None) => self.ground.clone(),
            _ => Arc::new(self.restricted(scope)),
        };
        match scope.budget {
            Some(budget) if ground.circuit.nodes().len() > budget => {
                let what = format!("one round has {} circuit nodes", ground.circuit.nodes().len());
                Err(TooLarge { what, budget })
            }
            _ => Ok(ground),
        }
    }
}

impl GroundRules {
    /// The round's circuit with the fluents and moves that `scope` decides folded away.
    fn restricted(&self, scope: &Scope<'_>) -> Ground {
        let mut ground = Ground::clone(&self.ground);
        let fluent = |fluent: FluentId| match (scope.possible, scope.certain) {
            (Some(possible), _) if !possible.has(fluent) => Some(false),
            (_, Some(certain)) if certain.has(fluent) => Some(true),
            _ => None,
        };
        substitute(&mut ground, &|node| match node {
            Node::Fluent(id) => fluent(*id),
            _ => None,
        });
        let dead: Vec<Vec<bool>> = ground
            .moves
            .iter()
            .zip(&self.game.moves)
            .map(|(moves, names)| {
                let mut dead = vec![true; names.len()];
                moves
                    .iter()
                    .filter(|(_, gate)| *gate != crate::circuit::Lit::FALSE)
                    .for_each(|(mv, _)| dead[mv.0 as usize] = false);
                dead
            })
            .collect();
        substitute(&mut ground, &|node| match node {
            Node::Move(role, mv) if dead[role.0 as usize][mv.0 as usize] => Some(false),
            _ => None,
        });
        let falsehood = crate::circuit::Lit::FALSE;
        ground.moves.iter_mut().for_each(|moves| moves.retain(|(_, gate)| *gate != falsehood));
        ground.next.retain(|(_, gate)| *gate != falsehood);
        ground.sees.iter_mut().for_each(|sees| sees.retain(|(_, gate)| *gate != falsehood));
        ground.goals.iter_mut().for_each(|goals| goals.retain(|(_, gate)| *gate != falsehood));
        debug_assert!(roots(&ground).iter().all(|lit| (lit.node() as usize) < ground.circuit.nodes().len()));
        ground
    }
}

fn holding<K: Copy>(words: &Words<1>, codes: &[(K, u32)]) -> Vec<K> {
    codes.iter().filter(|(_, code)| words.get(*code)[0] & 1 == 1).map(|(key, _)| *key).collect()
}

fn show(game: &GroundGame, term: Option<&TermId>, id: u32) -> String {
    term.map_or_else(|| format!("#{id}"), |&term| game.terms.show(term))
}
