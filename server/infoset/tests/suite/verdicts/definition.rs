//! The plain definition: plays every match, groups them by view, and compares the matches of each group.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use percept_game::{Game, JointMove, MoveId, PerceptId, RoleId, State};
use percept_infoset::Budget;
use percept_infoset::Property;
use percept_infoset::prove::pairs::Pairs;
use percept_infoset::prove::{Finding, Look, Method, Options, Prover, Verdict, is_real, many};

use super::random::{circuit_game, planning_game, rules_game};
use percept_test::more;

use super::{ALONE, MethodVerdict, ask, questions};

/// The role's observations, round by round: its own move, if it knows it, and its percepts.
type Experience = Vec<(Option<MoveId>, Vec<PerceptId>)>;

/// The value of a property in a state, in a comparable form. `None` if it does not apply.
fn value(game: &Game, role: RoleId, property: Property, state: &State) -> Option<Vec<i64>> {
    let over = game.rules.terminal(state);
    let mut value = match property {
        Property::Terminal => vec![i64::from(over)],
        Property::Legal if !over => game.rules.legal(state, role).into_iter().map(|mv| i64::from(mv.0)).collect(),
        Property::Goal if over => game.rules.goals(state, role),
        _ => return None,
    };
    value.sort_unstable();
    Some(value)
}

/// All joint moves: every choice of a legal move for each role.
fn joints(game: &Game, state: &State) -> Vec<JointMove> {
    game.role_ids().fold(vec![vec![]], |joints, role| {
        let legal = game.rules.legal(state, role);
        joints.iter().flat_map(|joint| legal.iter().map(|&mv| [joint.as_slice(), &[mv]].concat())).collect()
    })
}

/// The definition's answers for matches of bounded length.
pub struct Plain {
    /// For each property, the length of the shortest matches that look alike to the role but differ in it.
    pub found: [Option<usize>; 3],
    /// The number of rounds up to which all matches were examined.
    pub rounds: usize,
}

/// Plays all matches of at most `rounds` rounds, and at most about `most` of one length. Matches with the same view and
/// the same state have the same continuations, so one of them is kept.
pub fn shortest(game: &Game, role: RoleId, rounds: usize, most: usize) -> Plain {
    let mut plain = Plain { found: [None; 3], rounds: 0 };
    let mut matches: BTreeMap<Experience, Vec<State>> =
        BTreeMap::from([(Experience::new(), vec![game.rules.initial()])]);
    for depth in 0..=rounds {
        for (found, property) in plain.found.iter_mut().zip(Property::ALL) {
            let differ = |states: &Vec<State>| {
                let values = states.iter().filter_map(|state| value(game, role, property, state));
                values.collect::<BTreeSet<_>>().len() > 1
            };
            if found.is_none() && matches.values().any(differ) {
                *found = Some(depth);
            }
        }
        plain.rounds = depth;
        let mut longer: BTreeMap<Experience, Vec<State>> = BTreeMap::new();
        let mut count = 0;
        for (seen, states) in &matches {
            for state in states.iter().filter(|state| !game.rules.terminal(state)) {
                let choices = game.role_ids().map(|role| game.rules.legal(state, role).len());
                count += choices.product::<usize>();
                if count > most {
                    return plain;
                }
                for joint in joints(game, state) {
                    let own = game.knows_own_moves.then(|| joint[role.0 as usize]);
                    let percepts = game.rules.percepts(state, &joint, role);
                    let states = longer.entry([seen.as_slice(), &[(own, percepts)]].concat()).or_default();
                    let next = game.rules.next(state, &joint);
                    if !states.contains(&next) {
                        states.push(next);
                    }
                }
            }
        }
        matches = longer;
    }
    plain
}

