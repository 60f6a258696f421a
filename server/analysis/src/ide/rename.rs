//! Rename: the edits of every occurrence, or the reason for a refusal.

use percept_syntax::{Language, TextRange};
use smol_str::SmolStr;

use super::{Class, Files, Namespace, Symbol, boards, keywords, sayings};
use crate::{FileId, TextEdit};

/// The name to rename, without a variable's mark.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The range of the name under the cursor.
    pub range: TextRange,
    /// The name as the editor offers it for editing.
    pub name: String,
}

/// The reason for a refused rename, as a message to the author.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenameError {
    /// Nothing is under the cursor.
    #[error("there is no name here")]
    Nothing,
    /// The old name or the new one is a word of the language.
    #[error("`{0}` is a word of the language")]
    Word(String),
    /// The old name is a number.
    #[error("`{0}` is a number")]
    Number(String),
    /// The old name has a fixed meaning.
    #[error("`{0}` has a fixed meaning in the language")]
    Fixed(String),
    /// The new name is several words, or empty.
    #[error("`{0}` is not a single name")]
    NotOne(String),
    /// In infix text, the new name would turn a variable into a constant, or the other way round.
    #[error("`{name}` would be {what}: in infix text variables begin with a capital letter")]
    Capital {
        /// The new name, as the author typed it.
        name: String,
        /// The kind of thing that it would become.
        what: &'static str,
    },
    /// The new name begins with a sign.
    #[error("`{0}` is not a name: it must begin with a letter")]
    Sign(String),
    /// The new name already belongs to another thing.
    #[error("there is already a {what} `{name}`")]
    Taken {
        /// The new name, as the author typed it.
        name: String,
        /// The kind of thing that has this name.
        what: &'static str,
    },
    /// Another variable of the same form has the new name.
    #[error("`{0}` is already a variable here")]
    Capture(String),
}

/// Returns the name under the cursor, if it can be renamed.
///
/// # Errors
/// The reason, if the name cannot be renamed.
pub fn prepare(files: &Files<'_>, file: FileId, offset: u32) -> Result<Target, RenameError> {
    let (symbol, occurrence) = files.at(file, offset).ok_or(RenameError::Nothing)?;
    let language = files.get(file).ok_or(RenameError::Nothing)?.source.language;
    if symbol.namespace == Namespace::Keyword || symbol.namespace == Namespace::Requirement {
        return Err(RenameError::Word(symbol.name.to_string()));
    }
    if occurrence.class == Class::Number {
        return Err(RenameError::Number(symbol.name.to_string()));
    }
    if is_fixed(language, symbol) {
        return Err(RenameError::Fixed(symbol.name.to_string()));
    }
    let text = &files.get(file).ok_or(RenameError::Nothing)?.source.text;
    let range = bare(text, occurrence.range);
    Ok(Target { range, name: text[range.as_usize()].to_string() })
}

/// True for names with a fixed meaning that are not keywords.
fn is_fixed(language: Language, symbol: &Symbol) -> bool {
    let fixed: &[&str] = match (language, symbol.namespace) {
        (Language::Pogddl, Namespace::Object) => &["chance", "all", "others", "u"],
        (Language::Pogddl, Namespace::Type) => &["object", "role", "number"],
        (Language::Pogddl, Namespace::Predicate) => &["whoseturn", "="],
        (Language::GdlPrefix | Language::GdlInfix, Namespace::Object) => &["random"],
        _ => &[],
    };
    fixed.contains(&symbol.name.as_str())
}

