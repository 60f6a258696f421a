//! Every written trace is read again as the same match, in every form, for games of both languages.

use percept_game::play::{Limits, play_match};
use percept_game::pogddl::generate;
use percept_game::trace::{self, Trace};
use percept_game::{Game, JointMove, PogddlTerminal};
use percept_test::{game, gdl, more, mutants, pogddl};
use proptest::prelude::*;

/// Compound moves, `noop`, percepts that are terms and keywords, several percepts in a round, and none.
const MEETING: &str = "(role ann) (role random) (role bob) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
    (word yes) (word no) (<= (legal ann (say (f ?w) ?v)) (word ?w) (word ?v)) (legal ann noop)
    (legal random (coin heads)) (legal random (coin tails)) (<= (legal bob ?w) (word ?w))
    (<= (sees bob (does ann ?m)) (does ann ?m) (does random (coin heads)))
    (<= (sees bob heads) (does random (coin heads))) (<= (sees ann (heard ?w)) (does bob ?w))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 3)))
    (goal ann 50) (goal bob 50)";

const CHATTER: &str = "(define (domain chatter) (:requirements :typing :conditional-effects :pogddl) (:types role thing other)
    (:constants chance p1 p2 - role all others u - other a b - thing)
    (:predicates (whoseturn ?r - role) (then ?r ?n - role) (used ?r - role ?t - thing))
    (:action tell :parameters (?r ?n - role ?t - thing)
      :precondition (and (whoseturn ?r) (then ?r ?n) (not (used ?r ?t)))
      :effect (and (used ?r ?t) (not (whoseturn ?r)) (whoseturn ?n)
        (observe (?r (told ?t)) (others (told u)) (all (turn ?n)))
        (observe (p1 (told ?t)) (p1 (told ?t)))
        (when (used ?n ?t) (observe (p2 (again ?t))))))
    (:action pass :parameters (?r ?n - role) :precondition (and (whoseturn ?r) (then ?r ?n) (used ?r a) (not (used ?r b)))
      :effect (and (not (whoseturn ?r)) (whoseturn ?n) (used ?r b)))
    (:gain ?r - role 1 (used ?r a)))
    (define (problem chat) (:domain chatter)
      (:init (whoseturn chance) (then chance p1) (then p1 p2) (then p2 chance)))";

fn games() -> Vec<Game> {
    let generated = |domain: &str, problem: &str| pogddl(&[domain, problem], PogddlTerminal::NoMoves);
    vec![
        gdl(MEETING),
        game("blind-tic-tac-toe/blind-tic-tac-toe.hrf"),
        pogddl(&[CHATTER], PogddlTerminal::NoMoves),
        generated(generate::RACKO, &generate::racko(2, 6).unwrap()),
        generated(generate::GOPS, &generate::gops(2, 1, false).unwrap()),
        generated(generate::BATTLESHIP, &generate::battleship(2, 4).unwrap()),
    ]
}

fn read_match(game: &Game, text: &str) -> Vec<JointMove> {
    match trace::read(game, text.as_bytes()) {
        Ok(Trace::Match(rounds)) => rounds,
        Ok(Trace::View(_)) => panic!("read as a view:\n{text}"),
        Err(error) => panic!("{error}\n{text}"),
    }
}

#[test]
fn every_form_is_read_as_it_was_written() {
    for game in games() {
        for number in 0..40 {
            let limits = Limits { seed: 11, max_rounds: (number * 3) as u32, ..Limits::default() };
            let (_, rounds) = play_match(&game, number, &limits);
            let mut forms = vec![trace::write_rounds(&game, &rounds), trace::write_match(&game, &rounds)];
            forms.push(trace::write_trace(&game, &rounds));
            if game.is_sequential {
                forms.push(trace::write_plan(&game, &rounds));
                // As planners write it, with step numbers and costs.
                let plan = trace::write_plan(&game, &rounds);
                let lines = plan.lines().enumerate().map(|(step, line)| format!("{step}: {line} [1]\n"));
                forms.push(lines.collect());
            } else if rounds.len() > 1 {
                let plain = trace::write_rounds(&game, &rounds);
                let listed: Vec<&str> = plain.lines().filter(|line| !line.starts_with(';')).collect();
                forms.push(format!("({})", listed.join(" ")));
            }
            forms.push(format!("\u{feff}{}", forms[0]));
            forms.push(forms[0].replace('\n', "\r\n"));
            for text in forms {
                assert_eq!(read_match(&game, &text), rounds, "{text}");
            }
        }
    }
}

