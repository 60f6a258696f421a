//! Conditions, literal by literal.

use percept_syntax::pddl::{Comparison, Condition, Expr, Operator, TypedGroup};

use super::{Binding, Explainer, Reason, ground, key, value};
use crate::{State, Term};

/// The depth to which derived predicates and quantifiers are explained.
const DEPTH: usize = 6;

impl Explainer<'_> {
    pub(super) fn holds(&self, condition: &Condition, state: &State, binding: &Binding) -> bool {
        match condition {
            Condition::Atom(atom) => self.game.rules.fact(state, &ground(atom, binding)) == Some(true),
            Condition::Equal { left, right, .. } => value(left, binding) == value(right, binding),
            Condition::Not { inner, .. } => !self.holds(inner, state, binding),
            Condition::And { parts, .. } => parts.iter().all(|part| self.holds(part, state, binding)),
            Condition::Or { parts, .. } => parts.iter().any(|part| self.holds(part, state, binding)),
            Condition::Imply { left, right, .. } => {
                !self.holds(left, state, binding) || self.holds(right, state, binding)
            }
            Condition::Exists { params, body, .. } => self.find(params, body, state, binding, true).is_some(),
            Condition::Forall { params, body, .. } => self.find(params, body, state, binding, false).is_none(),
            Condition::Compare { op, left, right, .. } => {
                let (left, right) = (self.expression(left, state, binding), self.expression(right, state, binding));
                match op {
                    Comparison::Less => left < right,
                    Comparison::LessEqual => left <= right,
                    Comparison::Equal => left == right,
                    Comparison::GreaterEqual => left >= right,
                    Comparison::Greater => left > right,
                }
            }
            Condition::Outside(_) | Condition::Error { .. } => false,
        }
    }

    /// The first binding under which the body holds, or does not hold.
    fn find(
        &self,
        params: &[TypedGroup],
        body: &Condition,
        state: &State,
        binding: &Binding,
        wanted: bool,
    ) -> Option<Binding> {
        let mut found = None;
        self.bindings(params, binding, &[], &mut |inner| {
            if self.holds(body, state, inner) == wanted {
                found = Some(inner.clone());
            }
            found.is_none()
        });
        found
    }

    /// The number of its conjuncts that do not hold.
    pub(super) fn lacking(&self, condition: &Condition, state: &State, binding: &Binding) -> usize {
        match condition {
            Condition::And { parts, .. } => parts.iter().map(|part| self.lacking(part, state, binding)).sum(),
            other => usize::from(!self.holds(other, state, binding)),
        }
    }

    pub(super) fn expression(&self, expr: &Expr, state: &State, binding: &Binding) -> i64 {
        match expr {
            Expr::Number { text, .. } => text.parse::<f64>().map_or(0, |number| number as i64),
            Expr::Fluent(atom) => self.game.rules.number(state, &ground(atom, binding)).unwrap_or(0),
            Expr::Operation { op, operands, .. } => {
                let mut values = operands.iter().map(|operand| self.expression(operand, state, binding));
                let first = values.next().unwrap_or(0);
                match op {
                    Operator::Subtract if operands.len() == 1 => first.saturating_neg(),
                    Operator::Add => values.fold(first, i64::saturating_add),
                    Operator::Subtract => values.fold(first, i64::saturating_sub),
                    Operator::Multiply => values.fold(first, i64::saturating_mul),
                    Operator::Divide => {
                        values.fold(first, |left, right| if right == 0 { 0 } else { left.saturating_div(right) })
                    }
                }
            }
            Expr::Outside { .. } | Expr::Object(_) | Expr::Error { .. } => 0,
        }
    }

    /// The reason why a condition holds or does not: the failing parts of a conjunction that fails, else its whole
    /// support.
    pub(super) fn condition(&self, condition: &Condition, state: &State, binding: &Binding, depth: usize) -> Reason {
        let holds = self.holds(condition, state, binding);
        let why = Reason::new(self.text(condition, state, binding), holds).at(condition.range());
        if depth >= DEPTH {
            return why;
        }
        let explain = |part: &Condition| self.condition(part, state, binding, depth + 1);
        match condition {
            Condition::And { parts, .. } => {
                let parts = parts.iter().filter(|part| holds || !self.holds(part, state, binding));
                why.with(parts.map(explain).collect())
            }
            Condition::Or { parts, .. } => {
                let parts = parts.iter().filter(|part| self.holds(part, state, binding) == holds);
                why.with(parts.take(if holds { 1 } else { usize::MAX }).map(explain).collect())
            }
            Condition::Imply { left, right, .. } => match (holds, self.holds(left, state, binding)) {
                (true, false) => why.with(vec![explain(left)]),
                _ => why.with(vec![explain(left), explain(right)]),
            },
            Condition::Not { inner, .. } => match &**inner {
                Condition::Atom(_) | Condition::Equal { .. } | Condition::Compare { .. } => why,
                inner => why.with(vec![explain(inner)]),
            },
            Condition::Exists { params, body, .. } | Condition::Forall { params, body, .. } => {
                let is_exists = matches!(condition, Condition::Exists { .. });
                // The instance that decides the quantifier: one that holds, or one that does not.
                match self.find(params, body, state, binding, is_exists) {
                    Some(inner) => why.with(vec![self.condition(body, state, &inner, depth + 1)]),
                    None => why,
                }
            }
            Condition::Atom(atom) => {
                let parts = self.derivations(&ground(atom, binding), state, depth + 1);
                why.with(parts)
            }
            Condition::Equal { .. } | Condition::Compare { .. } | Condition::Outside(_) | Condition::Error { .. } => {
                why
            }
        }
    }

    /// The rules of a derived atom: one that derives it, or the reasons why none does.
    pub(super) fn derivations(&self, atom: &Term, state: &State, depth: usize) -> Vec<Reason> {
        let rules = self.domain.derived.iter().filter(|rule| key(&rule.head.name.text) == atom.head());
        let given: Vec<_> = atom.args().iter().map(|arg| Some(key(arg.head()))).collect();
        let mut failed = Vec::new();
        for rule in rules {
            let mut instance = None;
            self.bindings(&rule.head.params, &Vec::new(), &given, &mut |binding| {
                instance = Some(binding.clone());
                false
            });
            let Some(binding) = instance else { continue };
            let why = self.condition(&rule.body, state, &binding, depth);
            let rule = Reason::new("by the rule", why.holds).at(rule.head.range).with(vec![why]);
            if rule.holds {
                return vec![rule];
            }
            failed.push(Reason { says: "not by the rule".into(), ..rule });
        }
        failed
    }

    /// A condition as written, with the values of its variables and numbers.
    pub(super) fn text(&self, condition: &Condition, state: &State, binding: &Binding) -> String {
        let joined = |word: &str, parts: &[&Condition]| {
            let parts: Vec<String> = parts.iter().map(|part| self.text(part, state, binding)).collect();
            format!("({word} {})", parts.join(" "))
        };
        match condition {
            Condition::Atom(atom) => ground(atom, binding).to_string(),
            Condition::Equal { left, right, .. } => format!("(= {} {})", value(left, binding), value(right, binding)),
            Condition::Not { inner, .. } => joined("not", &[inner]),
            Condition::And { parts, .. } => joined("and", &parts.iter().collect::<Vec<_>>()),
            Condition::Or { parts, .. } => joined("or", &parts.iter().collect::<Vec<_>>()),
            Condition::Imply { left, right, .. } => joined("imply", &[left, right]),
            Condition::Exists { params, body, .. } => {
                format!("(exists ({}) {})", variables(params), self.text(body, state, binding))
            }
            Condition::Forall { params, body, .. } => {
                format!("(forall ({}) {})", variables(params), self.text(body, state, binding))
            }
            Condition::Compare { op, left, right, .. } => {
                let sign = match op {
                    Comparison::Less => "<",
                    Comparison::LessEqual => "<=",
                    Comparison::Equal => "=",
                    Comparison::GreaterEqual => ">=",
                    Comparison::Greater => ">",
                };
                format!(
                    "({sign} {} {})",
                    self.expression_text(left, state, binding),
                    self.expression_text(right, state, binding)
                )
            }
            Condition::Outside(_) | Condition::Error { .. } => "a condition with an error".to_string(),
        }
    }

    /// A number with its value if it is not a literal: `(score p1)[3]`.
    pub(super) fn expression_text(&self, expr: &Expr, state: &State, binding: &Binding) -> String {
        match expr {
            Expr::Number { text, .. } => text.to_string(),
            Expr::Fluent(atom) => {
                let term = ground(atom, binding);
                // A variable of a quantifier has no value here, because it is not an object.
                match self.game.rules.number(state, &term) {
                    Some(value) => format!("{term}[{value}]"),
                    None => term.to_string(),
                }
            }
            Expr::Operation { op, operands, .. } => {
                let sign = match op {
                    Operator::Add => "+",
                    Operator::Subtract => "-",
                    Operator::Multiply => "*",
                    Operator::Divide => "/",
                };
                let operands: Vec<String> =
                    operands.iter().map(|operand| self.expression_text(operand, state, binding)).collect();
                format!("({sign} {})", operands.join(" "))
            }
            Expr::Outside { .. } | Expr::Object(_) | Expr::Error { .. } => "?".to_string(),
        }
    }
}

fn variables(params: &[TypedGroup]) -> String {
    let names: Vec<String> =
        params.iter().flat_map(|group| &group.names).map(|name| format!("?{}", key(&name.text))).collect();
    names.join(" ")
}
