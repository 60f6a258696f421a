//! A role that cannot move: never, at the start, or once its moves are used up.

use crate::gdl::{Clock, Facts, Literal, Occurrence, Predicate, RuleNode, Shape, Space, Sym, TermId, clock, keyword};
use crate::{Diagnostic, FileId, Findings, Rule, Severity};
use percept_syntax::TextRange;

/// See the page.
pub static RULE: Rule =
    Rule { name: "role-without-move", severity: Severity::Warning, page: include_str!("role-without-move.md") };

pub fn check(facts: &Facts, findings: &mut Findings) {
    let (Some(roles), Some(legal)) = (&facts.roles, facts.predicate(Space::Relation, keyword::LEGAL)) else { return };
    if findings.reported_anywhere("incomplete-game")
        || facts.is_doubtful(keyword::LEGAL)
        || facts.has_stranger(keyword::LEGAL)
        || facts.has_wildcard(Space::Fluent, true)
    {
        return;
    }
    let heads = facts.predicate(Space::Relation, keyword::LEGAL).into_iter().flat_map(|legal| legal.produced());
    let mut ranges = heads.map(|head| facts.range(head.term));
    // Moves for those who are no roles: that has been told.
    if ranges.any(|range| findings.reported_by("unknown-role", FileId(0), range)) {
        return;
    }
    let stuck = stuck_at_start(facts, legal, roles);
    let inits = facts.predicate(Space::Relation, keyword::INIT).into_iter().flat_map(|init| init.produced());
    let mut inits = inits.map(|init| facts.range(init.term));
    // The start itself is wrong, and that has been told.
    if !stuck.is_empty() && inits.any(|init| findings.reported_by("outside-declaration", FileId(0), init)) {
        return;
    }
    if stuck.len() == roles.len() && roles.len() > 1 {
        findings.push(all_stuck(facts, &stuck));
        return;
    }
    let mut clocks = Vec::new();
    for role in roles {
        let rules: Vec<&Occurrence> =
            legal.produced().filter(|occurrence| may_be_for(facts, occurrence, *role)).collect();
        let gates: Option<Vec<TermId>> = rules.iter().map(|occurrence| closed_gate(facts, occurrence, *role)).collect();
        let name = facts.name(*role);
        if rules.is_empty() {
            let message = format!("`{name}` never has a legal move: add a rule for `(legal {name} ...)`");
            findings.push(facts.at(&RULE, role_fact(facts, *role), message));
        } else if let Some(gates) = gates {
            let gate = facts.text(facts.range(gates[0]));
            let message = format!(
                "`{name}` has no legal move at the start: each of its rules needs a fluent that does not hold then (`{gate}`). \
                 Every role moves in every round: add a move such as `noop`"
            );
            let mut finding = facts.at(&RULE, role_fact(facts, *role), message);
            for gate in gates.iter().take(5) {
                finding = finding.related(FileId(0), facts.range(*gate), "does not hold at the start");
            }
            findings.push(finding);
        } else if let Some(gates) = shut_later(facts, &rules, *role) {
            let gate = facts.text(facts.range(gates[0]));
            let message = format!(
                "`{name}` has no legal move after the first round: each of its rules needs a fluent that no `next` makes (`{gate}`). \
                 Every role moves in every round: add a move such as `noop`"
            );
            findings.push(facts.at(&RULE, facts.range(rules[0].term), message).related(
                FileId(0),
                facts.range(gates[0]),
                "holds at the start only",
            ));
        } else if let Some((clock, value)) = idle_by_clock(facts, &rules, *role, &mut clocks) {
            let (fluent, value) = (facts.name(clock), facts.name(value));
            let message = format!(
                "`{name}` has no legal move when `{fluent}` is `{value}`, and the match goes on then. \
                 Every role moves in every round: add a move such as `noop`"
            );
            let mut finding = facts.at(&RULE, facts.range(rules[0].term), message);
            for rule in rules.iter().skip(1).take(5) {
                finding = finding.related(FileId(0), facts.range(rule.term), "nor does this rule give one");
            }
            findings.push(finding);
        } else if let Some(fluent) = used_up(facts, &rules) {
            let message = format!(
                "`{name}` may run out of moves: all of them need the fluent `{}`, which nothing makes again once it is gone",
                facts.name(fluent)
            );
            let mut finding = facts.at(&RULE, facts.range(rules[0].term), message);
            finding.severity = Severity::Information;
            findings.push(finding);
        }
    }
}

