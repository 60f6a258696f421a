//! Compares coverage counts with a naive count: the same random matches, played by the naive reader, in whose text
//! every condition has a separate mark: a percept in rules about moves, else a legal move.

use std::collections::BTreeSet;

use percept_game::play::Stream;
use percept_game::{Game, RoleId, State};
use percept_infoset::Budget;
use percept_judge::Case;
use percept_judge::coverage::{Coverage, Matches, coverage};
use percept_random_rules::gdl::{Naive, write};
use percept_random_rules::graph::Oracle;
use percept_random_rules::sexp::{self, Sexp};
use percept_syntax::{Language, Source, Syntax};

const MATCHES: Matches = Matches { matches: 6, rounds: 8, seed: 3 };
const OUTSIDE: [&str; 5] = ["role", "init", "base", "input", "percept"];

fn is(word: &str, wanted: &str) -> bool {
    word.eq_ignore_ascii_case(wanted)
}

/// The head and conditions of a rule.
fn rule(statement: &Sexp) -> Option<(&Sexp, Vec<&Sexp>)> {
    let (head, body) = statement.args().split_first().filter(|_| statement.head() == "<=")?;
    // Conditions that bind variables are evaluated first, then those that branch, then the tests.
    let place = |condition: &&Sexp| match condition.head().to_ascii_lowercase().as_str() {
        "or" | "and" => 1,
        "not" | "distinct" => 2,
        _ => 0,
    };
    let mut body: Vec<&Sexp> = body.iter().collect();
    body.sort_by_key(place);
    (!body.is_empty() && !OUTSIDE.iter().any(|word| is(head.head(), word))).then_some((head, body))
}

