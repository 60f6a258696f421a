//! Rules that a description lacks: a move for a role without one, and a goal for an end without one.

use std::collections::BTreeSet;

use percept_game::{RoleId, State};
use percept_syntax::TextRange;
use percept_syntax::gdl::{Formula, Statement, Term, is_keyword};

use super::{MOST, bound, line, negation, text, variables, variables_of};
use crate::why::FailedCondition;
use crate::{Case, Fix};

/// The most conditions that are tried for one move.
const CONDITIONS: usize = 3;
/// The most conditions of a rule that are turned for a new one.
const TURNED: usize = 4;

/// Moves for a role that has none in a state, under a condition that the text uses and that holds in the state: first
/// those that the text declares or reads and that no rule makes legal, then `noop`.
pub(crate) fn moves(case: &Case<'_>, role: RoleId, state: &State) -> [Vec<Fix>; 2] {
    let Some(last) = case.statements("legal").last().filter(|_| case.is_prefix()) else { return Default::default() };
    let name = case.name(role);
    let conditions = conditions(case, name, state);
    let is_legal = |mv: &Term| case.heads_for("legal", name).any(|head| is_alike(head.args().get(1), mv));
    let (read, declared) = (read(case, name), declared(case, name));
    // Declarations say the values; rules that read the move, when it can be made.
    let joined: Vec<Use<'_>> = declared.iter().flat_map(|it| read.iter().filter_map(|other| it.with(other))).collect();
    let all = joined.iter().chain(&declared).chain(&read);
    let lacking = all.filter(|it| it.atom.args().get(1).is_some_and(|mv| !is_legal(mv)));
    let rules = lacking.flat_map(|it| it.rules(case, &conditions)).collect();
    let waits = conditions.iter().map(|it| format!("(<= (legal {name} noop) {})", it.of(name))).collect();
    let after = case.here(Some(last.range));
    [rules, waits].map(|it| distinct(it).iter().take(MOST).map(|rule| Fix::statement(after, rule)).collect())
}

/// Goals for a role that has none in a state: a rule like each of its rules with the conditions that fail turned; and
/// one for all ends without one.
pub(crate) fn goals(case: &Case<'_>, role: RoleId, state: &State) -> [Vec<Fix>; 2] {
    let name = case.name(role);
    let own: Vec<&Statement> = case.statements_for("goal", name).filter(|rule| !rule.body.is_empty()).collect();
    let Some(last) = own.last().filter(|_| case.is_prefix()) else { return Default::default() };
    let value = value(case, role, state);
    let turned = Turned::all(case, name, state, &own);
    // The roles that lack one here get theirs together.
    let lacking = case.players().filter(|it| *it == role || case.game.rules.goals(state, *it).is_empty());
    let rest = lacking.map(|it| others(case, it, if it == role { value.unwrap_or(0) } else { 0 }));
    let all = [turned.iter().filter_map(|it| it.text(case, value)).collect(), vec![together(rest)]];
    let after = case.here(Some(last.range));
    all.map(|it| distinct(it).iter().take(MOST).map(|rule| Fix::statement(after, rule)).collect())
}

/// Keeps a fluent while a condition of the rule that changes it fails.
pub(crate) fn keeper(case: &Case<'_>, mover: &Statement, failed: TextRange) -> Option<Fix> {
    let next = mover.head.as_ref().and_then(|head| head.args().first())?;
    let atoms = mover.body.iter().filter_map(|literal| match literal {
        Formula::Atom(atom) if atom.name.is("true") => atom.args().first(),
        _ => None,
    });
    let mut same = atoms.filter(|it| is_alike(Some(next), it));
    let fluent = same.next().filter(|_| case.is_prefix())?;
    let literal = mover.body.iter().find(|it| it.range().contains_range(failed))?;
    let bound: Vec<&str> = variables_of(fluent);
    let negation = negation(case, literal).filter(|_| variables(literal).iter().all(|it| bound.contains(it)))?;
    let written = line(text(case, fluent.range));
    let rule = format!("(<= (next {written}) (true {written}) {negation})");
    distinct(vec![rule]).first().map(|rule| Fix::statement(case.here(Some(mover.range)), rule))
}

