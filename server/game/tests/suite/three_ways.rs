//! The compiled circuit, the lifted reasoner listing consequences, the same evaluating on demand, and the naive reader
//! of `random_rules`, which shares no code with Percept, give the same answers at every step of random matches: of the
//! games in `games/`, and of published ones (all of them under `PERCEPT_HEAVY=1`, else a light sample).

use std::collections::BTreeSet;

use percept_game::gdl::Grounding;
use percept_game::play::Stream;
use percept_game::{Budget, Game, JointMove, RoleId, State};
use percept_random_rules::gdl::{Bounds, Naive, Refusal};
use percept_random_rules::graph::Oracle;
use percept_random_rules::sexp;
use percept_syntax::gdl::Description;
use percept_syntax::{Language, Source, Syntax, convert, format};
use percept_test::games::description_of;
use percept_test::{files, games, is_heavy, lossy, source};

/// A state in the naive reader's form: the facts that hold, in words.
type Facts = BTreeSet<String>;

/// The answers of one way of running a game about a state and a joint move, by name.
#[derive(Debug, PartialEq, Eq, Default)]
struct Answers {
    terminal: bool,
    legal: Vec<BTreeSet<String>>,
    goals: Vec<BTreeSet<String>>,
    next: BTreeSet<String>,
    percepts: Vec<BTreeSet<String>>,
}

fn answers(game: &Game, state: &State, joint: &JointMove) -> (Answers, State) {
    let rules = &game.rules;
    let next = rules.next(state, joint);
    let roles = || game.role_ids();
    let answers = Answers {
        terminal: rules.terminal(state),
        legal: roles()
            .map(|role| rules.legal(state, role).iter().map(|&mv| rules.move_name(role, mv)).collect())
            .collect(),
        goals: roles().map(|role| rules.goals(state, role).iter().map(i64::to_string).collect()).collect(),
        next: next.fluents().map(|fluent| rules.fluent_name(fluent)).collect(),
        percepts: roles()
            .map(|role| {
                rules.percepts(state, joint, role).iter().map(|&percept| rules.percept_name(role, percept)).collect()
            })
            .collect(),
    };
    (answers, next)
}

/// The naive reader's answers, and the next state.
fn naive_answers(naive: &Naive, state: &Facts, joint: &[String]) -> Result<(Answers, Facts), Refusal> {
    let roles = naive.roles();
    let step = naive.step(state, joint)?;
    let set = |names: Vec<String>| names.into_iter().collect::<Facts>();
    let legal: Result<_, Refusal> = roles.iter().map(|role| Ok(set(naive.legal(state, role)?))).collect();
    let goals = roles.iter().map(|role| Ok(set(naive.goals(state, role)?.iter().map(i64::to_string).collect())));
    let goals: Result<_, Refusal> = goals.collect();
    let answers = Answers {
        terminal: naive.terminal(state)?,
        legal: legal?,
        goals: goals?,
        next: step.next.clone(),
        percepts: step.percepts.into_iter().map(set).collect(),
    };
    Ok((answers, step.next))
}

/// Time for all published games together, the smallest first.
const TIME: std::time::Duration = std::time::Duration::from_secs(100);
/// The time for one match; a slow one is compared up to this time.
const GAME_TIME: std::time::Duration = std::time::Duration::from_millis(800);

/// Ways to ground that differ for small games: as usual, and with every rule decomposed and every relation evaluated on
/// demand, as in large games.
fn grounding(which: u64) -> Grounding {
    match which % 2 {
        0 => Grounding { demand_from: 0, whole_up_to: 0, ..Grounding::default() },
        _ => Grounding::default(),
    }
}

/// The naive reader of a description. The published ones grow large and deep.
fn naive(prefix_text: &str) -> Result<Naive, Refusal> {
    Naive::within(&sexp::read(prefix_text), Bounds { facts: usize::MAX, depth: usize::MAX })
}

