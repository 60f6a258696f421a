//! The language of questions.
//!
//! ```text
//! question := (always F) | (always K F) | (sometimes F) | (sometimes K F) | F          K: rounds, F alone means always
//! F := (and F ...) | (or F ...) | (not F) | (implies F F) | (knows ROLE F) | (exists ?x F)
//!    | terminal | (true FLUENT) | (legal ROLE MOVE) | (can ROLE) | (goal ROLE VALUE)
//! ```
//!
//! Terms are KIF. A variable nobody binds is bound by an `exists` round the nearest `knows` that holds all of its uses
//! (so `(knows white (goal white ?v))` asks whether white knows its goal), or round the atom where there is no `knows`.
//! `exists` ranges over what makes one of its atoms true in the state at hand.

use percept_game::{Game, RoleId};

/// A KIF term of a question; variables keep their `?`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    Word(String),
    List(Vec<Term>),
}

/// What is asked of all histories, or of some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub always: bool,
    /// Rounds to look at; `None`: all.
    pub rounds: Option<usize>,
    pub formula: Formula,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Not(Box<Formula>),
    Knows(RoleId, Box<Formula>),
    Exists(String, Box<Formula>),
    Atom(Atom),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    Terminal,
    True(Term),
    Legal(RoleId, Term),
    /// The role has a legal move.
    Can(RoleId),
    Goal(RoleId, Term),
}

/// A question that cannot be read, with the byte offset at fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (at byte {at} of the question)")]
pub struct QueryError {
    pub at: usize,
    pub message: String,
}

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 200;

/// A term with its place, as read.
struct Read {
    at: usize,
    term: Shape,
}

enum Shape {
    Word(String),
    List(Vec<Read>),
}

impl Question {
    /// Reads a question about `game`.
    ///
    /// # Errors
    /// Where the text is no question, or speaks of roles or fluents the game does not have.
    pub fn parse(game: &Game, text: &str) -> Result<Question, QueryError> {
        let mut reader = Reader { text, at: 0 };
        let read = reader.term(0)?;
        reader.space();
        if reader.at < text.len() {
            return Err(reader.error("one question at a time: nothing may follow it"));
        }
        let (always, rounds, body) = match &read.term {
            Shape::List(parts) => match (head(parts), parts.len()) {
                (Some(word @ ("always" | "sometimes")), 2) => (word == "always", None, &parts[1]),
                (Some(word @ ("always" | "sometimes")), 3) => (word == "always", Some(number(&parts[1])?), &parts[2]),
                _ => (true, None, &read),
            },
            Shape::Word(_) => (true, None, &read),
        };
        let formula = close(build(game, body)?);
        Ok(Question { always, rounds, formula })
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn error(&self, message: &str) -> QueryError {
        QueryError { at: self.at, message: message.to_owned() }
    }

    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn term(&mut self, depth: usize) -> Result<Read, QueryError> {
        self.space();
        let at = self.at;
        let rest = &self.text[at..];
        if depth > MAX_DEPTH {
            return Err(self.error("the question is nested too deeply"));
        }
        if rest.starts_with(')') {
            return Err(self.error("this `)` closes nothing"));
        }
        if !rest.starts_with('(') {
            let length = rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len());
            if length == 0 {
                return Err(self.error("a formula is missing here"));
            }
            self.at += length;
            return Ok(Read { at, term: Shape::Word(rest[..length].to_owned()) });
        }
        self.at += 1;
        let mut parts = Vec::new();
        loop {
            self.space();
            match self.text[self.at..].chars().next() {
                None => return Err(QueryError { at, message: "this `(` is never closed".to_owned() }),
                Some(')') => {
                    self.at += 1;
                    return Ok(Read { at, term: Shape::List(parts) });
                }
                Some(_) => parts.push(self.term(depth + 1)?),
            }
        }
    }
}

fn head(parts: &[Read]) -> Option<&str> {
    match &parts.first()?.term {
        Shape::Word(word) => Some(word),
        Shape::List(_) => None,
    }
}

fn number(read: &Read) -> Result<usize, QueryError> {
    let word = match &read.term {
        Shape::Word(word) => word.parse().ok(),
        Shape::List(_) => None,
    };
    word.ok_or_else(|| QueryError { at: read.at, message: "a number of rounds belongs here".to_owned() })
}