/// Lets a match end later than at its start: the rules that end it there get a condition that does not hold at first.
pub(crate) fn conditions_at_start(case: &Case<'_>) -> Vec<Fix> {
    if !case.is_prefix() {
        return Vec::new();
    }
    let behind = behind_end(case);
    let start = case.game.rules.initial();
    let why = FailedCondition::new(case, &behind.iter().map(|rule| (*rule, None)).collect::<Vec<_>>());
    let Some(why) = why else { return Vec::new() };
    let holds = (0..behind.len()).filter(|number| why.not(case, *number, &start, &[]).is_none());
    let mut rules: Vec<&Statement> = holds.map(|number| behind[number]).collect();
    rules.sort_by_key(|rule| rule.body.len());
    let conditions = lacking_at(case, &start);
    let fixes = rules.into_iter().flat_map(|rule| {
        let more = if rule.arrow.is_some() { Fix::condition } else { Fix::rule };
        conditions.iter().map(move |it| more(case.here(Some(rule.range)), it))
    });
    fixes.take(2 * MOST).collect()
}

/// The rules by which a match can end, and those of the relations that they need.
fn behind_end<'a>(case: &Case<'a>) -> Vec<&'a Statement> {
    let mut names: Vec<&str> = vec!["terminal"];
    let mut behind = Vec::new();
    let mut at = 0;
    while let Some(name) = names.get(at).copied() {
        for rule in case.statements(name) {
            behind.push(rule);
            for literal in &rule.body {
                literal.atoms(false, &mut |atom, _| {
                    if !atom.name.is("true") && !names.contains(&atom.name.text.as_str()) {
                        names.push(&atom.name.text);
                    }
                });
            }
        }
        at += 1;
    }
    behind
}

/// Conditions that do not hold in a state: relations that no rule reads, fluents that none of its are like, and the
/// opposite of its short ones.
fn lacking_at(case: &Case<'_>, state: &State) -> Vec<String> {
    let holding = case.fluents(state);
    let rules = || case.description().into_iter().flat_map(|it| it.statements.with_body());
    let mut read: BTreeSet<&str> = BTreeSet::new();
    for literal in rules().flat_map(|rule| &rule.body) {
        literal.atoms(false, &mut |atom, _| {
            read.insert(atom.name.text.as_str());
        });
    }
    let (mut unread, mut fluents) = (Vec::new(), Vec::new());
    for head in rules().filter_map(|rule| rule.head.as_ref()) {
        match head.args().first().filter(|_| head.name.is("next")) {
            Some(fluent) if holding.iter().all(|it| it.head() != fluent.name.text.as_str()) => {
                fluents.push(format!("(true {})", pattern(fluent)));
            }
            Some(_) => {}
            None if is_keyword(&head.name.text) || read.contains(head.name.text.as_str()) => {}
            None => unread.push(pattern(head)),
        }
    }
    let short = holding.iter().filter(|it| it.args().len() < 2).map(|it| format!("(not (true {it}))"));
    distinct(unread.into_iter().chain(fluents).chain(short).collect())
}

/// A term with a variable for each argument.
fn pattern(term: &Term) -> String {
    match term.args().len() {
        0 => term.name.text.to_string(),
        count => {
            let blanks: Vec<String> = (1..=count).map(|number| format!("?_{number}")).collect();
            format!("({} {})", term.name.text, blanks.join(" "))
        }
    }
}

