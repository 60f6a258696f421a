//! Random rule sets of GDL-II, from their text to the answers about every match.

mod product;

use std::collections::BTreeSet;

use percept_game::gdl::Grounding;
use percept_game::{Game, GameError};
use percept_random_rules::gdl::{Naive, write};
use percept_random_rules::graph::{Budget, Graph};
use percept_random_rules::sexp::{self, Sexp};
use percept_random_rules::truth::Histories;
use percept_syntax::gdl::Description;
use percept_syntax::{Language, Source, Syntax};
use rand::{SeedableRng, rngs::SmallRng};

use product::harness::{Cases, at_least, seeds};
use product::{Checked, Failure, Tally, fail, steps};

const BUDGET: Budget = Budget { states: 250, rounds: 1_500 };

const CASES: Cases = Cases { extension: "kif", make, check };

fn make(seed: u64) -> (Vec<Sexp>, BTreeSet<&'static str>) {
    let (statements, features) = write(seed);
    (statements, features.0)
}

fn check(statements: &[Sexp], seed: u64, tally: &mut Tally) -> Option<Checked> {
    let naive = Naive::new(statements).ok()?;
    let graph = Graph::explore(&naive, BUDGET).ok()?;
    Some(compare(&sexp::write(statements), &graph, seed, tally))
}

fn read(text: &str) -> Checked<Description> {
    let source = Source::parse(text, Language::GdlPrefix);
    if let Some(error) = source.errors.first() {
        return fail("syntax", format!("{error:?}"));
    }
    match source.syntax {
        Syntax::Gdl(description) => Ok(description),
        Syntax::Pddl(_) => fail("syntax", "not GDL"),
    }
}

fn compare(text: &str, graph: &Graph, seed: u64, tally: &mut Tally) -> Checked {
    let description = read(text)?;
    let refused = |errors: Vec<GameError>| Failure { class: "refused".into(), message: format!("{errors:?}") };
    let game = Game::from_gdl(&description).map_err(refused)?;
    product::roles(&game, graph)?;
    steps::all(&game, graph, "as usual", tally)?;
    // As only large games are ground otherwise, and as those are run that are too large.
    let demanding = Grounding { demand_from: 0, whole_up_to: 0, ..Grounding::default() };
    let demanding = Game::from_gdl_with(&description, &demanding).map_err(refused)?;
    steps::all(&demanding, graph, "decomposed and on demand", tally)?;
    let lifted = Game::from_gdl_lifted(&description).map_err(refused)?;
    steps::all(&lifted, graph, "lifted", tally)?;
    let histories = Histories::new(graph, 4, 1_500);
    let mut rng = SmallRng::seed_from_u64(seed);
    product::everything(&game, &histories, &mut rng, seed, tally)
}

#[test]
fn random_rule_sets() {
    let tally = CASES.run(&seeds(200, 650));
    at_least(
        &tally,
        &[
            ("chance", 0.3),
            ("three roles", 0.2),
            ("always true by recursion", 0.25),
            ("never founded", 0.15),
            ("recursion over the state", 0.15),
            ("negation above recursion", 0.08),
            ("dead moves", 0.4),
            ("percepts are others' moves", 0.05),
            ("declarations", 0.12),
            ("games in which a set holds ends and no ends", 0.01),
            ("sets of several histories", 1.0),
            ("proved by Auto", 2.0),
            ("refuted by Auto", 0.15),
            ("unknown", 0.2),
            ("questions that hold", 0.4),
            ("questions that fail", 0.4),
        ],
    );
}

#[test]
fn kept_cases() {
    CASES.kept();
}
