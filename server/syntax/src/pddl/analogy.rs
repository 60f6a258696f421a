//! The parts that an action lacks beside one like it.

use super::ast::{Action, Arg, Atom, Condition, Domain, Effect};
use crate::finding::{FileId, Fix, Place};
use crate::text::TextRange;

/// A part that a similar action has.
#[derive(Clone, Debug)]
pub struct Lack {
    /// The name of its predicate.
    pub predicate: String,
    /// The arguments, variables with their `?`.
    pub args: Vec<String>,
    /// True for a condition, false for an effect.
    pub is_condition: bool,
    /// False for a negation.
    pub is_positive: bool,
    /// Adds the part, or writes it instead of its opposite.
    pub fix: Fix,
}

/// A condition or an effect that is an atom or its negation.
#[derive(Clone, PartialEq)]
struct Literal {
    is_condition: bool,
    is_positive: bool,
    name: String,
    args: Vec<String>,
}

impl Literal {
    fn new(
        atom: &Atom,
        is_condition: bool,
        is_positive: bool,
        arg: impl Fn(&Arg) -> Option<String>,
    ) -> Option<Literal> {
        let args: Option<Vec<String>> = atom.args.iter().map(arg).collect();
        Some(Literal { is_condition, is_positive, name: atom.name.text.to_string(), args: args? })
    }

    fn written(&self) -> String {
        let args: String = self.args.iter().map(|arg| format!(" {arg}")).collect();
        if self.is_positive { format!("({}{args})", self.name) } else { format!("(not ({}{args}))", self.name) }
    }

    fn is_opposite_of(&self, other: &Literal) -> bool {
        let turned = Literal { is_positive: !self.is_positive, ..self.clone() };
        turned == *other
    }
}

/// The atoms of an action's parts, with their places: is it a condition, is it positive.
fn atoms(action: &Action) -> Vec<(&Atom, TextRange, bool, bool)> {
    let conditions = action.conditions().iter().filter_map(|it| match it {
        Condition::Atom(atom) => Some((atom, it.range(), true, true)),
        Condition::Not { inner, .. } => match &**inner {
            Condition::Atom(atom) => Some((atom, it.range(), true, false)),
            _ => None,
        },
        _ => None,
    });
    let effects = action.effects().iter().filter_map(|it| match it {
        Effect::Add(atom) => Some((atom, it.range(), false, true)),
        Effect::Delete { atom, .. } => Some((atom, it.range(), false, false)),
        _ => None,
    });
    conditions.chain(effects).collect()
}

impl Action {
    /// The argument of the `(whoseturn ...)` that the precondition requires.
    pub fn turn(&self) -> Option<&Arg> {
        self.conditions().iter().find_map(|it| match it {
            Condition::Atom(atom) if atom.name.is("whoseturn") => atom.args.first(),
            _ => None,
        })
    }

    /// The parameters with the names of their types.
    pub fn typed(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        self.params.iter().flat_map(|group| {
            let types: Vec<&str> = group.types.iter().map(|name| name.text.as_str()).collect();
            group.names.iter().map(move |name| (name.text.as_str(), types.clone()))
        })
    }

    /// The argument that stands here for one of another action: for its mover the own mover, for a parameter the one
    /// of this type, if possible of the same name.
    fn counterpart(&self, other: &Action, arg: &Arg) -> Option<String> {
        if let (Some(theirs), Some(own)) = (other.turn(), self.turn())
            && theirs.written() == arg.written()
        {
            return Some(own.written());
        }
        if !arg.is_variable {
            return Some(arg.written());
        }
        let (_, wanted) = other.typed().find(|(name, _)| arg.name.is(name))?;
        let fitting: Vec<&str> = self.typed().filter(|(_, types)| *types == wanted).map(|(name, _)| name).collect();
        let place = other.typed().filter(|(_, types)| *types == wanted).position(|(name, _)| arg.name.is(name))?;
        let chosen = fitting.iter().find(|name| arg.name.is(name)).or_else(|| fitting.get(place));
        chosen.map(|name| format!("?{name}"))
    }
}

impl Domain {
    /// The parts that other actions have and this one lacks, those of the most similar action first.
    pub fn lacks(&self, action: &Action, file: FileId) -> Vec<Lack> {
        let literal = |it: &(&Atom, TextRange, bool, bool)| Literal::new(it.0, it.2, it.3, |arg| Some(arg.written()));
        let own: Vec<(Literal, TextRange)> = atoms(action).iter().filter_map(|it| Some((literal(it)?, it.1))).collect();
        let mut found: Vec<(usize, Literal)> = Vec::new();
        for other in self.actions.iter().map(|it| &**it).filter(|other| !std::ptr::eq(*other, action)) {
            let parts = atoms(other);
            let counterpart = |arg: &Arg| action.counterpart(other, arg);
            let theirs: Vec<Literal> =
                parts.iter().filter_map(|it| Literal::new(it.0, it.2, it.3, counterpart)).collect();
            let (same, new): (Vec<_>, Vec<_>) = theirs.into_iter().partition(|it| own.iter().any(|(own, _)| own == it));
            found.extend(new.into_iter().map(|it| (same.len(), it)));
        }
        found.sort_by_key(|(same, _)| std::cmp::Reverse(*same));
        let mut lacks: Vec<Lack> = Vec::new();
        for (_, literal) in found {
            let opposite = own.iter().find(|(own, _)| literal.is_opposite_of(own));
            let fix = match opposite {
                Some((_, range)) => Fix::rewrite(Place { file, range: *range }, &literal.written()),
                None if literal.is_condition => action.with_condition(file, &literal.written()),
                None => action.with_effect(file, &literal.written()),
            };
            let Literal { is_condition, is_positive, name: predicate, args } = literal;
            if lacks.iter().all(|other| other.fix != fix) {
                lacks.push(Lack { predicate, args, is_condition, is_positive, fix });
            }
        }
        lacks
    }
}

#[cfg(test)]
mod tests {
    use crate::finding::FileId;
    use crate::{Language, Source};

    #[test]
    fn the_most_similar_action_says_first_what_is_missing() {
        let text = "(define (domain d)
            (:action deal :parameters (?c - card) :precondition (whoseturn chance) :effect (dealt ?c))
            (:action first :parameters (?c - card) :precondition (and (whoseturn p1) (holds p1 ?c))
                :effect (and (not (holds p1 ?c)) (bid p1 ?c)))
            (:action second :parameters (?x - card) :precondition (and (whoseturn p2) (holds p2 ?x))
                :effect (holds p2 ?x)))";
        let source = Source::parse(text, Language::Pogddl);
        let domain = source.domain().expect("a domain");
        let titles: Vec<String> =
            domain.lacks(&domain.actions[2], FileId(0)).into_iter().map(|lack| lack.fix.title).collect();
        assert_eq!(
            titles,
            [
                "Write `(not (holds p2 ?x))`",
                "Add `(bid p2 ?x)` to the effect of `second`",
                "Add `(dealt ?x)` to the effect of `second`"
            ]
        );
    }
}