/// Plays a random match and compares; the number of rounds compared.
fn compare(
    description: &Description,
    grounding: &Grounding,
    name: &str,
    seed: u64,
    max_rounds: usize,
    naive: Option<&Naive>,
) -> Option<usize> {
    let game = Game::from_gdl_with(description, grounding).ok()?;
    // If relations are too large to be listed, only evaluation on demand can be compared.
    let lifted = Game::from_gdl_lifted(description).ok();
    let asking = Game::from_gdl_asking(description).expect("the same checks");
    let mut state = game.rules.initial();
    let late = Grounding { budget: Budget::default().until(std::time::Instant::now()), ..Grounding::default() };
    let choosing = Game::from_gdl_with(description, &late).expect("the same checks");
    let others = [("asking", &asking), ("whichever of these costs less", &choosing)];
    let others = lifted.iter().map(|it| ("lifted reasoner", it)).chain(others);
    let mut others: Vec<_> = others.map(|(way, it)| (way, it, it.rules.initial())).collect();
    let mut naive_state = naive.map(Naive::initial).unwrap_or_default();
    let mut stream = Stream::new(seed, 0);
    let begin = std::time::Instant::now();
    for round in 0..max_rounds {
        if begin.elapsed() > GAME_TIME {
            return Some(round);
        }
        let legal: Vec<_> = game.role_ids().map(|role| game.rules.legal(&state, role)).collect();
        if game.rules.terminal(&state) || legal.iter().any(Vec::is_empty) {
            return Some(round);
        }
        let joint: JointMove = legal.iter().map(|moves| moves[stream.below(moves.len() as u32) as usize]).collect();
        let names: Vec<String> =
            game.role_ids().map(|role| game.rules.move_name(role, joint[role.0 as usize])).collect();
        let (expected, next) = answers(&game, &state, &joint);
        for (way, other, other_state) in &mut others {
            let of = |(role, name): (usize, &String)| other.rules.find_move(RoleId(role as u16), name);
            let joint: JointMove =
                names.iter().enumerate().map(|name| of(name).expect("a legal move has a name")).collect();
            let (found, other_next) = answers(other, other_state, &joint);
            assert_eq!(expected, found, "{name}, round {round}, {names:?}: circuit and {way}");
            *other_state = other_next;
        }
        if let Some(naive) = naive {
            let found = naive_answers(naive, &naive_state, &names);
            let (found, naive_next) = found.unwrap_or_else(|why| panic!("{name}, round {round}: {why:?}"));
            assert_eq!(expected, found, "{name}, round {round}, {names:?}: circuit and naive reader");
            naive_state = naive_next;
        }
        state = next;
    }
    Some(max_rounds)
}

/// The same rules in prefix notation, with all names unchanged.
fn prefix_text(source: &Source) -> Option<String> {
    if source.language == Language::GdlPrefix {
        return Some(source.text.to_string());
    }
    let converted = convert::convert(source, Language::GdlPrefix, &format::Options::default()).ok()?;
    converted.renamed.is_empty().then_some(converted.text)
}

/// Recursion through relations that the state, the moves and the new state decide, in circles.
const CIRCLES: [&str; 3] = [
    // Reachability over edges that moves remove: two relations that need each other.
    "(role a) (role random) (node 1) (node 2) (node 3) (node 4)
     (init (edge 1 2)) (init (edge 2 3)) (init (edge 3 1)) (init (edge 3 4)) (init (edge 4 2))
     (<= (even ?x ?x) (node ?x))
     (<= (even ?x ?z) (odd ?x ?y) (true (edge ?y ?z)))
     (<= (odd ?x ?z) (even ?x ?y) (true (edge ?y ?z)))
     (<= (legal a (cut ?x ?y)) (true (edge ?x ?y)) (odd ?x ?x))
     (<= (legal a wait) (not (odd 1 1)))
     (<= (legal a rest))
     (<= (legal random (turn ?x)) (even 1 ?x))
     (<= (next (edge ?x ?y)) (true (edge ?x ?y)) (not (does a (cut ?x ?y))) (not (does random (turn ?x))))
     (<= (next (edge ?y ?x)) (true (edge ?x ?y)) (does random (turn ?x)))
     (<= (sees a (loop ?x)) (odd ?x ?x))
     (<= terminal (not (even 1 3)) (not (odd 1 3))) (goal a 50)",
    // A flood over the new state: recursion above `next`, read by percepts; and one over the moves.
    "(role w) (role b) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 0) (init (wet 0)) (init (wall 2))
     (<= (legal ?r (lift ?x)) (true (wall ?x)) (role ?r))
     (<= (legal ?r (drop ?x)) (succ ?x ?y) (not (true (wall ?x))) (role ?r))
     (<= (joined ?x ?y) (does w (lift ?x)) (does b (lift ?y)))
     (<= (joined ?x ?z) (joined ?x ?y) (succ ?y ?z) (not (true (wall ?z))))
     (<= (joined ?x ?z) (joined ?z ?x))
     (<= (next (wall ?x)) (true (wall ?x)) (not (does w (lift ?x))) (not (joined ?x ?x)))
     (<= (next (wall ?x)) (does b (drop ?x)))
     (<= (next (wet ?x)) (flood ?x))
     (<= (flood ?x) (true (wet ?x)) (not (does w (drop ?x))))
     (<= (flood ?y) (flood ?x) (succ ?x ?y) (not (true (wall ?y))))
     (<= (flood ?x) (flood ?y) (succ ?x ?y) (not (true (wall ?x))) (does b (lift ?y)))
     (<= (after ?x) (next (wet ?x)))
     (<= (after ?y) (after ?x) (succ ?x ?y) (next (wall ?y)))
     (<= (sees w (after ?x)) (after ?x)) (<= (sees b dry) (not (after 3)))
     (<= terminal (true (wet 0)) (true (wet 1)) (true (wet 2)) (true (wet 3)))
     (<= (goal ?r 0) (role ?r))",
    // Counting with accumulators along a ring, with queries from zero on; and a circle without a foundation.
    "(role p) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (num 0) (num 1) (num 2) (num 3) (num 4) (num 5)
     (after a b) (after b c) (after c d) (last d) (init (on a)) (init (on c))
     (<= (legal p (flip ?x)) (after ?x ?y)) (legal p (flip d)) (<= (legal p stop) (total 2))
     (<= (next (on ?x)) (true (on ?x)) (not (does p (flip ?x))))
     (<= (next (on ?x)) (does p (flip ?x)) (not (true (on ?x))))
     (<= (step ?x ?n ?m) (true (on ?x)) (succ ?n ?m))
     (<= (step ?x ?n ?n) (num ?n) (cell ?x) (not (true (on ?x))))
     (<= (cell ?x) (after ?x ?y)) (cell d)
     (<= (count ?x ?n ?m) (last ?x) (step ?x ?n ?m))
     (<= (count ?x ?n ?m) (step ?x ?n ?k) (after ?x ?y) (count ?y ?k ?m))
     (<= (total ?n) (count a 0 ?n))
     (<= ghost (spirit)) (<= (spirit) ghost) (<= (spirit) ghost (true (on a)))
     (<= (sees p (total ?n)) (total ?n)) (<= (sees p boo) ghost)
     (<= terminal (total 4)) (<= (goal p 100) (total 4)) (<= (goal p 0) (not (total 4)))",
];

