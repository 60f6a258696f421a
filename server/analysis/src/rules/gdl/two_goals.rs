//! Two goal values for one role in one state.

use crate::gdl::{Facts, Literal, Occurrence, RuleNode, Shape, Space, Sym, TermId, keyword};
use crate::{FileId, Findings, Rule, Severity};

/// See the page.
pub static RULE: Rule = Rule { name: "two-goals", severity: Severity::Warning, page: include_str!("two-goals.md") };

/// Larger descriptions and bodies are not compared.
const MAX_RULES: usize = 100;
const MAX_LITERALS: usize = 12;

pub fn check(facts: &Facts, findings: &mut Findings) {
    let Some(goal) = facts.predicate(Space::Relation, keyword::GOAL) else { return };
    let is_plain = |head: &&Occurrence| {
        let rule = &facts.lowered.rules[head.rule as usize];
        !rule.broken && rule.body.len() <= MAX_LITERALS && value(facts, head).is_some()
    };
    let heads: Vec<&Occurrence> = goal.produced().filter(is_plain).take(MAX_RULES).collect();
    for (n, general) in heads.iter().enumerate() {
        let special = heads.iter().enumerate().find(|(m, special)| {
            // Of two rules with the same conditions the later is told of.
            value(facts, general) != value(facts, special)
                && covers(facts, general, special)
                && (*m < n || !covers(facts, special, general))
        });
        let Some((_, special)) = special else { continue };
        let (range, other) = (facts.range(general.term), facts.range(special.term));
        let message = format!(
            "`{}` holds wherever `{}` does, and a role has one value only: exclude that case here",
            facts.text(range),
            facts.text(other)
        );
        findings.push(facts.at(&RULE, range, message).related(FileId(0), other, "this value, too"));
    }
}

/// The goal value, where it is a constant.
fn value(facts: &Facts, head: &Occurrence) -> Option<Sym> {
    let value = facts.term(facts.term(head.term).arg(1)?);
    (value.shape == Shape::Constant && facts.term(head.term).arity() == 2).then_some(value.sym)
}

/// What the variables of the general rule stand for in the special one.
type Substitution = Vec<(u32, TermId)>;

/// Whether the conditions of `general` are among those of `special`, for the same role: theta-subsumption
/// (Plotkin, "A note on inductive generalization", 1970).
fn covers(facts: &Facts, general: &Occurrence, special: &Occurrence) -> bool {
    let rule = |head: &Occurrence| -> &RuleNode { &facts.lowered.rules[head.rule as usize] };
    let (Some(role), Some(other)) = (facts.term(general.term).arg(0), facts.term(special.term).arg(0)) else {
        return false;
    };
    let mut substitution = Substitution::new();
    matches(facts, role, other, &mut substitution)
        && subsumes(facts, &rule(general).body, &rule(special).body, &mut substitution)
}

fn subsumes(facts: &Facts, general: &[Literal], special: &[Literal], substitution: &mut Substitution) -> bool {
    let Some((first, rest)) = general.split_first() else { return true };
    let known = substitution.len();
    special.iter().any(|literal| {
        substitution.truncate(known);
        literals_match(facts, first, literal, substitution) && subsumes(facts, rest, special, substitution)
    })
}

fn literals_match(facts: &Facts, general: &Literal, special: &Literal, substitution: &mut Substitution) -> bool {
    match (general, special) {
        (Literal::Atom(a), Literal::Atom(b)) => matches(facts, *a, *b, substitution),
        (Literal::Not { parts: a, .. }, Literal::Not { parts: b, .. })
        | (Literal::Or { parts: a, .. }, Literal::Or { parts: b, .. })
        | (Literal::And { parts: a, .. }, Literal::And { parts: b, .. }) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| literals_match(facts, a, b, substitution))
        }
        (Literal::Distinct { args: a, .. }, Literal::Distinct { args: b, .. }) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| matches(facts, *a, *b, substitution))
        }
        _ => false,
    }
}

/// Whether the special term is an instance of the general one.
fn matches(facts: &Facts, general: TermId, special: TermId, substitution: &mut Substitution) -> bool {
    let (x, y) = (facts.term(general), facts.term(special));
    match x.variable() {
        Some(variable) => match substitution.iter().find(|(known, _)| *known == variable) {
            Some((_, term)) => facts.same(*term, special),
            None => {
                substitution.push((variable, special));
                true
            }
        },
        None => {
            x.shape == y.shape
                && x.shape != Shape::Error
                && x.sym == y.sym
                && x.arity() == y.arity()
                && x.args().zip(y.args()).all(|(a, b)| matches(facts, a, b, substitution))
        }
    }
}
