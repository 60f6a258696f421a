//! Completion: the possible words at the cursor, best first.

mod hint;
mod place;
mod pogddl;

use std::collections::BTreeMap;

use percept_syntax::gdl::TermKind;
use percept_syntax::{Language, Syntax, TextRange, TokenKind};
use rustc_hash::FxHashSet;

use super::context::{Context, Slot, context};
use super::hover::word;
use super::{Class, Files, Namespace, keywords};
use crate::FileId;

/// A proposal of completion.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The text that is shown.
    pub label: String,
    /// The kind of thing, in a few words.
    pub detail: String,
    /// The class of the name.
    pub class: Class,
    /// The text that replaces the word under the cursor; with `$1`-style places if `is_snippet`.
    pub insert: String,
    /// True if the inserted text has places to fill in.
    pub is_snippet: bool,
    /// The rank; a smaller one is shown first.
    pub rank: u8,
    /// The documentation, in Markdown.
    pub documentation: Option<String>,
}

/// Returns the proposals at `offset`, and the range of the word that they would replace.
pub fn complete(files: &Files<'_>, file: FileId, offset: u32) -> Option<(TextRange, Vec<Item>)> {
    let indexed = files.get(file)?;
    let source = indexed.source;
    if let Some(comment) = source.comments.iter().find(|it| it.range.start < offset && offset <= it.range.end) {
        return hint::hint(files, source, comment.range, offset);
    }
    let word = source.tokens.iter().find(|token| {
        token.range.start < offset
            && offset <= token.range.end
            && matches!(token.kind, TokenKind::Word | TokenKind::Variable | TokenKind::Keyword | TokenKind::Number)
    });
    let replaced = word.map_or(TextRange::at(offset), |token| token.range);
    let context = context(source, replaced.start);
    let mut items = match source.language {
        Language::Pogddl => pogddl::pogddl(files, file, &context, replaced),
        Language::GdlPrefix | Language::GdlInfix => gdl(files, file, &context, replaced),
    };
    // The half-written word is not a proposal unless it also occurs elsewhere.
    let typed = &source.text[replaced.as_usize()];
    let elsewhere = |label: &str| {
        let occurrences =
            files.files.iter().flat_map(|indexed| indexed.index.all().iter().map(move |it| (indexed, it)));
        occurrences.filter(|(indexed, it)| indexed.index.symbol(it).name == label).count() > 1
    };
    items.retain(|item| item.label != typed || item.class == Class::Keyword || elsewhere(&item.label));
    items.sort_by(|a, b| (a.rank, &a.label).cmp(&(b.rank, &b.label)));
    let mut seen = FxHashSet::default();
    items.retain(|item| seen.insert((item.label.clone(), item.insert.clone())));
    items.dedup_by(|a, b| a.label == b.label);
    Some((replaced, items))
}

fn plain(label: impl Into<String>, class: Class, rank: u8) -> Item {
    let label = label.into();
    Item {
        insert: label.clone(),
        detail: word(class).into(),
        label,
        class,
        is_snippet: false,
        rank,
        documentation: None,
    }
}

fn gdl(files: &Files<'_>, file: FileId, context: &Context, replaced: TextRange) -> Vec<Item> {
    let Some(indexed) = files.get(file) else { return Vec::new() };
    let infix = indexed.source.language == Language::GdlInfix;
    match &context.slot {
        Slot::Statement => {
            let mut items = gdl_keywords(infix, HEADS, context.opened);
            if !context.opened {
                items.extend(written_often(indexed.source));
            }
            items.extend(compounds(files, &[Class::Relation], infix, context.opened, 1));
            items
        }
        Slot::Head => {
            let mut items = gdl_keywords(infix, HEADS, context.opened);
            items.extend(compounds(files, &[Class::Relation], infix, context.opened, 1));
            items
        }
        Slot::Literal => {
            let mut items = compounds(files, &[Class::Relation], infix, context.opened, 0);
            items.extend(gdl_keywords(infix, BODIES, context.opened));
            items
        }
        Slot::Argument { relation, position } => {
            let expected = super::gdl_index::argument_classes(relation).and_then(|all| all.get(*position)).copied();
            argument(files, file, context, relation, *position, expected, infix, replaced)
        }
        Slot::Other => Vec::new(),
    }
}

