//! Terms in the form that people write and read.

use std::cmp::Ordering;

use crate::Term;
use crate::terms::{Sym, TermId, Terms};

/// The table's id of a term; `None` if it has none.
pub(crate) fn find_term(terms: &Terms, term: &Term) -> Option<TermId> {
    let head = terms.find_sym(term.head())?;
    let args: Option<Vec<TermId>> = term.args().iter().map(|arg| find_term(terms, arg)).collect();
    terms.find(head, term.is_list().then_some(&args?))
}

/// Like [`find_term`], but adds the term to the table if all its names are in the description. The term may be new, so
/// that a view can be read before any state is known.
pub(crate) fn make_term(terms: &mut Terms, term: &Term) -> Option<TermId> {
    let head = terms.find_sym(term.head())?;
    if !term.is_list() {
        return Some(terms.constant(term.head()));
    }
    let args: Option<Vec<TermId>> = term.args().iter().map(|arg| make_term(terms, arg)).collect();
    Some(terms.compound(head, &args?))
}

/// An order of terms that depends only on their names: numbers by value, constants before compounds.
pub(crate) fn compare(terms: &Terms, left: TermId, right: TermId) -> Ordering {
    if left == right {
        return Ordering::Equal;
    }
    let (left_args, right_args) = (terms.args(left), terms.args(right));
    let shape = left_args.map_or(0, |args| args.len() + 1).cmp(&right_args.map_or(0, |args| args.len() + 1));
    compare_names(terms.name(terms.functor(left)), terms.name(terms.functor(right))).then(shape).then_with(|| {
        let pairs = left_args.unwrap_or(&[]).iter().zip(right_args.unwrap_or(&[]));
        pairs
            .map(|(&left, &right)| compare(terms, left, right))
            .find(|&order| order != Ordering::Equal)
            .unwrap_or(Ordering::Equal)
    })
}

/// The order of [`compare`] for the terms of one table, with the names sorted once.
pub(crate) struct ByName<'a> {
    terms: &'a Terms,
    /// The rank of each symbol among all names.
    places: Vec<u32>,
}

impl ByName<'_> {
    pub(crate) fn new(terms: &Terms) -> ByName<'_> {
        let mut syms: Vec<Sym> = terms.syms().collect();
        syms.sort_by(|&left, &right| compare_names(terms.name(left), terms.name(right)));
        let mut places = vec![0; syms.len()];
        syms.iter().enumerate().for_each(|(place, sym)| places[sym.0 as usize] = place as u32);
        ByName { terms, places }
    }

    /// Sorts items by their terms. Each term is written out once, as a sequence compared from left to right, because
    /// following terms to their arguments for every comparison takes longer. The beginning of the sequence is packed
    /// into one number, which distinguishes most terms.
    pub(crate) fn sorted<T: Copy>(&self, named: &[(T, TermId)]) -> Vec<(T, TermId)> {
        let mut words = Vec::new();
        let mut ends = Vec::with_capacity(named.len() + 1);
        ends.push(0);
        for (_, term) in named {
            self.write(*term, &mut words);
            ends.push(words.len());
        }
        let key = |at: u32| &words[ends[at as usize]..ends[at as usize + 1]];
        let bits = u32::BITS - words.iter().max().map_or(0, |most| most.leading_zeros());
        let mut order: Vec<(u128, u32)> = (0..named.len() as u32).map(|at| (beginning(key(at), bits), at)).collect();
        order.sort_unstable_by(|left, right| left.0.cmp(&right.0).then_with(|| key(left.1).cmp(key(right.1))));
        order.into_iter().map(|(_, at)| named[at as usize]).collect()
    }

    /// Appends the rank of the functor, the number of arguments plus one (0 for constants), and the arguments.
    fn write(&self, term: TermId, words: &mut Vec<u32>) {
        let args = self.terms.args(term);
        words.push(self.places[self.terms.functor(term).0 as usize]);
        words.push(args.map_or(0, |args| args.len() as u32 + 1));
        args.unwrap_or(&[]).iter().for_each(|&arg| self.write(arg, words));
    }
}

/// Packs as many of the words, of at most `bits` bits each, as fit into a number of the same order.
fn beginning(words: &[u32], bits: u32) -> u128 {
    let bits = bits.max(1);
    let room = (u128::BITS / bits) as usize;
    let first = words.iter().take(room).fold(0, |number, &word| number << bits | u128::from(word));
    first << (bits * (room - words.len().min(room)) as u32)
}

/// The order of [`compare`] for terms that are sorted again and again, in part: the places of most terms are known.
#[derive(Default)]
pub(crate) struct Ranks {
    /// The place of each term in `ranked`, or [`NEW`] or [`WAITING`].
    places: Vec<u32>,
    /// The terms in order.
    ranked: Vec<TermId>,
    /// The terms that have no place yet. Giving one to each of them at once would take too long: it moves others.
    waiting: Vec<TermId>,
}

