//! The effects that made or removed a fact, changed a number or sent a message, and those that could have.

use percept_syntax::pddl::{Action, Arg, Condition, Effect, Init, Recipient};

use super::{Binding, Explainer, NoExplanation, Place, Reason, ground, key, value};
use crate::stepper::Stepper;
use crate::{MoveId, State, Term};

/// One elementary effect of a ground action, under the conditions of its `when`s.
struct Done<'e> {
    effect: &'e Effect,
    binding: Binding,
    conditions: Vec<(&'e Condition, Binding)>,
}

impl<'e> Explainer<'e> {
    /// The action of a round with its binding.
    fn acted(&self, stepper: &Stepper, round: usize) -> Option<(&'e Action, Binding, Term)> {
        let played = stepper.rounds().get(round)?;
        let (role, &mv) = self.game.role_ids().zip(&played.joint).find(|(_, mv)| **mv != MoveId::NOOP)?;
        let made = self.game.rules.move_term(role, mv);
        let action = self.domain.actions.iter().find(|action| key(&action.name.text) == made.head())?;
        let names = action.params.iter().flat_map(|group| &group.names).map(|name| key(&name.text));
        Some((action, names.zip(made.args().iter().map(|arg| key(arg.head()))).collect(), made))
    }

    /// All elementary effects of an action, including those whose conditions fail.
    fn elementary(
        &self,
        effect: &'e Effect,
        binding: &Binding,
        conditions: &[(&'e Condition, Binding)],
        out: &mut Vec<Done<'e>>,
    ) {
        match effect {
            Effect::And { parts, .. } => {
                parts.iter().for_each(|part| self.elementary(part, binding, conditions, out));
            }
            Effect::When { condition, effect, .. } => {
                let conditions = [conditions, &[(condition, binding.clone())]].concat();
                self.elementary(effect, binding, &conditions, out);
            }
            Effect::Forall { params, effect, .. } => self.bindings(params, binding, &[], &mut |inner| {
                self.elementary(effect, inner, conditions, out);
                true
            }),
            Effect::Outside { .. } | Effect::Error { .. } => {}
            effect => out.push(Done { effect, binding: binding.clone(), conditions: conditions.to_vec() }),
        }
    }

    fn happens(&self, done: &Done<'_>, state: &State) -> bool {
        done.conditions.iter().all(|(condition, binding)| self.holds(condition, state, binding))
    }

    fn conditions(&self, done: &Done<'_>, state: &State) -> Vec<Reason> {
        done.conditions.iter().map(|(condition, binding)| self.condition(condition, state, binding, 1)).collect()
    }

    /// The effects of a round on a fact or number.
    fn effects(&self, stepper: &Stepper, round: usize, concerns: &dyn Fn(&Done<'_>) -> bool) -> Vec<Done<'e>> {
        let mut all = Vec::new();
        if let Some((action, binding, _)) = self.acted(stepper, round)
            && let Some(effect) = &action.effect
        {
            self.elementary(effect, &binding, &[], &mut all);
        }
        all.retain(|done| concerns(done));
        all
    }

    /// The last change that led to the stepper's place: the effect, the round (from 1), the action.
    fn last_change(&self, stepper: &Stepper, concerns: &dyn Fn(&Done<'_>) -> bool) -> Option<(Done<'e>, usize, Term)> {
        (0..stepper.at()).rev().find_map(|round| {
            let state = &stepper.states()[round];
            let done = self.effects(stepper, round, concerns).into_iter().find(|done| self.happens(done, state))?;
            let (_, _, action) = self.acted(stepper, round)?;
            Some((done, round + 1, action))
        })
    }

    /// The reason why a fact holds or does not: a rule, the effect that last changed it, or the initial state.
    pub(super) fn fact(&self, stepper: &Stepper, atom: &Term, holds: bool) -> Reason {
        let why = Reason::new(format!("{atom} {}", if holds { "holds" } else { "does not hold" }), holds);
        if self.domain.derived.iter().any(|rule| key(&rule.head.name.text) == atom.head()) {
            return why.with(self.derivations(atom, stepper.state(), 0));
        }
        let concerns = |done: &Done<'_>| match done.effect {
            Effect::Add(added) => holds && ground(added, &done.binding) == *atom,
            Effect::Delete { atom: deleted, .. } => !holds && ground(deleted, &done.binding) == *atom,
            _ => false,
        };
        let mut parts: Vec<Reason> = match self.last_change(stepper, &concerns) {
            Some((done, round, action)) => {
                let verb = if holds { "added" } else { "deleted" };
                let says = format!("{verb} in round {round} by {action}");
                let conditions = self.conditions(&done, &stepper.states()[round - 1]);
                vec![Reason::new(says, true).at(done.effect.range()).with(conditions)]
            }
            None => vec![self.at_start(atom, holds)],
        };
        if !holds && let Some(round) = stepper.at().checked_sub(1) {
            // The effects that could have added it in the last round.
            let adds =
                |done: &Done<'_>| matches!(done.effect, Effect::Add(added) if ground(added, &done.binding) == *atom);
            let state = &stepper.states()[round];
            for done in self.effects(stepper, round, &adds) {
                let says = "the last action would have added it, but";
                parts.push(Reason::new(says, false).at(done.effect.range()).with(self.conditions(&done, state)));
            }
        }
        why.with(parts)
    }

    fn at_start(&self, atom: &Term, holds: bool) -> Reason {
        let fact = self.problem.init.iter().find_map(|entry| match entry {
            Init::Fact(fact) if ground(fact, &Vec::new()) == *atom => Some(fact.range),
            _ => None,
        });
        let says = if holds { "it holds from the start" } else { "nothing has added it" };
        Reason {
            place: fact.filter(|_| holds).map(|range| Place { in_problem: true, range }),
            ..Reason::new(says, true)
        }
    }

    pub(super) fn number(&self, stepper: &Stepper, term: &Term, number: i64) -> Reason {
        let why = Reason::new(format!("{term} is {number}"), true);
        let concerns = |done: &Done<'_>| matches!(done.effect, Effect::Assign { target, .. } if ground(target, &done.binding) == *term);
        let part = match self.last_change(stepper, &concerns) {
            Some((done, round, action)) => {
                let state = &stepper.states()[round - 1];
                let how = match done.effect {
                    Effect::Assign { op, value, .. } => {
                        format!("{} {}", op.keyword(), self.expression_text(value, state, &done.binding))
                    }
                    _ => String::new(),
                };
                let says = format!("changed in round {round} by {action}: {how}");
                Reason::new(says, true).at(done.effect.range()).with(self.conditions(&done, state))
            }
            None => {
                let initial = self.problem.init.iter().find_map(|entry| match entry {
                    Init::Value { range, target, .. } if ground(target, &Vec::new()) == *term => Some(*range),
                    _ => None,
                });
                let says = if initial.is_some() { "its value from the start" } else { "it was never given a value" };
                let place = initial.map(|range| Place { in_problem: true, range });
                Reason { place, ..Reason::new(says, true) }
            }
        };
        why.with(vec![part])
    }

    /// The reason why a role received a message in the round that led to the stepper's place, or why not.
    pub(super) fn message(&self, stepper: &Stepper, role: &str, message: &Term) -> Result<Reason, NoExplanation> {
        let id = self.game.role_named(role)?;
        let Some(round) = stepper.at().checked_sub(1) else {
            return Err(NoExplanation::AtStart);
        };
        let state = &stepper.states()[round];
        let got = &stepper.rounds()[round].percepts[id.0 as usize];
        let holds = got.iter().any(|&percept| self.game.rules.percept_term(id, percept) == *message);
        let head = message.head();
        let is_observe = |done: &Done<'_>| matches!(done.effect, Effect::Observe { .. });
        let mut parts = Vec::new();
        for done in self.effects(stepper, round, &is_observe) {
            let Effect::Observe { recipients, .. } = done.effect else { continue };
            let happens = self.happens(&done, state);
            for recipient in recipients {
                let Some(sent) = &recipient.message else { continue };
                let text = ground(sent, &done.binding);
                if (holds && text != *message) || key(&sent.name.text) != head {
                    continue;
                }
                let reaches = reaches(recipients, recipient, role, &done.binding);
                if holds && !(reaches && happens) {
                    continue;
                }
                let to: Vec<_> = recipient.receivers.iter().map(|arg| value(arg, &done.binding)).collect();
                let says = match (happens, reaches) {
                    (true, _) => format!("{text} was sent to {}", to.join(", ")),
                    (false, _) => format!("{text} to {} was not sent, since", to.join(", ")),
                };
                let conditions = self.conditions(&done, state);
                parts.push(Reason::new(says, happens).at(recipient.range).with(conditions));
            }
        }
        if parts.is_empty() {
            let action = self.acted(stepper, round).map_or(String::new(), |(_, _, made)| made.to_string());
            parts.push(Reason::new(format!("{action} sends no message {head}"), false));
        }
        let says =
            format!("{role} {} {message} in round {}", if holds { "was sent" } else { "was not sent" }, round + 1);
        Ok(Reason::new(says, holds).with(parts))
    }
}

/// True if a clause of an `observe` reaches a role: by name, by `all`, or as one of the others.
fn reaches(recipients: &[Recipient], recipient: &Recipient, role: &str, binding: &Binding) -> bool {
    let names = |receivers: &[Arg]| {
        receivers.iter().any(|arg| {
            let name = value(arg, binding);
            name == role || name == "all"
        })
    };
    names(&recipient.receivers)
        || (recipient.receivers.iter().any(|arg| arg.name.is("others"))
            && role != "chance"
            && !recipients.iter().any(|other| names(&other.receivers)))
}
