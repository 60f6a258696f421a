//! A game without a language, for tests.

use std::sync::Arc;

use crate::{
    Cursor, FluentId, Game, Ground, MoveId, Names, PerceptId, Play, Role, RoleId, Rules, Scope, State, Structure, Term,
    TooLarge,
};

/// A toy: in each of three rounds every role takes a number, 1 to 3, that it has not taken yet, or passes. A role
/// perceives `(sum n)`, the sum of the numbers taken in the round.
struct Toy;

const NAMES: [&str; 4] = ["pass", "(take 1)", "(take 2)", "(take 3)"];

impl Rules for Toy {
    fn initial(&self) -> State {
        State::new(64, 0)
    }
    fn at<'a>(&'a self, state: &State) -> Box<dyn Cursor + 'a> {
        Box::new(At(state.clone()))
    }
}

struct At(State);

impl Cursor for At {
    fn state(&self) -> &State {
        &self.0
    }
    fn go(&mut self, state: &State) {
        self.0.clone_from(state);
    }
    fn is_terminal(&mut self) -> bool {
        self.0.has(FluentId(63))
    }
    fn legal_into(&mut self, role: RoleId, moves: &mut Vec<MoveId>) {
        moves.extend((0..4).filter(|&n| n == 0 || !self.0.has(FluentId(role.0 as u32 * 4 + n))).map(MoveId));
    }
    fn next(&mut self, joint: &[MoveId]) -> State {
        let mut next = self.0.clone();
        for (role, mv) in joint.iter().enumerate() {
            next.set(FluentId(role as u32 * 4 + mv.0), true);
        }
        let clock = (60..64).find(|&n| !self.0.has(FluentId(n))).unwrap_or(63);
        next.set(FluentId(clock + u32::from(clock == 60)), true);
        next.set(FluentId(60), true);
        next
    }
    fn percepts(&mut self, joint: &[MoveId], _: RoleId) -> Vec<PerceptId> {
        vec![PerceptId(joint.iter().map(|mv| mv.0).sum())]
    }
    fn goals(&mut self, _: RoleId) -> Vec<i64> {
        vec![0]
    }
    fn fact(&mut self, _: &Term) -> Option<bool> {
        None
    }
}

impl Names for Toy {
    fn fluent_term(&self, fluent: FluentId) -> Term {
        Term::list("f", [Term::word(fluent.0.to_string())])
    }
    fn move_term(&self, _: RoleId, mv: MoveId) -> Term {
        Term::word(NAMES[mv.0 as usize])
    }
    fn percept_term(&self, _: RoleId, percept: PerceptId) -> Term {
        Term::list("sum", [Term::word(percept.0.to_string())])
    }
    fn move_named(&self, _: RoleId, name: &Term) -> Option<MoveId> {
        NAMES.iter().position(|other| *other == name.to_string()).map(|n| MoveId(n as u32))
    }
    fn percept_named(&self, role: RoleId, name: &Term) -> Option<PerceptId> {
        (0..=9).map(PerceptId).find(|&n| self.percept_term(role, n) == *name)
    }
    fn fluent_named(&self, _: &Term) -> Option<FluentId> {
        None
    }
    fn fluent_count(&self) -> usize {
        64
    }
}

impl Play for Toy {}

impl Structure for Toy {
    fn ground(&self, _: &Scope<'_>) -> Result<Arc<Ground>, TooLarge> {
        Err(TooLarge { what: "a toy".into(), limit: crate::Limit::Nodes(0) })
    }
}

pub(crate) fn toy(roles: usize) -> Game {
    let names = ["left", "right", "judge"];
    Game {
        roles: names[..roles].iter().map(|name| Role { name: name.to_string(), is_chance: false }).collect(),
        rules: Arc::new(Toy),
        knows_own_moves: true,
        is_sequential: false,
        written: crate::Written::Nowhere,
    }
}
