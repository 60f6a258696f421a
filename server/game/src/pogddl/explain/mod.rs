//! Explanations: why an action is legal or not, why a fact holds, a number has its value or a message was sent, and why
//! not; each with the deciding place in the domain or the problem.
//!
//! Conditions are read from the syntax as written, so that every literal has its place; the engine evaluates them.

mod condition;
mod effect;

use percept_syntax::TextRange;
use percept_syntax::pddl::{Arg, Atom, Domain, Problem, TypedGroup};
use smol_str::SmolStr;

use super::names::{Universe, key};
use crate::stepper::Stepper;
use crate::{Game, NoSuchRole, RoleId, State, Term};

/// A place in the domain or the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// True for the problem's file, false for the domain's.
    pub in_problem: bool,
    /// The range in the file.
    pub range: TextRange,
}

/// A statement that holds or does not, with its support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The statement in words.
    pub says: String,
    /// True if it holds.
    pub holds: bool,
    /// The place in the rules.
    pub place: Option<Place>,
    /// The statements that it depends on.
    pub parts: Vec<Reason>,
}

impl Reason {
    fn new(says: impl Into<String>, holds: bool) -> Reason {
        Reason { says: says.into(), holds, place: None, parts: Vec::new() }
    }

    fn at(self, range: TextRange) -> Reason {
        Reason { place: Some(Place { in_problem: false, range }), ..self }
    }

    fn with(self, parts: Vec<Reason>) -> Reason {
        Reason { parts, ..self }
    }
}

/// The reason why a question has no explanation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoExplanation {
    /// The objects cannot be determined, with the reason.
    #[error("{0}")]
    Objects(String),
    /// The question names nothing in the domain.
    #[error("`{0}` is not an action, fact or number of this game")]
    Unknown(String),
    /// The question names an unknown role.
    #[error(transparent)]
    Role(#[from] NoSuchRole),
    /// The question gives an action too many arguments.
    #[error("`{action}` takes {takes} arguments, not {given}")]
    Arguments {
        /// The action's name.
        action: String,
        /// The number of its parameters.
        takes: usize,
        /// The arguments in the question.
        given: usize,
    },
    /// The question gives an action an argument that the parameter's type does not allow.
    #[error("`{object}` is not a value of ?{variable} in `{action}`")]
    Value {
        /// The argument.
        object: String,
        /// The parameter, without `?`.
        variable: String,
        /// The action's name.
        action: String,
    },
    /// It is about an action that has no arguments to take.
    #[error("there are no objects for the arguments of `{0}`")]
    NoObjects(String),
    /// It is about a message, and no round has been played.
    #[error("at the start nothing has been sent yet")]
    AtStart,
}

/// Values of variables, by their names without `?`.
type Binding = Vec<(SmolStr, SmolStr)>;

/// The most bindings of one quantifier or action that are tried.
const BINDINGS: usize = 20_000;

/// Explains the matches of one game.
pub struct Explainer<'a> {
    game: &'a Game,
    domain: &'a Domain,
    problem: &'a Problem,
    universe: Universe,
}

fn value(arg: &Arg, binding: &Binding) -> SmolStr {
    let name = key(&arg.name.text);
    if !arg.is_variable {
        return name;
    }
    let bound = binding.iter().rev().find(|(variable, _)| *variable == name);
    bound.map_or_else(|| format!("?{name}").into(), |(_, value)| value.clone())
}

/// `(name arg ...)` with the variables' values.
fn ground(atom: &Atom, binding: &Binding) -> Term {
    Term::list(key(&atom.name.text), atom.args.iter().map(|arg| Term::word(value(arg, binding))))
}

