//! Terms and atoms as trees of words.

use percept_syntax::gdl::{Formula, Term, TermKind};
use percept_syntax::words::counted;
use smol_str::SmolStr;

use super::super::program::KEYWORDS;
use super::{MOST_DEPTH, wrong};
use crate::GameError;

/// A term. A word in parentheses is a different term from the word alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Tree {
    /// A variable, by its name without the `?`.
    Variable(SmolStr),
    Word(SmolStr),
    List(SmolStr, Vec<Tree>),
}

impl Tree {
    /// A term of the description.
    pub(super) fn of(term: &Term) -> Result<Tree, GameError> {
        let word = term.name.text.clone();
        match &term.kind {
            TermKind::Variable => Ok(Tree::Variable(word)),
            TermKind::Constant => Ok(Tree::Word(word)),
            TermKind::Compound(args) => Ok(Tree::List(word, args.iter().map(Tree::of).collect::<Result<_, _>>()?)),
            TermKind::Error(_) => Err(wrong(term.range, "this is not a term")),
        }
    }

    fn args(&self) -> &[Tree] {
        if let Tree::List(_, args) = self { args } else { &[] }
    }

    /// The names of its variables, one for each occurrence.
    pub(super) fn variables(&self) -> Vec<&SmolStr> {
        match self {
            Tree::Variable(name) => vec![name],
            other => other.args().iter().flat_map(Tree::variables).collect(),
        }
    }

    /// The number of words and variables, with `size` in the place of a variable.
    pub(super) fn size_with(&self, name: &SmolStr, size: usize) -> usize {
        match self {
            Tree::Variable(variable) if variable == name => size,
            other => 1 + other.args().iter().map(|arg| arg.size_with(name, size)).sum::<usize>(),
        }
    }

    /// Puts a tree in the place of a variable.
    pub(super) fn replace(&mut self, name: &SmolStr, by: &Tree) {
        match self {
            Tree::Variable(variable) if variable == name => *self = by.clone(),
            Tree::List(_, args) => args.iter_mut().for_each(|arg| arg.replace(name, by)),
            Tree::Variable(_) | Tree::Word(_) => {}
        }
    }
}

/// The relation of an atom.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Relation {
    /// A word of the author, with its number of arguments; keywords are in lower case.
    Written(SmolStr, usize),
    /// The formula under a negation with variables of its own, by number, as a relation of the other variables; with a
    /// word for messages.
    Inner(usize, SmolStr),
}

impl Relation {
    /// True if it is this keyword.
    pub(super) fn is(&self, keyword: &str) -> bool {
        // A keyword with another number of arguments is refused.
        matches!(self, Relation::Written(word, _) if word == keyword)
    }

    /// The word for messages.
    pub(super) fn word(&self) -> &SmolStr {
        match self {
            Relation::Written(word, _) | Relation::Inner(_, word) => word,
        }
    }
}

/// A relation with its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Atom {
    pub relation: Relation,
    pub args: Vec<Tree>,
}

impl Atom {
    /// An atom of the description.
    pub(super) fn of(term: &Term) -> Result<Atom, GameError> {
        let name = &term.name;
        match &term.kind {
            TermKind::Variable => return Err(wrong(term.range, "a variable cannot be a condition")),
            TermKind::Error(_) => return Err(wrong(term.range, "this is not a condition")),
            TermKind::Constant | TermKind::Compound(_) => {}
        }
        if ["and", "or", "not", "distinct", "<=", ":-"].iter().any(|word| name.is(word)) {
            return Err(wrong(name.range, format!("`{}` is not allowed here", name.text)));
        }
        let args = term.args().iter().map(Tree::of).collect::<Result<Vec<_>, _>>()?;
        let relation = match KEYWORDS.iter().find(|(word, _)| name.is(word)) {
            Some((word, count)) if *count != args.len() => {
                let wanted = counted(*count, "argument", "arguments");
                return Err(wrong(term.range, format!("`{word}` takes {wanted}, not {}", args.len())));
            }
            Some((word, count)) => Relation::Written(SmolStr::new(word), *count),
            None => Relation::Written(name.text.clone(), args.len()),
        };
        Ok(Atom { relation, args })
    }

    /// The names of its variables, one for each occurrence.
    pub(super) fn variables(&self) -> Vec<&SmolStr> {
        self.args.iter().flat_map(Tree::variables).collect()
    }

    /// Puts a tree in the place of a variable.
    pub(super) fn replace(&mut self, name: &SmolStr, by: &Tree) {
        self.args.iter_mut().for_each(|arg| arg.replace(name, by));
    }
}

/// Fails if a term nests too deep, itself at this depth.
pub(super) fn check_depth(term: &Term, depth: usize) -> Result<(), GameError> {
    if depth > MOST_DEPTH {
        return Err(wrong(term.range, format!("nested more than {MOST_DEPTH} levels deep")));
    }
    term.args().iter().try_for_each(|arg| check_depth(arg, depth + 1))
}

/// Fails if a formula nests too deep, itself at this depth.
pub(super) fn check_formula_depth(formula: &Formula, depth: usize) -> Result<(), GameError> {
    match formula {
        Formula::Atom(term) => check_depth(term, depth),
        Formula::Distinct { args, .. } => args.iter().try_for_each(|arg| check_depth(arg, depth)),
        Formula::Not { parts, .. } | Formula::And { parts, .. } | Formula::Or { parts, .. } => {
            if depth > MOST_DEPTH {
                return Err(wrong(formula.range(), format!("nested more than {MOST_DEPTH} levels deep")));
            }
            parts.iter().try_for_each(|part| check_formula_depth(part, depth + 1))
        }
    }
}
