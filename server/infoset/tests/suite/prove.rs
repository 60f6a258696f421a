//! The verdict for every match, against the numbers of an independent exhaustive search.

use std::time::{Duration, Instant};

use percept_game::RoleId;
use percept_infoset::prove::pairs::Pairs;
use percept_infoset::prove::{Method, Options, Prover, Verdict, is_real};
use percept_infoset::{Budget, Property};

use crate::support::games::{blind_tic_tac_toe, growing_words};

const WHITE: RoleId = RoleId(0);

fn verdict(method: Method, property: Property, announce_end: bool) -> Verdict {
    let game = blind_tic_tac_toe();
    let options = Options { method, announce_end, ..Options::default() };
    let deadline = Some(Instant::now() + Duration::from_secs(60));
    let budget = Budget { deadline, ..Budget::default() };
    let finding = Prover::new(&game).prove(WHITE, property, &options, &budget);
    if let Verdict::Refuted { pair, .. } = &finding.verdict {
        assert!(is_real(&game, WHITE, property, pair));
    }
    finding.verdict
}

fn depth(verdict: &Verdict) -> Option<usize> {
    match verdict {
        Verdict::Refuted { pair, .. } => Some(pair.left.len()),
        _ => None,
    }
}

#[test]
fn legal_moves_of_blind_tic_tac_toe_are_always_known() {
    for method in [Method::Auto, Method::Structure, Method::Induction] {
        let verdict = verdict(method, Property::Legal, false);
        assert!(matches!(verdict, Verdict::Proved { .. }), "{method:?}: {verdict:?}");
    }
}

#[test]
fn its_end_and_its_goal_are_not_known_from_round_three_on() {
    for method in [Method::Auto, Method::Bounded, Method::Pairs] {
        for (property, announce_end) in [(Property::Terminal, false), (Property::Goal, false), (Property::Goal, true)] {
            assert_eq!(depth(&verdict(method, property, announce_end)), Some(3), "{method:?} {property:?}");
        }
    }
}

#[test]
fn an_announced_end_is_known() {
    assert!(matches!(verdict(Method::Auto, Property::Terminal, true), Verdict::Proved { method: "announced", .. }));
}

/// At depth 3, 44,856 ordered pairs of states differ in the end and 1,968 in the goal (independent C++ search).
#[test]
fn the_explicit_search_counts_what_others_counted() {
    let game = blind_tic_tac_toe();
    let mut search = Pairs::new(&game, WHITE);
    for depth in 1..=3 {
        assert_eq!(search.deepen(&Budget::default()), Some(true));
        let expected = if depth < 3 { [0, 0, 0] } else { [0, 44_856, 1_968] };
        let found = Property::ALL.map(|property| search.look(property).0.differing);
        assert_eq!(found, expected, "depth {depth}");
    }
}

mod heavy {
    use super::*;

    /// The same comparison up to the end of the longest match.
    #[test]
    #[ignore = "takes minutes"]
    fn the_explicit_search_counts_to_the_end() {
        let game = percept_test::game("blind-tic-tac-toe/blind-tic-tac-toe.kif");
        let mut search = Pairs::new(&game, game.role("white").expect("a role"));
        let mut found = vec![search.look(Property::Terminal).0.differing];
        while search.deepen(&Budget::default()) == Some(true) {
            found.push(search.look(Property::Terminal).0.differing);
            assert_eq!(search.look(Property::Legal).0.differing, 0);
        }
        assert_eq!(found, [0, 0, 0, 44_856, 523_264, 1_186_812, 741_680, 129_916, 3_472, 0]);
    }
}

mod counting {
    use super::*;
    use percept_game::pogddl::generate;
    use percept_game::{Game, PogddlTerminal};
    use percept_infoset::prove::certificate::{self, Proof};

    use crate::support::both::Both;

    fn battleship(ships: usize, size: usize) -> Both {
        let problem = generate::battleship(ships, size).expect("fits");
        Both::pogddl(&[generate::BATTLESHIP, &problem], PogddlTerminal::NoMoves)
    }

    fn prove(game: &Game, role: &str, property: Property, method: Method) -> Verdict {
        let role = game.role(role).expect("a role");
        let deadline = Some(Instant::now() + Duration::from_secs(150));
        let budget = Budget { deadline, ..Budget::default() };
        let options = Options { method, ..Options::default() };
        let verdict = Prover::new(game).prove(role, property, &options, &budget).verdict;
        if let Verdict::Refuted { pair, .. } = &verdict {
            assert!(is_real(game, role, property, pair));
        }
        verdict
    }

