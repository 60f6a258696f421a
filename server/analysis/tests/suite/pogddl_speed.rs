//! Large files: no check may be quadratic. `PERCEPT_PRINT=1 cargo test --release -p percept-analysis --test suite
//! pogddl_speed:: -- --nocapture` prints the times.

use std::fmt::Write;
use std::time::{Duration, Instant};

use percept_analysis::{Settings, check_pddl};
use percept_syntax::{Language, Source};

/// Many small actions over many predicates, as in grounded domains.
fn grounded(actions: usize) -> String {
    let mut text =
        String::from("(define (domain grounded)\n(:requirements :strips :negative-preconditions)\n(:predicates");
    for i in 0..=actions {
        write!(text, " (p{i})").unwrap();
    }
    text.push_str(")\n");
    for i in 0..actions {
        let (near, far) = ((i * 7 + 1) % actions, (i * 13 + 5) % actions);
        writeln!(
            text,
            "(:action a{i}\n :parameters ()\n :precondition (and (p{i}) (not (p{near})) (p{far}))\n :effect (and (not (p{i})) (p{})))",
            i + 1
        )
        .unwrap();
    }
    text.push(')');
    text
}

/// One action with a huge conjunction, huge alternatives and a huge list of effects.
fn one_action(parts: usize) -> String {
    let mut text =
        String::from("(define (domain wide)\n(:requirements :adl)\n(:predicates (on ?x ?y) (free ?x))\n(:constants");
    for i in 0..parts {
        write!(text, " c{i}").unwrap();
    }
    text.push_str(")\n(:action wide\n :parameters (?a ?b ?c)\n :precondition (and");
    for i in 0..parts {
        write!(text, " (on ?a c{i}) (or (free c{i}) (not (on ?b c{i})) (= ?a c{i}))").unwrap();
    }
    text.push_str(")\n :effect (and");
    for i in 0..parts {
        write!(text, " (when (and (free c{i}) (= ?b c{i})) (and (not (free c{i})) (on ?c c{i})))").unwrap();
        write!(text, " (not (on ?a c{i}))").unwrap();
    }
    text.push_str(")))");
    text
}

/// A domain with one mistake on every line.
fn wrong(lines: usize) -> String {
    let mut text = String::from("(define (domain wrong)\n(:types t)\n(:predicates (known ?x - t))\n");
    for i in 0..lines {
        writeln!(
            text,
            "(:action a{i} :parameters (?x - t{i}) :precondition (unknown{i} ?y c{i}) :effect (known ?z{i} ?x))"
        )
        .unwrap();
    }
    text.push(')');
    text
}

/// A domain with a syntax error on every line.
fn unreadable(lines: usize) -> String {
    let mut text = String::from("(define (domain unreadable)\n(:types t)\n(:predicates (known ?x - t))\n");
    for i in 0..lines {
        writeln!(text, "(:action a{i} :parameters (x - t) :precondition ((known ?y)) :effect (and (known ?x)").unwrap();
    }
    text.push(')');
    text
}

fn problem(facts: usize) -> (String, String) {
    let domain = "(define (domain roads)\n(:requirements :strips :typing)\n(:types place)\n\
        (:predicates (road ?a ?b - place) (at ?p - place))\n\
        (:action go :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b)) :effect (and (at ?b) (not (at ?a)))))";
    let mut text = String::from("(define (problem many)\n(:domain roads)\n(:objects");
    for i in 0..facts / 10 {
        write!(text, " place{i}").unwrap();
    }
    text.push_str(" - place)\n(:init (at place0)");
    for i in 0..facts {
        writeln!(text, " (road place{} place{})", i % (facts / 10), (i * 31 + 7) % (facts / 10)).unwrap();
    }
    text.push_str(")\n(:goal (at place1)))");
    (domain.to_owned(), text)
}

fn time(name: &str, domain: &str, problem: Option<&str>) -> Duration {
    let parse = |text: &str| Source::parse(text.to_owned(), Language::Pogddl);
    let (domain, problem) = (parse(domain), problem.map(parse));
    let start = Instant::now();
    let list = check_pddl(Some(&domain), problem.as_ref(), &Settings::default());
    let time = start.elapsed();
    if std::env::var_os("PERCEPT_PRINT").is_some() {
        let size = domain.text.len() + problem.as_ref().map_or(0, |problem| problem.text.len());
        println!("{name}: {:.1} MB, {} findings, {:.0} ms", size as f64 / 1e6, list.len(), time.as_secs_f64() * 1e3);
    }
    time
}

#[test]
fn large_files_take_time_in_proportion() {
    // The usual run uses a tenth of 4 MB.
    let scale = percept_test::more(1, 10);
    let (roads, facts) = problem(12_000 * scale);
    let times = [
        time("grounded", &grounded(3_200 * scale), None),
        time("one action", &one_action(2_000 * scale), None),
        time("wrong", &wrong(4_000 * scale), None),
        time("unreadable", &unreadable(4_000 * scale), None),
        time("problem", &roads, Some(&facts)),
    ];
    for time in times {
        // A generous limit for busy machines: a quadratic check takes minutes.
        assert!(time < Duration::from_secs(20), "{times:?}");
    }
}