#[test]
fn views_are_read_as_they_were_written() {
    let mut most = 0;
    for game in games() {
        for number in 0..20 {
            let limits = Limits { seed: 5, max_rounds: 40, ..Limits::default() };
            let (_, rounds) = play_match(&game, number, &limits);
            for role in game.role_ids() {
                let view = trace::view_of(&game, &rounds, role, rounds.len());
                most = view.rounds.iter().map(|seen| seen.percepts.len()).fold(most, usize::max);
                let text = trace::write_view(&game, &view, "match-1");
                assert_eq!(trace::read(&game, text.as_bytes()), Ok(Trace::View(view.clone())), "{text}");
                let headless: String = text.lines().skip(1).map(|line| format!("{line}\n")).collect();
                let shouted = headless.replace("(play", "(Play");
                assert_eq!(trace::read_for(&game, shouted.as_bytes(), Some(role)), Ok(Trace::View(view)), "{text}");
            }
        }
    }
    assert!(most >= 4, "some round sends several messages");
}

#[test]
fn what_is_wrong_is_told_with_its_round_and_what_was_legal() {
    let game = pogddl(&[CHATTER], PogddlTerminal::NoMoves);
    let wrong = |text: &str| trace::read(&game, text.as_bytes()).expect_err(text);
    let error = wrong("(tell chance p1 a)\n(tell p1 p2 a)\n(tell p2 p1 b)");
    assert_eq!(error.round, Some(3));
    assert_eq!(error.legal, ["(tell p2 chance a)", "(tell p2 chance b)"]);
    assert_eq!(
        error.message,
        "round 3: `(tell p2 p1 b)` is not legal for p2; the legal moves are (tell p2 chance a), (tell p2 chance b)"
    );
    let error = wrong(r#"{"moves": ["(tell chance p1 a)", "(tell p1 p2 c)"]}"#);
    assert_eq!((error.round, error.legal.len()), (Some(2), 2));
    // The place is that of the move, with and without a byte order mark.
    for mark in ["", "\u{feff}"] {
        let text = format!("{mark}(tell chance p1 a)\n(tell p1 p2 q)");
        let error = wrong(&text);
        assert_eq!(&text[error.range.as_usize()], "(tell p1 p2 q)");
    }
    let error = wrong("(start m p1)(play m 0 nil nil)(play m 1 nil ((told b) (sold b)))");
    assert_eq!(error.message, "round 1: p1 can never perceive `(sold b)` in this game");
    // Three things twice each are used up after six actions, and that is the end.
    let all = "(tell chance p1 a)(tell p1 p2 a)(tell p2 chance a)(tell chance p1 b)(tell p1 p2 b)(tell p2 chance b)";
    assert_eq!(read_match(&game, all).len(), 6);
    let error = wrong(&format!("{all}(tell chance p1 a)"));
    assert_eq!(
        (error.round, error.message.as_str()),
        (Some(7), "round 7: the match was over after 6 rounds; remove what follows")
    );
}

/// Actions with the names of messages, and with as many arguments.
const NAMED_AS_MESSAGES: &str = "(define (domain named) (:requirements :typing :negative-preconditions :pogddl)
    (:types role card number other)
    (:constants chance p1 - role all others u - other a b - card 1 2 - number)
    (:predicates (whoseturn ?r - role) (shown ?c - card))
    (:action start :parameters (?c ?d - card) :precondition (whoseturn chance)
      :effect (and (not (whoseturn chance)) (whoseturn p1) (observe (p1 (dealt ?d)))))
    (:action play :parameters (?r - role ?n - number ?c ?d - card)
      :precondition (and (whoseturn ?r) (= ?r p1) (not (shown ?c)))
      :effect (and (shown ?c) (observe (all (shown ?c)))))
    (:gain ?r - role 1 (shown a)))
    (define (problem names) (:domain named) (:init (whoseturn chance)))";