    /// Every shot can be answered, because the number of a ship equals the number of its unhit cells.
    #[test]
    fn a_small_fleet_is_known_to_be_sunk() {
        let Both { game, plain: floor, numbers } = battleship(1, 3);
        for property in Property::ALL {
            let verdict = prove(&game, "p1", property, Method::Induction);
            let Verdict::Proved { argument: Some(argument), .. } = &verdict else {
                panic!("{property:?}: {verdict:?}")
            };
            let role = game.role("p1").expect("a role");
            let on = (&floor, &numbers[..]);
            let certificate = certificate::write(&game, on, role, property, false, argument, &Budget::default());
            let certificate = certificate.expect("a proof");
            assert_eq!(certificate::check(&floor, &certificate, &Budget::default()), Ok((role, property)));
            // Some questions are answered by unit propagation; the proofs of the others cannot be left out.
            let Proof::Induction(proof) = &certificate.proof else { panic!("by induction") };
            let without = |index: usize| {
                let mut forged = certificate.clone();
                let Proof::Induction(proof) = &mut forged.proof else { panic!("by induction") };
                proof.refutations[index].0 = [].into();
                forged
            };
            let needed = |&index: &usize| certificate::check(&floor, &without(index), &Budget::default()).is_err();
            let needed = (0..proof.refutations.len()).filter(needed).count();
            assert!(needed > 0, "{property:?}: none of {} proofs is needed", proof.refutations.len());
        }
    }

    /// Cards are dealt one by one to both players, so the first rack that can be in order is full after twice as many
    /// deals.
    #[test]
    fn a_rack_in_order_is_hidden_right_after_the_deal() {
        for (slots, cards) in [(2, 7), (6, 30)] {
            let problem = generate::racko(slots, cards).expect("fits");
            let game = percept_test::pogddl(&[generate::RACKO, &problem], PogddlTerminal::Payoff);
            let verdict = prove(&game, "p1", Property::Terminal, Method::Bounded);
            assert_eq!(depth(&verdict), Some(2 * slots), "{slots} slots: {verdict:?}");
        }
    }

    /// Proves, writes and follows the end of Battleship with this number of ships.
    fn is_written_down(ships: usize, size: usize) {
        let Both { game, plain: floor, numbers } = battleship(ships, size);
        let begin = Instant::now();
        let Verdict::Proved { argument: Some(argument), .. } =
            prove(&game, "p1", Property::Terminal, Method::Induction)
        else {
            panic!("{ships} on {size} is not proved")
        };
        let (role, proved) = (game.role("p1").expect("a role"), begin.elapsed());
        let on = (&floor, &numbers[..]);
        let budget = Budget::default();
        let begin = Instant::now();
        let written = certificate::write(&game, on, role, Property::Terminal, false, &argument, &budget);
        let (written, wrote) = (written.expect("a certificate"), begin.elapsed());
        let begin = Instant::now();
        let checked = certificate::check(&floor, &written, &budget);
        assert_eq!(checked, Ok((role, Property::Terminal)), "{ships} on {size}");
        let bytes = serde_json::to_string(&written).expect("JSON").len();
        let followed = begin.elapsed();
        eprintln!(
            "{ships} on {size}: proved in {proved:.1?}, written in {wrote:.1?}, {bytes} bytes, followed in {followed:.1?}"
        );
    }

    mod heavy {
        use super::*;

        #[test]
        #[ignore = "takes minutes"]
        fn fleets_are_written_down() {
            is_written_down(2, 4);
            is_written_down(3, 8);
        }

        #[test]
        #[ignore = "takes minutes"]
        fn large_fleets_and_racks() {
            for (ships, size) in [(2, 4), (5, 8), (5, 10)] {
                let game = battleship(ships, size).game;
                for property in [Property::Terminal, Property::Goal] {
                    let verdict = prove(&game, "p1", property, Method::Induction);
                    assert!(matches!(verdict, Verdict::Proved { .. }), "{ships} on {size}, {property:?}: {verdict:?}");
                }
            }
            // On six by six cells, a player's own four ships may leave no room for the fifth.
            let verdict = prove(&battleship(5, 6).game, "p1", Property::Terminal, Method::Bounded);
            assert_eq!(depth(&verdict), Some(9), "{verdict:?}");
        }
    }

    mod long {
        #[test]
        #[ignore = "takes, on two cores, more minutes than all else here"]
        fn the_largest_fleet_is_written_down() {
            super::is_written_down(5, 10);
        }
    }
}

#[test]
fn where_the_rules_are_too_large_for_a_state_nothing_is_claimed() {
    let verdicts = |letters: usize| {
        let game = growing_words(letters);
        let mut prover = Prover::new(&game);
        let budget = Budget { deadline: Some(Instant::now() + Duration::from_secs(60)), ..Budget::default() };
        let of = |property| prover.prove(WHITE, property, &Options::default(), &budget).verdict.name();
        (Property::ALL.map(of), game.rules.fault().map(|fault| fault.message))
    };
    assert_eq!(verdicts(100), (["proved", "proved", "refuted"], None));
    let (found, fault) = verdicts(150);
    assert!(found.contains(&"open") && found[2] == "open" && found[0] != "refuted", "{found:?}");
    assert!(fault.is_some_and(|fault| fault.contains("deeper and deeper")), "{found:?}");
}
