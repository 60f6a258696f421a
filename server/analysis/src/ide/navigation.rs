//! Navigation from a name to the other places of the same thing.

use super::{Access, Class, FileRange, Files, Namespace, Occurrence, Symbol};
use crate::FileId;

/// Returns the definitions of the thing under the cursor: the heads of its rules, or its declaration; for a variable,
/// the place that binds it first. If the name has no definition, returns its first use.
pub fn definition(files: &Files<'_>, file: FileId, offset: u32) -> Vec<FileRange> {
    let Some((symbol, here)) = files.at(file, offset) else { return Vec::new() };
    if symbol.namespace == Namespace::Keyword || here.class == Class::Number {
        return Vec::new();
    }
    let all = files.occurrences(file, symbol);
    let defined: Vec<FileRange> = places(all.iter().filter(|(_, it)| it.access == Access::Define));
    if !defined.is_empty() {
        return defined;
    }
    let sent: Vec<FileRange> = places(all.iter().filter(|(_, it)| it.access == Access::Write));
    if symbol.namespace == Namespace::Message {
        return sent;
    }
    places(all.iter().take(1))
}

/// Returns every occurrence of the thing under the cursor.
pub fn references(files: &Files<'_>, file: FileId, offset: u32, with_definitions: bool) -> Vec<FileRange> {
    let Some((symbol, _)) = files.at(file, offset) else { return Vec::new() };
    let all = files.occurrences(file, symbol);
    places(all.iter().filter(|(_, it)| with_definitions || it.access != Access::Define))
}

/// Returns the occurrences in this file, each with its access.
pub fn highlights(files: &Files<'_>, file: FileId, offset: u32) -> Vec<Occurrence> {
    let Some((symbol, _)) = files.at(file, offset) else { return Vec::new() };
    let Some(indexed) = files.get(file) else { return Vec::new() };
    indexed.index.occurrences_of(symbol).collect()
}

/// Returns the declarations of the type of a variable, object or constant. POGDDL only.
pub fn type_definition(files: &Files<'_>, file: FileId, offset: u32) -> Vec<FileRange> {
    let Some((symbol, _)) = files.at(file, offset) else { return Vec::new() };
    let mut found = Vec::new();
    for (id, occurrence) in files.occurrences(file, symbol) {
        let types = files.get(id).and_then(|indexed| indexed.index.types_at(occurrence.range.start));
        for name in types.unwrap_or_default() {
            let symbol = Symbol { namespace: Namespace::Type, name: name.clone(), scope: None };
            let all = files.occurrences(file, &symbol);
            found.extend(places(all.iter().filter(|(_, it)| it.access == Access::Define)));
        }
    }
    found
}

