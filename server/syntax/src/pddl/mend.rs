//! Repairs of the parts of a game in POGDDL: a condition, an effect or a fact is added, turned or removed.

use super::ast::{Action, Arg, Atom, Condition, Effect, Init, Problem};
use crate::finding::{FileId, Fix, Place, TextEdit};
use crate::text::TextRange;

/// A condition or an effect.
trait Part {
    fn range(&self) -> TextRange;
    /// The parts of a conjunction.
    fn parts(&self) -> Option<&[Self]>
    where
        Self: Sized;
}

impl Part for Condition {
    fn range(&self) -> TextRange {
        self.range()
    }

    fn parts(&self) -> Option<&[Condition]> {
        if let Condition::And { parts, .. } = self { Some(parts) } else { None }
    }
}

impl Part for Effect {
    fn range(&self) -> TextRange {
        self.range()
    }

    fn parts(&self) -> Option<&[Effect]> {
        if let Effect::And { parts, .. } = self { Some(parts) } else { None }
    }
}

impl Action {
    /// The parts of the precondition, those of a conjunction one by one.
    pub fn conditions(&self) -> &[Condition] {
        self.precondition.as_ref().map_or(&[], |it| it.parts().unwrap_or(std::slice::from_ref(it)))
    }

    /// The parts of the effect, those of a conjunction one by one.
    pub fn effects(&self) -> &[Effect] {
        self.effect.as_ref().map_or(&[], |it| it.parts().unwrap_or(std::slice::from_ref(it)))
    }

    /// The action as a message: `(deal ?r ?c)`.
    pub fn call(&self) -> String {
        let names = self.params.iter().flat_map(|group| &group.names).map(|name| format!(" ?{}", name.text));
        format!("({}{})", self.name.text, names.collect::<String>())
    }

    /// Adds a condition to the precondition.
    pub fn with_condition(&self, file: FileId, condition: &str) -> Fix {
        let title = format!("Add `{condition}` to the precondition of `{}`", self.name.text);
        Fix::new(title, self.joined(file, self.precondition.as_ref(), ":precondition", condition))
    }

    /// Adds an effect.
    pub fn with_effect(&self, file: FileId, effect: &str) -> Fix {
        let title = format!("Add `{effect}` to the effect of `{}`", self.name.text);
        Fix::new(title, self.joined(file, self.effect.as_ref(), ":effect", effect))
    }

    fn joined<T: Part>(&self, file: FileId, old: Option<&T>, keyword: &str, new: &str) -> Vec<TextEdit> {
        let field = self.fields.iter().find(|field| field.keyword.is(keyword));
        let at = |at: u32, insert: String| TextEdit { file, range: TextRange::at(at), insert };
        match (old, field) {
            // Before the last parenthesis: no comment can be between.
            (Some(old), _) if old.parts().is_some() => vec![at(old.range().end - 1, format!(" {new}"))],
            (Some(old), _) => {
                vec![at(old.range().start, "(and ".to_string()), at(old.range().end, format!(" {new})"))]
            }
            (None, Some(field)) => {
                let range = TextRange::new(field.keyword.range.end, field.range.end);
                vec![TextEdit { file, range, insert: format!(" {new}") }]
            }
            (None, None) => {
                let effect = self.fields.iter().find(|field| field.keyword.is(":effect"));
                match effect.filter(|_| keyword != ":effect") {
                    Some(effect) => vec![at(effect.range.start, format!("{keyword} {new}\n    "))],
                    None => vec![at(self.range.end - 1, format!("\n    {keyword} {new}"))],
                }
            }
        }
    }
}

impl Problem {
    /// Adds a fact to the initial state, before the others; `None` if the problem has no `:init`.
    pub fn with_fact(&self, file: FileId, fact: &str) -> Option<Fix> {
        let init = self.sections.iter().find(|section| section.keyword.is(":init"))?;
        let place = Place { file, range: TextRange::at(init.keyword.range.end) };
        Some(Fix::new(format!("Add `{fact}` to `:init`"), vec![TextEdit::new(place, format!("\n        {fact}"))]))
    }

