//! Compares every state and every round: facts, legal moves, end, goals, the next state and the percepts of every role.

use std::collections::{BTreeSet, HashMap};

use percept_game::{Game, MoveId, PerceptId, State, Term};
use percept_random_rules::graph::Graph;

use super::{Checked, Tally, fail, joint, same};

/// Plays all rounds of the graph.
pub fn all(game: &Game, graph: &Graph, way: &str, tally: &mut Tally) -> Checked {
    let mut states: HashMap<usize, State> = HashMap::from([(0, game.rules.initial())]);
    // The graph lists states in the order of their discovery, so each was reached before it is compared.
    for (at, node) in graph.nodes.iter().enumerate() {
        let Some(state) = states.get(&at).cloned() else {
            return fail("unreached", format!("{way}: state {at} is not reached"));
        };
        position(game, graph, at, &state, way)?;
        for round in &node.rounds {
            let place = || format!("{way}: in {:?}, {:?}", node.facts, round.joint);
            let moves = joint(game, &round.joint)?;
            for role in game.role_ids() {
                let seen = game.rules.percepts(&state, &moves, role);
                let mut names: Vec<String> = seen.iter().map(|&it| game.rules.percept_name(role, it)).collect();
                if !game.is_sequential {
                    names.sort();
                }
                let place = || format!("{}: what {} sees", place(), graph.roles[role.0 as usize]);
                same("percepts", place, names.clone(), round.percepts[role.0 as usize].clone())?;
                let words: Vec<Term> = names.iter().map(|name| name.parse().expect("a name")).collect();
                let mut found = game.rules.percepts_named(role, &words);
                found.iter_mut().for_each(|found: &mut Vec<PerceptId>| found.sort_unstable());
                let mut sorted = seen;
                sorted.sort_unstable();
                same("percept names", place, found, Some(sorted))?;
            }
            let next = game.rules.next(&state, &moves);
            facts(game, &next, &graph.nodes[round.to].facts, &place)?;
            match states.get(&round.to) {
                Some(old) => same("states", || format!("{}: one state, two ways to it", place()), &next, old)?,
                None => {
                    states.insert(round.to, next);
                }
            }
        }
        tally.count("rounds", node.rounds.len());
    }
    tally.count("states", graph.nodes.len());
    Ok(())
}

fn position(game: &Game, graph: &Graph, at: usize, state: &State, way: &str) -> Checked {
    let node = &graph.nodes[at];
    let place = || format!("{way}: in {:?}", node.facts);
    if at == 0 {
        facts(game, state, &node.facts, &place)?;
    }
    same("terminal", place, game.rules.terminal(state), node.terminal)?;
    for role in game.role_ids() {
        let index = role.0 as usize;
        let place = |what: &str| format!("{}: {} of {}", place(), what, graph.roles[index]);
        let legal: Vec<MoveId> = game.rules.legal(state, role);
        let mut names: Vec<String> = legal.iter().map(|&mv| game.rules.move_name(role, mv)).collect();
        if !game.is_sequential {
            names.sort();
        }
        same("legal", || place("moves"), names.clone(), node.legal[index].clone())?;
        let found: Vec<Option<MoveId>> = names.iter().map(|name| game.rules.find_move(role, name)).collect();
        let found: BTreeSet<Option<MoveId>> = found.into_iter().collect();
        same("move names", || place("moves"), found, legal.into_iter().map(Some).collect())?;
        let mut goals = game.rules.goals(state, role);
        goals.sort_unstable();
        same("goals", || place("goals"), goals, node.goals[index].clone())?;
    }
    Ok(())
}

/// Compares the state in words: exactly the facts of the naive reader. In POGDDL, facts that no move can change are not
/// fluents.
fn facts(game: &Game, state: &State, expected: &BTreeSet<String>, place: &dyn Fn() -> String) -> Checked {
    let mut holds: BTreeSet<String> = state.fluents().map(|fluent| game.rules.fluent_name(fluent)).collect();
    let numbers = game.rules.register_names().into_iter().zip(&state.registers);
    holds.extend(numbers.map(|(name, value)| format!("(= {name} {value})")));
    let mut wanted = expected.clone();
    if game.is_sequential {
        // States contain no static facts and numbers; the naive reader lists no zeros.
        let registers = game.rules.register_names();
        let is_register = |fact: &str| registers.iter().any(|name| fact.starts_with(&format!("(= {name} ")));
        wanted.retain(|fact| holds.contains(fact) || is_register(fact) || game.rules.find_fluent(fact).is_some());
        holds.retain(|fact| !fact.starts_with("(= ") || !fact.ends_with(" 0)"));
    }
    same("facts", || format!("{}: the state after", place()), holds, wanted)
}
