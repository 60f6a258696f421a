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
use super::{Candidate, Insertion, RepairQuery};
use crate::names;

/// The most values of one argument that are distinguished, and the most candidates of one kind.
const KINDS: usize = 4;

pub(super) fn candidates(query: &RepairQuery<'_>, witness: &Witness, description: &Description) -> Vec<Candidate> {
    let role = names::role(query.game, query.role);
    let source = query.sources[0];
    let writer = Writer { description, role, taken: words(description) };
    let mut rules: Vec<(String, Vec<String>)> = Vec::new();
    rules.extend(writer.property(query.property));
    rules.extend(writer.parts(query.property));
    rules.extend(writer.moves(query, witness));
    rules.extend(writer.facts(query, witness));
    let mut found: Vec<Candidate> = Vec::new();
    for (says, lines) in rules {
        let Some(it) = candidate(says, lines, source, description) else { continue };
        if found.iter().all(|other| other.edits != it.edits) {
            found.push(it);
        }
    }
    found
}

/// A candidate from lines in prefix notation; `None` if the language cannot express them.
pub(super) fn candidate(
    says: String,
    lines: Vec<String>,
    source: &Source,
    description: &Description,
) -> Option<Candidate> {
    // Insert after the last rule for percepts, or at the end.
    let at = description.statements.iter().filter(|it| is_about(it, "sees")).map(|it| it.range.end).next_back();
    let at = at.map_or(source.text.len() as u32, |end| end_of_line(&source.text, end));
    let text = in_language(&lines, source)?;
    Some(Candidate { says, edits: vec![Insertion { file: 0, at, text }], lines })
}

/// The candidate with declarations of percepts added.
pub(super) fn with_declarations(it: Candidate, role: &str, percepts: &[String], source: &Source) -> Option<Candidate> {
    let mut lines: Vec<String> = percepts.iter().map(|percept| format!("(percept {role} {percept})")).collect();
    lines.extend(it.lines);
    let Syntax::Gdl(description) = &source.syntax else { return None };
    candidate(it.says, lines, source, description)
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

/// All words of a description, to make new words that differ from them.
fn words(description: &Description) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut note = |term: &Term| {
        term.walk(&mut |it| {
            words.insert(it.name.text.to_ascii_lowercase());
        });
    };
    for statement in description.statements.iter() {
        statement.head.iter().for_each(&mut note);
        statement.body.iter().for_each(|formula| formula.terms(&mut note));
    }
    words
}

struct Writer<'a> {
    description: &'a Description,
    role: &'a str,
    taken: BTreeSet<String>,
}