/// The roles that have rules for `legal`, each with a fluent it needs that does not hold at the start.
fn stuck_at_start(facts: &Facts, legal: &Predicate, roles: &[Sym]) -> Vec<(Sym, TermId)> {
    let gate = |role: &Sym| {
        let rules = legal.produced().filter(|occurrence| may_be_for(facts, occurrence, *role));
        let gates: Option<Vec<TermId>> = rules.map(|occurrence| closed_gate(facts, occurrence, *role)).collect();
        Some((*role, *gates?.first()?))
    };
    roles.iter().filter_map(gate).collect()
}

/// Nobody can move: the start itself is wrong, and is told of once, where it can be.
fn all_stuck(facts: &Facts, stuck: &[(Sym, TermId)]) -> Diagnostic {
    let fluents = stuck.iter().map(|(_, gate)| facts.term(*gate).sym).collect::<Vec<Sym>>();
    let inits = facts.predicate(Space::Relation, keyword::INIT).into_iter().flat_map(|init| init.produced());
    let fluent = |init: &Occurrence| facts.term(init.term).arg(0);
    let own = inits.filter_map(fluent).find(|init| fluents.contains(&facts.term(*init).sym));
    let gates: Vec<String> = stuck.iter().map(|(_, gate)| format!("`{}`", facts.text(facts.range(*gate)))).collect();
    let mut gates_once = gates.clone();
    gates_once.dedup();
    let needed = gates_once.join(", ");
    let (range, message) = match own {
        Some(own) => (
            facts.range(own),
            format!("no role has a legal move at the start: the rules for `legal` need {needed}, and only this holds"),
        ),
        None => (
            role_fact(facts, stuck[0].0),
            format!(
                "no role has a legal move at the start: the rules for `legal` need {needed}, which no `init` makes"
            ),
        ),
    };
    let mut finding = facts.at(&RULE, range, message);
    for (_, gate) in stuck.iter().take(5) {
        finding = finding.related(FileId(0), facts.range(*gate), "does not hold at the start");
    }
    finding
}

fn role_fact(facts: &Facts, role: Sym) -> TextRange {
    let roles = facts.predicate(Space::Relation, keyword::ROLE).into_iter().flat_map(|roles| roles.produced());
    let arguments = roles.filter_map(|occurrence| facts.term(occurrence.term).arg(0));
    let own = arguments.filter(|argument| facts.term(*argument).sym == role).map(|argument| facts.range(argument));
    own.into_iter().next().unwrap_or_default()
}

/// Whether a head of `legal` can be for the role, as far as constants and `distinct` tell.
fn may_be_for(facts: &Facts, occurrence: &Occurrence, role: Sym) -> bool {
    let head = facts.term(occurrence.term);
    let Some(first) = head.arg(0).map(|arg| facts.term(arg)) else { return false };
    match first.shape {
        Shape::Constant => first.sym == role,
        Shape::Variable(variable) => {
            let rule = &facts.lowered.rules[occurrence.rule as usize];
            let possible = facts.domains.variable_can_be(occurrence.rule, variable, role);
            possible && !rule.body.iter().any(|literal| excludes(facts, literal, variable, role))
        }
        _ => false,
    }
}

/// `(distinct ?r random)`.
fn excludes(facts: &Facts, literal: &Literal, variable: u32, role: Sym) -> bool {
    let Literal::Distinct { args, .. } = literal else { return false };
    let [a, b] = &args[..] else { return false };
    let is = |x: &TermId, y: &TermId| {
        let y = facts.term(*y);
        facts.term(*x).variable() == Some(variable) && y.shape == Shape::Constant && y.sym == role
    };
    is(a, b) || is(b, a)
}

/// For each rule a fluent it needs that holds at the start and that no `next` makes, where every rule has one.
fn shut_later(facts: &Facts, rules: &[&Occurrence], role: Sym) -> Option<Vec<TermId>> {
    let nexts: Vec<TermId> = facts
        .predicate(Space::Relation, keyword::NEXT)?
        .produced()
        .filter_map(|next| facts.term(next.term).arg(0))
        .collect();
    // A game of one round needs no more.
    if nexts.is_empty() || facts.is_doubtful(keyword::NEXT) {
        return None;
    }
    let shut = |occurrence: &&Occurrence| {
        let rule = &facts.lowered.rules[occurrence.rule as usize];
        let own = facts.term(occurrence.term).arg(0).and_then(|arg| facts.term(arg).variable());
        needed(facts, rule).find(|fluent| {
            !facts.is_tainted(facts.term(*fluent).sym)
                && !nexts.iter().any(|made| may_hold(facts, *fluent, *made, own, role))
        })
    };
    rules.iter().map(shut).collect()
}

