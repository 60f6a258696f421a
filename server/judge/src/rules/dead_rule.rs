//! A rule whose conditions never hold together.

use std::collections::BTreeSet;

use percept_game::{MoveId, State};
use percept_infoset::Budget;
use percept_syntax::TextRange;
use percept_syntax::gdl::{Formula, Statement, Term};

use super::alternatives;
use crate::probe::Probe;
use crate::{
    Bounds, Case, Evidence, Extent, FileId, Finding, Fix, Occasion, Place, Rule, Severity, Watch, exhaust, mends,
};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "dead-rule", severity: Severity::Warning, page: include_str!("dead-rule.md") };

/// Relations that are evaluated without a state, so that matches do not show them.
const OUTSIDE: [&str; 5] = ["role", "init", "base", "input", "percept"];
/// Text rules that report the reason why a rule is dead.
pub(super) const TOLD_BY: &[&str] = &[
    "impossible-literal",
    "unknown-fluent",
    "unknown-relation",
    "unknown-role",
    "contradiction",
    "misspelled-constant",
    "exchanged-arguments",
    "exchanged-variables",
    "inconsistent-case",
    "relation-arity",
    "function-arity",
];
/// The most rules for which the failing condition is searched, and the most states that are visited again for it.
const BLAMED: usize = 40;
/// The most pairs of conditions that are examined.
const PAIRS: usize = 300;
/// The most parts of disjunctions that are examined.
const ALTERNATIVES: usize = 400;
const STATES: usize = 20_000;

pub(super) fn watch<'a>(case: &'a Case<'a>, budget: &Budget) -> Option<Box<dyn Watch + 'a>> {
    let is_asked = |statement: &&Statement| {
        let head = statement.head.as_ref();
        head.is_some_and(|head| !OUTSIDE.iter().any(|word| head.name.is(word)))
    };
    let rules: Vec<&Statement> = case.description()?.statements.with_body().filter(is_asked).collect();
    let mut bodies: Vec<Vec<Formula>> = rules.iter().map(|rule| rule.body.clone()).collect();
    let mut alternatives = Vec::new();
    for (index, rule) in rules.iter().enumerate() {
        for (part, body) in alternatives::of(&rule.body) {
            if alternatives.len() < ALTERNATIVES {
                alternatives.push((index, part));
                bodies.push(body);
            }
        }
    }
    let probe = Probe::new(case, &bodies, budget)?;
    let left = bodies.len();
    let budget = budget.clone();
    Some(Box::new(Dead { fired: vec![false; left], left, rules, alternatives, probe, budget }))
}

struct Dead<'a> {
    rules: Vec<&'a Statement>,
    /// Parts of disjunctions, each with the number of its rule.
    alternatives: Vec<(usize, &'a Formula)>,
    probe: Probe,
    /// True for each rule, then for each alternative, that has fired; and the number of those that have not.
    fired: Vec<bool>,
    left: usize,
    budget: Budget,
}

impl Dead<'_> {
    fn note(fired: &mut [bool], left: &mut usize, rules: impl Iterator<Item = usize>) {
        for rule in rules {
            *left -= usize::from(!std::mem::replace(&mut fired[rule], true));
        }
    }
}

impl Dead<'_> {
    /// If not every state was seen: rules that no match has fired and that induction proves can never fire.
    fn proved(&self, extent: &Extent) -> BTreeSet<usize> {
        let open: Vec<usize> =
            (0..self.fired.len()).filter(|&index| !self.fired[index] && self.probe.is_possible(index)).collect();
        if extent.every_state || open.is_empty() || self.budget.stop().is_some() {
            return BTreeSet::new();
        }
        let never = self.probe.never(&open, &self.budget).unwrap_or_default();
        open.into_iter().zip(never).filter(|(_, never)| *never).map(|(index, _)| index).collect()
    }
}

