//! Questions as text: their meaning, compared with the definition, and their errors with positions.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::support::games::{blind_tic_tac_toe, growing_words};
use crate::support::random_game::random_game;
use crate::support::side_by_side::side_by_side;
use percept_game::{Game, JointMove, MoveId, PogddlTerminal, RoleId, State};
use percept_infoset::prove::Method;
use percept_infoset::prove::query::{QueryError, Question, Reply, answer};
use percept_infoset::{Budget, View, play};
use percept_test::{gdl, more, pogddl};
use proptest::prelude::*;
use rand::{Rng, SeedableRng, rngs::SmallRng};

fn reply(game: &Game, text: &str, method: Method, announce_end: bool) -> Result<Reply, QueryError> {
    let deadline = Some(Instant::now() + Duration::from_secs(60));
    let budget = Budget { deadline, ..Budget::default() };
    answer(game, &Question::parse(game, text)?, method, announce_end, &budget)
}

fn ask(text: &str) -> Reply {
    reply(&blind_tic_tac_toe(), text, Method::Auto, false).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// True if the question holds, and the number of rounds of its evidence.
fn outcome(reply: &Reply) -> Option<(bool, Option<usize>)> {
    let rounds = |witness: &Option<percept_infoset::prove::query::Witness>| witness.as_ref().map(|it| it.history.len());
    match reply {
        Reply::Holds { witness, .. } => Some((true, rounds(witness))),
        Reply::Fails { witness, .. } => Some((false, rounds(witness))),
        Reply::Open { .. } => None,
    }
}

#[test]
fn whoever_wins_may_not_know_it() {
    for method in [Method::Auto, Method::Bounded, Method::Pairs] {
        let text = "(always (or (not terminal) (knows white (goal white ?v))))";
        let reply = reply(&blind_tic_tac_toe(), text, method, false).expect("a question");
        assert_eq!(outcome(&reply), Some((false, Some(3))), "{method:?}");
        let Reply::Fails { witness: Some(witness), .. } = reply else { panic!("{reply:?}") };
        assert_eq!(witness.instead.len(), 1, "{method:?}: {witness:?}");
    }
}

#[test]
fn an_announced_end_is_known() {
    let text = "(always 3 (or (not terminal) (knows white terminal)))";
    for method in [Method::Bounded, Method::Pairs] {
        for (announce_end, expected) in [(false, Some((false, Some(3)))), (true, Some((true, None)))] {
            let reply = reply(&blind_tic_tac_toe(), text, method, announce_end).expect("a question");
            assert_eq!(outcome(&reply), expected, "{method:?} {announce_end}");
        }
    }
}

#[test]
fn what_a_role_has_tried_it_knows() {
    let question = "(always (implies (true (tried 0 1 1)) (knows white (true (tried 0 1 1)))))";
    let reply = ask(question);
    assert!(matches!(reply, Reply::Holds { witness: None, method: "induction", .. }), "{reply:?}");
    let other = "(always (implies (true (tried 0 1 1)) (knows black (true (tried 0 1 1)))))";
    assert_eq!(outcome(&ask(other)), Some((false, Some(1))));
}

#[test]
fn rules_are_found_well_formed() {
    for text in [
        "(always (not (exists (?a ?b) (and (distinct ?a ?b) (goal white ?a) (goal white ?b)))))",
        "(always (not (and (true (cell 1 1 x)) (true (cell 1 1 o)))))",
        "(always (forall ?r (implies (true (cell ?r 1 b)) (not (true (cell ?r 1 x))))))",
    ] {
        let reply = ask(text);
        assert!(matches!(reply, Reply::Holds { witness: None, method: "induction", .. }), "{text}: {reply:?}");
    }
    assert_eq!(outcome(&ask("(sometimes (and (true (cell 1 1 x)) (true (cell 1 1 o))))")), Some((false, None)));
    assert_eq!(outcome(&ask("(always 2 (and (can white) (can black)))")), Some((true, None)));
    assert_eq!(outcome(&ask("(always 2 (or terminal (legal white ?m)))")), Some((true, None)));
}

/// If every round is like the last, the formula stops growing, but the data kept for the rounds does not. It has a
/// limit.
#[test]
fn a_match_without_end_is_not_followed_for_ever() {
    let text = "(role a) (init on) (legal a wait) (<= (next on) (true on)) (<= terminal (true off)) (goal a 50)
        (<= (sees a noise) (does a wait)) (<= (next off) (true on) (true off))";
    let game = gdl(text);
    let question = Question::parse(&game, "(always (knows a (true on)))").expect("a question");
    // There is no time limit: without the limit of memory, this would end only when the memory is used up.
    let reply = answer(&game, &question, Method::Bounded, false, &Budget::default()).expect("an answer");
    assert!(matches!(reply, Reply::Open { rounds: Some(1_000..2_000_000), .. }), "{reply:?}");
    let budget = Budget { cancel: Some(Arc::new(AtomicBool::new(true))), ..Budget::default() };
    let reply = answer(&game, &question, Method::Bounded, false, &budget).expect("an answer");
    assert!(matches!(reply, Reply::Open { rounds: None | Some(0..10), .. }), "{reply:?}");
}

/// `left` and `Left` are two fluents, and `a` and `A` two roles. If only one of them exists, case does not matter.
#[test]
fn capital_letters_matter_where_the_game_says_so() {
    let text = "(role a) (role A) (legal a wait) (legal A Go) (init (f left)) (init (f Right)) (<= (next (f Left)) (true (f left)))";
    let game = gdl(text);
    for (text, holds) in [
        ("(always 0 (true (f left)))", true),
        ("(always 0 (true (f Left)))", false),
        ("(always 0 (true (F RIGHT)))", true),
        ("(always 0 (legal a wait))", true),
        ("(always 0 (legal A go))", true),
        ("(always 0 (forall (?x ?y) (implies (and (true (f ?x)) (true (f ?y))) (not (distinct ?x ?y)))))", false),
    ] {
        for method in [Method::Auto, Method::Pairs] {
            let reply = reply(&game, text, method, false).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(outcome(&reply).map(|it| it.0), Some(holds), "{text}");
        }
    }
    assert!(reply(&game, "(legal a go)", Method::Auto, false).is_err());
}

#[test]
fn a_role_may_be_a_term() {
    let text = "(role (player 1)) (role (player 2)) (init on) (<= (legal ?r wait) (role ?r)) (<= (next off) (true on))
        (<= terminal (true off)) (goal (player 1) 50) (goal (player 2) 50)";
    let game = gdl(text);
    for text in [
        "(always 0 (can (player 1)))",
        "(always 0 (knows (PLAYER 2) (legal ( player  1 ) wait)))",
        "(always (goal (player 2) 50))",
    ] {
        let reply = reply(&game, text, Method::Auto, false).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(outcome(&reply).map(|it| it.0), Some(true), "{text}");
    }
    let error = reply(&game, "(can (player 3))", Method::Auto, false).expect_err("no role");
    assert_eq!(error.message, "`(player 3)` is not a role; the roles are (player 1), (player 2)");
}

#[test]
fn white_may_come_to_know_a_cell_of_black() {
    assert_eq!(outcome(&ask("(sometimes (knows white (true (cell 2 2 o))))")), Some((true, Some(1))));
    assert_eq!(
        outcome(&ask("(sometimes (not (knows black (knows white (true (cell 2 2 o))))))")),
        Some((true, Some(0)))
    );
}

#[test]
fn mistakes_are_found_at_their_place() {
    let game = blind_tic_tac_toe();
    for (text, at, message) in [
        ("(always (knows red terminal))", 15, "`red` is not a role; the roles are white, black, random"),
        ("(and terminal", 0, "this `(` is never closed"),
        ("(and terminal))", 14, "this `)` closes nothing"),
        ("terminal terminal", 9, "one question at a time"),
        ("", 0, "expected a formula"),
        ("(cell 1 1 b)", 0, "`cell` is not a formula; a fluent is written `(true (cell ...))`"),
        ("(not (true (cel 1 1 b)))", 11, "no fluent of this game matches `(cel 1 1 b)`; they begin with cell, tried"),
        ("(true (cell 1 9 b))", 6, "no fluent of this game matches `(cell 1 9 b)`; an example is `(cell 1 1 "),
        ("(legal white (take 1))", 13, "no move of white matches `(take 1)`; they begin with mark"),
        ("(goal white many)", 12, "a goal is a number or a variable"),
        ("(and (goal white ?v) (goal black ?v))", 33, "`?v` occurs in several atoms and needs a quantifier"),
        ("(exists ?x terminal)", 8, "`?x` has no values"),
        ("(exists x (true (cell x 1 b)))", 8, "expected a variable"),
        ("(exists ?x (exists ?x (true (cell ?x 1 b))))", 19, "`?x` is already bound"),
        ("(distinct ?a b)", 0, "`?a` needs a quantifier"),
        ("(not terminal terminal)", 0, "`not` takes one formula, not 2 parts"),
        ("(always many terminal)", 8, "expected a number of rounds"),
        ("(not (always terminal))", 5, "`always` is only allowed around the whole question"),
        ("((not terminal))", 0, "a formula begins with a word"),
    ] {
        let error = reply(&game, text, Method::Auto, false).expect_err(text);
        assert_eq!(error.at, at, "{text}: {error}");
        assert!(error.message.starts_with(message), "{text}: {}", error.message);
    }
    assert!(Question::parse(&game, &"(not ".repeat(100_000)).is_err());
}

/// Checks the tables of `docs/queries.md`.
#[test]
fn the_documented_examples_are_right() {
    let page = percept_test::read("docs/queries.md");
    let (mut game, mut count) = (None, 0);
    for line in page.lines() {
        if let Some(path) = line.strip_prefix("Of `").and_then(|rest| rest.strip_suffix("`:")) {
            game = Some(gdl(&percept_test::read(path)));
        }
        let (Some(game), Some(row)) = (&game, line.strip_prefix("| `(")) else { continue };
        let (question, answer) = row.split_once("` | ").expect("two columns");
        let question = format!("({question}");
        let reply = reply(game, &question, Method::Auto, false).unwrap_or_else(|error| panic!("{question}: {error}"));
        let rounds = answer.split_once(" after ").map(|(_, rest)| rest.split(' ').next().expect("a number"));
        let rounds = rounds.map(|rounds| rounds.parse().expect("a number"));
        assert_eq!(outcome(&reply), Some((answer.starts_with("holds"), rounds)), "{question}");
        count += 1;
    }
    assert!(count > 10, "{count} examples");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        if let Err(error) = Question::parse(&blind_tic_tac_toe(), &text) {
            prop_assert!(text.is_char_boundary(error.at));
        }
    }

    #[test]
    fn any_words_are_read_or_refused(words in proptest::collection::vec(0..WORDS.len(), 0..40)) {
        let text: String = words.into_iter().map(|word| WORDS[word]).collect();
        if let Err(error) = reply(&blind_tic_tac_toe(), &text, Method::Bounded, false) {
            prop_assert!(text.is_char_boundary(error.at), "{text}: {error}");
        }
    }
}

