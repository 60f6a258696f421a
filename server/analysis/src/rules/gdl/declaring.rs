//! The declarations that a game lacks.

use std::fmt::Write as _;

use rustc_hash::FxHashSet;

use super::mends;
use crate::Fix;
use crate::gdl::{Facts, Place, Predicate, Shape, Space, Sym, keyword};

/// The most facts that are proposed instead of a rule.
const FACTS: usize = 24;

/// Adds declarations of all instances of a fluent, move or percept after the last declaration: a rule with conditions
/// that have the values of each argument, or else a fact for each.
pub(super) fn fix(facts: &Facts, declaring: Sym, predicate: &Predicate) -> Option<Fix> {
    if !mends::is_prefix(facts) || !mends::sees_all(facts) {
        return None;
    }
    let last = facts.predicate(Space::Relation, declaring)?.produced_or_declared().last()?;
    let statement = declaration(facts, declaring, predicate)?;
    Some(mends::statement(facts, last.rule, &statement))
}

fn declaration(facts: &Facts, declaring: Sym, predicate: &Predicate) -> Option<String> {
    let example = predicate.produced().find(|made| !facts.is_broken(made.rule))?;
    let node = facts.term(example.term);
    let root = match predicate.space {
        Space::Fluent => facts.domains.argument(keyword::NEXT, 1, 0),
        Space::Move => facts.domains.argument(keyword::LEGAL, 2, 1),
        _ => facts.domains.argument(keyword::SEES, 2, 1),
    }?;
    let (mut lines, mut conditions) = (vec![String::new()], String::new());
    for at in 0..node.arity() {
        let place = facts.domains.inside(root, predicate.sym, node.arity(), at)?;
        if facts.domains.is_open(place) {
            return None;
        }
        let is_flat = facts.domains.functors(place).next().is_none();
        let values: Vec<&str> = facts.domains.constants(place).map(|sym| facts.name(sym)).collect();
        let variable = variable(facts, predicate, at);
        match condition(facts, place, &variable) {
            _ if values.len() == 1 && is_flat => lines.iter_mut().for_each(|line| *line += &format!(" {}", values[0])),
            Some(condition) => {
                let _ = write!(conditions, " {condition}");
                lines.iter_mut().for_each(|line| *line += &format!(" {variable}"));
            }
            None if !is_flat => return None,
            None => lines = lines.iter().flat_map(|line| values.iter().map(move |it| format!("{line} {it}"))).collect(),
        }
        if lines.is_empty() || lines.len() > FACTS {
            return None;
        }
    }
    let (role, roles) = role(facts, predicate);
    let line = |arguments: &String| {
        let name = facts.name(predicate.sym);
        let it = if arguments.is_empty() { name.to_string() } else { format!("({name}{arguments})") };
        let word = facts.name(declaring);
        let has_role = predicate.space != Space::Fluent && declaring != keyword::ACTION;
        let head = if has_role { format!("({word} {role} {it})") } else { format!("({word} {it})") };
        let body = if has_role { format!("{roles}{conditions}") } else { conditions.clone() };
        if body.is_empty() { head } else { format!("(<= {head}{body})") }
    };
    Some(lines.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// The role that moves or sees: its name if the text always has the same one, or else a variable with its condition.
fn role(facts: &Facts, predicate: &Predicate) -> (String, String) {
    let around = predicate.produced().filter_map(|made| facts.around(made.term));
    let roles: FxHashSet<(bool, Sym)> = around
        .filter_map(|atom| facts.term(atom).arg(0))
        .map(|arg| (facts.term(arg).shape() == Shape::Constant, facts.term(arg).sym))
        .collect();
    match roles.iter().collect::<Vec<_>>()[..] {
        [(true, role)] => (facts.name(*role).to_string(), String::new()),
        _ => ("?role".to_string(), " (role ?role)".to_string()),
    }
}

/// A name for the argument at a position: that of a variable there in the text, unless another position has it too.
fn variable(facts: &Facts, predicate: &Predicate, at: usize) -> String {
    let letter = || format!("?{}", char::from(b'a' + (at % 26) as u8));
    let names = |at: usize| {
        let args = predicate.occurrences.iter().filter_map(move |it| facts.term(it.term).arg(at));
        args.filter(|arg| facts.term(*arg).variable().is_some()).map(|arg| facts.text(facts.range(arg)))
    };
    let arity = predicate.occurrences.first().map_or(0, |it| facts.term(it.term).arity());
    let is_own =
        |name: &&str| *name != "?role" && !(0..arity).any(|other| other != at && names(other).any(|it| it == *name));
    names(at).find(is_own).map_or_else(letter, str::to_string)
}

/// A condition that has all values of a place, and as few more as possible: of a relation that never changes, which
/// `input` is, too.
fn condition(facts: &Facts, place: Place, variable: &str) -> Option<String> {
    let values: Vec<Sym> = facts.domains.constants(place).collect();
    let is_static = |sym: Sym| {
        matches!(sym, keyword::ROLE | keyword::INPUT)
            || !keyword::is_relation(sym)
                && !keyword::is_connective(sym)
                && [keyword::TRUE, keyword::DOES].iter().all(|word| facts.graph.path(sym, *word).is_none())
    };
    let mut best: Option<((usize, usize), String)> = None;
    for relation in facts.predicates.iter().filter(|it| it.space == Space::Relation) {
        let mut heads = relation.produced_or_declared().filter(|made| !facts.is_broken(made.rule));
        let Some(made) = heads.next() else { continue };
        let arity = facts.term(made.term).arity();
        for at in 0..arity {
            let Some(own) = facts.domains.argument(relation.sym, arity, at) else { continue };
            let has_all = !facts.domains.is_open(own)
                && values.iter().all(|sym| facts.domains.has_constant(own, *sym))
                && facts.domains.functors(place).all(|(sym, arity)| facts.domains.has_functor(own, sym, arity));
            if !has_all || facts.is_mixed(relation.sym) {
                continue;
            }
            let rank = (facts.domains.constants(own).count() + facts.domains.functors(own).count(), arity);
            if best.as_ref().is_none_or(|(least, _)| rank < *least) && is_static(relation.sym) {
                let stem = variable.trim_start_matches('?');
                let args =
                    (0..arity).map(|it| if it == at { variable.to_string() } else { format!("?_{stem}{}", it + 1) });
                let args: Vec<String> = args.collect();
                best = Some((rank, format!("({} {})", facts.name(relation.sym), args.join(" "))));
            }
        }
    }
    best.map(|(_, condition)| condition)
}
