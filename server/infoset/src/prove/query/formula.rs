//! The language of questions as text, before a game gives its terms a meaning.

use percept_game::sexpr::{self, Expr, Kind};
use percept_game::{Game, RoleId, Term};

use super::pattern;

/// A question about all histories, or about some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// True for a question about all histories; false for some.
    pub always: bool,
    /// The most rounds of the histories; `None` for no limit.
    pub rounds: Option<usize>,
    /// The formula in question.
    pub formula: Formula,
}

/// A statement about a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// True if all parts are true.
    And(Vec<Formula>),
    /// True if at least one part is true.
    Or(Vec<Formula>),
    /// The negation.
    Not(Box<Formula>),
    /// The role knows the formula: it holds in every history that the role considers possible.
    Knows(RoleId, Box<Formula>),
    /// True for at least one value of the variable.
    Exists(String, Box<Formula>),
    /// A fact of the game or a comparison.
    Atom(Atom),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    Terminal,
    True(Placed),
    Legal(RoleId, Placed),
    /// The role has a legal move.
    Can(RoleId),
    Goal(RoleId, Placed),
    /// The terms are not the same.
    Distinct(Term, Term),
}

/// A term and its position in the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    pub term: Term,
    pub at: usize,
}

impl Placed {
    pub(crate) fn error(&self, message: impl Into<String>) -> QueryError {
        QueryError { at: self.at, message: message.into() }
    }
}

/// An error in a question, with its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (at byte {at} of the question)")]
pub struct QueryError {
    /// The offset in the text, in bytes.
    pub at: usize,
    /// The error in words.
    pub message: String,
}

/// The start of an expression, in bytes.
fn place(read: &Expr) -> usize {
    read.range.start as usize
}

fn wrong(read: &Expr, message: impl Into<String>) -> QueryError {
    QueryError { at: place(read), message: message.into() }
}

/// The only term of a text.
fn whole(text: &str) -> Result<Expr, QueryError> {
    let error = |at: usize, message: &str| QueryError { at, message: message.to_owned() };
    let mut all = sexpr::read(text).map_err(|unread| error(unread.range.start as usize, unread.message))?;
    match &all[..] {
        [] => Err(error(text.len(), "expected a formula")),
        [_] => Ok(all.remove(0)),
        [_, second, ..] => Err(wrong(second, "one question at a time: remove the text after the first")),
    }
}

impl Question {
    /// Reads a question about `game`.
    ///
    /// # Errors
    /// If the text is not a question, or names roles that the game does not have.
    pub fn parse(game: &Game, text: &str) -> Result<Question, QueryError> {
        let read = whole(text)?;
        let (always, rounds, body) = match &read.kind {
            Kind::List(parts) => match (head(parts), &parts[..]) {
                (Some(word @ ("always" | "sometimes")), [_, body]) => (word == "always", None, body),
                (Some(word @ ("always" | "sometimes")), [_, rounds, body]) => {
                    (word == "always", Some(number(rounds)?), body)
                }
                (Some(word @ ("always" | "sometimes")), _) => {
                    return Err(wrong(
                        &read,
                        format!("`{word}` takes a formula, and optionally a number of rounds before it"),
                    ));
                }
                _ => (true, None, &read),
            },
            Kind::Word(_) => (true, None, &read),
        };
        let mut builder = Builder { game, bound: Vec::new(), free: Vec::new() };
        let formula = close(builder.formula(body)?);
        Ok(Question { always, rounds, formula })
    }
}

fn head(parts: &[Expr]) -> Option<&str> {
    parts.first()?.word()
}

fn number(read: &Expr) -> Result<usize, QueryError> {
    read.word().and_then(|word| word.parse().ok()).ok_or_else(|| wrong(read, "expected a number of rounds"))
}

/// Builds formulas from parsed expressions.
struct Builder<'a> {
    game: &'a Game,
    /// The variables that are bound at this position.
    bound: Vec<String>,
    /// The free variables, each with the position of the atom that contains it.
    free: Vec<(String, usize)>,
}

