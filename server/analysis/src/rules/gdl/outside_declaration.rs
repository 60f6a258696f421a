//! Fluents, moves or percepts outside the declarations of the game.

use percept_syntax::words::counted;

use super::mends;
use crate::gdl::{Facts, Occurrence, Place, Predicate, Space, Sym, keyword, one_slip_apart, slip_of};
use crate::{FileId, Findings, Rule, Severity};
use percept_syntax::near::slip_or_doubled;

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "outside-declaration", severity: Severity::Warning, page: include_str!("outside-declaration.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    for (declaring, space) in
        [(keyword::BASE, Space::Fluent), (keyword::INPUT, Space::Move), (keyword::PERCEPT, Space::Percept)]
    {
        let place = match space {
            Space::Fluent => facts.domains.argument(declaring, 1, 0),
            // Chapter 17 declares moves without their role: `action(noop)`.
            Space::Move => {
                let with_role = facts.domains.argument(declaring, 2, 1);
                with_role.or_else(|| facts.domains.argument(keyword::ACTION, 1, 0))
            }
            _ => facts.domains.argument(declaring, 2, 1),
        };
        declared_only(facts, declaring, space, findings);
        let Some(place) = place else { continue };
        if facts.domains.is_open(place) || facts.domains.is_empty(place) || !is_declared(facts, declaring) {
            continue;
        }
        one(facts, declaring, space, place, findings);
    }
}

/// A name that is declared but neither made nor read, and is one slip away from one that is.
fn declared_only(facts: &Facts, declaring: Sym, space: Space, findings: &mut Findings) {
    let of_space = || facts.predicates.iter().filter(|predicate| predicate.space == space);
    for predicate in of_space().filter(|predicate| predicate.occurrences.iter().all(|occurrence| occurrence.declares()))
    {
        let Some(first) = predicate.declared().next().filter(|first| !facts.is_broken(first.rule)) else { continue };
        let name = facts.name(predicate.sym);
        // If the other name is equally rare, it is the slip.
        let often = |other: &&Predicate| {
            other.produced().next().is_some()
                && other.occurrences.len() - other.declared().count() > predicate.occurrences.len()
        };
        let made = of_space().filter(often).map(|other| facts.name(other.sym));
        let (Some(near), false) = (slip_of(name, made), facts.is_doubtful(predicate.sym)) else { continue };
        let message = format!(
            "`{}` declares the {} `{name}`, and nothing makes it: did you mean `{near}`?",
            facts.name(declaring),
            space.word()
        );
        let mut finding = facts.at(&RULE, facts.term(first.term).name_range(), message);
        finding.fixes.push(mends::rename(facts, predicate.declared().map(|it| it.term), near));
        findings.push_about(near, finding);
    }
}

fn is_declared(facts: &Facts, declaring: Sym) -> bool {
    let names = if declaring == keyword::INPUT { &[keyword::INPUT, keyword::ACTION][..] } else { &[declaring] };
    let heads = |sym: &Sym| {
        facts
            .predicate(Space::Relation, *sym)
            .is_some_and(|predicate| predicate.produced_or_declared().next().is_some())
    };
    names.iter().any(heads) && !names.iter().any(|sym| facts.is_torn(*sym))
}

