//! A walk over a domain and its problem that resolves every name.

mod telling;
mod terms;

use percept_syntax::pddl::{
    Action, Arg, Atom, Condition, Effect, Init, OutsideCondition, OutsideKind, TimedAction, TypedGroup,
};
use percept_syntax::{Name, Source, TextRange};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::declare::declarations;
use super::formula::{EffectNode, Formula, KeyId, Orders, Term, UseId, VarId};
use super::model::*;
use super::names::Symbol;
use crate::FileId;

/// The whole model of a domain and its problem. Either may be missing.
pub(crate) fn model<'a>(domain: Option<&'a Source>, problem: Option<&'a Source>) -> Model<'a> {
    resolve(domain, problem, false)
}

/// The model of a domain and its problem without the actions that repeat others: it has the same faults as the whole
/// one. See `plain`.
pub(crate) fn telling_model<'a>(domain: Option<&'a Source>, problem: Option<&'a Source>) -> Model<'a> {
    let model = resolve(domain, problem, true);
    // An `observe` makes it a game, in which no action may be skipped.
    match model.is_pogddl && model.passed_over > 0 {
        true => resolve(domain, problem, false),
        false => model,
    }
}

fn resolve<'a>(domain: Option<&'a Source>, problem: Option<&'a Source>, only_telling: bool) -> Model<'a> {
    let model = declarations(domain, problem);
    let (domain, problem) = (model.domain, model.problem);
    let file = model.domain_file;
    let mut resolver = Resolver {
        model,
        file,
        place: Place::Init,
        scope: Scope::default(),
        keys: FxHashMap::default(),
        keys_here: FxHashMap::default(),
        last_key: 0,
        key_text: KeyText::new(),
        has_object_functions: domain.is_some_and(|domain| {
            let results = domain.functions.iter().filter_map(|function| function.result.as_ref());
            results.into_iter().any(|result| !result.is("number"))
        }),
    };
    if let Some(domain) = domain {
        match only_telling && resolver.may_pass_over(domain) {
            true => resolver.telling_actions(domain),
            false => domain.actions.iter().for_each(|action| resolver.action(action)),
        }
        domain.derived.iter().for_each(|derived| resolver.derived(derived));
        domain.gains.iter().for_each(|gain| resolver.gain(gain));
        domain.timed.iter().for_each(|timed| resolver.timed(timed));
        resolver.place = Place::Plan;
        domain.constraints.iter().for_each(|constraint| drop(resolver.condition(constraint, true)));
    }
    if let Some(problem) = problem {
        resolver.file = resolver.model.problem_file;
        resolver.place = Place::Init;
        problem.init.iter().for_each(|init| resolver.init(init));
        resolver.place = Place::Goal;
        let goal = problem.goal.as_ref().map(|goal| resolver.condition(goal, true));
        resolver.model.goal = goal;
        resolver.place = Place::Plan;
        problem.constraints.iter().for_each(|constraint| drop(resolver.condition(constraint, true)));
        problem.metric.iter().for_each(|metric| drop(resolver.number(metric)));
    }
    let mut model = resolver.model;
    model.is_pogddl |= !model.observes.is_empty();
    model
}

/// The identity of an atom: its head, and the kind and number of each term. Most atoms have at most three terms.
type KeyText = SmallVec<[u32; 7]>;

struct Resolver<'a> {
    model: Model<'a>,
    file: FileId,
    place: Place,
    scope: Scope,
    /// The keys of atoms without variables.
    keys: FxHashMap<KeyText, KeyId>,
    /// The keys of atoms with variables in the current statement: two statements have no variable in common.
    keys_here: FxHashMap<KeyText, KeyId>,
    last_key: u32,
    key_text: KeyText,
    /// True if a function has objects as values, as in PDDL 3.1.
    has_object_functions: bool,
}

/// The innermost variable of each name, indexed by symbol: names are few, and lookups frequent.
#[derive(Default)]
struct Scope(Vec<Option<VarId>>);

impl Scope {
    fn get(&self, name: Symbol) -> Option<VarId> {
        self.0.get(name.0 as usize).copied().flatten()
    }

    /// Returns the variable that the name had before.
    fn set(&mut self, name: Symbol, variable: Option<VarId>) -> Option<VarId> {
        let at = name.0 as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, None);
        }
        std::mem::replace(&mut self.0[at], variable)
    }
}

/// The variables that a scope hides, to restore at its end.
type Hidden = Vec<(Symbol, Option<VarId>)>;

