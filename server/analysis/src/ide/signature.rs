//! Signature help: the arguments of the form around the cursor.

use std::ops::Range;

use percept_syntax::pddl::{Definition, Domain, TypedGroup};
use percept_syntax::{Language, Syntax};
use smol_str::SmolStr;

use super::context::{Slot, context};
use super::{Class, Files, Namespace, Symbol, keywords};
use crate::FileId;

/// A form with the places of its parameters in `label`.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// The whole form, as it is shown.
    pub label: String,
    /// The byte ranges of the parameters in `label`.
    pub parameters: Vec<Range<usize>>,
    /// The documentation, in Markdown.
    pub documentation: Option<String>,
}

/// Returns the signature of the form around `offset`, and the index of the parameter at the cursor.
pub fn help(files: &Files<'_>, file: FileId, offset: u32) -> Option<(Signature, usize)> {
    let source = files.get(file)?.source;
    let before = &source.text[..offset as usize];
    let word = before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',')).next().unwrap_or_default();
    let word_start = before.len() - word.len();
    let Slot::Argument { relation, position } = context(source, word_start as u32).slot else { return None };
    let signature = match source.language {
        Language::Pogddl => pogddl(files, &relation)?,
        _ => gdl(files, source.language, &relation)?,
    };
    let last = signature.parameters.len().checked_sub(1)?;
    Some((signature, position.min(last)))
}

fn gdl(files: &Files<'_>, language: Language, relation: &str) -> Option<Signature> {
    if let Some(classes) = super::gdl_index::argument_classes(relation) {
        let names: Vec<String> = classes.iter().map(|class| class_word(*class).to_string()).collect();
        let documentation = keywords::find(language, relation).map(|keyword| keyword.meaning.to_string());
        return Some(build(language, relation, &names, documentation));
    }
    // The parameters of a relation, fluent or move are named after its most frequent variables.
    let mut columns: Vec<Vec<(bool, String)>> = Vec::new();
    for indexed in &files.files {
        let Syntax::Gdl(description) = &indexed.source.syntax else { continue };
        let mut visit = |term: &percept_syntax::gdl::Term| {
            if term.name.text != relation {
                return;
            }
            for (position, arg) in term.args().iter().enumerate() {
                if columns.len() <= position {
                    columns.push(Vec::new());
                }
                columns[position].push((arg.is_variable(), arg.name.text.to_string()));
            }
        };
        for statement in description.statements.iter() {
            statement.head.iter().for_each(|head| head.walk(&mut |term| visit(term)));
            statement.body.iter().for_each(|formula| formula.terms(&mut |term| term.walk(&mut |term| visit(term))));
        }
    }
    if columns.is_empty() {
        return None;
    }
    let names: Vec<String> = columns.into_iter().map(most_common).collect();
    Some(build(language, relation, &names, None))
}

/// The most frequent name; variables are preferred to constants.
fn most_common(names: Vec<(bool, String)>) -> String {
    let has_variable = names.iter().any(|(is_variable, _)| *is_variable);
    let mut counted: Vec<(usize, String)> = Vec::new();
    for (_, name) in names.into_iter().filter(|(is_variable, _)| *is_variable == has_variable) {
        match counted.iter_mut().find(|(_, other)| *other == name) {
            Some((count, _)) => *count += 1,
            None => counted.push((1, name)),
        }
    }
    // The first in the text, if several names are equally frequent.
    let most = counted.iter().map(|(count, _)| *count).max().unwrap_or(0);
    counted.into_iter().find(|(count, _)| *count == most).map(|(_, name)| name).unwrap_or_default()
}

fn class_word(class: Class) -> &'static str {
    match class {
        Class::Role => "role",
        Class::Fluent => "fluent",
        Class::Move => "move",
        Class::Percept => "percept",
        _ => "term",
    }
}

/// `(name a b)` or `name(a, b)`, with the ranges of `a` and `b`.
fn build(language: Language, name: &str, parameters: &[String], documentation: Option<String>) -> Signature {
    let (open, separator) = match language {
        Language::GdlInfix => (format!("{name}("), ", "),
        _ => (format!("({name} "), " "),
    };
    let mut label = open;
    let mut ranges = Vec::new();
    for (position, parameter) in parameters.iter().enumerate() {
        if position > 0 {
            label.push_str(separator);
        }
        ranges.push(label.len()..label.len() + parameter.len());
        label.push_str(parameter);
    }
    label.push(')');
    Signature { label, parameters: ranges, documentation }
}

