//! The selection of the actions that have to be checked.

use std::sync::Arc;

use percept_syntax::Source;
use percept_syntax::pddl::{Action, Domain, Placed};
use rustc_hash::FxHashSet;

use super::super::model::{CallableId, Mark};
use super::super::plain::{Note, Sayings, content, declarations};
use super::super::unread::{begins_within, broken_ranges, error_starts};
use super::super::values::Values;
use super::Resolver;

impl<'a> Resolver<'a> {
    /// True if some actions may be skipped. No action is skipped in a game, because its rules check more of an action;
    /// if the values of variables are computed; or if a bracket is missing, because the text after it does not count.
    pub(super) fn may_pass_over(&self, domain: &Domain) -> bool {
        let model = &self.model;
        let is_broken = |source: &Source| !broken_ranges(source).is_empty();
        !model.is_pogddl
            && !self.has_object_functions
            && !Values::are_known(model, domain.actions.len() + domain.timed.len())
            && !model.sources().any(|(_, source)| is_broken(source))
    }

    /// Resolves the actions, without the plain ones that repeat others.
    pub(super) fn telling_actions(&mut self, domain: &'a Domain) {
        let declarations = declarations(&self.model, domain);
        let derived = self.derived_predicates(domain);
        let errors = self.model.domain_source.map(error_starts).unwrap_or_default();
        // If more actions than this are not plain, the rest is resolved without a test: little could be saved, and a
        // test costs as much as a second resolution.
        let most_loud = domain.actions.len() / 3;
        let mut loud = 0;
        let mut sayings = Sayings::default();
        for action in &domain.actions {
            if loud > most_loud || begins_within(&errors, action.here(action.as_read().range)) {
                self.action(action);
                continue;
            }
            let old = action.note().and_then(|note| note.downcast::<Note>().ok());
            let old = old.filter(|note| note.declarations == declarations);
            let is_known = old.is_some();
            let mark = self.model.mark();
            let note = old.unwrap_or_else(|| {
                self.action(action.as_read());
                let note = Arc::new(Note { declarations, content: content(&self.model, &mark, &derived) });
                action.set_note(note.clone());
                note
            });
            loud += usize::from(note.content.is_none());
            let is_telling = note.content.as_ref().is_none_or(|content| sayings.are_new(content));
            match (is_telling, is_known) {
                (true, true) => self.action(action),
                (true, false) => self.move_last(action, mark),
                (false, true) => self.model.passed_over += 1,
                (false, false) => {
                    self.model.back_to(mark);
                    self.model.passed_over += 1;
                }
            }
        }
    }

    /// Resolves the last action again if it has moved, with its current ranges.
    fn move_last(&mut self, action: &'a Placed<Action>, mark: Mark) {
        if action.is_moved() {
            self.model.back_to(mark);
            self.action(action);
        }
    }

    fn derived_predicates(&self, domain: &Domain) -> FxHashSet<CallableId> {
        let names = domain.derived.iter().filter_map(|derived| self.model.names.get(&derived.head.name.text));
        names.filter_map(|name| self.model.predicates.get(&name)).copied().collect()
    }
}
