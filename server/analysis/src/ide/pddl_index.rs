//! The names of a POGDDL domain or problem.

use percept_syntax::pddl::{
    Action, Arg, Atom, Condition, Definition, Derived, Domain, Effect, Expr, File, Gain, Init, OutsideCondition,
    OutsideKind, Problem, Recipient, Section, Signature, TimedAction, TypedGroup,
};
use percept_syntax::{Name, TextRange};
use smol_str::SmolStr;

use super::index::{Access, Builder, Class, Namespace, Symbol};

pub(super) fn build(file: &File, builder: &mut Builder) {
    let mut walk = Walk { builder, scopes: Vec::new(), form: 0 };
    for definition in &file.definitions {
        match definition {
            Definition::Domain(domain) => walk.domain(domain),
            Definition::Problem(problem) => walk.problem(problem),
        }
        walk.builder.item += 1;
    }
}

struct Walk<'a> {
    builder: &'a mut Builder,
    /// The variables in scope, innermost last, each with the byte of its declaration.
    scopes: Vec<(SmolStr, u32)>,
    /// The start of the form to which unbound variables are assigned.
    form: u32,
}

impl Walk<'_> {
    fn domain(&mut self, domain: &Domain) {
        self.names(domain.name.as_slice(), Namespace::DomainName, Class::Name, Access::Define);
        self.sections(&domain.sections);
        self.names(&domain.requirements, Namespace::Requirement, Class::Requirement, Access::Read);
        for group in &domain.types {
            self.typed(group);
            self.names(&group.names, Namespace::Type, Class::Type, Access::Define);
            self.names(&group.types, Namespace::Type, Class::Type, Access::Read);
        }
        self.objects(&domain.constants);
        for predicate in &domain.predicates {
            self.item(|walk| walk.signature(predicate, Namespace::Predicate, Class::Predicate));
        }
        for function in &domain.functions {
            self.item(|walk| {
                walk.signature(&function.signature, Namespace::NumericFunction, Class::NumericFunction);
                walk.names(function.result.as_slice(), Namespace::Type, Class::Type, Access::Read);
            });
        }
        for derived in &domain.derived {
            self.item(|walk| walk.derived(derived));
        }
        for action in &domain.actions {
            self.item(|walk| walk.action(action));
        }
        for gain in &domain.gains {
            self.item(|walk| walk.gain(gain));
        }
        for timed in &domain.timed {
            self.item(|walk| walk.timed(timed));
        }
        self.constraints(&domain.constraints);
    }

    fn constraints(&mut self, constraints: &[Condition]) {
        for constraint in constraints {
            self.item(|walk| {
                walk.form = constraint.range().start;
                walk.condition(constraint);
            });
        }
    }

    fn timed(&mut self, timed: &TimedAction) {
        self.action(&timed.action);
        if let Some(duration) = &timed.duration {
            self.condition(duration);
        }
    }

    fn problem(&mut self, problem: &Problem) {
        self.names(problem.name.as_slice(), Namespace::ProblemName, Class::Name, Access::Define);
        self.names(problem.domain.as_slice(), Namespace::DomainName, Class::Name, Access::Read);
        self.sections(&problem.sections);
        self.names(&problem.requirements, Namespace::Requirement, Class::Requirement, Access::Read);
        self.objects(&problem.objects);
        for init in &problem.init {
            self.init(init);
        }
        if let Some(goal) = &problem.goal {
            self.item(|walk| walk.condition(goal));
        }
        self.constraints(&problem.constraints);
        if let Some(metric) = &problem.metric {
            self.item(|walk| walk.expr(metric));
        }
    }

    fn item(&mut self, inside: impl FnOnce(&mut Self)) {
        self.builder.item += 1;
        let depth = self.scopes.len();
        inside(self);
        self.scopes.truncate(depth);
    }

    fn sections(&mut self, sections: &[Section]) {
        for section in sections {
            self.keyword(section.keyword.range, &section.keyword.text);
        }
    }

    fn objects(&mut self, groups: &[TypedGroup]) {
        for group in groups {
            let is_role = group.types.iter().any(|name| name.is("role"));
            let class = if is_role { Class::Role } else { Class::Object };
            self.typed(group);
            self.names(&group.names, Namespace::Object, class, Access::Define);
            self.names(&group.types, Namespace::Type, Class::Type, Access::Read);
        }
    }

    fn signature(&mut self, signature: &Signature, namespace: Namespace, class: Class) {
        self.form = signature.range.start;
        self.names(std::slice::from_ref(&signature.name), namespace, class, Access::Define);
        self.params(&signature.params);
    }

    fn derived(&mut self, derived: &Derived) {
        self.signature(&derived.head, Namespace::Predicate, Class::Predicate);
        self.form = derived.range.start;
        self.condition(&derived.body);
    }

    fn action(&mut self, action: &Action) {
        self.form = action.range.start;
        self.names(std::slice::from_ref(&action.name), Namespace::Action, Class::Action, Access::Define);
        self.sections(&action.fields);
        self.params(&action.params);
        self.params(&action.vars);
        if let Some(precondition) = &action.precondition {
            self.condition(precondition);
        }
        if let Some(effect) = &action.effect {
            self.effect(effect);
        }
        if let Some(senses) = &action.senses {
            self.condition(senses);
        }
    }

    fn gain(&mut self, gain: &Gain) {
        self.form = gain.range.start;
        self.params(&gain.params);
        self.expr(&gain.value);
        self.condition(&gain.condition);
    }

    fn init(&mut self, init: &Init) {
        match init {
            Init::Fact(atom) | Init::Negated { atom, .. } => self.predicate(atom, Access::Read),
            Init::Value { target, value, .. } => {
                self.fluent(target, Access::Write);
                self.expr(value);
            }
            Init::Outside { keyword, facts, .. } => {
                self.keyword(keyword.range, &keyword.text);
                facts.iter().for_each(|fact| self.init(fact));
            }
            Init::Error { .. } => {}
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Atom(atom) => self.predicate(atom, Access::Read),
            Condition::Equal { left, right, .. } => {
                self.arg(left);
                self.arg(right);
            }
            Condition::Not { keyword, inner, .. } => {
                self.keyword(*keyword, "not");
                self.condition(inner);
            }
            Condition::And { keyword, parts, .. } => self.connective(*keyword, "and", parts),
            Condition::Or { keyword, parts, .. } => self.connective(*keyword, "or", parts),
            Condition::Imply { keyword, left, right, .. } => {
                self.keyword(*keyword, "imply");
                self.condition(left);
                self.condition(right);
            }
            Condition::Exists { keyword, params, body, .. } => {
                self.keyword(*keyword, "exists");
                self.within(params, |walk| walk.condition(body));
            }
            Condition::Forall { keyword, params, body, .. } => {
                self.keyword(*keyword, "forall");
                self.within(params, |walk| walk.condition(body));
            }
            Condition::Compare { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            Condition::Outside(outside) => self.outside(outside),
            Condition::Error { .. } => {}
        }
    }

    fn outside(&mut self, outside: &OutsideCondition) {
        self.keyword(outside.keyword.range, &outside.keyword.text);
        if let OutsideKind::Preference(Some(name)) = &outside.kind {
            self.names(std::slice::from_ref(name), Namespace::Preference, Class::Name, Access::Define);
        }
        outside.times.iter().for_each(|time| self.expr(time));
        outside.parts.iter().for_each(|part| self.condition(part));
    }

    fn connective(&mut self, keyword: TextRange, word: &str, parts: &[Condition]) {
        self.keyword(keyword, word);
        for part in parts {
            self.condition(part);
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::And { keyword, parts, .. } => {
                self.keyword(*keyword, "and");
                parts.iter().for_each(|part| self.effect(part));
            }
            Effect::Add(atom) => self.predicate(atom, Access::Write),
            Effect::Delete { keyword, atom, .. } => {
                self.keyword(*keyword, "not");
                self.predicate(atom, Access::Write);
            }
            Effect::When { keyword, condition, effect, .. } => {
                self.keyword(*keyword, "when");
                self.condition(condition);
                self.effect(effect);
            }
            Effect::Forall { keyword, params, effect, .. } => {
                self.keyword(*keyword, "forall");
                self.within(params, |walk| walk.effect(effect));
            }
            Effect::Assign { op, keyword, target, value, .. } => {
                self.keyword(*keyword, op.keyword());
                self.fluent(target, Access::Write);
                self.expr(value);
            }
            Effect::Observe { keyword, recipients, .. } => {
                self.keyword(*keyword, "observe");
                recipients.iter().for_each(|recipient| self.recipient(recipient));
            }
            Effect::Outside { keyword, parts, .. } => {
                self.keyword(keyword.range, &keyword.text);
                parts.iter().for_each(|part| self.effect(part));
            }
            Effect::Error { .. } => {}
        }
    }

    fn recipient(&mut self, recipient: &Recipient) {
        for receiver in &recipient.receivers {
            match receiver.name.text.to_ascii_lowercase().as_str() {
                word @ ("all" | "others") if !receiver.is_variable => self.keyword(receiver.name.range, word),
                _ if receiver.is_variable => self.variable(&receiver.name),
                _ => self.names(std::slice::from_ref(&receiver.name), Namespace::Object, Class::Role, Access::Read),
            }
        }
        if let Some(message) = &recipient.message {
            let name = std::slice::from_ref(&message.name);
            self.names(name, Namespace::Message, Class::Percept, Access::Write);
            message.args.iter().for_each(|arg| self.arg(arg));
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Number { .. } | Expr::Error { .. } => {}
            Expr::Object(arg) => self.arg(arg),
            Expr::Outside { preference, .. } => {
                self.names(preference.as_slice(), Namespace::Preference, Class::Name, Access::Read);
            }
            Expr::Fluent(atom) => self.fluent(atom, Access::Read),
            Expr::Operation { operands, .. } => operands.iter().for_each(|operand| self.expr(operand)),
        }
    }

    fn predicate(&mut self, atom: &Atom, access: Access) {
        self.names(std::slice::from_ref(&atom.name), Namespace::Predicate, Class::Predicate, access);
        atom.args.iter().for_each(|arg| self.arg(arg));
    }

    fn fluent(&mut self, atom: &Atom, access: Access) {
        let name = std::slice::from_ref(&atom.name);
        self.names(name, Namespace::NumericFunction, Class::NumericFunction, access);
        atom.args.iter().for_each(|arg| self.arg(arg));
    }

    fn arg(&mut self, arg: &Arg) {
        if arg.is_variable {
            self.variable(&arg.name);
        } else {
            self.names(std::slice::from_ref(&arg.name), Namespace::Object, Class::Object, Access::Read);
        }
    }

    fn variable(&mut self, name: &Name) {
        let folded: SmolStr = name.text.to_ascii_lowercase().into();
        let scope = self.scopes.iter().rev().find(|(other, _)| *other == folded).map_or(self.form, |(_, at)| *at);
        let symbol = Symbol { namespace: Namespace::Variable, name: folded, scope: Some(scope) };
        self.builder.add(name.range, symbol, Class::Parameter, Access::Read);
    }

    /// Declares parameters. They are in scope until the item or the quantifier ends.
    fn params(&mut self, groups: &[TypedGroup]) {
        for group in groups {
            self.typed(group);
            for name in &group.names {
                let folded: SmolStr = name.text.to_ascii_lowercase().into();
                self.scopes.push((folded.clone(), name.range.start));
                let symbol = Symbol { namespace: Namespace::Variable, name: folded, scope: Some(name.range.start) };
                self.builder.add(name.range, symbol, Class::Parameter, Access::Define);
            }
            self.names(&group.types, Namespace::Type, Class::Type, Access::Read);
        }
    }

    fn typed(&mut self, group: &TypedGroup) {
        let types: Vec<SmolStr> = group.types.iter().map(|name| name.text.to_ascii_lowercase().into()).collect();
        for name in &group.names {
            self.builder.typed(name.range.start, types.clone());
        }
    }

    fn within(&mut self, params: &[TypedGroup], inside: impl FnOnce(&mut Self)) {
        let depth = self.scopes.len();
        self.params(params);
        inside(self);
        self.scopes.truncate(depth);
    }

    fn keyword(&mut self, range: TextRange, word: &str) {
        let symbol = Symbol { namespace: Namespace::Keyword, name: word.to_ascii_lowercase().into(), scope: None };
        self.builder.add(range, symbol, Class::Keyword, Access::Read);
    }

    fn names(&mut self, names: &[Name], namespace: Namespace, class: Class, access: Access) {
        for name in names {
            let symbol = Symbol { namespace, name: name.text.to_ascii_lowercase().into(), scope: None };
            self.builder.add(name.range, symbol, class, access);
        }
    }
}
