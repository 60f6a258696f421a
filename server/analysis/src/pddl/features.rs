//! The requirement flags that a domain needs, each with its first reason, and the features that a flag includes.

use percept_syntax::TextRange;
use percept_syntax::pddl::{Action, AssignOp, Condition, Domain, Effect, Problem, TypedGroup};

/// The function that `:action-costs` allows actions to increase.
const TOTAL_COST: &str = "total-cost";

/// A part of the language with a flag of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Feature {
    Typing,
    NegativePreconditions,
    DisjunctivePreconditions,
    Equality,
    ExistentialPreconditions,
    UniversalPreconditions,
    ConditionalEffects,
    Fluents,
    Costs,
    DerivedPredicates,
    Pogddl,
}

impl Feature {
    pub(crate) fn flag(self) -> &'static str {
        match self {
            Feature::Typing => ":typing",
            Feature::NegativePreconditions => ":negative-preconditions",
            Feature::DisjunctivePreconditions => ":disjunctive-preconditions",
            Feature::Equality => ":equality",
            Feature::ExistentialPreconditions => ":existential-preconditions",
            Feature::UniversalPreconditions => ":universal-preconditions",
            Feature::ConditionalEffects => ":conditional-effects",
            Feature::Fluents => ":fluents",
            Feature::Costs => ":action-costs",
            Feature::DerivedPredicates => ":derived-predicates",
            Feature::Pogddl => ":pogddl",
        }
    }

    /// True if the goal or the metric of a problem may need the feature.
    pub(crate) fn is_of_problems(self) -> bool {
        matches!(
            self,
            Feature::NegativePreconditions
                | Feature::DisjunctivePreconditions
                | Feature::Equality
                | Feature::ExistentialPreconditions
                | Feature::UniversalPreconditions
                | Feature::Fluents
        )
    }

    /// The author's name for it, for messages.
    pub(crate) fn what(self) -> &'static str {
        match self {
            Feature::Typing => "types",
            Feature::NegativePreconditions => "`not` in conditions",
            Feature::DisjunctivePreconditions => "`or` and `imply`",
            Feature::Equality => "`=` between objects",
            Feature::ExistentialPreconditions => "`exists`",
            Feature::UniversalPreconditions => "`forall` in conditions",
            Feature::ConditionalEffects => "`when` and `forall` in effects",
            Feature::Fluents => "numbers",
            Feature::Costs => "`total-cost`",
            Feature::DerivedPredicates => "`:derived`",
            Feature::Pogddl => "`observe` and `:gain`",
        }
    }
}

/// The features that a flag (with its `:`, in lower case) includes. Empty for `:strips` and for flags of features that
/// are not handled here; `None` for an unknown flag.
pub(crate) fn features_of(flag: &str) -> Option<&'static [Feature]> {
    use Feature::*;
    Some(match flag {
        ":typing" => &[Typing],
        ":negative-preconditions" => &[NegativePreconditions],
        ":disjunctive-preconditions" => &[DisjunctivePreconditions],
        ":equality" => &[Equality],
        ":existential-preconditions" => &[ExistentialPreconditions],
        ":universal-preconditions" => &[UniversalPreconditions],
        ":quantified-preconditions" => &[ExistentialPreconditions, UniversalPreconditions],
        ":conditional-effects" => &[ConditionalEffects],
        ":fluents" | ":numeric-fluents" => &[Fluents, Costs],
        ":derived-predicates" => &[DerivedPredicates],
        ":pogddl" => &[Pogddl],
        ":adl" | ":ucpop" => &[
            Typing,
            NegativePreconditions,
            DisjunctivePreconditions,
            Equality,
            ExistentialPreconditions,
            UniversalPreconditions,
            ConditionalEffects,
        ],
        ":strips"
        | ":object-fluents"
        | ":durative-actions"
        | ":duration-inequalities"
        | ":durative-inequalities"
        | ":continuous-effects"
        | ":timed-initial-literals"
        | ":timed-initial-fluents"
        | ":action-costs"
        | ":preferences"
        | ":constraints"
        | ":goal-utilities"
        | ":domain-axioms"
        | ":time"
        | ":non-deterministic"
        | ":probabilistic-effects"
        | ":rewards"
        | ":mdp"
        | ":contingent"
        | ":hierarchy"
        | ":htn"
        | ":hierachie"
        | ":method-preconditions"
        | ":htn-expansion"
        | ":foreach-expansions"
        | ":dag-expansions"
        | ":subgoal-through-axioms"
        | ":safety-constraints"
        | ":expression-evaluation"
        | ":open-world"
        | ":true-negation"
        | ":multi-agent"
        | ":unfactored-privacy"
        | ":factored-privacy"
        | ":disjunctive-effects"
        | ":partial-observability"
        | ":supply-demand"
        | ":job-scheduling" => &[],
        _ => return None,
    })
}

