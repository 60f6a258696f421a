//! Candidates in GDL: rules for `sees`.
//!
//! A percept is computed from the state before the round and the moves. Facts of the state *after* the round are
//! therefore expressed by copies of the rules in which `true` is `next`: `line` of the state becomes `line-then`, of
//! the next state.

use std::collections::BTreeSet;

use percept_game::{JointMove, MoveId, State};
use percept_infoset::{Property, Witness};
use percept_syntax::convert::convert;
use percept_syntax::format::Options;
use percept_syntax::gdl::{Description, Formula, Statement, Term, TermKind};
use percept_syntax::{Language, Source, Syntax};

use super::declare::Domain;
use super::naming::Taken;
use super::receivers::{AFTER, Receivers};
use super::{Candidate, Insertion, Pair, RepairQuery};
use crate::{names, words};

/// The most values of one argument that are distinguished, and the most candidates of one kind.
const KINDS: usize = 4;

/// The declarations for a role.
type Declarations<'a> = &'a dyn Fn(&str) -> Vec<String>;

/// The content of percepts, in words, and the lines that give them.
type Rules = (String, Vec<String>);

pub(super) fn candidates(query: &RepairQuery<'_>, pair: &Pair, description: &Description) -> Vec<Candidate> {
    let receivers = query.receivers();
    let taken = Taken::new(description, &receivers);
    let writer = Writer { description, receivers, taken };
    let mut rules: Vec<Rules> = Vec::new();
    rules.extend(writer.property(query.property));
    rules.extend(writer.parts(query.property));
    rules.extend(writer.moves(query, pair));
    rules.extend(writer.facts(query, &pair.witness));
    let mut found: Vec<Candidate> = Vec::new();
    for (what, lines) in rules {
        let Some(it) = candidate(vec![what], lines, query, description) else { continue };
        if found.iter().all(|other| other.edits != it.edits) {
            found.push(it);
        }
    }
    found
}

/// A candidate from lines in prefix notation; `None` if the language cannot express them.
pub(super) fn candidate(
    what: Vec<String>,
    lines: Vec<String>,
    query: &RepairQuery<'_>,
    description: &Description,
) -> Option<Candidate> {
    let source = query.sources[0];
    // Insert after the last rule for percepts, or at the end.
    let at = description.statements.iter().filter(|it| is_about(it, "sees")).map(|it| it.range.end).next_back();
    let at = at.map_or(source.text.len() as u32, |end| end_of_line(&source.text, end));
    let text = in_language(&lines, source)?;
    let who = query.receivers().names();
    Some(Candidate { who, what, edits: vec![Insertion { file: 0, at, text }], lines })
}

/// The candidate with declarations of percepts added.
pub(super) fn with_declarations(
    it: Candidate,
    declared: &[(&str, Vec<String>)],
    query: &RepairQuery<'_>,
) -> Option<Candidate> {
    // The variable stands for all of the roles; it gets what the first one gets.
    let mut lines = query.receivers().each(|role| {
        let of = declared.iter().find(|(name, _)| *name == role).or(declared.first());
        let percepts = of.map_or(&[][..], |(_, percepts)| percepts);
        percepts.iter().map(|percept| format!("(percept {role} {percept})")).collect()
    });
    lines.extend(it.lines);
    let Syntax::Gdl(description) = &query.sources[0].syntax else { return None };
    candidate(it.what, lines, query, description)
}

fn end_of_line(text: &str, from: u32) -> u32 {
    let rest = &text[from as usize..];
    from + rest.find('\n').map_or(rest.len(), |at| at + 1) as u32
}