const HEADS: &[&str] = &["role", "init", "base", "input", "legal", "next", "sees", "percept", "terminal", "goal"];
const BODIES: &[&str] = &["true", "does", "distinct", "not", "or", "role", "legal", "goal", "terminal"];

/// Keywords as written: `(true $0)` or `true($0)`; only the word if its bracket is already there.
fn gdl_keywords(infix: bool, words: &[&str], opened: bool) -> Vec<Item> {
    let item = |word: &&str| {
        let keyword = keywords::find(Language::GdlPrefix, word)?;
        let takes_arguments = *word != "terminal";
        let (insert, is_snippet) = match (infix, takes_arguments) {
            _ if opened || !takes_arguments => (word.to_string(), false),
            (true, _) if *word == "not" => ("~".into(), false),
            (true, _) => (format!("{word}($1)"), true),
            (false, _) => (format!("({word} $1)"), true),
        };
        let documentation = Some(keyword.meaning.to_string());
        let label = word.to_string();
        Some(Item {
            label,
            detail: "keyword".into(),
            class: Class::Keyword,
            insert,
            is_snippet,
            rank: 2,
            documentation,
        })
    };
    words.iter().filter_map(item).collect()
}

/// The templates that fit: a whole game only if the file is still empty.
fn written_often(source: &percept_syntax::Source) -> Vec<Item> {
    let words = source.tokens.iter().filter(|token| token.kind != TokenKind::Comment).count();
    // The word being written counts as one.
    let whole = super::templates::templates(source.language, true).iter().filter(|_| words <= 1);
    let parts = super::templates::templates(source.language, false);
    let item = |it: &super::templates::Template| Item {
        label: it.label.into(),
        detail: it.detail.into(),
        class: Class::Keyword,
        insert: it.text.into(),
        is_snippet: true,
        rank: 3,
        documentation: Some(format!("```\n{}\n```", super::templates::filled(it.text).trim_end())),
    };
    whole.chain(parts).map(item).collect()
}

/// Relations, fluents, moves or percepts of the description, with places for their arguments.
fn compounds(files: &Files<'_>, classes: &[Class], infix: bool, opened: bool, rank: u8) -> Vec<Item> {
    let mut found: BTreeMap<String, (Class, usize)> = BTreeMap::new();
    for indexed in &files.files {
        for occurrence in indexed.index.all() {
            let symbol = indexed.index.symbol(occurrence);
            if classes.contains(&occurrence.class) && symbol.namespace != Namespace::Variable {
                let arity = super::context::arity_at(indexed.source, occurrence.range);
                found.entry(symbol.name.to_string()).or_insert((occurrence.class, arity));
            }
        }
    }
    let item = |(name, (class, arity)): (String, (Class, usize))| {
        let mut item = plain(name.clone(), class, rank);
        if arity > 0 && !opened {
            let places: Vec<String> = (1..=arity).map(|place| format!("${{{place}}}")).collect();
            item.is_snippet = true;
            item.insert = match infix {
                true => format!("{name}({})", places.join(", ")),
                false => format!("({name} {})", places.join(" ")),
            };
            item.detail = format!("{} of {arity}", word(class));
        }
        item
    };
    found.into_iter().map(item).collect()
}

