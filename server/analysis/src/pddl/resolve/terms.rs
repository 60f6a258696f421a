//! Terms and numbers: the meaning of a name at each use.

use percept_syntax::Name;
use percept_syntax::pddl::{Arg, Atom, Expr};

use super::super::formula::{Number, Term, VarId};
use super::super::model::*;
use super::Resolver;

impl<'a> Resolver<'a> {
    pub(super) fn number(&mut self, expr: &'a Expr) -> Number {
        match expr {
            Expr::Number { range, text } => {
                self.model.numbers.push((self.file, *range, text));
                match text.parse() {
                    Ok(value) => Number::Constant { value },
                    Err(_) => Number::Unknown,
                }
            }
            Expr::Fluent(atom) => self.fluent(atom),
            Expr::Object(arg) => {
                self.term(arg);
                if !self.has_object_functions {
                    self.model.not_numbers.push((self.file, &arg.name));
                }
                Number::Unknown
            }
            Expr::Outside { preference, .. } => {
                let file = self.file;
                self.model.violations.extend(preference.as_ref().map(|name| Violation { file, name }));
                Number::Unknown
            }
            Expr::Operation { op, operands, .. } => {
                let operands = operands.iter().map(|operand| self.number(operand)).collect();
                Number::Operation { op: *op, operands }
            }
            Expr::Error { .. } => Number::Unknown,
        }
    }

    /// Resolves a function's value, `total-time` in a metric or, if functions have objects as values, an object.
    pub(super) fn fluent(&mut self, atom: &'a Atom) -> Number {
        let symbol = self.model.names.intern(&atom.name.text);
        if atom.args.is_empty() && !self.model.functions.contains_key(&symbol) {
            if self.place == Place::Plan && atom.name.is("total-time") {
                return Number::Unknown;
            }
            if let Some(object) = self.model.objects_by_name.get(&symbol).filter(|_| self.has_object_functions) {
                self.model.objects[object.0 as usize].uses += 1;
                return Number::Unknown;
            }
        }
        Number::Fluent(self.atom(atom, UseKind::Number { also_assigned: false }))
    }

    pub(super) fn term(&mut self, arg: &'a Arg) -> Term {
        let symbol = self.model.names.intern(&arg.name.text);
        let variable = self.scope.get(symbol);
        if arg.is_variable {
            if let Some(id) = variable {
                self.model.variables[id.0 as usize].uses += 1;
                return Term::Variable(id);
            }
        } else if let Some(id) = self.model.objects_by_name.get(&symbol) {
            self.model.objects[id.0 as usize].uses += 1;
            return Term::Object(*id);
        }
        self.stray(&arg.name, arg.is_variable, variable);
        Term::Unknown(symbol)
    }

    pub(super) fn stray(&mut self, name: &'a Name, is_variable: bool, variable: Option<VarId>) {
        let (file, place) = (self.file, self.place);
        let variable_in_scope = variable.is_some();
        self.model.strays.push(Stray { name, is_variable, file, place, variable_in_scope });
    }
}
