//! A fact whose arguments are in a different order than in all similar facts.

use rustc_hash::FxHashMap;

use crate::gdl::{Facts, RuleId, Shape, Space, Sym, TermId, keyword, natural};
use crate::{FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "exchanged-arguments", severity: Severity::Warning, page: include_str!("exchanged-arguments.md") };

/// The least number of similar facts that determine the order of arguments.
const LEAST: usize = 4;

/// The least number of facts, with numbers in one argument and names in another, that form a table. A row in the other
/// order does not belong to it.
const MANY: usize = 8;

/// The greatest arity of facts that are written by hand.
const MAX_ARITY: usize = 5;

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let mut groups: Vec<((Sym, Sym, usize), Vec<TermId>)> = Vec::new();
    let mut index: FxHashMap<(Sym, Sym, usize), usize> = FxHashMap::default();
    for (_, rule) in facts.sound_rules() {
        let Some(head) = rule.head() else { continue };
        let (around, fact) = match facts.inner(head) {
            Some((Space::Fluent, inner)) => (keyword::NEXT, inner),
            Some(_) => continue,
            None => (facts.term(head).sym, head),
        };
        let node = facts.term(fact);
        if !(2..=MAX_ARITY).contains(&node.arity()) || node.args().any(|arg| facts.term(arg).shape() != Shape::Constant)
        {
            continue;
        }
        let key = (around, node.sym, node.arity());
        let group = *index.entry(key).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[group].1.push(fact);
    }
    for ((_, _, arity), terms) in groups.iter().filter(|(_, terms)| terms.len() >= LEAST) {
        group(facts, *arity, terms, findings);
    }
}

/// Each variable that a body has at an argument of these facts: the argument, the variable and its rule, once for each
/// literal and argument.
fn readers(facts: &Facts, example: TermId) -> Vec<(usize, RuleId, u32)> {
    let node = facts.term(example);
    let alike = [Space::Relation, Space::Fluent].into_iter().filter_map(|space| facts.predicate(space, node.sym));
    let reads =
        alike.flat_map(|predicate| predicate.read()).filter(|read| facts.term(read.term).arity() == node.arity());
    let mut readers = Vec::new();
    for read in reads {
        for (place, arg) in facts.term(read.term).args().enumerate() {
            readers.extend(facts.term(arg).variable().map(|variable| (place, read.rule, variable)));
        }
    }
    readers
}

/// The values of the arguments in a group of facts.
struct Table<'f, 'a> {
    facts: &'f Facts<'a>,
    terms: &'f [TermId],
    /// For each argument, the number of occurrences of each symbol.
    counts: Vec<FxHashMap<Sym, u32>>,
    /// The number of values that are numbers, for each argument.
    numbers: Vec<usize>,
    /// The variables that read each argument; see [`readers`].
    readers: Vec<(usize, RuleId, u32)>,
    /// The order of each pair of arguments that, in every fact, are numbers or numbered names of one kind.
    orders: Vec<(usize, usize, Order)>,
}

/// The differences between two such arguments.
struct Order {
    /// The facts in which the second is greater, and those in which it is less.
    up: usize,
    down: usize,
    /// The facts with each difference.
    steps: FxHashMap<i64, usize>,
}

impl<'f, 'a> Table<'f, 'a> {
    fn new(facts: &'f Facts<'a>, arity: usize, terms: &'f [TermId]) -> Self {
        let mut table = Table {
            facts,
            terms,
            counts: vec![FxHashMap::default(); arity],
            numbers: vec![0; arity],
            readers: readers(facts, terms[0]),
            orders: Vec::new(),
        };
        for fact in terms {
            for (place, arg) in facts.term(*fact).args().enumerate() {
                let sym = facts.term(arg).sym;
                *table.counts[place].entry(sym).or_default() += 1;
                table.numbers[place] += usize::from(is_number(facts, sym));
            }
        }
        let pairs = (0..arity).flat_map(|a| (a + 1..arity).map(move |b| (a, b)));
        table.orders = pairs.filter_map(|(a, b)| Some((a, b, table.ordered(a, b)?))).collect();
        table
    }

