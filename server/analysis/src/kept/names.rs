//! The names of a description with their islands, and the search for names that resemble each other.

use percept_syntax::gdl::{Formula, Statement, Term, TermKind};
use percept_syntax::near::may_be_meant;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::{COMMON, Island};
use crate::gdl::keyword;

/// With more names, a search for the intended name does not look at all of them.
const MANY: usize = 3_000;
/// Letters are counted in this many classes.
const CLASSES: usize = 32;

/// The names of a description, in lower case, without its variables.
#[derive(Default)]
pub(super) struct Names {
    islands: FxHashMap<SmolStr, Island>,
    /// The names by what is left of them without digits: names that differ only in digits differ on purpose.
    families: FxHashMap<SmolStr, Family>,
}

struct Family {
    letters: Letters,
    names: Vec<SmolStr>,
}

/// The numbers of letters of each class in a name.
type Letters = [u8; CLASSES];

impl Names {
    pub(super) fn add(&mut self, name: &str, island: Island) {
        let name = SmolStr::new(name.to_ascii_lowercase());
        let family = without_digits(&name);
        let letters = letters(&family);
        self.families.entry(family).or_insert_with(|| Family { letters, names: Vec::new() }).names.push(name.clone());
        self.islands.insert(name, island);
    }

    /// The island of a name, if it is in the description.
    pub(super) fn island(&self, name: &str) -> Option<Island> {
        if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return self.islands.get(&*name.to_ascii_lowercase()).copied();
        }
        self.islands.get(name).copied()
    }

    /// True if a name is in statements everywhere.
    pub(super) fn is_common(&self, name: &str) -> bool {
        self.island(name).is_none_or(|island| island == COMMON)
    }

    /// The names of an island.
    pub(super) fn of(&self, island: Island) -> Vec<SmolStr> {
        self.islands.iter().filter(|(_, it)| **it == island).map(|(name, _)| name.clone()).collect()
    }

    /// True if a search for an intended name does not compare all names.
    pub(super) fn are_many(&self) -> bool {
        self.islands.len() > MANY
    }

    /// Calls `f` with the islands of all names that may be meant by this one or mean it.
    pub(super) fn near(&self, name: &str, f: &mut impl FnMut(Island)) {
        let name = name.to_ascii_lowercase();
        let own = without_digits(&name);
        let (whole, own_letters) = (letters(&name), letters(&own));
        // Two slips exchange two letters at most; an ending has three.
        let near = |(family, it): &(&SmolStr, &Family)| **family != own && distance(&it.letters, &own_letters) <= 6;
        for other in self.families.iter().filter(near).flat_map(|(_, family)| &family.names) {
            if distance(&letters(other), &whole) <= 6 && may_be_meant(&name, other) {
                f(self.islands[other]);
            }
        }
    }
}

fn without_digits(name: &str) -> SmolStr {
    if !name.bytes().any(|byte| byte.is_ascii_digit()) {
        return name.into();
    }
    name.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// Counts letters. Separators do not count: they may be left out.
fn letters(name: &str) -> Letters {
    let mut letters = [0_u8; CLASSES];
    for byte in name.bytes().filter(|byte| !matches!(byte, b'-' | b'_')) {
        let count = &mut letters[byte as usize % CLASSES];
        *count = count.saturating_add(1);
    }
    letters
}

fn distance(one: &Letters, other: &Letters) -> u32 {
    one.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(*b))).sum()
}

/// Calls `f` with every name of a statement; true for a variable. Keywords do not count.
pub(super) fn each_name(statement: &Statement, f: &mut impl FnMut(&str, bool)) {
    let mut see = |term: &Term| {
        term.walk(&mut |part| match part.kind {
            TermKind::Variable => f(&part.name.text, true),
            _ if keyword::WORDS.iter().any(|word| part.name.is(word)) => {}
            _ => f(&part.name.text, false),
        });
    };
    statement.head.iter().for_each(&mut see);
    statement.body.iter().for_each(|part| part.terms(&mut see));
}

/// True if a statement can be looked at without its neighbours, and none of its variables represents a whole fluent, move or
/// percepts.
pub(super) fn is_tame(statement: &Statement) -> bool {
    let Some(head) = &statement.head else { return false };
    let is_literal =
        ["true", "does", "not", "or", "and", "distinct", "<=", "role"].iter().any(|word| head.name.is(word));
    let mut has_variables = false;
    head.walk(&mut |part| has_variables |= part.is_variable());
    if is_literal || !matches!(head.kind, TermKind::Compound(_)) && statement.arrow.is_none() {
        return false;
    }
    if statement.arrow.is_none() && has_variables {
        return false;
    }
    let mut is_tame = !is_wild(head);
    statement.body.iter().for_each(|part| Formula::atoms(part, false, &mut |atom, _| is_tame &= !is_wild(atom)));
    is_tame
}

/// True for `(true ?f)` and its kin, and for a variable in place of an atom.
fn is_wild(atom: &Term) -> bool {
    let is_outer = ["true", "next", "init", "base", "does", "legal", "input", "action", "sees", "percept"]
        .iter()
        .any(|word| atom.name.is(word));
    atom.is_variable() || is_outer && atom.args().last().is_none_or(Term::is_variable)
}