/// A king may not be left in check: its cell is projected away from a rule whose negation has the variables of the
/// move, which only a condition with the piece binds.
const CHECK: &str = "(role w) (role b) (at 1) (at 2) (at 3) (at 4) (succ 1 2) (succ 2 3) (succ 3 4)
     (init (cell 1 king)) (init (cell 2 rook)) (init (cell 3 none)) (init (cell 4 bishop)) (init (enemy 3))
     (<= (near ?x ?y) (succ ?x ?y)) (<= (near ?x ?y) (succ ?y ?x))
     (<= (attacked ?k ?from) (true (enemy ?e)) (near ?e ?k) (at ?from) (distinct ?e ?from))
     (<= (legal w (move ?p ?from ?to)) (true (cell ?from ?p)) (near ?from ?to) (distinct ?p none)
         (true (cell ?k king)) (not (attacked ?k ?from)))
     (<= (legal w (jump ?p ?from)) (true (cell ?from ?p)) (distinct ?p none) (true (cell ?k king))
         (true (enemy ?e)) (not (attacked ?k ?from)) (not (near ?e ?from)))
     (legal w stay)
     (<= (legal b (go ?x)) (true (enemy ?e)) (near ?e ?x)) (legal b stay)
     (<= (next (enemy ?x)) (does b (go ?x))) (<= (next (enemy ?x)) (true (enemy ?x)) (does b stay))
     (<= (next (cell ?y ?p)) (does w (move ?p ?x ?y))) (<= (next (cell ?x none)) (does w (move ?p ?x ?y)))
     (<= (moved ?x) (does w (move ?p ?x ?y))) (<= (moved ?y) (does w (move ?p ?x ?y)))
     (<= (next (cell ?x ?p)) (true (cell ?x ?p)) (not (moved ?x)))
     (<= (sees b (left ?x)) (does w (move ?p ?x ?y)))
     (<= terminal (true (enemy 1)) (true (cell 4 rook))) (<= (goal ?r 50) (role ?r))";

