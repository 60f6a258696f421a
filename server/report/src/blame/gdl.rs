//! In GDL: the rules for `sees` that gave the same percepts, and the rule instances that cause the difference.

use crate::signs::PAIR;
use std::collections::BTreeMap;

use percept_game::gdl::{Explainer, Explanation};
use percept_game::{JointMove, Scope, State, Term};
use percept_infoset::Value;
use percept_syntax::TextRange;
use percept_syntax::gdl::Description;

use super::{Case, Rule};
use crate::names;

/// The most percepts of a rule that are tried one by one.
const ASKED: usize = 64;
/// The depth to which the reasons of a difference are searched.
const DEPTH: usize = 2;

pub(super) struct Rules<'a> {
    pub description: &'a Description,
    pub explainer: &'a Explainer,
}

impl Rules<'_> {
    fn explain(
        &self,
        case: &Case<'_>,
        state: &State,
        joint: Option<&JointMove>,
        atom: &Term,
        depth: usize,
    ) -> Option<Explanation> {
        let moves = joint.map(|joint| names::made(case.game, joint)).unwrap_or_default();
        self.explainer.explain(&names::fluents(case.game, state), &moves, atom, depth)
    }

    /// The rules for `(sees role ...)`: the percept that they gave in both histories, or the condition that stopped
    /// them.
    pub(super) fn silent(&self, case: &Case<'_>) -> Vec<Rule> {
        let (name, tried) = (case.role_name(), self.tried(case));
        let mut rules: Vec<Rule> = tried.by_rule.iter().map(|(&range, says)| self.rule(range, says)).collect();
        let mut stuck: Vec<_> = tried.lacked.iter().filter(|(range, _)| !tried.by_rule.contains_key(range)).collect();
        stuck.sort_by_key(|(range, (distance, _))| (*distance, range.start));
        rules.extend(stuck.into_iter().map(|(&range, (_, says))| self.rule(range, says)));
        if rules.is_empty() {
            let says = format!("{name} perceives nothing in round {}", case.round);
            rules.extend(self.about("sees", name, true).map(|range| self.rule(range, &says)));
        }
        if rules.is_empty() {
            let says = format!("no rule gives {name} a percept");
            rules.extend(self.about("role", name, false).take(1).map(|range| self.rule(range, &says)));
        }
        rules
    }

    /// The outcome of each rule for a percept in the parting round.
    fn tried(&self, case: &Case<'_>) -> Tried {
        let (game, role, name) = (case.game, case.role, case.role_name());
        let mut tried = Tried::default();
        let possible = percepts(case);
        for (state, joint) in case.partings() {
            let seen = game.rules.percepts(&state, joint, role);
            let seen = seen.iter().map(|&it| game.rules.percept_term(role, it));
            for percept in seen.chain(possible.iter().take(ASKED).cloned()) {
                let atom = Term::list("sees", [Term::word(name), percept.clone()]);
                let Some(explanation) = self.explain(case, &state, Some(joint), &atom, 0) else { continue };
                for reason in &explanation.reasons {
                    tried.by_rule.entry(reason.rule).or_insert_with(|| format!("gives {name} {percept} in both"));
                }
                for failure in &explanation.failures {
                    let literals: Vec<&str> = failure.failed.iter().map(|(literal, _)| literal.as_str()).collect();
                    let says = format!("does not give {name} {percept}, because {}", failing(&literals));
                    // A percept of a move that was not made is the last that an author would change.
                    let unmade = literals.iter().filter(|literal| literal.starts_with("(does ")).count();
                    let distance = (unmade, literals.len());
                    let best = tried.lacked.entry(failure.rule).or_insert(((usize::MAX, 0), String::new()));
                    if distance < best.0 {
                        *best = (distance, says);
                    }
                }
            }
        }
        tried
    }

    /// The statements of a relation about a role; with `any`, also those with a variable for the role.
    fn about(&self, relation: &str, name: &str, any: bool) -> impl Iterator<Item = TextRange> {
        let about = move |head: &percept_syntax::gdl::Term| {
            let role = head.args().first();
            head.name.is(relation) && role.is_some_and(|role| role.name.is(name) || any && role.is_variable())
        };
        let statements = self.description.statements.iter();
        statements.filter(move |it| it.head.as_ref().is_some_and(about)).map(|it| it.range)
    }

    /// The rules by which the two histories differ: an atom that holds in one of them, its support, and the part of the
    /// support that is missing in the other. If these cannot be found, the rules for the property.
    pub(super) fn deciding(&self, case: &Case<'_>) -> Vec<Rule> {
        let ends = case.ends();
        let mut rules = Vec::new();
        if let Some((atom, holder)) = differing(case) {
            let which = PAIR[holder];
            let explanation = self.explain(case, &ends[holder], None, &atom, DEPTH);
            if let Some(explanation) = explanation.filter(|it| it.holds) {
                grounds(&explanation, &mut |range, literal| {
                    rules.push(self.rule(range, &format!("{literal} in {which}")));
                });
                // The direct support of the atom, and the part of it that is missing in the other history.
                let support = explanation.reasons.first().into_iter().flat_map(|reason| &reason.support);
                let lacks = |literal: Term| !self.holds(case, &ends[1 - holder], &literal);
                let mut lacking = support.filter(|it| it.literal.parse().is_ok_and(lacks));
                if let Some(support) = lacking.next() {
                    let says = format!("{} holds in {which} only", support.literal);
                    rules.insert(1, Rule::new(support.range, says));
                }
            }
        }
        rules.dedup_by(|left, right| left.range == right.range);
        if rules.is_empty() {
            let says = format!("decides {}", crate::words::knowledge(case.property).replace("its", case.role_name()));
            let heads = self.description.statements.iter().filter_map(|it| it.head.as_ref().map(|head| (it, head)));
            let about = heads.filter(|(_, head)| head.name.is(case.property.name()));
            let mine = about.filter(|(_, head)| {
                let role = head.args().first();
                role.is_none_or(|role| role.is_variable() || role.name.is(case.role_name()))
            });
            rules.extend(mine.take(1).map(|(statement, _)| self.rule(statement.range, &says)));
        }
        rules
    }

    /// True if a condition without variables holds in a state.
    fn holds(&self, case: &Case<'_>, state: &State, literal: &Term) -> bool {
        let holds = |part: &Term| self.holds(case, state, part);
        match (literal.head(), literal.args()) {
            ("not", [part]) => !holds(part),
            ("or", parts) => parts.iter().any(holds),
            ("and", parts) => parts.iter().all(holds),
            ("distinct", [left, right]) => left != right,
            _ => self.explain(case, state, None, literal, 0).is_some_and(|it| it.holds),
        }
    }

    fn rule(&self, range: TextRange, says: &str) -> Rule {
        let statement = self.description.statements.iter().find(|statement| statement.range == range);
        let head = statement.and_then(|statement| statement.head.as_ref());
        Rule { mark: head.map_or(range, |head| head.range), ..Rule::new(range, says) }
    }
}