/// Compares all methods on one game with the definition up to `rounds`, and with the exhaustive search beyond. Returns
/// the numbers of answers: proved, refuted, left open, and refuted by random matches.
fn agree(name: &str, game: &Game, rounds: usize) -> [usize; 4] {
    let mut prover = Prover::new(game);
    let mut counts = [0; 4];
    for role in game.role_ids().filter(|role| !game.roles[role.0 as usize].is_chance) {
        let plain = shortest(game, role, rounds, usize::MAX);
        for (property, plain) in Property::ALL.into_iter().zip(plain.found) {
            let mut say_within = |time, method, depth| {
                let options = Options { method, depth, ..Options::default() };
                ask(&mut prover, game, (role, property), &options, time).0
            };
            // The search along random matches never ends if there is nothing to find.
            let seen = say_within(Duration::from_millis(5), Method::Matches, None);
            let mut say = |method, depth| say_within(Duration::from_secs(60), method, depth);
            let exhaustive = say(Method::Pairs, None);
            assert!(seen.agrees_with(exhaustive), "{name} {role:?} {property:?} matches: {seen:?}, {exhaustive:?}");
            counts[3] += usize::from(matches!(seen, MethodVerdict::Seen(_)));
            let leap = say(Method::Leap, Some(8));
            assert!(leap.agrees_with(exhaustive), "{name} {role:?} {property:?} leap: {leap:?}, {exhaustive:?}");
            assert!(!matches!(leap, MethodVerdict::Proved), "{name} {role:?} {property:?}");
            match (plain, exhaustive) {
                (Some(plain), MethodVerdict::Refuted(depth)) => {
                    assert_eq!(plain, depth, "{name} {role:?} {property:?}")
                }
                (None, MethodVerdict::Refuted(depth)) => {
                    assert!(depth > rounds, "{name} {role:?} {property:?}: {depth}")
                }
                (None, MethodVerdict::Proved) => {}
                _ => panic!("{name} {role:?} {property:?}: {plain:?} by definition, {exhaustive:?} by pairs"),
            }
            for method in ALONE {
                let verdict = say(method, Some(8));
                assert!(
                    verdict.agrees_with(exhaustive),
                    "{name} {role:?} {property:?} {method:?}: {verdict:?}, {exhaustive:?}"
                );
                let kind = match verdict {
                    MethodVerdict::Proved => 0,
                    MethodVerdict::Refuted(_) | MethodVerdict::Seen(_) => 1,
                    MethodVerdict::Holds(_) => 2,
                };
                counts[kind] += 1;
            }
            assert_eq!(say(Method::Auto, None), exhaustive, "{name} {role:?} {property:?}");
        }
    }
    counts
}

fn compare_many(kind: &str, count: u64, rounds: usize, game: impl Fn(u64) -> Game) {
    let mut total = [0; 4];
    for seed in 0..count {
        let counts = agree(&format!("{kind} {seed}"), &game(seed), rounds);
        total.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
    }
    let [proved, refuted, open, seen] = total;
    eprintln!("{kind}: {proved} proved, {refuted} refuted, {open} open; {seen} refuted by random matches");
    assert!(proved > 0 && refuted > 0 && seen > 0, "{kind}: {proved} proved, {refuted} and {seen} refuted");
}

#[test]
fn circuits_at_random() {
    compare_many("circuit", more(6, 45), 2, circuit_game);
}

#[test]
fn rules_at_random() {
    compare_many("rules", more(25, 400), 3, rules_game);
}

#[test]
fn planning_domains_at_random() {
    compare_many("domain", more(25, 400), 5, planning_game);
}

/// The project's games that are small enough to play out.
#[test]
fn own_games() {
    for (name, rounds) in
        [("kuhn-poker", 5), ("hidden-matching-pennies", 3), ("exploding-bomb", 3), ("exploding-bomb-arming", 3)]
    {
        agree(name, &percept_test::game(&format!("{name}/{name}.kif")), rounds);
    }
}

