//! Effects that oppose each other, or that change nothing.

use std::rc::Rc;

use percept_syntax::TextRange;
use percept_syntax::pddl::AssignOp;
use rustc_hash::{FxHashMap, FxHashSet};

use super::conditions::{Flaw, Judge, Whole};
use super::entailed::{Entailed, Verdict};
use super::formula::{EffectNode, Formula, KeyId, Term, UseId, VarId};
use super::model::{ActionModel, CallableId, Model, Place};
use super::usage::{Usage, fits, terms_fit};
use super::values::Values;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EffectFlaw {
    /// One effect adds and another deletes the same atom in the same step.
    Complementary,
    /// Like `Complementary`, if these terms are the same object.
    Alias(Vec<(Term, Term)>),
    /// Like `Complementary`, if both conditions hold.
    BothConditions,
    /// A `forall` deletes an atom that another effect adds, or the other way round.
    Sweep,
    /// The atom to add already holds, or the one to delete fails, whenever the effect happens.
    Implied,
    Repeated,
    /// A fluent is assigned twice.
    AssignedTwice,
}

#[derive(Clone, Debug)]
pub(crate) struct EffectFinding {
    pub action: u32,
    pub flaw: EffectFlaw,
    pub range: TextRange,
    pub atom: UseId,
    /// The range of the other effect or condition.
    pub because: TextRange,
}

/// The most pairs of effects that are compared in one action.
const PATIENCE: usize = 20_000;

/// The most pairs that are examined in one action for terms that would have to be equal.
const ALIASES: usize = 200;

/// Returns the findings in the effects of all actions in `loud` (see [`loud_actions`](super::loud::loud_actions)).
pub(crate) fn judge_effects(model: &Model, usage: &Usage, values: Option<&Values>, loud: &[u32]) -> Vec<EffectFinding> {
    let mut found = Vec::new();
    let unclear = unclear_names(model);
    for &index in loud.iter().filter(|index| !unclear.contains(&Place::Action(**index))) {
        judge_action(model, Some(usage), values, index, &mut found);
    }
    found
}

/// True if the effects of an action have no finding, whatever else happens in the domain and holds at the start.
pub(crate) fn effects_are_clear(model: &Model, index: u32) -> bool {
    let mut found = Vec::new();
    judge_action(model, None, None, index, &mut found);
    found.is_empty()
}

fn judge_action(
    model: &Model,
    usage: Option<&Usage>,
    values: Option<&Values>,
    index: u32,
    found: &mut Vec<EffectFinding>,
) {
    let action = &model.actions[index as usize];
    let mut leaves = Leaves { model, judge: judge_of(model, action), list: vec![], assigned: vec![] };
    leaves.collect(&action.effects, &Rc::new(Guard::default()), &mut Vec::new());
    let base = leaves.judge.entailed;
    let mut pairs = Pairs { model, usage, values, action: index, base, list: &leaves.list, aliases: 0, seen: vec![] };
    pairs.run(found);
    assigned_twice(model, index, &leaves.assigned, found);
}

/// The places of names whose meaning differs from the intended one. An undeclared name, or a variable that hides
/// another, makes effects look opposite when they are not.
fn unclear_names(model: &Model) -> FxHashSet<Place> {
    let strays = model.strays.iter().map(|stray| stray.place);
    let hidden = model.variables.iter().filter(|variable| variable.shadows.is_some()).map(|variable| variable.place);
    strays.chain(hidden).collect()
}

/// Creates a judge with the knowledge of the precondition.
fn judge_of<'m, 'a>(model: &'m Model<'a>, action: &ActionModel) -> Judge<'m, 'a> {
    let mut judge = Judge::new(model, model.domain_file, Whole::Precondition);
    if let Some(precondition) = &action.precondition {
        judge.walk(precondition, false);
    }
    judge
}

/// The `when` conditions around an effect, outermost first.
#[derive(Debug, Default)]
struct Guard<'f> {
    conditions: Vec<&'f Formula>,
    /// The literals among the conditions.
    literals: Vec<(KeyId, bool)>,
    /// True if the conditions are more than literals.
    complex: bool,
}