/// The reason why conditions fail: `(placed) holds` for `(not (placed))`.
fn failing(literals: &[&str]) -> String {
    let inner = |literal: &&str| literal.strip_prefix("(not ").and_then(|it| it.strip_suffix(')')).map(str::to_owned);
    let hold: Vec<String> = literals.iter().filter_map(inner).collect();
    let fail: Vec<&str> = literals.iter().filter(|it| inner(it).is_none()).copied().collect();
    let mut parts = Vec::new();
    match fail[..] {
        [] => {}
        [one] => parts.push(format!("{one} does not hold")),
        _ => parts.push(format!("{} do not hold", fail.join(" and "))),
    }
    match &hold[..] {
        [] => {}
        [one] => parts.push(format!("{one} holds")),
        _ => parts.push(format!("{} hold", hold.join(" and "))),
    }
    parts.join(", and ")
}

/// For each rule, its percept in both histories, or the fewest conditions that failed: first those on moves, then all.
#[derive(Default)]
struct Tried {
    by_rule: BTreeMap<TextRange, String>,
    lacked: BTreeMap<TextRange, ((usize, usize), String)>,
}

/// All percepts of the role, if the game is grounded.
fn percepts(case: &Case<'_>) -> Vec<Term> {
    let rules = &case.game.rules;
    let Ok(ground) = rules.ground(&Scope::default()) else { return vec![] };
    let mut ids: Vec<_> = ground.sees[case.role.0 as usize].iter().map(|&(percept, _)| percept).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter().map(|id| rules.percept_term(case.role, id)).collect()
}

/// An atom that holds at the end of only one history, with the index of that history.
fn differing(case: &Case<'_>) -> Option<(Term, usize)> {
    let role = Term::word(case.role_name());
    fn only<T: PartialEq + Copy>(first: &[T], second: &[T]) -> Option<(T, usize)> {
        let in_first = first.iter().find(|it| !second.contains(it)).map(|&it| (it, 0));
        in_first.or_else(|| second.iter().find(|it| !first.contains(it)).map(|&it| (it, 1)))
    }
    match (&case.witness.first_value, &case.witness.second_value) {
        (Value::Terminal(first), Value::Terminal(_)) => Some((Term::word("terminal"), usize::from(!first))),
        (Value::Legal(first), Value::Legal(second)) => {
            let (mv, holder) = only(first, second)?;
            Some((Term::list("legal", [role, case.game.rules.move_term(case.role, mv)]), holder))
        }
        (Value::Goal(first), Value::Goal(second)) => {
            let (goal, holder) = only(first, second)?;
            Some((Term::list("goal", [role, Term::word(goal.to_string())]), holder))
        }
        _ => None,
    }
}

/// Visits the rule instances that make an atom hold, and those that make their conditions hold.
fn grounds(explanation: &Explanation, each: &mut dyn FnMut(TextRange, &str)) {
    // Facts hold in every history.
    let Some(reason) = explanation.reasons.first().filter(|reason| !reason.support.is_empty()) else { return };
    each(reason.rule, &explanation.atom);
    for because in reason.support.iter().filter_map(|support| support.because.as_deref()) {
        grounds(because, each);
    }
}