impl<'a> Resolver<'a> {
    fn action(&mut self, action: &'a Action) {
        self.place = Place::Action(self.model.actions.len() as u32);
        let (variables, hidden) = self.parameters(action);
        let precondition = action.precondition.as_ref().map(|condition| self.condition(condition, true));
        let mut effects = Vec::new();
        if let Some(effect) = &action.effect {
            self.effect(effect, &mut effects);
        }
        // In a game the whole field is a mistake.
        if !self.model.is_pogddl {
            action.senses.iter().for_each(|sensed| drop(self.condition(sensed, true)));
        }
        self.unbind(hidden);
        self.model.actions.push(ActionModel { action, timed: None, variables, precondition, effects });
    }

    /// The variables of an action, `:vars` after `:parameters`.
    fn parameters(&mut self, action: &'a Action) -> (Vec<VarId>, Hidden) {
        self.keys_here.clear();
        let (mut variables, mut hidden) = self.bind(&action.params, Binder::Action);
        let (more, hidden_by_more) = self.bind(&action.vars, Binder::Action);
        variables.extend(more);
        hidden.extend(hidden_by_more);
        (variables, hidden)
    }

    /// Resolves only the names: the rules do not reason about time.
    fn timed(&mut self, timed: &'a TimedAction) {
        let action = &timed.action;
        self.place = Place::Action(self.model.actions.len() as u32);
        let (variables, hidden) = self.parameters(action);
        for condition in timed.duration.iter().chain(&action.precondition) {
            self.condition(condition, true);
        }
        action.effect.iter().for_each(|effect| self.effect(effect, &mut Vec::new()));
        self.unbind(hidden);
        self.model.actions.push(ActionModel {
            action,
            timed: Some(timed.kind),
            variables,
            precondition: None,
            effects: Vec::new(),
        });
    }

    fn derived(&mut self, derived: &'a percept_syntax::pddl::Derived) {
        self.place = Place::Derived(self.model.derived.len() as u32);
        let (variables, hidden) = self.bind(&derived.head.params, Binder::Derived);
        let head = self.head(&derived.head, &variables);
        let body = self.condition(&derived.body, true);
        self.unbind(hidden);
        self.model.derived.push(DerivedModel { derived, variables, head, body });
    }

    fn gain(&mut self, gain: &'a percept_syntax::pddl::Gain) {
        self.place = Place::Gain(self.model.gains.len() as u32);
        let (variables, hidden) = self.bind(&gain.params, Binder::Gain);
        self.number(&gain.value);
        let condition = self.condition(&gain.condition, true);
        self.unbind(hidden);
        self.model.gains.push(GainModel { variables, condition });
    }

    fn init(&mut self, init: &'a Init) {
        match init {
            Init::Fact(atom) => drop(self.atom(atom, UseKind::InitFact)),
            Init::Negated { atom, .. } => drop(self.atom(atom, UseKind::InitNegated)),
            Init::Value { target, value, .. } => {
                self.atom(target, UseKind::InitValue);
                self.number(value);
            }
            Init::Outside { facts, .. } => {
                let before = std::mem::replace(&mut self.place, Place::Plan);
                facts.iter().for_each(|fact| self.init(fact));
                self.place = before;
            }
            Init::Error { .. } => {}
        }
    }

    fn bind(&mut self, groups: &'a [TypedGroup], binder: Binder) -> (Vec<VarId>, Hidden) {
        let first = self.model.variables.len() as u32;
        let mut variables = Vec::new();
        let mut hidden = Vec::new();
        for group in groups {
            let types = self.model.type_set(self.file, group);
            self.model.nameless += usize::from(group.names.is_empty());
            for name in &group.names {
                let symbol = self.model.names.intern(&name.text);
                let id = VarId(self.model.variables.len() as u32);
                let before = self.scope.set(symbol, Some(id));
                let duplicate_of = before.filter(|before| before.0 >= first);
                let shadows = before.filter(|before| before.0 < first);
                hidden.push((symbol, before));
                variables.push(id);
                let (file, place, types) = (self.file, self.place, types.clone());
                self.model.variables.push(Variable {
                    name,
                    file,
                    place,
                    binder,
                    types,
                    group,
                    uses: 0,
                    shadows,
                    duplicate_of,
                });
            }
        }
        (variables, hidden)
    }

    fn unbind(&mut self, hidden: Hidden) {
        for (symbol, before) in hidden.into_iter().rev() {
            self.scope.set(symbol, before);
        }
    }

