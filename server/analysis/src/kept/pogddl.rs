//! Domains of POGDDL and PDDL without their problems. The statements are the actions and the declared predicates; the
//! other sections are always looked at.

use percept_syntax::near::one_slip_apart;
use percept_syntax::pddl::Definition;
use percept_syntax::{Followed, Parent, Part, Source, Syntax, TextRange, TokenKind};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::outline::{Outline, Standing, Statement, Word};
use super::{Kept, LARGE, Text};
use crate::gdl::Size;
use crate::{Diagnostic, FileId, Findings, Settings, rules};

/// The rules whose findings about an open island do not depend on the statements that are left out.
const TRUSTED: &[&str] = &[
    "action-without-effect",
    "aliased-effects",
    "complementary-effects",
    "conflicting-effects",
    "contradictory-condition",
    "duplicate-variable",
    "redundant-condition",
    "redundant-effect",
    "shadowed-variable",
    "static-predicate",
    "unbound-variable",
    "unknown-predicate",
    "unseen-own-move",
    "unused-parameter",
    "unused-predicate",
];

/// The same for findings at a name that is not common.
const OF_NAMES: &[&str] = &["argument-count", "unknown-object", "unknown-type"];

/// The words with a meaning in the language, and the names with a meaning in games.
const WORDS: [&str; 25] = [
    "and",
    "or",
    "not",
    "imply",
    "forall",
    "exists",
    "when",
    "observe",
    "assign",
    "increase",
    "decrease",
    "scale-up",
    "scale-down",
    "either",
    "object",
    "number",
    "all",
    "others",
    "u",
    "role",
    "chance",
    "whoseturn",
    "total-time",
    "constant",
    "terminal",
];

/// Returns all findings in a domain that is being edited; `None` if it has to be checked without its history.
pub(crate) fn check(source: &Source, settings: &Settings) -> Option<Vec<Diagnostic>> {
    let Syntax::Pddl(file) = &source.syntax else { return None };
    let places = file.places().filter(|_| source.text.len() >= LARGE && source.errors.is_empty())?;
    let is_domain = !places.parts().contains(&Part::Open(Parent::Init));
    is_domain.then(|| super::check(&Pogddl { source, places }, settings))
}

struct Pogddl<'a> {
    source: &'a Source,
    places: &'a Followed,
}

impl Text for Pogddl<'_> {
    fn source(&self) -> &Source {
        self.source
    }

    fn places(&self) -> &Followed {
        self.places
    }

    fn whole(&self, with_outline: bool) -> (Findings, Option<Outline>) {
        let mut findings = Findings::new();
        findings.charset(FileId(0), self.source.charset);
        let is_domain = self.source.domain().is_some();
        let (domain, problem) = if is_domain { (Some(self.source), None) } else { (None, Some(self.source)) };
        rules::pogddl::run(domain, problem, &mut findings);
        (findings, (with_outline && is_domain).then(|| self.outline()).flatten())
    }

    fn each_name(&self, range: TextRange, f: &mut dyn FnMut(&str, bool)) {
        for token in self.source.tokens_in(range) {
            let word = &self.source.text[token.range.as_usize()];
            match token.kind {
                TokenKind::Word if !is_keyword(word) => f(word, false),
                TokenKind::Variable => f(word.trim_start_matches('?'), true),
                _ => {}
            }
        }
    }

    fn look(&self, kept: &Kept, shown: &[usize], _: bool) -> Option<Findings> {
        let part = self.source.part(shown.iter().map(|at| kept.ranges[*at]))?;
        let mut findings = Findings::new();
        rules::pogddl::look(&part, self.compared_until(), &mut findings);
        Some(findings)
    }

    fn is_trusted(&self, kept: &Kept, rule: &'static str, range: TextRange, message: &str) -> bool {
        // Declared predicates are counted.
        let is_of_names =
            OF_NAMES.contains(&rule) || rule == "duplicate-declaration" && message.starts_with("the action `");
        TRUSTED.contains(&rule) || is_of_names && !kept.names.is_common(&self.source.text[range.as_usize()])
    }

    fn gather(&self, kept: &Kept, findings: &mut Findings) {
        if findings.are_many() {
            let parts = self.places.parts().iter().zip(&kept.ranges);
            let is_statement = |part: &Part, range: &TextRange| match part {
                Part::Free(parent) => *parent == Parent::Define,
                Part::Section => {
                    let text = &self.source.text[range.as_usize()];
                    let is = |word: &str| text.get(1..=word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
                    is(":derived") || is(":gain")
                }
                Part::Open(_) | Part::Close => false,
            };
            let statements = parts.filter(|(part, range)| is_statement(part, range)).map(|(_, range)| *range);
            findings.gather(FileId(0), &statements.collect::<Vec<_>>());
        }
    }
}

impl Pogddl<'_> {
    /// The statements as rows of words; `None` if a name is declared twice, because a search for names that resemble
    /// another counts declared names.
    fn outline(&self) -> Option<Outline> {
        let text = &self.source.text;
        let mut outline = Outline {
            names: Vec::new(),
            statements: Vec::with_capacity(self.places.parts().len()),
            words: Vec::new(),
            faults: Vec::new(),
            compared: Vec::new(),
            is_like_keyword: |name| WORDS.iter().any(|word| one_slip_apart(name, word)),
            size: Size::Room(usize::MAX, 0),
        };
        let mut numbers: FxHashMap<SmolStr, u32> = FxHashMap::default();
        for (part, range) in self.places.parts().iter().zip(self.places.ranges()) {
            for token in self.source.tokens_in(*range).iter().filter(|token| token.kind != TokenKind::Comment) {
                let word = SmolStr::new(text[token.range.as_usize()].to_ascii_lowercase());
                if token.kind != TokenKind::Word {
                    outline.words.push(Word::of((token.kind, word)));
                    continue;
                }
                let number = *numbers.entry(word).or_insert_with_key(|word| {
                    let standing = if is_keyword(word) { Standing::Keyword } else { Standing::Any };
                    outline.names.push((word.clone(), standing));
                    outline.names.len() as u32 - 1
                });
                let standing = &mut outline.names[number as usize].1;
                if !matches!(part, Part::Free(_)) && *standing == Standing::Any {
                    *standing = Standing::Common;
                }
                outline.words.push(Word::Name(number));
            }
            let end = outline.words.len() as u32;
            outline.statements.push(Statement { end, lead: None, is_special: false, is_broken: false });
        }
        let Some(Definition::Domain(domain)) = self.file_definitions().first() else { return None };
        let mut declared = rustc_hash::FxHashSet::default();
        let mut names = domain.predicates.iter().map(|it| it.name.text.to_ascii_lowercase());
        names.all(|name| declared.insert(name)).then_some(outline)
    }

    fn file_definitions(&self) -> &[Definition] {
        match &self.source.syntax {
            Syntax::Pddl(file) => &file.definitions,
            Syntax::Gdl(_) => &[],
        }
    }

    /// The place up to which declared predicates are compared with an unknown one.
    fn compared_until(&self) -> u32 {
        let parts = self.places.parts().iter().zip(self.places.ranges());
        let mut declared = parts.filter(|(part, _)| **part == Part::Free(Parent::Predicates));
        declared.nth(percept_syntax::near::COMPARED).map_or(u32::MAX, |(_, range)| range.start)
    }
}

fn is_keyword(word: &str) -> bool {
    WORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}
