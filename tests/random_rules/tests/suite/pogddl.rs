//! Random POGDDL domains and problems, from their text to the verdicts about every match.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use percept_game::{Game, GameError, PogddlOptions, PogddlTerminal};
use percept_infoset::prove::{self, Prover};
use percept_random_rules::gdl::Refusal;
use percept_random_rules::graph::{Budget, Graph, Oracle, Step};
use percept_random_rules::pogddl::{numbers, write};
use percept_random_rules::sexp::{self, Sexp};
use percept_random_rules::truth::{Histories, PROPERTIES};
use percept_syntax::pddl::{Domain, Problem};
use percept_syntax::{Language, Source};
use percept_test::naive::{Naive, World};
use rand::{SeedableRng, rngs::SmallRng};

use crate::product;
use crate::product::harness::{Cases, Seeds, at_least, is_counting};
use crate::product::{Checked, Failure, Tally, fail, knowledge, steps};

/// The reach of brute force.
struct Extent {
    budget: Budget,
    /// The maximum number of rounds of histories, and of histories.
    rounds: usize,
    histories: usize,
}

const SHORT: Extent = Extent { budget: Budget { states: 40, rounds: 100 }, rounds: 5, histories: 250 };
/// With growing numbers, two histories rarely end in one state.
const LONG: Extent = Extent { budget: Budget { states: 250, rounds: 500 }, rounds: 10, histories: 400 };

/// A thousand cases, those of the other language included, and half as many fresh ones.
const SEEDS: Seeds = Seeds { quick: 20, heavy: 350, fresh: 100 };
const NUMBER_SEEDS: Seeds = Seeds { quick: 10, heavy: 70, fresh: 40 };

const CASES: Cases = Cases {
    extension: "pog",
    test: "pogddl::random_domains",
    make: write,
    check: |case, seed, tally| check(case, seed, tally, &SHORT),
};
const NUMBERS: Cases = Cases {
    extension: "numbers",
    test: "pogddl::random_numbers",
    make: numbers::write,
    check: |case, seed, tally| check(case, seed, tally, &LONG),
};

/// The interpreter of `percept-test`, which evaluates the typed syntax as written.
struct Reader {
    naive: Naive,
    ends_at_payoff: bool,
    /// The answer for the last requested state: the role in turn, and the legal moves.
    last: RefCell<Option<(BTreeSet<String>, Turn)>>,
}

/// The role in turn, and the legal moves.
type Turn = (Option<String>, Vec<String>);

impl Reader {
    fn turn(&self, state: &BTreeSet<String>) -> Turn {
        if let Some((last, turn)) = &*self.last.borrow()
            && last == state
        {
            return turn.clone();
        }
        let world = world(state);
        let legal: Vec<String> = self.naive.legal(&world).iter().map(|action| shown(action)).collect();
        let turn = (self.naive.mover(&world), legal);
        *self.last.borrow_mut() = Some((state.clone(), turn.clone()));
        turn
    }
}

fn shown(words: &[String]) -> String {
    format!("({})", words.join(" "))
}

/// The state in words: facts, and numbers as `(= (total) 3)`. An unset number is zero, so zeros are left out: two
/// states that differ only in unset numbers are one.
fn state(world: &World) -> BTreeSet<String> {
    let facts = world.facts.iter().map(|words| shown(words));
    let numbers = world.numbers.iter().filter(|(_, value)| **value != 0);
    facts.chain(numbers.map(|(words, value)| format!("(= {} {value})", shown(words)))).collect()
}

fn world(state: &BTreeSet<String>) -> World {
    let mut world = World { facts: BTreeSet::new(), numbers: Default::default() };
    let words = |sexp: &Sexp| -> Vec<String> {
        let mut words = Vec::new();
        sexp.words(&mut |word| words.push(word.to_owned()));
        words
    };
    for fact in state {
        let sexp = Sexp::one(fact);
        match (sexp.head(), sexp.args()) {
            ("=", [target, value]) => {
                world.numbers.insert(words(target), value.head().parse().expect("a number"));
            }
            _ => {
                world.facts.insert(words(&sexp));
            }
        }
    }
    world
}

impl Oracle for Reader {
    fn roles(&self) -> Vec<String> {
        self.naive.roles.clone()
    }

    fn is_chance(&self, role: &str) -> bool {
        role == "chance"
    }

    fn knows_own_moves(&self) -> bool {
        false
    }

    fn initial(&self) -> BTreeSet<String> {
        state(&self.naive.initial())
    }

    fn terminal(&self, state: &BTreeSet<String>) -> Result<bool, Refusal> {
        let total = || {
            let world = world(state);
            self.naive.roles.iter().fold(0i64, |sum, role| sum.saturating_add(self.naive.payoff(&world, role)))
        };
        Ok(self.turn(state).1.is_empty() || (self.ends_at_payoff && total() > 0))
    }

    fn legal(&self, state: &BTreeSet<String>, role: &str) -> Result<Vec<String>, Refusal> {
        let (mover, legal) = self.turn(state);
        Ok(if mover.is_some_and(|mover| mover == role) { legal } else { vec!["noop".into()] })
    }

    fn goals(&self, state: &BTreeSet<String>, role: &str) -> Result<Vec<i64>, Refusal> {
        Ok(vec![self.naive.payoff(&world(state), role)])
    }