    /// `positive` is false inside an odd number of negations, which are pushed inwards.
    fn condition(&mut self, condition: &'a Condition, positive: bool) -> Formula {
        let range = condition.range();
        match condition {
            Condition::Atom(atom) => {
                let atom = self.atom(atom, UseKind::Read { positive });
                Formula::Literal { positive, atom, range }
            }
            Condition::Equal { left, right, .. } => {
                let (l, r) = (self.term(left), self.term(right));
                Formula::Equal { positive, left: l, right: r, range, inverted: !positive }
            }
            Condition::Not { inner, range, .. } => with_range(self.condition(inner, !positive), *range),
            Condition::And { parts, .. } => {
                let parts = parts.iter().map(|part| self.condition(part, positive)).collect();
                junction(positive, parts, range)
            }
            Condition::Or { parts, .. } => {
                let parts = parts.iter().map(|part| self.condition(part, positive)).collect();
                junction(!positive, parts, range)
            }
            Condition::Imply { left, right, .. } => {
                let parts = vec![self.condition(left, !positive), self.condition(right, positive)];
                junction(!positive, parts, range)
            }
            Condition::Exists { params, body, .. } => self.quantified(params, body, positive, positive, range),
            Condition::Forall { params, body, .. } => self.quantified(params, body, positive, !positive, range),
            Condition::Compare { op, left, right, .. } => {
                let orders = Orders::of(*op);
                let orders = if positive { orders } else { orders.negated() };
                Formula::Compare {
                    orders,
                    left: self.number(left),
                    right: self.number(right),
                    range,
                    inverted: !positive,
                }
            }
            Condition::Outside(outside) => self.outside(outside, positive),
            Condition::Error { .. } => Formula::Unknown { range },
        }
    }

    /// Resolves the names. It is unknown if the condition ever holds.
    fn outside(&mut self, outside: &'a OutsideCondition, positive: bool) -> Formula {
        if let OutsideKind::Preference(Some(name)) = &outside.kind {
            self.model.preferences.push((self.file, name));
        }
        outside.times.iter().for_each(|time| drop(self.number(time)));
        outside.parts.iter().for_each(|part| drop(self.condition(part, positive)));
        Formula::Unknown { range: outside.range }
    }

    fn quantified(
        &mut self,
        params: &'a [TypedGroup],
        body: &'a Condition,
        positive: bool,
        exists: bool,
        range: TextRange,
    ) -> Formula {
        let (variables, hidden) = self.bind(params, Binder::Quantifier);
        let body = Box::new(self.condition(body, positive));
        self.unbind(hidden);
        match exists {
            true => Formula::Exists { body, range },
            false => Formula::Forall { variables, body, range },
        }
    }

    fn effect(&mut self, effect: &'a Effect, into: &mut Vec<EffectNode>) {
        match effect {
            Effect::And { parts, .. } => parts.iter().for_each(|part| self.effect(part, into)),
            Effect::Add(atom) => into.push(EffectNode::Add(self.atom(atom, UseKind::Add))),
            Effect::Delete { atom, range, .. } => {
                let atom = self.atom(atom, UseKind::Delete);
                into.push(EffectNode::Delete { atom, range: *range });
            }
            Effect::When { condition, effect, .. } => {
                let condition = self.condition(condition, true);
                let effects = self.inner_effects(effect);
                into.push(EffectNode::When { condition, effects });
            }
            Effect::Forall { params, effect, .. } => {
                let (variables, hidden) = self.bind(params, Binder::Effect);
                let effects = self.inner_effects(effect);
                self.unbind(hidden);
                into.push(EffectNode::Forall { variables, effects });
            }
            Effect::Assign { op, target, value, range, .. } => {
                let reads = !matches!(op, percept_syntax::pddl::AssignOp::Assign);
                let kind = if reads { UseKind::Number { also_assigned: true } } else { UseKind::Assigned };
                let target = self.atom(target, kind);
                let value = self.number(value);
                into.push(EffectNode::Assign { target, op: *op, value, range: *range });
            }
            Effect::Observe { range, keyword, recipients } => {
                let recipients = recipients.iter().map(|recipient| self.recipient(recipient)).collect();
                into.push(EffectNode::Observe);
                let place = self.place;
                self.model.observes.push(Observe { place, keyword: *keyword, range: *range, recipients });
            }
            // Its effects may happen: it is one of several outcomes, or at another time.
            Effect::Outside { range, parts, .. } => {
                for part in parts {
                    let effects = self.inner_effects(part);
                    into.push(EffectNode::When { condition: Formula::Unknown { range: *range }, effects });
                }
            }
            Effect::Error { .. } => {}
        }
    }

    fn inner_effects(&mut self, effect: &'a Effect) -> Vec<EffectNode> {
        let mut effects = Vec::new();
        self.effect(effect, &mut effects);
        effects
    }