/// Ends every match after some rounds, by a count of them; a player without a goal then gets 0.
pub(crate) fn limit(case: &Case<'_>, rounds: usize) -> Option<Fix> {
    let last = case.statements("terminal").last().filter(|_| case.is_prefix())?;
    let word = |all: [&'static str; 3]| all.into_iter().find(|word| !case.whole(crate::FileId(0)).contains(word));
    let count = word(["round", "round-number", "count-of-rounds"])?;
    let follows = word(["follows", "follows-round", "next-round-number"])?;
    let mut lines = vec![
        format!("(<= terminal (true ({count} {rounds})))"),
        format!("(init ({count} 1))"),
        format!("(<= (next ({count} ?n)) (true ({count} ?m)) ({follows} ?m ?n))"),
    ];
    if case.statements("base").next().is_some() {
        lines.push(format!("(base ({count} 1))"));
        lines.push(format!("(<= (base ({count} ?n)) ({follows} ?_m ?n))"));
    }
    lines.extend((1..rounds).map(|it| format!("({follows} {it} {})", it + 1)));
    lines.push(together(case.players().map(|role| others(case, role, 0))));
    let fix = Fix::statement(case.here(Some(last.range)), &lines.join("\n"));
    Some(Fix { title: format!("End every match after {rounds} rounds at the latest"), ..fix })
}

/// The rest of 100 that the other player's goal leaves.
fn value(case: &Case<'_>, role: RoleId, state: &State) -> Option<i64> {
    let others: Vec<RoleId> = case.players().filter(|it| *it != role).collect();
    let [other] = others[..] else { return None };
    let goals = case.game.rules.goals(state, other);
    goals.first().and_then(|goal| 100i64.checked_sub(*goal)).filter(|it| (0..=100).contains(it))
}

/// A copy of a rule, with some of its conditions turned.
struct Turned<'a> {
    rule: &'a Statement,
    new: Statement,
    written: Vec<String>,
}

impl<'a> Turned<'a> {
    /// The copies of some rules with the conditions turned that fail in a state; without those that already hold, or
    /// that cannot be turned. All copies are explained together, since each explanation takes the whole description.
    fn all(case: &Case<'_>, name: &str, state: &State, rules: &[&'a Statement]) -> Vec<Turned<'a>> {
        let copy = |rule: &&'a Statement| {
            let written = rule.body.iter().map(|it| line(text(case, it.range()))).collect();
            Turned { rule, new: (*rule).clone(), written }
        };
        let mut open: Vec<(usize, Turned<'a>)> = rules.iter().map(copy).enumerate().collect();
        let mut done: Vec<(usize, Turned<'a>)> = Vec::new();
        for round in 0..=TURNED {
            let copies: Vec<_> = open.iter().map(|(_, it)| (&it.new, Some(name))).collect();
            let Some(why) = FailedCondition::new(case, &copies) else { break };
            let failed: Vec<_> = (0..open.len()).map(|at| why.not(case, at, state, &[])).collect();
            for ((number, mut copy), failed) in std::mem::take(&mut open).into_iter().zip(failed) {
                match failed {
                    None if round > 0 => done.push((number, copy)),
                    None => {}
                    Some((_, range)) => open.extend(copy.turn(case, range).map(|()| (number, copy))),
                }
            }
            if open.is_empty() {
                break;
            }
        }
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, it)| it).collect()
    }

    /// Turns the condition at a place, once.
    fn turn(&mut self, case: &Case<'_>, range: TextRange) -> Option<()> {
        let body = &self.rule.body;
        let at = body.iter().position(|literal| literal.range().contains_range(range))?;
        let literal = &body[at];
        let others = body.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, it)| it);
        let is_bound = variables(literal).is_subset(&bound(others));
        if !is_bound || self.new.body[at] != *literal {
            return None;
        }
        self.written[at] = negation(case, literal)?;
        self.new.body[at] = match literal {
            Formula::Not { parts, .. } => parts.first()?.clone(),
            other => Formula::Not { range, keyword: range, parts: vec![other.clone()] },
        };
        Some(())
    }

    /// The text of the copy, with another goal value if one is known.
    fn text(&self, case: &Case<'_>, value: Option<i64>) -> Option<String> {
        let [mover, old] = self.rule.head.as_ref()?.args() else { return None };
        let value = value.map_or_else(|| text(case, old.range).to_string(), |it| it.to_string());
        Some(format!("(<= (goal {} {value}) {})", text(case, mover.range), self.written.join(" ")))
    }
}

