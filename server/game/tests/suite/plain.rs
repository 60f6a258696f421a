//! The plain rules give the same answers as the rules for play: matches are played on both side by side, and everything
//! is compared by name, for own and published games.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use percept_game::plain::{self, Limits};
use percept_game::{Game, JointMove, MoveId, PogddlOptions, RoleId, State};
use percept_syntax::{Language, Source};
use percept_test::games::description_of;
use percept_test::{games, source};
use rand::seq::IndexedRandom;
use rand::{SeedableRng, rngs::SmallRng};

type Names = BTreeSet<String>;

/// The answers of one game about a state, by name.
#[derive(PartialEq, Eq, Debug)]
struct Answers {
    fluents: Names,
    terminal: bool,
    legal: Vec<Names>,
    goals: Vec<Vec<i64>>,
}

/// `other`: fluents of the other game; a fluent that is missing there never holds.
fn answers(game: &Game, state: &State, other: &Game) -> Answers {
    let names = state.fluents().map(|fluent| game.rules.fluent_name(fluent));
    // A static fact is a fluent here and none there.
    let fluents = names.filter(|name| other.rules.find_fluent(name).is_some()).collect();
    let roles = || game.role_ids();
    let legal =
        |role| game.rules.legal(state, role).into_iter().map(|mv| game.rules.move_name(role, mv)).collect::<Names>();
    let terminal = game.rules.terminal(state);
    Answers {
        fluents,
        terminal,
        legal: roles().map(legal).collect(),
        goals: roles().map(|role| game.rules.goals(state, role)).collect(),
    }
}

fn percepts(game: &Game, state: &State, joint: &[MoveId]) -> Vec<Vec<String>> {
    let of = |role: RoleId| {
        let percepts = game.rules.percepts(state, joint, role).into_iter();
        let mut names: Vec<String> = percepts.map(|percept| game.rules.percept_name(role, percept)).collect();
        names.sort();
        names
    };
    game.role_ids().map(of).collect()
}

/// Plays both side by side, until `rounds` are made in all.
fn play(name: &str, game: &Game, plain: &Game, rounds: usize) {
    assert_eq!(plain.roles, game.roles, "{name}");
    let mut rng = SmallRng::seed_from_u64(7);
    let (mut left, mut right) = (game.rules.initial(), plain.rules.initial());
    for _ in 0..rounds {
        let (said_left, said_right) = (answers(game, &left, plain), answers(plain, &right, game));
        assert_eq!(said_left, said_right, "{name}");
        assert!(!plain.rules.outside().is_some_and(|outside| right.has(outside)), "{name}: outside");
        let joint: Option<JointMove> =
            game.role_ids().map(|role| game.rules.legal(&left, role).choose(&mut rng).copied()).collect();
        let Some(joint) = joint.filter(|_| !said_left.terminal) else {
            (left, right) = (game.rules.initial(), plain.rules.initial());
            continue;
        };
        let same = game.role_ids().zip(&joint).map(|(role, &mv)| {
            let name = game.rules.move_name(role, mv);
            plain.rules.find_move(role, &name).unwrap_or_else(|| panic!("no move {name}"))
        });
        let other: JointMove = same.collect();
        assert_eq!(percepts(game, &left, &joint), percepts(plain, &right, &other), "{name}");
        (left, right) = (game.rules.next(&left, &joint), plain.rules.next(&right, &other));
    }
}

/// Both games of a GDL file; `None` if both are refused.
fn gdl(path: &Path) -> Option<(Game, Result<Game, String>)> {
    let source = source(path);
    let description = description_of(&source);
    let plain = || plain::gdl(description, &Limits::default()).map_err(|errors| errors[0].message.clone());
    match Game::from_gdl(description) {
        Ok(game) => Some((game, plain())),
        Err(why) => {
            assert!(plain().is_err(), "{} is refused only for play: {}", path.display(), why[0].message);
            None
        }
    }
}