    /// The facts of the initial state.
    pub fn facts(&self) -> impl Iterator<Item = &Atom> {
        self.init.iter().filter_map(|init| match init {
            Init::Fact(atom) => Some(atom),
            _ => None,
        })
    }
}

impl Condition {
    /// The opposite as text; `None` for anything but atoms and negations.
    pub fn opposite(&self, text: &str) -> Option<String> {
        match self {
            Condition::Atom(atom) => Some(format!("(not {})", &text[atom.range.as_usize()])),
            Condition::Equal { range, .. } => Some(format!("(not {})", &text[range.as_usize()])),
            Condition::Not { inner, .. } => Some(text[inner.range().as_usize()].to_string()),
            _ => None,
        }
    }
}

impl Effect {
    /// The opposite as text; `None` for anything but atoms and negations.
    pub fn opposite(&self, text: &str) -> Option<String> {
        match self {
            Effect::Add(atom) => Some(format!("(not {})", &text[atom.range.as_usize()])),
            Effect::Delete { atom, .. } => Some(text[atom.range.as_usize()].to_string()),
            _ => None,
        }
    }
}

impl Arg {
    /// The argument as text: `?card`, `c01`.
    pub fn written(&self) -> String {
        if self.is_variable { format!("?{}", self.name.text) } else { self.name.text.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use crate::finding::{FileId, Fix};
    use crate::{Language, Source};

    fn fixed(text: &str, fix: impl FnOnce(&Source) -> Fix) -> String {
        let source = Source::parse(text, Language::Pogddl);
        let mut edits = fix(&source).edits;
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.range.start));
        let mut text = text.to_string();
        edits.iter().for_each(|edit| text.replace_range(edit.range.as_usize(), &edit.insert));
        text
    }

    /// The text of an action with a condition and an effect more.
    fn more(fields: &str) -> String {
        let domain = format!("(define (domain d) (:action go{fields}))");
        let action = |source: &Source| source.domain().expect("a domain").actions[0].clone();
        let once = fixed(&domain, |source| action(source).with_condition(FileId(0), "(c)"));
        fixed(&once, |source| action(source).with_effect(FileId(0), "(e)"))
    }

    #[test]
    fn parts_are_added_to_whatever_is_there() {
        let cases = [
            (" :precondition (and (a) ; why\n) :effect (and (b))", "(and (a) ; why\n (c))", "(and (b) (e))"),
            (" :precondition (a) :effect (not (b))", "(and (a) (c))", "(and (not (b)) (e))"),
            (" :effect (b)", ":precondition (c)\n", "(and (b) (e))"),
            (" :parameters ()", ":precondition (c)", ":effect (e)"),
        ];
        for (fields, condition, effect) in cases {
            let text = more(fields);
            assert!(text.contains(condition) && text.contains(effect), "{text}");
            let action = Source::parse(text.clone(), Language::Pogddl).domain().expect("a domain").actions[0].clone();
            let count = 1 + usize::from(fields.contains(":precondition"));
            assert_eq!((action.conditions().len(), action.fields.is_empty()), (count, false), "{text}");
        }
    }

    #[test]
    fn a_fact_is_added_and_an_opposite_is_written() {
        let problem = "(define (problem p) (:domain d) (:init (a)))";
        let with = fixed(problem, |source| {
            source.problem().expect("a problem").with_fact(FileId(0), "(b)").expect("it has facts")
        });
        let source = Source::parse(with.clone(), Language::Pogddl);
        let names: Vec<_> =
            source.problem().expect("a problem").facts().map(|fact| fact.name.text.to_string()).collect();
        assert_eq!(names, ["b", "a"], "{with}");

        let text = "(define (domain d) (:action go :precondition (and (a) (not (b))) :effect (and (not (a)) (c))))";
        let source = Source::parse(text, Language::Pogddl);
        let action = &source.domain().expect("a domain").actions[0];
        let conditions: Vec<_> = action.conditions().iter().filter_map(|it| it.opposite(text)).collect();
        let effects: Vec<_> = action.effects().iter().filter_map(|it| it.opposite(text)).collect();
        assert_eq!(
            (conditions, effects),
            (vec!["(not (a))".into(), "(b)".into()], vec!["(a)".into(), "(not (c))".into()])
        );
    }
}
