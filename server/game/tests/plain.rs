//! The plain rules say what the rules for play say: matches are played on both side by side, and everything is compared
//! by name. Own games always, published ones where `PERCEPT_CORPUS` is set, with `PERCEPT_HEAVY=1`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use percept_game::plain::{self, Limits};
use percept_game::{Game, JointMove, MoveId, PogddlOptions, RoleId, State};
use percept_syntax::{Language, Source, Syntax};
use rand::seq::IndexedRandom;
use rand::{SeedableRng, rngs::SmallRng};
use rayon::prelude::*;

type Names = BTreeSet<String>;

/// What one of the games says of a state, by name.
#[derive(PartialEq, Eq, Debug)]
struct Said {
    fluents: Names,
    terminal: bool,
    legal: Vec<Names>,
    goals: Vec<Vec<i64>>,
}

/// `known`: fluents that the other game has; where it has none of a name, that never holds.
fn said(game: &Game, state: &State, known: &Game) -> Said {
    let names = state.fluents().map(|fluent| game.rules.fluent_name(fluent));
    // A static fact is a fluent here and none there.
    let fluents = names.filter(|name| known.rules.find_fluent(name).is_some()).collect();
    let roles = || game.role_ids();
    let legal =
        |role| game.rules.legal(state, role).into_iter().map(|mv| game.rules.move_name(role, mv)).collect::<Names>();
    let terminal = game.rules.terminal(state);
    Said {
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
        let (said_left, said_right) = (said(game, &left, plain), said(plain, &right, game));
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

fn read(path: &Path) -> Source {
    let text = String::from_utf8_lossy(&std::fs::read(path).expect("a readable file")).into_owned();
    let language = Language::detect(path, &text).unwrap_or(Language::GdlPrefix);
    Source::parse(text, language)
}

/// Both games of a GDL file; `None` where there is no game.
fn gdl(path: &Path) -> Option<(Game, Result<Game, String>)> {
    let source = read(path);
    let Syntax::Gdl(description) = &source.syntax else { panic!("{} is not GDL", path.display()) };
    let game = Game::from_gdl(description).ok()?;
    Some((game, plain::gdl(description, &Limits::default()).map_err(|errors| errors[0].message.clone())))
}

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
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
        let (first, second) = (read(&games().join(domain)), read(&games().join(problem)));
        let terminal = PogddlOptions::declared(&first.text, &first.comments).unwrap_or_default();
        let options = PogddlOptions { terminal };
        let (domain, described) = (first.domain().expect("a domain"), second.problem().expect("a problem"));
        let game = Game::from_pogddl(domain, described, &options).expect("a game");
        let ranges = plain::ranges(&game);
        let plain = plain::pogddl(domain, described, &options, &ranges).expect("a plain game");
        play(problem, &game, &plain, 60);
    }
}

/// What is hard to get right: recursion that always holds, that is never founded, in two layers, through a negation;
/// negations with variables of their own; `or`, `distinct` of compounds; fluents that only a negation names.
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
    ];
    for text in texts {
        let source = Source::parse(text, Language::GdlPrefix);
        let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
        let game = Game::from_gdl(description).expect("a game");
        let plain = plain::gdl(description, &Limits::default()).expect("a plain game");
        play(text, &game, &plain, 200);
    }
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
        let source = Source::parse(text, Language::GdlPrefix);
        let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
        let errors = plain::gdl(description, &Limits::default()).err().expect("refused");
        assert!(errors[0].message.contains(why), "{}", errors[0].message);
    }
}

#[test]
fn published_games() {
    let folder = match (std::env::var_os("PERCEPT_CORPUS"), std::env::var_os("PERCEPT_HEAVY")) {
        (Some(folder), Some(_)) => PathBuf::from(folder).join("gdl-ii"),
        _ => return println!("skipped: PERCEPT_CORPUS and PERCEPT_HEAVY are not both set"),
    };
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| !path.ends_with("small_dominion.gdl"));
    let is_compared = |path: &&PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
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
