//! Certain knowledge of a role: drawn members alone make nothing certain. With a single draw, and no room for exact
//! counts, the certain statements must equal those of the exact counts.

use percept_game::gdl::Grounding;
use percept_game::{Game, RoleId};
use percept_infoset::{Budget, View};
use percept_report::belief::{Effort, Knowledge, Worlds};
use percept_test::matches::random;

fn game(path: &str) -> Game {
    let loaded = percept_report::load::sources(&percept_test::games().join(path), None).expect("a game");
    percept_report::load::game(&loaded, None, &Grounding::default()).expect("a game")
}

/// The certain statements: facts, legal moves, the end, the goals.
fn certain(game: &Game, worlds: &Worlds) -> (Vec<String>, Vec<String>, Knowledge<bool>, Knowledge<Vec<i64>>) {
    let facts =
        worlds.beliefs(game).into_iter().filter(|it| it.probability >= 1.0).map(|it| it.fluent.to_string()).collect();
    let legal = worlds.legal(game).into_iter().filter(|(_, chance)| *chance >= 1.0);
    let legal = legal.map(|(mv, _)| game.rules.move_name(worlds.role, mv)).collect();
    (facts, legal, worlds.terminal(game), worlds.goals(game))
}

#[test]
fn one_draw_and_a_proof_make_as_much_certain_as_exact_counts() {
    let games = [
        ("blind-tic-tac-toe/blind-tic-tac-toe.kif", 4),
        ("battleship/battleship-2-4.pog", 12),
        ("gops/gops-2-10.pog", 8),
        ("racko/racko-2-7.pog", 8),
        ("kuhn-poker/kuhn-poker.kif", 3),
        ("exploding-bomb/exploding-bomb.kif", 4),
    ];
    let (mut facts, mut open, mut moves) = (0, 0, 0);
    for (path, rounds) in games {
        let game = game(path);
        let players: Vec<RoleId> = game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance).collect();
        for seed in 0..3 {
            let played = random(&game, seed, rounds);
            for (&role, length) in players.iter().flat_map(|role| (0..=played.len()).map(move |length| (role, length)))
            {
                let view = View::of_match(&game, role, &played[..length]).expect("a match");
                let whole = Worlds::of(&game, &view, &Effort::default(), &Budget::default()).expect("exact");
                assert!(whole.is_exact(), "{path}");
                let drawn = Effort { memory: 0, members: 1, ..Effort::default() };
                let drawn = Worlds::of(&game, &view, &drawn, &Budget::default()).expect("a member");
                let (estimate, truth) = (certain(&game, &drawn), certain(&game, &whole));
                assert_eq!(estimate.0, truth.0, "{path} seed {seed} role {role:?} round {length}");
                // One draw cannot show a difference, but it must not count as a proof either. A draw that is over
                // proposes no moves.
                if truth.2 != Knowledge::Open || !estimate.1.is_empty() {
                    assert_eq!(estimate.1, truth.1, "{path} seed {seed} role {role:?} round {length}");
                }
                assert_eq!(value(&estimate.2), value(&truth.2), "{path} seed {seed} role {role:?} round {length}");
                if truth.2 == Knowledge::Certain(true) {
                    assert_eq!(value(&estimate.3), value(&truth.3), "{path} seed {seed} role {role:?} round {length}");
                }
                facts += truth.0.len();
                moves += truth.1.len();
                open += usize::from(!drawn.is_exact());
            }
        }
    }
    assert!(facts > 1000 && moves > 100 && open > 50, "{facts} facts, {moves} moves, {open} sets of several members");
}

/// A known value as text.
fn value<T: std::fmt::Debug>(it: &Knowledge<T>) -> Option<String> {
    match it {
        Knowledge::Certain(it) => Some(format!("{it:?}")),
        Knowledge::Open | Knowledge::Undecided => None,
    }
}

#[test]
fn without_time_for_a_proof_nothing_is_certain() {
    // Three ships each on 6 x 6: about 10^8 placements at the start.
    let game = game("battleship/battleship-3-6.pog");
    let played = random(&game, 7, 20);
    let view = View::of_match(&game, RoleId(0), &played).expect("a match");
    let late = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let budget = Budget { deadline: Some(late), ..Budget::default() };
    // All of the time is for drawing.
    let spent = Effort { memory: 0, exact_share: 0.0, drawn_share: 1.0, ..Effort::default() };
    let effort = Effort { members: 20, proofs: false, ..spent };
    let worlds = Worlds::of(&game, &view, &effort, &budget).expect("members");
    assert!(!worlds.is_exact());
    assert!(worlds.beliefs(&game).iter().all(|it| it.probability < 1.0));
    assert!(worlds.legal(&game).iter().all(|(_, chance)| *chance < 1.0));
    assert_eq!(worlds.terminal(&game), Knowledge::Undecided);
    let proved = Worlds::of(&game, &view, &Effort { proofs: true, ..effort }, &Budget::default()).expect("members");
    assert!(proved.beliefs(&game).iter().any(|it| it.probability >= 1.0), "what it shot at is certain");
    assert_eq!(proved.terminal(&game), Knowledge::Certain(false));
}

#[test]
fn a_set_of_few_histories_is_listed_and_then_as_exact_as_counted_states() {
    // The list comes from propagation and search over the unrolled view, the counts from the states round by round.
    let mut listed = 0;
    for (path, rounds) in [("battleship/battleship-2-4.pog", 30), ("kuhn-poker/kuhn-poker.kif", 3)] {
        let game = game(path);
        for seed in 0..4 {
            let played = random(&game, seed, rounds);
            for length in 0..=played.len() {
                let role = game.role_ids().find(|role| !game.roles[role.0 as usize].is_chance).expect("a player");
                let view = View::of_match(&game, role, &played[..length]).expect("a match");
                let counted = Worlds::of(&game, &view, &Effort::default(), &Budget::default()).expect("exact");
                // No joint move may be tried, so nothing is counted.
                let effort = Effort { tries: 0, ..Effort::default() };
                let found = Worlds::of(&game, &view, &effort, &Budget::default()).expect("members");
                if length == 0 || !found.is_exact() {
                    continue;
                }
                assert_ne!(found.method, "exact", "{path} seed {seed} round {length}");
                listed += 1;
                let (mut found, mut counted) = (found.beliefs(&game), counted.beliefs(&game));
                found.sort_by(|one, other| one.fluent.cmp(&other.fluent));
                counted.sort_by(|one, other| one.fluent.cmp(&other.fluent));
                assert_eq!(found.len(), counted.len(), "{path} seed {seed} round {length}");
                for (one, other) in found.iter().zip(&counted) {
                    assert_eq!(one.fluent, other.fluent, "{path} seed {seed} round {length}");
                    let differ = (one.probability - other.probability).abs();
                    assert!(differ < 1e-9, "{path} seed {seed} round {length}: {one:?}, counted {other:?}");
                }
            }
        }
    }
    assert!(listed > 50, "only {listed} sets were listed");
}
