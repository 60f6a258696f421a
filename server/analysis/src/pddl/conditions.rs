//! Conditions that contradict or repeat themselves, in every part of a text.

use std::collections::hash_map::Entry;

use percept_syntax::TextRange;
use rustc_hash::FxHashMap;

use super::entailed::{Entailed, Verdict};
use super::formula::{EffectNode, Formula, KeyId};
use super::model::Model;
use crate::FileId;

/// The kind of condition that a finding is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Whole {
    Precondition,
    When,
    Body,
    Gain,
    Goal,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flaw {
    /// A part that can never hold together with the other parts.
    Contradiction,
    /// A part that always holds, given the others.
    Redundant,
    /// An alternative of an `or` that can never hold.
    DeadAlternative,
    /// An alternative of an `or` that always holds, so the `or` has no effect.
    IdleOr,
    RepeatedAlternative,
    /// An `or` that always holds: `(or p (not p))`.
    Tautology,
}

#[derive(Clone, Debug)]
pub(crate) struct ConditionFinding {
    pub file: FileId,
    pub whole: Whole,
    pub flaw: Flaw,
    /// The part at fault.
    pub range: TextRange,
    /// True if the text of the part is the negation of its meaning, as on the left of `imply`.
    pub inverted: bool,
    /// The part that decides it; `None` if it decides itself, as `(= ?x ?x)` does.
    pub because: Option<TextRange>,
    /// The innermost `forall`, `when` condition or alternative around it.
    pub inside: Option<TextRange>,
}

/// Returns the findings in all conditions, in the order of the text within each action. Only actions in `loud` are
/// judged (see [`loud_actions`](super::loud::loud_actions)).
pub(crate) fn judge_conditions(model: &Model, loud: &[u32]) -> Vec<ConditionFinding> {
    let mut found = Vec::new();
    for index in loud {
        found.append(&mut judge_conditions_of(model, *index));
    }
    let mut alone = |file, whole, formula: &Formula| {
        let mut judge = Judge::new(model, file, whole);
        judge.walk(formula, false);
        found.append(&mut judge.found);
    };
    for derived in &model.derived {
        alone(model.domain_file, Whole::Body, &derived.body);
    }
    for gain in &model.gains {
        alone(model.domain_file, Whole::Gain, &gain.condition);
    }
    if let Some(goal) = &model.goal {
        alone(model.problem_file, Whole::Goal, goal);
    }
    found
}

/// Returns the findings in the conditions of an action.
pub(crate) fn judge_conditions_of(model: &Model, index: u32) -> Vec<ConditionFinding> {
    let action = &model.actions[index as usize];
    let mut judge = Judge::new(model, model.domain_file, Whole::Precondition);
    if let Some(precondition) = &action.precondition {
        judge.walk(precondition, false);
    }
    judge.effects(&action.effects);
    judge.found
}

/// Walks a condition with the knowledge that holds at each part.
pub(crate) struct Judge<'m, 'a> {
    model: &'m Model<'a>,
    pub entailed: Entailed,
    pub found: Vec<ConditionFinding>,
    file: FileId,
    whole: Whole,
    inside: Option<TextRange>,
}

impl<'m, 'a> Judge<'m, 'a> {
    pub(crate) fn new(model: &'m Model<'a>, file: FileId, whole: Whole) -> Self {
        Judge { model, entailed: Entailed::default(), found: Vec::new(), file, whole, inside: None }
    }

    fn report(&mut self, verdict: Verdict, part: &Formula, alternative: bool) {
        let (always, because) = match verdict {
            Verdict::New => return,
            Verdict::Always(because) => (true, because),
            Verdict::Never(because) => (false, because),
        };
        let flaw = match (always, alternative) {
            (false, false) => Flaw::Contradiction,
            (true, false) => Flaw::Redundant,
            (false, true) => Flaw::DeadAlternative,
            (true, true) => Flaw::IdleOr,
        };
        self.push(flaw, part, because);
    }

    fn push(&mut self, flaw: Flaw, part: &Formula, because: Option<TextRange>) {
        let inverted = match part {
            Formula::Literal { positive: false, atom, range } => self.model.atom(*atom).range == *range,
            Formula::Equal { positive: false, inverted, .. } => *inverted,
            Formula::Compare { inverted, .. } => *inverted,
            _ => false,
        };
        let (file, whole, inside) = (self.file, self.whole, self.inside);
        self.found.push(ConditionFinding { file, whole, flaw, range: part.range(), inverted, because, inside });
    }

