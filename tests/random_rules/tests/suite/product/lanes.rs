//! Many positions at once.

use std::collections::HashMap;

use percept_game::Lanes;
use percept_game::{Game, JointMove, State};
use percept_random_rules::graph::Graph;

use crate::product::{Checked, Tally, joint, same};

/// Plays the same rounds in all lanes at once: their answers are those of a single position.
pub fn all(game: &Game, graph: &Graph, tally: &mut Tally) -> Checked {
    let Some(mut lanes) = game.rules.lanes() else { return Ok(()) };
    let mut states: HashMap<usize, State> = HashMap::from([(0, game.rules.initial())]);
    let mut rounds: Vec<(usize, usize, JointMove)> = Vec::new();
    for (at, node) in graph.nodes.iter().enumerate() {
        for round in &node.rounds {
            let moves = joint(game, &round.joint)?;
            let next = game.rules.next(&states[&at], &moves);
            states.entry(round.to).or_insert(next);
            rounds.push((at, round.to, moves));
        }
    }
    for rounds in rounds.chunks(Lanes::COUNT) {
        rounds.iter().enumerate().for_each(|(lane, (at, ..))| lanes.put(lane, &states[at]));
        lanes.look();
        for (lane, (at, _, moves)) in rounds.iter().enumerate() {
            let place = || format!("in a lane: {:?}, {:?}", graph.nodes[*at].facts, moves);
            same("terminal", place, lanes.over() >> lane & 1 == 1, game.rules.terminal(&states[at]))?;
            for role in game.role_ids() {
                lanes.read(role);
                let mut legal = Vec::new();
                lanes.legal_into(lane, &mut legal);
                same("legal", place, legal, game.rules.legal(&states[at], role))?;
                same("goals", place, lanes.goals(lane, role), game.rules.goals(&states[at], role))?;
                lanes.make(lane, role, moves[role.0 as usize]);
            }
        }
        let among = (0..rounds.len()).fold(0, |lanes, lane| lanes | 1 << lane);
        for role in game.role_ids() {
            let mut percepts = vec![Vec::new(); Lanes::COUNT];
            lanes.percepts_into(role, among, &mut percepts);
            for ((at, _, moves), percepts) in rounds.iter().zip(percepts) {
                let place = || format!("in a lane: {:?}, {:?}", graph.nodes[*at].facts, moves);
                same("percepts", place, percepts, game.rules.percepts(&states[at], moves, role))?;
            }
        }
        lanes.step();
        for (lane, (at, to, moves)) in rounds.iter().enumerate() {
            let place = || format!("in a lane: after {:?}, {:?}", graph.nodes[*at].facts, moves);
            same("states", place, &lanes.states()[lane], &states[to])?;
        }
    }
    tally.count("rounds in lanes", rounds.len());
    Ok(())
}