fn one(facts: &Facts, declaring: Sym, space: Space, place: Place, findings: &mut Findings) {
    let loose = loosely_declared(facts, declaring);
    for predicate in facts.predicates.iter().filter(|predicate| predicate.space == space) {
        if predicate.declared().next().is_none() && findings.has_told_of(&RULE, facts.name(predicate.sym)) {
            continue;
        }
        let mut reported: Vec<Sym> = Vec::new();
        for occurrence in predicate.produced().filter(|occurrence| !facts.is_broken(occurrence.rule)) {
            for (term, here) in facts.domains.mismatch(facts, occurrence.term, place) {
                let sym = facts.term(term).sym;
                if reported.contains(&sym)
                    || facts.is_doubtful(sym)
                    || facts.is_mixed(predicate.sym)
                    || loose.contains(&predicate.sym)
                {
                    continue;
                }
                reported.push(sym);
                let shown = facts.text(facts.range(term));
                let declares = facts.name(declaring);
                let what = space.word();
                let message = match term == occurrence.term {
                    true if predicate.declared().next().is_some() => {
                        other_arity(facts, predicate, declares, occurrence)
                    }
                    true => format!("`{declares}` does not declare the {what} `{}`: add it there", facts.name(sym)),
                    false => format!(
                        "`{declares}` does not declare a {what} `{}` with `{shown}` here: add it there",
                        facts.name(predicate.sym)
                    ),
                };
                let mut finding = facts.at(&RULE, facts.term(term).name_range(), message);
                let meant = declared_slip(facts, predicate).filter(|_| term == occurrence.term);
                if let Some(meant) = meant {
                    finding.message = format!(
                        "`{declares}` does not declare the {what} `{}`: did you mean `{meant}`?",
                        facts.name(sym)
                    );
                    let all = predicate.occurrences.iter().map(|occurrence| occurrence.term);
                    finding.fixes.push(mends::rename(facts, all, meant));
                } else if let Some(declaration) = predicate.declared().next() {
                    finding = finding.related(FileId(0), facts.range(declaration.term), "declared like this");
                } else if let Some(first) = facts.domains.constants(here).next() {
                    finding.message = format!("{} (it has `{}` ...)", finding.message, facts.name(first));
                }
                if meant.is_none() && term != occurrence.term {
                    let values: Vec<&str> = facts.domains.constants(here).map(|sym| facts.name(sym)).collect();
                    let near = slip_or_doubled(shown, values.iter().copied());
                    finding.fixes.extend(near.map(|near| {
                        match mends::only_place(facts, near).filter(|_| facts.count(sym) > 1) {
                            Some(slip) => mends::rename(facts, [slip], shown),
                            None => mends::rename(facts, [term], near),
                        }
                    }));
                }
                if meant.is_none() {
                    finding.fixes.extend(super::declaring::fix(facts, declaring, predicate));
                }
                match meant {
                    Some(meant) => findings.push_about(meant, finding),
                    None => findings.push(finding),
                }
            }
        }
    }
}

/// The name is declared with another number of arguments.
fn other_arity(facts: &Facts, predicate: &Predicate, declares: &str, here: &Occurrence) -> String {
    let count = |occurrence: &Occurrence| facts.term(occurrence.term).arity();
    let declared = predicate.declared().next().map_or(0, count);
    let (word, name) = (predicate.space.word(), facts.name(predicate.sym));
    let declared = counted(declared, "argument", "arguments");
    format!("`{declares}` declares the {word} `{name}` with {declared}, here it has {}", count(here))
}

/// The declared name that is one slip away, if this one is not declared.
fn declared_slip<'f>(facts: &'f Facts, predicate: &Predicate) -> Option<&'f str> {
    if predicate.declared().next().is_some() {
        return None;
    }
    let declared =
        facts.predicates.iter().filter(|other| other.space == predicate.space && other.declared().next().is_some());
    slip_of(facts.name(predicate.sym), declared.map(|other| facts.name(other.sym)))
}

/// True if this fluent or move is never made, and another name, which is made and not declared, is a slip of it. The
/// slip is reported there.
pub(super) fn explains(facts: &Facts, unmade: &Predicate) -> bool {
    let name = facts.name(unmade.sym);
    unmade.declared().next().is_some()
        && facts.predicates.iter().any(|other| {
            other.space == unmade.space
                && one_slip_apart(name, facts.name(other.sym))
                && other.produced().next().is_some()
                && other.declared().next().is_none()
        })
}

/// The names that declarations with the wrong number of arguments should declare; these are reported separately.
fn loosely_declared(facts: &Facts, declaring: Sym) -> Vec<Sym> {
    let Some(predicate) = facts.predicate(Space::Relation, declaring) else { return Vec::new() };
    let wrong = predicate.produced_or_declared().map(|occurrence| facts.term(occurrence.term));
    let wrong = wrong.filter(|node| Some(node.arity()) != keyword::arity(declaring));
    wrong.flat_map(|node| node.args()).map(|arg| facts.term(arg).sym).collect()
}