/// The percepts of a round come after the role's move: their content is not known before.
#[test]
fn percepts_come_after_the_move() {
    let game = super::gdl(
        "(role r) (role random) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
         (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
         (<= (legal random (flip heads)) (true (step 0)))
         (<= (legal random (flip tails)) (true (step 0)))
         (<= (legal random wait) (not (true (step 0))))
         (<= (next heads) (does random (flip heads)))
         (<= (next heads) (true heads))
         (<= (sees r heads) (true heads))
         (legal r a) (<= (legal r b) (true heads))
         (<= terminal (true (step 3)))
         (<= (goal r 100) (true heads)) (<= (goal r 0) (not (true heads))) (goal random 0)",
    )
    .expect("a game");
    agree("late percepts", &game, 3);
    let mut search = Pairs::new(&game, RoleId(0));
    assert_eq!(search.deepen(&Budget::default()), Some(true));
    assert_eq!(search.look(Property::Legal).0.differing, 2);
    let mut prover = Prover::new(&game);
    for (question, expected) in
        questions(&game).into_iter().zip([MethodVerdict::Refuted(1), MethodVerdict::Proved, MethodVerdict::Proved])
    {
        let verdict = ask(&mut prover, &game, question, &Options::default(), Duration::from_secs(60)).0;
        assert_eq!(verdict, expected, "{question:?}");
    }
}

/// Recursion that always holds, which only folding the circuit shows, before a move that can therefore never be made.
/// Revealing the move's id would let `b` see an impossible move, and prove that `b` knows its goal.
pub const AWAKE: &str = "(role a) (role b) (init (light on))
 (<= (next (light off)) (true (light on))) (<= (next (light on)) (true (light off)))
 (<= (next (chose ?m)) (does a ?m))
 (<= (awake ?r) (role ?r) (true (light on)))
 (<= (awake ?r) (role ?r) (not (true (light on))))
 (<= (awake ?r) (role ?r) (role ?q) (awake ?q))
 (<= (legal a cheat) (not (awake b))) (legal a left) (legal a right) (legal b wait)
 (<= (sees b caught) (does a cheat))
 (<= terminal (true (chose ?m)))
 (<= (goal b 100) (true (chose left))) (<= (goal b 0) (true (chose right))) (goal a 50)";

#[test]
fn what_nobody_sees_proves_nothing() {
    let game = super::gdl(AWAKE).expect("a game");
    agree("recursion that always holds", &game, 2);
    let (a, b) = (RoleId(0), RoleId(1));
    for method in ALONE.into_iter().chain([Method::Auto]) {
        let options = Options { method, ..Options::default() };
        let mut prover = Prover::new(&game);
        let mut say = |role, property| ask(&mut prover, &game, (role, property), &options, Duration::from_secs(60)).0;
        assert_ne!(say(b, Property::Goal), MethodVerdict::Proved, "{method:?}");
        if matches!(method, Method::Auto | Method::Bounded | Method::Pairs) {
            assert_eq!(say(b, Property::Goal), MethodVerdict::Refuted(1), "{method:?}");
            for question in [(a, Property::Legal), (a, Property::Terminal), (a, Property::Goal), (b, Property::Legal)] {
                assert_eq!(say(question.0, question.1), MethodVerdict::Proved, "{method:?} {question:?}");
            }
        }
    }
}

/// The number of parallel roles does not change the answers or their order.
#[test]
fn threads_change_no_answer() {
    let kuhn = percept_test::game("kuhn-poker/kuhn-poker.kif");
    for game in [kuhn, rules_game(1), rules_game(2), planning_game(3), planning_game(4)] {
        let questions = questions(&game);
        let say = |threads| {
            let findings = many::all(&game, &questions, &Options::default(), threads, &|_| Budget::default());
            let verdicts = findings.iter().map(|it| ((it.role, it.property), it.verdict.name(), depth(&it.verdict)));
            verdicts.collect::<Vec<_>>()
        };
        let alone = say(1);
        assert_eq!(alone.iter().map(|it| it.0).collect::<Vec<_>>(), questions);
        assert!(alone.iter().all(|it| it.1 != "open"), "{alone:?}");
        for threads in [2, 3, 16] {
            assert_eq!(say(threads), alone, "{threads} threads");
        }
    }
}

/// A question without time at first does not hold up the others, and gets its whole time in the end.
#[test]
fn questions_that_are_settled_soon_do_not_wait() {
    let game = percept_test::game("kuhn-poker/kuhn-poker.kif");
    let questions = questions(&game);
    let alone = many::all(&game, &questions, &Options::default(), 1, &|_| Budget::default());
    let first = AtomicUsize::new(0);
    let budget = |at: usize| match at {
        // The first call is for the set-up, the second one for the first turn.
        0 if first.fetch_add(1, Ordering::Relaxed) == 1 => {
            Budget { deadline: Some(Instant::now()), ..Budget::default() }
        }
        _ => Budget::default(),
    };
    let order = Mutex::new(Vec::new());
    let tell = |at: usize, finding: Finding| order.lock().unwrap().push((at, finding.verdict.name()));
    many::quick_first(&game, &questions, &Options::default(), 1, Duration::from_secs(60), &budget, &tell);
    let mut order = order.into_inner().unwrap();
    assert_eq!(order.iter().map(|it| it.0).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 0]);
    order.sort_unstable();
    assert!(order.iter().map(|it| it.1).eq(alone.iter().map(|it| it.verdict.name())), "{order:?}");
}

/// A first look refutes what the proofs refute, and nothing else.
#[test]
fn a_first_look_finds_what_is_not_known() {
    let mut refuted = 0;
    for game in [percept_test::game("kuhn-poker/kuhn-poker.kif"), rules_game(1), rules_game(2), planning_game(3)] {
        let questions = questions(&game);
        let proved = many::all(&game, &questions, &Options::default(), 1, &|_| Budget::default());
        let look = Look::at(&game, &questions, false, 20, &Budget::default());
        assert!(look.rounds > 0 && look.matches <= 20);
        for ((role, property), pair) in &look.refuted {
            assert!(is_real(&game, *role, *property, pair));
            let of_prover = proved.iter().find(|it| (it.role, it.property) == (*role, *property));
            assert_eq!(of_prover.map(|it| it.verdict.name()), Some("refuted"));
        }
        refuted += look.refuted.len();
        let spent = Budget { deadline: Some(Instant::now()), ..Budget::default() };
        assert_eq!(Look::at(&game, &questions, false, 20, &spent).rounds, 0);
    }
    assert!(refuted > 0, "one of these games hides something");
}

/// The number of rounds of the shortest pair.
fn depth(verdict: &Verdict) -> Option<usize> {
    match verdict {
        Verdict::Refuted { pair, .. } => Some(pair.left.len()),
        _ => None,
    }
}
