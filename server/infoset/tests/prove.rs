//! The verdict for every match, against the numbers of an independent exhaustive search.

mod support;

use std::time::{Duration, Instant};

use percept_game::RoleId;
use percept_infoset::prove::pairs::Pairs;
use percept_infoset::prove::{Method, Options, Prover, Verdict, is_real};
use percept_infoset::{Control, Property};
use support::games::blind_tic_tac_toe;

const WHITE: RoleId = RoleId(0);

fn verdict(method: Method, property: Property, announce_end: bool) -> Verdict {
    let game = blind_tic_tac_toe();
    let options = Options { method, announce_end, ..Options::default() };
    let deadline = Some(Instant::now() + Duration::from_secs(60));
    let control = Control { deadline, ..Control::default() };
    let finding = Prover::new(&game).prove(WHITE, property, &options, &control);
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

/// Ordered pairs of states at depth 3 that differ: 44,856 in the end, 1,968 in the goal (independent C++ search).
#[test]
fn the_explicit_search_counts_what_others_counted() {
    let game = blind_tic_tac_toe();
    let mut search = Pairs::new(&game, WHITE);
    for depth in 1..=3 {
        assert_eq!(search.deepen(&Control::default()), Some(true));
        let expected = if depth < 3 { [0, 0, 0] } else { [0, 44_856, 1_968] };
        let found = Property::ALL.map(|property| search.look(property).0.differing);
        assert_eq!(found, expected, "depth {depth}");
    }
}

mod certificates {
    use super::*;
    use percept_infoset::prove::certificate::{self, Certificate, Invalid, Proof};

    fn of(property: Property, method: Method, announce_end: bool) -> Certificate {
        let game = blind_tic_tac_toe();
        let control = Control::default();
        let options = Options { method, announce_end, ..Options::default() };
        let finding = Prover::new(&game).prove(WHITE, property, &options, &control);
        let Verdict::Proved { argument: Some(argument), .. } = finding.verdict else { panic!("{finding:?}") };
        certificate::write(&game, WHITE, property, announce_end, &argument, &control).expect("a proof")
    }

    fn legal() -> Certificate {
        of(Property::Legal, Method::Induction, false)
    }

    #[test]
    fn a_proof_is_checked_without_the_solver() {
        for method in [Method::Structure, Method::Induction] {
            let certificate = of(Property::Legal, method, false);
            assert_eq!(certificate::check(&blind_tic_tac_toe(), &certificate), Ok((WHITE, Property::Legal)));
        }
    }

    #[test]
    fn a_claim_too_many_is_found_out() {
        let mut forged = legal();
        let Proof::Induction(proof) = &mut forged.proof else { panic!("by induction") };
        proof.agree.push("(cell 1 1 b)".to_owned());
        let verdict = certificate::check(&blind_tic_tac_toe(), &forged);
        assert_eq!(verdict, Err(Invalid::Gap("the agreement lasts".to_owned())));
    }

    #[test]
    fn another_property_does_not_follow() {
        let forged = Certificate { property: "terminal".to_owned(), ..legal() };
        let verdict = certificate::check(&blind_tic_tac_toe(), &forged);
        assert_eq!(verdict, Err(Invalid::Gap("the property follows".to_owned())));
    }
}

mod questions {
    use super::*;
    use percept_infoset::prove::query::{Question, Reply, answer};

    fn ask(text: &str) -> Reply {
        let game = blind_tic_tac_toe();
        let question = Question::parse(&game, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        answer(&game, &question, &Control::default())
    }

    fn rounds(reply: &Reply) -> Option<usize> {
        match reply {
            Reply::Holds { history } | Reply::Fails { history, .. } => history.as_ref().map(Vec::len),
            Reply::Open { .. } => None,
        }
    }

    #[test]
    fn whoever_wins_may_not_know_it() {
        let reply = ask("(always (or (not terminal) (knows white (goal white ?v))))");
        assert!(matches!(&reply, Reply::Fails { instead, .. } if instead.len() == 1), "{reply:?}");
        assert_eq!(rounds(&reply), Some(3));
    }

    #[test]
    fn white_knows_where_it_has_tried() {
        let question = "(always 2 (or (not (true (tried 0 1 1))) (knows white (true (tried 0 1 1)))))";
        assert_eq!(ask(question), Reply::Holds { history: None });
    }

    #[test]
    fn white_may_come_to_know_a_cell_of_black() {
        assert_eq!(rounds(&ask("(sometimes (knows white (true (cell 2 2 o))))")), Some(1));
        assert_eq!(rounds(&ask("(sometimes (not (knows black (knows white (true (cell 2 2 o))))))")), Some(0));
    }

    #[test]
    fn somebody_can_move_for_two_rounds() {
        assert_eq!(ask("(always 2 (and (can white) (can black)))"), Reply::Holds { history: None });
    }

    #[test]
    fn mistakes_are_found_at_their_place() {
        let game = blind_tic_tac_toe();
        let error = |text: &str| Question::parse(&game, text).map_err(|error| (error.at, error.message));
        assert_eq!(error("(knows red terminal)").map_err(|(at, _)| at), Err(7));
        assert_eq!(error("(and terminal").map_err(|(at, _)| at), Err(0));
        assert_eq!(error("(cell 1 1 b)").map_err(|(at, _)| at), Err(0));
        assert!(error(&"(not ".repeat(100_000)).is_err());
    }
}
