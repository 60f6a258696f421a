//! The published POGDDL games, replayed: every action of the published experiment's matches must be legal for the role
//! that makes it. Reads `PERCEPT_CORPUS` and `PERCEPT_ORACLE`.

mod support;

use std::collections::BTreeMap;

use percept_game::{Game, MoveId, PogddlOptions, PogddlTerminal, Scope};
use rand::{Rng, SeedableRng, rngs::SmallRng};
use support::{Bounds, Evaluation, folder, joint, mover, published};

#[test]
fn published_matches_replay() {
    let (Some(corpus), Some(oracle)) = (folder("PERCEPT_CORPUS"), folder("PERCEPT_ORACLE")) else { return };
    let is_heavy = std::env::var_os("PERCEPT_HEAVY").is_some();
    let text = std::fs::read_to_string(oracle.join("table1.jsonl")).expect("table1.jsonl");
    let mut games: BTreeMap<String, Game> = BTreeMap::new();
    let mut replayed = 0;
    for (index, line) in text.lines().enumerate() {
        if !is_heavy && index % 5 != 0 {
            continue;
        }
        let entry: serde_json::Value = serde_json::from_str(line).expect("json");
        let word = |name: &str| entry[name].as_str().expect("text").to_owned();
        let terminal = match word("terminal").as_str() {
            "payoff" => PogddlTerminal::Payoff,
            _ => PogddlTerminal::NoMoves,
        };
        let game = games
            .entry(word("problem"))
            .or_insert_with(|| published(&corpus, &word("domain"), &word("problem"), terminal));
        let mut state = game.rules.initial();
        let trace = entry["trace"].as_array().expect("trace");
        assert_eq!(trace.len() as u64, entry["round"].as_u64().expect("round"));
        for (round, action) in trace.iter().enumerate() {
            let name = action.as_str().expect("action");
            let place = format!("{} round {round}: {name}", word("cell"));
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
        assert!(game.rules.fault().is_none(), "{}: a number that no match can have", word("cell"));
        let role = game.role(&word("role")).expect("role");
        assert_eq!(mover(game, &state), Some(role), "{}: whose turn after the trace", word("cell"));
        assert!(!game.rules.terminal(&state));
        replayed += 1;
    }
    assert!(replayed >= 59, "{replayed} matches replayed");
}

/// Random matches, each round ground with what one role knows: evaluated on the true state the circuit must say what
/// the rules say, and the true state must stay within what it says is possible and certain.
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

#[test]
fn rounds_of_published_games_are_right_and_small() {
    let Some(corpus) = folder("PERCEPT_CORPUS") else { return };
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
        let game = published(&corpus, domain, problem, terminal);
        check_rounds(problem, &game, 120, 1);
    }
}

/// Every published problem is set up in well under a second and plays, except the two that have real mistakes.
#[test]
fn published_problems_set_up() {
    let Some(corpus) = folder("PERCEPT_CORPUS") else { return };
    let domains = ["Coin", "Difference", "EndGame", "Gops", "LongBattleship", "Mastermind", "Racko"];
    let domains = domains.map(|name| support::read(&corpus.join("pogddl").join(format!("{name}.pog"))));
    let mut problems: Vec<_> = std::fs::read_dir(corpus.join("pogddl/problems"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    problems.sort();
    let mut refused = Vec::new();
    for path in &problems {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let prefix = name.split('-').next().expect("a prefix").to_owned();
        let of = ["coin", "difference", "endgame", "gops", "battleship", "mastermind", "racko"];
        let index = of.iter().position(|known| **known == *prefix).expect("a known game");
        let (domain, problem) = support::parts(&[&domains[index], &support::read(path)]);
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
        coin-1.pog: nobody can move: declare the predicate `(whoseturn ?r - role)`, which says whose turn it is
        mastermind-7.pog: no constant or object is called `p03`"#]]
    .assert_eq(&refused.join("\n"));
    assert!(problems.len() > 60);
}