#[allow(clippy::too_many_arguments)]
fn argument(
    files: &Files<'_>,
    file: FileId,
    context: &Context,
    relation: &str,
    position: usize,
    expected: Option<Class>,
    infix: bool,
    replaced: TextRange,
) -> Vec<Item> {
    let mut items = Vec::new();
    match expected {
        Some(class @ (Class::Fluent | Class::Move | Class::Percept)) => {
            items.extend(compounds(files, &[class], infix, context.opened, 0));
        }
        Some(Class::Role) if context.opened => items.extend(compounds(files, &[Class::Role], infix, true, 0)),
        Some(Class::Role) => {
            items.extend(names_of_class(files, Class::Role, 0));
            items.extend(roles_that_are_terms(files));
        }
        _ => {}
    }
    if !context.opened {
        items.extend(variables(files, file, context, replaced));
        if !matches!(expected, Some(Class::Role | Class::Fluent | Class::Move | Class::Percept)) {
            items.extend(seen_there(files, relation, position));
        }
    }
    items
}

/// Names that occur as `class`.
fn names_of_class(files: &Files<'_>, class: Class, rank: u8) -> Vec<Item> {
    let mut names: Vec<String> = Vec::new();
    for indexed in &files.files {
        let of_class = indexed.index.all().iter().filter(|occurrence| occurrence.class == class);
        let named = of_class.map(|occurrence| indexed.index.symbol(occurrence));
        names
            .extend(named.filter(|symbol| symbol.namespace == Namespace::Object).map(|symbol| symbol.name.to_string()));
    }
    names.sort();
    names.dedup();
    names.into_iter().map(|name| plain(name, class, rank)).collect()
}

/// Roles such as `(player 1)`, as they are declared.
fn roles_that_are_terms(files: &Files<'_>) -> Vec<Item> {
    let mut items = Vec::new();
    for source in files.files.iter().map(|indexed| indexed.source) {
        let Syntax::Gdl(description) = &source.syntax else { continue };
        let heads = description.statements.iter().filter_map(|statement| statement.head.as_ref());
        let declared = heads.filter(|head| head.name.is("role")).filter_map(|head| head.args().first());
        let terms = declared.filter(|role| matches!(role.kind, TermKind::Compound(_)));
        items.extend(terms.map(|role| plain(&source.text[role.range.as_usize()], Class::Role, 0)));
    }
    items
}

/// The variables of the rule around the cursor.
fn variables(files: &Files<'_>, file: FileId, context: &Context, replaced: TextRange) -> Vec<Item> {
    let Some(indexed) = files.get(file) else { return Vec::new() };
    let inside = indexed.index.all().iter().filter(|occurrence| {
        matches!(occurrence.class, Class::Variable | Class::Parameter)
            && context.form.contains_range(occurrence.range)
            && occurrence.range != replaced
    });
    let mut names: Vec<&str> = inside.map(|occurrence| &indexed.source.text[occurrence.range.as_usize()]).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(|name| plain(name, Class::Variable, 1)).collect()
}