impl Guard<'_> {
    /// True if this guard holds whenever `narrower` does.
    fn includes(&self, narrower: &Guard) -> bool {
        let nested = self.conditions.len() <= narrower.conditions.len()
            && self.conditions.iter().zip(&narrower.conditions).all(|(a, b)| std::ptr::eq(*a, *b));
        nested || !self.complex && self.literals.iter().all(|literal| narrower.literals.contains(literal))
    }
}

/// One add or delete effect.
#[derive(Debug)]
struct Leaf<'f> {
    atom: UseId,
    add: bool,
    range: TextRange,
    guard: Rc<Guard<'f>>,
    /// The variables of the `forall`s around it.
    variables: Vec<VarId>,
    verdict: Verdict,
}

struct Leaves<'m, 'a, 'f> {
    model: &'m Model<'a>,
    judge: Judge<'m, 'a>,
    list: Vec<Leaf<'f>>,
    assigned: Vec<(UseId, AssignOp, TextRange, Rc<Guard<'f>>)>,
}

impl<'f> Leaves<'_, '_, 'f> {
    fn collect(&mut self, effects: &'f [EffectNode], guard: &Rc<Guard<'f>>, variables: &mut Vec<VarId>) {
        for effect in effects {
            match effect {
                EffectNode::Add(atom) => self.leaf(*atom, true, self.model.atom(*atom).range, guard, variables),
                EffectNode::Delete { atom, range } => self.leaf(*atom, false, *range, guard, variables),
                EffectNode::Assign { target, op, range, .. } => {
                    self.assigned.push((*target, *op, *range, guard.clone()));
                }
                EffectNode::Forall { variables: own, effects } => {
                    variables.extend(own);
                    self.collect(effects, guard, variables);
                    variables.truncate(variables.len() - own.len());
                }
                EffectNode::When { condition, effects, .. } => {
                    let mark = self.judge.entailed.mark();
                    let found = self.judge.found.len();
                    self.judge.walk(condition, false);
                    // An effect that never happens opposes nothing.
                    let never = self.judge.found[found..].iter().any(|found| found.flaw == Flaw::Contradiction);
                    if !never {
                        let guard = Rc::new(self.inner_guard(guard, condition));
                        self.collect(effects, &guard, variables);
                    }
                    self.judge.entailed.back_to(self.model, mark);
                }
                EffectNode::Observe => {}
            }
        }
    }

    fn inner_guard(&self, outer: &Guard<'f>, condition: &'f Formula) -> Guard<'f> {
        let mut guard = Guard {
            conditions: outer.conditions.iter().copied().chain([condition]).collect(),
            literals: outer.literals.clone(),
            complex: outer.complex,
        };
        condition.conjuncts(&mut |part| match part {
            Formula::Literal { positive, atom, .. } => guard.literals.push((self.model.atom(*atom).key, *positive)),
            _ => guard.complex = true,
        });
        guard
    }

    fn leaf(&mut self, atom: UseId, add: bool, range: TextRange, guard: &Rc<Guard<'f>>, variables: &[VarId]) {
        let verdict = self.judge.entailed.judge(self.model, atom, add);
        let (guard, variables) = (guard.clone(), variables.to_vec());
        self.list.push(Leaf { atom, add, range, guard, variables, verdict });
    }
}

/// Compares the effects of one action with each other.
struct Pairs<'m, 'a, 'l, 'f> {
    model: &'m Model<'a>,
    /// `None` if unknown; then all effects count as possible.
    usage: Option<&'m Usage>,
    values: Option<&'m Values>,
    action: u32,
    /// The knowledge from the precondition.
    base: Entailed,
    list: &'l [Leaf<'f>],
    aliases: usize,
    /// Equal terms that have been reported in this action: one finding for each.
    seen: Vec<Vec<(Term, Term)>>,
}

