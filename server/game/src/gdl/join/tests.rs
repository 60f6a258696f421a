use std::fmt::Write;
use std::ops::ControlFlow;

use percept_syntax::{Language, Source as Text, Syntax};

use super::{Collect, Fuel, Plan, Solution, Source, solve, solve_shared};
use crate::Budget;
use crate::gdl::plan::{Goal, plan};
use crate::gdl::prepare::{Bodies, Prepared, prepare};
use crate::gdl::program::{RelationId, Rule};
use crate::terms::TermId;

/// All that is told of solutions, up to so many of them.
#[derive(Clone, PartialEq, Debug)]
struct All {
    solutions: Vec<(Vec<TermId>, Vec<u32>)>,
    most: usize,
}

impl Collect for All {
    fn add(&mut self, solution: &Solution<'_>) -> ControlFlow<()> {
        self.solutions.push((solution.bindings.to_vec(), solution.rows.to_vec()));
        if self.solutions.len() > self.most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn part(&self) -> Self {
        All { solutions: Vec::new(), most: self.most }
    }

    fn append(&mut self, part: Self) -> ControlFlow<()> {
        self.solutions.extend(part.solutions);
        if self.solutions.len() > self.most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Edges between so many nodes, of about two colors each, and the rules about them that are asked for.
fn graph(nodes: u64, seed: u64, rule: &str) -> Prepared {
    let mut text = "(role r) (goal r 0) terminal (color red) (color blue)".to_owned();
    let mut random = seed;
    for from in 0..nodes {
        for _ in 0..4 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let color = if random >> 60 > 7 { "red" } else { "blue" };
            _ = write!(text, " (edge {color} (node {from}) {})", (random >> 33) % nodes);
        }
    }
    let source = Text::parse(format!("{text} {rule}"), Language::GdlPrefix);
    let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
    prepare(description, Bodies::Whole).expect("rules")
}

/// The order of the conditions of the rule about moves.
fn plan_of_moves(prepared: &mut Prepared, heads_only: bool) -> Plan {
    let is_of_moves = |rule: &&Rule| rule.head.relation == RelationId::LEGAL;
    let rule = prepared.program.rules.iter().find(is_of_moves).expect("a rule").clone();
    let goal = Goal { first: None, bound: &[], heads_only, ignore_negative: &|_| false };
    let plan = plan(&rule, &goal, &prepared.program.terms, &mut prepared.tables);
    plan.complete(&prepared.program.terms, &mut prepared.tables);
    plan
}

#[test]
fn several_threads_find_what_one_finds_in_the_same_order_with_the_same_fuel() {
    let rules = [
        "(<= (legal r (out ?a ?d)) (edge ?k (node ?a) ?b) (edge ?k (node ?b) ?c) (edge ?l (node ?c) ?d) (distinct ?a ?d))",
        // The first condition has two rows, too few for all threads.
        "(<= (legal r (out ?k ?c)) (color ?k) (edge ?k (node ?a) ?b) (edge ?k (node ?b) ?c) (not (edge red (node ?c) ?a)))",
        "(<= (legal r (out ?a)) (edge ?k (node ?a) ?b) (edge ?l (node ?b) ?c))",
        "(<= (legal r (out ?k)) (color ?k))",
    ];
    for (at, rule) in rules.iter().enumerate() {
        for heads_only in [false, true] {
            let mut prepared = graph(40 + 30 * at as u64, at as u64, rule);
            let plan = plan_of_moves(&mut prepared, heads_only);
            let tables = &prepared.tables;
            let source = Source {
                terms: &prepared.program.terms,
                tables,
                window: &|_, relation: RelationId| 0..tables[relation.index()].len(),
                accept: &|_, row| row % 7 != 3,
                may_be_absent: &|_, row| row % 5 == 2,
            };
            let budget = Budget::default();
            let all = All { solutions: Vec::new(), most: usize::MAX };
            let (mut one, mut fuel) = (all.clone(), Fuel::new(1_000_000, &budget));
            assert!(solve(&plan, &source, &[], &mut fuel, &mut |solution| one.add(solution)).is_ok());
            let spent = 1_000_000 - fuel.left;
            assert!(!one.solutions.is_empty(), "{rule}");
            for threads in [1, 2, 3, 16] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                let shared = |most: usize, left: u64| {
                    let (mut found, mut fuel) = (All { most, ..all.clone() }, Fuel::new(left, &budget));
                    let result = pool.install(|| solve_shared(&plan, &source, &mut fuel, &mut found));
                    (result.is_ok(), found, fuel.left)
                };
                assert_eq!(shared(usize::MAX, spent), (true, one.clone(), 0), "{rule}, {threads} threads");
                assert!(!shared(usize::MAX, spent - 1).0, "{rule}, {threads} threads: fuel for one candidate less");
                let (_, few, _) = shared(one.solutions.len() - 1, spent);
                assert_eq!(
                    few.solutions.len(),
                    one.solutions.len(),
                    "{rule}, {threads} threads: one more than the most"
                );
            }
        }
    }
}