impl Watch for Dead<'_> {
    fn state(&mut self, occasion: &Occasion<'_>) {
        if self.left > 0 && (occasion.is_terminal || occasion.legal.iter().any(Vec::is_empty)) {
            let Dead { probe, fired, left, budget, .. } = self;
            budget.count(probe.price());
            Self::note(fired, left, probe.fulfilled_without_moves(occasion.state));
        }
    }

    fn round(&mut self, occasion: &Occasion<'_>, joint: &[MoveId], _: &State) {
        if self.left > 0 {
            let Dead { probe, fired, left, budget, .. } = self;
            budget.count(probe.price());
            Self::note(fired, left, probe.fulfilled(occasion.state, joint));
        }
    }

    fn finish(self: Box<Self>, case: &Case<'_>, extent: &Extent) -> Vec<Finding> {
        let proved = self.proved(extent);
        let is_dead = |&index: &usize| {
            !self.probe.is_possible(index) || proved.contains(&index) || (extent.every_state && !self.fired[index])
        };
        let dead: Vec<&Statement> = (0..self.rules.len()).filter(is_dead).map(|index| self.rules[index]).collect();
        let evidence = |index: usize| {
            let why = match extent.every_state {
                true => return Evidence::EveryState(extent.states),
                false if proved.contains(&index) => {
                    "it is excluded by facts that hold in the first state and that no round breaks (a proof by \
                    induction)"
                }
                false => "grounding the rules from the first state leaves no instance of it",
            };
            Evidence::Proof(why.to_string())
        };
        let reasons = Consequences::of(&self.rules, &dead);
        let mut findings = Vec::new();
        for (number, (rule, part)) in self.alternatives.iter().enumerate() {
            let index = self.rules.len() + number;
            if is_dead(&index) && !is_dead(rule) && !reasons.explain(part) {
                findings.push(alternatives::finding(self.rules[*rule], part, evidence(index)));
            }
        }
        if dead.is_empty() {
            return findings;
        }
        let culprits = culprits(case, &dead, extent, &self.budget);
        for (rule, culprit) in dead.iter().zip(culprits) {
            if culprit.as_ref().is_some_and(|culprit| reasons.explain(&culprit.literal)) {
                continue;
            }
            let index = self.rules.iter().position(|it| std::ptr::eq(*it, *rule)).expect("a dead rule is a rule");
            findings.push(finding(case, rule, culprit, evidence(index)));
        }
        findings
    }
}

/// The condition that does not hold when those before it do.
struct Culprit {
    literal: Formula,
    is_alone: bool,
    /// A condition before it with which it never holds, whatever the others are.
    with: Option<Formula>,
}

fn finding(case: &Case<'_>, rule: &Statement, culprit: Option<Culprit>, evidence: Evidence) -> Finding {
    let head = rule.head.as_ref();
    let word = head.map_or("", |head| head.name.text.as_str());
    let what = match word.to_ascii_lowercase().as_str() {
        "sees" => "this rule gives no percept",
        "legal" => "no move is legal by this rule",
        "terminal" => "no match ends by this rule",
        "goal" => "no role gets a value by this rule",
        "next" => "this rule makes nothing true",
        _ => "this rule derives nothing",
    };
    let place = |range: TextRange| Place { file: FileId(0), range };
    let head = head.map_or(rule.range, |head| head.range);
    let (at, why) = match &culprit {
        Some(culprit) if culprit.is_alone => {
            (culprit.literal.range(), format!("`{}` never holds", short(case, culprit.literal.range())))
        }
        Some(Culprit { literal, with: Some(with), .. }) => {
            let (one, other) = (short(case, with.range()), short(case, literal.range()));
            (literal.range(), format!("`{one}` and `{other}` never hold together"))
        }
        Some(culprit) => (
            culprit.literal.range(),
            format!("`{}` never holds when the other conditions do", short(case, culprit.literal.range())),
        ),
        None => (head, "its conditions never hold together".to_string()),
    };
    let mut finding = Finding::new(&RULE, place(at), format!("{what}: {why}, in any match"), evidence);
    finding.severity = severity(rule);
    finding.told_by = Some((place(rule.range), TOLD_BY));
    if at != head {
        finding = finding.related(place(head), what);
    }
    if case.is_prefix() {
        let whole = case.whole(FileId(0));
        finding.fixes.extend(culprit.iter().flat_map(|it| mends::without(case, it.literal.range())));
        if case.statements(word).nth(1).is_some() {
            finding.fixes.push(Fix::removal(whole, place(rule.range), "the rule"));
        }
    }
    match culprit.and_then(|culprit| culprit.with) {
        Some(with) => finding.related(place(with.range()), "never together with this"),
        None => finding,
    }
}

