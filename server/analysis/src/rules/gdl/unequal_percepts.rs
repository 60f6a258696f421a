//! A role without the percept that another role gets from the same move, although the move gives a fluent to both.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::gdl::{Facts, Literal, RuleNode, Sym, TermId, keyword};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "unequal-percepts", severity: Severity::Warning, page: include_str!("unequal-percepts.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let Some(roles) = facts.roles.as_ref().filter(|_| !facts.is_doubtful(keyword::SEES)) else { return };
    let players = roles.iter().filter(|role| **role != keyword::RANDOM).count();
    // The roles that perceive a move, and those that get a fluent from it.
    let mut percepts: FxHashMap<(Sym, Sym), Vec<(Sym, TermId)>> = FxHashMap::default();
    let mut gets: FxHashMap<(Sym, Sym, usize), FxHashSet<Sym>> = FxHashMap::default();
    let mut hearers: FxHashMap<Sym, FxHashSet<Sym>> = FxHashMap::default();
    let mut is_for_all: FxHashSet<Sym> = FxHashSet::default();
    let mut order: Vec<(Sym, Sym)> = Vec::new();
    for (_, rule) in facts.sound_rules() {
        let Some(head) = rule.head() else { continue };
        let node = facts.term(head);
        let moves = moves(facts, rule);
        match node.sym {
            keyword::SEES => {
                let (Some(role), Some(percept)) = (node.arg(0), node.arg(1)) else { continue };
                let role = facts.term(role);
                for &mv in &moves {
                    if role.variable().is_some() {
                        is_for_all.insert(mv);
                        continue;
                    }
                    hearers.entry(mv).or_default().insert(role.sym);
                    let key = (mv, facts.term(percept).sym);
                    if !percepts.contains_key(&key) {
                        order.push(key);
                    }
                    percepts.entry(key).or_default().push((role.sym, head));
                }
            }
            keyword::NEXT => {
                let Some((_, fluent)) = facts.inner(head) else { continue };
                for (at, arg) in facts.term(fluent).args().enumerate() {
                    let arg = facts.term(arg);
                    if arg.variable().is_none() && facts.is_role(arg.sym) && arg.sym != keyword::RANDOM {
                        for &mv in &moves {
                            gets.entry((mv, facts.term(fluent).sym, at)).or_default().insert(arg.sym);
                        }
                    }
                }
            }
            _ => {}
        }
    }
    for key in order.into_iter().filter(|(mv, _)| !is_for_all.contains(mv)) {
        let heads = &percepts[&key];
        let is_own = gets.iter().find(|((mv, ..), owners)| {
            *mv == key.0 && owners.len() == players && heads.iter().all(|(role, _)| owners.contains(role))
        });
        let mut missing = roles.iter().filter(|role| **role != keyword::RANDOM && !hearers[&key.0].contains(role));
        let (Some(missing), None, Some(((_, fluent, _), _))) = (missing.next(), missing.next(), is_own) else {
            continue;
        };
        let (role, head) = heads[0];
        let place = facts.role_places().get(missing).copied();
        let (missing, role) = (facts.name(*missing), facts.name(role));
        let (percept, mv, fluent) = (facts.name(key.1), facts.name(key.0), facts.name(*fluent));
        let message = format!(
            "`{role}` perceives its `{percept}` and `{missing}` does not, though `{mv}` gives `{fluent}` to both: add a rule for `(sees {missing} ...)`"
        );
        let finding = facts.at(&RULE, facts.range(head), message);
        findings.push(match place {
            Some(place) => finding.related(FileId(0), place, "this role"),
            None => finding,
        });
    }
}

/// The moves of chance that a body reads.
fn moves(facts: &Facts, rule: &RuleNode) -> Vec<Sym> {
    let of = |literal: &Literal| {
        let Literal::Atom(atom) = literal else { return None };
        let node = facts.term(*atom);
        let role = node.arg(0).filter(|_| node.sym == keyword::DOES)?;
        let mv = facts.term(node.arg(1)?);
        (facts.term(role).sym == keyword::RANDOM && mv.variable().is_none()).then_some(mv.sym)
    };
    rule.body().iter().filter_map(of).collect()
}