/// A goal for every end without one, by a relation that holds if another rule gives one.
fn others(case: &Case<'_>, role: RoleId, value: i64) -> Vec<String> {
    let is_taken = |word: &str| case.statements(word).next().is_some();
    let word =
        ["scored", "has-goal", "has-goal-value"].into_iter().find(|word| !is_taken(word)).unwrap_or("scored-else");
    let name = case.name(role);
    let body = |rule: &Statement| rule.body.iter().map(|it| line(text(case, it.range()))).collect::<Vec<_>>().join(" ");
    let scored = case.statements_for("goal", name).filter_map(|rule| {
        let mover = text(case, rule.head.as_ref()?.args().first()?.range);
        Some(match rule.body.is_empty() {
            true => format!("({word} {mover})"),
            false => format!("(<= ({word} {mover}) {})", body(rule)),
        })
    });
    [format!("(<= (goal {name} {value}) (not ({word} {name})))")].into_iter().chain(scored).collect()
}

/// The statements of several roles, each once.
fn together(all: impl Iterator<Item = Vec<String>>) -> String {
    distinct(all.flatten().collect()).join("\n")
}

/// An atom about a move, with the conditions that bind its variables.
struct Use<'a> {
    atom: &'a Term,
    body: Vec<&'a Formula>,
}

impl<'a> Use<'a> {
    /// Rules that make the move legal, each under a condition; none if the body does not bind all variables.
    fn rules(&self, case: &Case<'_>, conditions: &[Condition]) -> Vec<String> {
        let [mover, mv] = self.atom.args() else { return Vec::new() };
        let bound = bound(self.body.iter().copied());
        if !variables_of(mv).iter().all(|it| bound.contains(it)) {
            return Vec::new();
        }
        let mut body: Vec<String> = self.body.iter().map(|it| line(text(case, it.range()))).collect();
        let who = text(case, mover.range);
        if mover.is_variable() && !bound.contains(mover.name.text.as_str()) {
            body.insert(0, format!("(role {who})"));
        }
        let with = |condition: Option<String>| {
            let rest = body.iter().filter(|it| Some(*it) != condition.as_ref()).chain(&condition);
            let rest = rest.cloned().collect::<Vec<_>>().join(" ");
            format!("(<= (legal {who} {}) {rest})", line(text(case, mv.range)))
        };
        match conditions.is_empty() {
            true => (!body.is_empty()).then(|| with(None)).into_iter().collect(),
            false => conditions.iter().map(|it| with(Some(it.of(who)))).collect(),
        }
    }

    /// The move with the fluents that another one needs, if both name their variables alike.
    fn with(&self, other: &Use<'a>) -> Option<Use<'a>> {
        let (one, two) = (self.atom.args().get(1)?, other.atom.args().get(1)?);
        let is_same = is_alike(Some(one), two) && variables_of(one) == variables_of(two);
        let fluents = || other.body.iter().filter(|it| matches!(it, Formula::Atom(atom) if atom.name.is("true")));
        let bound = bound(self.body.iter().copied());
        let is_bound = fluents().all(|it| variables(it).is_subset(&bound));
        let body = self.body.iter().chain(fluents()).copied().collect();
        (is_same && is_bound && fluents().next().is_some()).then_some(Use { atom: self.atom, body })
    }
}

/// The moves that `input` declares for a role.
fn declared<'a>(case: &Case<'a>, name: &str) -> Vec<Use<'a>> {
    let of =
        |statement: &'a Statement| Some(Use { atom: statement.head.as_ref()?, body: statement.body.iter().collect() });
    case.statements("input").filter_map(of).filter(|it| is_for(it.atom, name)).collect()
}

