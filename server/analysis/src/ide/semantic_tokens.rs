//! Semantic tokens: the kind of each name, for colours.

use percept_syntax::{TextRange, TokenKind};

use super::{Access, Class, Indexed, Namespace};

/// The kinds of tokens, in the order of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word of the language.
    Keyword,
    /// A variable of a rule.
    Variable,
    /// A parameter of an action.
    Parameter,
    /// A relation that rules define.
    Relation,
    /// A role of the game.
    Role,
    /// A fluent, part of a state.
    Fluent,
    /// A move of a role.
    Move,
    /// A percept of a role.
    Percept,
    /// The functor of a compound term, or a function of PDDL.
    Function,
    /// A constant or object.
    Constant,
    /// A constant that is a number.
    Number,
    /// A type of objects.
    Type,
    /// A comment, to the end of its line.
    Comment,
    /// An operator such as `<=` or `:-`.
    Operator,
    /// The name of a domain or a problem.
    Name,
}

/// A coloured range of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The range, within one line.
    pub range: TextRange,
    /// The kind of the token.
    pub kind: Kind,
    /// True if the name is defined here.
    pub is_definition: bool,
    /// True if the language defines the name, such as `random` or `u`.
    pub is_builtin: bool,
}

/// Returns the tokens of a file in the order of the text. They do not overlap, and each is within one line.
pub fn tokens(file: Indexed<'_>) -> Vec<Token> {
    let plain = |range, kind| Token { range, kind, is_definition: false, is_builtin: false };
    let names = file.index.all().iter().map(|occurrence| Token {
        range: occurrence.range,
        kind: kind(occurrence.class),
        is_definition: occurrence.access == Access::Define,
        is_builtin: is_builtin(file, occurrence),
    });
    let comments = file.source.tokens.iter().filter(|token| token.kind == TokenKind::Comment);
    let mut all: Vec<Token> = names.chain(comments.map(|token| plain(token.range, Kind::Comment))).collect();
    all.sort_by_key(|token| (token.range.start, token.range.end));
    all.dedup_by(|next, kept| next.range.start < kept.range.end);
    all
}

fn is_builtin(file: Indexed<'_>, occurrence: &super::Occurrence) -> bool {
    let symbol = file.index.symbol(occurrence);
    symbol.namespace == Namespace::Object && matches!(symbol.name.as_str(), "random" | "chance")
}

fn kind(class: Class) -> Kind {
    match class {
        Class::Keyword | Class::Requirement => Kind::Keyword,
        Class::Variable => Kind::Variable,
        Class::Parameter => Kind::Parameter,
        Class::Relation | Class::Predicate => Kind::Relation,
        Class::Role => Kind::Role,
        Class::Fluent | Class::NumericFunction => Kind::Fluent,
        Class::Move | Class::Action => Kind::Move,
        Class::Percept => Kind::Percept,
        Class::Function => Kind::Function,
        Class::Object => Kind::Constant,
        Class::Number => Kind::Number,
        Class::Type => Kind::Type,
        Class::Name => Kind::Name,
    }
}

#[cfg(test)]
mod tests {
    use super::super::FileRange;
    use super::super::fixture::Fixture;
    use super::*;
    use expect_test::{Expect, expect};

    fn check(fixture: Fixture, expected: Expect) {
        let file = fixture.files().get(fixture.file).unwrap();
        let marks = tokens(file).into_iter().map(|token| {
            let mark = if token.is_definition { "*" } else { "" };
            (FileRange { file: fixture.file, range: token.range }, format!("{:?}{mark}", token.kind))
        });
        expected.assert_eq(&fixture.picture(marks));
    }

    #[test]
    fn roles_fluents_moves_and_percepts_have_colours_of_their_own() {
        check(
            Fixture::gdl("(<= (sees white (bang ?x)) (does white (cut ?x)) (true (armed ?x))) ; boom"),
            expect![[r#"
                (<= (sees white (bang ?x)) (does white (cut ?x)) (true (armed ?x))) ; boom
                 ^^ Keyword
                     ^^^^ Keyword
                          ^^^^^ Role
                                 ^^^^ Percept*
                                      ^^ Variable
                                            ^^^^ Keyword
                                                 ^^^^^ Role
                                                        ^^^ Move
                                                            ^^ Variable
                                                                  ^^^^ Keyword
                                                                        ^^^^^ Fluent
                                                                              ^^ Variable
                                                                                    ^^^^^^ Comment
            "#]],
        );
    }

    #[test]
    fn messages_and_parameters_of_a_domain() {
        check(
            Fixture::pogddl(
                "(define (domain d) (:action a :parameters (?c - card) :effect (observe (all (shown ?c)))))",
            ),
            expect![[r#"
                (define (domain d) (:action a :parameters (?c - card) :effect (observe (all (shown ?c)))))
                                ^ Name*
                                    ^^^^^^^ Keyword
                                            ^ Move*
                                              ^^^^^^^^^^^ Keyword
                                                           ^^ Parameter*
                                                                ^^^^ Type
                                                                      ^^^^^^^ Keyword
                                                                               ^^^^^^^ Keyword
                                                                                        ^^^ Keyword
                                                                                             ^^^^^ Percept
                                                                                                   ^^ Parameter
            "#]],
        );
    }
}