impl Builder<'_> {
    fn formula(&mut self, read: &Expr) -> Result<Formula, QueryError> {
        let parts = match &read.kind {
            Kind::Word(word) if word == "terminal" => return Ok(Formula::Atom(Atom::Terminal)),
            Kind::Word(word) => {
                return Err(wrong(read, format!("`{word}` is not a formula; a fluent is written `(true {word})`")));
            }
            Kind::List(parts) => parts,
        };
        let Some(word) = head(parts) else {
            return Err(wrong(read, "a formula begins with a word, such as `and` or `knows`"));
        };
        let not = |formula| Formula::Not(Box::new(formula));
        match (word, &parts[1..]) {
            ("and", rest) => Ok(Formula::And(self.all(rest)?)),
            ("or", rest) => Ok(Formula::Or(self.all(rest)?)),
            ("not", [part]) => Ok(not(self.formula(part)?)),
            ("implies", [left, right]) => Ok(Formula::Or(vec![not(self.formula(left)?), self.formula(right)?])),
            ("knows", [who, part]) => Ok(Formula::Knows(self.role(who)?, Box::new(self.formula(part)?))),
            ("exists", [variables, part]) => self.quantified(variables, part, false),
            ("forall", [variables, part]) => Ok(not(self.quantified(variables, part, true)?)),
            ("true", [fluent]) => Ok(Formula::Atom(Atom::True(self.term(read, fluent)?))),
            ("legal", [who, mv]) => Ok(Formula::Atom(Atom::Legal(self.role(who)?, self.term(read, mv)?))),
            ("can", [who]) => Ok(Formula::Atom(Atom::Can(self.role(who)?))),
            ("goal", [who, value]) => Ok(Formula::Atom(Atom::Goal(self.role(who)?, self.term(read, value)?))),
            ("distinct", [left, right]) => self.distinct(read, left, right),
            ("always" | "sometimes", _) => {
                Err(wrong(read, format!("`{word}` is only allowed around the whole question")))
            }
            (
                "not" | "implies" | "knows" | "exists" | "forall" | "true" | "legal" | "can" | "goal" | "distinct"
                | "terminal",
                rest,
            ) => Err(wrong(read, format!("{}, not {} parts", shape_of(word), rest.len()))),
            _ => Err(wrong(read, format!("`{word}` is not a formula; a fluent is written `(true ({word} ...))`"))),
        }
    }

    fn all(&mut self, parts: &[Expr]) -> Result<Vec<Formula>, QueryError> {
        parts.iter().map(|part| self.formula(part)).collect()
    }

    fn role(&self, read: &Expr) -> Result<RoleId, QueryError> {
        let name = read.show();
        self.game.role(&name).ok_or_else(|| {
            let roles: Vec<&str> = self.game.roles.iter().map(|role| role.name.as_str()).collect();
            wrong(read, format!("`{name}` is not a role; the roles are {}", roles.join(", ")))
        })
    }

    /// `exists` over one variable or a list of them, of the part or of its negation.
    fn quantified(&mut self, variables: &Expr, part: &Expr, negated: bool) -> Result<Formula, QueryError> {
        let listed = match &variables.kind {
            Kind::Word(_) => std::slice::from_ref(variables),
            Kind::List(list) => &list[..],
        };
        let mut names = Vec::new();
        for variable in listed {
            let name = variable.word().filter(|word| word.starts_with('?'));
            let name = name.ok_or_else(|| wrong(variable, "expected a variable, such as `?x`"))?;
            if self.bound.iter().chain(&names).any(|other| other == name) {
                return Err(wrong(variable, format!("`{name}` is already bound; choose another name")));
            }
            names.push(name.to_owned());
        }
        if names.is_empty() {
            return Err(wrong(variables, "expected a variable, such as `?x`"));
        }
        let outside = self.bound.len();
        self.bound.extend(names.iter().cloned());
        let formula = self.formula(part)?;
        let formula = if negated { Formula::Not(Box::new(formula)) } else { formula };
        self.bound.truncate(outside);
        for (name, variable) in names.iter().zip(listed) {
            let mut free = Vec::new();
            formula.free(&mut Vec::new(), &mut free);
            if !free.contains(name) {
                return Err(wrong(variable, format!("`{name}` has no values: no atom in this part uses it")));
            }
        }
        Ok(names.into_iter().rev().fold(formula, |formula, name| Formula::Exists(name, Box::new(formula))))
    }

    fn distinct(&mut self, read: &Expr, left: &Expr, right: &Expr) -> Result<Formula, QueryError> {
        let (left, right) = (term(left)?, term(right)?);
        for side in [&left, &right] {
            let mut missing = None;
            pattern::variables(side, &mut |name| {
                if !self.bound.iter().any(|other| other == name) {
                    missing.get_or_insert(name.to_owned());
                }
            });
            if let Some(name) = missing {
                return Err(wrong(
                    read,
                    format!("`{name}` needs a quantifier: (exists {name} ...) or (forall {name} ...)"),
                ));
            }
        }
        Ok(Formula::Atom(Atom::Distinct(left, right)))
    }

    /// Reads the term of an atom. A free variable may occur in one atom only; it means "for some value".
    fn term(&mut self, atom: &Expr, read: &Expr) -> Result<Placed, QueryError> {
        let term = term(read)?;
        let mut names = Vec::new();
        pattern::variables(&term, &mut |name| names.push(name.to_owned()));
        for name in names.into_iter().filter(|name| !self.bound.contains(name)) {
            if self.free.iter().any(|(other, at)| *other == name && *at != place(atom)) {
                return Err(wrong(
                    read,
                    format!(
                        "`{name}` occurs in several atoms and needs a quantifier: (exists {name} ...) or (forall {name} ...)"
                    ),
                ));
            }
            self.free.push((name, place(atom)));
        }
        Ok(Placed { term, at: place(read) })
    }
}

