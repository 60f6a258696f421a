//! The published POGDDL games, replayed: every action of the published experiment's matches must be legal for the role
//! that makes it.

use percept_game::{Game, MoveId, PogddlOptions, PogddlTerminal, Scope};
use percept_test::games::parts;
use percept_test::matches::{joint, mover};
use percept_test::{entries, file_name, folder, is_heavy, published, read};
use rand::{Rng, SeedableRng, rngs::SmallRng};

use crate::support::{Bounds, Evaluation};

mod oracle {
    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_ORACLE and PERCEPT_CORPUS"]
    fn published_matches_replay() {
        let mut count = 0;
        let every_fifth = |_: &str, _| {
            count += 1;
            is_heavy() || count % 5 == 1
        };
        let positions = published::positions(every_fifth);
        for position in &positions {
            let (game, cell) = (&position.game, &position.cell);
            let mut state = game.rules.initial();
            assert_eq!(position.actions.len() as u64, position.round);
            for (round, name) in position.actions.iter().enumerate() {
                let place = format!("{cell} round {round}: {name}");
                assert!(!game.rules.terminal(&state), "{place}: the match is over");
                let role = mover(game, &state).unwrap_or_else(|| panic!("{place}: nobody's turn"));
                let mv = game.rules.find_move(role, name).unwrap_or_else(|| panic!("{place}: no such action"));
                let legal = game.rules.legal(&state, role);
                assert!(legal.contains(&mv), "{place}: not legal");
                let joint = joint(game, role, mv);
                for other in game.role_ids().filter(|other| other.0 > 0) {
                    assert!(!game.rules.percepts(&state, &joint, other).is_empty(), "{place}: no message");
                }
                state = game.rules.next(&state, &joint);
            }
            assert!(game.rules.fault().is_none(), "{cell}: a number that no match can have");
            assert_eq!(mover(game, &state), Some(position.role), "{cell}: whose turn after the trace");
            assert!(!game.rules.terminal(&state));
        }
        assert!(positions.len() >= 59, "{} matches replayed", positions.len());
    }
}

/// Random matches, each round ground with one role's knowledge: on the true state the circuit must give the same
/// answers as the rules, and the true state must stay within the possible and certain facts.
fn check_rounds(name: &str, game: &Game, rounds: usize, seed: u64) {
    let mut random = SmallRng::seed_from_u64(seed);
    let viewer = game.role("p1").expect("p1");
    let (mut state, mut nodes, mut spent) = (game.rules.initial(), 0, std::time::Duration::ZERO);
    let (mut possible, mut certain) = (state.clone(), state.clone());
    let mut played = 0;
    while played < rounds && !game.rules.terminal(&state) {
        let role = mover(game, &state).expect("a mover");
        let legal = game.rules.legal(&state, role);
        let mv = legal[random.random_range(0..legal.len())];
        let joint = joint(game, role, mv);
        let percepts = game.rules.percepts(&state, &joint, viewer);
        let scope = Scope {
            possible: Some(&possible),
            certain: Some(&certain),
            observed: Some((viewer, &percepts)),
            ..Scope::default()
        };
        let start = std::time::Instant::now();
        let ground = game.rules.ground(&scope).expect("small enough");
        spent += start.elapsed();
        nodes = nodes.max(ground.circuit.nodes().len());
        let place = format!("{name} round {played} {}", game.rules.move_name(role, mv));
        let evaluation = Evaluation::new(&ground, &state, &joint);
        for other in game.role_ids() {
            let made = joint[other.0 as usize];
            let is_listed = evaluation.legal(other).contains(&made) || (made == MoveId::NOOP && other != role);
            assert!(is_listed, "{place}: the move is not legal in the circuit");
            assert_eq!(evaluation.sees(other), sorted(game.rules.percepts(&state, &joint, other)), "{place}: percepts");
            assert_eq!(evaluation.goals(other), game.rules.goals(&state, other), "{place}: goals");
        }
        assert!(!evaluation.terminal(), "{place}");
        let next = game.rules.next(&state, &joint);
        assert_eq!(evaluation.next(), next, "{place}: next");
        (possible, certain) = Bounds::new(&ground, &possible, &certain).next(&ground, &state);
        assert!(next.fluents().all(|fluent| possible.has(fluent)), "{place}: possible");
        assert!(certain.fluents().all(|fluent| next.has(fluent)), "{place}: certain");
        state = next;
        played += 1;
    }
    let mean = spent.as_secs_f64() * 1e3 / played.max(1) as f64;
    eprintln!("{name}: {played} rounds, at most {nodes} nodes, {mean:.2} ms a round");
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list
}

mod corpus {
    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn rounds_of_published_games_are_right_and_small() {
        use PogddlTerminal::*;
        let games = [
            ("Racko.pog", "racko-5.20.pog", Payoff),
            ("Racko.pog", "racko-10.60.pog", Payoff),
            ("Gops.pog", "gops-2.10.pog", NoMoves),
            ("Gops.pog", "gops-10.40.pog", NoMoves),
            ("LongBattleship.pog", "battleship-3.4.pog", Payoff),
            ("LongBattleship.pog", "battleship-5.10.pog", Payoff),
            ("EndGame.pog", "endgame-1.pog", NoMoves),
            ("Difference.pog", "difference-1.pog", NoMoves),
        ];
        for (domain, problem, terminal) in games {
            let game = published::pogddl(domain, problem, terminal);
            check_rounds(problem, &game, 120, 1);
        }
    }

    /// Every published problem is set up in less than a second and can be played, except the two that have real
    /// mistakes.
    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn published_problems_set_up() {
        let folder = folder("PERCEPT_CORPUS").join("pogddl");
        let domains = ["Coin", "Difference", "EndGame", "Gops", "LongBattleship", "Mastermind", "Racko"];
        let domains = domains.map(|name| read(folder.join(format!("{name}.pog"))));
        let problems = entries(folder.join("problems"));
        let mut refused = Vec::new();
        for path in &problems {
            let name = file_name(path);
            let prefix = name.split('-').next().expect("a prefix").to_owned();
            let of = ["coin", "difference", "endgame", "gops", "battleship", "mastermind", "racko"];
            let index = of.iter().position(|other| **other == *prefix).expect("a known game");
            let (domain, problem) = parts(&[&domains[index], &read(path)]);
            let start = std::time::Instant::now();
            match Game::from_pogddl(&domain, &problem, &PogddlOptions { terminal: PogddlTerminal::Payoff }) {
                Ok(game) => {
                    let spent = start.elapsed();
                    assert!(spent.as_secs_f64() < 1.0, "{name}: {spent:?}");
                    let mut state = game.rules.initial();
                    game.playout(&mut state, 200, &mut SmallRng::seed_from_u64(1));
                }
                Err(errors) => refused.push(format!("{name}: {}", errors[0].message)),
            }
        }
        expect_test::expect![[r#"
        coin-1.pog: no role can move: declare the predicate `(whoseturn ?r - role)`, which says whose turn it is
        mastermind-7.pog: no constant or object is called `p03`"#]]
        .assert_eq(&refused.join("\n"));
        assert!(problems.len() > 60);
    }
}