    /// Judges a condition and adds its knowledge to `self.known`.
    pub(crate) fn walk(&mut self, formula: &Formula, alternative: bool) {
        let mut parts = Vec::new();
        formula.conjuncts(&mut |part| parts.push(part));
        // If an alternative has several parts, none of them is the whole alternative.
        let alternative = alternative && parts.len() == 1;
        // Equalities first: they decide which literals are equal.
        for part in &parts {
            if let Formula::Equal { positive, left, right, range, .. } = part {
                let verdict = self.entailed.equal(self.model, *positive, *left, *right, *range);
                self.report(verdict, part, alternative);
            }
        }
        for part in &parts {
            self.simple(part, alternative);
        }
        for part in &parts {
            self.compound(part);
        }
    }

    fn simple(&mut self, part: &Formula, alternative: bool) {
        let verdict = match part {
            Formula::Literal { positive, atom, range } => {
                let verdict = self.entailed.judge(self.model, *atom, *positive);
                if verdict == Verdict::New {
                    self.entailed.learn(self.model, *atom, *positive, *range);
                }
                verdict
            }
            Formula::Compare { orders, left, right, range, .. } => {
                self.entailed.compare(self.model, *orders, left, right, *range)
            }
            _ => return,
        };
        self.report(verdict, part, alternative);
    }

    fn compound(&mut self, part: &Formula) {
        match part {
            // An empty `(or)` is false.
            Formula::Or { parts, .. } if parts.is_empty() => self.push(Flaw::Contradiction, part, None),
            Formula::Or { parts, range } => self.alternatives(parts, *range),
            Formula::Exists { body, .. } => self.apart(|judge| judge.walk(body, false)),
            Formula::Forall { variables, body, range } => {
                self.apart(|judge| {
                    judge.inside = Some(*range);
                    judge.walk(body, false);
                });
                let mut literals = Vec::new();
                body.conjuncts(&mut |part| literals.push(part));
                for part in literals {
                    if let Formula::Literal { positive, atom, range } = part {
                        let verdict = self.entailed.learn_universal(self.model, variables, *atom, *positive, *range);
                        self.report(verdict, part, false);
                    }
                }
            }
            _ => {}
        }
    }

    /// Runs `walk`, then forgets the knowledge that it added.
    fn apart(&mut self, walk: impl FnOnce(&mut Self)) {
        let mark = self.entailed.mark();
        let inside = self.inside;
        walk(self);
        self.inside = inside;
        self.entailed.back_to(self.model, mark);
    }

    /// Judges each alternative of an `or` by itself, and simple ones against each other.
    fn alternatives(&mut self, parts: &[Formula], range: TextRange) {
        let mut flat = Vec::new();
        flatten_or(parts, &mut flat);
        let single = flat.len() == 1;
        for part in &flat {
            self.apart(|judge| {
                judge.inside = Some(if single { range } else { part.range() });
                judge.walk(part, !single);
            });
        }
        self.compare_alternatives(&flat, range);
    }

    /// Judges `(or p p)` and `(or p (not p))`: each alternative must add something if those before it fail.
    fn compare_alternatives(&mut self, parts: &[&Formula], range: TextRange) {
        let mut seen: FxHashMap<KeyId, (bool, TextRange)> = FxHashMap::default();
        let mut is_always = false;
        for part in parts {
            let Formula::Literal { positive, atom, range: at } = part else { continue };
            match seen.entry(self.model.atom(*atom).key) {
                Entry::Vacant(entry) => drop(entry.insert((*positive, *at))),
                Entry::Occupied(entry) => {
                    let (before, place) = *entry.get();
                    if before == *positive {
                        self.push(Flaw::RepeatedAlternative, part, Some(place));
                    } else if !std::mem::replace(&mut is_always, true) {
                        self.push(Flaw::Tautology, &Formula::Unknown { range }, None);
                    }
                }
            }
        }
    }

    /// Judges the conditions of `when`s, under the precondition.
    fn effects(&mut self, effects: &[EffectNode]) {
        for effect in effects {
            match effect {
                EffectNode::When { condition, effects, .. } => self.apart(|judge| {
                    judge.whole = Whole::When;
                    judge.inside = Some(condition.range());
                    judge.walk(condition, false);
                    judge.effects(effects);
                }),
                EffectNode::Forall { effects, .. } => self.effects(effects),
                _ => {}
            }
        }
    }
}

fn flatten_or<'f>(parts: &'f [Formula], into: &mut Vec<&'f Formula>) {
    for part in parts {
        match part {
            Formula::Or { parts, .. } => flatten_or(parts, into),
            other => into.push(other),
        }
    }
}
