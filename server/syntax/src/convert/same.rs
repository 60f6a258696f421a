//! Comparison of two texts up to their names: every converted text has to pass it.
//!
//! This module is independent of the way the converter chooses names or writes statements: both descriptions were read
//! from text, and only the list of renamed names is taken as given.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::{
    TextRange,
    gdl::{Description, Formula, Statement, Term, TermKind},
};

/// The first difference: its place in the first description and its description.
pub(super) struct Difference {
    /// The place in the original text.
    pub range: TextRange,
    /// A sentence without a full stop.
    pub message: String,
}

/// Names of the first description with their names in the second; in both directions, so that two names never become
/// one.
#[derive(Default)]
struct Pairs<'a> {
    there: FxHashMap<&'a str, &'a str>,
    back: FxHashMap<&'a str, &'a str>,
}

impl<'a> Pairs<'a> {
    /// True if `old` may be `new`, given all pairs so far.
    fn agree(&mut self, old: &'a str, new: &'a str) -> bool {
        *self.there.entry(old).or_insert(new) == new && *self.back.entry(new).or_insert(old) == old
    }
}

/// Compares two descriptions statement by statement. Constants, functions and relations keep their names except those
/// in `renamed` (old and new). Variables may have any name that keeps them distinct within their statement.
/// Conjunctions at the top of a body are part of the body.
///
/// # Errors
/// The first difference.
pub(super) fn same<'a>(
    old: &Description,
    new: &Description,
    renamed: impl IntoIterator<Item = (&'a str, &'a str)>,
    is_keyword: fn(&str) -> bool,
) -> Result<(), Difference> {
    Comparison::new(renamed, is_keyword).statements(old.statements.iter(), &new.statements)
}

/// A comparison of two texts, part by part.
pub(super) struct Comparison<'r> {
    renamed: FxHashMap<&'r str, &'r str>,
    is_keyword: fn(&str) -> bool,
    /// The new names, each with the old name that became it in this text. All others become only themselves.
    taken: FxHashMap<&'r str, Option<SmolStr>>,
}

impl<'r> Comparison<'r> {
    pub(super) fn new(
        renamed: impl IntoIterator<Item = (&'r str, &'r str)>,
        is_keyword: fn(&str) -> bool,
    ) -> Comparison<'r> {
        let renamed: FxHashMap<&str, &str> = renamed.into_iter().collect();
        let taken = renamed.values().map(|new| (*new, None)).collect();
        Comparison { renamed, is_keyword, taken }
    }

    /// Compares the next statements.
    ///
    /// # Errors
    /// The first difference.
    pub(super) fn statements<'s>(
        &mut self,
        old: impl Iterator<Item = &'s Statement>,
        new: &'s [Statement],
    ) -> Result<(), Difference> {
        let (mut new, mut last) = (new.iter(), TextRange::at(0));
        let mut pair = Pair { comparison: self, variables: Pairs::default() };
        for before in old {
            let Some(after) = new.next() else {
                return Err(Difference { range: before.range, message: "this statement would be lost".into() });
            };
            pair.statement(before, after)?;
            last = before.range;
        }
        match new.next() {
            None => Ok(()),
            Some(_) => Err(Difference { range: last, message: "this statement would become several".into() }),
        }
    }
}

/// The comparison of two statements at a time.
struct Pair<'c, 'r, 'a> {
    comparison: &'c mut Comparison<'r>,
    variables: Pairs<'a>,
}

impl<'a> Pair<'_, '_, 'a> {
    fn statement(&mut self, old: &'a Statement, new: &'a Statement) -> Result<(), Difference> {
        self.variables.there.clear();
        self.variables.back.clear();
        if old.arrow.is_some() != new.arrow.is_some() {
            return Err(other(old.range));
        }
        match (&old.head, &new.head) {
            (Some(old), Some(new)) => self.term(old, new)?,
            (None, None) => {}
            _ => return Err(other(old.range)),
        }
        let (before, after) = (flat(&old.body), flat(&new.body));
        self.formulas(old.range, before.into_iter(), after.into_iter())
    }

    fn formulas(
        &mut self,
        range: TextRange,
        old: impl ExactSizeIterator<Item = &'a Formula>,
        new: impl ExactSizeIterator<Item = &'a Formula>,
    ) -> Result<(), Difference> {
        if old.len() != new.len() {
            return Err(other(range));
        }
        old.zip(new).try_for_each(|(old, new)| self.formula(old, new))
    }

    fn formula(&mut self, old: &'a Formula, new: &'a Formula) -> Result<(), Difference> {
        match (old, new) {
            (Formula::Atom(old), Formula::Atom(new)) => self.term(old, new),
            (Formula::Distinct { range, args: old, .. }, Formula::Distinct { args: new, .. }) => {
                self.terms(*range, old, new)
            }
            (Formula::Not { range, parts: old, .. }, Formula::Not { parts: new, .. })
            | (Formula::Or { range, parts: old, .. }, Formula::Or { parts: new, .. })
            | (Formula::And { range, parts: old, .. }, Formula::And { parts: new, .. }) => {
                self.formulas(*range, old.iter(), new.iter())
            }
            _ => Err(other(old.range())),
        }
    }

    fn terms(&mut self, range: TextRange, old: &'a [Term], new: &'a [Term]) -> Result<(), Difference> {
        if old.len() != new.len() {
            return Err(other(range));
        }
        old.iter().zip(new).try_for_each(|(old, new)| self.term(old, new))
    }

    fn term(&mut self, old: &'a Term, new: &'a Term) -> Result<(), Difference> {
        let (before, after) = (old.name.text.as_str(), new.name.text.as_str());
        match (&old.kind, &new.kind) {
            (TermKind::Variable, TermKind::Variable) => {
                if self.variables.agree(before, after) {
                    return Ok(());
                }
                let message = format!("the variable `{before}` would be `{after}` here and another elsewhere");
                Err(Difference { range: old.range, message })
            }
            (TermKind::Constant, TermKind::Constant) => self.name(old, after),
            (TermKind::Compound(old_args), TermKind::Compound(new_args)) => {
                self.name(old, after)?;
                self.terms(old.range, old_args, new_args)
            }
            _ => Err(other(old.range)),
        }
    }

    fn name(&mut self, old: &Term, after: &str) -> Result<(), Difference> {
        let Comparison { renamed, is_keyword, taken } = &mut *self.comparison;
        let before = old.name.text.as_str();
        let expected = renamed.get(before).copied().unwrap_or(before);
        if before == after && expected == after && !taken.contains_key(after) {
            return Ok(());
        }
        // Keywords are compared without case and stay keywords; other names never become keywords.
        let keeps_its_kind = match is_keyword(before) || is_keyword(after) {
            true => before.eq_ignore_ascii_case(after),
            false => true,
        };
        let message = match keeps_its_kind && expected == after {
            false => format!("`{before}` would become `{after}`"),
            true if is_keyword(after) => return Ok(()),
            true => match taken.get_mut(after).map(|first| first.get_or_insert_with(|| before.into())) {
                Some(first) if first != before => format!("two names would become `{after}`"),
                _ => return Ok(()),
            },
        };
        Err(Difference { range: old.name.range, message })
    }
}

fn other(range: TextRange) -> Difference {
    Difference { range, message: "this would be read as something else".into() }
}

/// Flattens the conjunctions at the top of a body.
fn flat(body: &[Formula]) -> Vec<&Formula> {
    let mut flat = Vec::with_capacity(body.len());
    for formula in body {
        match formula {
            Formula::And { parts, .. } => flat.extend(self::flat(parts)),
            other => flat.push(other),
        }
    }
    flat
}