const WORDS: [&str; 18] = [
    "(",
    "(",
    "(",
    ")",
    ")",
    ")",
    "always ",
    "1 ",
    "knows ",
    "white ",
    "exists ",
    "?x ",
    "not ",
    "true ",
    "cell ",
    "terminal ",
    "é",
    "b ",
];

/// A formula for this test, with its meaning by the definition.
enum Own {
    Terminal,
    True(String),
    Legal(&'static str, String),
    Goal(&'static str, i64),
    Not(Box<Own>),
    And(Box<Own>, Box<Own>),
    Or(Box<Own>, Box<Own>),
    Knows(&'static str, Box<Own>),
}

impl Own {
    fn random(rng: &mut SmallRng, depth: usize) -> Own {
        let role = |rng: &mut SmallRng| ["left", "right"][rng.random_range(0..2)];
        let part = |rng: &mut SmallRng| Box::new(Own::random(rng, depth - 1));
        match if depth == 0 { rng.random_range(0..4) } else { rng.random_range(0..9) } {
            0 => Own::Terminal,
            1 => Own::True(format!("f{}", rng.random_range(0..5))),
            2 => Own::Legal(role(rng), format!("m{}", rng.random_range(0..3))),
            3 => Own::Goal(role(rng), [0, 50, 70][rng.random_range(0..3)]),
            4 => Own::Not(part(rng)),
            5 => Own::And(part(rng), part(rng)),
            6 => Own::Or(part(rng), part(rng)),
            _ => Own::Knows(role(rng), part(rng)),
        }
    }

    fn holds(&self, histories: &Histories<'_>, at: usize) -> bool {
        let (game, (history, state)) = (histories.game, &histories.all[at]);
        let role = |name: &str| game.role(name).expect("a role");
        match self {
            Own::Terminal => game.rules.terminal(state),
            Own::True(name) => state.has(game.rules.find_fluent(name).expect("a fluent")),
            Own::Legal(who, name) => {
                let named = |mv: &MoveId| game.rules.move_name(role(who), *mv) == *name;
                !game.rules.terminal(state) && game.rules.legal(state, role(who)).iter().any(named)
            }
            Own::Goal(who, value) => game.rules.goals(state, role(who)).contains(value),
            Own::Not(part) => !part.holds(histories, at),
            Own::And(left, right) => left.holds(histories, at) && right.holds(histories, at),
            Own::Or(left, right) => left.holds(histories, at) || right.holds(histories, at),
            Own::Knows(who, part) => {
                let view = View::of_match(game, role(who), history).expect("a match");
                histories.views[&(role(who), view)].iter().all(|&other| part.holds(histories, other))
            }
        }
    }
}

impl fmt::Display for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Own::Terminal => write!(f, "terminal"),
            Own::True(name) => write!(f, "(true {name})"),
            Own::Legal(who, name) => write!(f, "(legal {who} {name})"),
            Own::Goal(who, value) => write!(f, "(goal {who} {value})"),
            Own::Not(part) => write!(f, "(not {part})"),
            Own::And(left, right) => write!(f, "(and {left} {right})"),
            Own::Or(left, right) => write!(f, "(or {left} {right})"),
            Own::Knows(who, part) => write!(f, "(knows {who} {part})"),
        }
    }
}