/// The lines in the notation of the text they go into.
fn in_language(lines: &[String], source: &Source) -> Option<String> {
    let kif = lines.join("\n");
    let parsed = Source::parse(kif.clone(), Language::GdlPrefix);
    if !parsed.errors.is_empty() {
        return None;
    }
    let (mut text, sign) = match source.language {
        Language::GdlInfix => (convert(&parsed, Language::GdlInfix, &Options::default()).ok()?.text, "%"),
        _ => (kif, ";"),
    };
    // The findings in the written lines are checked on purpose.
    let written = Source::parse(text.clone(), source.language);
    let Syntax::Gdl(description) = &written.syntax else { return None };
    for statement in description.statements.iter().rev() {
        let mut asks = false;
        let mut note = |atom: &Term, _| asks |= atom.name.is("next");
        statement.body.iter().for_each(|formula| formula.atoms(false, &mut note));
        if asks {
            text.insert_str(statement.range.start as usize, &format!("{sign} percept: allow(next-in-body)\n"));
        }
    }
    let newline = if source.text.is_empty() || source.text.ends_with('\n') { "" } else { "\n" };
    Some(format!("{newline}\n{}\n", text.trim_end()))
}

pub(super) fn is_about(statement: &Statement, word: &str) -> bool {
    statement.head.as_ref().is_some_and(|head| head.name.is(word))
}

struct Writer<'a> {
    description: &'a Description,
    receivers: Receivers,
    taken: Taken,
}