/// A rule that players would notice is a warning; a superfluous one is less severe.
pub(super) fn severity(rule: &Statement) -> Severity {
    let word = rule.head.as_ref().map_or("", |head| head.name.text.as_str());
    let is_met = ["sees", "legal", "next", "terminal"].iter().any(|it| word.eq_ignore_ascii_case(it));
    if is_met { Severity::Warning } else { Severity::Information }
}

fn short(case: &Case<'_>, range: TextRange) -> String {
    case.text(Place { file: FileId(0), range }).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// For each dead rule the condition to blame, if it can be determined. Positive conditions are added one at a time in
/// the order of the text, then the others, until they no longer hold together; an earlier condition is named too if the
/// two never hold together.
fn culprits(case: &Case<'_>, dead: &[&Statement], extent: &Extent, budget: &Budget) -> Vec<Option<Culprit>> {
    let mut queries: Vec<(usize, usize)> = Vec::new();
    let mut conjunctions = Vec::new();
    let bodies: Vec<Vec<Formula>> = dead.iter().map(|rule| in_order(&rule.body)).collect();
    for (index, body) in bodies.iter().enumerate().take(BLAMED) {
        for upto in 1..body.len() {
            queries.push((index, upto));
            conjunctions.push(body[..upto].to_vec());
        }
    }
    let prefixes = conjunctions.len();
    let pairs: Vec<(usize, usize, usize)> = pairs(&bodies);
    conjunctions
        .extend(pairs.iter().map(|&(body, one, other)| [one, other].map(|at| bodies[body][at].clone()).to_vec()));
    let none = || dead.iter().map(|_| None).collect();
    if conjunctions.is_empty() {
        return bodies.iter().map(|body| culprit(body, 0, None)).collect();
    }
    let Some(probe) = Probe::new(case, &conjunctions, budget) else { return none() };
    let mut occasion = Fulfilled { fired: vec![false; conjunctions.len()], left: conjunctions.len(), probe };
    if extent.every_state {
        let bounds = Bounds { states: STATES, ..Bounds::default() };
        let mut watches: [Box<dyn Watch + '_>; 1] = [Box::new(&mut occasion)];
        if exhaust::visit(case.game, &bounds, budget, &mut watches).is_err() {
            return none();
        }
    } else {
        (0..conjunctions.len()).for_each(|index| occasion.fired[index] = occasion.probe.is_possible(index));
    }
    let longest = |index: usize| {
        let of = queries.iter().zip(&occasion.fired).filter(|((of, _), _)| *of == index);
        of.take_while(|(_, fired)| **fired).count()
    };
    let with = |index: usize, at: usize| {
        let never = occasion.fired[prefixes..].iter().zip(&pairs).filter(|(fired, _)| !**fired).map(|(_, pair)| pair);
        let mut partners = never.filter(|pair| pair.0 == index && pair.2 == at).map(|pair| pair.1);
        partners.next().map(|one| bodies[index][one].clone())
    };
    let blame = |(index, body): (usize, &Vec<Formula>)| {
        let at = longest(index);
        (index < BLAMED).then(|| culprit(body, at, with(index, at))).flatten()
    };
    bodies.iter().enumerate().map(blame).collect()
}

fn culprit(body: &[Formula], at: usize, with: Option<Formula>) -> Option<Culprit> {
    Some(Culprit { literal: body.get(at)?.clone(), is_alone: at == 0, with })
}

/// The pairs of conditions that can be tested alone: the variables of a negated one occur in the other.
fn pairs(bodies: &[Vec<Formula>]) -> Vec<(usize, usize, usize)> {
    let variables = |literal: &Formula| {
        let mut names = BTreeSet::new();
        literal.terms(&mut |term| {
            term.walk(&mut |part| names.extend(part.is_variable().then(|| part.name.text.to_string())));
        });
        names
    };
    let mut found = Vec::new();
    for (index, body) in bodies.iter().enumerate().take(BLAMED) {
        for (other, second) in body.iter().enumerate() {
            for (one, first) in body.iter().enumerate().take(other) {
                let is_safe = matches!(second, Formula::Atom(_)) || variables(second).is_subset(&variables(first));
                if matches!(first, Formula::Atom(_)) && is_safe && found.len() < PAIRS {
                    found.push((index, one, other));
                }
            }
        }
    }
    found
}

/// The conditions, those that bind variables first.
pub(crate) fn in_order(body: &[Formula]) -> Vec<Formula> {
    let place = |literal: &Formula| match literal {
        Formula::Atom(_) => 0,
        Formula::Or { .. } | Formula::And { .. } => 1,
        Formula::Not { .. } | Formula::Distinct { .. } => 2,
    };
    let mut body = body.to_vec();
    body.sort_by_key(place);
    body
}

struct Fulfilled {
    probe: Probe,
    fired: Vec<bool>,
    left: usize,
}

impl Watch for &mut Fulfilled {
    fn state(&mut self, occasion: &Occasion<'_>) {
        if self.left > 0 && (occasion.is_terminal || occasion.legal.iter().any(Vec::is_empty)) {
            let Fulfilled { probe, fired, left } = &mut **self;
            Dead::note(fired, left, probe.fulfilled_without_moves(occasion.state));
        }
    }

    fn round(&mut self, occasion: &Occasion<'_>, joint: &[MoveId], _: &State) {
        if self.left > 0 {
            let Fulfilled { probe, fired, left } = &mut **self;
            Dead::note(fired, left, probe.fulfilled(occasion.state, joint));
        }
    }

    fn finish(self: Box<Self>, _: &Case<'_>, _: &Extent) -> Vec<Finding> {
        Vec::new()
    }
}

/// Heads that are never made because all their rules are dead. This is reported at those rules, not at the rules that
/// read the heads.
struct Consequences(BTreeSet<String>);

impl Consequences {
    fn of(rules: &[&Statement], dead: &[&Statement]) -> Consequences {
        let is_dead = |rule: &Statement| dead.iter().any(|it| std::ptr::eq(*it, rule));
        let made = |rules: &mut dyn Iterator<Item = &Statement>| -> BTreeSet<String> {
            rules.filter_map(|rule| key(rule.head.as_ref()?)).collect()
        };
        let alive = made(&mut rules.iter().copied().filter(|rule| !is_dead(rule)));
        let lost = made(&mut dead.iter().copied());
        Consequences(lost.into_iter().filter(|key| !alive.contains(key)).collect())
    }

    /// True if a condition reads such a head.
    fn explain(&self, literal: &Formula) -> bool {
        let mut found = false;
        literal.atoms(false, &mut |atom, negated| {
            found |= !negated && queried(atom).is_some_and(|key| self.0.contains(&key));
        });
        found
    }
}

/// The key of a head: a relation, a fluent, a move.
fn key(head: &Term) -> Option<String> {
    let inner = |at: usize| head.args().get(at).map(|term| term.name.text.to_ascii_lowercase());
    match head.name.text.to_ascii_lowercase().as_str() {
        "next" => Some(format!("fluent {}", inner(0)?)),
        "legal" => Some(format!("move {}", inner(1)?)),
        name => Some(format!("relation {name}")),
    }
}

/// The key that an atom of a body reads.
fn queried(atom: &Term) -> Option<String> {
    let inner = |at: usize| atom.args().get(at).map(|term| term.name.text.to_ascii_lowercase());
    match atom.name.text.to_ascii_lowercase().as_str() {
        "true" => Some(format!("fluent {}", inner(0)?)),
        "does" => Some(format!("move {}", inner(1)?)),
        name => Some(format!("relation {name}")),
    }
}