fn build(game: &Game, read: &Read) -> Result<Formula, QueryError> {
    let error = |message: String| QueryError { at: read.at, message };
    let parts = match &read.term {
        Shape::Word(word) if word == "terminal" => return Ok(Formula::Atom(Atom::Terminal)),
        Shape::Word(word) => return Err(error(format!("`{word}` is no formula; a fluent is written `(true {word})`"))),
        Shape::List(parts) => parts,
    };
    let Some(word) = head(parts) else {
        return Err(error("a formula begins with a word, such as `and` or `knows`".to_owned()));
    };
    let rest = &parts[1..];
    let several = || rest.iter().map(|part| build(game, part)).collect::<Result<Vec<_>, _>>();
    let role = |part: &Read| find_role(game, part);
    match (word, rest) {
        ("and", _) => Ok(Formula::And(several()?)),
        ("or", _) => Ok(Formula::Or(several()?)),
        ("not", [part]) => Ok(Formula::Not(Box::new(build(game, part)?))),
        ("implies", [left, right]) => {
            Ok(Formula::Or(vec![Formula::Not(Box::new(build(game, left)?)), build(game, right)?]))
        }
        ("knows", [who, part]) => Ok(Formula::Knows(role(who)?, Box::new(build(game, part)?))),
        ("exists", [Read { term: Shape::Word(variable), .. }, part]) if variable.starts_with('?') => {
            Ok(Formula::Exists(variable.clone(), Box::new(build(game, part)?)))
        }
        ("true", [fluent]) => Ok(Formula::Atom(Atom::True(term(fluent)))),
        ("legal", [who, mv]) => Ok(Formula::Atom(Atom::Legal(role(who)?, term(mv)))),
        ("can", [who]) => Ok(Formula::Atom(Atom::Can(role(who)?))),
        ("goal", [who, value]) => Ok(Formula::Atom(Atom::Goal(role(who)?, term(value)))),
        ("not" | "implies" | "knows" | "exists" | "true" | "legal" | "can" | "goal", _) => {
            Err(error(format!("`{word}` does not take {} parts here", rest.len())))
        }
        _ => Err(error(format!("`{word}` is no formula; a fluent is written `(true ({word} ...))`"))),
    }
}

fn find_role(game: &Game, read: &Read) -> Result<RoleId, QueryError> {
    let name = match &read.term {
        Shape::Word(word) => word.as_str(),
        Shape::List(_) => "",
    };
    game.role(name).ok_or_else(|| {
        let roles: Vec<&str> = game.roles.iter().map(|role| role.name.as_str()).collect();
        QueryError { at: read.at, message: format!("`{name}` is no role; the roles are {}", roles.join(", ")) }
    })
}

fn term(read: &Read) -> Term {
    match &read.term {
        Shape::Word(word) => Term::Word(word.clone()),
        Shape::List(parts) => Term::List(parts.iter().map(term).collect()),
    }
}

/// Binds the variables nobody binds.
fn close(formula: Formula) -> Formula {
    let mut free = Vec::new();
    formula.free(&mut Vec::new(), &mut free);
    free.sort();
    free.dedup();
    free.into_iter().fold(formula, |formula, variable| bind(formula, &variable))
}

/// Puts an `exists` where it belongs: as deep as one part holds all uses, but not inside a `knows`.
fn bind(formula: Formula, variable: &str) -> Formula {
    let uses = |part: &Formula| {
        let mut free = Vec::new();
        part.free(&mut Vec::new(), &mut free);
        free.iter().any(|name| name == variable)
    };
    let wrap = |formula| Formula::Exists(variable.to_owned(), Box::new(formula));
    let sole = |parts: &[Formula]| parts.iter().filter(|part| uses(part)).count() == 1;
    let deeper = |parts: Vec<Formula>| {
        parts.into_iter().map(|part| if uses(&part) { bind(part, variable) } else { part }).collect()
    };
    match formula {
        Formula::And(parts) if sole(&parts) => Formula::And(deeper(parts)),
        Formula::Or(parts) if sole(&parts) => Formula::Or(deeper(parts)),
        Formula::Not(part) => Formula::Not(Box::new(bind(*part, variable))),
        other => wrap(other),
    }
}

impl Formula {
    fn free(&self, bound: &mut Vec<String>, found: &mut Vec<String>) {
        match self {
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| part.free(bound, found)),
            Formula::Not(part) | Formula::Knows(_, part) => part.free(bound, found),
            Formula::Exists(variable, part) => {
                bound.push(variable.clone());
                part.free(bound, found);
                bound.pop();
            }
            Formula::Atom(Atom::True(term) | Atom::Legal(_, term) | Atom::Goal(_, term)) => {
                term.variables(&mut |name| {
                    if !bound.iter().any(|known| known == name) {
                        found.push(name.to_owned());
                    }
                });
            }
            Formula::Atom(Atom::Terminal | Atom::Can(_)) => {}
        }
    }

    /// The roles whose knowledge is asked for.
    pub fn knowers(&self, found: &mut Vec<RoleId>) {
        match self {
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| part.knowers(found)),
            Formula::Not(part) | Formula::Exists(_, part) => part.knowers(found),
            Formula::Knows(role, part) => {
                found.push(*role);
                part.knowers(found);
            }
            Formula::Atom(_) => {}
        }
    }
}

impl Term {
    /// Reads a KIF name as the game prints it. Anything else is one word.
    pub fn of(name: &str) -> Term {
        let mut reader = Reader { text: name, at: 0 };
        match reader.term(0) {
            Ok(read) if reader.at == name.len() => term(&read),
            _ => Term::Word(name.to_owned()),
        }
    }

    fn variables(&self, f: &mut dyn FnMut(&str)) {
        match self {
            Term::Word(word) if word.starts_with('?') => f(word),
            Term::Word(_) => {}
            Term::List(parts) => parts.iter().for_each(|part| part.variables(f)),
        }
    }
}

impl std::fmt::Display for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Term::Word(word) => f.write_str(word),
            Term::List(parts) => {
                f.write_str("(")?;
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        f.write_str(" ")?;
                    }
                    write!(f, "{part}")?;
                }
                f.write_str(")")
            }
        }
    }
}
