//! The moves and fluents of a text, to which comments may give words.

use std::collections::{BTreeMap, BTreeSet};

use percept_syntax::gdl::{Description, Term};
use percept_syntax::pddl::{Domain, TypedGroup};
use percept_syntax::{Source, Syntax};

/// The patterns of the moves and fluents of a text, each with its variables: `mark` with `m` and `n`.
pub(crate) fn patterns(source: &Source) -> BTreeMap<String, Vec<String>> {
    let all = Names::of(source).map(|names| names.all).unwrap_or_default();
    all.into_iter().map(|((name, _), variables)| (name, variables)).collect()
}

/// The moves and fluents of a text, with their numbers of arguments.
#[derive(Default)]
pub(crate) struct Names {
    /// The variables of each: those of the first place that has one for each argument.
    all: BTreeMap<(String, usize), Vec<String>>,
    /// Other terms; any of them may be a move or a fluent if a variable stands for one.
    others: BTreeSet<(String, usize)>,
    is_open: bool,
}

impl Names {
    /// The names of a text; `None` for a problem, whose names are in its domain.
    pub(crate) fn of(source: &Source) -> Option<Names> {
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
        let own = self.all.entry(key).or_default();
        if own.is_empty() && is_whole {
            *own = variables;
        }
    }

    /// True if the text has such a move or fluent.
    pub(crate) fn has(&self, name: &str, arity: usize) -> bool {
        let wanted = key(name, arity);
        self.all.contains_key(&wanted) || self.is_open && self.others.contains(&wanted)
    }

    /// The numbers of arguments with which the text has this move or fluent.
    pub(crate) fn arities(&self, name: &str) -> impl Iterator<Item = usize> {
        let others = self.others.iter().filter(|_| self.is_open);
        let all = self.all.keys().chain(others).filter(|(own, _)| own.eq_ignore_ascii_case(name));
        all.map(|(_, arity)| *arity).collect::<Vec<_>>().into_iter()
    }

    /// The names of the moves and fluents.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.all.keys().map(|(name, _)| name.as_str())
    }
}

fn key(name: &str, arity: usize) -> (String, usize) {
    (name.to_ascii_lowercase(), arity)
}
