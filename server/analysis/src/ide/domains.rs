//! The possible arguments of relations, fluents, moves and percepts, as text.

use percept_syntax::{Source, Syntax};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::Namespace;
use crate::gdl::{Facts, Place, Space, keyword};

/// The most values that are listed; the rest is only counted.
const NAMED: usize = 8;
/// The most constants that are kept for one argument.
const PROPOSED: usize = 200;

/// The possible values of each argument of each name.
#[derive(Clone, Debug, Default)]
pub struct Domains {
    of: FxHashMap<(Namespace, SmolStr), Vec<String>>,
    /// The constants among them, up to `PROPOSED`.
    constants: FxHashMap<(Namespace, SmolStr), Vec<Vec<String>>>,
}

impl Domains {
    /// Computes the domains of a text. Empty for POGDDL, in which types define them, and for descriptions that are too
    /// large.
    pub fn new(source: &Source) -> Domains {
        let mut domains = Domains::default();
        let Syntax::Gdl(description) = &source.syntax else { return domains };
        let facts = Facts::new(source, description);
        if facts.domains.given_up() {
            return domains;
        }
        for predicate in &facts.predicates {
            let Some(first) = predicate.occurrences.first() else { continue };
            let term = facts.term(first.term);
            let name = SmolStr::new(facts.spelling(term));
            let arity = term.arity();
            let around = match predicate.space {
                Space::Relation => None,
                Space::Fluent => facts.domains.argument(keyword::TRUE, 1, 0),
                Space::Move => facts.domains.argument(keyword::DOES, 2, 1),
                Space::Percept => facts.domains.argument(keyword::SEES, 2, 1),
            };
            let place = |n: usize| match (predicate.space, around) {
                (Space::Relation, _) => facts.domains.argument(predicate.sym, arity, n),
                (_, Some(around)) => facts.domains.inside(around, predicate.sym, arity, n),
                _ => None,
            };
            let shown: Option<Vec<String>> = (0..arity).map(|n| Some(show(&facts, place(n)?))).collect();
            let namespace = if predicate.space == Space::Relation { Namespace::Relation } else { Namespace::Function };
            let constants = |n: usize| match place(n).filter(|place| !facts.domains.is_open(*place)) {
                Some(place) => {
                    let constants = facts.domains.constants(place).take(PROPOSED);
                    constants.map(|sym| facts.name(sym).to_string()).collect()
                }
                None => Vec::new(),
            };
            let constants: Vec<Vec<String>> = (0..arity).map(constants).collect();
            domains.constants.entry((namespace, name.clone())).or_insert(constants);
            if let Some(shown) = shown.filter(|shown| !shown.is_empty()) {
                domains.of.entry((namespace, name)).or_insert(shown);
            }
        }
        domains
    }

    /// The possible values of each argument of the name.
    pub fn arguments(&self, namespace: Namespace, name: &SmolStr) -> Option<&[String]> {
        self.of.get(&(namespace, name.clone())).map(Vec::as_slice)
    }

    /// The possible constants of an argument (from 0) of the name; empty if they are not known.
    pub fn constants(&self, namespace: Namespace, name: &SmolStr, position: usize) -> &[String] {
        let all = self.constants.get(&(namespace, name.clone()));
        all.and_then(|all| all.get(position)).map_or(&[], Vec::as_slice)
    }
}

fn show(facts: &Facts<'_>, place: Place) -> String {
    let domains = &facts.domains;
    if domains.is_open(place) {
        return "anything".into();
    }
    let mut values: Vec<String> = domains.constants(place).map(|sym| facts.name(sym).to_string()).collect();
    values.extend(domains.functors(place).map(|(sym, arity)| format!("{}/{arity}", facts.name(sym))));
    if values.is_empty() {
        return "nothing".into();
    }
    let count = values.len();
    if values.iter().all(|value| value.parse::<u64>().is_ok()) && count > 2 {
        values.sort_by_key(|value| value.parse::<u64>().unwrap_or(0));
        let (first, last) = (values[0].parse::<u64>().unwrap_or(0), values[count - 1].parse::<u64>().unwrap_or(0));
        if last - first + 1 == count as u64 {
            return format!("{first} … {last}");
        }
    }
    if count > NAMED {
        values.truncate(NAMED);
        values.push(format!("… ({count})"));
    }
    values.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use percept_syntax::Language;

    #[test]
    fn the_arguments_of_a_fluent_and_of_a_relation() {
        let text = "(role white) (index 1) (index 2) (index 3)\n(init (cell 1 b))\n\
                    (<= (next (cell ?i x)) (does white (mark ?i)))\n(<= (legal white (mark ?i)) (index ?i))\n";
        let domains = Domains::new(&Source::parse(text, Language::GdlPrefix));
        assert_eq!(domains.arguments(Namespace::Function, &"cell".into()).unwrap(), ["1 … 3", "b x"]);
        assert_eq!(domains.arguments(Namespace::Relation, &"index".into()).unwrap(), ["1 … 3"]);
        assert!(domains.arguments(Namespace::Function, &"white".into()).is_none());
        assert_eq!(domains.constants(Namespace::Function, &"cell".into(), 1), ["b", "x"]);
        assert!(domains.constants(Namespace::Function, &"cell".into(), 2).is_empty());
    }
}
