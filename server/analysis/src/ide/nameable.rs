//! The moves, fluents and percepts of a text, to which comments may give words.

use std::collections::{BTreeMap, BTreeSet};

use percept_syntax::gdl::{Description, Term};
use percept_syntax::pddl::{Domain, Effect, TypedGroup};
use percept_syntax::{Source, Syntax};

/// The patterns of the moves and fluents of a text, each with its variables: `mark` with `m` and `n`.
pub(crate) fn patterns(source: &Source) -> BTreeMap<String, Vec<String>> {
    let all = Nameable::of(source).map(|it| it.moves.all).unwrap_or_default();
    all.into_iter().map(|((name, _), variables)| (name, variables)).collect()
}

/// The patterns of the percepts of a text, each with as many variables as it has arguments.
pub(crate) fn percepts(source: &Source) -> BTreeMap<String, Vec<String>> {
    let all = Nameable::of(source).map(|it| it.percepts.all).unwrap_or_default();
    let filled = |((name, arity), own): ((String, usize), Vec<String>)| match own.len() == arity {
        true => (name, own),
        false => (name, (1..=arity).map(|at| format!("x{at}")).collect()),
    };
    all.into_iter().map(filled).collect()
}

/// The names of a text to which comments may give words.
#[derive(Default)]
pub(crate) struct Nameable {
    /// The moves and fluents.
    pub moves: Names,
    pub percepts: Names,
    /// The roles; `None` if the text alone does not tell them.
    pub roles: Option<BTreeSet<String>>,
}

impl Nameable {
    /// The names of a text; `None` for a problem, whose names are in its domain.
    pub(crate) fn of(source: &Source) -> Option<Nameable> {
        match &source.syntax {
            Syntax::Gdl(description) => Some(Nameable::of_gdl(description)),
            Syntax::Pddl(file) => file.domain().map(Nameable::of_domain),
        }
    }

    fn of_gdl(description: &Description) -> Nameable {
        let mut all = Nameable { roles: Some(BTreeSet::new()), ..Nameable::default() };
        for statement in description.statements.iter() {
            let atoms = statement.body.iter();
            atoms.for_each(|formula| formula.atoms(false, &mut |atom, _| all.atom(atom, false)));
            statement.head.iter().for_each(|head| all.atom(head, true));
        }
        all
    }

    /// Reads an atom. A variable in the body stands only for what a head defines.
    fn atom(&mut self, atom: &Term, is_head: bool) {
        match (atom.name.text.to_ascii_lowercase().as_str(), atom.args()) {
            ("init" | "next" | "true" | "base", [fluent]) => self.moves.term(fluent, is_head),
            ("legal" | "does" | "input" | "action", [.., mv]) => self.moves.term(mv, is_head),
            ("sees" | "percept", [_, percept]) => self.percepts.term(percept, is_head),
            ("role", [role]) if is_head && role.is_variable() => self.roles = None,
            ("role", [role]) if is_head => {
                self.roles.iter_mut().for_each(|it| _ = it.insert(role.name.text.to_ascii_lowercase()));
            }
            _ => {}
        }
        for arg in atom.args() {
            arg.walk(&mut |term| {
                if !term.is_variable() {
                    let key = key(&term.name.text, term.args().len());
                    self.percepts.others.insert(key.clone());
                    self.moves.others.insert(key);
                }
            });
        }
    }

    fn of_domain(domain: &Domain) -> Nameable {
        let mut all = Nameable::default();
        let signatures = domain.predicates.iter().chain(domain.functions.iter().map(|it| &it.signature));
        signatures.for_each(|it| all.moves.signature(&it.name.text, &it.params));
        for action in &domain.actions {
            all.moves.signature(&action.name.text, &action.params);
            action.effect.iter().for_each(|effect| all.messages(effect));
        }
        // The move of a role that waits.
        all.moves.signature("noop", &[]);
        all
    }

    /// Reads the messages of an effect.
    fn messages(&mut self, effect: &Effect) {
        match effect {
            Effect::And { parts, .. } => parts.iter().for_each(|part| self.messages(part)),
            Effect::When { effect, .. } | Effect::Forall { effect, .. } => self.messages(effect),
            Effect::Observe { recipients, .. } => {
                for message in recipients.iter().filter_map(|it| it.message.as_ref()) {
                    let variables = message.args.iter().filter(|arg| arg.is_variable);
                    let variables = variables.map(|arg| arg.name.text.trim_start_matches('?').to_owned()).collect();
                    self.percepts.add(key(&message.name.text, message.args.len()), variables);
                }
            }
            _ => {}
        }
    }
}

/// Names, with their numbers of arguments.
#[derive(Default)]
pub(crate) struct Names {
    /// The variables of each: those of the first place that has one for each argument.
    all: BTreeMap<(String, usize), Vec<String>>,
    /// Other terms; any of them may be one of these if a variable stands for one.
    others: BTreeSet<(String, usize)>,
    is_open: bool,
}

impl Names {
    /// Reads a term in its place.
    fn term(&mut self, term: &Term, is_head: bool) {
        if term.is_variable() {
            self.is_open |= is_head;
            return;
        }
        let variables =
            term.args().iter().filter(|arg| arg.is_variable()).map(|arg| arg.name.text.to_string()).collect();
        self.add(key(&term.name.text, term.args().len()), variables);
    }

    fn signature(&mut self, name: &str, params: &[TypedGroup]) {
        let params = params.iter().flat_map(|group| &group.names);
        let params: Vec<String> = params.map(|it| it.text.trim_start_matches('?').to_owned()).collect();
        self.add(key(name, params.len()), params);
    }

    fn add(&mut self, key: (String, usize), variables: Vec<String>) {
        let is_whole = variables.len() == key.1 && variables.iter().collect::<BTreeSet<_>>().len() == key.1;
        let own = self.all.entry(key).or_default();
        if own.is_empty() && is_whole {
            *own = variables;
        }
    }

    /// True if the text has such a name.
    pub(crate) fn has(&self, name: &str, arity: usize) -> bool {
        let wanted = key(name, arity);
        self.all.contains_key(&wanted) || self.is_open && self.others.contains(&wanted)
    }

    /// The numbers of arguments with which the text has this name.
    pub(crate) fn arities(&self, name: &str) -> impl Iterator<Item = usize> {
        let others = self.others.iter().filter(|_| self.is_open);
        let all = self.all.keys().chain(others).filter(|(own, _)| own.eq_ignore_ascii_case(name));
        all.map(|(_, arity)| *arity).collect::<Vec<_>>().into_iter()
    }

    /// The names themselves.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.all.keys().map(|(name, _)| name.as_str())
    }
}

fn key(name: &str, arity: usize) -> (String, usize) {
    (name.to_ascii_lowercase(), arity)
}
