//! The check of a large text that is being edited: after an edit only a part of it is looked at, and the findings are
//! those of the whole.
//!
//! A text consists of statements: those of a description; in PDDL the actions and declared predicates ([`Text`]). Most
//! names of a large text belong to one group of statements (an *island*): the lamp of room 17 is in the
//! rules of room 17 only. The other names, such as keywords and roles, are in statements everywhere (*common* names).
//! The part consists of the statements that have an edit, the islands that had a finding or have a name in common with
//! an edited statement (all these are *open*), the statements with common names only, and a few islands of each kind:
//! two islands are of one kind if they differ only in the names that are their own ([`build`]).
//!
//! This is sound because of what a rule of the rule book can ask:
//!
//! - About the names of an open island, including the names that resemble them ([`names`]): all their statements are in
//!   the part.
//! - Whether some statement says something about common names: if one of an island that is left out does, so do those
//!   of its kind that are in the part.
//! - Whether an island that is left out has a fault now: then those of its kind have it as well, and the whole is
//!   checked.
//!
//! Numbers and examples in a message may depend on the statements that are left out, so only findings of
//! [trusted](Text::is_trusted) rules, about open islands, are taken from a part; any other finding leads to a check of
//! the whole. So does everything that is seldom or complex: syntax errors, facts with variables, variables for whole fluents. Builds
//! with debug assertions do not compare the two, because that would take the time that is saved; the tests do.

mod build;
mod gdl;
mod names;
mod outline;
mod pogddl;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use percept_syntax::{Followed, Source, TextRange};

pub(crate) use self::gdl::check as check_gdl;
use self::names::Names;
use self::outline::Outline;
pub(crate) use self::pogddl::check as check_domain;
use crate::gdl::{LARGE, SPARE, Size};
use crate::{Diagnostic, Findings, Settings};
use rustc_hash::FxHashSet;

/// If an attempt to look at less has failed, the next is made after this many checks.
const PATIENCE: u32 = 64;
/// The number of an island.
type Island = u32;
/// The statements with common names only.
const COMMON: Island = 0;
/// The statements that have been edited.
const EDITED: Island = 1;

/// The use of an island.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Left out: some others of its kind are looked at.
    LeftOut,
    /// Looked at without an expectation of findings.
    Shown,
    /// Looked at; its findings are taken.
    Open,
}

/// The knowledge about one version of a text.
struct Kept {
    text: Arc<str>,
    /// The places of the statements.
    ranges: Vec<TextRange>,
    /// The island of each statement.
    islands: Vec<Island>,
    /// The use of each island; empty if the text has to be looked at as a whole.
    uses: Vec<Use>,
    names: Names,
    size: Size,
    /// The bytes of statements that have been removed or edited.
    removed: usize,
    /// The findings that the whole has as well, by rule and message.
    of_whole: FxHashSet<(&'static str, String)>,
    /// The checks until the next attempt, if this one failed.
    patience: u32,
}

/// A text in one of the languages, which is being edited and has no syntax errors.
trait Text {
    fn source(&self) -> &Source;

    /// The places of the statements.
    fn places(&self) -> &Followed;

    /// All findings, before settings and comments; with the outline if it is requested and parts can be looked at.
    fn whole(&self, with_outline: bool) -> (Findings, Option<Outline>);

    /// Calls `f` with every name in a part of the text; true for a variable. Keywords do not count.
    fn each_name(&self, range: TextRange, f: &mut dyn FnMut(&str, bool));

    /// The findings in some of the statements. `None` if they cannot be those of the whole.
    fn look(&self, kept: &Kept, shown: &[usize], is_too_large: bool) -> Option<Findings>;