    fn ordered(&self, a: usize, b: usize) -> Option<Order> {
        let mut order = Order { up: 0, down: 0, steps: FxHashMap::default() };
        for fact in self.terms {
            let step = self.step(&self.values(*fact), a, b)?;
            order.up += usize::from(step > 0);
            order.down += usize::from(step < 0);
            *order.steps.entry(step).or_default() += 1;
        }
        Some(order)
    }

    /// The difference of two arguments of a fact.
    fn step(&self, own: &[Sym], a: usize, b: usize) -> Option<i64> {
        let (one, other) = (natural(self.facts.name(own[a]))?, natural(self.facts.name(own[b]))?);
        (one.0 == other.0).then(|| other.1 - one.1)
    }

    /// True if one argument is less than another in all other facts and greater in this one, and this fact resembles
    /// the others with the arguments exchanged: the difference is the same, if the others have one, and it repeats no
    /// value that they do not repeat.
    fn runs_back(&self, own: &[Sym]) -> bool {
        let others = self.terms.len() - 1;
        self.terms.len() > LEAST
            && self.orders.iter().any(|(a, b, order)| {
                let Some(step) = self.step(own, *a, *b) else { return false };
                let is_odd = (step > 0 && order.down == others) || (step < 0 && order.up == others);
                // The rest examines all facts, so it is done only for the odd one.
                if !is_odd {
                    return false;
                }
                let mut steps = order.steps.iter().filter(|(it, _)| **it != step);
                let usual = steps.next().filter(|_| steps.next().is_none()).map(|(it, _)| *it);
                let repeats = |place: usize, sym: Sym| self.count(place, sym) > u32::from(own[place] == sym);
                let is_once = |place: usize| {
                    self.counts[place]
                        .iter()
                        .all(|(sym, count)| *count == 1 + u32::from(*sym == own[place] && *count > 1))
                };
                let is_new = |place: usize, sym: Sym| !is_once(place) || !repeats(place, sym);
                let is_alone = is_new(*a, own[*b]) && is_new(*b, own[*a]);
                usual.is_none_or(|usual| usual == -step) && is_alone
            })
    }

    fn count(&self, place: usize, sym: Sym) -> u32 {
        self.counts[place].get(&sym).copied().unwrap_or(0)
    }

    fn values(&self, fact: TermId) -> Vec<Sym> {
        self.facts.term(fact).args().map(|arg| self.facts.term(arg).sym).collect()
    }

    /// True if two arguments of a fact are exchanged. This is so if only one of them holds numbers in all other facts,
    /// and in this fact only the other; or if each value of this fact occurs elsewhere only in the other argument, and
    /// the two arguments share no value. The facts alone are not a proof: unless there are many similar facts, it is
    /// also required that no rule can use this one as it is, and that some rule could use it with the arguments
    /// exchanged.
    fn exchanged(&self, own: &[Sym], shared: &[Vec<usize>]) -> bool {
        let strange: Vec<usize> = (0..own.len()).filter(|place| self.count(*place, own[*place]) == 1).collect();
        let pairs = strange.iter().flat_map(|a| strange.iter().map(move |b| (*a, *b))).filter(|(a, b)| a < b);
        pairs.into_iter().any(|(a, b)| {
            let fits = own[a] != own[b] && (self.count(a, own[b]) > 0 || self.count(b, own[a]) > 0);
            // The fact itself makes two values common to both places.
            let names = fits && shared[a][b] <= 2 && self.is_useless(own, a, b);
            names || self.numbers_and_names(own, a, b) && (self.terms.len() >= MANY || self.is_useless(own, a, b))
        })
    }

