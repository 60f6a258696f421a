//! The atoms that a reader can ask about at one point of a match: facts, percepts, moves, the end and goals, both those
//! that hold and those that could.

use percept_game::stepper::Stepper;
use percept_game::{FluentId, Game, MoveId, Scope};

/// The most atoms listed that do not hold.
const ABSENT: usize = 3_000;

/// An atom that holds, or could.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The atom as it appears in a list.
    pub says: String,
    /// The atom as the rules write it.
    pub name: String,
    /// The kind of the atom.
    pub what: What,
    /// True if the atom holds at that point.
    pub holds: bool,
}

/// The kinds of atoms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A fluent of the state.
    Fluent,
    /// A percept of the last round, with the name of its role.
    Percept(String),
    /// A legal move, with the name of its role.
    Move(String),
    /// The end of the match, or a goal.
    Other,
}

/// All atoms: first those that hold, then the others in the order of the rules.
pub fn atoms(game: &Game, stepper: &Stepper) -> Vec<Atom> {
    let (rules, at) = (&game.rules, stepper.at());
    let state = &stepper.states()[at];
    let ground = rules.ground(&Scope::default()).ok();
    let mut atoms = Vec::new();
    let mut add = |says: String, name: String, what: What, holds: bool| atoms.push(Atom { says, name, what, holds });
    let over = rules.terminal(state);
    add(format!("end: the match is {}over", if over { "" } else { "not " }), "terminal".into(), What::Other, over);
    let goals = ground.as_ref().map(|ground| &ground.goals);
    for role in game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance) {
        let name = &game.roles[role.0 as usize].name;
        let has = rules.goals(state, role);
        let mut values: Vec<i64> =
            goals.map_or(Vec::new(), |goals| goals[role.0 as usize].iter().map(|it| it.0).collect());
        values.extend(&has);
        values.sort_unstable();
        values.dedup();
        for value in values.into_iter().filter(|_| !game.is_sequential) {
            let holds = has.contains(&value);
            add(format!("goal: {name} {value}"), format!("(goal {name} {value})"), What::Other, holds);
        }
    }
    for fluent in (0..rules.fluent_count() as u32).map(FluentId) {
        let name = rules.fluent_name(fluent);
        add(format!("fact: {name}"), name, What::Fluent, state.has(fluent));
    }
    for role in game.role_ids() {
        let who = &game.roles[role.0 as usize].name;
        let legal = rules.legal(state, role);
        let mut moves: Vec<MoveId> = legal.clone();
        moves.extend(ground.iter().flat_map(|ground| ground.moves[role.0 as usize].iter().map(|it| it.0)));
        moves.sort_unstable();
        moves.dedup();
        for mv in moves.into_iter().filter(|mv| *mv != MoveId::NOOP) {
            let name = rules.move_name(role, mv);
            add(format!("move: {who} {name}"), name, What::Move(who.clone()), legal.contains(&mv) && !over);
        }
        if at == 0 || game.roles[role.0 as usize].is_chance {
            continue;
        }
        let seen = rules.percepts(&stepper.states()[at - 1], &stepper.joints()[at - 1], role);
        let mut percepts = seen.clone();
        percepts.extend(ground.iter().flat_map(|ground| ground.sees[role.0 as usize].iter().map(|it| it.0)));
        percepts.sort_unstable();
        percepts.dedup();
        for percept in percepts {
            let name = rules.percept_name(role, percept);
            add(format!("percept: {who} {name}"), name, What::Percept(who.clone()), seen.contains(&percept));
        }
    }
    // One name may be of several kinds, so the list is not sorted by name.
    atoms.sort_by_key(|it| !it.holds);
    let held = atoms.iter().take_while(|it| it.holds).count();
    atoms.truncate(held + ABSENT);
    atoms
}