/// Every flag that an author may mean.
pub(crate) const FLAGS: [&str; 22] = [
    ":strips",
    ":typing",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":equality",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":conditional-effects",
    ":fluents",
    ":numeric-fluents",
    ":object-fluents",
    ":derived-predicates",
    ":pogddl",
    ":adl",
    ":durative-actions",
    ":duration-inequalities",
    ":timed-initial-literals",
    ":action-costs",
    ":preferences",
    ":constraints",
    ":non-deterministic",
];

/// The features in use, each with the range that shows it, and true if that is in the problem. Those of the domain are
/// first; the problem is only searched for others.
///
/// A `broken` range was read with the wrong brackets and does not count. `actions` are those of the domain.
pub(crate) fn features_in<'a>(
    domain: &Domain,
    actions: impl Iterator<Item = &'a Action>,
    problem: Option<&Problem>,
    broken: &[TextRange],
) -> Vec<(Feature, TextRange, bool)> {
    let mut found = FeatureUses { list: Vec::new(), in_problem: false, broken };
    found.declarations(domain);
    actions.for_each(|action| found.action(action));
    found.rules(domain);
    if let Some(problem) = problem {
        found.in_problem = true;
        problem.objects.iter().for_each(|group| found.group(group));
        if let Some(goal) = &problem.goal {
            found.condition(goal);
        }
        let metric = problem.sections.iter().find(|section| section.keyword.is(":metric"));
        metric.into_iter().for_each(|metric| found.note(Feature::Fluents, metric.keyword.range));
    }
    found.list
}

/// The features that an action uses.
pub(super) fn features_of_action(action: &Action) -> impl Iterator<Item = Feature> {
    let mut found = FeatureUses { list: Vec::new(), in_problem: false, broken: &[] };
    found.action(action);
    found.list.into_iter().map(|(feature, ..)| feature)
}

struct FeatureUses<'b> {
    list: Vec<(Feature, TextRange, bool)>,
    in_problem: bool,
    broken: &'b [TextRange],
}

