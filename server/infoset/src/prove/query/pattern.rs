//! Terms with variables: words that begin with `?`. A functor is not a variable.

use percept_game::Term;

/// The name of the variable, if the term is one.
pub(super) fn variable(term: &Term) -> Option<&str> {
    Some(term.head()).filter(|head| !term.is_list() && head.starts_with('?'))
}

/// Calls `f` for each occurrence of a variable in a term, from left to right.
pub(super) fn variables(term: &Term, f: &mut dyn FnMut(&str)) {
    match variable(term) {
        Some(name) => f(name),
        None => term.args().iter().for_each(|arg| variables(arg, f)),
    }
}

/// True if the term contains no variable.
pub(super) fn is_closed(term: &Term) -> bool {
    let mut closed = true;
    variables(term, &mut |_| closed = false);
    closed
}

/// The term with its words and functors replaced by `f`; variables stay.
pub(super) fn respelt(term: &Term, f: &dyn Fn(&str) -> String) -> Term {
    match (term.is_list(), variable(term)) {
        (true, _) => Term::list(f(term.head()), term.args().iter().map(|arg| respelt(arg, f))),
        (false, None) => Term::word(f(term.head())),
        (false, Some(_)) => term.clone(),
    }
}

/// The term with a variable replaced by a value.
pub(super) fn with(term: &Term, name: &str, value: &Term) -> Term {
    match term.is_list() {
        true => Term::list(term.head(), term.args().iter().map(|arg| with(arg, name, value))),
        false if term.head() == name => value.clone(),
        false => term.clone(),
    }
}

/// Binds the variables of a pattern to make it equal to the name. False if that is impossible.
pub(super) fn unify<'p, 'n>(pattern: &'p Term, name: &'n Term, bound: &mut Vec<(&'p str, &'n Term)>) -> bool {
    if let Some(variable) = variable(pattern) {
        return match bound.iter().find(|(other, _)| *other == variable) {
            Some((_, value)) => *value == name,
            None => {
                bound.push((variable, name));
                true
            }
        };
    }
    let alike =
        (pattern.head(), pattern.is_list(), pattern.args().len()) == (name.head(), name.is_list(), name.args().len());
    alike && pattern.args().iter().zip(name.args()).all(|(part, other)| unify(part, other, bound))
}