fn shape_of(word: &str) -> &'static str {
    match word {
        "not" => "`not` takes one formula",
        "implies" => "`implies` takes two formulas",
        "knows" => "`knows` takes a role and a formula",
        "exists" | "forall" => "a quantifier takes a variable, or a list of them, and a formula",
        "true" => "`true` takes a fluent",
        "legal" => "`legal` takes a role and a move",
        "can" => "`can` takes a role",
        "goal" => "`goal` takes a role and a value",
        "distinct" => "`distinct` takes two terms",
        _ => "`terminal` is written without parentheses",
    }
}

/// Reads a KIF term of a question; variables keep their `?`.
fn term(read: &Expr) -> Result<Term, QueryError> {
    Term::of(read).ok_or_else(|| wrong(read, "a name is a word, or a list that begins with one: `(cell 1 2 b)`"))
}

/// Binds all free variables.
fn close(formula: Formula) -> Formula {
    let mut free = Vec::new();
    formula.free(&mut Vec::new(), &mut free);
    free.sort();
    free.dedup();
    free.into_iter().fold(formula, |formula, variable| bind(formula, &variable))
}

/// Inserts an `exists` as deep as possible: around the smallest part with all uses of the variable, but outside any
/// `knows`.
fn bind(formula: Formula, variable: &str) -> Formula {
    let uses = |part: &Formula| {
        let mut free = Vec::new();
        part.free(&mut Vec::new(), &mut free);
        free.iter().any(|name| name == variable)
    };
    let wrap = |formula| Formula::Exists(variable.to_owned(), Box::new(formula));
    let deeper = |parts: Vec<Formula>| {
        parts.into_iter().map(|part| if uses(&part) { bind(part, variable) } else { part }).collect()
    };
    match formula {
        Formula::And(parts) => Formula::And(deeper(parts)),
        Formula::Or(parts) => Formula::Or(deeper(parts)),
        Formula::Not(part) => Formula::Not(Box::new(bind(*part, variable))),
        Formula::Exists(other, part) => Formula::Exists(other, Box::new(bind(*part, variable))),
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
            Formula::Atom(Atom::True(placed) | Atom::Legal(_, placed) | Atom::Goal(_, placed)) => {
                pattern::variables(&placed.term, &mut |name| {
                    if !bound.iter().any(|other| other == name) {
                        found.push(name.to_owned());
                    }
                });
            }
            Formula::Atom(Atom::Terminal | Atom::Can(_) | Atom::Distinct(..)) => {}
        }
    }
}