/// Returns the edits that rename the thing under the cursor.
///
/// # Errors
/// The reason for a refusal: the new name is not a name, or it is taken.
pub fn rename(files: &Files<'_>, file: FileId, offset: u32, new: &str) -> Result<Vec<TextEdit>, RenameError> {
    let target = prepare(files, file, offset)?;
    let (symbol, _) = files.at(file, offset).ok_or(RenameError::Nothing)?;
    let language = files.get(file).ok_or(RenameError::Nothing)?.source.language;
    let new = new.trim();
    let new = if symbol.namespace == Namespace::Variable { new.strip_prefix('?').unwrap_or(new) } else { new };
    if new == target.name {
        return Ok(Vec::new());
    }
    is_name(language, symbol.namespace, new)?;
    refuse_collisions(files, file, symbol, language, new)?;
    let edits = files.occurrences(file, symbol).into_iter().filter_map(|(id, occurrence)| {
        let range = bare(&files.get(id)?.source.text, occurrence.range);
        Some(TextEdit { file: id, range, insert: new.to_string() })
    });
    let comments = board_comments(files, file, symbol);
    let comments = comments.into_iter().map(|(file, range)| TextEdit { file, range, insert: new.to_string() });
    Ok(edits.chain(comments).collect())
}

/// The places in comments about boards, drawings and words that name the fluent, move, percept or role of a symbol.
fn board_comments(files: &Files<'_>, home: FileId, symbol: &Symbol) -> Vec<(FileId, TextRange)> {
    let is_used_as = |classes: &[Class]| {
        let occurrences = files.occurrences(home, symbol);
        occurrences.iter().any(|(_, it)| classes.contains(&it.class))
    };
    let is_fluent = match symbol.namespace {
        Namespace::Predicate => true,
        Namespace::Function => is_used_as(&[Class::Fluent]),
        _ => false,
    };
    let is_said = match symbol.namespace {
        Namespace::Predicate | Namespace::NumericFunction | Namespace::Action => true,
        Namespace::Function | Namespace::Object => is_used_as(&[Class::Fluent, Class::Move]),
        _ => false,
    };
    let is_percept = match symbol.namespace {
        Namespace::Message => true,
        Namespace::Function | Namespace::Object => is_used_as(&[Class::Percept]),
        _ => false,
    };
    let is_role = symbol.namespace == Namespace::Object && is_used_as(&[Class::Role]);
    let named = files.ids().flat_map(|(id, indexed)| {
        let drawn = boards::names(indexed.source).filter(move |_| is_fluent);
        let is_meant = move |used: sayings::Use| match used {
            sayings::Use::Said => is_said,
            sayings::Use::Percept => is_percept,
            sayings::Use::Role => is_role,
        };
        let sayings = sayings::names(indexed.source).filter(move |it| is_meant(it.1)).map(|it| it.0);
        drawn
            .chain(sayings)
            .filter(move |range| indexed.source.text[range.as_usize()].eq_ignore_ascii_case(&symbol.name))
            .map(move |range| (id, range))
    });
    named.collect()
}

/// The range without the mark of a variable.
fn bare(text: &str, range: TextRange) -> TextRange {
    match text.get(range.as_usize()).is_some_and(|name| name.starts_with('?')) {
        true => TextRange::new(range.start + 1, range.end),
        false => range,
    }
}

fn is_name(language: Language, namespace: Namespace, new: &str) -> Result<(), RenameError> {
    let delimiters: &[char] = match language {
        Language::GdlInfix => &['(', ')', ';', '%', ',', '&', '|', '~', '\\', '.', '?', ':', '<'],
        _ => &['(', ')', ';', '?'],
    };
    if new.is_empty() || new.contains(delimiters) || new.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(RenameError::NotOne(new.to_owned()));
    }
    if language == Language::GdlInfix {
        let is_upper = new.starts_with(|c: char| c.is_uppercase());
        if is_upper != (namespace == Namespace::Variable) {
            let what = if is_upper { "a variable" } else { "no variable" };
            return Err(RenameError::Capital { name: new.to_owned(), what });
        }
    }
    if language == Language::Pogddl && !new.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
        return Err(RenameError::Sign(new.to_owned()));
    }
    if namespace != Namespace::Variable && keywords::find(language, new).is_some() {
        return Err(RenameError::Word(new.to_owned()));
    }
    Ok(())
}