    /// True if findings of a rule about an open island do not depend on the statements that are left out.
    fn is_trusted(&self, kept: &Kept, rule: &'static str, range: TextRange, message: &str) -> bool;

    /// Joins findings in neighbouring statements as in the whole text.
    fn gather(&self, kept: &Kept, findings: &mut Findings);
}

/// Returns all findings in a text.
fn check(text: &impl Text, settings: &Settings) -> Vec<Diagnostic> {
    let (source, places) = (text.source(), text.places());
    let mut kept = places.take_note().and_then(|note| note.downcast::<Kept>().ok());
    if let Some(kept) = &mut kept
        && kept.follow(text)
    {
        let found = kept.look(text).map(|found| found.finish(&[Some(source)], settings));
        places.set_wanted(found.is_some());
        let found = found.unwrap_or_else(|| text.whole(false).0.finish(&[Some(source)], settings));
        places.set_note(Box::new(std::mem::replace(&mut **kept, Kept::nothing(0))));
        return found;
    }
    let patience = kept.map_or(0, |kept| kept.patience);
    let (findings, outline) = text.whole(patience == 0);
    let mut kept = match patience {
        0 => build::kept(source, outline, &findings, places),
        patience => Kept::nothing(patience - 1),
    };
    let of_whole = findings.names().map(|(rule, _, message)| (rule, message.to_owned())).collect();
    let finished = findings.finish(&[Some(source)], settings);
    if !kept.uses.is_empty() {
        kept.of_whole = of_whole;
        let part = kept.look(text).map(|found| found.finish(&[Some(source)], settings));
        if part.is_none_or(|part| !are_equal(&part, &finished)) {
            kept = Kept::nothing(PATIENCE);
        }
    }
    places.set_wanted(!kept.uses.is_empty());
    places.set_note(Box::new(kept));
    finished
}

fn are_equal(one: &[Diagnostic], other: &[Diagnostic]) -> bool {
    one.len() == other.len() && format!("{one:?}") == format!("{other:?}")
}

impl Kept {
    /// Knows nothing.
    fn nothing(patience: u32) -> Kept {
        Kept {
            text: Arc::default(),
            ranges: Vec::new(),
            islands: Vec::new(),
            uses: Vec::new(),
            names: Names::default(),
            size: Size::Unclear,
            removed: 0,
            of_whole: FxHashSet::default(),
            patience,
        }
    }

    /// Goes on to another version of the text. False if nothing useful is known about it.
    fn follow(&mut self, text: &impl Text) -> bool {
        if self.uses.is_empty() {
            return false;
        }
        let (source, places) = (text.source(), text.places());
        let (before, after) = same(self.text.as_bytes(), source.text.as_bytes());
        let (old, new) = (&self.ranges, places.ranges());
        let by = (source.text.len() as u32).wrapping_sub(self.text.len() as u32);
        let behind = (self.text.len() - after) as u32;
        // A statement at the border of an edit is looked at.
        let first = old.partition_point(|range| (range.end as usize) < before);
        let last = old.partition_point(|range| range.start <= behind).max(first);
        let tail = old.len() - last;
        let moved = |range: &TextRange| TextRange::new(range.start.wrapping_add(by), range.end.wrapping_add(by));
        let fits = new.len() >= first + tail
            && new[..first] == old[..first]
            && old[last..].iter().map(moved).eq(new[new.len() - tail..].iter().copied());
        if !fits {
            return false;
        }
        self.removed += old[first..last].iter().map(|range| range.len() as usize).sum::<usize>();
        let count = new.len() - first - tail;
        let gone = self.islands.splice(first..last, std::iter::repeat_n(EDITED, count)).collect::<Vec<Island>>();
        gone.into_iter().for_each(|island| self.open(island));
        self.ranges = new.to_vec();
        self.text = source.text.clone();
        for range in &new[first..first + count] {
            self.enter(text, *range);
        }
        true
    }

    /// Records the names of an edited statement.
    fn enter(&mut self, text: &impl Text, range: TextRange) {
        let mut opened = Vec::new();
        text.each_name(range, &mut |name, is_variable| match self.names.island(name) {
            Some(island) => opened.push(island),
            None if is_variable => {}
            None => {
                self.names.add(name, EDITED);
                self.show_near(name);
            }
        });
        opened.into_iter().for_each(|island| self.open(island));
    }

