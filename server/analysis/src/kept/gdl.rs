//! Descriptions of games in GDL.

use percept_syntax::gdl::Description;
use percept_syntax::near::one_slip_apart;
use percept_syntax::{Followed, Language, Source, TextRange};

use super::outline::{Outline, Standing, Statement, Word};
use super::{EDITED, Kept, LARGE, Text, names};
use crate::gdl::{Facts, Literal, RuleNode, Shape, Space, Sym, TermId, keyword};
use crate::{Diagnostic, FileId, Findings, Settings, rules};

/// The rules whose findings about an open island do not depend on the statements that are left out.
const TRUSTED: &[&str] = &[
    "contradiction",
    "duplicate-rule",
    "empty-parentheses",
    "impossible-literal",
    "keyword-placement",
    "misspelled-variable",
    "negated-formula",
    "outside-declaration",
    "single-use-variable",
    "unknown-fluent",
    "unknown-relation",
    "unread-fluent",
    "unused-relation",
];

/// The same for findings at a name that is not common.
const OF_NAMES: &[&str] = &["function-arity", "relation-arity"];

/// Returns all findings in a description.
pub(crate) fn check(source: &Source, description: &Description, settings: &Settings) -> Vec<Diagnostic> {
    let is_suitable = source.language == Language::GdlPrefix && source.errors.is_empty() && source.text.len() >= LARGE;
    match description.statements.places().filter(|_| is_suitable) {
        Some(places) => super::check(&Gdl { source, description, places }, settings),
        None => whole(source, description).1.finish(&[Some(source)], settings),
    }
}

/// The findings of the whole description, before settings and comments.
fn whole<'a>(source: &'a Source, description: &Description) -> (Facts<'a>, Findings) {
    let mut findings = Findings::new();
    findings.syntax_errors(FileId(0), &source.errors);
    findings.charset(FileId(0), source.charset);
    let facts = Facts::new(source, description);
    rules::gdl::run(&facts, &mut findings);
    (facts, findings)
}

struct Gdl<'a> {
    source: &'a Source,
    description: &'a Description,
    places: &'a Followed,
}

impl Text for Gdl<'_> {
    fn source(&self) -> &Source {
        self.source
    }

    fn places(&self) -> &Followed {
        self.places
    }

    fn whole(&self, with_outline: bool) -> (Findings, Option<Outline>) {
        let (facts, findings) = whole(self.source, self.description);
        let outline = with_outline.then(|| outline(&facts, self.places)).flatten();
        (findings, outline)
    }

    fn each_name(&self, range: TextRange, mut f: &mut dyn FnMut(&str, bool)) {
        let statements = self.description.statements.within(range);
        statements.iter().for_each(|statement| names::each_name(statement, &mut f));
    }

    fn look(&self, kept: &Kept, shown: &[usize], is_too_large: bool) -> Option<Findings> {
        let mut statements = Vec::new();
        for run in shown.chunk_by(|a, b| a + 1 == *b) {
            let (first, last) = (run[0], run[run.len() - 1]);
            let read = self.description.statements.within(kept.ranges[first].cover(kept.ranges[last]));
            if read.len() != run.len() {
                return None;
            }
            let mut edited = read.iter().zip(run).filter(|(_, at)| kept.islands[**at] == EDITED);
            if !edited.all(|(statement, _)| names::is_tame(statement)) {
                return None;
            }
            statements.extend(read);
        }
        let part = Description { statements: statements.into() };
        let facts = Facts::of_part(self.source, &part, is_too_large);
        let mut findings = Findings::new();
        rules::gdl::look(&facts, &mut findings);
        let searches = || findings.names().any(|(rule, ..)| rule == "impossible-literal") || facts.has_undefined();
        let near_is_unclear = kept.names.are_many() && searches();
        (!near_is_unclear).then_some(findings)
    }

    fn is_trusted(&self, kept: &Kept, rule: &'static str, range: TextRange, message: &str) -> bool {
        TRUSTED.contains(&rule)
            // The advice is what most rules do.
            || rule == "unsafe-variable" && !message.contains("; add `")
            || OF_NAMES.contains(&rule) && !kept.names.is_common(&self.source.text[range.as_usize()])
    }

    fn gather(&self, kept: &Kept, findings: &mut Findings) {
        findings.gather(FileId(0), &kept.ranges);
    }
}

