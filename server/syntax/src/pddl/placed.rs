//! Typed syntax that snapshots share: the same part, moved by edits before it.

use std::any::Any;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::ast::{
    Action, Arg, Atom, Condition, Effect, Expr, OutsideCondition, OutsideKind, Recipient, Section, TypedGroup,
};
use crate::text::{Name, TextRange};

/// A part of a file that dereferences to a plain `T`. Parts without edits are shared in memory from snapshot to
/// snapshot. A part that was moved by an edit before it is copied with its new ranges on the first access.
///
/// Callers that do not need the ranges need no copy: see [`Placed::as_read`].
pub struct Placed<T> {
    read: Arc<Read<T>>,
    /// The distance of the ranges in `read` from the true ones, modulo 2^32.
    by: u32,
    moved: OnceLock<Box<T>>,
}

struct Read<T> {
    part: T,
    note: Mutex<Option<Note>>,
}

/// A caller's result about a part. Only that caller knows its type.
pub type Note = Arc<dyn Any + Send + Sync>;

/// A type with ranges that can be moved.
pub(crate) trait Shift: Clone {
    /// Adds `by`, modulo 2^32, to both ends of every range.
    fn shift(&mut self, by: u32);
}

impl<T> Placed<T> {
    /// Creates a part at the place at which it was read.
    pub(crate) fn new(part: T) -> Placed<T> {
        Placed { read: Arc::new(Read { part, note: Mutex::default() }), by: 0, moved: OnceLock::new() }
    }

    /// The same part `by` bytes further on, modulo 2^32.
    pub(crate) fn moved(&self, by: u32) -> Placed<T> {
        Placed { read: self.read.clone(), by: self.by.wrapping_add(by), moved: OnceLock::new() }
    }

    /// The part with the ranges that it had when it was read, without a copy. [`Placed::here`] gives their current
    /// places.
    pub fn as_read(&self) -> &T {
        &self.read.part
    }

    /// True if the ranges of [`Placed::as_read`] are not the true ones.
    pub fn is_moved(&self) -> bool {
        self.by != 0
    }

    /// The current place of a range of [`Placed::as_read`].
    pub fn here(&self, mut range: TextRange) -> TextRange {
        range.shift(self.by);
        range
    }

    /// The last note about the part, from this snapshot or another one that shares it.
    pub fn note(&self) -> Option<Note> {
        self.read.note.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps a note as long as any snapshot has the part. It must be true of the part at any place.
    pub fn set_note(&self, note: Note) {
        *self.read.note.lock().unwrap_or_else(PoisonError::into_inner) = Some(note);
    }

    /// True if both share the same memory.
    #[cfg(test)]
    pub(crate) fn is_shared_with(&self, other: &Placed<T>) -> bool {
        Arc::ptr_eq(&self.read, &other.read)
    }
}

impl<T: Shift> Deref for Placed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        if self.by == 0 {
            return &self.read.part;
        }
        self.moved.get_or_init(|| {
            let mut moved = Box::new(T::clone(&self.read.part));
            moved.shift(self.by);
            moved
        })
    }
}

/// A changed part is no longer shared and loses its note.
impl<T: Shift> DerefMut for Placed<T> {
    fn deref_mut(&mut self) -> &mut T {
        let is_mine = self.by == 0 && Arc::get_mut(&mut self.read).is_some();
        if !is_mine {
            *self = Placed::new(T::clone(self));
        }
        let read = Arc::get_mut(&mut self.read).expect("the part has only this owner");
        read.note = Mutex::default();
        &mut read.part
    }
}

impl<T> Clone for Placed<T> {
    fn clone(&self) -> Placed<T> {
        self.moved(0)
    }
}

impl<T: Shift + PartialEq> PartialEq for Placed<T> {
    fn eq(&self, other: &Placed<T>) -> bool {
        **self == **other
    }
}

impl<T: Shift + std::fmt::Debug> std::fmt::Debug for Placed<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

impl Shift for TextRange {
    fn shift(&mut self, by: u32) {
        self.start = self.start.wrapping_add(by);
        self.end = self.end.wrapping_add(by);
    }
}

impl Shift for Name {
    fn shift(&mut self, by: u32) {
        self.range.shift(by);
    }
}

impl<T: Shift> Shift for Vec<T> {
    fn shift(&mut self, by: u32) {
        self.iter_mut().for_each(|part| part.shift(by));
    }
}

impl<T: Shift> Shift for Option<T> {
    fn shift(&mut self, by: u32) {
        self.iter_mut().for_each(|part| part.shift(by));
    }
}

impl<T: Shift> Shift for Box<T> {
    fn shift(&mut self, by: u32) {
        (**self).shift(by);
    }
}

