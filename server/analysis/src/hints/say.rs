//! Slips in comments that give the words of a move or a fluent: `; percept: say ...`.

use std::collections::{BTreeMap, BTreeSet};

use percept_syntax::gdl::{Description, Term};
use percept_syntax::near::nearest;
use percept_syntax::pddl::{Domain, TypedGroup};
use percept_syntax::{Source, Syntax};

use super::Slip;
use crate::ide::sayings::{Pattern, saying};

/// The slip of a comment, if it gives words and has one.
pub(super) fn slip<'a>(source: &Source, comment: &'a str) -> Option<Slip<'a>> {
    let pattern = match saying(comment)? {
        Ok(saying) => saying.pattern,
        Err(it) => {
            return Some(Slip { word: it.word, message: it.message, near: it.near.map(str::to_owned) });
        }
    };
    Names::of(source)?.slip(&pattern)
}

/// The patterns of the moves and fluents of a text, each with its variables: `mark` with `m` and `n`.
pub(crate) fn patterns(source: &Source) -> BTreeMap<String, Vec<String>> {
    let all = Names::of(source).map(|names| names.all).unwrap_or_default();
    all.into_iter().map(|((name, _), variables)| (name, variables)).collect()
}

/// The moves and fluents of a text, with their numbers of arguments.
#[derive(Default)]
struct Names {
    /// The variables of each: those of the first place that has one for each argument.
    all: BTreeMap<(String, usize), Vec<String>>,
    /// Other terms; any of them may be a move or a fluent if a variable stands for one.
    others: BTreeSet<(String, usize)>,
    is_open: bool,
}

impl Names {
    /// The names of a text; `None` for a problem, whose names are in its domain.
    fn of(source: &Source) -> Option<Names> {
        match &source.syntax {
            Syntax::Gdl(description) => Some(Names::of_gdl(description)),
            Syntax::Pddl(file) => file.domain().map(Names::of_domain),
        }
    }

    fn of_gdl(description: &Description) -> Names {
        let mut names = Names::default();
        for statement in description.statements.iter() {
            let atoms = statement.body.iter();
            atoms.for_each(|formula| formula.atoms(false, &mut |atom, _| names.atom(atom, false)));
            statement.head.iter().for_each(|head| names.atom(head, true));
        }
        names
    }

    /// Reads an atom. A variable in the body stands only for what a head defines.
    fn atom(&mut self, atom: &Term, is_head: bool) {
        let named = match (atom.name.text.to_ascii_lowercase().as_str(), atom.args()) {
            ("init" | "next" | "true" | "base", [fluent]) => Some(fluent),
            ("legal" | "does" | "input" | "action", [.., mv]) => Some(mv),
            _ => None,
        };
        if let Some(term) = named {
            if !term.is_variable() {
                let variables: Vec<String> =
                    term.args().iter().filter(|arg| arg.is_variable()).map(|arg| arg.name.text.to_string()).collect();
                self.add(key(&term.name.text, term.args().len()), variables);
            } else {
                self.is_open |= is_head;
            }
        }
        for arg in atom.args() {
            arg.walk(&mut |term| {
                if !term.is_variable() {
                    self.others.insert(key(&term.name.text, term.args().len()));
                }
            });
        }
    }

    fn of_domain(domain: &Domain) -> Names {
        let mut names = Names::default();
        let mut add = |name: &str, params: &[TypedGroup]| {
            let params = params.iter().flat_map(|group| &group.names);
            let params: Vec<String> = params.map(|it| it.text.trim_start_matches('?').to_owned()).collect();
            names.add(key(name, params.len()), params);
        };
        let signatures = domain.predicates.iter().chain(domain.functions.iter().map(|it| &it.signature));
        signatures.for_each(|it| add(&it.name.text, &it.params));
        domain.actions.iter().for_each(|it| add(&it.name.text, &it.params));
        // The move of a role that waits.
        add("noop", &[]);
        names
    }

    fn add(&mut self, key: (String, usize), variables: Vec<String>) {
        let is_whole = variables.len() == key.1 && variables.iter().collect::<BTreeSet<_>>().len() == key.1;
        let known = self.all.entry(key).or_default();
        if known.is_empty() && is_whole {
            *known = variables;
        }
    }

    fn slip<'a>(&self, pattern: &Pattern<'a>) -> Option<Slip<'a>> {
        let (word, arity) = (pattern.head(), pattern.arity());
        let wanted = key(word, arity);
        if self.all.contains_key(&wanted) || self.is_open && self.others.contains(&wanted) {
            return None;
        }
        let others = self.others.iter().filter(|_| self.is_open);
        let mut arities = self.all.keys().chain(others).filter(|(name, _)| *name == wanted.0).map(|(_, arity)| arity);
        if let Some(own) = arities.next() {
            let message = format!(
                "`{word}` has {}, but the pattern has {arity}",
                percept_syntax::words::counted(*own, "argument", "arguments")
            );
            return Some(Slip { word, message, near: None });
        }
        let near = nearest(word, self.all.keys().map(|(name, _)| name.as_str())).map(str::to_owned);
        Some(Slip { word, message: format!("`{word}` is neither a move nor a fluent"), near })
    }
}

fn key(name: &str, arity: usize) -> (String, usize) {
    (name.to_ascii_lowercase(), arity)
}