const NEW: u32 = u32::MAX;
const WAITING: u32 = u32::MAX - 1;

impl Ranks {
    /// Sorts terms, all of the same table every time.
    pub(crate) fn sort(&mut self, terms: &Terms, found: &mut [TermId]) {
        self.places.resize(terms.len(), NEW);
        for &term in &*found {
            let place = &mut self.places[term.0 as usize];
            if *place == NEW {
                *place = WAITING;
                self.waiting.push(term);
            }
        }
        if self.waiting.len() > self.ranked.len() / 4 {
            self.rank(terms);
        }
        match self.waiting.is_empty() {
            true => found.sort_unstable_by_key(|&term| self.places[term.0 as usize]),
            false => found.sort_unstable_by(|&left, &right| order(&self.places, terms, left, right)),
        }
    }

    /// Gives a place to every term that waits.
    fn rank(&mut self, terms: &Terms) {
        self.ranked.append(&mut self.waiting);
        self.ranked.sort_by(|&left, &right| order(&self.places, terms, left, right));
        (0..).zip(&self.ranked).for_each(|(place, term)| self.places[term.0 as usize] = place);
    }
}

/// The order of two terms, by their places if both have one.
fn order(places: &[u32], terms: &Terms, left: TermId, right: TermId) -> Ordering {
    match (places[left.0 as usize], places[right.0 as usize]) {
        (WAITING, _) | (_, WAITING) => compare(terms, left, right),
        (left, right) => left.cmp(&right),
    }
}

fn compare_names(left: &str, right: &str) -> Ordering {
    match (left.parse::<i64>(), right.parse::<i64>()) {
        (Ok(left_value), Ok(right_value)) => left_value.cmp(&right_value).then(left.cmp(right)),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        _ => left.cmp(right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_notations_name_the_same_term() {
        let mut terms = Terms::default();
        let (one, two) = (terms.constant("1"), terms.constant("2"));
        let mark = terms.sym("mark");
        let term = terms.compound(mark, &[one, two]);
        let find = |terms: &Terms, text: &str| text.parse().ok().and_then(|name| find_term(terms, &name));
        assert_eq!(find(&terms, " ( mark 1\t2 ) "), Some(term));
        assert_eq!(find(&terms, "mark(1, 2)"), Some(term));
        assert_eq!(find(&terms, "mark(1 2"), None);
        assert_eq!(find(&terms, "(mark 1 2) 3"), None);
        assert_eq!(find(&terms, "2"), Some(two));
        assert_eq!(find(&terms, &"(".repeat(100_000)), None);
        assert_eq!(find(&terms, "(mark 2 1)"), None);
        assert_eq!(make_term(&mut terms, &"(mark 2 unknown)".parse().unwrap()), None);
        assert!(make_term(&mut terms, &"(mark 2 1)".parse().unwrap()).is_some());
        assert!(find(&terms, "(mark 2 1)").is_some());
    }

    #[test]
    fn numbers_compare_by_value() {
        let mut terms = Terms::default();
        let (ten, nine) = (terms.constant("10"), terms.constant("9"));
        assert_eq!(compare(&terms, nine, ten), Ordering::Less);
        let mut all = vec![ten, nine];
        for name in ["a", "-3", "b", "010", "10a"] {
            all.push(terms.constant(name));
            let f = terms.sym(name);
            all.extend([vec![nine], vec![ten], vec![nine, ten]].map(|args| terms.compound(f, &args)));
        }
        // Terms that differ only after the part that is packed into one number.
        let long: Vec<Vec<TermId>> =
            (0..40).map(|at| (0..40).map(|it| [ten, nine][usize::from(it == at)]).collect()).collect();
        let f = terms.sym("f");
        all.extend(
            long.iter().flat_map(|args| [terms.compound(f, args), terms.compound(f, &args[..39])]).collect::<Vec<_>>(),
        );
        let named: Vec<((), TermId)> = all.iter().map(|&term| ((), term)).collect();
        let sorted: Vec<TermId> = ByName::new(&terms).sorted(&named).into_iter().map(|it| it.1).collect();
        // Parts of them again and again, the terms in ever other orders.
        let mut ranks = Ranks::default();
        for step in 1..all.len() {
            let mut part: Vec<TermId> = all.iter().copied().cycle().step_by(step).take(1 + step).collect();
            part.sort_unstable();
            part.dedup();
            let mut expected = part.clone();
            expected.sort_by(|&left, &right| compare(&terms, left, right));
            ranks.sort(&terms, &mut part);
            assert_eq!(part, expected);
        }
        assert!(!ranks.waiting.is_empty(), "some still have no place");
        all.sort_by(|&left, &right| compare(&terms, left, right));
        assert_eq!(sorted, all);
    }
}
