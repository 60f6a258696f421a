//! Solves equations for variables.

use smol_str::SmolStr;

use super::tree::Tree;

/// The number of words above which terms are not written out: a few equations can make terms of any size.
const MOST_WORDS: usize = 100_000;

/// True if the variable can be replaced in these terms.
pub(super) fn has_room<'a>(terms: impl Iterator<Item = &'a Tree>, name: &SmolStr, by: &Tree) -> bool {
    let size = by.size_with(name, 1);
    terms.map(|term| term.size_with(name, size)).sum::<usize>() <= MOST_WORDS
}

/// The solution of equations.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Solved {
    Never,
    /// They hold after these replacements, one after the other; always if there are none.
    By(Vec<(SmolStr, Tree)>),
    /// The terms are too large to write out.
    TooLarge,
}

/// Solves equations by taking one at a time, and applying its replacement to all others.
pub(super) fn solved(mut equations: Vec<(Tree, Tree)>) -> Solved {
    let mut replaced = Vec::new();
    while let Some(equation) = equations.pop() {
        let (name, tree) = match equation {
            (left, right) if left == right => continue,
            (Tree::List(left, lefts), Tree::List(right, rights)) if left == right && lefts.len() == rights.len() => {
                equations.extend(lefts.into_iter().zip(rights));
                continue;
            }
            (Tree::Variable(name), tree) | (tree, Tree::Variable(name)) => (name, tree),
            _ => return Solved::Never,
        };
        if tree.variables().contains(&&name) {
            return Solved::Never;
        }
        if !has_room(equations.iter().flat_map(|(left, right)| [left, right]), &name, &tree) {
            return Solved::TooLarge;
        }
        for side in equations.iter_mut().flat_map(|(left, right)| [left, right]) {
            side.replace(&name, &tree);
        }
        replaced.push((name, tree));
    }
    Solved::By(replaced)
}

#[cfg(test)]
mod tests {
    use super::{Solved, Tree, solved};

    /// `?x`, `a`, `(f ?x a)`.
    fn tree(text: &str) -> Tree {
        fn of(term: &crate::Term) -> Tree {
            match (term.head().strip_prefix('?'), term.is_list()) {
                (Some(name), _) => Tree::Variable(name.into()),
                (None, false) => Tree::Word(term.head().into()),
                (None, true) => Tree::List(term.head().into(), term.args().iter().map(of).collect()),
            }
        }
        of(&text.parse().expect("a term"))
    }

    fn by(equations: &[(&str, &str)], of: &str) -> Option<Tree> {
        let equations = equations.iter().map(|(left, right)| (tree(left), tree(right))).collect();
        let Solved::By(replaced) = solved(equations) else { return None };
        let mut of = tree(of);
        replaced.iter().for_each(|(name, by)| of.replace(name, by));
        Some(of)
    }

    #[test]
    fn equations_are_solved() {
        assert_eq!(by(&[("(f ?x b)", "(f a ?y)")], "(g ?x ?y ?z)"), Some(tree("(g a b ?z)")));
        assert_eq!(by(&[("?x", "(f ?y)"), ("?y", "(g ?z)"), ("?z", "a")], "?x"), Some(tree("(f (g a))")));
        assert_eq!(by(&[("?z", "a"), ("?y", "(g ?z)"), ("?x", "(f ?y)")], "?x"), Some(tree("(f (g a))")));
        assert_eq!(by(&[("?x", "?y"), ("?y", "?x")], "a"), Some(tree("a")));
        for (left, right) in
            [("a", "b"), ("a", "(a)"), ("(f a)", "(f a a)"), ("(f ?x ?x)", "(f a b)"), ("?x", "(f ?x)")]
        {
            assert_eq!(by(&[(left, right)], "a"), None, "{left} {right}");
        }
        assert_eq!(by(&[("?x", "(f ?y)"), ("?y", "(f ?x)")], "a"), None);
    }

    #[test]
    fn terms_that_double_end() {
        let equations = (0..60).map(|at| (tree(&format!("?x{}", at + 1)), tree(&format!("(f ?x{at} ?x{at})"))));
        let equations: Vec<_> = [(tree("?y"), tree("?x60"))].into_iter().chain(equations).collect();
        assert_eq!(solved(equations), Solved::TooLarge);
    }
}
