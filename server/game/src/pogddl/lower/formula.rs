//! Terms, conditions and numbers: formulas in negation normal form, numbers folded.

use percept_syntax::{
    Name, TextRange,
    pddl::{Arg, Atom as AtomSyntax, Comparison, Condition, Expr, Operator, OutsideKind, TypedGroup},
};
use smol_str::format_smolstr;

use super::super::{model::*, names::key};
use super::Lowering;
use crate::circuit::Order;

impl Lowering {
    pub(super) fn variable(&mut self, name: &Name) -> Option<u8> {
        let wanted = key(&name.text);
        let found = self.scope.iter().rev().find(|(other, _)| *other == wanted).map(|&(_, slot)| slot);
        if found.is_none() {
            self.error(name.range, format!("nothing binds the variable `?{}`", name.text));
        }
        found
    }

    fn term(&mut self, arg: &Arg) -> Option<Term> {
        if arg.is_variable {
            return self.variable(&arg.name).map(Term::Var);
        }
        let found = self.universe.object(&arg.name.text).map(Term::Const);
        if found.is_none() {
            self.error(arg.name.range, format!("no constant or object is called `{}`", arg.name.text));
        }
        found
    }

    pub(super) fn atom(&mut self, atom: &AtomSyntax, is_function: bool) -> Option<Atom> {
        let (symbols, kind) = if is_function { (&self.functions, "function") } else { (&self.predicates, "predicate") };
        let Some(&symbol) = symbols.ids.get(&key(&atom.name.text)) else {
            self.error(atom.name.range, format!("no {kind} is called `{}`", atom.name.text));
            return None;
        };
        let arity = symbols.list[symbol as usize].arity;
        if atom.args.len() != arity {
            self.error(atom.range, format!("`{}` takes {arity} arguments, not {}", atom.name.text, atom.args.len()));
            return None;
        }
        let args: Vec<Option<Term>> = atom.args.iter().map(|arg| self.term(arg)).collect();
        Some(Atom { symbol, args: args.into_iter().collect::<Option<_>>()? })
    }

    /// The formula, or its negation if `positive` is false.
    pub(super) fn condition(&mut self, condition: &Condition, positive: bool) -> Formula {
        let sign = |formula| if positive { formula } else { Formula::not(formula) };
        match condition {
            Condition::Atom(atom) => self.atom(atom, false).map_or(Formula::False, |atom| sign(Formula::Atom(atom))),
            Condition::Equal { left, right, .. } => match (self.term(left), self.term(right)) {
                (Some(left), Some(right)) => sign(equality(left, right)),
                _ => Formula::False,
            },
            Condition::Not { inner, .. } => self.condition(inner, !positive),
            Condition::And { parts, .. } => self.junction(parts, positive, positive),
            Condition::Or { parts, .. } => self.junction(parts, positive, !positive),
            Condition::Imply { left, right, .. } => {
                let parts = [self.condition(left, !positive), self.condition(right, positive)];
                if positive { Formula::or(parts) } else { Formula::and(parts) }
            }
            Condition::Exists { params, body, .. } => sign(self.quantified(params, body, true)),
            Condition::Forall { params, body, .. } => {
                let counterexample = self.quantified(params, body, false);
                if positive { Formula::not(counterexample) } else { counterexample }
            }
            Condition::Compare { op, left, right, .. } => {
                let (left, right) = (self.number(left), self.number(right));
                comparison(*op, left, right, positive)
            }
            Condition::Outside(outside) => {
                self.error(outside.keyword.range, unplayable_condition(&outside.kind));
                Formula::False
            }
            Condition::Error { range } => {
                self.error(*range, "this condition is not understood");
                Formula::False
            }
        }
    }

    fn junction(&mut self, parts: &[Condition], positive: bool, is_and: bool) -> Formula {
        let parts: Vec<Formula> = parts.iter().map(|part| self.condition(part, positive)).collect();
        if is_and { Formula::and(parts) } else { Formula::or(parts) }
    }

    /// Some binding makes the body true (or, with `positive` false, false).
    fn quantified(&mut self, params: &[TypedGroup], body: &Condition, positive: bool) -> Formula {
        let vars = self.enter(params);
        let body = self.condition(body, positive);
        self.leave(vars.len());
        if vars.is_empty() { body } else { Formula::exists(vars, body) }
    }

