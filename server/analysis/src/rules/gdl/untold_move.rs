//! A move of another role that decides the legal moves of a role, without a percept for that role.

use rustc_hash::FxHashSet;

use super::mends;
use crate::gdl::{Facts, Space, Sym, TermId, keyword};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "untold-move", severity: Severity::Warning, page: include_str!("untold-move.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let Some(roles) = &facts.roles else { return };
    let is_hidden = roles.contains(&keyword::RANDOM) && facts.predicate(Space::Relation, keyword::SEES).is_some();
    let is_unclear = facts.is_doubtful(keyword::SEES) || facts.domains.given_up();
    let has_others = roles.iter().filter(|role| **role != keyword::RANDOM).count() > 1;
    if !is_hidden || !has_others || is_unclear || findings.reported_anywhere(&super::role_sees_nothing::RULE) {
        return;
    }
    // A percept of any move of a player, or of a fluent that depends on one, may reveal the others.
    let percepts = Reach::of(facts, [keyword::SEES].into_iter());
    let legal = Reach::of(facts, [keyword::LEGAL].into_iter());
    if percepts.has_moves() || percepts.fluents.iter().any(|fluent| makers(facts, *fluent).has_moves()) {
        return;
    }
    let mut fluents: Vec<Sym> = legal.fluents.iter().filter(|fluent| !has_owner(facts, **fluent)).copied().collect();
    fluents.sort_unstable();
    let found = fluents.into_iter().find_map(|fluent| {
        let makers = makers(facts, fluent);
        let named = makers.moves.iter().min().map(|mv| facts.name(*mv).to_string());
        Some((fluent, named.or(makers.any_move.then(|| "moves".to_string()))?))
    });
    let Some((fluent, mv)) = found else { return };
    let heads = facts.predicate(Space::Relation, keyword::SEES).into_iter().flat_map(|sees| sees.produced());
    let Some(head) = heads.into_iter().next() else { return };
    let maker = facts.predicate(Space::Fluent, fluent).and_then(|it| it.produced().find(|at| at.via == keyword::NEXT));
    let name = facts.name(fluent);
    let message = format!(
        "no role perceives the `{mv}` of another, though its legal moves depend on it through `{name}`: add `(<= (sees ?r (did ?q ?m)) (role ?r) (does ?q ?m))`"
    );
    let sees = "(<= (sees ?r (did ?q ?m)) (role ?r) (does ?q ?m))";
    let add = mends::is_prefix(facts).then(|| mends::statement(facts, head.rule, sees));
    let finding = facts.at(&RULE, facts.range(head.term), message).offer(add);
    findings.push(match maker {
        Some(maker) => finding.related(FileId(0), facts.range(maker.term), "made by the move"),
        None => finding,
    });
}

/// The relations, fluents and moves that rules read, directly and through relations.
struct Reach {
    relations: FxHashSet<Sym>,
    fluents: FxHashSet<Sym>,
    /// The names of moves of players.
    moves: FxHashSet<Sym>,
    /// True if some move of a player is read, whatever its name.
    any_move: bool,
}

impl Reach {
    fn of(facts: &Facts, from: impl Iterator<Item = Sym>) -> Reach {
        let mut reach = Reach {
            relations: from.collect(),
            fluents: FxHashSet::default(),
            moves: FxHashSet::default(),
            any_move: false,
        };
        let todo = reach.relations.iter().copied().collect();
        reach.follow(facts, todo);
        reach
    }

    /// Adds everything that the rules of some relations read.
    fn follow(&mut self, facts: &Facts, mut todo: Vec<Sym>) {
        while let Some(relation) = todo.pop() {
            for edge in facts.graph.edges(relation) {
                self.note(facts, edge.atom, &mut todo);
            }
        }
    }

    fn has_moves(&self) -> bool {
        self.any_move || !self.moves.is_empty()
    }

    fn note(&mut self, facts: &Facts, atom: TermId, todo: &mut Vec<Sym>) {
        let node = facts.term(atom);
        match (facts.inner(atom), node.sym) {
            (Some((Space::Fluent, inner)), _) => drop(self.fluents.insert(facts.term(inner).sym)),
            (Some((Space::Move, inner)), _) => {
                let is_of_chance = node.arg(0).is_some_and(|role| facts.term(role).sym == keyword::RANDOM);
                match facts.term(inner).variable() {
                    _ if is_of_chance => {}
                    Some(_) => self.any_move = true,
                    None => drop(self.moves.insert(facts.term(inner).sym)),
                }
            }
            (None, keyword::DOES) => self.any_move = true,
            (None, sym) if self.relations.insert(sym) => todo.push(sym),
            _ => {}
        }
    }
}

/// The names that the rules that make a fluent read.
fn makers(facts: &Facts, fluent: Sym) -> Reach {
    let mut reach = Reach::of(facts, std::iter::empty());
    let mut todo = Vec::new();
    for made in facts.predicate(Space::Fluent, fluent).into_iter().flat_map(|it| it.produced()) {
        for edge in facts.graph.edges_of_rule(keyword::NEXT, made.rule) {
            reach.note(facts, edge.atom, &mut todo);
        }
    }
    reach.follow(facts, todo);
    reach
}

/// True if an argument of the fluent is a role: it may be about what the role itself did.
fn has_owner(facts: &Facts, fluent: Sym) -> bool {
    let Some(place) = facts.domains.argument(keyword::NEXT, 1, 0) else { return true };
    let Some(uses) = facts.predicate(Space::Fluent, fluent) else { return true };
    let arity = uses.occurrences.first().map_or(0, |at| facts.term(at.term).arity());
    (0..arity).any(|at| {
        let Some(inner) = facts.domains.inside(place, fluent, arity, at) else { return true };
        facts.domains.is_open(inner) || facts.domains.constants(inner).any(|sym| facts.is_role(sym))
    })
}
