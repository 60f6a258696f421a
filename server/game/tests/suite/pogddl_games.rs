//! Our own POGDDL games: poker by hand, the generated ones against formulas and against their rounds' circuits.

use std::collections::BTreeMap;
use std::time::Instant;

use percept_game::{Budget, Game, Limit, MoveId, PerceptId, PogddlTerminal, RoleId, Scope, State, pogddl::generate};
use percept_test::matches::{joint, mover};
use percept_test::pogddl;
use rand::{Rng, SeedableRng, rngs::SmallRng};

use crate::support::Evaluation;

fn play(game: &Game, moves: &[&str]) -> State {
    let mut state = game.rules.initial();
    for name in moves {
        let role = mover(game, &state).expect("a mover");
        let mv = game.rules.find_move(role, name).expect("a move");
        assert!(game.rules.legal(&state, role).contains(&mv), "{name}");
        state = game.rules.next(&state, &joint(game, role, mv));
    }
    state
}

#[test]
fn poker_pays_as_figure_1_does() {
    let game = percept_test::game("poker/king-and-jack.pog");
    let (p1, p2) = (game.role("p1").expect("p1"), game.role("p2").expect("p2"));
    let cases = [
        ("p1", "pass", "pass", 1),
        ("p1", "pass", "bet", -1),
        ("p1", "bet", "pass", 1),
        ("p1", "bet", "bet", 2),
        ("p2", "pass", "pass", -1),
        ("p2", "pass", "bet", -1),
        ("p2", "bet", "pass", 1),
        ("p2", "bet", "bet", -2),
    ];
    for (strong, first, second, payoff) in cases {
        let moves =
            [format!("(deal-stronger {strong})"), format!("(p1-choose {first})"), format!("(p2-choose {second})")];
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        for round in 0..3 {
            let state = play(&game, &moves[..round]);
            assert!(!game.rules.terminal(&state));
            assert_eq!(game.rules.goals(&state, p1), [0]);
        }
        let state = play(&game, &moves);
        assert!(game.rules.terminal(&state));
        assert_eq!(game.rules.goals(&state, p1), [payoff], "{moves:?}");
        assert_eq!(game.rules.goals(&state, p2), [-payoff], "{moves:?}");
    }
}

/// Small enough to have no registers: the pot is one of two fluents.
#[test]
fn the_pot_is_a_group_of_fluents() {
    let game = percept_test::game("poker/king-and-jack.pog");
    assert_eq!(game.rules.register_names(), Vec::<String>::new());
    let one = game.rules.find_fluent("(= (potsize) 1)").expect("a fluent");
    let two = game.rules.find_fluent("(= (potsize) 2)").expect("a fluent");
    assert_eq!(game.rules.fluent_name(two), "(= (potsize) 2)");
    assert!(game.rules.initial().has(one) && !game.rules.initial().has(two));
    let state = play(&game, &["(deal-stronger p1)", "(p1-choose bet)", "(p2-choose bet)"]);
    assert!(state.has(two) && !state.has(one));
}

/// All states that a role cannot tell from each other, with the number of histories that lead there, after the rounds
/// of a match: a forward filter in its plainest form.
fn filter(game: &Game, role: RoleId, seen: &[Vec<PerceptId>]) -> BTreeMap<State, u128> {
    let mut states = BTreeMap::from([(game.rules.initial(), 1u128)]);
    for percepts in seen {
        states = filter_step(game, role, states, percepts);
    }
    states
}

/// Plays at random until `enough` and returns what p1 saw, round by round.
fn views(game: &Game, seed: u64, mut enough: impl FnMut(&State, usize) -> bool) -> (State, Vec<Vec<PerceptId>>) {
    let mut random = SmallRng::seed_from_u64(seed);
    let p1 = game.role("p1").expect("p1");
    let (mut state, mut seen) = (game.rules.initial(), Vec::new());
    while !enough(&state, seen.len()) && !game.rules.terminal(&state) {
        let role = mover(game, &state).expect("a mover");
        let legal = game.rules.legal(&state, role);
        let joint = joint(game, role, legal[random.random_range(0..legal.len())]);
        seen.push(game.rules.percepts(&state, &joint, p1));
        state = game.rules.next(&state, &joint);
    }
    (state, seen)
}