#[test]
fn own_games() {
    for name in [
        "blind-tic-tac-toe/blind-tic-tac-toe.kif",
        "blind-tic-tac-toe/blind-tic-tac-toe.hrf",
        "blind-tic-tac-toe-without-chance/blind-tic-tac-toe-without-chance.kif",
        "exploding-bomb/exploding-bomb.kif",
        "exploding-bomb-arming/exploding-bomb-arming.kif",
        "hidden-matching-pennies/hidden-matching-pennies.kif",
        "kuhn-poker/kuhn-poker.kif",
        "tic-tac-toe/tic-tac-toe.kif",
    ] {
        let (game, plain) = gdl(&games().join(name)).expect("a game");
        play(name, &game, &plain.expect("a plain game"), 200);
    }
    for (domain, problem) in [
        ("battleship/battleship.pog", "battleship/battleship-2-4.pog"),
        ("gops/gops.pog", "gops/gops-2-10.pog"),
        ("gops/gops.pog", "gops/gops-2-10-closed.pog"),
        ("poker/poker.pog", "poker/king-and-jack.pog"),
        ("racko/racko.pog", "racko/racko-2-7.pog"),
    ] {
        let (first, second) = (source(games().join(domain)), source(games().join(problem)));
        let terminal = PogddlOptions::declared(&first.text, &first.comments).unwrap_or_default();
        let options = PogddlOptions { terminal };
        let (domain, described) = (first.domain().expect("a domain"), second.problem().expect("a problem"));
        let game = Game::from_pogddl(domain, described, &options).expect("a game");
        let ranges = plain::ranges(&game);
        let plain = plain::pogddl(domain, described, &options, &ranges).expect("a plain game");
        play(problem, &game, &plain, 60);
    }
}

/// Difficult cases: recursion that always holds, that is never founded, in two layers, through a negation; negations
/// with variables of their own; `or`, `distinct` of compounds; fluents that only a negation mentions.
#[test]
fn small_games() {
    let texts = [
        "(role a) (role b) (init (light on))
         (<= (next (light off)) (true (light on))) (<= (next (light on)) (true (light off)))
         (<= (next (chose ?m)) (does a ?m))
         (<= (awake ?r) (role ?r) (true (light on)))
         (<= (awake ?r) (role ?r) (not (true (light on))))
         (<= (awake ?r) (role ?r) (role ?q) (awake ?q))
         (<= (ghost ?r) (role ?r) (role ?q) (ghost ?q))
         (<= (legal a cheat) (not (awake b))) (legal a left) (<= (legal a right) (not (ghost a))) (legal b wait)
         (<= (sees b caught) (does a cheat)) (<= (sees ?r (light ?l)) (true (light ?l)))
         (<= terminal (true (chose ?m)) (true (light on)))
         (<= (goal b 100) (true (chose left))) (<= (goal ?r 0) (not (goal ?r 100))) (goal a 50)",
        "(role r) (role q) (init (edge a b)) (init (edge b c)) (init (edge c a)) (init (edge d a)) (node a) (node b)
         (node c) (node d)
         (<= (path ?x ?y) (true (edge ?x ?y))) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
         (<= (apart ?x ?y) (node ?x) (node ?y) (not (path ?x ?y)) (distinct (pair ?x ?y) (pair ?y ?x)))
         (<= (legal r (loop ?x)) (path ?x ?x)) (<= (legal r rest) (not (and (path ?x ?y) (path ?y ?x))))
         (<= (legal q (cut ?x ?y)) (true (edge ?x ?y))) (legal q rest)
         (<= (next (edge ?x ?y)) (true (edge ?x ?y)) (not (does r (loop ?x))) (not (does q (cut ?x ?y))))
         (<= (sees q (far ?x)) (or (apart ?x a) (apart a ?x)))
         (<= (sees r ?p) (does q ?p) (not (true (never ?p))))
         (<= terminal (not (path a a))) (<= (goal ?r 30) (role ?r) (path a b)) (<= (goal r 0) (not (path a b)))",
        // Recursion of two steps over pairs that are not any two values.
        "(role r) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4)
         (<= (three ?x 3) (succ ?x 3)) (<= (three ?a ?c) (three ?a ?b) (three ?b ?c))
         (<= (same ?x ?x) (succ ?x ?y)) (<= (same ?a ?c) (same ?a ?b) (same ?b ?c))
         (pair 1 2) (<= (pair ?a ?c) (pair ?a ?b) (pair ?b ?c))
         (<= (legal r (go ?y)) (true (at ?x)) (succ ?x ?y)) (legal r stay)
         (<= (next (at ?y)) (does r (go ?y))) (<= (next (at ?x)) (true (at ?x)) (does r stay))
         (<= (sees r (three ?a ?b)) (three ?a ?b)) (<= (sees r (same ?a ?b)) (same ?a ?b))
         (<= (sees r (pair ?a ?b)) (pair ?a ?b)) (<= terminal (true (at 4))) (goal r 50)",
    ];
    for text in texts {
        let description = &percept_test::description(text);
        let game = Game::from_gdl(description).expect("a game");
        let plain = plain::gdl(description, &Limits::default()).expect("a plain game");
        play(text, &game, &plain, 200);
    }
}

