//! The fragment of Koriche et al.: shared percepts proved, or refuted by a shortest match.

use std::collections::BTreeSet;

use crate::support::{gdl, rules, tic_tac_toe};
use percept_game::{Game, JointMove, MoveId, RoleId, State};
use percept_infoset::Budget;
use percept_players::fragment::{Fragment, Horizon, Shared};
use percept_players::scsp::{ScspError, Stage};
use rand::{Rng, SeedableRng, rngs::SmallRng};

fn fragment(path: &str) -> Fragment {
    Fragment::of(&gdl(path).game, None, &Budget::default())
}

/// The number of rounds that no match exceeds.
fn length(horizon: &Horizon) -> Option<u64> {
    match horizon {
        Horizon::Known(bound) => Some(bound.rounds),
        _ => None,
    }
}

#[test]
fn one_player_shares_with_itself() {
    let fragment = fragment("hidden-matching-pennies/hidden-matching-pennies.kif");
    assert!(fragment.is_inside());
    assert_eq!(length(&fragment.horizon), Some(2));
}

#[test]
fn without_percepts_everybody_sees_everything() {
    let game = tic_tac_toe();
    let fragment = Fragment::of(&game.game, None, &Budget::default());
    assert_eq!(fragment.shared, Shared::Proved { method: "structure" });
}

#[test]
fn a_secret_is_shown_by_a_shortest_match() {
    let game = gdl("exploding-bomb-arming/exploding-bomb-arming.kif");
    let found = Fragment::of(&game.game, None, &Budget::default());
    let Shared::Refuted { history, role, other, percepts } = found.shared else { panic!("{found:?}") };
    // The agent arms, and then reports: the opponent perceives the colour, the agent does not.
    assert_eq!((history.len(), role.0, other.0, percepts.len()), (2, 1, 0, 1));
    assert!(!found.is_propositional || length(&found.horizon).is_some());
}