    fn recipient(&mut self, recipient: &'a percept_syntax::pddl::Recipient) -> RecipientUse<'a> {
        let receivers = recipient.receivers.iter().map(|receiver| (receiver, self.receiver(receiver))).collect();
        let message = recipient.message.as_ref().map(|message| self.atom(message, UseKind::Message));
        RecipientUse { range: recipient.range, receivers, message }
    }

    /// Resolves a receiver. A rule of its own reports an undeclared `all` or `others`.
    fn receiver(&mut self, receiver: &'a Arg) -> Term {
        let reserved = !receiver.is_variable && is_reserved(&receiver.name);
        if reserved && self.model.object_named(&receiver.name.text).is_none() {
            return Term::Unknown(self.model.names.intern(&receiver.name.text));
        }
        self.term(receiver)
    }

    fn atom(&mut self, atom: &'a Atom, kind: UseKind) -> UseId {
        let symbol = self.model.names.intern(&atom.name.text);
        let numeric = matches!(kind, UseKind::Number { .. } | UseKind::Assigned | UseKind::InitValue);
        let callable = match (kind, numeric) {
            (UseKind::Message, _) => None,
            (_, true) => self.model.functions.get(&symbol).copied(),
            (_, false) => self.model.predicates.get(&symbol).copied(),
        };
        let start = self.model.terms.len() as u32;
        for arg in &atom.args {
            let term = match kind {
                UseKind::Message => self.message_term(arg),
                _ => self.term(arg),
            };
            self.model.terms.push(term);
        }
        self.push_use((&atom.name, &atom.args, atom.range), kind, callable, start, symbol, numeric)
    }

    /// `u` in a message is the unknown mark, declared or not.
    fn message_term(&mut self, arg: &'a Arg) -> Term {
        let undeclared = self.model.object_named(&arg.name.text).is_none();
        if !arg.is_variable && arg.name.is("u") && undeclared {
            return Term::Unknown(self.model.names.intern("u"));
        }
        self.term(arg)
    }

    fn push_use(
        &mut self,
        (name, args, range): (&'a Name, &'a [Arg], TextRange),
        kind: UseKind,
        callable: Option<CallableId>,
        start: u32,
        symbol: Symbol,
        numeric: bool,
    ) -> UseId {
        let terms = start..self.model.terms.len() as u32;
        let key = self.key(symbol, numeric, terms.clone());
        let id = UseId(self.model.uses.len() as u32);
        let (file, place) = (self.file, self.place);
        self.model.uses.push(AtomUse { name, args, range, file, place, kind, callable, terms, key });
        id
    }

    fn key(&mut self, symbol: Symbol, numeric: bool, terms: std::ops::Range<u32>) -> KeyId {
        self.key_text.clear();
        self.key_text.push(symbol.0 << 1 | u32::from(numeric));
        let mut is_ground = true;
        for term in &self.model.terms[terms.start as usize..terms.end as usize] {
            let (kind, number) = match term {
                Term::Variable(id) => {
                    is_ground = false;
                    (0, id.0)
                }
                Term::Object(id) => (1, id.0),
                Term::Unknown(name) => (2, name.0),
            };
            self.key_text.extend([kind, number]);
        }
        let keys = if is_ground { &mut self.keys } else { &mut self.keys_here };
        if let Some(key) = keys.get(self.key_text.as_slice()) {
            return *key;
        }
        let key = KeyId(self.last_key);
        self.last_key += 1;
        keys.insert(self.key_text.clone(), key);
        key
    }

    /// The head of a derived rule: its variables are also its terms.
    fn head(&mut self, head: &'a percept_syntax::pddl::Signature, variables: &[VarId]) -> UseId {
        let symbol = self.model.names.intern(&head.name.text);
        let callable = self.model.predicates.get(&symbol).copied();
        let start = self.model.terms.len() as u32;
        self.model.terms.extend(variables.iter().map(|id| Term::Variable(*id)));
        self.push_use((&head.name, &[], head.range), UseKind::Head, callable, start, symbol, false)
    }
}

/// True for `all` and `others`.
pub(crate) fn is_reserved(name: &Name) -> bool {
    name.is("all") || name.is("others")
}

fn junction(conjunction: bool, parts: Vec<Formula>, range: TextRange) -> Formula {
    match conjunction {
        true => Formula::And { parts, range },
        false => Formula::Or { parts, range },
    }
}

/// The range of a negated atom is that of its `(not ...)`.
fn with_range(mut formula: Formula, new: TextRange) -> Formula {
    if let Formula::Equal { inverted, .. } | Formula::Compare { inverted, .. } = &mut formula {
        *inverted = !*inverted;
    }
    match &mut formula {
        Formula::Literal { range, .. }
        | Formula::Equal { range, .. }
        | Formula::Compare { range, .. }
        | Formula::And { range, .. }
        | Formula::Or { range, .. }
        | Formula::Exists { range, .. }
        | Formula::Forall { range, .. }
        | Formula::Unknown { range } => *range = new,
    }
    formula
}
