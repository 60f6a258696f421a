//! The extensive form and best responses, compared with histories played one by one.

use crate::naive;
use percept_game::{PogddlTerminal, RoleId};
use percept_infoset::Budget;
use percept_solve::cfr::Variant;
use percept_solve::tree::{BuildError, Space, build, count};
use percept_solve::{Kind, Method, Options, Sampling, Strategy, solve};
use percept_test::{game, gdl, more, mutants, pogddl};

const GAMES: [&str; 8] = [
    "kuhn-poker/kuhn-poker.kif",
    "poker/king-and-jack.pog",
    "exploding-bomb/exploding-bomb.kif",
    "exploding-bomb-arming/exploding-bomb-arming.kif",
    "hidden-matching-pennies/hidden-matching-pennies.kif",
    "goofspiel/goofspiel-4-descending.kif",
    "liars-dice/liars-dice.kif",
    "leduc-poker/leduc-poker.kif",
];

#[test]
fn trees_hold_every_history_and_every_information_set() {
    for name in GAMES {
        let game = game(name);
        let tree = build(&game, &Space::default(), &Budget::default()).expect("it has a tree");
        let naive = naive::count(&game);
        assert_eq!(tree.histories, naive.histories as f64, "{name}");
        assert_eq!(tree.rounds, naive.longest, "{name}");
        let leaves: u64 = tree.leaves.iter().map(|leaf| leaf.histories).sum();
        assert_eq!(leaves, naive.leaves as u64, "{name}");
        for plex in &tree.players {
            let infosets = naive.infosets.get(&plex.role.0).map_or(0, |views| views.len());
            assert_eq!(plex.infosets.len(), infosets, "{name}, {:?}", plex.role);
        }
        let weight: f64 = (0..tree.leaves.len())
            .map(|leaf| {
                // If all players play uniformly, the probabilities of all leaves add up to one.
                let sequences = tree.sequences(leaf).iter().zip(&tree.players);
                let reach = sequences.map(|(&at, plex)| percept_solve::plan::uniform(plex)[at as usize]);
                tree.weight(leaf) * reach.product::<f64>()
            })
            .take(if tree.leaves.len() > 1_000 { 0 } else { usize::MAX })
            .sum();
        assert!(tree.leaves.len() > 1_000 || (weight - 1.0).abs() < 1e-9, "{name}: {weight}");
        let size = count(&game, 1_000_000, &Budget::default());
        assert_eq!((size.histories, size.complete), (naive.histories.into(), true), "{name}");
    }
}

/// The bracket of rough strategies equals the plain best responses to their tables.
#[test]
fn brackets_are_best_responses() {
    for name in GAMES {
        let game = game(name);
        let options = Options { method: Method::Cfr(Variant::Plus), iterations: Some(7), ..Options::default() };
        let solution = solve(&game, &options, &Budget::default()).expect("it has a tree");
        let strategy = solution.strategy(&game);
        let roles: Vec<RoleId> = solution.values.iter().map(|value| value.role).collect();
        match solution.kind {
            Kind::ZeroSum(_) => {
                let found = roles.iter().map(|&role| naive::best_response(&game, role, &strategy));
                let found: Vec<f64> = found.collect();
                for (at, value) in solution.values.iter().enumerate() {
                    assert!((value.high - found[at]).abs() < 1e-7, "{name}: {value:?}, found {}", found[at]);
                }
                assert!(solution.values[0].low < solution.values[0].high, "{name}: the strategies are not rough");
            }
            Kind::Alone => {
                let found = naive::best_response(&game, roles[0], &Strategy::default());
                assert!((solution.values[0].low - found).abs() < 1e-9, "{name}");
            }
            Kind::Together | Kind::General => panic!("{name} is a game with a value"),
        }
    }
}

