//! The names of a GDL description.

use percept_syntax::gdl::{Description, Formula, Statement, Term, TermKind};
use percept_syntax::{Name, TextRange};

use super::index::{Access, Builder, Class, Namespace, Symbol};

pub(super) fn build(description: &Description, builder: &mut Builder) {
    for (number, statement) in description.statements.iter().enumerate() {
        builder.item = number as u32;
        Walk { builder, scope: statement.range.start }.statement(statement);
    }
}

/// The classes of the arguments of a keyword's relation; `None` if the word is not a keyword.
pub(crate) fn argument_classes(keyword: &str) -> Option<&'static [Class]> {
    const KEYWORDS: &[(&str, &[Class])] = &[
        ("role", &[Class::Role]),
        ("init", &[Class::Fluent]),
        ("true", &[Class::Fluent]),
        ("next", &[Class::Fluent]),
        ("base", &[Class::Fluent]),
        ("does", &[Class::Role, Class::Move]),
        ("legal", &[Class::Role, Class::Move]),
        ("input", &[Class::Role, Class::Move]),
        ("sees", &[Class::Role, Class::Percept]),
        ("percept", &[Class::Role, Class::Percept]),
        ("goal", &[Class::Role, Class::Object]),
        ("terminal", &[]),
        ("distinct", &[Class::Object, Class::Object]),
    ];
    KEYWORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(keyword)).map(|(_, classes)| *classes)
}

struct Walk<'a> {
    builder: &'a mut Builder,
    /// The start of the statement, which is the scope of its variables.
    scope: u32,
}

impl Walk<'_> {
    fn statement(&mut self, statement: &Statement) {
        if let Some(head) = &statement.head {
            self.atom(head, Access::Define);
        }
        if let Some(arrow) = statement.arrow {
            self.keyword(arrow, "<=");
        }
        for formula in &statement.body {
            self.formula(formula);
        }
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Atom(atom) => self.atom(atom, Access::Read),
            Formula::Not { keyword, parts, .. } => self.connective(*keyword, "not", parts),
            Formula::Or { keyword, parts, .. } => self.connective(*keyword, "or", parts),
            Formula::And { keyword, parts, .. } => self.connective(*keyword, "and", parts),
            Formula::Distinct { keyword, args, .. } => {
                self.keyword(*keyword, "distinct");
                for arg in args.iter() {
                    self.term(arg, Class::Object, Access::Read);
                }
            }
        }
    }

    fn connective(&mut self, keyword: TextRange, word: &str, parts: &[Formula]) {
        self.keyword(keyword, word);
        for part in parts.iter() {
            self.formula(part);
        }
    }

    /// A head or a literal: its name is a keyword or a relation.
    fn atom(&mut self, atom: &Term, access: Access) {
        match argument_classes(&atom.name.text) {
            Some(classes) => {
                self.keyword(atom.name.range, &atom.name.text.to_ascii_lowercase());
                for (position, arg) in atom.args().iter().enumerate() {
                    let class = classes.get(position).copied().unwrap_or(Class::Object);
                    // The role as the first argument is only mentioned, unless it is declared here.
                    let access = match position == 0 && classes.len() > 1 {
                        true => Access::Read,
                        false => access,
                    };
                    self.term(arg, class, access);
                }
            }
            None if atom.is_variable() => self.term(atom, Class::Object, Access::Read),
            None => {
                self.add(&atom.name, Namespace::Relation, Class::Relation, access);
                for arg in atom.args() {
                    self.term(arg, Class::Object, Access::Read);
                }
            }
        }
    }

    fn term(&mut self, term: &Term, class: Class, access: Access) {
        match &term.kind {
            TermKind::Variable => {
                let symbol =
                    Symbol { namespace: Namespace::Variable, name: term.name.text.clone(), scope: Some(self.scope) };
                self.builder.add(term.range, symbol, Class::Variable, Access::Read);
            }
            TermKind::Constant => {
                let is_number = term.name.text.bytes().all(|byte| byte.is_ascii_digit());
                let class = if is_number { Class::Number } else { class };
                self.add(&term.name, Namespace::Object, class, access);
            }
            TermKind::Compound(args) => {
                let class = if class == Class::Object { Class::Function } else { class };
                self.add(&term.name, Namespace::Function, class, access);
                for arg in args.iter() {
                    self.term(arg, Class::Object, Access::Read);
                }
            }
            TermKind::Error(parts) => {
                for part in parts.iter() {
                    self.term(part, Class::Object, Access::Read);
                }
            }
        }
    }

    fn keyword(&mut self, range: TextRange, word: &str) {
        let symbol = Symbol { namespace: Namespace::Keyword, name: word.into(), scope: None };
        self.builder.add(range, symbol, Class::Keyword, Access::Read);
    }

    fn add(&mut self, name: &Name, namespace: Namespace, class: Class, access: Access) {
        let symbol = Symbol { namespace, name: name.text.clone(), scope: None };
        self.builder.add(name.range, symbol, class, access);
    }
}
