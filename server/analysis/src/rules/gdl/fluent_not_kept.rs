//! A fluent that holds in the first state only.

use crate::gdl::{Facts, Literal, Occurrence, Predicate, Shape, Space, Sym, TermId, keyword};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule =
    Rule { name: "fluent-not-kept", severity: Severity::Information, page: include_str!("fluent-not-kept.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let has_next = facts.predicate(Space::Relation, keyword::NEXT).is_some_and(|next| next.produced().next().is_some());
    if !has_next || facts.is_torn(keyword::NEXT) || facts.has_wildcard(Space::Fluent, true) {
        return;
    }
    for predicate in facts.predicates.iter().filter(|predicate| predicate.space == Space::Fluent) {
        lost_values(facts, predicate, findings);
        kept_in_part(facts, predicate, findings);
        never_kept(facts, predicate, findings);
        let only_init = predicate.produced().all(|occurrence| occurrence.via == keyword::INIT);
        let is_read = predicate.read().any(|occurrence| occurrence.via == keyword::TRUE);
        let Some(first) = predicate.produced().next().filter(|_| only_init && is_read) else { continue };
        if facts.is_broken(first.rule) || facts.is_doubtful(predicate.sym) {
            continue;
        }
        let name = facts.name(predicate.sym);
        let message = format!(
            "no `next` makes the fluent `{name}`: it holds in the first state only; if it is to stay, add a rule for `(next ({name} ...))`"
        );
        findings.push(facts.at(&RULE, facts.term(first.term).name_range(), message));
    }
}

/// `(init (coin unset))` where `next` makes coins of other values only, and the value is asked for under `not` alone: from
/// the second state on the negation always holds.
fn lost_values(facts: &Facts, predicate: &Predicate, findings: &mut Findings) {
    let (inits, nexts): (Vec<&Occurrence>, Vec<&Occurrence>) =
        predicate.produced().partition(|occurrence| occurrence.via == keyword::INIT);
    if nexts.is_empty() || facts.is_doubtful(predicate.sym) || facts.has_wildcard(Space::Fluent, false) {
        return;
    }
    for init in inits {
        let rule = &facts.lowered.rules[init.rule as usize];
        let is_ground = rule.variables.is_empty() && facts.term(init.term).arity() > 0;
        if !is_ground || nexts.iter().any(|next| may_make(facts, next, next.term, init.term)) {
            continue;
        }
        let mut readers = predicate.read().filter(|read| facts.same(read.term, init.term)).peekable();
        let Some(first) = readers.peek().map(|read| read.term) else { continue };
        if readers.all(|read| read.negated) {
            let text = facts.text(facts.range(init.term));
            let message = format!(
                "no `next` makes `{text}` again, so its negation always holds after the first round: if it is to stay, add a rule that keeps it"
            );
            let finding = facts.at(&RULE, facts.range(init.term), message);
            findings.push(finding.related(FileId(0), facts.range(first), "asked for here"));
        }
    }
}

/// `(next (cell ?x ?y b)) <= (true (cell ?x ?y b))` keeps blank cells, moves make others, and nothing keeps those: they are
/// gone after one round.
fn kept_in_part(facts: &Facts, predicate: &Predicate, findings: &mut Findings) {
    let nexts: Vec<&Occurrence> =
        predicate.produced().filter(|next| next.via == keyword::NEXT && !facts.is_broken(next.rule)).collect();
    let (frames, makers): (Vec<&Occurrence>, Vec<&Occurrence>) = nexts.iter().partition(|next| is_frame(facts, next));
    let Some(arity) = frames.first().map(|frame| facts.term(frame.term).arity()) else { return };
    if facts.is_mixed(predicate.sym) || facts.is_doubtful(predicate.sym) || facts.has_wildcard(Space::Fluent, true) {
        return;
    }
    for place in 0..arity {
        let constant = |next: &Occurrence| {
            let term = facts.term(facts.term(next.term).arg(place)?);
            (term.shape == Shape::Constant).then_some(term.sym)
        };
        let Some(kept) = frames.iter().map(|frame| constant(frame)).collect::<Option<Vec<Sym>>>() else { continue };
        let lost = makers.iter().find(|maker| {
            let by_move =
                facts.lowered.rules[maker.rule as usize].body.iter().any(|literal| depends_on_move(facts, literal));
            let value = facts.term(maker.term).arg(place).map(|arg| facts.term(arg));
            let other = value.is_some_and(|value| match value.shape {
                Shape::Constant => !kept.contains(&value.sym),
                Shape::Variable(variable) => {
                    kept.iter().all(|sym| !facts.domains.variable_can_be(maker.rule, variable, *sym))
                }
                _ => false,
            });
            by_move && other
        });
        let Some(lost) = lost else { continue };
        // A piece that moves is in one place for one round only, and rightly so.
        if !read_together(facts, predicate, place) {
            continue;
        }
        let (text, frame) = (facts.text(facts.range(lost.term)), facts.text(facts.range(frames[0].term)));
        let message = format!(
            "`{text}` is made by moves and kept by no `next` (only `{frame}` is), so it holds for one round: if it is to stay, add a rule that keeps it"
        );
        let mut finding = facts.at(&RULE, facts.range(lost.term), message);
        finding.severity = Severity::Warning;
        findings.push(finding.related(FileId(0), facts.range(frames[0].term), "this is kept"));
        return;
    }
}

/// Cells that moves mark and that no rule keeps, in a game where a rule asks for a row of them: more than the moves of one
/// round make.
fn never_kept(facts: &Facts, predicate: &Predicate, findings: &mut Findings) {
    let nexts: Vec<&Occurrence> = predicate.produced().filter(|next| next.via == keyword::NEXT).collect();
    let by_move = |next: &&Occurrence| {
        let body = &facts.lowered.rules[next.rule as usize].body;
        body.iter().any(|literal| depends_on_move(facts, literal)) && !facts.is_broken(next.rule)
    };
    let (Some(first), Some(roles)) = (nexts.first(), &facts.roles) else { return };
    let players = roles.iter().filter(|role| **role != keyword::RANDOM).count();
    let trusted = !facts.is_mixed(predicate.sym) && !facts.is_doubtful(predicate.sym);
    if !trusted || !nexts.iter().all(by_move) || nexts.iter().any(|next| may_keep(facts, next, predicate.sym)) {
        return;
    }
    let together = |read: &&Occurrence| {
        let others = predicate.read().filter(|other| !other.negated && other.rule == read.rule);
        let mut different: Vec<TermId> = Vec::new();
        others.for_each(|other| {
            if !different.iter().any(|known| facts.same(*known, other.term)) {
                different.push(other.term);
            }
        });
        different.len() > players
    };
    let Some(read) = predicate.read().filter(|read| !read.negated).find(together) else { return };
    let name = facts.name(predicate.sym);
    let text = facts.text(facts.range(first.term));
    let message = format!(
        "nothing keeps the fluent `{name}`: what moves make is gone after one round; add a rule that keeps `{text}`, with `(true {text})` in its body"
    );
    let mut finding = facts.at(&RULE, facts.range(first.term), message);
    finding.severity = Severity::Warning;
    findings.push(finding.related(FileId(0), facts.range(read.term), "several are needed here at once"));
}

/// Whether a rule for `next` asks for the same fluent in the state before, itself or through relations, other than under
/// `not`.
fn may_keep(facts: &Facts, next: &Occurrence, fluent: Sym) -> bool {
    let mut todo = Vec::new();
    let mut keeps = false;
    let mut look = |atom: TermId, negated: bool, todo: &mut Vec<Sym>| {
        let node = facts.term(atom);
        match facts.inner(atom) {
            _ if negated => {}
            Some((Space::Fluent, inner)) => {
                keeps |= facts.term(inner).variable().is_some() || facts.term(inner).sym == fluent;
            }
            _ => todo.push(node.sym),
        }
    };
    for literal in &facts.lowered.rules[next.rule as usize].body {
        literal.atoms(false, &mut |atom, negated| look(atom, negated, &mut todo));
    }
    let mut n = 0;
    while n < todo.len() {
        let mut more = Vec::new();
        facts.graph.edges(todo[n]).iter().for_each(|edge| look(edge.atom, edge.negated, &mut more));
        more.retain(|sym| !todo.contains(sym));
        todo.extend(more);
        n += 1;
    }
    keeps
}

/// Whether the rule makes what held before.
fn is_frame(facts: &Facts, next: &Occurrence) -> bool {
    facts.lowered.rules[next.rule as usize].body.iter().any(|literal| match literal {
        Literal::Atom(atom) if facts.term(*atom).sym == keyword::TRUE => {
            facts.term(*atom).arg(0).is_some_and(|fluent| facts.same(fluent, next.term))
        }
        _ => false,
    })
}

fn depends_on_move(facts: &Facts, literal: &Literal) -> bool {
    let Literal::Atom(atom) = literal else { return false };
    let sym = facts.term(*atom).sym;
    sym == keyword::DOES || facts.graph.path(sym, keyword::DOES).is_some()
}

/// Whether some rule asks for two of the fluent with one value in this place, as `row` does: then they are to stay until both
/// are there.
fn read_together(facts: &Facts, predicate: &Predicate, place: usize) -> bool {
    let value =
        |read: &Occurrence| facts.term(read.term).arg(place).filter(|arg| facts.term(*arg).variable().is_some());
    let reads: Vec<&Occurrence> = predicate.read().filter(|read| !read.negated).collect();
    reads.windows(2).any(|pair| {
        pair[0].rule == pair[1].rule
            && value(pair[0]).zip(value(pair[1])).is_some_and(|(a, b)| facts.same(a, b))
            && !facts.same(pair[0].term, pair[1].term)
    })
}

/// Whether an instance of the pattern can be the ground term.
fn may_make(facts: &Facts, occurrence: &Occurrence, pattern: TermId, ground: TermId) -> bool {
    let (x, y) = (facts.term(pattern), facts.term(ground));
    match x.shape {
        Shape::Variable(variable) if y.shape == Shape::Constant => {
            facts.domains.variable_can_be(occurrence.rule, variable, y.sym)
        }
        Shape::Variable(_) | Shape::Error => true,
        Shape::Constant | Shape::Compound => {
            x.sym == y.sym
                && x.shape == y.shape
                && x.arity() == y.arity()
                && x.args().zip(y.args()).all(|(a, b)| may_make(facts, occurrence, a, b))
        }
    }
}