#[test]
fn strategies_are_read_back() {
    for name in ["kuhn-poker/kuhn-poker.kif", "poker/king-and-jack.pog", "goofspiel/goofspiel-4-descending.kif"] {
        let game = game(name);
        for method in [Method::Auto, Method::Cfr(Variant::Predictive)] {
            let options = Options { method, ..Options::default() };
            let strategy = solve(&game, &options, &Budget::default()).expect("it has a tree").strategy(&game);
            let text = strategy.to_text(&["about (it".to_string()]);
            let read = Strategy::from_text(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(read.entries().len(), strategy.entries().len(), "{name}");
            for (read, written) in read.entries().iter().zip(strategy.entries()) {
                // Zero and one are read as fractions, too.
                assert_eq!((&read.role, &read.view), (&written.role, &written.view), "{name}");
                assert_eq!(read.moves, written.moves, "{name}");
                assert!(written.fractions.is_none() || read.fractions == written.fractions, "{name}");
            }
        }
    }
    let wrong = [
        ("(at p1 (play (1 bet))", "line 1: this `(` is never closed"),
        ("\n)", "line 2: this `)` closes nothing"),
        ("(at p1 (play (1/3 bet)))", "add up to 0.333"),
        ("(at p1 (play (2 bet)))", "`2` is not a probability"),
        ("(at p1 (play (1/0 bet)))", "`1/0` is not a probability"),
        ("(at p1)", "an entry is written"),
    ];
    for (text, message) in wrong {
        let error = Strategy::from_text(text).expect_err(text).to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}

#[test]
fn the_bluff_of_king_and_jack() {
    let game = game("poker/king-and-jack.pog");
    let strategy = solve(&game, &Options::default(), &Budget::default()).expect("it has a tree").strategy(&game);
    expect_test::expect![[r#"
        ; percept strategy, version 1

        (at p1
          (round - (stronger p1))
          (play (1 (p1-choose bet)) (0 (p1-choose pass))))

        (at p1
          (round - (stronger p2))
          (play (1/3 (p1-choose bet)) (2/3 (p1-choose pass))))

        (at p2
          (round - (stronger u))
          (round - (p1chose bet))
          (play (2/3 (p2-choose bet)) (1/3 (p2-choose pass))))

        (at p2
          (round - (stronger u))
          (round - (p1chose pass))
          (play (1/2 (p2-choose bet)) (1/2 (p2-choose pass))))
    "#]]
    .assert_eq(&strategy.to_text(&[]));
}

const DILEMMA: &str = include_str!("dilemma.kif");

/// Goals that are not opposed have no value: both players can secure 20, and end there.
#[test]
fn a_dilemma() {
    let solution = solve(&gdl(DILEMMA), &Options::default(), &Budget::default()).expect("it has a tree");
    assert_eq!(solution.kind, Kind::General);
    for (value, profile) in solution.values.iter().zip(&solution.profile) {
        assert_eq!(value.exact.as_ref().map(ToString::to_string).as_deref(), Some("20"));
        assert!((profile.value - 20.0).abs() < 0.1 && profile.gain < 0.1, "{profile:?}");
    }
}

/// A role without a choice can secure the least goal that the other role can leave it, whatever that one gains.
#[test]
fn a_role_without_a_choice() {
    let game = |left: i64, right: i64| {
        gdl(&format!(
            "(role a) (role b) (init start) (word left) (word right)
            (<= (legal a ?x) (word ?x)) (legal b noop)
            (<= (next (went ?x)) (does a ?x)) (<= terminal (true (went ?x)))
            (<= (goal a 100) (true (went ?x)))
            (<= (goal b {left}) (true (went left))) (<= (goal b {right}) (true (went right)))"
        ))
    };
    for game in [game(90, 20), game(20, 90)] {
        let solution = solve(&game, &Options::default(), &Budget::default()).expect("it has a tree");
        assert_eq!(solution.kind, Kind::Alone);
        let secured: Vec<String> =
            solution.values.iter().map(|it| it.exact.as_ref().map_or_else(String::new, ToString::to_string)).collect();
        assert_eq!(secured, ["100", "20"]);
    }
}

/// Three players say heads or tails. The first wins if it says the same as both others, who can always differ if they
/// cooperate.
#[test]
fn three_players() {
    let game = gdl("(role a) (role b) (role c) (init start) (side heads) (side tails)
        (<= (legal ?p (lay ?x)) (role ?p) (side ?x))
        (<= (next (laid ?p ?x)) (does ?p (lay ?x)))
        (<= terminal (true (laid a ?x)))
        (<= same (true (laid a ?x)) (true (laid b ?x)) (true (laid c ?x)))
        (<= odd (true (laid a ?x)) (true (laid b ?y)) (distinct ?x ?y))
        (<= odd (true (laid a ?x)) (true (laid c ?y)) (distinct ?x ?y))
        (<= (goal a 100) same) (<= (goal a 0) odd)
        (<= (goal b 0) same) (<= (goal b 100) odd)
        (<= (goal c 0) same) (<= (goal c 50) odd)");
    let solution = solve(&game, &Options::default(), &Budget::default()).expect("it has a tree");
    let secured: Vec<String> =
        solution.values.iter().map(|it| it.exact.as_ref().map_or_else(String::new, ToString::to_string)).collect();
    // With a coin, each of b and c differs from the two others in at least half of the matches.
    assert_eq!(secured, ["0", "50", "25"]);
}

#[test]
fn games_without_a_tree_say_why() {
    let error = |text: &str| match build(&gdl(text), &Space::default(), &Budget::default()) {
        Ok(_) => panic!("there is a tree"),
        Err(error) => error.to_string(),
    };
    let hidden = "(role a) (role random) (init (at 1))
        (<= (legal random (toss ?x)) (true (at 1)) (side ?x)) (<= (legal random wait) (not (true (at 1))))
        (side heads) (side tails)
        (<= (legal a wait) (true (at 1))) (<= (legal a (take ?x)) (true (coin ?x))) (<= (legal a pass) (true (coin ?x)))
        (<= (next (coin ?x)) (does random (toss ?x)))
        (<= (next done) (true (coin ?x)))
        (<= terminal (true done)) (<= (goal a 0) (true done))";
    assert!(error(hidden).starts_with("a does not know its legal moves after 1 round: either "), "{}", error(hidden));
    assert!(
        error(&DILEMMA.replace("(pays no no 20)", "")).contains("has no goal in a match that is over after 1 round")
    );
    let stuck = "(role a) (init go) (<= (legal a walk) (true go)) (<= terminal (true stop)) (goal a 0)";
    assert!(error(stuck).contains("a has no legal move after 1 round"), "{}", error(stuck));

    let grown = format!("{}?x{}", "(s ".repeat(150), ")".repeat(150));
    let deep = format!(
        "(role a) (letter z) (init go) (<= (legal a walk) (true go)) (<= (long {grown}) (true far) (letter ?x))
         (<= (longer {grown}) (long ?x)) (<= (legal a (say {grown})) (longer ?x)) (<= (next far) (does a walk))
         (<= (next said) (true far)) (<= terminal (true said)) (goal a 0)"
    );
    assert!(error(&deep).starts_with("the rules cannot be followed in some state: "), "{}", error(&deep));
    let beyond = "(define (domain d) (:requirements :typing :fluents :pogddl)
        (:types role other) (:constants p1 - role all - other) (:predicates (whoseturn ?r - role)) (:functions (x))
        (:action count :precondition (whoseturn p1)
            :effect (and (not (whoseturn p1)) (assign (x) (- 9223372036854775807 -1)) (observe (all (counted)))))
        (:gain ?p - role (x) (and)))";
    let beyond = pogddl(&[beyond, "(define (problem p) (:domain d) (:init (whoseturn p1)))"], PogddlTerminal::NoMoves);
    let fault = build(&beyond, &Space::default(), &Budget::default()).expect_err("no such number").to_string();
    let message = "the rules cannot be followed in some state: a match reaches a number that does not fit in 64 bits";
    assert!(fault.starts_with(message), "{fault}");

    let small = build(&game("leduc-poker/leduc-poker.kif"), &Space { bytes: 300_000 }, &Budget::default());
    let Err(error @ BuildError::TooLarge { .. }) = small else { panic!("{small:?}") };
    assert!(error.to_string().contains("in all there are 9451 histories in 10 rounds"), "{error}");
}

/// Samples come near the value of poker, and prove nothing.
#[test]
fn samples() {
    let game = game("poker/king-and-jack.pog");
    for (scheme, iterations) in [(Sampling::External, 20_000), (Sampling::Outcome, 100_000)] {
        let method = Method::Sampling(scheme);
        let options = Options { method, iterations: Some(iterations), seed: 1, ..Options::default() };
        let solution = solve(&game, &options, &Budget::default()).expect("sampling needs no tree");
        assert!(solution.values.is_empty() && solution.exploitability.is_none());
        assert!((solution.profile[0].value - 1.0 / 3.0).abs() < 0.06, "{:?}", solution.profile);
        let strategy = solution.strategy(&game);
        for role in [RoleId(1), RoleId(2)] {
            // The goal that one sampled strategy leaves to the other player is near its proper value.
            let best = naive::best_response(&game, role, &strategy);
            let name = &game.roles[role.0 as usize].name;
            let value = if name == "p1" { 1.0 / 3.0 } else { -1.0 / 3.0 };
            assert!(best >= value - 1e-9 && best < value + 0.1, "{name}: {best}");
        }
    }
}

/// A coin that `a` does not see decides its legal moves. Each sampling scheme detects that.
#[test]
fn samples_of_a_role_that_does_not_know_its_moves() {
    let game = |moves: &str| {
        gdl(&format!(
            "(role a) (role random) (init start) (side l) (side r)
            (<= (legal random (toss ?s)) (side ?s) (true start)) (<= (legal random noop) (not (true start)))
            (<= (legal a noop) (true start)) (<= (legal a ?m) (true (fell ?s)) (may ?s ?m)) {moves}
            (<= (next (fell ?s)) (does random (toss ?s))) (<= (next (did ?m)) (true (fell ?s)) (does a ?m))
            (<= terminal (true (did ?m))) (<= (goal a 50) (true (did ?m)))"
        ))
    };
    let more = "(may l m1) (may l m2) (may r m1) (may r m3) (may r m4)";
    for moves in [more, "(may l m1) (may l m2) (may r m1)", "(may l m1) (may r m2)"] {
        let game = game(moves);
        for scheme in [Sampling::Auto, Sampling::External, Sampling::Outcome] {
            let method = Method::Sampling(scheme);
            let options = Options { method, iterations: Some(200), seed: 1, ..Options::default() };
            match solve(&game, &options, &Budget::default()) {
                Err(BuildError::UnknownMoves { role, round, .. }) => assert_eq!((role.as_str(), round), ("a", 1)),
                other => panic!("{moves}, {scheme:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn forged_tables_are_refused_or_read() {
    let game = game("kuhn-poker/kuhn-poker.kif");
    let strategy = solve(&game, &Options::default(), &Budget::default()).expect("it has a tree").strategy(&game);
    let seeds = [strategy.to_text(&["about".to_string()]).into_bytes()];
    let (mut read, mut refused) = (0, 0);
    for text in mutants(&seeds, more(3_000, 300_000), 1) {
        match Strategy::from_text(&String::from_utf8_lossy(&text)) {
            Ok(_) => read += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(read > 0 && refused > 0, "{read} read, {refused} refused");
}