#[test]
fn p2_cannot_tell_the_hands_in_poker() {
    let game = percept_test::game("poker/king-and-jack.pog");
    let p2 = game.role("p2").expect("p2");
    for choice in ["pass", "bet"] {
        let moves = ["(deal-stronger p1)".to_owned(), format!("(p1-choose {choice})")];
        let mut state = game.rules.initial();
        let mut seen = Vec::new();
        for name in &moves {
            let role = mover(&game, &state).expect("a mover");
            let joint = joint(&game, role, game.rules.find_move(role, name).expect("a move"));
            seen.push(game.rules.percepts(&state, &joint, p2));
            state = game.rules.next(&state, &joint);
        }
        assert_eq!(game.rules.percept_name(p2, seen[0][0]), "(stronger u)");
        let states = filter(&game, p2, &seen);
        let expected = ["p1", "p2"].map(|strong| {
            let deal = format!("(deal-stronger {strong})");
            (play(&game, &[&deal, &moves[1]]), 1)
        });
        assert_eq!(states, BTreeMap::from(expected));
    }
}

#[test]
fn racko_sets_have_the_published_sizes() {
    // After the deal and the open card, before p1's first move: P(n-k-1, k) histories less the sorted racks.
    for (slots, cards, expected) in [(2, 6, 6 - 3), (2, 8, 20 - 10), (3, 8, 24 - 4), (3, 9, 60 - 10)] {
        let text = generate::racko(slots, cards).expect("feasible");
        let game = pogddl(&[generate::RACKO, &text], PogddlTerminal::Payoff);
        let p1 = game.role("p1").expect("p1");
        let mut checked = 0;
        for seed in 0..20 {
            let (state, seen) = views(&game, seed, |_, rounds| rounds == 2 * slots + 1);
            if seen.len() < 2 * slots + 1 || game.rules.terminal(&state) {
                continue;
            }
            let states = filter(&game, p1, &seen);
            let open: u128 =
                states.iter().filter(|(state, _)| !game.rules.terminal(state)).map(|(_, count)| count).sum();
            assert_eq!(open, expected, "{slots} slots, {cards} cards, seed {seed}");
            checked += 1;
        }
        assert!(checked > 5);
    }
}

#[test]
fn gops_sets_have_the_published_sizes() {
    // n bids, e extra, x prizes exposed, t rounds played: C(u, n-t) states and n! as many histories, u = 2n+e-x-t.
    let choose = |n: u128, k: u128| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    for (bids, extra) in [(2u128, 2u128), (2, 4), (3, 1)] {
        let text = generate::gops(bids as usize, extra as usize, true).expect("feasible");
        let game = pogddl(&[generate::GOPS, &text], PogddlTerminal::NoMoves);
        let p1 = game.role("p1").expect("p1");
        for played in 0..bids {
            let rounds = 2 * bids + 1 + 5 * played;
            let (_, seen) = views(&game, 7 + played as u64, |_, at| at == rounds as usize);
            let states = filter(&game, p1, &seen);
            let unseen = 2 * bids + extra - (played + 1) - played;
            let expected = choose(unseen, bids - played);
            assert_eq!(states.len() as u128, expected, "{bids} bids, {extra} extra, {played} played");
            let factorial: u128 = (1..=bids).product();
            assert_eq!(states.values().sum::<u128>(), expected * factorial);
        }
    }
}