impl Pairs<'_, '_, '_, '_> {
    fn run(&mut self, found: &mut Vec<EffectFinding>) {
        let head = |(i, leaf): (usize, &Leaf)| Some((self.model.atom(leaf.atom).callable?, i));
        let mut heads: Vec<(CallableId, usize)> = self.list.iter().enumerate().filter_map(head).collect();
        heads.sort_unstable();
        // The order is that of the predicates' first effects in the text.
        let mut groups: Vec<&[(CallableId, usize)]> = heads.chunk_by(|a, b| a.0 == b.0).collect();
        groups.sort_unstable_by_key(|group| group[0].1);
        let mut members = Vec::new();
        for group in groups {
            members.clear();
            members.extend(group.iter().map(|(_, i)| *i));
            self.group(&members, found);
        }
    }

    /// Compares the effects on one predicate.
    fn group(&mut self, group: &[usize], found: &mut Vec<EffectFinding>) {
        let list = self.list;
        let mut tried = 0;
        // Effects that meet an opposite one are not also reported as idle.
        let mut opposed = vec![false; group.len()];
        let mut repeated = vec![false; group.len()];
        for (at, second) in group.iter().enumerate() {
            for (before, first) in group[..at].iter().enumerate() {
                tried += 1;
                if tried > PATIENCE {
                    return;
                }
                let (first, second) = (&list[*first], &list[*second]);
                if first.add != second.add {
                    let meets = fits(self.model, self.model.terms(first.atom), self.model.terms(second.atom));
                    opposed[at] |= meets;
                    opposed[before] |= meets;
                    if meets && let Some(flaw) = self.opposite(first, second) {
                        found.push(self.finding(flaw, second, first.range));
                    }
                } else if self.same_key(first, second) && !repeated[at] {
                    let (wider, narrower) = (first.guard.includes(&second.guard), second.guard.includes(&first.guard));
                    if wider {
                        repeated[at] = true;
                        found.push(self.finding(EffectFlaw::Repeated, second, first.range));
                    } else if narrower && !repeated[before] {
                        repeated[before] = true;
                        found.push(self.finding(EffectFlaw::Repeated, first, second.range));
                    }
                }
            }
        }
        for (at, index) in group.iter().enumerate() {
            if let (Verdict::Always(Some(because)), false, false) = (list[*index].verdict, opposed[at], repeated[at]) {
                found.push(self.finding(EffectFlaw::Implied, &list[*index], because));
            }
        }
    }

    fn finding(&self, flaw: EffectFlaw, leaf: &Leaf, because: TextRange) -> EffectFinding {
        EffectFinding { action: self.action, flaw, range: leaf.range, atom: leaf.atom, because }
    }

    fn same_key(&self, a: &Leaf, b: &Leaf) -> bool {
        self.model.atom(a.atom).key == self.model.atom(b.atom).key
    }

    /// Compares an add and a delete effect that could be about the same atom.
    fn opposite(&mut self, a: &Leaf, b: &Leaf) -> Option<EffectFlaw> {
        let same = self.same_key(a, b);
        if same && (a.guard.includes(&b.guard) || b.guard.includes(&a.guard)) {
            return Some(EffectFlaw::Complementary);
        }
        self.aliases += 1;
        if self.aliases > ALIASES {
            return None;
        }
        let (left, right) = (self.model.terms(a.atom), self.model.terms(b.atom));
        let pairs: Vec<_> = left.iter().zip(right).filter(|(l, r)| l != r).map(|(l, r)| (*l, *r)).collect();
        let free = |term: &Term| match term {
            Term::Variable(id) => a.variables.contains(id) || b.variables.contains(id),
            _ => false,
        };
        let assumed: Vec<_> = pairs.iter().filter(|(l, r)| !free(l) && !free(r)).copied().collect();
        if self.seen.contains(&assumed) && !assumed.is_empty() || !self.possible(a, b, &pairs) {
            return None;
        }
        if !assumed.is_empty() {
            self.seen.push(assumed.clone());
            return Some(EffectFlaw::Alias(assumed));
        }
        Some(if same { EffectFlaw::BothConditions } else { EffectFlaw::Sweep })
    }

