//! Terms as people write and read them.

use std::cmp::Ordering;

use crate::terms::{TermId, Terms};

/// Deeper terms than this are not read.
const MAX_DEPTH: usize = 200;

/// The term that `text` names, in prefix (`(mark 1 2)`) or infix notation (`mark(1,2)`), if the table has it.
pub fn find_term(terms: &Terms, text: &str) -> Option<TermId> {
    Tree::read(text)?.find(terms)
}

/// The same, put into the table if it is made of names that the description has: it need not have come up in a match
/// yet, so that a view can be read before any state is known.
pub fn make_term(terms: &mut Terms, text: &str) -> Option<TermId> {
    Tree::read(text)?.make(terms)
}

/// A term as written.
struct Tree<'a> {
    name: &'a str,
    args: Option<Vec<Tree<'a>>>,
}

impl<'a> Tree<'a> {
    fn read(text: &'a str) -> Option<Tree<'a>> {
        let mut reader = Reader { rest: text, depth: 0 };
        let tree = reader.term()?;
        reader.rest.trim().is_empty().then_some(tree)
    }

    fn find(&self, terms: &Terms) -> Option<TermId> {
        let functor = terms.find_sym(self.name)?;
        match &self.args {
            None => terms.find(functor, None),
            Some(args) => {
                let args: Option<Vec<TermId>> = args.iter().map(|arg| arg.find(terms)).collect();
                terms.find(functor, Some(&args?))
            }
        }
    }

    fn make(&self, terms: &mut Terms) -> Option<TermId> {
        let functor = terms.find_sym(self.name)?;
        match &self.args {
            None => Some(terms.constant(self.name)),
            Some(args) => {
                let args: Option<Vec<TermId>> = args.iter().map(|arg| arg.make(terms)).collect();
                Some(terms.compound(functor, &args?))
            }
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn eat(&mut self, token: char) -> bool {
        match self.rest.trim_start().strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| c.is_whitespace() || "(),".contains(c)).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn term(&mut self) -> Option<Tree<'a>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let tree = if self.eat('(') {
            Tree { name: self.word()?, args: Some(self.arguments()?) }
        } else {
            let name = self.word()?;
            let called = self.rest.starts_with('(') && self.eat('(');
            Tree { name, args: if called { Some(self.arguments()?) } else { None } }
        };
        self.depth -= 1;
        Some(tree)
    }

    fn arguments(&mut self) -> Option<Vec<Tree<'a>>> {
        let mut args = Vec::new();
        while !self.eat(')') {
            args.push(self.term()?);
            self.eat(',');
        }
        Some(args)
    }
}

/// An order of terms that depends on nothing but their names: numbers by value, constants before compounds.
pub fn compare(terms: &Terms, left: TermId, right: TermId) -> Ordering {
    if left == right {
        return Ordering::Equal;
    }
    let (left_args, right_args) = (terms.args(left), terms.args(right));
    let shape = left_args.map_or(0, |args| args.len() + 1).cmp(&right_args.map_or(0, |args| args.len() + 1));
    let (left_name, right_name) = (terms.name(terms.functor(left)), terms.name(terms.functor(right)));
    let names = match (left_name.parse::<i64>(), right_name.parse::<i64>()) {
        (Ok(left), Ok(right)) => left.cmp(&right).then(left_name.cmp(right_name)),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        _ => left_name.cmp(right_name),
    };
    names.then(shape).then_with(|| {
        let pairs = left_args.unwrap_or(&[]).iter().zip(right_args.unwrap_or(&[]));
        pairs
            .map(|(&left, &right)| compare(terms, left, right))
            .find(|&order| order != Ordering::Equal)
            .unwrap_or(Ordering::Equal)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_notations_name_the_same_term() {
        let mut terms = Terms::default();
        let (one, two) = (terms.constant("1"), terms.constant("2"));
        let mark = terms.sym("mark");
        let term = terms.compound(mark, &[one, two]);
        assert_eq!(find_term(&terms, " ( mark 1\t2 ) "), Some(term));
        assert_eq!(find_term(&terms, "mark(1, 2)"), Some(term));
        assert_eq!(find_term(&terms, "mark(1 2"), None);
        assert_eq!(find_term(&terms, "(mark 1 2) 3"), None);
        assert_eq!(find_term(&terms, "2"), Some(two));
        assert_eq!(find_term(&terms, &"(".repeat(100_000)), None);
        assert_eq!(find_term(&terms, "(mark 2 1)"), None);
        assert_eq!(make_term(&mut terms, "(mark 2 unknown)"), None);
        assert!(make_term(&mut terms, "(mark 2 1)").is_some());
        assert!(find_term(&terms, "(mark 2 1)").is_some());
    }

    #[test]
    fn numbers_compare_by_value() {
        let mut terms = Terms::default();
        let (ten, nine) = (terms.constant("10"), terms.constant("9"));
        assert_eq!(compare(&terms, nine, ten), Ordering::Less);
    }
}
