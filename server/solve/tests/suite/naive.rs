//! Games played history by history with only the rules, as the reference for the crate's tests.

use std::collections::{BTreeMap, BTreeSet};

use percept_game::{Game, JointMove, MoveId, PerceptId, RoleId, State};
use percept_infoset::View;
use percept_solve::Strategy;

/// The numbers of everything that can be played, from replaying every history from its start.
#[derive(Default, Debug)]
pub struct Counts {
    pub histories: usize,
    pub leaves: usize,
    pub longest: usize,
    /// For each role, the views in which it has several moves.
    pub infosets: BTreeMap<u16, BTreeSet<View>>,
    /// The number of histories of each length.
    pub by_length: Vec<usize>,
}

fn joints(legal: &[Vec<MoveId>]) -> Vec<JointMove> {
    legal.iter().fold(vec![Vec::new()], |joints, moves| {
        let longer = |joint: &JointMove| moves.iter().map(move |&mv| [&joint[..], &[mv]].concat()).collect::<Vec<_>>();
        joints.iter().flat_map(longer).collect()
    })
}

fn legal(game: &Game, state: &State) -> Vec<Vec<MoveId>> {
    game.role_ids().map(|role| game.rules.legal(state, role)).collect()
}

pub fn count(game: &Game) -> Counts {
    let mut counts = Counts::default();
    let mut histories: Vec<Vec<JointMove>> = vec![Vec::new()];
    while !histories.is_empty() {
        counts.by_length.push(histories.len());
        counts.histories += histories.len();
        let mut longer = Vec::new();
        for history in &histories {
            let states = percept_infoset::play(game, history).expect("the history is a match");
            let state = states.last().expect("there is a state");
            if game.rules.terminal(state) {
                counts.leaves += 1;
                counts.longest = history.len();
                continue;
            }
            let legal = legal(game, state);
            for role in game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance) {
                if legal[role.0 as usize].len() > 1 {
                    let view = View::of_match(game, role, history).expect("the history is a match");
                    counts.infosets.entry(role.0).or_default().insert(view);
                }
            }
            longer.extend(joints(&legal).into_iter().map(|joint| [&history[..], &[joint]].concat()));
        }
        histories = longer;
    }
    counts
}

/// A history that a role considers possible: its state, its probability given the others' play, and the views of all
/// roles.
#[derive(Clone)]
struct Possible {
    state: State,
    reach: f64,
    views: Vec<View>,
}

/// A role's best goal if the others play by a table, by plain recursion over the histories that it cannot tell apart.
pub fn best_response(game: &Game, role: RoleId, strategy: &Strategy) -> f64 {
    let views = game.role_ids().map(|role| View { role, rounds: Vec::new() }).collect();
    best(game, role, strategy, vec![Possible { state: game.rules.initial(), reach: 1.0, views }])
}

fn best(game: &Game, role: RoleId, strategy: &Strategy, histories: Vec<Possible>) -> f64 {
    let (over, on): (Vec<_>, Vec<_>) = histories.into_iter().partition(|it| game.rules.terminal(&it.state));
    let ended: f64 = over.iter().map(|it| it.reach * game.rules.goals(&it.state, role)[0] as f64).sum();
    let Some(first) = on.first() else { return ended };
    let own = game.rules.legal(&first.state, role);
    let mut greatest = f64::NEG_INFINITY;
    for mv in own {
        let mut after: BTreeMap<Vec<PerceptId>, Vec<Possible>> = BTreeMap::new();
        for history in &on {
            for (percepts, next) in successors(game, role, strategy, history, mv) {
                after.entry(percepts).or_default().push(next);
            }
        }
        let value: f64 = after.into_values().map(|histories| best(game, role, strategy, histories)).sum();
        greatest = greatest.max(value);
    }
    ended + greatest
}

fn successors(
    game: &Game,
    role: RoleId,
    strategy: &Strategy,
    history: &Possible,
    own: MoveId,
) -> Vec<(Vec<PerceptId>, Possible)> {
    let mut legal = legal(game, &history.state);
    legal[role.0 as usize] = vec![own];
    let mut result = Vec::new();
    for joint in joints(&legal) {
        let mut reach = history.reach;
        for other in game.role_ids().filter(|&other| other != role) {
            let (mv, moves) = (joint[other.0 as usize], &legal[other.0 as usize]);
            reach *= match game.roles[other.0 as usize].is_chance {
                true => 1.0 / moves.len() as f64,
                false if moves.len() == 1 => 1.0,
                false => {
                    let table = strategy.at(game, &history.views[other.0 as usize]).expect("the view is in the table");
                    let name = game.rules.move_name(other, mv);
                    table.iter().find(|(other, _)| *other == name).expect("the move is in the table").1
                }
            };
        }
        if reach == 0.0 {
            continue;
        }
        let mut views = history.views.clone();
        for view in &mut views {
            let own = game.knows_own_moves.then(|| joint[view.role.0 as usize]);
            let percepts = game.rules.percepts(&history.state, &joint, view.role);
            view.rounds.push(percept_infoset::Round { own, percepts });
        }
        let percepts = game.rules.percepts(&history.state, &joint, role);
        result.push((percepts, Possible { state: game.rules.next(&history.state, &joint), reach, views }));
    }
    result
}