/// All histories of a game up to some length, with the views of the roles.
struct Histories<'a> {
    game: &'a Game,
    all: Vec<(Vec<JointMove>, State)>,
    views: HashMap<(RoleId, View), Vec<usize>>,
}

impl<'a> Histories<'a> {
    fn of(game: &'a Game, rounds: usize) -> Self {
        let mut all = vec![(Vec::new(), game.rules.initial())];
        let mut at = 0;
        while at < all.len() {
            let (history, state): (Vec<JointMove>, State) = all[at].clone();
            at += 1;
            if history.len() == rounds || game.rules.terminal(&state) {
                continue;
            }
            let mut joints: Vec<JointMove> = vec![Vec::new()];
            for role in game.role_ids() {
                let legal = game.rules.legal(&state, role);
                let more = |joint: &JointMove| legal.iter().map(|&mv| [&joint[..], &[mv]].concat()).collect::<Vec<_>>();
                joints = joints.iter().flat_map(more).collect();
            }
            for joint in joints {
                let longer = [&history[..], &[joint]].concat();
                let state = play(game, &longer).expect("a match").pop().expect("a state");
                all.push((longer, state));
            }
        }
        let mut views: HashMap<(RoleId, View), Vec<usize>> = HashMap::new();
        for (index, (history, _)) in all.iter().enumerate() {
            for role in game.role_ids() {
                let view = View::of_match(game, role, history).expect("a match");
                views.entry((role, view)).or_default().push(index);
            }
        }
        Histories { game, all, views }
    }
}

