//! Declarations of percepts that follow the description's own declarations of facts and moves. Their bodies are copied,
//! because `base` and `input` are not allowed in a body.

use std::collections::BTreeSet;

use percept_syntax::gdl::{Description, Statement, Term, TermKind};

use super::gdl::{is_about, statement, term};

/// The most declarations to copy; a longer list would be unreadable.
const MOST: usize = 30;

/// The content of the percepts.
pub(super) enum Domain<'a> {
    /// Fluents of a functor, with some of their arguments fixed, and the word that names the percepts.
    Facts { functor: &'a str, args: &'a [Option<String>], word: &'a str },
    /// Moves of a role, of one functor and number of arguments or of all, and the form of a percept of them.
    Moves { of: &'a str, like: Option<(&'a str, usize)>, content: &'a dyn Fn(&str) -> String },
}

impl Domain<'_> {
    /// The declarations for a role; none if the description does not declare the domain, or if the declarations are too
    /// long.
    pub(super) fn percepts(&self, description: &Description, role: &str) -> Vec<String> {
        let lines: Vec<String> = match self {
            Domain::Facts { functor, args, word } => {
                let of = description.statements.iter().filter(|it| is_about(it, "base"));
                of.filter_map(|it| fact(it, functor, args, word, role)).collect()
            }
            Domain::Moves { of, like, content } => {
                let inputs = description.statements.iter().filter(|it| is_about(it, "input"));
                inputs.filter_map(|it| self::mv(it, of, *like, content, role)).collect()
            }
        };
        if lines.len() > MOST { Vec::new() } else { lines }
    }
}

/// `(base (cell ?x b))` as a declaration of a percept.
fn fact(it: &Statement, functor: &str, args: &[Option<String>], word: &str, role: &str) -> Option<String> {
    let [fluent] = it.head.as_ref()?.args() else { return None };
    let is_one = fluent.name.is(functor) && fluent.args().len() == args.len();
    let given = fluent.args().iter().zip(args).filter_map(|(arg, given)| Some((arg, given.as_deref()?)));
    let content: String = fluent.args().iter().map(|arg| format!(" {}", term(arg))).collect();
    let head = format!("(percept {role} ({word}{content}))");
    is_one.then(|| bound(it, &head, given)).flatten()
}

/// `(input ?r (mark ?x))` as a declaration of a percept.
fn mv(
    it: &Statement,
    of: &str,
    like: Option<(&str, usize)>,
    content: &dyn Fn(&str) -> String,
    role: &str,
) -> Option<String> {
    let [who, what] = it.head.as_ref()?.args() else { return None };
    let is_term = !matches!(what.kind, TermKind::Variable);
    let is_one = like.is_none_or(|(functor, arity)| is_term && what.name.is(functor) && what.args().len() == arity);
    let head = format!("(percept {role} {})", content(&term(what)));
    is_one.then(|| bound(it, &head, [(who, of)].into_iter())).flatten()
}

/// The rule with another head, with its terms equal to the given ones: variables are bound to them; a different
/// constant does not match.
fn bound<'t>(it: &Statement, head: &str, given: impl Iterator<Item = (&'t Term, &'t str)>) -> Option<String> {
    let whole = statement(it, &BTreeSet::new());
    let body = match it.arrow {
        None => None,
        Some(_) => {
            Some(whole.strip_prefix("(<= ")?.strip_prefix(&term(it.head.as_ref()?))?.strip_suffix(')')?.to_string())
        }
    };
    let mut line = match body {
        None => head.to_string(),
        Some(body) => format!("(<= {head}{body})"),
    };
    for (term, value) in given {
        match &term.kind {
            TermKind::Variable => line = replaced(&line, &format!("?{}", term.name.text), value),
            TermKind::Constant if term.name.is(value) => {}
            _ => return None,
        }
    }
    Some(line)
}

/// A text with a value in place of a variable.
fn replaced(text: &str, variable: &str, value: &str) -> String {
    let is_in_word = |c: char| !c.is_whitespace() && !matches!(c, '(' | ')');
    let mut found = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(variable) {
        let after = &rest[at + variable.len()..];
        found += &rest[..at];
        found += if after.starts_with(is_in_word) { variable } else { value };
        rest = after;
    }
    found + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use percept_syntax::{Language, Source, Syntax};

    fn percepts(text: &str, domain: &Domain<'_>) -> Vec<String> {
        let source = Source::parse(text, Language::GdlPrefix);
        let Syntax::Gdl(description) = &source.syntax else { panic!("not GDL") };
        domain.percepts(description, "white")
    }

    #[test]
    fn facts_and_moves_are_declared_as_percepts() {
        let text =
            "(<= (base (cell ?x ?xy)) (index ?x) (index ?xy)) (base (cell 1 lone)) (base (cell 2 other)) (base over)
            (<= (input ?r (mark ?x)) (role ?r) (index ?x)) (input white noop) (input black (mark 7))";
        let args = [Some("1".to_string()), None];
        let facts = Domain::Facts { functor: "cell", args: &args, word: "cell-seen" };
        assert_eq!(
            percepts(text, &facts),
            ["(<= (percept white (cell-seen 1 ?xy)) (index 1) (index ?xy))", "(percept white (cell-seen 1 lone))"]
        );
        let did = |mv: &str| format!("(did black {mv})");
        let moves = Domain::Moves { of: "black", like: Some(("mark", 1)), content: &did };
        assert_eq!(
            percepts(text, &moves),
            [
                "(<= (percept white (did black (mark ?x))) (role black) (index ?x))",
                "(percept white (did black (mark 7)))"
            ]
        );
        let may = |mv: &str| format!("(may {mv})");
        let own = Domain::Moves { of: "white", like: None, content: &may };
        assert_eq!(
            percepts(text, &own),
            ["(<= (percept white (may (mark ?x))) (role white) (index ?x))", "(percept white (may noop))"]
        );
    }
}