fn refuse_collisions(
    files: &Files<'_>,
    home: FileId,
    symbol: &Symbol,
    language: Language,
    new: &str,
) -> Result<(), RenameError> {
    let folded: SmolStr = match language {
        Language::Pogddl => new.to_ascii_lowercase().into(),
        _ => new.into(),
    };
    if folded == symbol.name {
        return Ok(());
    }
    if symbol.namespace == Namespace::Variable {
        return refuse_capture(files, home, symbol, &folded);
    }
    let taken = files
        .files
        .iter()
        .flat_map(|indexed| indexed.index.symbols())
        .find(|other| other.namespace == symbol.namespace && other.scope.is_none() && other.name == folded);
    match taken {
        Some(_) => Err(RenameError::Taken { name: new.to_owned(), what: word(symbol.namespace) }),
        None => Ok(()),
    }
}

/// Refuses the name of another variable in the same form: one variable would capture the other.
fn refuse_capture(files: &Files<'_>, home: FileId, symbol: &Symbol, new: &SmolStr) -> Result<(), RenameError> {
    let Some(indexed) = files.get(home) else { return Ok(()) };
    let items: Vec<u32> = indexed.index.occurrences_of(symbol).map(|occurrence| occurrence.item).collect();
    let taken = indexed.index.all().iter().any(|occurrence| {
        let other = indexed.index.symbol(occurrence);
        items.contains(&occurrence.item) && other.namespace == Namespace::Variable && other.name == *new
    });
    match taken {
        true => Err(RenameError::Capture(new.to_string())),
        false => Ok(()),
    }
}

fn word(namespace: Namespace) -> &'static str {
    match namespace {
        Namespace::Keyword => "keyword",
        Namespace::Variable => "variable",
        Namespace::Relation => "relation",
        Namespace::Function => "function",
        Namespace::Object => "constant",
        Namespace::Type => "type",
        Namespace::Predicate => "predicate",
        Namespace::NumericFunction => "numeric fluent",
        Namespace::Action => "action",
        Namespace::Message => "message",
        Namespace::DomainName => "domain",
        Namespace::ProblemName => "problem",
        Namespace::Requirement => "requirement",
        Namespace::Preference => "preference",
    }
}

#[cfg(test)]
mod tests {
    use super::super::FileRange;
    use super::super::fixture::Fixture;
    use super::*;
    use expect_test::{Expect, expect};