fn pogddl(files: &Files<'_>, relation: &str) -> Option<Signature> {
    let namespaces = [Namespace::Predicate, Namespace::NumericFunction, Namespace::Message];
    namespaces
        .into_iter()
        .find_map(|namespace| signature_of(files, &Symbol { namespace, name: relation.into(), scope: None }))
}

/// The signature of a predicate, a numeric fluent or a message.
pub(super) fn signature_of(files: &Files<'_>, symbol: &Symbol) -> Option<Signature> {
    let params = declared(files, symbol)?;
    let mut names = Vec::new();
    for group in params {
        let kind = group.types.first().map_or(String::new(), |kind| format!(" - {}", kind.text));
        names.extend(group.names.iter().map(|name| format!("?{}{kind}", name.text)));
    }
    Some(build(Language::Pogddl, &symbol.name, &names, None))
}

fn declared<'a>(files: &Files<'a>, symbol: &Symbol) -> Option<&'a [TypedGroup]> {
    domains(files).find_map(|domain| match symbol.namespace {
        Namespace::Predicate => Some(&domain.predicates.iter().find(|it| it.name.is(&symbol.name))?.params[..]),
        Namespace::NumericFunction => {
            let function = domain.functions.iter().find(|it| it.signature.name.is(&symbol.name))?;
            Some(&function.signature.params[..])
        }
        Namespace::Action => Some(&domain.every_action().find(|it| it.name.is(&symbol.name))?.params[..]),
        _ => None,
    })
}

fn domains<'a>(files: &Files<'a>) -> impl Iterator<Item = &'a Domain> {
    let definitions = files.files.iter().flat_map(|indexed| match &indexed.source.syntax {
        Syntax::Pddl(file) => &file.definitions[..],
        Syntax::Gdl(_) => &[],
    });
    let all: Vec<&'a Definition> = definitions.collect();
    all.into_iter().filter_map(|definition| match definition {
        Definition::Domain(domain) => Some(&**domain),
        Definition::Problem(_) => None,
    })
}

/// The type of a predicate's or numeric fluent's parameter.
pub(super) fn type_of_parameter(files: &Files<'_>, relation: &str, position: usize) -> Option<SmolStr> {
    let groups = [Namespace::Predicate, Namespace::NumericFunction, Namespace::Action]
        .into_iter()
        .find_map(|namespace| declared(files, &Symbol { namespace, name: relation.into(), scope: None }))?;
    let mut types = groups.iter().flat_map(|group| group.names.iter().map(|_| group.types.first()));
    types.nth(position).flatten().map(|kind| kind.text.to_ascii_lowercase().into())
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;
    use expect_test::{Expect, expect};

    fn check(fixture: Fixture, expected: Expect) {
        let shown = match help(&fixture.files(), fixture.file, fixture.offset) {
            None => "nothing".to_string(),
            Some((signature, active)) => {
                let range = signature.parameters[active].clone();
                let carets = " ".repeat(range.start) + &"^".repeat(range.len());
                format!("{}\n{carets}", signature.label)
            }
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn a_keyword_says_what_it_takes() {
        check(
            Fixture::gdl("(<= (legal white $0"),
            expect![[r#"
            (legal role move)
                        ^^^^"#]],
        );
        check(
            Fixture::infix("legal(whi$0te, noop)"),
            expect![[r#"
            legal(role, move)
                  ^^^^"#]],
        );
    }

    #[test]
    fn a_blank_may_be_wider_than_a_byte() {
        for blank in ['\u{a0}', '\u{2028}', '\u{3000}'] {
            check(
                Fixture::infix(&format!("legal(white,{blank}no$0op)")),
                expect![[r#"
                    legal(role, move)
                                ^^^^"#]],
            );
        }
    }

    #[test]
    fn a_fluent_is_named_after_its_variables() {
        check(
            Fixture::gdl("(init (cell 1 1 b))\n(<= (next (cell ?row ?col x)) (true (cell ?row $0)))"),
            expect![[r#"
                (cell row col b)
                          ^^^"#]],
        );
    }

    #[test]
    fn a_predicate_shows_its_declaration() {
        check(
            Fixture::pogddl(
                "(define (domain d) (:predicates (at ?c - card ?p - place))\n----\n(define (problem p) (:init (at ace $0)))",
            ),
            expect![[r#"
                (at ?c - card ?p - place)
                              ^^^^^^^^^^"#]],
        );
    }
}