    fn step(&self, before: &BTreeSet<String>, joint: &[String]) -> Result<Step, Refusal> {
        let action = joint.iter().find(|mv| *mv != "noop").ok_or_else(|| Refusal("no role moves".into()))?;
        let action: Vec<String> = action[1..action.len() - 1].split(' ').map(str::to_owned).collect();
        let world = world(before);
        let percepts = self.naive.roles.iter().map(|role| self.naive.messages(&world, &action, role)).collect();
        Ok(Step { next: state(&self.naive.next(&world, &action)), percepts })
    }
}

fn terminal(seed: u64) -> PogddlTerminal {
    if seed.is_multiple_of(3) { PogddlTerminal::Payoff } else { PogddlTerminal::NoMoves }
}

fn read(text: &str) -> Checked<(Domain, Problem)> {
    let source = Source::parse(text, Language::Pogddl);
    if let Some(error) = source.errors.first() {
        return fail("syntax", format!("{error:?}"));
    }
    match (source.domain(), source.problem()) {
        (Some(domain), Some(problem)) => Ok((domain.clone(), problem.clone())),
        _ => fail("syntax", "a domain or a problem is missing"),
    }
}

fn check(case: &[Sexp], seed: u64, tally: &mut Tally, extent: &Extent) -> Option<Checked> {
    let (domain, problem) = match read(&sexp::write(case)) {
        Ok(parts) => parts,
        Err(failure) => return Some(Err(failure)),
    };
    let ends_at_payoff = terminal(seed) == PogddlTerminal::Payoff;
    // If a part is missing, as in a case that is being minimized, the interpreter panics.
    let explore = || {
        let naive = Naive::new(domain.clone(), problem.clone());
        if naive.roles.is_empty() {
            return None;
        }
        Graph::explore(&Reader { naive, ends_at_payoff, last: RefCell::new(None) }, extent.budget).ok()
    };
    let started = std::time::Instant::now();
    let graph = catch_unwind(AssertUnwindSafe(explore)).ok().flatten()?;
    tally.count("milliseconds for the naive reader", started.elapsed().as_millis() as usize);
    let histories = Histories::new(&graph, extent.rounds, extent.histories);
    Some(compare(&domain, &problem, &histories, seed, tally))
}

fn compare(domain: &Domain, problem: &Problem, histories: &Histories<'_>, seed: u64, tally: &mut Tally) -> Checked {
    let refused = |errors: Vec<GameError>| Failure { class: "refused".into(), message: format!("{errors:?}") };
    let made = || Game::from_pogddl(domain, problem, &PogddlOptions { terminal: terminal(seed) }).map_err(refused);
    let game = made()?;
    product::roles(&game, histories.graph)?;
    if !is_counting() {
        steps::all(&game, histories.graph, "operators", tally)?;
    }
    tally.count("games with registers", usize::from(product::has_registers(&game)));
    let mut rng = SmallRng::seed_from_u64(seed);
    if game.rules.fault().is_some() {
        tally.count("games with numbers that no match can have", 1);
        // The fault has just been met, so no claim is allowed. A prover that has not met it may ignore it, but only
        // makes claims that are true if play continues with the nearest number.
        silent(&game, histories, tally)?;
        return knowledge::in_every_match(&made()?, histories.graph, histories, tally);
    }
    product::everything(&game, histories, &mut rng, seed, tally)
}

/// Checks that no claim about every match is made, because a fault was met.
fn silent(game: &Game, histories: &Histories<'_>, tally: &mut Tally) -> Checked {
    let mut prover = Prover::new(game);
    for role in histories.graph.players() {
        for (property, method) in PROPERTIES.into_iter().zip(knowledge::METHODS) {
            let options = prove::Options { method, depth: Some(2), ..prove::Options::default() };
            let verdict = knowledge::verdict(&mut prover, role, property, &options, &product::impatient(), tally)?;
            if !matches!(verdict, prove::Verdict::Open { .. }) {
                return fail("a claim beside a fault", format!("{property:?} by {method:?}: {verdict:?}"));
            }
        }
    }
    Ok(())
}

#[test]
fn random_domains() {
    let tally = CASES.run(&SEEDS.list());
    at_least(
        &tally,
        &[
            ("chance deals", 0.4),
            ("derived predicates", 0.1),
            ("conditional effects", 0.3),
            ("quantifiers", 0.2),
            ("proved by Auto", 1.0),
            ("refuted by Auto", 0.05),
            ("own moves proved by Auto", 0.3),
            ("own moves refuted by Auto", 0.1),
            ("sets of several histories", 0.5),
            ("questions that hold", 0.3),
            ("questions that fail", 0.3),
        ],
    );
}

#[test]
fn random_numbers() {
    let tally = NUMBERS.run(&NUMBER_SEEDS.list());
    at_least(
        &tally,
        &[
            ("chance deals", 0.3),
            ("products", 0.3),
            ("divisions", 0.1),
            ("negative numbers", 0.1),
            ("guarded increments", 0.4),
            ("thresholds in preconditions", 0.2),
            ("gains are numbers", 0.4),
            ("games with registers", 0.5),
            ("long matches", 0.15),
            ("proved by Auto", 1.0),
            ("refuted by Auto", 0.3),
        ],
    );
}

#[test]
fn kept_cases() {
    CASES.kept();
    NUMBERS.kept();
}