/// Orders of 111 numbers, whose pairs are not listed for play, read at either end, in all the ways in which they
/// are written.
#[test]
fn large_orders() {
    let number = |at: usize| format!("(number {at}) (succ {at} {}) (far {at} {}) ", at + 1, at * 40 % 111);
    let numbers: String = (0..111).map(number).collect();
    let text = format!(
        "(role a) (role b) (init (heap 105)) (init (mark 40)) {numbers}
         (<= (less ?a ?b) (succ ?a ?b)) (<= (less ?a ?c) (less ?a ?b) (succ ?b ?c))
         (<= (above ?a ?b) (succ ?b ?a)) (<= (above ?x ?z) (succ ?y ?x) (above ?y ?z))
         (<= (upto ?a ?a) (number ?a)) (<= (upto ?a ?c) (succ ?a ?b) (upto ?b ?c))
         (<= (below ?a ?b) (succ ?a ?b)) (<= (below ?a ?c) (below ?b ?c) (below ?a ?b))
         (<= (from ?a ?a) (number ?a)) (<= (from ?c ?a) (succ ?b ?c) (from ?b ?a))
         (<= (later ?a ?b) (succ ?b ?a)) (<= (later ?a ?b) (far ?a ?b)) (<= (later ?c ?a) (succ ?b ?c) (later ?b ?a))
         (<= (legal a (take ?k)) (true (heap ?n)) (less ?k ?n)) (legal a rest)
         (<= (legal b (raise ?k)) (true (mark ?n)) (above ?k ?n)) (<= (legal b (lower ?k)) (true (mark ?n)) (upto ?k ?n))
         (<= (next (heap ?k)) (does a (take ?k))) (<= (next (heap ?k)) (true (heap ?k)) (does a rest))
         (<= (next (mark ?k)) (does b (raise ?k))) (<= (next (mark ?k)) (does b (lower ?k)))
         (<= ahead (true (heap ?m)) (true (mark ?n)) (less ?n ?m))
         (<= (sees b (more ?k)) (true (heap ?n)) (less ?n ?k) (true (mark ?k)))
         (<= (sees b (of ?k ?n)) (true (heap ?n)) (upto ?k ?n) (true (mark ?k)))
         (<= (sees a low) (true (heap ?n)) (less ?n 20)) (<= (sees a high) (true (mark ?n)) (from ?n 70))
         (<= (sees a (both ?k)) (true (mark ?n)) (less ?n ?k) (true (heap ?m)) (less ?k ?m))
         (<= (sees b (left ?k)) (true (mark ?k)) (true (heap ?n)) (below ?k ?n)) (<= (sees b top) (not (not (below 3 110))))
         (<= (sees a (past ?m)) (true (heap ?m)) (true (mark ?n)) (below ?n ?m))
         (<= (sees a (start ?k)) (true (mark ?n)) (upto ?n ?k) (true (heap ?m)) (from ?m ?k))
         (<= (sees b (later ?k)) (true (mark ?k)) (true (heap ?n)) (later ?k ?n))
         (<= (sees a (later ?k)) (true (mark ?k)) (true (heap ?n)) (later ?n ?k))
         (<= (sees a (same ?m)) (true (mark ?m)) (true (heap ?n)) (upto ?n ?n))
         (<= (sees a never) (true (heap ?n)) (less ?n ?n))
         (<= (sees b apart) (true (mark ?n)) (true (heap ?m)) (not (less ?n ?m)) (not (less ?m ?n)))
         (<= terminal (true (heap 0))) (<= (goal a 100) ahead) (<= (goal a 0) (not ahead)) (goal b 50)"
    );
    let (game, plain) = both(&text).expect("a game");
    play("large orders", &game, &plain, 60);
}