/// A fluent the rule needs, with the role in the place of the head's variable, that no `init` makes.
fn closed_gate(facts: &Facts, occurrence: &Occurrence, role: Sym) -> Option<TermId> {
    let rule = &facts.lowered.rules[occurrence.rule as usize];
    let own = facts.term(occurrence.term).arg(0).and_then(|arg| facts.term(arg).variable());
    needed(facts, rule).find(|fluent| {
        let inits = facts.predicate(Space::Relation, keyword::INIT).into_iter().flat_map(|init| init.produced());
        let mut made = inits.filter_map(|init| facts.term(init.term).arg(0));
        !facts.is_tainted(facts.term(*fluent).sym) && !made.any(|made| may_hold(facts, *fluent, made, own, role))
    })
}

/// The fluents in positive literals of the rule's body, outside disjunctions.
fn needed<'f>(facts: &'f Facts, rule: &'f RuleNode) -> impl Iterator<Item = TermId> + 'f {
    rule.body.iter().filter_map(|literal| match literal {
        Literal::Atom(atom) if facts.term(*atom).sym == keyword::TRUE => facts.term(*atom).arg(0),
        _ => None,
    })
}

fn may_hold(facts: &Facts, wanted: TermId, made: TermId, own: Option<u32>, role: Sym) -> bool {
    let (x, y) = (facts.term(wanted), facts.term(made));
    if y.variable().is_some() || x.shape == Shape::Error || y.shape == Shape::Error {
        return true;
    }
    match x.variable() {
        Some(variable) if Some(variable) == own => y.shape == Shape::Constant && y.sym == role,
        Some(_) => true,
        None => {
            x.sym == y.sym
                && x.arity() == y.arity()
                && x.args().zip(y.args()).all(|(x, y)| may_hold(facts, x, y, own, role))
        }
    }
}

/// A clock that all rules of a role look at, with a value at which none gives the role a move. `known` keeps what was found
/// of each fluent.
fn idle_by_clock(
    facts: &Facts,
    rules: &[&Occurrence],
    role: Sym,
    known: &mut Vec<(Sym, Option<Clock>)>,
) -> Option<(Sym, Sym)> {
    let (first, others) = rules.split_first()?;
    let shown = fluents_asked(facts, first);
    let shared = shown.into_iter().filter(|sym| others.iter().all(|rule| fluents_asked(facts, rule).contains(sym)));
    for fluent in shared {
        if !known.iter().any(|(other, _)| *other == fluent) {
            known.push((fluent, clock(facts, fluent)));
        }
        let clock = known.iter().find(|(other, _)| *other == fluent).and_then(|(_, clock)| clock.as_ref());
        if let Some(value) = clock.and_then(|clock| idle_at(facts, clock, rules, role)) {
            return Some((fluent, value));
        }
    }
    None
}

/// The fluents of one argument that a rule asks for, in the order of its literals.
fn fluents_asked(facts: &Facts, occurrence: &Occurrence) -> Vec<Sym> {
    let mut asked = Vec::new();
    for literal in &facts.lowered.rules[occurrence.rule as usize].body {
        literal.atoms(false, &mut |atom, _| {
            let fluent =
                facts.inner(atom).filter(|(space, _)| *space == Space::Fluent).map(|(_, inner)| facts.term(inner));
            asked.extend(fluent.filter(|node| node.arity() == 1).map(|node| node.sym));
        });
    }
    asked
}

/// A value that a clock comes to after the start, while nothing says that the match is over, and with which no rule gives the
/// role a move.
fn idle_at(facts: &Facts, clock: &Clock, rules: &[&Occurrence], role: Sym) -> Option<Sym> {
    for value in clock.values.iter().skip(1) {
        if may_end_at(facts, clock, *value) {
            return None;
        }
        let gives = |occurrence: &&Occurrence| {
            let rule = &facts.lowered.rules[occurrence.rule as usize];
            let own = facts.term(occurrence.term).arg(0).and_then(|arg| facts.term(arg).variable());
            rule.broken || rule.body.iter().all(|literal| may_be_true(facts, clock, *value, literal, own, role))
        };
        if !rules.iter().any(gives) {
            return Some(*value);
        }
    }
    None
}

