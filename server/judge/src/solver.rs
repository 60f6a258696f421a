//! Longer and longer matches from a solver, for states that random matches rarely reach. Each state is the target of a
//! rule, described by the gates of the ground game. A match found this way is replayed by the game's rules and shown
//! like any other match.

use percept_game::{JointMove, MoveId, Scope, State};
use percept_infoset::Budget;
use percept_infoset::prove::bounded::Bounded;

use crate::{Case, Occasion, Watch};

/// The most gates of a circuit that is unrolled, and the size of a formula at which it no longer grows.
const MOST_GATES: usize = 60_000;
const MOST_NODES: usize = 3_000_000;

/// Searches until the time runs out, no rule has a target left, or no match is longer.
pub(crate) fn search(case: &Case<'_>, budget: &Budget, watches: &mut [Box<dyn Watch + '_>]) {
    let game = case.game;
    // In a sequential game each round is unrolled again for the knowledge before it, which takes additional time.
    if game.is_sequential {
        return;
    }
    let Ok(ground) = game.rules.ground(&Scope::default()) else { return };
    if ground.circuit.nodes().len() > MOST_GATES {
        return;
    }
    let Some(mut search) = Bounded::single(game, ground.clone(), 0, budget) else { return };
    loop {
        let mut is_wanted = false;
        for index in 0..watches.len() {
            for wanted in watches[index].targets(&ground) {
                is_wanted = true;
                match search.reach(&wanted) {
                    None => return,
                    Some(None) => {}
                    Some(Some(rounds)) => show(case, &rounds, watches),
                }
            }
        }
        if !is_wanted || search.size() > MOST_NODES || search.goes_on() != Some(true) || search.deepen().is_err() {
            return;
        }
    }
}

/// Plays a match as far as the rules allow it, and shows its states.
fn show(case: &Case<'_>, rounds: &[JointMove], watches: &mut [Box<dyn Watch + '_>]) {
    let rules = &case.game.rules;
    let mut state: State = rules.initial();
    for at in 0..=rounds.len() {
        let is_terminal = rules.terminal(&state);
        let legal: Vec<Vec<MoveId>> = match is_terminal {
            true => Vec::new(),
            false => case.game.role_ids().map(|role| rules.legal(&state, role)).collect(),
        };
        let history = || rounds[..at].to_vec();
        // No shorter match leads to the target, because all shorter ones were tried before.
        let occasion = Occasion {
            game: case.game,
            state: &state,
            is_terminal,
            legal: &legal,
            history: &history,
            is_shortest: true,
        };
        watches.iter_mut().for_each(|watch| watch.state(&occasion));
        let Some(joint) = rounds.get(at) else { return };
        if is_terminal || !legal.iter().zip(joint).all(|(legal, mv)| legal.contains(mv)) {
            return;
        }
        state = rules.next(&state, joint);
    }
}