impl Writer<'_> {
    /// Declarations of a percept, if the description declares its percepts: copies of the declarations of its domain.
    /// None if there are none to copy; the percepts are then listed once they are known.
    fn declared(&self, percept: &str, domain: Option<Declarations<'_>>) -> Vec<String> {
        if !self.description.statements.iter().any(|it| is_about(it, "percept")) {
            return Vec::new();
        }
        domain.map_or_else(|| self.receivers.declared(percept), |domain| self.receivers.each(domain))
    }

    /// Candidates that reveal the property itself.
    fn property(&self, property: Property) -> Option<Rules> {
        let mut lines = Vec::new();
        let mut then = |relation: &str| -> Option<()> {
            for line in self.then(relation)? {
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
            Some(())
        };
        match property {
            // The language reveals own moves.
            Property::Own => None,
            Property::Terminal => {
                then("terminal")?;
                let word = self.taken.percept("end");
                lines.extend(self.declared(&word, None));
                lines.extend(self.receivers.sees(&word, |_| "terminal-then".to_string()));
                Some(("when the match ends".to_string(), lines))
            }
            Property::Legal => {
                then("legal")?;
                let may = self.taken.percept("legal");
                let content = |mv: &str| format!("({may} {mv})");
                let domain = |role: &str| {
                    Domain::Moves { of: role, like: None, content: &content }.percepts(self.description, role)
                };
                lines.extend(self.declared("", Some(&domain)));
                lines.extend(self.receivers.sees(&content("?move"), |role| format!("(legal-then {role} ?move)")));
                Some((format!("{}{AFTER}", words::knowledge_of(self.receivers.one_by_one(), property)), lines))
            }
            Property::Goal => {
                then("goal")?;
                then("terminal")?;
                let percept = format!("({} ?value)", self.taken.percept("goal"));
                lines.extend(self.receivers.sees(&percept, |role| format!("terminal-then (goal-then {role} ?value)")));
                let goals = words::knowledge_of(self.receivers.one_by_one(), property);
                Some((format!("{goals} when the match ends"), lines))
            }
        }
    }

    /// Candidates that reveal the support of the property: each relation in its rules, and all of them together.
    fn parts(&self, property: Property) -> Vec<Rules> {
        let mut parts: Vec<(String, usize)> = Vec::new();
        for statement in self.rules_of(property.name()) {
            let mut note = |atom: &Term, _| {
                let part = (atom.name.text.to_ascii_lowercase(), atom.args().len());
                if self.is_changing(&part.0) && part.0 != "terminal" && !parts.contains(&part) {
                    parts.push(part);
                }
            };
            statement.body.iter().for_each(|formula| formula.atoms(false, &mut note));
        }
        let one = |(name, arity): &(String, usize)| -> Option<Rules> {
            let mut lines = self.then(name)?;
            let vars: String = (1..=*arity).map(|at| format!(" ?x{at}")).collect();
            let word = self.taken.percept(name);
            let (what, percept, body) = match arity {
                0 => (format!("whether `{name}` holds{AFTER}"), word, format!("{name}-then")),
                _ => {
                    let what = format!("which `{name}` hold{AFTER}");
                    (what, format!("({word}{vars})"), format!("({name}-then{vars})"))
                }
            };
            lines.extend(self.receivers.sees(&percept, |_| body.clone()));
            Some((what, lines))
        };
        let mut found: Vec<Rules> = Vec::new();
        let mut all = (Vec::new(), Vec::new());
        for part in parts.iter().take(KINDS) {
            let Some((what, lines)) = one(part) else { continue };
            all.0.push(what.trim_end_matches(AFTER).to_string());
            all.1.extend(lines.iter().filter(|it| !all.1.contains(*it)).cloned().collect::<Vec<_>>());
            found.push((what, lines));
        }
        if found.len() > 1 {
            found.push((format!("{}{AFTER}", words::list(&all.0)), all.1));
        }
        found
    }

    /// Candidates that reveal facts that differ at the ends: all facts of that functor, or those with one argument
    /// fixed.
    fn facts(&self, query: &RepairQuery<'_>, witness: &Witness) -> Vec<Rules> {
        let rules = &query.game.rules;
        let end = |history: &Vec<JointMove>| -> State {
            history.iter().fold(rules.initial(), |state, joint| rules.next(&state, joint))
        };
        let (one, other) = (end(&witness.first), end(&witness.second));
        let differing: Vec<(String, Vec<String>)> = one
            .fluents()
            .filter(|it| !other.has(*it))
            .chain(other.fluents().filter(|it| !one.has(*it)))
            .map(|fluent| rules.fluent_term(fluent))
            .map(|it| (it.head().to_string(), it.args().iter().map(ToString::to_string).collect()))
            .collect();
        let mut patterns: Vec<(String, Vec<Option<String>>)> = Vec::new();
        for (functor, args) in &differing {
            let mut add = |pattern: Vec<Option<String>>| {
                let it = (functor.clone(), pattern);
                if !patterns.contains(&it) {
                    patterns.push(it);
                }
            };
            for at in 0..args.len() {
                let alone = |index: usize| (index == at).then(|| args[at].clone());
                add((0..args.len()).map(alone).collect());
            }
            add(vec![None; args.len()]);
        }
        // Patterns with a fixed value reveal less and come first.
        patterns.sort_by_key(|(_, args)| args.iter().flatten().count() == 0);
        let functors: BTreeSet<&String> = patterns.iter().map(|it| &it.0).collect();
        let mut chosen = Vec::new();
        for functor in functors {
            let (fixed, whole): (Vec<_>, Vec<_>) =
                patterns.iter().filter(|it| it.0 == *functor).partition(|it| it.1.iter().any(Option::is_some));
            chosen.extend(fixed.into_iter().take(2 * KINDS).chain(whole));
        }
        chosen.into_iter().map(|(functor, args)| self.fact(functor, args)).collect()
    }

    fn fact(&self, functor: &str, args: &[Option<String>]) -> Rules {
        let value = |(at, arg): (usize, &Option<String>)| arg.clone().unwrap_or_else(|| format!("?x{}", at + 1));
        let words: Vec<String> = args.iter().enumerate().map(value).collect();
        let term = |name: &str| match words.is_empty() {
            true => name.to_string(),
            false => format!("({name} {})", words.join(" ")),
        };
        let (fluent, word) = (term(functor), self.taken.percept(functor));
        let percept = term(&word);
        let domain = |role: &str| Domain::Facts { functor, args, word: &word }.percepts(self.description, role);
        let mut lines = self.declared(&percept, (!args.is_empty()).then_some(&domain));
        lines.extend(self.receivers.sees(&percept, |_| format!("(next {fluent})")));
        let what = match args.iter().any(Option::is_none) {
            true => format!("which `{fluent}` hold{AFTER}"),
            false => format!("whether `{fluent}` holds{AFTER}"),
        };
        (what, lines)
    }

    /// Candidates that reveal moves of others: the fact that a role made a move of one kind, or the move itself.
    fn moves(&self, query: &RepairQuery<'_>, pair: &Pair) -> Vec<Rules> {
        let game = query.game;
        let mut found = Vec::new();
        for other in game.role_ids().filter(|it| *it != pair.role) {
            let at = other.0 as usize;
            let pairs = pair.witness.first.iter().zip(&pair.witness.second);
            let made = pairs.filter(|(one, two)| one[at] != two[at]).flat_map(|(one, two)| [one[at], two[at]]);
            let made: Vec<(String, usize)> = made
                .filter(|mv| *mv != MoveId::NOOP)
                .map(|mv| {
                    let made = game.rules.move_term(other, mv);
                    (made.head().to_string(), made.args().len())
                })
                .collect();
            let kinds: BTreeSet<(String, usize)> = made.into_iter().collect();
            // A percept for all players is about the moves of all others.
            let is_any = self.receivers.everybody && !game.roles[at].is_chance;
            let name = names::role(game, other);
            let by = if is_any { Mover::Any } else { Mover::One(name) };
            for (functor, arity) in kinds.iter().take(KINDS) {
                found.extend(self.kind_of_move(&by, functor, *arity));
            }
        }
        found
    }

    fn kind_of_move(&self, by: &Mover<'_>, functor: &str, arity: usize) -> Vec<Rules> {
        let (who, name) = match by {
            Mover::One(name) => (*name, *name),
            Mover::Any => ("another player", "?p"),
        };
        let mut found = Vec::new();
        let word = self.taken.percept("move");
        let vars: String = (1..=arity).map(|it| format!(" ?x{it}")).collect();
        let mv = if arity == 0 { functor.to_string() } else { format!("({functor}{vars})") };
        let body = format!("(does {name} {mv})");
        let plain = |percept: &str| {
            let of = |role: &str| self.declared(&format!("({word} {role} {percept})"), None);
            match by {
                Mover::One(name) => of(name),
                Mover::Any => self.receivers.each(of),
            }
        };
        if arity > 0 {
            let mut lines = plain(functor);
            lines.extend(self.receivers.sees(&format!("({word} {name} {functor})"), |_| body.clone()));
            found.push((format!("when {who} plays `{functor}`, but not its details"), lines));
        }
        let mut lines = match arity {
            0 => plain(functor),
            _ => {
                let of = |mover: &str, receiver: &str| {
                    let content = |mv: &str| format!("({word} {mover} {mv})");
                    Domain::Moves { of: mover, like: Some((functor, arity)), content: &content }
                        .percepts(self.description, receiver)
                };
                let domain = |receiver: &str| match by {
                    Mover::One(name) => of(name, receiver),
                    Mover::Any => self.receivers.each(|mover| of(mover, receiver)),
                };
                self.declared("", Some(&domain))
            }
        };
        lines.extend(self.receivers.sees(&format!("({word} {name} {mv})"), |_| body.clone()));
        let what = match (arity, by) {
            (0, _) => format!("when {who} plays `{functor}`"),
            (_, Mover::One(name)) if self.is_only_kind(name, functor) => format!("which move {name} made"),
            (_, Mover::One(name)) => format!("which `{functor}` move {name} made"),
            (_, Mover::Any) if self.receivers.all(|name| self.is_only_kind(name, functor)) => {
                "which moves the others made".to_string()
            }
            (_, Mover::Any) => format!("which `{functor}` moves the others made"),
        };
        found.push((what, lines));
        found
    }

    /// True if all moves with arguments that the rules give to a role are of one kind.
    fn is_only_kind(&self, role: &str, functor: &str) -> bool {
        self.rules_of("legal").all(|it| {
            let Some([who, what]) = it.head.as_ref().map(Term::args) else { return true };
            let is_others = !who.is_variable() && !who.name.is(role);
            is_others || what.name.is(functor) || (what.args().is_empty() && !what.is_variable())
        })
    }

    fn rules_of<'s>(&'s self, relation: &'s str) -> impl Iterator<Item = &'s Statement> {
        self.description.statements.iter().filter(move |it| is_about(it, relation))
    }

    /// The relations whose rules mention something that changes, this one included.
    fn reached(&self, relation: &str) -> BTreeSet<String> {
        let mut reached = BTreeSet::from([relation.to_string()]);
        let mut open = vec![relation.to_string()];
        while let Some(relation) = open.pop() {
            for statement in self.rules_of(&relation) {
                let mut note = |atom: &Term, _| {
                    let name = atom.name.text.to_ascii_lowercase();
                    if reached.insert(name.clone()) {
                        open.push(name);
                    }
                };
                statement.body.iter().for_each(|formula| formula.atoms(false, &mut note));
            }
        }
        reached
    }

    fn is_changing(&self, relation: &str) -> bool {
        let has_rules = self.rules_of(relation).next().is_some();
        has_rules && self.reached(relation).iter().any(|it| matches!(it.as_str(), "true" | "does"))
    }

    /// Copies of the rules of a relation, and of those that it depends on, for the next state. Copies that the text
    /// already has are left out. `None` if the rules mention moves, or other rules use the new names.
    fn then(&self, relation: &str) -> Option<Vec<String>> {
        let changing: BTreeSet<String> = self.reached(relation).into_iter().filter(|it| self.is_changing(it)).collect();
        if self.reached(relation).contains("does") || !changing.contains(relation) {
            return None;
        }
        let lines_before: BTreeSet<String> =
            self.description.statements.iter().map(|it| statement(it, &BTreeSet::new())).collect();
        let mut lines = Vec::new();
        for it in self.description.statements.iter() {
            let is_one = it.head.as_ref().is_some_and(|head| changing.contains(&head.name.text.to_ascii_lowercase()));
            if is_one {
                lines.push(statement(it, &changing));
            }
        }
        let new: Vec<String> = lines.iter().filter(|it| !lines_before.contains(*it)).cloned().collect();
        let clashes = changing.iter().any(|it| self.taken.has(&format!("{it}-then")));
        (new.is_empty() || !clashes || new.len() < lines.len()).then_some(new)
    }
}

