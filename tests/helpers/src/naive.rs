//! A second reading of POGDDL that shares nothing with the engine: facts are lists of words, every formula is evaluated
//! by recursion over the syntax, every variable by trying all objects of its type.

use std::collections::{BTreeMap, BTreeSet};

use percept_syntax::pddl::*;

type Words = Vec<String>;
type Binding = BTreeMap<String, String>;

/// A state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    /// The facts that hold, without derived facts.
    pub facts: BTreeSet<Words>,
    /// The values of functions; 0 if unset.
    pub numbers: BTreeMap<Words, i64>,
}

/// A reader of one game.
pub struct Naive {
    domain: Domain,
    problem: Problem,
    objects: BTreeMap<String, BTreeSet<String>>,
    /// The roles, in the order of declaration.
    pub roles: Vec<String>,
}

/// An action with its arguments.
pub type Action = Words;

#[derive(Default)]
struct Effects {
    adds: Vec<Words>,
    deletes: Vec<Words>,
    numbers: Vec<(AssignOp, Words, i64)>,
    messages: Vec<(String, Words)>,
}

fn low(name: &percept_syntax::Name) -> String {
    name.text.to_lowercase()
}

impl Naive {
    /// The game of a domain and a problem, both without mistakes.
    pub fn new(domain: Domain, problem: Problem) -> Naive {
        let mut parents: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for group in &domain.types {
            for name in &group.names {
                parents.entry(low(name)).or_default().extend(group.types.iter().map(low));
            }
        }
        let mut objects: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut roles = Vec::new();
        for group in domain.constants.iter().chain(&problem.objects) {
            let mut kinds: BTreeSet<String> = group.types.iter().map(low).collect();
            for _ in 0..parents.len() {
                let above: Vec<String> = kinds.iter().filter_map(|kind| parents.get(kind)).flatten().cloned().collect();
                kinds.extend(above);
            }
            for name in &group.names {
                let name = low(name);
                for kind in &kinds {
                    objects.entry(kind.clone()).or_default().insert(name.clone());
                }
                let mark = ["all", "others", "u"].contains(&name.as_str());
                if !mark || group.types.iter().map(low).collect::<Vec<_>>() != ["other"] {
                    objects.entry("object".into()).or_default().insert(name.clone());
                }
                if kinds.contains("role") && !roles.contains(&name) {
                    roles.push(name);
                }
            }
        }
        Naive { domain, problem, objects, roles }
    }

    fn of_type(&self, types: &[percept_syntax::Name]) -> BTreeSet<String> {
        let one = |kind: &str| self.objects.get(kind).cloned().unwrap_or_default();
        match types {
            [] => one("object"),
            types => types.iter().flat_map(|kind| one(&low(kind))).collect(),
        }
    }

    /// All bindings of a typed list, the first variable slowest.
    fn bindings(&self, params: &[TypedGroup], outer: &Binding) -> Vec<Binding> {
        let mut all = vec![outer.clone()];
        for group in params {
            for name in &group.names {
                let objects = self.of_type(&group.types);
                all = all
                    .into_iter()
                    .flat_map(|binding| {
                        objects.iter().map(move |object| {
                            let mut binding = binding.clone();
                            binding.insert(low(name), object.clone());
                            binding
                        })
                    })
                    .collect();
            }
        }
        all
    }

    fn ground(atom: &Atom, binding: &Binding) -> Words {
        let arg = |arg: &Arg| if arg.is_variable { binding[&low(&arg.name)].clone() } else { low(&arg.name) };
        std::iter::once(low(&atom.name)).chain(atom.args.iter().map(arg)).collect()
    }

    /// The world at the start of matches.
    pub fn initial(&self) -> World {
        let mut world = World { facts: BTreeSet::new(), numbers: BTreeMap::new() };
        for entry in &self.problem.init {
            match entry {
                Init::Fact(atom) => {
                    world.facts.insert(Self::ground(atom, &Binding::new()));
                }
                Init::Value { target, value, .. } => {
                    let value = self.number(value, &world, &Binding::new());
                    world.numbers.insert(Self::ground(target, &Binding::new()), value);
                }
                _ => {}
            }
        }
        world
    }