/// A game with numbers of all three kinds: `limit` is constant, `steps` is represented by fluents, and `sum` doubles
/// and is a register. A role sees only its own draws.
const NUMBERS: &str = "(define (domain numbers)
    (:requirements :typing :fluents :equality :pogddl)
    (:types role other)
    (:constants p1 p2 - role all u - other)
    (:predicates (whoseturn ?r - role) (next ?a ?b - role) (fixed ?r - role) (even))
    (:functions (limit ?r - role) (steps) (sum ?r - role))
    (:action double
        :parameters (?a ?b - role)
        :precondition (and (whoseturn ?a) (next ?a ?b) (< (steps) 3))
        :effect (and (not (whoseturn ?a)) (whoseturn ?b) (increase (steps) 1)
            (increase (sum ?a) (sum ?a)) (observe (?a (doubled)))))
    (:action stay
        :parameters (?a ?b - role)
        :precondition (and (whoseturn ?a) (next ?a ?b) (< (steps) 3))
        :effect (and (not (whoseturn ?a)) (whoseturn ?b) (increase (steps) 1) (observe (?a (stayed)))))
    (:gain ?p - role (sum ?p) (= (steps) 3)))";
const PROBLEM: &str = "(define (problem small) (:domain numbers) (:init (whoseturn p1) (next p1 p2) (next p2 p1)
    (fixed p1) (= (limit p1) 2) (= (limit p2) 7) (= (steps) 0) (= (sum p1) 1) (= (sum p2) 2)))";

