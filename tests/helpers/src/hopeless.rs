//! Games with a search that takes a minute and finds nothing: for nine things among eight groups of three, in which only
//! things of different groups are related.

const GROUPS: usize = 8;
const EACH: usize = 3;

/// A description in prefix form. `SEARCH` in the rules is the search, over `near`.
pub fn gdl(rules: &str) -> String {
    let facts = related(|one, other| format!("(near {one} {other})"));
    format!("(role r) (init (f)) (legal r m) (goal r 100) {facts} {}", rules.replace("SEARCH", &search()))
}

/// A domain with its problem. `SEARCH` in the parts is the search, `PLACES` declares its variables.
pub fn pogddl(derived: &str, parameters: &str, precondition: &str) -> String {
    let places: String = names().map(|name| format!("?{name} - thing ")).collect();
    let objects: String = (0..GROUPS * EACH).map(|thing| format!("t{thing} ")).collect();
    let facts = related(|one, other| format!("(near t{one} t{other})"));
    let text = format!(
        "(define (domain d) (:requirements :typing :derived-predicates :existential-preconditions)
         (:types role thing) (:constants p1 p2 - role)
         (:predicates (whoseturn ?r - role) (near ?x ?y - thing) (odd) (done)) {derived}
         (:action go :parameters (?r - role {parameters}) :precondition (and (whoseturn ?r) {precondition})
          :effect (and (done) (not (whoseturn ?r))))
         (:action wait :parameters (?r - role) :precondition (whoseturn ?r) :effect (not (whoseturn ?r)))
         (:gain ?r - role 1 (done)))
         (define (problem q) (:domain d) (:objects {objects} - thing) (:init (whoseturn p1) {facts}))"
    );
    text.replace("SEARCH", &search()).replace("PLACES", &places)
}

fn names() -> impl Iterator<Item = char> {
    'a'..='i'
}

fn search() -> String {
    let pairs = names().flat_map(|one| names().filter(move |other| one < *other).map(move |other| (one, other)));
    pairs.map(|(one, other)| format!("(near ?{one} ?{other})")).collect()
}

/// The pairs of related things, each written by `relate`.
fn related(relate: impl Fn(usize, usize) -> String) -> String {
    let all = 0..GROUPS * EACH;
    let pairs = all.clone().flat_map(|one| all.clone().map(move |other| (one, other)));
    pairs.filter(|(one, other)| one / EACH != other / EACH).map(|(one, other)| relate(one, other)).collect()
}