    /// Looks at an island from now on, and at all others with names that resemble its own.
    fn open(&mut self, island: Island) {
        if std::mem::replace(&mut self.uses[island as usize], Use::Open) != Use::Open {
            self.names.of(island).iter().for_each(|name| self.show_near(name));
        }
    }

    fn show_near(&mut self, name: &str) {
        let uses = &mut self.uses;
        self.names.near(name, &mut |island| {
            let used = &mut uses[island as usize];
            *used = if *used == Use::LeftOut { Use::Shown } else { *used };
        });
    }

    /// Returns the findings of a part of the text, if they are those of the whole.
    fn look(&self, text: &impl Text) -> Option<Findings> {
        let (shown, edited) = self.part();
        if shown.len() > self.ranges.len() / 2 {
            return None;
        }
        let mut findings = text.look(self, &shown, self.is_too_large(edited)?)?;
        let is_known = |(rule, range, message): (&'static str, TextRange, &str)| {
            text.is_trusted(self, rule, range, message) || self.of_whole.contains(&(rule, message.to_owned()))
        };
        let are_open = findings.all_ranges().all(|range| self.is_open(range));
        if !are_open || !findings.names().all(is_known) {
            return None;
        }
        text.gather(self, &mut findings);
        #[cfg(test)]
        tests::count_part();
        Some(findings)
    }

    /// The statements to look at, and the bytes of those that have been edited.
    fn part(&self) -> (Vec<usize>, usize) {
        let (mut shown, mut edited) = (vec![0], 0);
        for (at, island) in self.islands.iter().enumerate() {
            if at > 0 && self.uses[*island as usize] != Use::LeftOut {
                shown.push(at);
            }
            if *island == EDITED {
                edited += self.ranges[at].len() as usize;
            }
        }
        (shown, edited)
    }

    /// True if the domains of the whole description are too large for an analysis; `None` if that is unclear.
    fn is_too_large(&self, edited: usize) -> Option<bool> {
        // A term has at least two characters.
        let terms = edited / 2;
        match self.size {
            Size::Full => (self.removed < SPARE).then_some(true),
            Size::Room(room, most) => (terms * (8 + 8 * most) < room).then_some(false),
            Size::Unclear => None,
        }
    }

    /// True if a place is in statements whose findings are taken.
    fn is_open(&self, mut range: TextRange) -> bool {
        // A fix may remove the space before a statement with it.
        let part = &self.text[range.as_usize()];
        if !part.trim_start().is_empty() {
            range.start += (part.len() - part.trim_start().len()) as u32;
        }
        let at = self.ranges.partition_point(|statement| statement.end <= range.start);
        let Some(statement) = self.ranges.get(at) else { return false };
        statement.contains_range(range) && self.uses[self.islands[at] as usize] == Use::Open
    }
}

/// The numbers of equal bytes at the beginning and, behind those, at the end of two texts.
fn same(old: &[u8], new: &[u8]) -> (usize, usize) {
    /// Blocks are compared at once.
    const BLOCK: usize = 1 << 12;
    let most = old.len().min(new.len());
    let mut before = 0;
    while before + BLOCK <= most && old[before..before + BLOCK] == new[before..before + BLOCK] {
        before += BLOCK;
    }
    before += old[before..most].iter().zip(&new[before..most]).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[before..], &new[before..]);
    let most = old.len().min(new.len());
    let mut after = 0;
    while after + BLOCK <= most
        && old[old.len() - after - BLOCK..old.len() - after] == new[new.len() - after - BLOCK..new.len() - after]
    {
        after += BLOCK;
    }
    let rest = old[..old.len() - after].iter().rev().zip(new[..new.len() - after].iter().rev());
    (before, after + rest.take_while(|(a, b)| a == b).count())
}