#[test]
fn moves_may_be_named_as_messages_are() {
    let game = pogddl(&[NAMED_AS_MESSAGES], PogddlTerminal::NoMoves);
    for plan in ["(start a b)", "(start a b)\n(play p1 1 a a)\n(play p1 2 b a)"] {
        let rounds = read_match(&game, plan);
        assert_eq!(rounds.len(), plan.lines().count());
        for role in game.role_ids() {
            assert_eq!(read_for(&game, plan, role), Trace::Match(rounds.clone()));
            let view = trace::view_of(&game, &rounds, role, rounds.len());
            let text = trace::write_view(&game, &view, "m");
            assert_eq!(trace::read(&game, text.as_bytes()), Ok(Trace::View(view)), "{text}");
        }
    }
    let error = trace::read(&game, b"(start a b)(play chance 1 a a)").expect_err("it is not chance's turn");
    assert_eq!((error.round, error.legal.len()), (Some(2), 8));
}

fn read_for(game: &Game, text: &str, role: percept_game::RoleId) -> Trace {
    trace::read_for(game, text.as_bytes(), Some(role)).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

proptest! {
    /// Reading any bytes ends with a match, a view, or an error at a place within them.
    #[test]
    fn hostile_bytes_are_refused(text in "[(){}\\[\\]\":;,a-z0-9 \n\u{feff}é]{0,60}", cut in 0usize..400, tail in "[()\"\\]} \n]{0,5}") {
        for game in games().into_iter().take(3) {
            let (_, rounds) = play_match(&game, 1, &Limits::default());
            let whole = [
                trace::write_rounds(&game, &rounds),
                trace::write_match(&game, &rounds),
                trace::write_view(&game, &trace::view_of(&game, &rounds, percept_game::RoleId(0), 9), "m"),
            ];
            let damaged = whole.iter().map(|text| {
                let at = (0..=cut.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
                format!("{}{tail}{}", &text[..at], &text[at..])
            });
            for text in damaged.chain([text.clone()]) {
                if let Err(error) = trace::read(&game, text.as_bytes()) {
                    prop_assert!(error.range.as_usize().end <= text.len(), "{error}");
                    prop_assert!(text.get(error.range.as_usize()).is_some(), "{error}");
                }
            }
        }
    }
}

/// Forged files are refused, or read as something that can be played.
#[test]
fn forged_traces_are_refused_or_played() {
    let game = game("blind-tic-tac-toe/blind-tic-tac-toe.kif");
    let folder = percept_test::games().join("blind-tic-tac-toe/traces");
    let mut seeds: Vec<Vec<u8>> =
        percept_test::entries(&folder).iter().map(|path| std::fs::read(path).expect("a trace")).collect();
    let line = percept_test::read("games/blind-tic-tac-toe/traces/no-line.trace");
    let Ok(Trace::Match(rounds)) = trace::read(&game, line.as_bytes()) else { panic!("a match") };
    seeds.push(trace::write_match(&game, &rounds).into_bytes());
    let (mut read, mut refused) = (0, 0);
    for text in mutants(&seeds, more(3_000, 300_000), 1) {
        match trace::read(&game, &text) {
            Ok(Trace::Match(rounds)) => {
                let mut stepper = percept_game::stepper::Stepper::new(std::sync::Arc::new(game.clone()));
                let _ = rounds.into_iter().try_for_each(|joint| stepper.play(joint));
                read += 1;
            }
            Ok(Trace::View(_)) => read += 1,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    }
    assert!(read > 0 && refused > 0, "{read} read, {refused} refused");
}
