//! Best responses without a tree, against those of the tree and against published numbers.

use std::sync::atomic::Ordering;

use percept_game::Game;
use percept_infoset::{Budget, Stop};
use percept_solve::cfr::Variant;
use percept_solve::general;
use percept_solve::respond::{Part, Profile, RespondError, Responder, Response, Responses, longest, respond};
use percept_solve::tree::{Tree, build};
use percept_solve::{Method, Options, Sampling, Space, Strategy, plan, solve};
use percept_syntax::{Language, Source, Syntax};

use crate::naive;

fn of_text(text: &str) -> Game {
    let source = Source::parse(text, Language::GdlPrefix);
    let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
    Game::from_gdl(description).expect("a game")
}

pub(crate) fn responses(game: &Game, profile: Profile<'_>) -> Responses {
    respond(game, profile, &Space::default(), &Budget::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_response_in_parts_is_that_of_one_machine() {
    let (space, budget) = (Space::default(), Budget::default());
    for name in ["kuhn-poker/kuhn-poker.kif", "leduc-poker/leduc-poker.kif", "exploding-bomb/exploding-bomb.kif"] {
        let game = percept_test::game(name);
        let options = Options { method: Method::Cfr(Variant::Plus), iterations: Some(3), ..Options::default() };
        let strategy = solve(&game, &options, &budget).map(|solution| solution.strategy(&game)).unwrap_or_default();
        for profile in [Profile::Uniform, Profile::Table(&strategy)] {
            for whole in responses(&game, profile).roles {
                let responder = Responder::new(&game, profile, whole.role, &space, &budget).expect("positions");
                for of in [1, 3, 50] {
                    let part = |number| responder.part(&game, profile, number, of, &budget).expect("a part");
                    let mut parts: Vec<Part> = (0..of).map(part).collect();
                    let joined = responder.join(&game, profile, &parts, &budget).expect("a response");
                    assert_eq!(Response { seconds: whole.seconds, ..joined }, whole, "{name} {of}");
                    parts[0].worths.pop();
                    assert!(of == 1 || responder.join(&game, profile, &parts[1..], &budget).is_err());
                    assert!(matches!(responder.join(&game, profile, &parts, &budget), Err(RespondError::Parts)));
                }
            }
        }
    }
}

#[test]
fn the_longest_match_is_found_by_a_walk() {
    let rounds = |game: &Game, bytes| longest(game, &Space { bytes }, &Budget::default());
    let kuhn = percept_test::game("kuhn-poker/kuhn-poker.kif");
    assert_eq!(rounds(&kuhn, 1 << 20), Some(4));
    assert_eq!(rounds(&kuhn, 1 << 8), None);
    let endless = "(role a) (init (at 1)) (<= (legal a stay) (true (at ?x))) (<= (next (at ?x)) (true (at ?x)))
        (<= terminal (true (at 2))) (<= (goal a 0) (true (at ?x)))";
    assert_eq!(rounds(&of_text(endless), 1 << 20), None);
}

/// Dark Hex or Phantom Tic-Tac-Toe on four cells, with every row, column and diagonal a line.
pub(crate) fn on_four_cells(game: &str) -> Game {
    let path = percept_test::root().join("games").join(game);
    let text = std::fs::read_to_string(path).expect("the game");
    let is_kept = |line: &&str| {
        let long = ["(turn 5", "(turn 6", "(turn 7", "(turn 8", "(turn 9", "(index 3)", "(beside 2"];
        !long.iter().any(|begin| line.starts_with(begin)) && !line.contains("3 1 ?player")
    };
    let lines: Vec<&str> = text.lines().filter(is_kept).collect();
    let mut text = lines.join("\n").replace("(ends black ?x 3)", "(ends black ?x 2)");
    text = text.replace("(ends white 3 ?y)", "(ends white 2 ?y)");
    for third in [" (true (cell ?x 3 ?player))", " (true (cell 3 ?y ?player))", " (true (cell 3 3 ?player))"] {
        text = text.replace(third, "");
    }
    of_text(&text)
}

/// Dark Hex with two cells in a row and three in a column.
pub(crate) fn on_six_cells() -> Game {
    let path = percept_test::root().join("games/dark-hex/dark-hex.kif");
    let text = std::fs::read_to_string(path).expect("the game");
    let is_kept = |line: &&str| !["(turn 7", "(turn 8", "(turn 9"].iter().any(|begin| line.starts_with(begin));
    let lines: Vec<&str> = text.lines().filter(is_kept).collect();
    let text =
        lines.join("\n").replace("(index ?x)", "(column ?x)").replace("(index 1)", "(index 1)\n(column 1)\n(column 2)");
    let text = text.replace("(beside ?x ?x2)", "(beside ?x ?x2)\n    (column ?x2)");
    of_text(&text.replace("(ends white 3 ?y)", "(ends white 2 ?y)"))
}

/// The same values, gains and information sets as those of the plans in the tree.
fn agrees(name: &str, found: &Responses, tree: &Tree, plans: Vec<Vec<f64>>, is_full: bool) {
    let profile = general::Profile::new(tree, plans);
    assert_eq!(found.roles.len(), tree.players.len(), "{name}");
    for (at, it) in found.roles.iter().enumerate() {
        let (value, gain) = (profile.values[at], profile.deviations[at]);
        assert!((it.value - value).abs() < 1e-9, "{name}, value of {at}: {} or {value}", it.value);
        assert!((it.gain() - gain).abs() < 1e-9, "{name}, gain of {at}: {} or {gain}", it.gain());
        if is_full {
            assert_eq!(it.infosets, tree.players[at].infosets.len() as u64, "{name}, information sets of {at}");
        }
    }
}

fn every_way(name: &str, game: &Game) {
    let tree = build(game, &Space::default(), &Budget::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    agrees(name, &responses(game, Profile::Uniform), &tree, tree.players.iter().map(plan::uniform).collect(), true);
    // A few iterations give mixed strategies, with moves that are never made.
    let options = Options { method: Method::Cfr(Variant::Plus), iterations: Some(5), ..Options::default() };
    let solution = solve(game, &options, &Budget::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let behaviour = solution.behaviour().expect("there is a tree");
    let plans = tree.players.iter().zip(behaviour).map(|(plex, behaviour)| plan::plan(plex, behaviour)).collect();
    let strategy = solution.strategy(game);
    let text = Strategy::from_text(&strategy.to_text(&[])).expect("a strategy");
    agrees(name, &responses(game, Profile::Table(&text)), &tree, plans, false);
}

#[test]
fn as_in_the_tree() {
    for game in [
        "kuhn-poker/kuhn-poker.kif",
        "leduc-poker/leduc-poker.kif",
        "liars-dice/liars-dice.kif",
        "goofspiel/goofspiel-4.kif",
        "hidden-matching-pennies/hidden-matching-pennies.kif",
        "exploding-bomb/exploding-bomb.kif",
        "poker/king-and-jack.pog",
    ] {
        every_way(game, &percept_test::game(game));
    }
    for game in [
        "dark-hex/dark-hex.kif",
        "abrupt-dark-hex/abrupt-dark-hex.kif",
        "phantom-tic-tac-toe/phantom-tic-tac-toe.kif",
        "silent-phantom-tic-tac-toe/silent-phantom-tic-tac-toe.kif",
        "abrupt-phantom-tic-tac-toe/abrupt-phantom-tic-tac-toe.kif",
    ] {
        every_way(game, &on_four_cells(game));
    }
}

/// A second opinion that shares no code with the tree.
#[test]
fn as_history_by_history() {
    for game in [percept_test::game("kuhn-poker/kuhn-poker.kif"), on_four_cells("dark-hex/dark-hex.kif")] {
        let options = Options { method: Method::Cfr(Variant::Plus), iterations: Some(3), ..Options::default() };
        let strategy = solve(&game, &options, &Budget::default()).expect("a solution").strategy(&game);
        for it in responses(&game, Profile::Table(&strategy)).roles {
            let best = naive::best_response(&game, it.role, &strategy);
            assert!((it.best - best).abs() < 1e-9, "{:?}: {} or {best}", it.role, it.best);
        }
    }
}

/// The last free cell leaves one move, which elsewhere is one of several; waiting is never one of several.
#[test]
fn forced_moves_are_counted_apart() {
    let [black, white] = responses(&on_four_cells("dark-hex/dark-hex.kif"), Profile::Uniform).roles[..] else {
        panic!("two roles")
    };
    // The first of four cells; then one of the three others; then, if white is there, one of the last two.
    assert_eq!((black.infosets, black.forced), (1 + 4 + 4 * 3, 0));
    // Counted by a program of its own that plays every sequence of tries. White has a mark and has found two of black's.
    assert_eq!((white.infosets, white.forced), (29, 24));
}

/// The bounds that sampling proves are those of its table, and contain the value.
#[test]
fn samples_are_bounded() {
    for (game, value) in [("kuhn-poker/kuhn-poker.kif", 875.0 / 18.0), ("leduc-poker/leduc-poker.kif", 49.7431807)] {
        let game = percept_test::game(game);
        let method = Method::Sampling(Sampling::External);
        let options = Options { method, iterations: Some(1_000), bounds: true, ..Options::default() };
        let solution = solve(&game, &options, &Budget::default()).expect("a solution");
        let [first, second] = &solution.values[..] else { panic!("two values") };
        assert!(first.low < value && value < first.high && first.high - first.low < 20.0, "{first:?}");
        assert!((second.low + first.high - 100.0).abs() < 1e-9, "{second:?}");
        let table = solution.strategy(&game);
        let found = responses(&game, Profile::Table(&table));
        for (it, other) in found.roles.iter().zip(&solution.profile) {
            assert!(
                (it.value - other.value).abs() < 1e-9 && (it.gain() - other.gain).abs() < 1e-9,
                "{it:?}, {other:?}"
            );
        }
        let width = found.roles.iter().map(percept_solve::respond::Response::gain).sum::<f64>();
        assert!(solution.exploitability.is_some_and(|it| (2.0 * it - width).abs() < 1e-9));
    }
}

const GUESS: &str = "(role ann) (role bob) (init (at 1)) (succ 1 2) (succ 2 3)
    (<= (legal ann (say ?n)) (true (at 1)) (word ?n)) (word a) (word b)
    (<= (legal ann wait) (not (true (at 1))))
    (<= (legal bob wait) (true (at 1)))
    (<= (legal bob (guess ?n)) (true (at 2)) (word ?n))
    (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
    (<= (next (said ?n)) (does ann (say ?n)))
    (<= (next hit) (does bob (guess ?n)) (true (said ?n)))
    (<= terminal (true (at 3)))
    (<= (goal bob 100) (true hit)) (<= (goal bob 0) (not (true hit)))
    (<= (goal ann 0) (true hit)) (<= (goal ann 100) (not (true hit)))";

#[test]
fn what_has_no_answer_says_why() {
    let error = |text: &str| {
        respond(&of_text(text), Profile::Uniform, &Space::default(), &Budget::default()).expect_err("none")
    };
    let unknown = GUESS.replace("(true (at 2)) (word ?n)", "(true (at 2)) (true (said ?n))");
    assert_eq!(error(&unknown).to_string(), "bob does not know its legal moves: either `(guess a)` or `(guess b)`");
    let endless = GUESS.replace("(succ 2 3)", "(succ 2 1)");
    assert!(matches!(error(&endless), RespondError::Endless(_)));
    let around = endless.replace("(<= (next (said ?n)) (does ann (say ?n)))", "");
    assert!(matches!(error(&around), RespondError::Endless(_)), "back at the start");
    let two = GUESS.replace("(goal ann 0)", "(goal bob 7)");
    assert!(matches!(error(&two), RespondError::Goals { .. }), "{}", error(&two));

    let game = of_text(GUESS);
    let other = "(at ann (play (1 (guess a))))";
    let strategy = Strategy::from_text(other).expect("a strategy");
    let illegal = respond(&game, Profile::Table(&strategy), &Space::default(), &Budget::default());
    assert!(illegal.is_err_and(|error| error.to_string().contains("`(guess a)`")));
    let cancelled = Budget { cancel: Some(std::sync::Arc::new(true.into())), ..Budget::default() };
    let stopped = respond(&game, Profile::Uniform, &Space::default(), &cancelled);
    assert!(matches!(stopped, Err(RespondError::Stopped(Stop::Cancelled))));
    let small = respond(&game, Profile::Uniform, &Space { bytes: 100 }, &Budget::default());
    assert!(matches!(small, Err(RespondError::TooLarge { .. })));
}

#[test]
fn roles_that_are_complete_are_kept() {
    let game = of_text(GUESS);
    let cancel = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let (flag, roles) = (cancel.clone(), std::sync::atomic::AtomicU32::new(0));
    let progress = move |progress: &percept_infoset::Progress| {
        let is_new = progress.what == "positions of a role" && progress.done == 0;
        if is_new && roles.fetch_add(1, Ordering::Relaxed) == 1 {
            flag.store(true, Ordering::Relaxed);
        }
    };
    let budget = Budget { cancel: Some(cancel), progress: Some(std::sync::Arc::new(progress)), ..Budget::default() };
    let whole = responses(&game, Profile::Uniform);
    let found = respond(&game, Profile::Uniform, &Space::default(), &budget).expect("one role");
    assert_eq!((found.roles.len(), found.stopped, found.bounds()), (1, Some(Stop::Cancelled), None));
    assert_eq!((found.roles[0].value, found.roles[0].best), (whole.roles[0].value, whole.roles[0].best));
}

/// A strategy changes what a best response can gain; a view without an entry moves at random.
#[test]
fn a_table_may_be_partial() {
    let game = of_text(GUESS);
    let strategy = Strategy::from_text("(at ann (play (3/4 (say a)) (1/4 (say b))))").expect("a strategy");
    let found = responses(&game, Profile::Table(&strategy));
    let [ann, bob] = found.roles[..] else { panic!("two roles") };
    // Ann can secure 25 with this strategy, and no more than 50 against bob's at random.
    assert_eq!(found.bounds(), Some([(25.0, 50.0), (50.0, 75.0)]));
    assert_eq!([ann.value, ann.best, bob.value, bob.best], [50.0, 50.0, 50.0, 75.0]);
    assert_eq!([ann.infosets, bob.infosets], [1, 1]);
    let both_win = of_text(&GUESS.replace("(goal ann 0)", "(goal ann 100)"));
    assert_eq!(responses(&both_win, Profile::Uniform).bounds(), None);
}

mod heavy {
    use super::*;

    /// Values and best responses in wins minus losses, information sets with a choice, and forced ones.
    fn is(game: &str, expected: [(f64, f64, u64, u64); 2]) {
        let found = responses(&percept_test::game(game), Profile::Uniform);
        for (it, (value, best, infosets, forced)) in found.roles.iter().zip(expected) {
            let of = |goal: f64| (goal - 50.0) / 50.0;
            assert!((of(it.value) - value).abs() < 1e-6, "{game}: {}", of(it.value));
            assert!((of(it.best) - best).abs() < 1e-6, "{game}: {}", of(it.best));
            assert_eq!((it.infosets, it.forced), (infosets, forced), "{game}");
        }
    }

    /// The library exp-a-spiel has 3,720,850 and 2,352,067 information sets for Dark Hex, forced ones included. Its
    /// best responses get 1 and 0.832804 against players at random. Who wins between two of these is decided by the
    /// full board, of which 84 of 126 are black's.
    #[test]
    #[ignore = "takes minutes"]
    fn published_numbers_of_dark_hex() {
        let best = 1.166488 - 0.333684;
        is(
            "dark-hex/dark-hex.kif",
            [(1.0 / 3.0, 1.0, 2_027_410, 3_720_850 - 2_027_410), (-1.0 / 3.0, best, 2_352_067, 0)],
        );
    }
}