    /// The world with its derived facts. Rules of one head are consecutive, lower levels first.
    fn closed(&self, world: &World) -> World {
        let mut world = world.clone();
        for rules in self.domain.derived.chunk_by(|left, right| low(&left.head.name) == low(&right.head.name)) {
            loop {
                let before = world.facts.len();
                for rule in rules {
                    for binding in self.bindings(&rule.head.params, &Binding::new()) {
                        if self.holds(&rule.body, &world, &binding) {
                            let args = rule
                                .head
                                .params
                                .iter()
                                .flat_map(|group| &group.names)
                                .map(|name| binding[&low(name)].clone());
                            world.facts.insert(std::iter::once(low(&rule.head.name)).chain(args).collect());
                        }
                    }
                }
                if world.facts.len() == before {
                    break;
                }
            }
        }
        world
    }

    fn holds(&self, condition: &Condition, world: &World, binding: &Binding) -> bool {
        let arg = |arg: &Arg| if arg.is_variable { binding[&low(&arg.name)].clone() } else { low(&arg.name) };
        match condition {
            Condition::Atom(atom) => world.facts.contains(&Self::ground(atom, binding)),
            Condition::Equal { left, right, .. } => arg(left) == arg(right),
            Condition::Not { inner, .. } => !self.holds(inner, world, binding),
            Condition::And { parts, .. } => parts.iter().all(|part| self.holds(part, world, binding)),
            Condition::Or { parts, .. } => parts.iter().any(|part| self.holds(part, world, binding)),
            Condition::Imply { left, right, .. } => {
                !self.holds(left, world, binding) || self.holds(right, world, binding)
            }
            Condition::Exists { params, body, .. } => {
                self.bindings(params, binding).iter().any(|inner| self.holds(body, world, inner))
            }
            Condition::Forall { params, body, .. } => {
                self.bindings(params, binding).iter().all(|inner| self.holds(body, world, inner))
            }
            Condition::Compare { op, left, right, .. } => {
                let (left, right) = (self.number(left, world, binding), self.number(right, world, binding));
                match op {
                    Comparison::Less => left < right,
                    Comparison::LessEqual => left <= right,
                    Comparison::Equal => left == right,
                    Comparison::GreaterEqual => left >= right,
                    Comparison::Greater => left > right,
                }
            }
            Condition::Outside(_) | Condition::Error { .. } => panic!("a syntax error"),
        }
    }

    fn number(&self, expr: &Expr, world: &World, binding: &Binding) -> i64 {
        match expr {
            Expr::Number { text, .. } => text.parse().expect("a whole number"),
            Expr::Fluent(atom) => world.numbers.get(&Self::ground(atom, binding)).copied().unwrap_or(0),
            Expr::Operation { op, operands, .. } => {
                let values: Vec<i64> = operands.iter().map(|operand| self.number(operand, world, binding)).collect();
                let [first, rest @ ..] = &values[..] else { panic!("no operands") };
                match op {
                    Operator::Subtract if rest.is_empty() => first.saturating_neg(),
                    Operator::Add => rest.iter().fold(*first, |left, right| left.saturating_add(*right)),
                    Operator::Subtract => rest.iter().fold(*first, |left, right| left.saturating_sub(*right)),
                    Operator::Multiply => rest.iter().fold(*first, |left, right| left.saturating_mul(*right)),
                    Operator::Divide => rest.iter().fold(*first, |left, right| left.checked_div(*right).unwrap_or(0)),
                }
            }
            Expr::Outside { .. } | Expr::Object(_) | Expr::Error { .. } => panic!("a syntax error"),
        }
    }

    /// The role in turn.
    pub fn mover(&self, world: &World) -> Option<String> {
        self.roles.iter().rev().find(|role| world.facts.contains(&vec!["whoseturn".into(), (*role).clone()])).cloned()
    }

    /// The legal actions in order; empty if no role is in turn.
    pub fn legal(&self, world: &World) -> Vec<Action> {
        if self.mover(world).is_none() {
            return Vec::new();
        }
        let world = self.closed(world);
        let mut legal = Vec::new();
        for action in &self.domain.actions {
            for binding in self.bindings(&action.params, &Binding::new()) {
                if action.precondition.as_ref().is_none_or(|condition| self.holds(condition, &world, &binding)) {
                    let args =
                        action.params.iter().flat_map(|group| &group.names).map(|name| binding[&low(name)].clone());
                    legal.push(std::iter::once(low(&action.name)).chain(args).collect());
                }
            }
        }
        legal
    }

    fn effects(&self, world: &World, action: &Action) -> Effects {
        let schema = self.domain.actions.iter().find(|schema| low(&schema.name) == action[0]).expect("an action");
        let names = schema.params.iter().flat_map(|group| &group.names);
        let binding: Binding = names.map(low).zip(action[1..].iter().cloned()).collect();
        let mut effects = Effects::default();
        if let Some(effect) = &schema.effect {
            self.effect(effect, &self.closed(world), &binding, &mut effects);
        }
        effects
    }