/// The rules differ, but their percepts never do.
#[test]
fn sharing_may_follow_from_the_states_alone() {
    let game = rules(
        "(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2)
         (<= (legal ?r go) (role ?r)) (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
         (<= (sees a tick) (true (n ?x))) (<= (sees b tick) (does a go) (not (true (n 2))))
         (<= terminal (true (n 2))) (goal a 1) (goal b 1)",
    );
    let found = Fragment::of(&game.game, None, &Budget::default());
    assert_eq!(found.shared, Shared::Proved { method: "every-state" });
}

/// The places of a game that is a graph: role `a` goes along an edge, and `b` watches.
struct Places {
    edges: Vec<Vec<usize>>,
    ends: Vec<bool>,
}

impl Places {
    /// Up to six places with up to three edges each, including edges to themselves and to the first one. Some places
    /// are ends, and some have no edge although they are not ends.
    fn random(rng: &mut SmallRng) -> Places {
        let count = rng.random_range(1..=6);
        // Half of the graphs lead only onward; without these, hardly any match would end.
        let is_onward = rng.random_bool(0.5);
        let ways = |from: usize, rng: &mut SmallRng| {
            let least = if is_onward { from + 1 } else { 0 };
            let ways = (0..rng.random_range(0..=3)).filter(|_| least < count);
            ways.map(|_| rng.random_range(least..count)).collect()
        };
        let mut edges: Vec<Vec<usize>> = (0..count).map(|from| ways(from, rng)).collect();
        let leaves = |ways: &Vec<usize>| ways.is_empty() && rng.random_bool(0.7);
        let ends: Vec<bool> = edges.iter().map(leaves).collect();
        // An edge from an end does not count.
        if let Some(end) = ends.iter().position(|&end| end) {
            edges[end].push(0);
        }
        Places { edges, ends }
    }

    fn game(&self) -> percept_players::Briefing {
        let mut text = String::from(
            "(role a) (role b) (init (at 0)) (<= (legal a (go ?y)) (true (at ?x)) (way ?x ?y)) (legal b look)
             (<= (next (at ?y)) (does a (go ?y))) (<= terminal (true (at ?x)) (end ?x)) (goal a 1) (goal b 1)
             (way none none) (end none)",
        );
        for (from, ways) in self.edges.iter().enumerate() {
            text.extend(ways.iter().map(|to| format!(" (way {from} {to})")));
            text.extend(self.ends[from].then(|| format!(" (end {from})")));
        }
        rules(&text)
    }

    /// The number of rounds of the longest match, found one round at a time. `None` if matches have as many rounds as
    /// there are places, so that a place repeats. The flag is true if some match reaches a place without an edge that
    /// is not an end.
    fn lengths(&self) -> (Option<usize>, bool) {
        let (mut now, mut is_stuck) = (vec![0], false);
        for round in 0..=self.edges.len() {
            let going: Vec<usize> = now.into_iter().filter(|&at| !self.ends[at]).collect();
            is_stuck |= going.iter().any(|&at| self.edges[at].is_empty());
            let next: BTreeSet<usize> = going.iter().flat_map(|&at| &self.edges[at]).copied().collect();
            now = next.into_iter().collect();
            if now.is_empty() {
                return (Some(round), is_stuck);
            }
        }
        (None, is_stuck)
    }
}

/// The places along a match, one more than it has rounds.
fn along(game: &Game, history: &[JointMove]) -> Vec<String> {
    let place = |state: &State| {
        let held: Vec<String> = state.fluents().map(|it| game.rules.fluent_name(it)).collect();
        held.join(" ")
    };
    let mut state = game.rules.initial();
    let mut places = vec![place(&state)];
    for joint in history {
        assert!(!game.rules.terminal(&state), "it was over");
        let is_legal = |(role, mv): (RoleId, &MoveId)| game.rules.legal(&state, role).contains(mv);
        assert!(game.role_ids().zip(joint).all(is_legal), "a move was not legal");
        state = game.rules.next(&state, joint);
        places.push(place(&state));
    }
    places
}

/// A match that ends, repeats for ever, or gets stuck: the finding agrees with brute force, and has a match that shows
/// it.
#[test]
fn horizons_of_random_graphs_are_those_of_brute_force() {
    let mut rng = SmallRng::seed_from_u64(7);
    let mut met = [0; 3];
    for number in 0..400 {
        let places = Places::random(&mut rng);
        let game = places.game().game;
        let found = Fragment::of(&game, None, &Budget::default());
        let stage = Stage::of(&game, &Budget::default());
        let shown = format!("{number}: {:?} {:?}: {:?}", places.edges, places.ends, found.horizon);
        match (places.lengths(), found.horizon) {
            ((_, true), Horizon::Stuck { role, history }) => {
                let place = along(&game, &history).pop().expect("a place");
                let at: usize = place[4..place.len() - 1].parse().expect("a number");
                assert!(role == "a" && places.edges[at].is_empty() && !places.ends[at], "{shown}");
                assert!(matches!(stage, Err(ScspError::Stuck { .. })), "{shown}");
                met[0] += 1;
            }
            ((None, false), Horizon::Endless { history, back_to }) => {
                let passed = along(&game, &history);
                assert!(back_to < history.len() && passed[back_to] == passed[history.len()], "{shown}");
                assert!(matches!(stage, Err(ScspError::Endless { .. })), "{shown}");
                met[1] += 1;
            }
            ((Some(longest), false), Horizon::Known(bound)) => {
                assert_eq!(bound.rounds, longest as u64, "{shown}");
                assert_eq!(stage.expect("a stage").horizon, longest, "{shown}");
                met[2] += 1;
            }
            (lengths, _) => panic!("{shown}, where brute force finds {lengths:?}"),
        }
    }
    assert!(met.iter().all(|&count| count > 30), "stuck, endless, ending: {met:?}");
}
