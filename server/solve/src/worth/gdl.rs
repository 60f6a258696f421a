//! Changes of the rules for `sees`.

use std::sync::Arc;

use percept_syntax::gdl::{Description, Formula, Statement, Term, TermKind};
use percept_syntax::{Name, TextRange};

use super::{Edit, Source};

/// Names that are in no description, because they contain characters that are not part of a word.
const SENT: &str = "sent to";
const ANNOUNCED: &str = "announced:";
const EVERYBODY: &str = "every role of worth";

fn is_sees(statement: &Statement) -> bool {
    statement.head.as_ref().is_some_and(|head| head.name.is("sees") && head.args().len() == 2)
}

pub(super) fn percepts(description: &Description) -> Vec<Source> {
    let sees = description.statements.iter().filter(|statement| is_sees(statement));
    sees.map(|statement| {
        let says = statement.head.as_ref().map_or(String::new(), show);
        Source { range: statement.range, says }
    })
    .collect()
}

fn show(term: &Term) -> String {
    match &term.kind {
        TermKind::Variable => format!("?{}", term.name.text),
        TermKind::Constant => term.name.text.to_string(),
        TermKind::Compound(args) | TermKind::Error(args) => {
            let args: Vec<String> = args.iter().map(show).collect();
            format!("({} {})", term.name.text, args.join(" "))
        }
    }
}

fn term(name: &str, kind: TermKind) -> Term {
    let range = TextRange::at(0);
    Term { range, name: Name::new(name, range), kind }
}

/// Applies a change to a description.
pub fn edit(description: &Description, edit: &Edit) -> Description {
    let mut statements = Vec::with_capacity(description.statements.len());
    let mut number = 0;
    for statement in description.statements.iter() {
        let here = is_sees(statement).then(|| {
            number += 1;
            number - 1
        });
        match edit {
            Edit::Without(at) if here == Some(*at) => {}
            Edit::Only(at, role) if here == Some(*at) => statements.push(only(statement, role)),
            Edit::Public(at) if here == Some(*at) => {
                statements.push(to_everybody(statement, |receiver, percept| {
                    term(SENT, TermKind::Compound([receiver, percept].into()))
                }));
            }
            _ => statements.push(statement.clone()),
        }
    }
    if *edit == Edit::Announced {
        let next = |statement: &&Statement| {
            statement.head.as_ref().is_some_and(|head| head.name.is("next") && head.args().len() == 1)
        };
        statements.extend(description.statements.iter().filter(next).map(announcement));
    }
    Description { statements: statements.into() }
}

/// The rule for one receiver only.
fn only(statement: &Statement, role: &str) -> Statement {
    let mut statement = statement.clone();
    let Some(head) = &mut statement.head else { return statement };
    let TermKind::Compound(args) = &mut head.kind else { return statement };
    let args = Arc::make_mut(args);
    let receiver = args[0].clone();
    args[0] = term(role, TermKind::Constant);
    if receiver.is_variable() {
        // All other occurrences of the receiver in the rule become this role.
        let variable = receiver.name.text.clone();
        substitute(&mut statement, &variable, role);
    }
    statement
}

fn substitute(statement: &mut Statement, variable: &str, role: &str) {
    if let Some(head) = &mut statement.head {
        in_term(head, variable, role);
    }
    statement.body.iter_mut().for_each(|formula| in_formula(formula, variable, role));
}

fn in_formula(formula: &mut Formula, variable: &str, role: &str) {
    match formula {
        Formula::Atom(term) => in_term(term, variable, role),
        Formula::Not { parts, .. } | Formula::Or { parts, .. } | Formula::And { parts, .. } => {
            parts.iter_mut().for_each(|part| in_formula(part, variable, role));
        }
        Formula::Distinct { args, .. } => args.iter_mut().for_each(|term| in_term(term, variable, role)),
    }
}

fn in_term(it: &mut Term, variable: &str, role: &str) {
    match &mut it.kind {
        TermKind::Variable if it.name.text == variable => {
            it.kind = TermKind::Constant;
            it.name = Name::new(role, it.range);
        }
        TermKind::Compound(args) | TermKind::Error(args) => {
            Arc::make_mut(args).iter_mut().for_each(|arg| in_term(arg, variable, role));
        }
        TermKind::Variable | TermKind::Constant => {}
    }
}

/// A rule that sends every role a percept about the head of another rule when that rule fires.
fn to_everybody(statement: &Statement, percept: impl Fn(Term, Term) -> Term) -> Statement {
    let mut statement = statement.clone();
    let everybody = term(EVERYBODY, TermKind::Variable);
    let args = statement.head.as_ref().map_or(&[][..], Term::args).to_vec();
    let (receiver, what) = match args.len() {
        1 => (args[0].clone(), args[0].clone()),
        _ => (args[0].clone(), args[1].clone()),
    };
    statement.head = Some(term("sees", TermKind::Compound([everybody.clone(), percept(receiver, what)].into())));
    statement.arrow = Some(statement.range);
    statement.body.insert(0, Formula::Atom(term("role", TermKind::Compound([everybody].into()))));
    statement
}

/// A rule that sends every role the fluents that a rule for `next` makes true.
fn announcement(next: &Statement) -> Statement {
    to_everybody(next, |fluent, _| term(ANNOUNCED, TermKind::Compound([fluent].into())))
}