impl Writer<'_> {
    /// A word that the description does not have.
    fn new_word(&self, word: &str) -> String {
        let free = |it: &String| !self.taken.contains(&it.to_ascii_lowercase());
        let numbered = (2..).map(|number| format!("{word}-{number}"));
        std::iter::once(word.to_string()).chain(numbered).find(free).unwrap_or_default()
    }

    fn sees(&self, percept: &str, body: &str) -> String {
        format!("(<= (sees {} {percept}) {body})", self.role)
    }

    /// Declarations of a percept, if the description declares its percepts: copies of the declarations of its domain.
    /// None if there are none to copy; the percepts are then listed once they are known.
    fn declared(&self, percept: &str, domain: Option<&Domain<'_>>) -> Vec<String> {
        if !self.description.statements.iter().any(|it| is_about(it, "percept")) {
            return Vec::new();
        }
        let plain = || vec![format!("(percept {} {percept})", self.role)];
        domain.map_or_else(plain, |domain| domain.percepts(self.description, self.role))
    }

    /// Candidates that reveal the property itself.
    fn property(&self, property: Property) -> Option<(String, Vec<String>)> {
        let (role, mut lines) = (self.role, Vec::new());
        let over = |lines: &mut Vec<String>| {
            lines.extend(self.then("terminal")?);
            Some("terminal-then")
        };
        let (says, percept, body) = match property {
            // The language reveals own moves.
            Property::Own => return None,
            Property::Terminal => {
                let word = self.new_word("over");
                let body = over(&mut lines)?.to_string();
                lines.extend(self.declared(&word, None));
                (super::title(role, "the end of the match"), word, body)
            }
            Property::Legal => {
                lines.extend(self.then("legal")?);
                let may = self.new_word("may");
                let percept = format!("({may} ?move)");
                let domain = Domain::Moves { of: role, like: None, content: &|mv| format!("({may} {mv})") };
                lines.extend(self.declared(&percept, Some(&domain)));
                (super::title(role, "its legal moves"), percept, format!("(legal-then {role} ?move)"))
            }
            Property::Goal => {
                lines.extend(self.then("goal")?);
                for line in self.then("terminal")? {
                    if !lines.contains(&line) {
                        lines.push(line);
                    }
                }
                let percept = format!("({} ?value)", self.new_word("got"));
                (super::title(role, "its goal at the end"), percept, format!("terminal-then (goal-then {role} ?value)"))
            }
        };
        lines.push(self.sees(&percept, &body));
        Some((says, lines))
    }

    /// Candidates that reveal the support of the property: each relation in its rules, and all of them together.
    fn parts(&self, property: Property) -> Vec<(String, Vec<String>)> {
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
        let one = |(name, arity): &(String, usize)| -> Option<Vec<String>> {
            let mut lines = self.then(name)?;
            let vars: String = (1..=*arity).map(|at| format!(" ?x{at}")).collect();
            let (percept, body) = match arity {
                0 => (name.clone(), format!("{name}-then")),
                _ => (format!("({name}{vars})"), format!("({name}-then{vars})")),
            };
            lines.push(self.sees(&percept, &body));
            Some(lines)
        };
        let mut found: Vec<(String, Vec<String>)> = Vec::new();
        let mut all = (Vec::new(), Vec::new());
        for part in parts.iter().take(KINDS) {
            let Some(lines) = one(part) else { continue };
            all.0.push(format!("`{}`", part.0));
            all.1.extend(lines.iter().filter(|it| !all.1.contains(*it)).cloned().collect::<Vec<_>>());
            found.push((super::title(self.role, &format!("`{}` of the next state", part.0)), lines));
        }
        if found.len() > 1 {
            found.push((super::title(self.role, &format!("{} of the next state", all.0.join(" and "))), all.1));
        }
        found
    }

    /// Candidates that reveal facts that differ at the ends: all facts of that functor, or those with one argument
    /// fixed.
    fn facts(&self, query: &RepairQuery<'_>, witness: &Witness) -> Vec<(String, Vec<String>)> {
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

    fn fact(&self, functor: &str, args: &[Option<String>]) -> (String, Vec<String>) {
        let value = |(at, arg): (usize, &Option<String>)| arg.clone().unwrap_or_else(|| format!("?x{}", at + 1));
        let words: Vec<String> = args.iter().enumerate().map(value).collect();
        let fluent = if words.is_empty() { functor.to_string() } else { format!("({functor} {})", words.join(" ")) };
        let domain = Domain::Facts { functor, args };
        let mut lines = self.declared(&fluent, (!args.is_empty()).then_some(&domain));
        lines.push(self.sees(&fluent, &format!("(next {fluent})")));
        (super::title(self.role, &format!("the `{fluent}` that hold after each round")), lines)
    }

    /// Candidates that reveal moves of others: the fact that a role made a move of one kind, or the move itself.
    fn moves(&self, query: &RepairQuery<'_>, witness: &Witness) -> Vec<(String, Vec<String>)> {
        let game = query.game;
        let mut found = Vec::new();
        let did = self.new_word("did");
        for other in game.role_ids().filter(|it| *it != query.role) {
            let at = other.0 as usize;
            let pairs = witness.first.iter().zip(&witness.second);
            let made = pairs.filter(|(one, two)| one[at] != two[at]).flat_map(|(one, two)| [one[at], two[at]]);
            let made: Vec<(String, usize)> = made
                .filter(|mv| *mv != MoveId::NOOP)
                .map(|mv| {
                    let made = game.rules.move_term(other, mv);
                    (made.head().to_string(), made.args().len())
                })
                .collect();
            let kinds: BTreeSet<(String, usize)> = made.into_iter().collect();
            let name = names::role(game, other);
            for (functor, arity) in kinds.iter().take(KINDS) {
                let vars: String = (1..=*arity).map(|it| format!(" ?x{it}")).collect();
                let mv = if *arity == 0 { functor.clone() } else { format!("({functor}{vars})") };
                let which = format!("({did} {name} {mv})");
                if *arity > 0 {
                    let kind = format!("({did} {name} {functor})");
                    let mut lines = self.declared(&kind, None);
                    lines.push(self.sees(&kind, &format!("(does {name} {mv})")));
                    let says = format!("that {name} plays `{functor}`, without its arguments");
                    found.push((super::title(self.role, &says), lines));
                }
                let content = |mv: &str| format!("({did} {name} {mv})");
                let domain = Domain::Moves { of: name, like: Some((functor, *arity)), content: &content };
                let mut lines = self.declared(&which, (*arity > 0).then_some(&domain));
                lines.push(self.sees(&which, &format!("(does {name} {mv})")));
                found.push((super::title(self.role, &format!("each `{functor}` that {name} plays")), lines));
            }
        }
        found
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
        let clashes = changing.iter().any(|it| self.taken.contains(&format!("{it}-then")));
        (new.is_empty() || !clashes || new.len() < lines.len()).then_some(new)
    }
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