    fn check(fixture: Fixture, new: &str, expected: Expect) {
        let shown = match rename(&fixture.files(), fixture.file, fixture.offset, new) {
            Ok(edits) => {
                fixture.picture(edits.into_iter().map(|it| (FileRange { file: it.file, range: it.range }, it.insert)))
            }
            Err(reason) => format!("{reason}\n"),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn a_relation_is_renamed_everywhere() {
        check(
            Fixture::gdl("(succ 1 2)\n(<= (p ?x) (su$0cc ?x ?y) (true (succ ?y)))"),
            "next-number",
            expect![[r#"
                (succ 1 2)
                 ^^^^ next-number
                (<= (p ?x) (succ ?x ?y) (true (succ ?y)))
                            ^^^^ next-number
            "#]],
        );
    }

    #[test]
    fn a_variable_keeps_its_mark() {
        check(
            Fixture::gdl("(<= (p ?x) (q ?$0x ?y))"),
            "?row",
            expect![[r#"
                (<= (p ?x) (q ?x ?y))
                        ^ row
                               ^ row
            "#]],
        );
    }

    #[test]
    fn comments_about_boards_name_the_fluent_as_well() {
        check(
            Fixture::gdl("; percept: board at row column\n; percept: board on row\n(init (a$0t 1 2))\n; at"),
            "stands",
            expect![[r#"
                ; percept: board at row column
                                 ^^ stands
                (init (at 1 2))
                       ^^ stands
            "#]],
        );
        check(
            Fixture::pogddl("(define (domain d) ; percept: board AT piece cell\n (:predicates (a$0t ?p ?c)))"),
            "stands",
            expect![[r#"
                (define (domain d) ; percept: board AT piece cell
                                                    ^^ stands
                (:predicates (at ?p ?c)))
                              ^^ stands
            "#]],
        );
        check(
            Fixture::gdl("; percept: say (mark ?m) \"mark ?m\"\n(<= (legal ann (ma$0rk ?m)) (row ?m))"),
            "put",
            expect![[r#"
                ; percept: say (mark ?m) "mark ?m"
                                ^^^^ put
                (<= (legal ann (mark ?m)) (row ?m))
                                ^^^^ put
            "#]],
        );
        let percept = "; percept: say (sees ann (taken ?m)) \"?m\"\n(role ann)\n(<= (sees ann (ta$0ken ?m)) (row ?m))";
        check(
            Fixture::gdl(percept),
            "lost",
            expect![[r#"
                ; percept: say (sees ann (taken ?m)) "?m"
                                          ^^^^^ lost
                (<= (sees ann (taken ?m)) (row ?m))
                               ^^^^^ lost
            "#]],
        );
        check(
            Fixture::gdl(&percept.replace("$0", "").replace("(role ann)", "(role an$0n)")),
            "bob",
            expect![[r#"
                ; percept: say (sees ann (taken ?m)) "?m"
                                     ^^^ bob
                (role ann)
                      ^^^ bob
                (<= (sees ann (taken ?m)) (row ?m))
                          ^^^ bob
            "#]],
        );
        check(
            Fixture::pogddl(
                "(define (domain d) ; percept: say (sees ?r (hit ?s)) \"?s\"\n (:action hit :effect (observe (all (h$0it u)))))",
            ),
            "struck",
            expect![[r#"
                (define (domain d) ; percept: say (sees ?r (hit ?s)) "?s"
                                                            ^^^ struck
                (:action hit :effect (observe (all (hit u)))))
                                                    ^^^ struck
            "#]],
        );
        // A relation of that name is not drawn.
        check(
            Fixture::gdl("; percept: board at row column\n(a$0t 1 2)"),
            "stands",
            expect![[r#"
                (at 1 2)
                 ^^ stands
            "#]],
        );
    }

    #[test]
    fn what_would_collide_is_refused() {
        check(Fixture::gdl("(<= (p ?x) (q ?$0x ?y))"), "y", expect![["`y` is already a variable here\n"]]);
        check(Fixture::gdl("(p$0 a)(q b)"), "q", expect![["there is already a relation `q`\n"]]);
        check(Fixture::gdl("(p$0 a)"), "legal", expect![["`legal` is a word of the language\n"]]);
        check(Fixture::gdl("(p$0 a)"), "two words", expect![["`two words` is not a single name\n"]]);
        check(Fixture::gdl("(ro$0le a)"), "x", expect![["`role` is a word of the language\n"]]);
        check(Fixture::gdl("(role ran$0dom)"), "x", expect![["`random` has a fixed meaning in the language\n"]]);
        check(
            Fixture::infix("p$0(X) :- q(X)"),
            "P",
            expect![["`P` would be a variable: in infix text variables begin with a capital letter\n"]],
        );
    }

    #[test]
    fn an_object_is_renamed_across_files_whatever_its_case() {
        check(
            Fixture::pogddl(
                "(define (domain d) (:constants Ace - card)\n (:action a :parameters () :effect (holds ACE)))\n----\n\
                 (define (problem e) (:domain d) (:init (holds a$0ce)))",
            ),
            "king",
            expect![[r#"
                (define (domain d) (:constants Ace - card)
                                               ^^^ king
                (:action a :parameters () :effect (holds ACE)))
                                                         ^^^ king
                (define (problem e) (:domain d) (:init (holds ace)))
                                                              ^^^ king
            "#]],
        );
    }
}