/// Whether a literal can be true while the clock has a value; of other literals nothing is known.
fn may_be_true(facts: &Facts, clock: &Clock, value: Sym, literal: &Literal, own: Option<u32>, role: Sym) -> bool {
    let shows = |atom: TermId| -> Option<bool> {
        let (_, inner) = facts.inner(atom).filter(|(space, _)| *space == Space::Fluent)?;
        let node = facts.term(inner);
        if node.sym != clock.fluent || node.variable().is_some() || facts.term(atom).sym != keyword::TRUE {
            return None;
        }
        let arg = facts.term(node.arg(0)?);
        match (arg.variable(), arg.shape) {
            (Some(variable), _) if Some(variable) == own => Some(role == value),
            (None, Shape::Constant) => Some(arg.sym == value),
            _ => None,
        }
    };
    match literal {
        Literal::Atom(atom) => shows(*atom).unwrap_or(true),
        Literal::Not { parts, .. } => match &parts[..] {
            [Literal::Atom(atom)] => !shows(*atom).unwrap_or(false),
            _ => true,
        },
        Literal::Or { parts, .. } => parts.iter().any(|part| may_be_true(facts, clock, value, part, own, role)),
        Literal::And { parts, .. } => parts.iter().all(|part| may_be_true(facts, clock, value, part, own, role)),
        Literal::Distinct { .. } => true,
    }
}

/// Whether a rule that is no rule of a keyword, but for `terminal`, asks for this value: it may say that the match is over.
fn may_end_at(facts: &Facts, clock: &Clock, value: Sym) -> bool {
    let reads = facts.predicate(Space::Fluent, clock.fluent).into_iter().flat_map(|fluent| fluent.read());
    reads.filter(|read| !read.negated).any(|read| {
        let head = facts.lowered.rules[read.rule as usize].head.map(|head| facts.term(head).sym);
        let ends = head.is_some_and(|head| head == keyword::TERMINAL || !keyword::is_relation(head));
        let arg = facts.term(read.term).arg(0).map(|arg| facts.term(arg));
        ends && arg.is_some_and(|arg| arg.variable().is_some() || arg.sym == value)
    })
}

/// A fluent that all the rules need, that no `next` makes but from itself, and that the end of the match does not look at.
fn used_up(facts: &Facts, rules: &[&Occurrence]) -> Option<Sym> {
    let needs = |occurrence: &Occurrence| -> Vec<Sym> {
        let rule = &facts.lowered.rules[occurrence.rule as usize];
        needed(facts, rule)
            .map(|fluent| facts.term(fluent))
            .filter(|node| node.arity() > 0)
            .map(|node| node.sym)
            .collect()
    };
    let (first, others) = rules.split_first()?;
    let candidates = needs(first).into_iter().filter(|sym| others.iter().all(|other| needs(other).contains(sym)));
    candidates.into_iter().find(|sym| {
        let Some(fluent) = facts.predicate(Space::Fluent, *sym) else { return false };
        let mut nexts = fluent.produced().filter(|occurrence| occurrence.via == keyword::NEXT).peekable();
        nexts.peek().is_some()
            && nexts.all(|occurrence| keeps(facts, occurrence))
            && fluent.read().any(|occurrence| occurrence.negated || removes(facts, *sym))
            && !end_looks_at(facts, *sym)
    })
}

/// `(<= (next (deck ?c)) (true (deck ?c)) ...)`: the rule makes only what held before.
fn keeps(facts: &Facts, occurrence: &Occurrence) -> bool {
    let rule = &facts.lowered.rules[occurrence.rule as usize];
    let text = facts.text(facts.range(occurrence.term));
    needed(facts, rule).any(|fluent| facts.text(facts.range(fluent)) == text)
}

/// Whether some rule that keeps the fluent has a condition under `not`, or `distinct`: it can be lost.
fn removes(facts: &Facts, sym: Sym) -> bool {
    let nexts = facts.predicate(Space::Fluent, sym).into_iter().flat_map(|fluent| fluent.produced());
    nexts.filter(|occurrence| occurrence.via == keyword::NEXT).all(|occurrence| {
        let rule = &facts.lowered.rules[occurrence.rule as usize];
        rule.body.iter().any(|literal| matches!(literal, Literal::Not { .. } | Literal::Distinct { .. }))
    })
}

/// Whether `terminal` depends on the fluent, or on a count of the rounds.
fn end_looks_at(facts: &Facts, sym: Sym) -> bool {
    let mut seen = vec![keyword::TERMINAL];
    let mut todo = vec![keyword::TERMINAL];
    while let Some(relation) = todo.pop() {
        for edge in facts.graph.edges(relation) {
            if edge.to == keyword::TRUE {
                let fluent = facts.term(edge.atom).arg(0).map(|arg| facts.term(arg));
                // A step counter ends the match in time, for all that is known here.
                if fluent.is_none_or(|fluent| fluent.variable().is_some() || fluent.sym == sym || fluent.arity() == 1) {
                    return true;
                }
            }
            if !seen.contains(&edge.to) {
                seen.push(edge.to);
                todo.push(edge.to);
            }
        }
    }
    false
}