/// The maker of a perceived move.
enum Mover<'a> {
    One(&'a str),
    /// Every player: the rule has a variable.
    Any,
}

/// A rule as text, about the next state if it depends on `changing`.
pub(super) fn statement(it: &Statement, changing: &BTreeSet<String>) -> String {
    let head = it.head.as_ref().map(|head| atom(head, changing)).unwrap_or_default();
    match it.arrow {
        None => head,
        Some(_) => {
            let body: Vec<String> = it.body.iter().map(|it| formula(it, changing)).collect();
            format!("(<= {head} {})", body.join(" "))
        }
    }
}

fn formula(it: &Formula, changing: &BTreeSet<String>) -> String {
    let all = |parts: &[Formula]| parts.iter().map(|it| formula(it, changing)).collect::<Vec<_>>().join(" ");
    match it {
        Formula::Atom(term) => atom(term, changing),
        Formula::Not { parts, .. } => format!("(not {})", all(parts)),
        Formula::Or { parts, .. } => format!("(or {})", all(parts)),
        Formula::And { parts, .. } => format!("(and {})", all(parts)),
        Formula::Distinct { args, .. } => {
            format!("(distinct {})", args.iter().map(term).collect::<Vec<_>>().join(" "))
        }
    }
}

/// An atom as text; with `changing`, an atom of the next state.
fn atom(it: &Term, changing: &BTreeSet<String>) -> String {
    let name = it.name.text.to_ascii_lowercase();
    let name = match () {
        () if changing.contains(&name) => format!("{name}-then"),
        () if !changing.is_empty() && name == "true" => "next".to_string(),
        () => it.name.text.to_string(),
    };
    match &it.kind {
        TermKind::Compound(args) | TermKind::Error(args) => {
            format!("({name} {})", args.iter().map(term).collect::<Vec<_>>().join(" "))
        }
        _ => name,
    }
}

pub(super) fn term(it: &Term) -> String {
    match &it.kind {
        TermKind::Variable => format!("?{}", it.name.text),
        TermKind::Constant => it.name.text.to_string(),
        TermKind::Compound(args) | TermKind::Error(args) => {
            format!("({} {})", it.name.text, args.iter().map(term).collect::<Vec<_>>().join(" "))
        }
    }
}