/// The frame of each odd statement: both roles can move, `r` perceives the result of a statement, and matches end.
const AROUND: &str =
    "(role r) (role q) (init (at 1)) (init (at 2)) (init on) (num 1) (num 2) (num 3) (succ 1 2) (succ 2 3)
    (pair (f 1 2)) (pair (f 3 3)) (legal r rest) (<= (legal r (drop ?x)) (true (at ?x))) (legal q rest) (legal q push)
    (<= (next (at ?x)) (true (at ?x)) (not (does r (drop ?x)))) (<= (next on) (not (true on)) (does q push))
    (<= terminal (not (true (at 1))) (not (true (at 2)))) (goal r 0) (goal q 0) ";

/// Both games of a text, or that both refuse it.
fn both(text: &str) -> Option<(Game, Game)> {
    let source = Source::parse(text, Language::GdlPrefix);
    let description = description_of(&source);
    match (Game::from_gdl(description), plain::gdl(description, &Limits::default())) {
        (Ok(game), Ok(plain)) => Some((game, plain)),
        (Err(_), Err(_)) => None,
        (Ok(_), Err(why)) => panic!("{text}: only the plain game is refused: {}", why[0].message),
        (Err(why), Ok(_)) => panic!("{text}: only the game is refused: {}", why[0].message),
    }
}