    /// True if both effects can happen at once with these terms equal.
    fn possible(&self, a: &Leaf, b: &Leaf, equal: &[(Term, Term)]) -> bool {
        let mut judge = Judge::new(self.model, self.model.domain_file, Whole::When);
        judge.entailed = self.base.clone();
        for condition in a.guard.conditions.iter().chain(&b.guard.conditions) {
            judge.walk(condition, false);
        }
        if judge.found.iter().any(|found| found.flaw == Flaw::Contradiction) {
            return false;
        }
        for (left, right) in equal {
            if !self.values_meet(*left, *right) {
                return false;
            }
            if judge.entailed.unite(self.model, *left, *right, a.range).is_some() {
                return false;
            }
        }
        !self.excluded(&judge.entailed, equal)
    }

    /// True if two terms can be the same object in some match.
    fn values_meet(&self, left: Term, right: Term) -> bool {
        let Some(values) = self.values else { return true };
        let of = |term: Term| match term {
            Term::Variable(id) => values.of(id),
            _ => None,
        };
        match (left, right, of(left), of(right)) {
            (_, _, Some(a), Some(b)) => !a.is_disjoint(b),
            (_, Term::Object(object), Some(values), _) | (Term::Object(object), _, _, Some(values)) => {
                values.contains(&object)
            }
            _ => true,
        }
    }

    /// True if a fact that has to hold excludes the equality: no initial fact of a predicate that never changes fits,
    /// or (if the initial facts are unknown) it relates the two terms, as `(next ?a ?b)` does.
    fn excluded(&self, entailed: &Entailed, equal: &[(Term, Term)]) -> bool {
        let is_start_known = self.model.problem.is_some();
        entailed.atoms(self.model).any(|(head, positive, replaced, original)| {
            if replaced == original {
                return false;
            }
            let relates = equal.iter().any(|(a, b)| original.contains(a) && original.contains(b));
            let mentions = || {
                equal.iter().any(|(a, b)| {
                    original.contains(a) && matches!(b, Term::Object(_))
                        || original.contains(b) && matches!(a, Term::Object(_))
                })
            };
            let Some(usage) = self.usage else { return positive && relates && !is_start_known };
            let fixed = usage.is_static(self.model, head);
            let decided = fixed && is_start_known;
            let facts = || &usage.of(head).init;
            let some_fact_fits =
                || facts().iter().any(|fact| fits_with_itself(self.model, &replaced, self.model.terms(*fact)));
            match (positive, decided) {
                (true, true) => facts().len() < PATIENCE && !some_fact_fits(),
                (true, false) => relates || fixed && mentions(),
                (false, true) => relates && some_fact_fits(),
                (false, false) => relates && fixed,
            }
        })
    }
}

/// The same as `fits`, but two occurrences of a variable have to be one object.
fn fits_with_itself(model: &Model, pattern: &[Term], fact: &[Term]) -> bool {
    fits(model, pattern, fact)
        && pattern
            .iter()
            .zip(fact)
            .all(|(a, x)| pattern.iter().zip(fact).all(|(b, y)| a != b || x == y || !matches!(a, Term::Variable(_))))
        && pattern.iter().zip(fact).all(|(a, x)| terms_fit(model, *a, *x))
}

/// Reports an `assign` beside any other change of the same fluent.
fn assigned_twice(
    model: &Model,
    action: u32,
    assigned: &[(UseId, AssignOp, TextRange, Rc<Guard>)],
    found: &mut Vec<EffectFinding>,
) {
    let mut seen: FxHashMap<KeyId, Vec<usize>> = FxHashMap::default();
    for (i, (target, op, range, guard)) in assigned.iter().enumerate() {
        let before = seen.entry(model.atom(*target).key).or_default();
        let clash = before.iter().take(50).map(|index| &assigned[*index]).find(|(_, other, _, their)| {
            (*op == AssignOp::Assign || *other == AssignOp::Assign) && (guard.includes(their) || their.includes(guard))
        });
        if let Some((_, _, because, _)) = clash {
            let (range, because) = (*range, *because);
            found.push(EffectFinding { action, flaw: EffectFlaw::AssignedTwice, range, atom: *target, because });
        }
        before.push(i);
    }
}
