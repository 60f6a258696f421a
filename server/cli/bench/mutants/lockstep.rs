//! Compares a game with its mutant: both are played side by side in search of a visible difference.

use std::time::{Duration, Instant};

use percept_game::play::Stream;
use percept_game::{Game, JointMove, RoleId, State};

const MATCHES: u64 = 300;
const ROUNDS: usize = 200;

/// True if random matches show a difference in moves, percepts, ends or goals within the time.
pub(in crate::bench) fn differ(one: &Game, other: &Game, time: Duration) -> bool {
    let end = Instant::now() + time;
    let roles: Vec<&str> = one.roles.iter().map(|role| role.name.as_str()).collect();
    if !other.roles.iter().map(|role| role.name.as_str()).eq(roles) {
        return true;
    }
    (0..MATCHES).take_while(|_| Instant::now() < end).any(|number| parts(one, other, number, end))
}

/// True if one random match shows a difference. It is played with the legal moves of the first game.
fn parts(one: &Game, other: &Game, number: u64, end: Instant) -> bool {
    let mut stream = Stream::new(7, number);
    let games = [one, other];
    let mut states: Vec<State> = games.iter().map(|game| game.rules.initial()).collect();
    for _ in 0..ROUNDS {
        if Instant::now() > end {
            return false;
        }
        let both: Vec<Shown> = games.iter().zip(&states).map(|(game, state)| shown(game, state)).collect();
        if both[0] != both[1] {
            return true;
        }
        if both[0].is_terminal || both[0].legal.iter().any(Vec::is_empty) {
            return false;
        }
        let pick = |moves: &Vec<String>| moves[stream.below(moves.len() as u32) as usize].clone();
        let names: Vec<String> = both[0].legal.iter().map(pick).collect();
        let joint = |game: &Game| -> Option<JointMove> {
            game.role_ids().zip(&names).map(|(role, name)| find(game, role, name)).collect()
        };
        let joints: Option<Vec<JointMove>> = games.iter().map(|game| joint(game)).collect();
        let Some(joints) = joints else { return true };
        let percepts = |at: usize| percepts(games[at], &states[at], &joints[at]);
        if percepts(0) != percepts(1) {
            return true;
        }
        for at in 0..2 {
            states[at] = games[at].rules.next(&states[at], &joints[at]);
        }
    }
    false
}

/// The visible part of a state.
#[derive(PartialEq)]
struct Shown {
    is_terminal: bool,
    legal: Vec<Vec<String>>,
    goals: Vec<Vec<i64>>,
}

fn shown(game: &Game, state: &State) -> Shown {
    let is_terminal = game.rules.terminal(state);
    let moves = |role: RoleId| {
        let mut names: Vec<String> = match is_terminal {
            true => Vec::new(),
            false => game.rules.legal(state, role).into_iter().map(|mv| name(game, role, mv)).collect(),
        };
        names.sort();
        names
    };
    let goals = |role: RoleId| if is_terminal { game.rules.goals(state, role) } else { Vec::new() };
    Shown { is_terminal, legal: game.role_ids().map(moves).collect(), goals: game.role_ids().map(goals).collect() }
}

fn percepts(game: &Game, state: &State, joint: &JointMove) -> Vec<Vec<String>> {
    let of = |role: RoleId| {
        let seen = game.rules.percepts(state, joint, role).into_iter();
        let mut names: Vec<String> = seen.map(|percept| game.rules.percept_name(role, percept)).collect();
        names.sort();
        names
    };
    game.role_ids().map(of).collect()
}

fn name(game: &Game, role: RoleId, mv: percept_game::MoveId) -> String {
    if mv == percept_game::MoveId::NOOP { "noop".to_string() } else { game.rules.move_name(role, mv) }
}

fn find(game: &Game, role: RoleId, name: &str) -> Option<percept_game::MoveId> {
    let legal_noop = || (name == "noop").then_some(percept_game::MoveId::NOOP);
    game.rules.find_move(role, name).or_else(legal_noop)
}