/// Shots from anywhere except a square, a column and its neighbours, or a row: disjunctions over all values except one,
/// two or more, given by `distinct`, by a static relation, and by the negation of one.
const EXCEPT: &str = "(role w) (role b) (x 1) (x 2) (x 3) (x 4) (y 1) (y 2) (succ 1 2) (succ 2 3) (succ 3 4)
     (init (gun 1 1)) (init (gun 3 1)) (init (gun 4 2)) (init (shield 1 2)) (init (shield 4 1))
     (<= (near ?x ?y) (succ ?x ?y)) (<= (near ?x ?y) (succ ?y ?x))
     (<= (differs ?a ?b ?c ?d) (x ?a) (x ?c) (y ?b) (y ?d) (distinct ?a ?c))
     (<= (differs ?a ?b ?c ?d) (x ?a) (x ?c) (y ?b) (y ?d) (distinct ?b ?d))
     (<= (hits ?u ?v ?t) (true (gun ?u ?v)) (x ?t) (not (true (shield ?u ?t))))
     (<= (shot ?cx ?cy ?t) (hits ?u ?v ?t) (differs ?cx ?cy ?u ?v))
     (<= (by_column ?c ?t) (hits ?u ?v ?t) (x ?c) (distinct ?c ?u))
     (<= (by_distant ?c ?t) (hits ?u ?v ?t) (x ?c) (not (near ?c ?u)))
     (<= (by_row ?c b) (hits ?u ?v 2) (y ?c) (distinct ?v ?c) (true (gun ?w ?v)) (distinct ?w ?u))
     (<= (legal w (take ?cx ?cy ?t)) (true (gun ?cx ?cy)) (x ?t) (not (shot ?cx ?cy ?t)))
     (<= (legal w (guard ?u ?t)) (by_column ?u ?t) (true (gun ?u ?v)))
     (<= (legal w (open ?u ?t)) (true (shield ?u ?t)) (not (by_distant ?u ?t)))
     (legal w stay)
     (<= (legal b (place ?u ?v)) (x ?u) (y ?v) (not (true (gun ?u ?v))) (shot ?u ?v 3))
     (<= (legal b (place ?u 1)) (x ?u) (by_distant ?u 1)) (legal b stay)
     (<= (next (gun ?u ?v)) (does b (place ?u ?v)))
     (<= (taken ?u ?v) (does w (take ?u ?v ?t)))
     (<= (next (gun ?u ?v)) (true (gun ?u ?v)) (not (taken ?u ?v)))
     (<= (next (shield ?u ?t)) (does w (guard ?u ?t)))
     (<= (next (shield ?u ?t)) (true (shield ?u ?t)) (not (does w (open ?u ?t))))
     (<= (sees b (row ?c)) (by_row ?c b)) (<= (sees w (column ?c)) (by_column ?c 4))
     (<= terminal (not (by_row 1 b)) (not (by_row 2 b)) (not (shot 1 1 2))) (<= (goal ?r 50) (role ?r))";

/// Disjunctions within rules: two in one rule, over the same conditions in several rules under other names, of
/// conditions with other variables and with moves, negated, and in recursion.
const EITHER: &str = "(role w) (role b) (x 1) (x 2) (x 3) (succ 1 2) (succ 2 3)
     (init (rook 1 2)) (init (queen 2 2)) (init (pawn 3 1)) (init (king 1 1)) (init (king 3 3))
     (<= (threat ?u ?v) (x ?w) (or (true (rook ?u ?v)) (true (queen ?u ?v))) (or (true (king ?u ?w)) (true (king ?w ?v))))
     (<= (safe ?a ?b) (x ?a) (x ?b) (not (or (true (rook ?a ?b)) (true (queen ?a ?b)))))
     (<= (legal w (take ?p ?q)) (or (true (rook ?p ?q)) (true (queen ?p ?q)) (true (pawn ?p ?q))) (safe ?q ?p))
     (<= (legal w (push ?q)) (or (true (rook ?p ?q)) (true (queen ?p ?q)) (true (pawn ?q ?p))) (not (threat ?q ?q)))
     (<= (legal w (step ?p ?q)) (true (king ?p ?q)) (or (succ ?p ?q) (succ ?q ?p) (threat ?q ?p)))
     (legal w stay) (legal b stay)
     (<= (legal b (put ?p ?q)) (safe ?p ?q) (or (linked ?p ?q) (and (succ ?p ?q) (true (pawn 3 1)))))
     (<= (linked ?p ?q) (or (succ ?p ?q) (succ ?q ?p) (true (queen ?p ?q)) (true (rook ?q ?p))))
     (<= (linked ?p ?r) (linked ?p ?q) (or (true (queen ?q ?r)) (true (rook ?q ?r)) (linked ?r ?q)))
     (<= (gone ?p ?q) (or (does w (take ?p ?q)) (does b (put ?p ?q)) (does w (step ?p ?q))))
     (<= (next (rook ?p ?q)) (true (rook ?p ?q)) (not (gone ?p ?q)))
     (<= (next (queen ?p ?q)) (or (true (queen ?p ?q)) (does b (put ?p ?q))) (not (does w (push ?q))))
     (<= (next (pawn ?q ?p)) (or (true (pawn ?q ?p)) (does w (push ?p))) (x ?q) (not (gone ?q ?p)))
     (<= (next (king ?p ?q)) (true (king ?p ?q)) (not (does w (step ?p ?q))))
     (<= (next (king ?q ?p)) (or (does w (step ?p ?q)) (does w (take ?q ?p))))
     (<= (sees ?r (threat ?q)) (role ?r) (threat ?q ?q)) (<= (sees b (linked ?q)) (linked ?q ?q))
     (<= terminal (x ?p) (not (true (king ?p 1))) (or (threat 3 ?p) (true (king 2 ?p)))) (<= (goal ?r 50) (role ?r))";