fn numbers() -> Game {
    pogddl(&[NUMBERS, PROBLEM], PogddlTerminal::NoMoves)
}

/// The terms of all numbers of the game.
const TERMS: [&str; 5] = ["(limit p1)", "(limit p2)", "(steps)", "(sum p1)", "(sum p2)"];

/// True if some (`any`) or all of the numbers have this value in a state (or do not have it, unless `has`), by the
/// definition.
fn quantified(game: &Game, state: &State, any: bool, has: bool, value: i64) -> bool {
    let mut is_so = TERMS.iter().map(|term| (game.rules.number(state, &term.parse().unwrap()) == Some(value)) == has);
    if any { is_so.any(|it| it) } else { is_so.all(|it| it) }
}

#[test]
fn variables_range_over_all_numbers() {
    let game = numbers();
    assert_eq!(game.rules.register_names().len(), 2, "the sums are registers: {:?}", game.rules.register_names());
    let histories = Histories::of(&game, 3);
    assert!(histories.all.len() > 10);
    let mut told_apart = [0, 0];
    for value in -1..10 {
        for (quantifier, any) in [("exists", true), ("forall", false)] {
            for has in [true, false] {
                let atom = format!("(true (= ?x {value}))");
                let body = if has { atom } else { format!("(not {atom})") };
                let text = format!("(always 3 ({quantifier} ?x {body}))");
                let fails = histories.all.iter().filter(|(_, state)| !quantified(&game, state, any, has, value));
                let shortest = fails.map(|(history, _)| history.len()).min();
                told_apart[usize::from(shortest.is_none())] += 1;
                for method in [Method::Pairs, Method::Bounded, Method::Auto] {
                    let reply = reply(&game, &text, method, false).unwrap_or_else(|error| panic!("{text}: {error}"));
                    assert_eq!(outcome(&reply), Some((shortest.is_none(), shortest)), "{method:?}: {text}");
                }
            }
        }
    }
    assert!(told_apart.iter().all(|&count| count > 5), "{told_apart:?}");
}