fn places<'a>(all: impl Iterator<Item = &'a (FileId, Occurrence)>) -> Vec<FileRange> {
    all.map(|(file, occurrence)| FileRange { file: *file, range: occurrence.range }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;
    use expect_test::{Expect, expect};

    fn check(fixture: Fixture, ask: fn(&Files<'_>, FileId, u32) -> Vec<FileRange>, expected: Expect) {
        let found = ask(&fixture.files(), fixture.file, fixture.offset);
        expected.assert_eq(&fixture.picture(found.into_iter().map(|place| (place, String::new()))));
    }

    fn all(files: &Files<'_>, file: FileId, offset: u32) -> Vec<FileRange> {
        references(files, file, offset, true)
    }

    const BOARD: &str = "\
(init (cell 1 b))
(<= (next (cell ?x x)) (does white (mark ?x)))
(<= (legal ?r (mark ?x)) (role ?r) (true (ce$0ll ?x b)))
(cell other)
";

    #[test]
    fn a_fluent_is_defined_where_it_is_produced() {
        check(
            Fixture::gdl(BOARD),
            definition,
            expect![[r#"
                (init (cell 1 b))
                       ^^^^
                (<= (next (cell ?x x)) (does white (mark ?x)))
                           ^^^^
            "#]],
        );
    }

    #[test]
    fn a_move_is_defined_where_it_is_legal_in_infix_too() {
        check(
            Fixture::infix("legal(white, mark(X)) :- index(X)\nnext(cell(X)) :- does(white, m$0ark(X))\n"),
            definition,
            expect![[r#"
                legal(white, mark(X)) :- index(X)
                             ^^^^
            "#]],
        );
    }

    const KITCHEN: &str = "\
(define (domain kitchen)
  (:predicates (hot ?s) (gas))
  (:functions (heat ?s))
  (:durative-action cook
    :parameters (?s)
    :duration (= ?duration (heat ?s))
    :condition (over all (hot ?s))
    :effect (and (at end (not (hot ?s))) (increase (heat ?s) (* #t 2)))))
(define (problem dinner)
  (:domain kitchen)
  (:objects left)
  (:init (at 5 (hot left)))
  (:goal (preference cold (not (hot left))))
  (:constraints (sometime (hot left)))
  (:metric minimize (is-violated cold)))
";

    #[test]
    fn names_in_times_preferences_and_constraints_are_names() {
        check(
            Fixture::pogddl(&KITCHEN.replace("(:predicates (hot", "(:predicates ($0hot")),
            all,
            expect![[r#"
                (:predicates (hot ?s) (gas))
                              ^^^
                :condition (over all (hot ?s))
                                      ^^^
                :effect (and (at end (not (hot ?s))) (increase (heat ?s) (* #t 2)))))
                                           ^^^
                (:init (at 5 (hot left)))
                              ^^^
                (:goal (preference cold (not (hot left))))
                                              ^^^
                (:constraints (sometime (hot left)))
                                         ^^^
            "#]],
        );
        check(
            Fixture::pogddl(&KITCHEN.replace("is-violated cold", "is-violated co$0ld")),
            definition,
            expect![[r#"
                  (:goal (preference cold (not (hot left))))
                                     ^^^^
            "#]],
        );
        check(
            Fixture::pogddl(&KITCHEN.replace("(= ?duration (heat ?s))", "(= ?duration (heat ?$0s))")),
            all,
            expect![[r#"
                :parameters (?s)
                             ^^
                :duration (= ?duration (heat ?s))
                                             ^^
                :condition (over all (hot ?s))
                                          ^^
                :effect (and (at end (not (hot ?s))) (increase (heat ?s) (* #t 2)))))
                                               ^^
                                                                     ^^
            "#]],
        );
    }

    #[test]
    fn a_relation_of_the_same_name_is_another_thing() {
        check(
            Fixture::gdl(BOARD),
            all,
            expect![[r#"
                (init (cell 1 b))
                       ^^^^
                (<= (next (cell ?x x)) (does white (mark ?x)))
                           ^^^^
                (<= (legal ?r (mark ?x)) (role ?r) (true (cell ?x b)))
                                                          ^^^^
            "#]],
        );
    }

    #[test]
    fn a_variable_lives_in_its_rule() {
        check(
            Fixture::gdl("(<= (p ?x) (q ?$0x))\n(<= (r ?x) (q ?x))\n"),
            all,
            expect![[r#"
                (<= (p ?x) (q ?x))
                       ^^
                              ^^
            "#]],
        );
    }

    const PAIR: &str = "\
(define (domain d)
  (:types card - object)
  (:predicates (holds ?p - role ?c - card))
  (:action take :parameters (?p - role ?c - card)
    :precondition (not (holds ?p ?c))
    :effect (and (holds ?p ?c) (forall (?p - role) (observe (?p (took ?c)))))))
----
(define (problem e) (:domain d)
  (:objects ace - card)
  (:init (hol$0ds p1 ace)))
";

    #[test]
    fn a_predicate_of_the_problem_is_declared_in_the_domain() {
        check(
            Fixture::pogddl(PAIR),
            definition,
            expect![[r#"
                  (:predicates (holds ?p - role ?c - card))
                                ^^^^^
            "#]],
        );
        check(
            Fixture::pogddl(PAIR),
            all,
            expect![[r#"
                (:predicates (holds ?p - role ?c - card))
                              ^^^^^
                :precondition (not (holds ?p ?c))
                                    ^^^^^
                :effect (and (holds ?p ?c) (forall (?p - role) (observe (?p (took ?c)))))))
                              ^^^^^
                (:init (holds p1 ace)))
                        ^^^^^
            "#]],
        );
    }

    #[test]
    fn a_quantified_variable_shadows_the_parameter() {
        check(
            Fixture::pogddl(&PAIR.replace("$0", "").replace("observe (?p", "observe (?$0p")),
            all,
            expect![[r#"
                    :effect (and (holds ?p ?c) (forall (?p - role) (observe (?p (took ?c)))))))
                                                        ^^
                                                                             ^^
            "#]],
        );
    }

    #[test]
    fn an_object_has_a_type() {
        check(
            Fixture::pogddl(&PAIR.replace("$0", "").replace("p1 ace", "p1 a$0ce")),
            type_definition,
            expect![[r#"
                  (:types card - object)
                          ^^^^
            "#]],
        );
    }
}