    fn effect(&self, effect: &Effect, world: &World, binding: &Binding, out: &mut Effects) {
        match effect {
            Effect::And { parts, .. } => parts.iter().for_each(|part| self.effect(part, world, binding, out)),
            Effect::Add(atom) => out.adds.push(Self::ground(atom, binding)),
            Effect::Delete { atom, .. } => out.deletes.push(Self::ground(atom, binding)),
            Effect::When { condition, effect, .. } => {
                if self.holds(condition, world, binding) {
                    self.effect(effect, world, binding, out);
                }
            }
            Effect::Forall { params, effect, .. } => {
                self.bindings(params, binding).iter().for_each(|inner| self.effect(effect, world, inner, out));
            }
            Effect::Assign { op, target, value, .. } => {
                out.numbers.push((*op, Self::ground(target, binding), self.number(value, world, binding)));
            }
            Effect::Observe { recipients, .. } => self.observe(recipients, binding, out),
            Effect::Outside { .. } | Effect::Error { .. } => panic!("a syntax error"),
        }
    }

    fn observe(&self, recipients: &[Recipient], binding: &Binding, out: &mut Effects) {
        let receivers = |recipient: &Recipient| -> Vec<String> {
            let name = |arg: &Arg| if arg.is_variable { binding[&low(&arg.name)].clone() } else { low(&arg.name) };
            recipient.receivers.iter().map(name).collect()
        };
        for role in &self.roles {
            let named = |recipient: &Recipient| receivers(recipient).iter().any(|name| name == "all" || name == role);
            let is_named = recipients.iter().any(named);
            let mut served = false;
            for recipient in recipients {
                let as_other = !is_named
                    && !served
                    && role != "chance"
                    && receivers(recipient).iter().any(|name| name == "others");
                served |= as_other;
                if named(recipient) || as_other {
                    let message = recipient.message.as_ref().expect("a message");
                    out.messages.push((role.clone(), Self::ground(message, binding)));
                }
            }
        }
    }

    /// The world after an action.
    pub fn next(&self, world: &World, action: &Action) -> World {
        let effects = self.effects(world, action);
        let mut next = world.clone();
        for fact in &effects.deletes {
            next.facts.remove(fact);
        }
        next.facts.extend(effects.adds.iter().cloned());
        let targets: BTreeSet<&Words> = effects.numbers.iter().map(|(_, target, _)| target).collect();
        for target in targets {
            let old = world.numbers.get(target).copied().unwrap_or(0);
            let (mut set, mut sum) = (None, old);
            for (op, _, value) in effects.numbers.iter().filter(|(_, other, _)| other == target) {
                match op {
                    AssignOp::Assign => set = Some(*value),
                    AssignOp::Increase => sum = sum.saturating_add(*value),
                    AssignOp::Decrease => sum = sum.saturating_add(value.saturating_neg()),
                    AssignOp::ScaleUp => set = Some(old.saturating_mul(*value)),
                    AssignOp::ScaleDown => set = Some(old.checked_div(*value).unwrap_or(0)),
                }
            }
            next.numbers.insert(target.clone(), set.unwrap_or(sum));
        }
        next
    }

    /// The messages to a role for an action, in order.
    pub fn messages(&self, world: &World, action: &Action, role: &str) -> Vec<String> {
        let sent = self.effects(world, action).messages;
        sent.into_iter().filter(|(to, _)| to == role).map(|(_, words)| format!("({})", words.join(" "))).collect()
    }

    /// The payoff of a role if the match ended here.
    pub fn payoff(&self, world: &World, role: &str) -> i64 {
        if role == "chance" {
            return 0;
        }
        let world = self.closed(world);
        let mut sum = 0;
        for gain in &self.domain.gains {
            let first = low(&gain.params[0].names[0]);
            let paid = self.bindings(&gain.params, &Binding::new());
            let paid = paid.iter().filter(|binding| binding[&first] == role);
            if let Some(binding) = paid.clone().find(|binding| self.holds(&gain.condition, &world, binding)) {
                sum = i64::saturating_add(sum, self.number(&gain.value, &world, binding));
            }
        }
        sum
    }

    /// True if the match is over; `ends_at_payoff`: also if the sum of all payoffs is positive.
    pub fn terminal(&self, world: &World, ends_at_payoff: bool) -> bool {
        let total = self.roles.iter().fold(0i64, |sum, role| sum.saturating_add(self.payoff(world, role)));
        (ends_at_payoff && total > 0) || self.legal(world).is_empty()
    }
}