/// Conditions under `num ?x` and others: in a head with the variable and in one without.
#[test]
fn odd_conditions() {
    for condition in [
        "(or)",
        "(and)",
        "(not (or))",
        "(not (and))",
        "(not (not (true (at ?x))))",
        "(not (or (true on) (not (true (at ?x)))))",
        "(not (and (true on) (not (true (at ?x)))))",
        "(not (and (true on) (or (true (at ?x)) (does q push))))",
        "(or (and (true on) (true (at ?x))) (and (not (true on)) (does r (drop ?x))))",
        "(not (true (at ?y)))",
        "(not (true (at ?y))) (not (does r (drop ?y)))",
        "(not (and (true (at ?y)) (distinct ?y 1)))",
        "(not (and (true (at ?y)) (succ ?x ?y)))",
        "(not (and (true (at ?y)) (not (does r (drop ?y)))))",
        "(not (and (true (at ?y)) (not (and (does r (drop ?z)) (distinct ?z ?y)))))",
        "(not (or (true (at ?y)) (and (succ ?x ?z) (true (at ?z)))))",
        "(not (and (or (true (at ?y)) (does q push)) (succ ?y ?x)))",
        "(not (distinct ?x 2))",
        "(not (distinct ?x ?y)) (true (at ?y))",
        "(pair ?p) (not (distinct ?p (f ?x ?y)))",
        "(not (distinct (g ?x 1) (g 2 ?y))) (num ?y)",
        "(not (distinct ?y (h ?z))) (num ?z) (not (distinct ?y (h ?x)))",
        "(not (distinct ?x (h ?x)))",
        "(not (distinct ?x (1)))",
        "(not (or (distinct ?x 1) (true (at 2))))",
        "(distinct ?x (h ?y))",
        "(distinct ?y ?y)",
        "(distinct (g ?x 1) (g ?x 2))",
        "(distinct (g ?x 1) (g 2 1))",
        "(distinct ?x ?y)",
        "(not (and (true on) (distinct ?x ?y)))",
        "(not (and (num ?y) (distinct ?x ?y)))",
        "(succ ?y ?z) (not (and (num ?u) (succ ?x ?y) (distinct ?u ?x)))",
        "(not (and (succ ?x ?y) (not (true (at ?y)))))",
        "(not (true (at ?x)) (true on))",
        "(distinct ?x 1 2)",
        "(true)",
        "(TRUE (at ?x))",
        "(True (AT ?x))",
        "(Num ?x)",
        "(succ ?x)",
        "?x",
        "(not ?x)",
        "()",
        "(legal r (drop ?x))",
        "(not (legal r (drop ?x)))",
        "(init (at ?x))",
        "(not (init (at ?y)))",
        "(base (at ?x))",
        "(next (at ?x))",
        "(does ?r (drop ?x))",
        "(not (does ?r (drop ?x)))",
        "(not (does ?r ?m)) (not (true (never ?r)))",
    ] {
        for statement in [
            format!("(<= (sees r (seen ?x)) (num ?x) {condition})"),
            format!("(<= (sees r seen) (num ?x) {condition})"),
            format!("(<= (sees ?r (seen ?x)) {condition} (num ?x))"),
            format!("(<= (sees r seen) {condition})"),
            format!("(<= (legal q (say ?x)) (num ?x) {condition})"),
            format!(
                "(<= (marked ?x) (num ?x) {condition}) (<= (sees q ?x) (marked ?x)) (<= (sees r ok) (not (marked ?x)))"
            ),
            format!("(<= (base (at ?x)) {condition}) (<= (goal r ?x) (num ?x) (not (true (at ?x))))"),
            format!("(<= (base (at ?x)) {condition}) (<= (sees r ?x) (base (at ?x)))"),
        ] {
            if let Some((game, plain)) = both(&format!("{AROUND}{statement}")) {
                play(&statement, &game, &plain, 24);
            }
        }
    }
}