    /// True if the rules need in one argument the value that this fact has in the other: no rule with a variable there
    /// can bind it to the fact's value, and some rule could bind it to the other.
    fn is_useless(&self, own: &[Sym], a: usize, b: usize) -> bool {
        let can_be = |place: usize, sym: Sym| {
            let mut here = self.readers.iter().filter(move |(at, ..)| *at == place);
            here.any(|(_, rule, variable)| {
                // The argument itself has every value of the facts; the check is about the other occurrences of the
                // variable.
                self.facts.domains.variable_can_be(*rule, *variable, sym)
            })
        };
        let is_read = |place: usize| self.readers.iter().any(|(at, ..)| *at == place);
        [(a, b), (b, a)].into_iter().any(|(here, there)| {
            is_read(here) && !can_be(here, own[here]) && (can_be(here, own[there]) || self.count(here, own[there]) == 0)
        })
    }

    /// True if all other facts have a number in the first argument and none in the second, and this one the other way
    /// round.
    fn numbers_and_names(&self, own: &[Sym], a: usize, b: usize) -> bool {
        let (first, second) = (is_number(self.facts, own[a]), is_number(self.facts, own[b]));
        first != second && self.others(own, a) == Some(second) && self.others(own, b) == Some(first)
    }

    /// True if an argument holds numbers in all other facts, `false` if in none.
    fn others(&self, own: &[Sym], place: usize) -> Option<bool> {
        let others = self.terms.len() - 1;
        match self.numbers[place] - usize::from(is_number(self.facts, own[place])) {
            0 => Some(false),
            all if all == others => Some(true),
            _ => None,
        }
    }

    /// The number of values that each pair of arguments shares.
    fn shared(&self) -> Vec<Vec<usize>> {
        let common = |a: usize, b: usize| self.counts[a].keys().filter(|sym| self.counts[b].contains_key(sym)).count();
        (0..self.counts.len()).map(|a| (0..self.counts.len()).map(|b| common(a, b)).collect()).collect()
    }

    /// The only other order of the arguments that fits the other facts, if there is exactly one.
    fn order(&self, own: &[Sym]) -> Option<Vec<usize>> {
        let mut orders = Vec::new();
        orders_of(own.len(), &mut Vec::new(), &mut |order| {
            let alike = |place: usize| {
                let fits = self.count(place, own[order[place]]) > u32::from(order[place] == place);
                fits || self.others(own, place) == Some(is_number(self.facts, own[order[place]]))
            };
            let made: Vec<Sym> = order.iter().map(|from| own[*from]).collect();
            let runs_on = !self.runs_back(own) || !self.runs_back(&made);
            if runs_on && (0..own.len()).all(alike) && !self.terms.iter().any(|other| self.values(*other) == made) {
                orders.push(order.to_vec());
            }
        });
        if orders.len() == 1 { orders.pop() } else { None }
    }
}

fn group(facts: &Facts, arity: usize, terms: &[TermId], findings: &mut Findings) {
    let table = Table::new(facts, arity, terms);
    let shared = table.shared();
    for &fact in terms {
        let own = table.values(fact);
        if !table.exchanged(&own, &shared) && !table.runs_back(&own) {
            continue;
        }
        let range = facts.range(fact);
        let like = terms.iter().find(|other| **other != fact).map_or(range, |other| facts.range(*other));
        let mut finding = facts
            .at(&RULE, range, "the arguments are in another order in the other facts of this kind: exchange them")
            .related(FileId(0), like, "as here");
        if let Some(order) = table.order(&own) {
            let parts: Vec<_> = facts.term(fact).args().map(|arg| facts.range(arg)).collect();
            let moved = (0..arity).filter(|place| order[*place] != *place);
            let edit = |place: usize| TextEdit {
                file: FileId(0),
                range: parts[place],
                insert: facts.text(parts[order[place]]).to_string(),
            };
            finding = finding.fix("Exchange them", moved.map(edit).collect());
        }
        findings.push(finding);
    }
}

fn is_number(facts: &Facts, sym: Sym) -> bool {
    facts.name(sym).bytes().all(|byte| byte.is_ascii_digit())
}

/// Every order of the first `count` numbers.
fn orders_of(count: usize, order: &mut Vec<usize>, f: &mut impl FnMut(&[usize])) {
    if order.len() == count {
        return f(order);
    }
    for next in 0..count {
        if !order.contains(&next) {
            order.push(next);
            orders_of(count, order, f);
            order.pop();
        }
    }
}