    pub(super) fn number(&mut self, expr: &Expr) -> Num {
        match expr {
            Expr::Number { range, text } => match whole(text) {
                Some(number) => Num::Constant(number),
                None => {
                    self.error(
                        *range,
                        format!("`{text}` is not a whole number that fits; games count in whole numbers"),
                    );
                    Num::Constant(0)
                }
            },
            Expr::Fluent(atom) => self.atom(atom, true).map_or(Num::Constant(0), Num::Read),
            Expr::Operation { range, op, operands } => self.operation(*range, *op, operands),
            Expr::Outside { range, .. } => {
                self.error(*range, "matches are played move by move: no number counts time here");
                Num::Constant(0)
            }
            Expr::Object(arg) => {
                self.error(arg.name.range, "functions have numbers here: an object is not a value");
                Num::Constant(0)
            }
            Expr::Error { range } => {
                self.error(*range, "this number is not understood");
                Num::Constant(0)
            }
        }
    }

    fn operation(&mut self, range: TextRange, op: Operator, operands: &[Expr]) -> Num {
        let op = match op {
            Operator::Add => Operation::Add,
            Operator::Subtract => Operation::Subtract,
            Operator::Multiply => Operation::Multiply,
            Operator::Divide => Operation::Divide,
        };
        let mut numbers: Vec<Num> = operands.iter().map(|operand| self.number(operand)).collect();
        if numbers.len() == 1 && op == Operation::Subtract {
            numbers.insert(0, Num::Constant(0));
        }
        let constant = |left: &Num, right: &Num| match (left, right) {
            (Num::Constant(left), Num::Constant(right)) => op.checked(*left, *right).map(Num::Constant),
            _ => None,
        };
        let folded = numbers.into_iter().reduce(|left, right| {
            constant(&left, &right).unwrap_or_else(|| Num::Binary(op, Box::new(left), Box::new(right), range))
        });
        folded.unwrap_or_else(|| {
            self.error(range, "an operation needs operands");
            Num::Constant(0)
        })
    }
}

fn equality(left: Term, right: Term) -> Formula {
    match (left, right) {
        (Term::Const(left), Term::Const(right)) if left == right => Formula::True,
        (Term::Const(_), Term::Const(_)) => Formula::False,
        _ if left == right => Formula::True,
        _ => Formula::Equal(left, right),
    }
}

fn comparison(op: Comparison, left: Num, right: Num, positive: bool) -> Formula {
    use Comparison::*;
    // "Not less" is "less or equal" with the sides exchanged, and so on; only `=` keeps its negation.
    match (op, positive) {
        (Less, true) | (GreaterEqual, false) => Formula::Compare(Order::Less, left, right),
        (LessEqual, true) | (Greater, false) => Formula::Compare(Order::LessEqual, left, right),
        (Greater, true) | (LessEqual, false) => Formula::Compare(Order::Less, right, left),
        (GreaterEqual, true) | (Less, false) => Formula::Compare(Order::LessEqual, right, left),
        (Equal, true) => Formula::Compare(Order::Equal, left, right),
        (Equal, false) => Formula::not(Formula::Compare(Order::Equal, left, right)),
    }
}

/// `3`, `-2`, `3.0`: whole numbers only.
fn whole(text: &str) -> Option<i64> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let (whole, fraction) = text.split_once('.')?;
    let fraction_is_zero = fraction.bytes().all(|byte| byte == b'0');
    fraction_is_zero.then(|| format_smolstr!("{}", if whole.is_empty() { "0" } else { whole }).parse().ok())?
}

/// The reason why a condition of PDDL beyond POGDDL cannot be played.
fn unplayable_condition(kind: &OutsideKind) -> &'static str {
    match kind {
        OutsideKind::Timed => {
            "a condition holds or fails when a move is made, for moves take no time: leave out the time"
        }
        OutsideKind::Preference(_) => {
            "a preference may be given up, and a move is legal or not: leave out `preference`"
        }
        OutsideKind::Trajectory => "this is about a whole plan, and a condition of a match is about one moment",
    }
}