/// The moves of a role that rules read with `does`, with the other conditions of these rules.
fn read<'a>(case: &Case<'a>, name: &str) -> Vec<Use<'a>> {
    let is_does = |literal: &Formula| matches!(literal, Formula::Atom(atom) if atom.name.is("does"));
    let mut uses = Vec::new();
    for statement in case.description().into_iter().flat_map(|it| it.statements.with_body()) {
        let moves = statement.body.iter().filter_map(|literal| match literal {
            Formula::Atom(atom) if atom.name.is("does") && is_for(atom, name) => Some(atom),
            _ => None,
        });
        let body: Vec<&Formula> =
            statement.body.iter().filter(|it| matches!(it, Formula::Atom(_)) && !is_does(it)).collect();
        uses.extend(moves.map(|atom| Use { atom, body: body.clone() }));
    }
    uses
}

/// True if the first argument can be the role.
fn is_for(atom: &Term, name: &str) -> bool {
    atom.args().first().is_some_and(|first| first.is_variable() || first.name.is(name))
}

/// True if two moves have the same name and number of arguments.
fn is_alike(one: Option<&Term>, other: &Term) -> bool {
    one.is_some_and(|one| {
        one.is_variable() || one.name.text == other.name.text && one.args().len() == other.args().len()
    })
}

/// A condition about a role: the one whose name or variable is put in place of the variable.
#[derive(Clone, PartialEq, Eq)]
struct Condition {
    text: String,
    variable: Option<String>,
}

impl Condition {
    fn of(&self, role: &str) -> String {
        self.variable.as_ref().map_or_else(|| self.text.clone(), |it| replaced(&self.text, it, role))
    }
}

/// Conditions that rules use and that hold in a state, those of rules for `legal` first.
fn conditions(case: &Case<'_>, name: &str, state: &State) -> Vec<Condition> {
    let holding: Vec<String> = case.fluents(state).iter().map(|it| it.to_string().to_lowercase()).collect();
    let bodies = |word| case.statements(word).flat_map(|it| &it.body);
    let (mut found, mut lacking): (Vec<Condition>, Vec<Condition>) = Default::default();
    for literal in bodies("legal").chain(bodies("next")).chain(bodies("terminal")) {
        let atom = match literal {
            Formula::Atom(atom) => atom,
            Formula::Not { parts, .. } => match &parts[..] {
                [Formula::Atom(atom)] => atom,
                _ => continue,
            },
            _ => continue,
        };
        let Some(fluent) = atom.args().first().filter(|_| atom.name.is("true")) else { continue };
        let variables = variables_of(fluent);
        let (true, variable) = (variables.len() < 2, variables.first().map(ToString::to_string)) else { continue };
        let it = Condition { text: line(text(case, fluent.range)), variable };
        let into = match holding.contains(&it.of(name).to_lowercase()) {
            true => &mut found,
            false => &mut lacking,
        };
        if !into.contains(&it) {
            into.push(it);
        }
    }
    let written = |it: Condition, is_true: bool| {
        let text = if is_true { format!("(true {})", it.text) } else { format!("(not (true {}))", it.text) };
        Condition { text, ..it }
    };
    // A fluent that holds says more than one that does not.
    let holds = found.into_iter().map(|it| written(it, true));
    let lacks = lacking.into_iter().filter(|it| it.variable.is_none()).map(|it| written(it, false));
    holds.chain(lacks).take(CONDITIONS).collect()
}

/// A text on one line, with a name in place of a variable.
fn replaced(text: &str, variable: &str, name: &str) -> String {
    let spaced = line(text).replace('(', "( ").replace(')', " )");
    let words = spaced.split(' ').map(|word| match word.strip_prefix('?') {
        Some(it) if it.eq_ignore_ascii_case(variable) => name,
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ").replace("( ", "(").replace(" )", ")")
}

fn distinct(mut all: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    // A comment within a condition would end the line.
    all.retain(|it| !it.contains(';') && seen.insert(it.clone()));
    all
}