impl Shift for Action {
    fn shift(&mut self, by: u32) {
        let Action { range, name, params, vars, precondition, effect, senses, fields } = self;
        range.shift(by);
        name.shift(by);
        params.shift(by);
        vars.shift(by);
        precondition.shift(by);
        effect.shift(by);
        senses.shift(by);
        fields.shift(by);
    }
}

impl Shift for Section {
    fn shift(&mut self, by: u32) {
        self.keyword.shift(by);
        self.range.shift(by);
    }
}

impl Shift for TypedGroup {
    fn shift(&mut self, by: u32) {
        let TypedGroup { names, types, range } = self;
        names.shift(by);
        types.shift(by);
        range.shift(by);
    }
}

impl Shift for Arg {
    fn shift(&mut self, by: u32) {
        self.name.shift(by);
    }
}

impl Shift for Atom {
    fn shift(&mut self, by: u32) {
        let Atom { range, name, args } = self;
        range.shift(by);
        name.shift(by);
        args.shift(by);
    }
}

impl Shift for Condition {
    fn shift(&mut self, by: u32) {
        match self {
            Condition::Atom(atom) => atom.shift(by),
            Condition::Equal { range, left, right } => {
                range.shift(by);
                left.shift(by);
                right.shift(by);
            }
            Condition::Not { range, keyword, inner } => {
                range.shift(by);
                keyword.shift(by);
                inner.shift(by);
            }
            Condition::And { range, keyword, parts } | Condition::Or { range, keyword, parts } => {
                range.shift(by);
                keyword.shift(by);
                parts.shift(by);
            }
            Condition::Imply { range, keyword, left, right } => {
                range.shift(by);
                keyword.shift(by);
                left.shift(by);
                right.shift(by);
            }
            Condition::Exists { range, keyword, params, body } | Condition::Forall { range, keyword, params, body } => {
                range.shift(by);
                keyword.shift(by);
                params.shift(by);
                body.shift(by);
            }
            Condition::Compare { range, op: _, keyword, left, right } => {
                range.shift(by);
                keyword.shift(by);
                left.shift(by);
                right.shift(by);
            }
            Condition::Outside(outside) => outside.shift(by),
            Condition::Error { range } => range.shift(by),
        }
    }
}

impl Shift for OutsideCondition {
    fn shift(&mut self, by: u32) {
        let OutsideCondition { range, keyword, kind, times, parts } = self;
        range.shift(by);
        keyword.shift(by);
        match kind {
            OutsideKind::Preference(name) => name.shift(by),
            OutsideKind::Timed | OutsideKind::Trajectory => {}
        }
        times.shift(by);
        parts.shift(by);
    }
}

impl Shift for Expr {
    fn shift(&mut self, by: u32) {
        match self {
            Expr::Number { range, text: _ } | Expr::Error { range } => range.shift(by),
            Expr::Fluent(atom) => atom.shift(by),
            Expr::Operation { range, op: _, operands } => {
                range.shift(by);
                operands.shift(by);
            }
            Expr::Outside { range, preference } => {
                range.shift(by);
                preference.shift(by);
            }
            Expr::Object(arg) => arg.shift(by),
        }
    }
}

impl Shift for Effect {
    fn shift(&mut self, by: u32) {
        match self {
            Effect::And { range, keyword, parts } => {
                range.shift(by);
                keyword.shift(by);
                parts.shift(by);
            }
            Effect::Add(atom) => atom.shift(by),
            Effect::Delete { range, keyword, atom } => {
                range.shift(by);
                keyword.shift(by);
                atom.shift(by);
            }
            Effect::When { range, keyword, condition, effect } => {
                range.shift(by);
                keyword.shift(by);
                condition.shift(by);
                effect.shift(by);
            }
            Effect::Forall { range, keyword, params, effect } => {
                range.shift(by);
                keyword.shift(by);
                params.shift(by);
                effect.shift(by);
            }
            Effect::Assign { range, op: _, keyword, target, value } => {
                range.shift(by);
                keyword.shift(by);
                target.shift(by);
                value.shift(by);
            }
            Effect::Observe { range, keyword, recipients } => {
                range.shift(by);
                keyword.shift(by);
                recipients.shift(by);
            }
            Effect::Outside { range, keyword, parts } => {
                range.shift(by);
                keyword.shift(by);
                parts.shift(by);
            }
            Effect::Error { range } => range.shift(by),
        }
    }
}

impl Shift for Recipient {
    fn shift(&mut self, by: u32) {
        let Recipient { range, receivers, message } = self;
        range.shift(by);
        receivers.shift(by);
        message.shift(by);
    }
}