#[test]
fn odd_statements() {
    let alternatives = |count: usize| format!("(or {})", "(true on) (true (at 1)) ".repeat(count / 2));
    let nested = |depth: usize| format!("{}1{}", "(s ".repeat(depth), ")".repeat(depth));
    let cases = |count: usize| format!("(<= (sees r many) {} {})", alternatives(count), alternatives(100));
    for (statement, is_game) in [
        (cases(100), true),
        (cases(102), false),
        (format!("(<= (sees r many) {0} {0} (or))", alternatives(102)), false),
        (format!("(<= (sees r many) (or) {0} {0})", alternatives(102)), true),
        (format!("(sees r {})", nested(90)), true),
        (format!("(sees r {})", nested(220)), false),
        (format!("(<= (sees r deep) {}(true on){})", "(not ".repeat(220), ")".repeat(220)), false),
        (format!("(base {})", nested(220)), true),
        ("(base ?x)".into(), true),
        ("(BASE ?x)".into(), false),
        ("(input ?x)".into(), true),
        ("(input r q s) (<= (sees r ?m) (input r ?m))".into(), false),
        ("(percept r ?x) (<= (base ?x) (percept r ?x)) (<= (input ?r ?y) (role ?r) (base ?y))".into(), false),
        ("(<= (base ?x) (not (base ?x))) (<= (legal q a) (not (true (base ?x))))".into(), true),
        ("(true (at 1))".into(), false),
        ("(<= (does r rest) (true on))".into(), false),
        ("(<=)".into(), false),
        ("(<= (legal r turn) (does q push))".into(), false),
        ("(pushed) (<= (pushed) (does q push)) (<= terminal (pushed))".into(), false),
        ("(<= (init late) (true on))".into(), false),
        ("(<= (role s) (does q push))".into(), false),
        ("(<= (role s) (not (num 4)))".into(), true),
        ("(<= (legal ?r wait) (role ?r)) (<= (role s) (num 3))".into(), true),
        ("(legal ?r wait)".into(), true),
        ("(legal q ?x)".into(), false),
        ("(<= (legal ?r ?r) (true on))".into(), true),
        ("(<= (sees ?r (of ?r ?s)) (not (distinct ?r ?s)))".into(), true),
        ("(<= (sees ?r ?x) (distinct a a))".into(), true),
        ("(goal r high) (goal q (100)) (goal r 50)".into(), true),
        ("(p 1) (p 1 2) (P 3) (<= (sees r ?x) (p ?x)) (<= (sees q ?x) (p ?x ?y)) (<= (sees q ?x) (P ?x))".into(), true),
        ("(p) (<= (sees r one) p) (<= (sees r f) (num 1)) (<= (sees r (f)) p)".into(), true),
        ("(sees R x)".into(), true),
        (
            "(<= (a ?x) (b ?x)) (<= (b ?x) (a ?x)) (<= (b 1) (true on)) (<= (sees r ?x) (num ?x) (not (a ?x)))".into(),
            true,
        ),
        ("(<= (a ?x) (num ?x) (not (b ?x))) (<= (b ?x) (num ?x) (not (a ?x))) (<= (sees r ?x) (a ?x))".into(), false),
    ] {
        let games = both(&format!("{AROUND}{statement}"));
        assert_eq!(games.is_some(), is_game, "{statement}");
        if let Some((game, plain)) = games {
            play(&statement, &game, &plain, 24);
        }
    }
}

/// A relation depends on its own negation, but no atom does: the game is not played, but has a plain meaning.
#[test]
fn atoms_matter_not_relations() {
    let text = "(<= (odd 1)) (<= (odd ?y) (succ ?x ?y) (not (odd ?x))) (<= (sees r ?x) (odd ?x))";
    let description = &percept_test::description(&format!("{AROUND}{text}"));
    assert!(Game::from_gdl(description).is_err());
    let plain = plain::gdl(description, &Limits::default()).expect("a plain game");
    let joint: JointMove = [(0, "rest"), (1, "rest")]
        .map(|(role, name)| plain.rules.find_move(RoleId(role), name).expect("a move"))
        .to_vec();
    assert_eq!(percepts(&plain, &plain.rules.initial(), &joint)[0], ["1", "3"]);
}

#[test]
fn what_has_no_end_is_refused() {
    for (text, why) in [
        (
            "(role r) (legal r a) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x))) (<= terminal (true (n 5))) (goal r 0)",
            "grow without end",
        ),
        (
            "(role r) (legal r a) (init p) (<= (q) (not (w))) (<= (w) (true p) (not (q))) (<= terminal (w)) (goal r 0)",
            "negation",
        ),
        ("(legal r a)", "no role"),
    ] {
        let description = &percept_test::description(text);
        let errors = plain::gdl(description, &Limits::default()).err().expect("refused");
        assert!(errors[0].message.contains(why), "{}", errors[0].message);
    }
}

mod corpus {
    use std::time::Instant;

    use percept_test::{entries, file_name, folder};
    use rayon::prelude::*;

    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn published_games() {
        let mut paths = entries(folder("PERCEPT_CORPUS").join("gdl-ii"));
        paths.retain(|path| !path.ends_with("small_dominion.gdl"));
        let is_compared = |path: &&PathBuf| {
            let name = file_name(path);
            let begin = Instant::now();
            let Some((game, plain)) = gdl(path) else { return false };
            match &plain {
                Ok(plain) => {
                    eprintln!("{name}: ground plainly by {:.1} s", begin.elapsed().as_secs_f64());
                    play(&name, &game, plain, 40);
                    eprintln!("{name}: compared by {:.1} s", begin.elapsed().as_secs_f64());
                }
                Err(why) => eprintln!("{name}: {why}, after {:.1} s", begin.elapsed().as_secs_f64()),
            }
            plain.is_ok()
        };
        let compared = paths.par_iter().filter(is_compared).count();
        assert!(compared > 20, "{compared} games were compared");
    }
}