/// The possible constants at this argument of the relation or function: those that the rules can produce there, and
/// those that are written there.
fn seen_there(files: &Files<'_>, relation: &str, position: usize) -> Vec<Item> {
    let mut names: Vec<String> = Vec::new();
    for indexed in &files.files {
        names.extend(super::context::constants_at(indexed.source, relation, position));
        let domains = indexed.index.domains(indexed.source);
        for namespace in [Namespace::Function, Namespace::Relation] {
            names.extend(domains.constants(namespace, &relation.into(), position).iter().cloned());
        }
    }
    names.sort();
    names.dedup();
    names.into_iter().map(|name| plain(name, Class::Object, 2)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;
    use expect_test::{Expect, expect};

    /// The best proposals, with the text that each would insert.
    fn check(fixture: Fixture, expected: Expect) {
        let found = complete(&fixture.files(), fixture.file, fixture.offset);
        let items = found.map(|(_, items)| items).unwrap_or_default();
        let best = items.iter().map(|item| item.rank).min();
        let shown: Vec<String> = items
            .iter()
            .filter(|item| Some(item.rank) == best)
            .map(|item| format!("{} | {} | {}", item.label, item.detail, item.insert))
            .collect();
        expected.assert_eq(&(shown.join("\n") + "\n"));
    }

    const GAME: &str =
        "(role white)(role random)\n(init (cell 1 b))\n(<= (legal white (mark ?x)) (true (cell ?x b)))\n";

    #[test]
    fn a_role_after_legal() {
        check(
            Fixture::gdl(&format!("{GAME}(<= (legal $0")),
            expect![[r#"
                random | role | random
                white | role | white
            "#]],
        );
    }

    #[test]
    fn a_role_that_is_a_term() {
        let roles = "(role (player 1))(role (player 2))(role random)\n";
        check(
            Fixture::gdl(&format!("{roles}(<= (legal $0")),
            expect![[r#"
                (player 1) | role | (player 1)
                (player 2) | role | (player 2)
                random | role | random
            "#]],
        );
        check(
            Fixture::gdl(&format!("{roles}(<= (legal (pl$0")),
            expect![[r#"
                player | role | player
                random | role | random
            "#]],
        );
    }

    #[test]
    fn a_fluent_after_true_with_places_for_its_arguments() {
        check(
            Fixture::gdl(&format!("{GAME}(<= terminal (true $0))")),
            expect![[r#"
                cell | fluent of 2 | (cell ${1} ${2})
            "#]],
        );
        check(
            Fixture::infix("init(cell(1, b))\nterminal :- true($0)\n"),
            expect![[r#"
                cell | fluent of 2 | cell(${1}, ${2})
            "#]],
        );
    }

    #[test]
    fn only_the_name_where_the_bracket_stands_already() {
        check(
            Fixture::gdl(&format!("{GAME}(<= terminal (does white (m$0)))")),
            expect![[r#"
                mark | move | mark
            "#]],
        );
    }

    fn labels(fixture: Fixture) -> Vec<String> {
        let found = complete(&fixture.files(), fixture.file, fixture.offset);
        found.map(|(_, items)| items.into_iter().map(|item| item.label).collect()).unwrap_or_default()
    }

    #[test]
    fn an_argument_can_be_whatever_the_rules_bring_there() {
        let rules = "(<= (next (cell ?x x)) (does white (mark ?x)))\n(<= (next (cell ?x o)) (does white (mark ?x)))\n";
        let found = labels(Fixture::gdl(&format!("{GAME}{rules}(<= terminal (true (cell 1 $0)))")));
        assert_eq!(found, ["b", "o", "x"]);
    }

    #[test]
    fn templates_stand_where_a_statement_begins_and_nowhere_else() {
        assert!(labels(Fixture::gdl("ga$0")).contains(&"game".to_string()));
        assert!(labels(Fixture::infix("ga$0")).contains(&"game".to_string()));
        assert!(labels(Fixture::pogddl("do$0")).contains(&"domain".to_string()));
        let later = labels(Fixture::gdl(&format!("{GAME}\nru$0")));
        assert!(later.contains(&"rule".to_string()) && !later.contains(&"game".to_string()), "{later:?}");
        for place in ["(<= terminal (true (cell 1 $0)))", "(<= terminal (distinct $0 1))", "(<= (legal $0"] {
            let found = labels(Fixture::gdl(&format!("{GAME}{place}")));
            assert!(!found.iter().any(|it| it.contains("rule") || it == "game"), "{place}: {found:?}");
        }
    }

    #[test]
    fn a_receiver_is_listed_once() {
        let found = labels(Fixture::pogddl(
            "(define (domain d)\n (:types role other)\n (:constants chance p1 - role all others u - other)\n\
             (:action a :parameters () :effect (observe ($0 (seen)))))",
        ));
        for receiver in ["all", "others", "chance", "p1"] {
            assert_eq!(found.iter().filter(|it| *it == receiver).count(), 1, "{receiver}: {found:?}");
        }
    }

    #[test]
    fn parameters_and_objects_by_type() {
        check(
            Fixture::pogddl(
                "(define (domain d)\n (:types card place)\n (:constants ace - card here - place)\n\
                 (:predicates (at ?c - card ?p - place))\n\
                 (:action a :parameters (?x - card ?y - place) :precondition (at $0)))",
            ),
            expect![[r#"
                ?x | - card | ?x
            "#]],
        );
    }
}
