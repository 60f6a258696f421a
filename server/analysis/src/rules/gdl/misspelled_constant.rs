//! A constant that is made once, and is one letter from another constant used in the same place.

use percept_syntax::near::{Near, is_doubled};
use rustc_hash::FxHashMap;

use crate::gdl::slips::defined;
use crate::gdl::{Facts, Occurrence, Place, Predicate, Shape, Space, Sym, TermId, keyword, one_slip_apart, same_ends};
use crate::{Diagnostic, FileId, Findings, Rule, Severity, TextEdit};

/// See the page.
pub(super) static RULE: Rule =
    Rule { name: "misspelled-constant", severity: Severity::Warning, page: include_str!("misspelled-constant.md") };

pub(super) fn check(facts: &Facts, findings: &mut Findings) {
    let mut search = Search { facts, places: FxHashMap::default(), roles: None };
    for (_, rule) in facts.sound_rules() {
        let Some(head) = rule.head().map(|head| facts.term(head)) else { continue };
        for (n, arg) in head.args().enumerate() {
            let place = facts.domains.argument(head.sym, head.arity(), n);
            place.into_iter().for_each(|place| search.look(rule.is_fact(), arg, place, findings));
        }
    }
    for relation in defined(facts, Space::Relation) {
        let Some((odd, meant)) = out_of_series(facts, relation) else { continue };
        let range = facts.range(odd);
        let (name, shown) = (facts.name(relation.sym), facts.text(range));
        let message = format!(
            "`{shown}` appears nowhere else, and the other facts of `{name}` go on by the same step: did you mean `{meant}`?"
        );
        let edit = TextEdit { file: FileId(0), range, insert: meant.to_string() };
        if !findings.reported(FileId(0), range) {
            findings.push(facts.at(&RULE, range, message).fix(format!("Change to `{meant}`"), vec![edit]));
        }
    }
}

/// The number that breaks a series such as `(succ 1 2)`, `(succ 2 3)`, `(succ 3 44)`, and the one that continues it: two
/// arguments of all other facts have the same difference, the odd number is nowhere else, and the expected one is.
fn out_of_series(facts: &Facts, relation: &Predicate) -> Option<(TermId, i64)> {
    const LEAST: usize = 3;
    const MOST: usize = 10_000;
    let made: Vec<&Occurrence> = relation.produced().take(MOST + 1).collect();
    let arity = facts.term(made.first()?.term).arity();
    let is_fact =
        |it: &&&Occurrence| facts.term(it.term).arity() == arity && facts.lowered.rules[it.rule as usize].is_fact();
    if !(LEAST..=MOST).contains(&made.len()) || made.iter().filter(is_fact).count() < made.len() {
        return None;
    }
    let pairs = (0..arity).flat_map(|one| (one + 1..arity).map(move |other| (one, other)));
    pairs.take(6).find_map(|(one, other)| {
        let number = |term: TermId| Some((term, facts.name(facts.term(term).sym).parse::<i64>().ok()?));
        let pair = |it: &&Occurrence| {
            let node = facts.term(it.term);
            Some((number(node.arg(one)?)?, number(node.arg(other)?)?))
        };
        let pairs: Vec<((TermId, i64), (TermId, i64))> = made.iter().map(pair).collect::<Option<_>>()?;
        let step = |it: &((TermId, i64), (TermId, i64))| it.1.1.checked_sub(it.0.1);
        let (first, second, third) = (step(&pairs[0])?, step(&pairs[1])?, step(&pairs[2])?);
        let usual = if first == second || first == third { first } else { second };
        let mut odd = pairs.iter().filter(|it| step(it) != Some(usual));
        let (Some((one, other)), None, true) = (odd.next(), odd.next(), usual != 0) else { return None };
        let is_used =
            |number: i64| facts.lowered.symbols.find(&number.to_string()).is_some_and(|sym| facts.count(sym) > 0);
        let is_alone = |term: TermId| facts.count(facts.term(term).sym) == 1;
        let meant = [(other.0, one.1.checked_add(usual)?), (one.0, other.1.checked_sub(usual)?)];
        meant.into_iter().find(|(term, meant)| is_alone(*term) && is_used(*meant))
    })
}

/// The finding about a constant that should be another.
pub(super) fn describe(facts: &Facts, term: TermId, near: &str) -> Diagnostic {
    let range = facts.range(term);
    let edit = TextEdit { file: FileId(0), range, insert: near.to_string() };
    let message = format!("`{}` appears nowhere else in the game: did you mean `{near}`?", facts.text(range));
    facts.at(&RULE, range, message).fix(format!("Change to `{near}`"), vec![edit])
}