impl FeatureUses<'_> {
    fn note(&mut self, feature: Feature, range: TextRange) {
        if self.broken.iter().any(|broken| broken.contains_range(range)) {
            return;
        }
        if !self.list.iter().any(|(other, ..)| *other == feature) {
            self.list.push((feature, range, self.in_problem));
        }
    }

    fn declarations(&mut self, domain: &Domain) {
        if let Some(section) = domain.sections.iter().find(|section| section.keyword.is(":types")) {
            self.note(Feature::Typing, section.keyword.range);
        }
        let functions = domain.functions.iter().map(|function| &function.signature);
        let heads = domain.derived.iter().map(|derived| &derived.head);
        domain.constants.iter().for_each(|group| self.group(group));
        for signature in domain.predicates.iter().chain(functions).chain(heads) {
            signature.params.iter().for_each(|group| self.group(group));
        }
        if let Some(section) = domain.sections.iter().find(|section| section.keyword.is(":functions")) {
            // In a domain with `total-cost`, other functions only define costs.
            let counts = domain.functions.iter().any(|function| function.signature.name.is(TOTAL_COST));
            self.note(if counts { Feature::Costs } else { Feature::Fluents }, section.keyword.range);
        }
    }

    fn action(&mut self, action: &Action) {
        action.params.iter().chain(&action.vars).for_each(|group| self.group(group));
        action.precondition.iter().for_each(|condition| self.condition(condition));
        action.effect.iter().for_each(|effect| self.effect(effect));
    }

    fn rules(&mut self, domain: &Domain) {
        for derived in &domain.derived {
            self.note(Feature::DerivedPredicates, derived.head.name.range);
            self.condition(&derived.body);
        }
        for gain in &domain.gains {
            self.note(Feature::Pogddl, TextRange::new(gain.range.start, gain.range.start + 6));
            gain.params.iter().for_each(|group| self.group(group));
            self.condition(&gain.condition);
        }
    }

    fn group(&mut self, group: &TypedGroup) {
        if let Some(ty) = group.types.first() {
            self.note(Feature::Typing, ty.range);
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Atom(_) | Condition::Error { .. } => {}
            Condition::Outside(outside) => outside.parts.iter().for_each(|part| self.condition(part)),
            Condition::Equal { range, .. } => self.note(Feature::Equality, *range),
            Condition::Compare { keyword, .. } => self.note(Feature::Fluents, *keyword),
            Condition::Not { keyword, inner, .. } => {
                match **inner {
                    Condition::Atom(_) | Condition::Equal { .. } => self.note(Feature::NegativePreconditions, *keyword),
                    Condition::Exists { .. }
                    | Condition::Forall { .. }
                    | Condition::Compare { .. }
                    | Condition::Outside(_)
                    | Condition::Error { .. } => {}
                    _ => self.note(Feature::DisjunctivePreconditions, *keyword),
                }
                self.condition(inner);
            }
            Condition::And { parts, .. } => parts.iter().for_each(|part| self.condition(part)),
            Condition::Or { keyword, parts, .. } => {
                self.note(Feature::DisjunctivePreconditions, *keyword);
                parts.iter().for_each(|part| self.condition(part));
            }
            Condition::Imply { keyword, left, right, .. } => {
                self.note(Feature::DisjunctivePreconditions, *keyword);
                self.condition(left);
                self.condition(right);
            }
            Condition::Exists { keyword, params, body, .. } => {
                self.note(Feature::ExistentialPreconditions, *keyword);
                params.iter().for_each(|group| self.group(group));
                self.condition(body);
            }
            Condition::Forall { keyword, params, body, .. } => {
                self.note(Feature::UniversalPreconditions, *keyword);
                params.iter().for_each(|group| self.group(group));
                self.condition(body);
            }
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::And { parts, .. } => parts.iter().for_each(|part| self.effect(part)),
            Effect::When { keyword, condition, effect, .. } => {
                self.note(Feature::ConditionalEffects, *keyword);
                self.condition(condition);
                self.effect(effect);
            }
            Effect::Forall { keyword, params, effect, .. } => {
                self.note(Feature::ConditionalEffects, *keyword);
                params.iter().for_each(|group| self.group(group));
                self.effect(effect);
            }
            Effect::Assign { keyword, target, op, .. } => {
                let pays = *op == AssignOp::Increase && target.name.is(TOTAL_COST);
                self.note(if pays { Feature::Costs } else { Feature::Fluents }, *keyword);
            }
            Effect::Observe { keyword, .. } => self.note(Feature::Pogddl, *keyword),
            Effect::Outside { parts, .. } => parts.iter().for_each(|part| self.effect(part)),
            Effect::Add(_) | Effect::Delete { .. } | Effect::Error { .. } => {}
        }
    }
}