#[test]
fn battleship_sets_have_the_published_sizes() {
    // Before any shot; one ship of length L on g x g has 2g(g-L+1) places.
    for (ships, size, expected) in
        [(1, 3, 12), (2, 3, 36), (1, 4, 24), (2, 4, 264), (3, 4, 1608), (4, 4, 1368), (1, 10, 180)]
    {
        let text = generate::battleship(ships, size).expect("feasible");
        let game = pogddl(&[generate::BATTLESHIP, &text], PogddlTerminal::NoMoves);
        let p1 = game.role("p1").expect("p1");
        let (_, seen) = (0..100)
            .map(|seed| views(&game, seed, |_, rounds| rounds == 2 * ships))
            .find(|(_, seen)| seen.len() == 2 * ships)
            .expect("a match in which all ships are placed");
        let states = filter(&game, p1, &seen);
        assert_eq!(states.len(), expected, "{ships} ships on {size}x{size}");
        assert_eq!(states.values().sum::<u128>() as usize, expected);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |result: Result<String, generate::Infeasible>| result.expect_err("refused").to_string();
    assert_eq!(refused(generate::battleship(5, 4)), "5 ships have 17 cells and do not fit on 4x4");
    assert_eq!(refused(generate::battleship(4, 3)), "4 ships have 12 cells and do not fit on 3x3");
    assert_eq!(refused(generate::battleship(0, 4)), "a fleet has 1 to 5 ships, of lengths 2, 3, 3, 4, 5");
    assert_eq!(refused(generate::racko(10, 20)), "two racks of 10 and one card to turn over need at least 21 cards");
    assert_eq!(refused(generate::racko(1, 20)), "a rack needs at least 2 slots");
    assert_eq!(refused(generate::gops(0, 20, true)), "a hand needs at least 1 card");
    for huge in [usize::MAX, usize::MAX / 2 + 1, 1 << 40] {
        refused(generate::battleship(5, huge));
        refused(generate::racko(huge, huge));
        refused(generate::racko(6, huge));
        refused(generate::gops(huge, huge, true));
        refused(generate::gops(2, huge, true));
    }
}

/// All sizes of the published table: a match of each ends, except that of the fleet of 17 cells on 16.
#[test]
fn every_published_size_is_generated() {
    let mut games = Vec::new();
    for ships in 1..=5 {
        for size in [4, 6, 8, 10].into_iter().filter(|&size| (ships, size) != (5, 4)) {
            games.push((generate::BATTLESHIP, generate::battleship(ships, size), PogddlTerminal::NoMoves));
        }
    }
    for extra in [10, 20, 30, 40] {
        for bids in [2, 4, 6, 8, 10] {
            games.push((generate::GOPS, generate::gops(bids, extra, bids % 4 == 0), PogddlTerminal::NoMoves));
        }
        for slots in 6..=10 {
            games.push((generate::RACKO, generate::racko(slots, extra + 20), PogddlTerminal::Payoff));
        }
    }
    assert_eq!(games.len(), 59);
    let mut random = SmallRng::seed_from_u64(8);
    for (domain, problem, terminal) in games {
        let game = pogddl(&[domain, &problem.expect("feasible")], terminal);
        let mut state = game.rules.initial();
        let rounds = game.playout(&mut state, 100_000, &mut random);
        assert!(rounds > 3 && game.rules.terminal(&state));
    }
}

#[test]
fn generated_games_play_to_an_end() {
    let mut random = SmallRng::seed_from_u64(3);
    let games = [
        pogddl(&[generate::RACKO, &generate::racko(10, 60).expect("feasible")], PogddlTerminal::Payoff),
        pogddl(&[generate::GOPS, &generate::gops(10, 40, false).expect("feasible")], PogddlTerminal::NoMoves),
        pogddl(&[generate::BATTLESHIP, &generate::battleship(5, 10).expect("feasible")], PogddlTerminal::NoMoves),
    ];
    for game in games {
        for _ in 0..5 {
            let mut state = game.rules.initial();
            let rounds = game.playout(&mut state, 100_000, &mut random);
            assert!(rounds < 100_000 && game.rules.terminal(&state));
        }
    }
    let battleship =
        pogddl(&[generate::BATTLESHIP, &generate::battleship(5, 10).expect("feasible")], PogddlTerminal::NoMoves);
    assert_eq!(battleship.rules.register_names(), Vec::<String>::new());
}

/// The whole game as one circuit gives the same answers as the rules, in every state of random matches and for every
/// legal move.
fn check_whole(game: &Game, matches: u64) {
    let ground = game.rules.ground(&Scope::default()).expect("small enough");
    for seed in 0..matches {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut state = game.rules.initial();
        while let Some(role) = mover(game, &state) {
            let legal = game.rules.legal(&state, role);
            let nothing = vec![MoveId::NOOP; game.roles.len()];
            let still = Evaluation::new(&ground, &state, &nothing);
            assert_eq!(still.terminal(), game.rules.terminal(&state));
            for other in game.role_ids() {
                assert_eq!(still.goals(other), game.rules.goals(&state, other));
                let expected = if other == role { legal.clone() } else { vec![MoveId::NOOP] };
                assert_eq!(still.legal(other), expected, "{}", game.roles[other.0 as usize].name);
            }
            for &mv in &legal {
                let joint = joint(game, role, mv);
                let evaluation = Evaluation::new(&ground, &state, &joint);
                assert_eq!(evaluation.next(), game.rules.next(&state, &joint), "{}", game.rules.move_name(role, mv));
                for other in game.role_ids() {
                    let mut percepts = game.rules.percepts(&state, &joint, other);
                    percepts.sort_unstable();
                    assert_eq!(evaluation.sees(other), percepts);
                }
            }
            if game.rules.terminal(&state) || legal.is_empty() {
                break;
            }
            state = game.rules.next(&state, &joint(game, role, legal[random.random_range(0..legal.len())]));
        }
        let nothing = vec![MoveId::NOOP; game.roles.len()];
        assert!(Evaluation::new(&ground, &state, &nothing).terminal());
    }
}

#[test]
fn whole_games_ground_right() {
    check_whole(&percept_test::game("poker/king-and-jack.pog"), 20);
    let problems = [
        (generate::RACKO, generate::racko(2, 6), PogddlTerminal::Payoff),
        (generate::GOPS, generate::gops(2, 1, true), PogddlTerminal::NoMoves),
        (generate::GOPS, generate::gops(2, 1, false), PogddlTerminal::NoMoves),
        (generate::BATTLESHIP, generate::battleship(2, 4), PogddlTerminal::NoMoves),
    ];
    for (domain, problem, terminal) in problems {
        check_whole(&pogddl(&[domain, &problem.expect("feasible")], terminal), 3);
    }
}

#[test]
fn grounding_ends_when_the_time_is_over_and_begins_anew() {
    let problem = generate::battleship(2, 4).expect("feasible");
    let game = pogddl(&[generate::BATTLESHIP, &problem], PogddlTerminal::NoMoves);
    let (over, unlimited) = (Budget { deadline: Some(Instant::now()), ..Budget::default() }, Budget::default());
    let ground = |until| game.rules.ground(&Scope { until, ..Scope::default() }).map_err(|large| large.limit);
    assert_eq!(ground(Some(&over)).err(), Some(Limit::Time));
    assert!(ground(Some(&unlimited)).is_ok());
    // The possible facts are known now, but not the round.
    assert_eq!(ground(Some(&over)).err(), Some(Limit::Time));
}

/// Each round of a random match, ground with one role's knowledge: in every state it cannot rule out, exactly the
/// actions that would send it its percepts are legal and visible in the circuit, and lead to the rules' states.
fn check_views(game: &Game, viewer: &str, seed: u64, limit: usize) {
    let role = game.role(viewer).expect("a role");
    let mut random = SmallRng::seed_from_u64(seed);
    let mut state = game.rules.initial();
    let mut states = BTreeMap::from([(state.clone(), 1u128)]);
    for _ in 0..limit {
        if game.rules.terminal(&state) || states.len() > 2000 {
            return;
        }
        let (mut possible, mut certain) = (state.clone(), state.clone());
        for other in states.keys() {
            for (word, bits) in other.bits.iter().enumerate() {
                possible.bits[word] |= bits;
                certain.bits[word] &= bits;
            }
        }
        let acting = mover(game, &state).expect("a mover");
        let legal = game.rules.legal(&state, acting);
        let made = joint(game, acting, legal[random.random_range(0..legal.len())]);
        let seen = game.rules.percepts(&state, &made, role);
        let scope = Scope {
            possible: Some(&possible),
            certain: Some(&certain),
            observed: Some((role, &seen)),
            ..Scope::default()
        };
        let round = game.rules.ground(&scope).expect("small enough");
        let scope = Scope { observed: None, ..scope };
        let unobserved = game.rules.ground(&scope).expect("small enough");
        let positions: Vec<_> =
            game.role_ids().map(|role| game.rules.position(&scope, role).expect("small enough")).collect();
        for other in states.keys() {
            check_member(game, role, &round, &unobserved, other, &seen);
            let nothing = vec![MoveId::NOOP; game.roles.len()];
            for (role, position) in game.role_ids().zip(&positions) {
                let evaluation = Evaluation::new(position, other, &nothing);
                assert_eq!(evaluation.terminal(), game.rules.terminal(other));
                assert_eq!(evaluation.goals(role), game.rules.goals(other, role));
                assert_eq!(evaluation.legal(role), game.rules.legal(other, role));
            }
        }
        states = filter_step(game, role, states, &seen);
        state = game.rules.next(&state, &made);
    }
}

fn check_member(
    game: &Game,
    role: RoleId,
    round: &percept_game::Ground,
    unobserved: &percept_game::Ground,
    state: &State,
    seen: &[PerceptId],
) {
    let nothing = vec![MoveId::NOOP; game.roles.len()];
    let still = Evaluation::new(unobserved, state, &nothing);
    assert_eq!(still.terminal(), game.rules.terminal(state));
    let Some(mover) = mover(game, state) else { return };
    assert_eq!(still.legal(mover), game.rules.legal(state, mover));
    if game.rules.terminal(state) {
        return;
    }
    let listed = Evaluation::new(round, state, &nothing).legal(mover);
    let mut sorted = seen.to_vec();
    sorted.sort_unstable();
    for mv in game.rules.legal(state, mover) {
        let joint = joint(game, mover, mv);
        let place = game.rules.move_name(mover, mv);
        let fits = game.rules.percepts(state, &joint, role) == seen;
        if fits {
            assert!(listed.contains(&mv), "{place} is missing");
            let evaluation = Evaluation::new(round, state, &joint);
            assert_eq!(evaluation.sees(role), sorted, "{place}");
            assert_eq!(evaluation.next(), game.rules.next(state, &joint), "{place}");
        } else if listed.contains(&mv) {
            assert_ne!(Evaluation::new(round, state, &joint).sees(role), sorted, "{place}");
        }
    }
}

fn filter_step(game: &Game, role: RoleId, states: BTreeMap<State, u128>, seen: &[PerceptId]) -> BTreeMap<State, u128> {
    let mut next = BTreeMap::new();
    for (state, count) in states.into_iter().filter(|(state, _)| !game.rules.terminal(state)) {
        let Some(mover) = mover(game, &state) else { continue };
        for mv in game.rules.legal(&state, mover) {
            let joint = joint(game, mover, mv);
            if game.rules.percepts(&state, &joint, role) == seen {
                *next.entry(game.rules.next(&state, &joint)).or_insert(0) += count;
            }
        }
    }
    next
}

#[test]
fn rounds_keep_every_history() {
    let problems = [
        (generate::RACKO, generate::racko(2, 7), PogddlTerminal::Payoff),
        (generate::GOPS, generate::gops(2, 2, true), PogddlTerminal::NoMoves),
        (generate::GOPS, generate::gops(2, 2, false), PogddlTerminal::NoMoves),
        (generate::BATTLESHIP, generate::battleship(2, 4), PogddlTerminal::NoMoves),
    ];
    for (domain, problem, terminal) in problems {
        let game = pogddl(&[domain, &problem.expect("feasible")], terminal);
        for seed in 0..3 {
            check_views(&game, "p1", seed, 40);
            check_views(&game, "p2", seed, 40);
        }
    }
    for seed in 0..4 {
        check_views(&percept_test::game("poker/king-and-jack.pog"), "p2", seed, 3);
    }
}

/// Every trace in the library's POGDDL games is a match of its problem.
#[test]
fn library_traces_replay() {
    let traces = [
        (
            "poker/poker",
            "poker/king-and-jack",
            "poker",
            &["bluff", "showdown-of-bets", "showdown-of-passes", "steal"][..],
        ),
        ("racko/racko", "racko/racko-2-7", "racko", &["small"]),
        ("racko/racko", "racko/racko-6-30", "racko", &["opening"]),
        ("gops/gops", "gops/gops-2-10", "gops", &["one-round"]),
        ("gops/gops", "gops/gops-2-10-closed", "gops", &["closed"]),
        ("battleship/battleship", "battleship/battleship-2-4", "battleship", &["first-shots"]),
        ("battleship/battleship", "battleship/battleship-3-6", "battleship", &["whole-match"]),
    ];
    for (domain, problem, folder, names) in traces {
        let texts = [domain, problem].map(|name| percept_test::read(format!("games/{name}.pog")));
        let declared = if folder == "racko" { PogddlTerminal::Payoff } else { PogddlTerminal::NoMoves };
        let source = percept_syntax::Source::parse(texts[0].as_str(), percept_syntax::Language::Pogddl);
        assert_eq!(percept_game::PogddlOptions::declared(&source.text, &source.comments), Some(declared), "{domain}");
        let game = pogddl(&[&texts[0], &texts[1]], declared);
        for name in names {
            let text = percept_test::read(format!("games/{folder}/traces/{name}.trace"));
            let moves: Vec<&str> = text.lines().filter(|line| !line.starts_with(';')).collect();
            assert!(moves.len() >= 3, "{name}");
            play(&game, &moves);
        }
    }
}