/// The parts of this crate that the plain rules may use: the types of a game, and the circuit with its gates.
const SHARED: [&str; 23] = [
    "Budget",
    "Cursor",
    "FluentId",
    "Game",
    "GameError",
    "Ground",
    "MoveId",
    "Names",
    "PerceptId",
    "Play",
    "PogddlOptions",
    "PogddlTerminal",
    "RegisterUpdate",
    "Role",
    "RoleId",
    "Rules",
    "Scope",
    "State",
    "Structure",
    "Term",
    "TooLarge",
    "UpdateKind",
    "circuit",
];

/// The targets of paths that begin with `start`: their next words, or those of a group in braces.
fn heads(code: &str, start: &str) -> Vec<String> {
    let word = |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut heads = Vec::new();
    for rest in code.split(start).skip(1) {
        let Some(group) = rest.strip_prefix('{') else {
            heads.push(word(rest));
            continue;
        };
        let (mut depth, mut begin) = (0, 0);
        for (at, c) in group.char_indices() {
            if depth == 0 && matches!(c, ',' | '}') {
                heads.push(word(&group[begin..at]));
                begin = at + 1;
            }
            depth += i32::from(c == '{') - i32::from(c == '}');
            if depth < 0 {
                break;
            }
        }
    }
    heads.retain(|head| !head.is_empty());
    heads
}

/// The names that a file, `depth` folders below the crate's own, should not use.
fn foreign(text: &str, depth: usize) -> Vec<String> {
    let code: String =
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut found = heads(&code, "crate::");
    found.retain(|head| !SHARED.contains(&head.as_str()));
    // As many steps up as it is deep lead out of the folder of the plain rules.
    let up = "super::".repeat(depth);
    found.extend(heads(&code, &up).into_iter().map(|head| format!("{up}{head}")));
    found.extend(heads(&code, "Game::").into_iter().map(|head| format!("Game::{head}")));
    let syntax = heads(&code, "percept_syntax::").into_iter();
    found.extend(syntax.filter(|head| !["gdl", "pddl", "words", "Name", "TextRange"].contains(&head.as_str())));
    found
}

/// Every name in the plain rules is their own, or on the list of shared ones.
#[test]
fn they_are_a_second_reading() {
    let folder = percept_test::path("server/game/src/plain");
    let paths = percept_test::files(&folder, &["rs"]);
    for path in &paths {
        let below = path.strip_prefix(&folder).expect("below it").components().count();
        // Steps up out of the folder of the plain rules; `mod.rs` is its folder.
        let depth = 1 + below - usize::from(path.ends_with("mod.rs"));
        assert_eq!(
            foreign(&percept_test::read(path), depth),
            [""; 0],
            "{} names what the reading for play does",
            path.display()
        );
    }
    assert!(paths.len() > 15, "only {} files were read", paths.len());
    for (text, found) in [
        ("use crate::gdl::names::find_term;", "gdl"),
        ("use crate::{Game, components::{components, Components}, Term};", "components"),
        ("let same = crate::terms::Terms::default();", "terms"),
        ("use super::super::fold;", "super::super::fold"),
        ("use super::super::{FluentId, pogddl::Layout};", "super::super::FluentId"),
        ("Game::from_gdl(description)", "Game::from_gdl"),
        ("use percept_syntax::near::near;", "near"),
    ] {
        assert_eq!(foreign(text, 2).first().map(String::as_str), Some(found), "{text}");
    }
    assert_eq!(
        foreign("// crate::gdl\nuse crate::{Game, Term};\nuse super::terms::Terms;\nuse crate::circuit::Lit;", 2),
        [""; 0]
    );
}