/// The statements as rows of words; `None` if parts of the description cannot be looked at.
fn outline(facts: &Facts, places: &Followed) -> Option<Outline> {
    let ranges = places.ranges();
    let rules = &facts.lowered.rules;
    let is_followed = rules.len() == ranges.len() && rules.iter().zip(ranges).all(|(rule, range)| rule.range == *range);
    if !is_followed || !facts.wildcards.is_empty() || !rules.iter().all(|rule| is_tame(facts, rule)) {
        return None;
    }
    let standing = |sym: Sym| match sym {
        sym if sym.0 <= keyword::RANDOM.0 => Standing::Keyword,
        sym if facts.is_role(sym) => Standing::Common,
        _ => Standing::Any,
    };
    let names = (0..facts.lowered.symbols.len() as u32).map(Sym);
    let is_compared = |space| [Space::Fluent, Space::Move, Space::Percept].contains(&space);
    let mut outline = Outline {
        names: names.map(|sym| (facts.name(sym).into(), standing(sym))).collect(),
        statements: Vec::with_capacity(rules.len()),
        words: Vec::new(),
        faults: facts.structure.explained.clone(),
        compared: facts.predicates.iter().filter(|it| is_compared(it.space)).map(|it| it.sym.0).collect(),
        is_like_keyword,
        size: facts.domains.size(),
    };
    for rule in rules {
        outline.words.push(Word::of((rule.is_fact(), rule.broken)));
        rule.head().iter().for_each(|head| add_term(facts, *head, &mut outline.words));
        rule.body().iter().for_each(|part| add_literal(facts, part, &mut outline.words));
        let head = rule.head();
        let relation = head.map(|head| facts.inner(head).map_or(head, |(_, inner)| inner));
        outline.statements.push(Statement {
            end: outline.words.len() as u32,
            lead: relation.filter(|_| rule.is_fact()).map(|relation| facts.term(relation).sym.0),
            is_special: head.is_some_and(|head| facts.term(head).sym == keyword::ROLE),
            is_broken: rule.broken,
        });
    }
    Some(outline)
}

/// True if a name may be taken for a keyword.
fn is_like_keyword(name: &str) -> bool {
    // These are taken for `not`.
    let is_not = || name.len() <= 4 && name.to_ascii_lowercase().starts_with("no") || matches!(name, "nto" | "ont");
    keyword::WORDS.iter().any(|word| one_slip_apart(name, word)) || is_not()
}

fn add_term(facts: &Facts, id: TermId, words: &mut Vec<Word>) {
    let node = facts.term(id);
    match node.shape() {
        Shape::Variable(_) => words.push(Word::of((0, facts.spelling(node)))),
        shape => words.extend([Word::of((1, matches!(shape, Shape::Compound), node.arity())), Word::Name(node.sym.0)]),
    }
    node.args().for_each(|arg| add_term(facts, arg, words));
}

fn add_literal(facts: &Facts, literal: &Literal, words: &mut Vec<Word>) {
    let (tag, parts) = match literal {
        Literal::Atom(atom) => return add_term(facts, *atom, words),
        Literal::Distinct { args, .. } => {
            words.push(Word::of((4, args.len())));
            return args.iter().for_each(|arg| add_term(facts, *arg, words));
        }
        Literal::Not { parts, .. } => (5, parts),
        Literal::Or { parts, .. } => (6, parts),
        Literal::And { parts, .. } => (7, parts),
    };
    words.push(Word::of((tag, parts.len())));
    parts.iter().for_each(|part| add_literal(facts, part, words));
}

/// True if a statement can be looked at without its neighbours.
fn is_tame(facts: &Facts, rule: &RuleNode) -> bool {
    let Some(head) = rule.head().map(|head| facts.term(head)) else { return false };
    let is_literal = matches!(head.sym, keyword::TRUE | keyword::DOES) || keyword::is_connective(head.sym);
    if is_literal || head.variable().is_some() {
        return false;
    }
    !rule.is_fact() || rule.variables().is_empty() && matches!(head.shape(), Shape::Compound)
}