#[test]
fn alternatives_within_rules() {
    compare_all("either", &[EITHER]);
}

#[test]
fn disjunctions_over_all_but_a_few() {
    compare_all("except", &[EXCEPT]);
}

#[test]
fn recursion_in_circles() {
    compare_all("circle", &CIRCLES);
}

#[test]
fn what_a_negation_needs_is_bound_with_more() {
    compare_all("check", &[CHECK]);
}

/// Compares random matches of these games.
pub fn compare_all(name: &str, texts: &[&str]) {
    for (index, text) in texts.iter().enumerate() {
        let (description, naive) = (percept_test::description(text), naive(text).expect("a meaning"));
        let mut compared = 0;
        for seed in 0..10 {
            let name = format!("{name} {index}");
            compared += compare(&description, &grounding(seed), &name, seed, 15, Some(&naive)).expect("a game");
        }
        assert!(compared > 20, "only {compared} rounds of {name} {index}");
    }
}

/// Our games whose rules have too many instances for the naive reader, which tries them all.
const TOO_LARGE: [&str; 5] = ["free-stakes", "goofspiel-15", "goofspiel-20", "goofspiel-30", "stratego"];

#[test]
fn our_own_games() {
    let mut compared = 0;
    for path in files(games(), &["kif", "hrf", "gdl"]) {
        let source = source(&path);
        let name = path.display().to_string();
        let small = !path.file_stem().is_some_and(|name| TOO_LARGE.iter().any(|large| name == *large));
        let naive = small.then(|| naive(&prefix_text(&source).expect("names stay")).expect("a meaning"));
        for seed in 0..3 {
            let description = description_of(&source);
            compared += compare(description, &grounding(seed), &name, seed, 12, naive.as_ref()).unwrap_or(0);
        }
    }
    assert!(compared > 20, "only {compared} rounds");
}

mod corpus {
    use std::path::PathBuf;

    use percept_test::folder;
    use rayon::prelude::*;

    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn published_games() {
        let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
        let mut paths = files(folder("PERCEPT_CORPUS"), &["kif", "hrf", "gdl"]);
        paths.sort_by_key(size);
        let begin = std::time::Instant::now();
        // The games run on all threads, the smallest first.
        let rounds = paths.into_iter().par_bridge().map(|path| {
            let bytes = size(&path);
            if !is_heavy() && bytes > 3500 {
                return (0, 0);
            }
            if begin.elapsed() > TIME {
                println!("left out: {}, the time is up", path.display());
                return (0, 0);
            }
            let text = lossy(&path);
            let Some(language) = Language::detect(&path, &text) else { return (0, 0) };
            let source = Source::parse(text, language);
            let Syntax::Gdl(description) = &source.syntax else { return (0, 0) };
            let start = std::time::Instant::now();
            let (limit, with_naive) = if is_heavy() { (12, bytes < 3000) } else { (4, bytes < 2000) };
            let text = prefix_text(&source).filter(|_| with_naive && source.errors.is_empty());
            let name = path.display().to_string();
            let refused = |why| println!("{name}: the naive reader refuses it: {why:?}");
            let naive = text.and_then(|text| naive(&text).map_err(refused).ok());
            let compared = compare(description, &grounding(bytes), &name, 1, limit, naive.as_ref()).unwrap_or(0);
            println!("{name}: {compared} rounds, {:.1?}", start.elapsed());
            (compared, if naive.is_some() { compared } else { 0 })
        });
        let (all, by_naive) = rounds.reduce(|| (0, 0), |left, right| (left.0 + right.0, left.1 + right.1));
        println!("{all} rounds, {by_naive} of them beside the naive reader");
        assert!(all > 100 && by_naive > 20, "{all} rounds, {by_naive} of them beside the naive reader");
    }
}