/// The words of relations that depend on moves.
fn on_moves(statements: &[Sexp]) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = ["does", "next"].map(String::from).into();
    loop {
        let before = found.len();
        for statement in statements.iter().filter(|it| it.head() == "<=") {
            let [head, body @ ..] = statement.args() else { continue };
            if body.iter().any(|condition| rests(condition, &found)) {
                found.insert(head.head().to_ascii_lowercase());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn rests(condition: &Sexp, on: &BTreeSet<String>) -> bool {
    match condition.head().to_ascii_lowercase().as_str() {
        "or" | "and" | "not" => condition.args().iter().any(|part| rests(part, on)),
        word => on.contains(word),
    }
}

/// For every condition of every rule, the number of times it held with those before it, by the naive reader.
fn naive_count(statements: &[Sexp], game: &Game) -> Option<(u64, Vec<Vec<u64>>)> {
    let on = on_moves(statements);
    let rules: Vec<(&Sexp, Vec<&Sexp>)> = statements.iter().filter_map(rule).collect();
    let role = &game.roles[0].name;
    let mut marked = statements.to_vec();
    for (number, (_, body)) in rules.iter().enumerate() {
        for upto in 1..=body.len() {
            let conditions: String = body[..upto].iter().map(|it| format!(" {it}")).collect();
            let word = if body[..upto].iter().any(|it| rests(it, &on)) { "sees" } else { "legal" };
            marked.push(Sexp::one(&format!("(<= ({word} {role} (mark-of-test {number} {upto})){conditions})")));
        }
    }
    let naive = Naive::new(&marked).ok()?;
    let mut counts: Vec<Vec<u64>> = rules.iter().map(|(_, body)| vec![0; body.len()]).collect();
    let mut note = |names: &[String], is_last: bool| {
        for mark in names.iter().filter(|it| it.starts_with("(mark-of-test ")) {
            let numbers: Vec<usize> =
                Sexp::one(mark).args().iter().map(|it| it.head().parse().expect("ours")).collect();
            let (head, body) = &rules[numbers[0]];
            let of_round = is(head.head(), "next") || is(head.head(), "sees") || body.iter().any(|it| rests(it, &on));
            counts[numbers[0]][numbers[1] - 1] += u64::from(!(is_last && of_round));
        }
    };
    let mut rounds = 0;
    for number in 0..MATCHES.matches {
        let mut stream = Stream::new(MATCHES.seed, number);
        let (mut state, mut same): (State, BTreeSet<String>) = (game.rules.initial(), naive.initial());
        for _ in 0..MATCHES.rounds {
            let legal: Vec<_> = game.role_ids().map(|role| game.rules.legal(&state, role)).collect();
            if game.rules.terminal(&state) || legal.iter().any(Vec::is_empty) {
                break;
            }
            let joint: Vec<_> = legal.iter().map(|it| it[stream.below(it.len() as u32) as usize]).collect();
            let names: Vec<String> =
                game.role_ids().zip(&joint).map(|(role, mv)| game.rules.move_name(role, *mv)).collect();
            let step = naive.step(&same, &names).ok()?;
            note(&naive.legal(&same, role).ok()?, false);
            note(&step.percepts[0], false);
            (state, same) = (game.rules.next(&state, &joint), step.next);
            rounds += 1;
        }
        note(&naive.legal(&same, role).ok()?, true);
    }
    Some((rounds, counts))
}

fn counted(text: &str) -> Option<(Game, Coverage)> {
    let source = Source::parse(text, Language::GdlPrefix);
    let Syntax::Gdl(description) = &source.syntax else { return None };
    let game = Game::from_gdl(description).ok()?;
    let met = coverage(&Case::new(&game, vec![&source]), &MATCHES, &Budget::default());
    (met.lacking.is_none()).then_some((game, met))
}

fn compare(statements: &[Sexp], name: &str) -> Option<usize> {
    let text = sexp::write(statements);
    let (game, met) = counted(&text)?;
    assert_eq!(game.role_ids().next(), Some(RoleId(0)));
    let (rounds, counts) = naive_count(statements, &game)?;
    assert_eq!(met.rounds, rounds, "{name}");
    let found: Vec<Vec<u64>> =
        met.rules.iter().map(|it| it.conditions.iter().map(|(_, count)| *count).collect()).collect();
    assert_eq!(found, counts, "{name}:\n{text}");
    assert!(met.rules.iter().zip(&counts).all(|(it, counts)| Some(&it.fired) == counts.last()), "{name}");
    Some(counts.iter().map(Vec::len).sum())
}

#[test]
fn counts_are_those_of_a_naive_reader() {
    let (mut games, mut conditions) = (0, 0);
    for seed in 0..60 {
        let (statements, _) = write(seed);
        if let Some(found) = compare(&statements, &format!("seed {seed}")) {
            games += 1;
            conditions += found;
        }
    }
    assert!(games >= 30 && conditions >= 300, "only {conditions} conditions of {games} games were compared");
}

/// Moves without an alternative are folded away: a rule that mentions one fired once more at each end.
#[test]
fn the_end_of_a_match_is_no_round() {
    let text = "(role a) (role b) (init (at 1)) (succ 1 2) (succ 2 3)
        (legal a go) (<= (legal b left) (true (at ?n))) (<= (legal b right) (true (at ?n)))
        (<= (next (at ?n)) (does a go) (true (at ?m)) (succ ?m ?n))
        (<= (next (seen ?n)) (true (at ?n)))
        (<= (sees a (went ?m)) (does b ?m)) (<= (gone) (does a go)) (<= (sees b gone) (gone))
        (<= terminal (true (at 3))) (<= (goal ?r 50) (role ?r))";
    let statements = sexp::read(text);
    assert!(compare(&statements, "a corridor").is_some());
    let (_, met) = counted(&sexp::write(&statements)).expect("a game");
    let fired = |at: usize| met.rules[at].fired;
    // Two rounds and three states of each match.
    let matches = MATCHES.matches;
    assert_eq!([2, 3, 4, 5, 6].map(fired), [2 * matches; 5], "rules of rounds");
    assert_eq!((fired(0), fired(7), fired(8)), (3 * matches, matches, 3 * matches), "rules of states");
}
