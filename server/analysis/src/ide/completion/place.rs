//! The part of a PDDL file around a place, which decides the possible words there. It is determined from the tokens, so
//! half-written text is supported too.

use percept_syntax::{Source, TokenKind};

/// The kind of form at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A place outside of every definition.
    File,
    /// A section of a definition.
    Section,
    /// A field of an action.
    Field,
    /// A condition of any kind.
    Condition,
    /// An effect of an action.
    Effect,
    /// A fact of the initial state.
    Fact,
    /// A number, or a function with a numeric value.
    Number,
    /// A form of any other kind.
    Other,
}

/// A place with the words that are possible there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The kind of form that is being written there.
    pub kind: Kind,
    /// The words with a `:` of the innermost form around it that has such words.
    pub keywords: &'static [&'static str],
}

const DOMAIN: &[&str] =
    &[":requirements", ":types", ":constants", ":predicates", ":functions", ":derived", ":action", ":gain"];
const PROBLEM: &[&str] = &[":domain", ":requirements", ":objects", ":init", ":goal"];
const FIELDS: &[&str] = &[":parameters", ":precondition", ":effect"];
const NUMBERS: [&str; 15] = [
    "=",
    "<",
    ">",
    "<=",
    ">=",
    "+",
    "-",
    "*",
    "/",
    "assign",
    "increase",
    "decrease",
    "scale-up",
    "scale-down",
    "minimize",
];

/// An open bracket before the place.
#[derive(Default)]
struct Open {
    head: String,
    /// The last word with a `:` after the head.
    field: String,
    /// The number of forms after that word, or after the head.
    forms: usize,
    /// True for the `define` of a problem.
    is_problem: bool,
}

/// The place at an offset that is in no token.
pub(super) fn at(source: &Source, offset: u32) -> Place {
    let stack = open(source, offset);
    let mut place = Place { kind: Kind::File, keywords: &[] };
    for (depth, open) in stack.iter().enumerate() {
        // The number of forms in this one before the place, or before the form that contains the place.
        let is_around = depth + 1 < stack.len();
        let before = open.forms - usize::from(is_around);
        if open.head == "define" {
            place.keywords = if open.is_problem { PROBLEM } else { DOMAIN };
        }
        if is_action(&open.head) {
            place.keywords = FIELDS;
        }
        place.kind = inside(open, before, is_around, place.kind);
    }
    place
}

fn is_action(head: &str) -> bool {
    matches!(head, ":action" | ":durative-action" | ":process" | ":event")
}

fn inside(open: &Open, before: usize, is_around: bool, outer: Kind) -> Kind {
    match open.head.as_str() {
        "define" => Kind::Section,
        head if is_action(head) => match open.field.as_str() {
            ":precondition" | ":condition" if before == 0 => Kind::Condition,
            ":effect" if before == 0 => Kind::Effect,
            ":parameters" | ":duration" if before == 0 => Kind::Other,
            _ => Kind::Field,
        },
        ":goal" | ":constraints" | ":gain" => Kind::Condition,
        ":derived" if before > 0 => Kind::Condition,
        ":init" => Kind::Fact,
        ":metric" => Kind::Number,
        "when" if before == 0 => Kind::Condition,
        "forall" | "exists" if before == 0 => Kind::Other,
        "when" | "forall" | "exists" | "and" | "or" | "not" | "imply" => outer,
        "observe" => Kind::Other,
        head if NUMBERS.contains(&head) => Kind::Number,
        head if head.starts_with(':') => Kind::Other,
        // The arguments of an atom are names; a form that contains conditions or effects is not an atom.
        _ if is_around => outer,
        _ => Kind::Other,
    }
}

/// The brackets that are open before an offset, except one right before it.
fn open(source: &Source, offset: u32) -> Vec<Open> {
    let tokens = source.tokens.iter().take_while(|token| token.range.end <= offset);
    let mut stack: Vec<Open> = Vec::new();
    let mut is_first = false;
    for token in tokens.filter(|token| token.kind != TokenKind::Comment) {
        let word = || source.text[token.range.as_usize()].to_ascii_lowercase();
        match token.kind {
            TokenKind::Open => {
                if let Some(outer) = stack.last_mut() {
                    outer.forms += 1;
                }
                stack.push(Open::default());
            }
            TokenKind::Close => _ = stack.pop(),
            kind => {
                let is_problem = is_first && word() == "problem";
                if let [.., outer, _] = &mut stack[..] {
                    outer.is_problem |= is_problem && outer.head == "define";
                }
                match stack.last_mut() {
                    Some(open) if is_first => open.head = word(),
                    Some(open) if kind == TokenKind::Keyword => (open.field, open.forms) = (word(), 0),
                    Some(open) => open.forms += 1,
                    None => {}
                }
            }
        }
        is_first = token.kind == TokenKind::Open;
    }
    if is_first {
        stack.pop();
        if let Some(outer) = stack.last_mut() {
            outer.forms -= 1;
        }
    }
    stack
}

#[cfg(test)]
mod tests {
    use super::*;
    use percept_syntax::Language;

    /// The kinds of the places marked by `^`.
    fn kinds(text: &str) -> Vec<Kind> {
        let places = text.match_indices('^').enumerate().map(|(number, (place, _))| (place - number) as u32);
        let source = Source::parse(text.replace('^', ""), Language::Pogddl);
        places.map(|place| at(&source, place).kind).collect()
    }

    #[test]
    fn every_place_of_an_action_is_known() {
        use Kind::{Condition, Effect, Field, File, Number, Other, Section};
        let domain = "^(define (domain d) ^(:action a ^:parameters (^?x) :precondition ^(and ^(p ^?x) (< (f) ^3)) \
            :effect (and ^(when ^(q) ^(r)) (forall (^?y) ^(increase ^(f) 1)) (observe (^all (m)))) ^) ^)";
        let expected = [
            File, Section, Field, Other, Condition, Condition, Other, Number, Effect, Condition, Effect, Other, Effect,
            Number, Other, Field, Section,
        ];
        assert_eq!(kinds(domain), expected);
    }

    #[test]
    fn a_problem_has_its_own() {
        let problem = "(define (problem p) ^(:domain d) (:init ^(p a)) (:goal ^(and ^(p a))))";
        assert_eq!(kinds(problem), [Kind::Section, Kind::Fact, Kind::Condition, Kind::Condition]);
        let source = Source::parse("(define (problem p) (:", Language::Pogddl);
        assert_eq!(at(&source, 21).keywords, PROBLEM);
    }
}