#[test]
fn numbers_are_known_or_not() {
    let game = numbers();
    for (text, expected) in [
        ("(always (true (= (limit p1) 2)))", (true, None)),
        ("(sometimes (true (= (limit p2) 2)))", (false, None)),
        ("(always (true (fixed p1)))", (true, None)),
        ("(sometimes (true (= (sum p2) 4)))", (true, Some(2))),
        ("(sometimes (true (= (sum p2) 3)))", (false, None)),
        // Each role sees only its own moves, and so knows only its own sum.
        ("(always (implies (true (= (sum p1) 2)) (knows p1 (true (= (sum p1) 2)))))", (true, None)),
        ("(always (implies (true (= (sum p1) 2)) (knows p2 (true (= (sum p1) 2)))))", (false, Some(1))),
        ("(always (exists ?r (knows p2 (true (= (limit ?r) 7)))))", (true, None)),
        ("(always (exists ?x (and (knows p1 (true (= ?x 4))) (true (= ?x 4)))))", (false, Some(0))),
    ] {
        for method in [Method::Pairs, Method::Auto] {
            let reply = reply(&game, text, method, false).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(outcome(&reply), Some(expected), "{method:?}: {text}");
        }
    }
    for (text, at, message) in [
        ("(exists ?v (true (= (sum p1) ?v)))", 17, "the values of `(sum p1)` are not known in advance"),
        ("(exists (?x ?v) (true (= ?x ?v)))", 22, "the values of `(sum p1)` are not known in advance"),
        ("(exists ?f (true ?f))", 17, "the values of `(sum p1)` are not known in advance"),
        ("(true (= (sums p1) 1))", 6, "no fluent of this game matches `(= (sums p1) 1)`"),
    ] {
        let error = reply(&game, text, Method::Auto, false).expect_err(text);
        assert_eq!(error.at, at, "{text}: {error}");
        assert!(error.message.starts_with(message), "{text}: {}", error.message);
    }
    assert_eq!(
        outcome(&reply(&game, "(exists ?v (true (= (steps) ?v)))", Method::Auto, false).unwrap()),
        Some((true, None))
    );
}

/// About random formulas and random games, every method gives the answers of the definition over all short histories.
#[test]
fn the_methods_agree_with_the_definition() {
    let count = more(12, 140);
    let [held, by_induction, refuted_by_clauses] = [0; 3].map(AtomicUsize::new);
    let saw = |what: &AtomicUsize, it: bool| _ = what.fetch_add(usize::from(it), Ordering::Relaxed);
    side_by_side(&(0..count).collect::<Vec<u64>>(), |&seed| {
        let game = Game { knows_own_moves: seed % 3 != 0, ..random_game(seed) };
        let histories = Histories::of(&game, 2);
        let mut rng = SmallRng::seed_from_u64(seed);
        for _ in 0..6 {
            let own = Own::random(&mut rng, 3);
            let lengths = (0..histories.all.len()).filter(|&at| !own.holds(&histories, at));
            let shortest = lengths.map(|at| histories.all[at].0.len()).min();
            let expected = Some((shortest.is_none(), shortest));
            saw(&held, shortest.is_none());
            let text = format!("(always 2 {own})");
            for method in [Method::Pairs, Method::Auto] {
                let answer = reply(&game, &text, method, false).expect("a question");
                assert_eq!(outcome(&answer), expected, "game {seed}, {method:?}: {text}");
            }
            let clauses = outcome(&reply(&game, &text, Method::Bounded, false).expect("a question"));
            assert!(clauses.is_none() || clauses == expected, "game {seed}: {text}: {clauses:?}");
            saw(&refuted_by_clauses, clauses.is_some_and(|(holds, _)| !holds));
            // A proof for all lengths is valid for the short ones.
            let always = reply(&game, &format!("(always {own})"), Method::Induction, false).expect("a question");
            if outcome(&always) == Some((true, None)) {
                assert_eq!(shortest, None, "game {seed}: {own}");
                saw(&by_induction, true);
            }
            let sometimes =
                reply(&game, &format!("(sometimes 2 (not {own}))"), Method::Auto, false).expect("a question");
            assert_eq!(outcome(&sometimes), Some((shortest.is_some(), shortest)), "game {seed}: not {own}");
        }
    });
    let seen = [held, by_induction, refuted_by_clauses].map(AtomicUsize::into_inner);
    assert!(!seen.contains(&0), "{seen:?}");
}

#[test]
fn where_the_rules_are_too_large_for_a_state_questions_stay_open() {
    for text in ["(sometimes (goal p 100))", "(always (implies terminal (knows p (goal p ?v))))"] {
        let outcome =
            |letters| outcome(&reply(&growing_words(letters), text, Method::Auto, false).expect("a question"));
        assert!(outcome(100).is_some(), "{text}");
        assert_eq!(outcome(150), None, "{text}");
    }
    let reply = reply(&growing_words(150), "(always (can p))", Method::Bounded, false).expect("a question");
    assert!(matches!(&reply, Reply::Open { why: Some(why), .. } if why.contains("no circuit")));
}