impl<'a> Explainer<'a> {
    /// # Errors
    /// If the objects cannot be determined.
    pub fn new(game: &'a Game, domain: &'a Domain, problem: &'a Problem) -> Result<Explainer<'a>, NoExplanation> {
        let universe = Universe::new(domain, problem).map_err(NoExplanation::Objects)?;
        Ok(Explainer { game, domain, problem, universe })
    }

    /// Explains, at the stepper's place: an action `(shoot p1 c01)`, whose arguments may be missing or `_`; a fact; a
    /// number `(score p1)`; `(sees p1 (message ...))` of the round that led there; `(goal p1)`; `terminal`.
    ///
    /// # Errors
    /// If the question names nothing in the domain.
    pub fn explain(&self, stepper: &Stepper, question: &str) -> Result<Reason, NoExplanation> {
        Term::typed(&key(question))
            .and_then(|term| self.term(stepper, &term))
            .unwrap_or_else(|| Err(NoExplanation::Unknown(question.trim().to_owned())))
    }

    /// `None` if it is not part of the game.
    fn term(&self, stepper: &Stepper, term: &Term) -> Option<Result<Reason, NoExplanation>> {
        let (state, rules) = (stepper.state(), &self.game.rules);
        match (term.head(), term.args()) {
            ("terminal", []) => return Some(Ok(self.terminal(stepper))),
            ("goal" | "gain", [role]) => return Some(self.goal(state, role.head())),
            ("sees" | "observe", [role, message]) => return Some(self.message(stepper, role.head(), message)),
            ("legal", [_, inner]) => return self.term(stepper, inner),
            ("not" | "true", [inner]) | ("=", [inner, ..]) if inner.is_list() => return self.term(stepper, inner),
            _ => {}
        }
        if let Some(action) = self.domain.actions.iter().find(|action| key(&action.name.text) == term.head()) {
            return Some(self.action(state, action, term.args()));
        }
        let term = Term::list(term.head(), term.args().iter().cloned());
        if let Some(holds) = rules.fact(state, &term) {
            return Some(Ok(self.fact(stepper, &term, holds)));
        }
        rules.number(state, &term).map(|value| Ok(self.number(stepper, &term, value)))
    }

    fn mover(&self, state: &State) -> Option<RoleId> {
        let turn = |role: &RoleId| self.game.roles[role.0 as usize].turn();
        let mut roles: Vec<RoleId> = self.game.role_ids().collect();
        roles.reverse();
        roles.into_iter().find(|role| self.game.rules.fact(state, &turn(role)) == Some(true))
    }

    /// The reason why an action is legal or not. If arguments are left open, the instance that comes closest to being
    /// legal is explained.
    fn action(
        &self,
        state: &State,
        action: &percept_syntax::pddl::Action,
        args: &[Term],
    ) -> Result<Reason, NoExplanation> {
        let name = key(&action.name.text);
        let params: usize = action.params.iter().map(|group| group.names.len()).sum();
        if args.len() > params {
            return Err(NoExplanation::Arguments { action: name.to_string(), takes: params, given: args.len() });
        }
        let mut best: Option<(usize, Binding)> = None;
        let is_given = |arg: &&Term| arg.head() != "_" && !arg.head().starts_with('?');
        let given: Vec<Option<SmolStr>> =
            (0..params).map(|at| args.get(at).filter(is_given).map(|arg| arg.to_string().into())).collect();
        let variables = action.params.iter().flat_map(|group| group.names.iter().map(move |name| (name, &group.types)));
        for ((variable, types), object) in variables.zip(&given) {
            if let Some(object) = object {
                let objects = self.universe.of_types(types);
                if !objects.iter().any(|&id| self.universe.name(id) == object) {
                    return Err(NoExplanation::Value {
                        object: object.to_string(),
                        variable: variable.text.to_string(),
                        action: name.to_string(),
                    });
                }
            }
        }
        self.bindings(&action.params, &Vec::new(), &given, &mut |binding| {
            let lacking = action.precondition.as_ref().map_or(0, |condition| self.lacking(condition, state, binding));
            if best.as_ref().is_none_or(|(least, _)| lacking < *least) {
                best = Some((lacking, binding.clone()));
            }
            lacking > 0
        });
        let (_, binding) = best.ok_or_else(|| NoExplanation::NoObjects(name.to_string()))?;
        let words = Term::list(name, binding.iter().map(|(_, value)| Term::word(value.clone())));
        let mut parts: Vec<Reason> =
            action.precondition.iter().map(|condition| self.condition(condition, state, &binding, 0)).collect();
        // A conjunction adds nothing to its parts.
        if let [only] = &mut parts[..]
            && !only.parts.is_empty()
            && only.says.starts_with("(and ")
        {
            parts = std::mem::take(&mut only.parts);
        }
        let holds = match self.mover(state) {
            None => {
                parts.push(Reason::new("no role has the turn, so the match is over", false));
                false
            }
            Some(_) => parts.iter().all(|part| part.holds),
        };
        let is_open = given.iter().any(Option::is_none);
        let says = match (holds, is_open) {
            (true, _) => format!("{words} is legal"),
            (false, false) => format!("{words} is not legal"),
            (false, true) => format!("no similar move is legal; {words} comes closest"),
        };
        Ok(Reason::new(says, holds).at(action.name.range).with(parts))
    }

    fn terminal(&self, stepper: &Stepper) -> Reason {
        let state = stepper.state();
        let over = stepper.game().rules.terminal(state);
        let mut parts = Vec::new();
        match self.mover(state) {
            None => parts.push(Reason::new("no role has the turn", true)),
            Some(role) => {
                let name = &self.game.roles[role.0 as usize].name;
                let legal = self.game.rules.legal(state, role);
                match legal.first() {
                    None => parts.push(Reason::new(format!("{name} has no legal action"), true)),
                    Some(&mv) => {
                        let example = self.game.rules.move_name(role, mv);
                        let says = match legal.len() {
                            1 => format!("{name} may {example}"),
                            count => format!("{name} has {count} legal actions, such as {example}"),
                        };
                        parts.push(Reason::new(says, true));
                    }
                }
            }
        }
        let goals = |role: RoleId| self.game.rules.goals(state, role).iter().sum::<i64>();
        let total: i64 = self.game.role_ids().map(goals).sum();
        if over && total > 0 {
            parts.push(Reason::new(format!("the payoffs sum to {total}"), true));
        }
        Reason::new(if over { "the match is over" } else { "the match is not over" }, over).with(parts)
    }

    fn goal(&self, state: &State, role: &str) -> Result<Reason, NoExplanation> {
        let id = self.game.role_named(role)?;
        let total: i64 = self.game.rules.goals(state, id).iter().sum();
        let mut parts = Vec::new();
        for gain in &self.domain.gains {
            let given = [Some(key(role))];
            let mut paid: Option<(usize, Binding)> = None;
            self.bindings(&gain.params, &Vec::new(), &given, &mut |binding| {
                let lacking = self.lacking(&gain.condition, state, binding);
                if paid.as_ref().is_none_or(|(least, _)| lacking < *least) {
                    paid = Some((lacking, binding.clone()));
                }
                lacking > 0
            });
            let Some((lacking, binding)) = paid else { continue };
            let value = self.expression(&gain.value, state, &binding);
            let says = match lacking {
                0 => format!("a gain of {value} is paid"),
                _ => format!("a gain of {value} is not paid"),
            };
            let condition = self.condition(&gain.condition, state, &binding, 0);
            parts.push(Reason::new(says, lacking == 0).at(gain.range).with(vec![condition]));
        }
        Ok(Reason::new(format!("the payoff of {role} is {total}"), true).with(parts))
    }

    /// Calls `visit` with the bindings of a typed list, those of `given` fixed, until it returns false.
    fn bindings(
        &self,
        params: &[TypedGroup],
        outer: &Binding,
        given: &[Option<SmolStr>],
        visit: &mut dyn FnMut(&Binding) -> bool,
    ) {
        let variables: Vec<(SmolStr, Vec<SmolStr>)> = params
            .iter()
            .flat_map(|group| group.names.iter().map(move |name| (name, &group.types)))
            .enumerate()
            .map(|(at, (name, types))| {
                let objects = match given.get(at).cloned().flatten() {
                    Some(object) => vec![object],
                    None => self.universe.of_types(types).iter().map(|&id| self.universe.name(id).into()).collect(),
                };
                (key(&name.text), objects)
            })
            .collect();
        let count = variables.iter().try_fold(1usize, |product, (_, objects)| product.checked_mul(objects.len()));
        for number in 0..count.unwrap_or(BINDINGS).min(BINDINGS) {
            let (mut rest, mut binding) = (number, outer.clone());
            let first = binding.len();
            for (name, objects) in variables.iter().rev() {
                binding.insert(first, (name.clone(), objects[rest % objects.len()].clone()));
                rest /= objects.len();
            }
            if !visit(&binding) {
                return;
            }
        }
    }
}