/// True if a name in a fact is a slip of another. Facts are full of names that occur once, so the test is stricter than
/// in a rule: the other name is a role or used often, and the two have the same letters, or are long.
fn is_slip_in_fact(facts: &Facts, name: &str, other: Sym) -> bool {
    const OFTEN: u32 = 4;
    const LONG: usize = 6;
    let is_role = facts.is_role(other);
    let alike = same_letters(name, facts.name(other)) || name.len() >= LONG;
    alike && (is_role || facts.count(other) >= OFTEN) && same_ends(name, facts.name(other))
}

/// The role whose name this is with a letter or digit written twice: `p11` for `p1`.
fn doubled_role<'f>(facts: &'f Facts<'_>, name: &str) -> Option<&'f str> {
    let mut roles = facts.roles.iter().flatten().filter(|role| facts.count(**role) > 1).map(|role| facts.name(*role));
    roles.find(|role| is_doubled(name, role))
}

fn same_letters(a: &str, b: &str) -> bool {
    a.len() == b.len() && letters(a) == letters(b)
}

fn letters(name: &str) -> Vec<u8> {
    let mut letters: Vec<u8> = name.bytes().map(|byte| byte.to_ascii_lowercase()).collect();
    letters.sort_unstable();
    letters
}

/// Searches for the names that others may be slips of. Each table is made on first use.
struct Search<'f, 'a> {
    facts: &'f Facts<'a>,
    /// For each argument, the constants that can be there and that occur more than once in the text.
    places: FxHashMap<Place, Near<Sym>>,
    roles: Option<Roles>,
}

struct Roles {
    near: Near<Sym>,
    /// Roles of three letters, by their letters.
    short: FxHashMap<Vec<u8>, Sym>,
}

impl Search<'_, '_> {
    fn look(&mut self, is_fact: bool, term: TermId, place: Place, findings: &mut Findings) {
        let facts = self.facts;
        let node = facts.term(term);
        match node.shape() {
            Shape::Constant if facts.count(node.sym) == 1 && !keyword::is_relation(node.sym) => {
                let name = facts.name(node.sym);
                if let Some(role) = doubled_role(facts, name).filter(|_| !findings.reported(FileId(0), node.range())) {
                    return findings.push(describe(facts, term, role));
                }
                // Numbered names are families, and long tables hold thousands of them.
                if is_fact && name.bytes().any(|byte| byte.is_ascii_digit()) {
                    return;
                }
                let Some(near) = self.meant(is_fact, name, place).map(|sym| facts.name(sym)) else { return };
                if !findings.reported(FileId(0), node.range()) {
                    findings.push(describe(facts, term, near));
                }
            }
            Shape::Compound => {
                for (n, arg) in node.args().enumerate() {
                    let inside = facts.domains.inside(place, node.sym, node.arity(), n);
                    inside.into_iter().for_each(|place| self.look(is_fact, arg, place, findings));
                }
            }
            _ => {}
        }
    }

    /// The intended name for one that occurs once: another name of its place, or a role.
    fn meant(&mut self, is_fact: bool, name: &str, place: Place) -> Option<Sym> {
        let facts = self.facts;
        let fits = |sym: Sym| one_slip_apart(name, facts.name(sym)) && (!is_fact || is_slip_in_fact(facts, name, sym));
        let often = |sym: &Sym| facts.count(*sym) > 1;
        let named = |sym: Sym| (facts.name(sym), sym);
        let here = self
            .places
            .entry(place)
            .or_insert_with(|| Near::new(facts.domains.constants(place).filter(often).map(named)));
        if let Some((_, sym)) = here.of(name).find(|(_, sym)| fits(*sym)) {
            return Some(sym);
        }
        let roles = self.roles.get_or_insert_with(|| {
            let all = || facts.roles.iter().flatten().copied();
            let short = all().filter(often).filter(|role| facts.name(*role).len() == 3);
            Roles {
                near: Near::new(all().filter(often).map(named)),
                short: short.map(|role| (letters(facts.name(role)), role)).collect(),
            }
        });
        let near = roles.near.of(name).find(|(_, sym)| fits(*sym)).map(|(_, sym)| sym);
        // Games have few roles, so even a short one is recognised: `rde`.
        near.or_else(|| roles.short.get(&letters(name)).copied())
    }
}
