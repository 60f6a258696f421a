//! Search for the place of a missing or superfluous bracket. Each place near the error is tried, the text is parsed and
//! checked again, and the repairs with the fewest findings are offered.

use std::collections::BTreeMap;

use percept_syntax::{Source, TextRange, Token, TokenKind};
use rustc_hash::FxHashSet;

use crate::{Diagnostic, FileId, Fix, Severity, TextEdit, rules};

/// The number of tokens on either side of an error that are tried.
const NEAR: usize = 200;
/// The total number of bytes to parse. In a longer text fewer places are tried, those next to the error first.
const READ: usize = 16 << 20;
/// The most texts without that syntax error that are also checked by the rules.
const CHECKED: usize = 40;
/// The most brackets that may be missing at one place.
const MISSING: usize = 8;
/// The most repairs that are offered.
const OFFERED: usize = 3;

/// A repair of a syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The edits of the repair.
    pub fix: Fix,
    /// True if no other bracket would do: this repair causes no new finding, and every other one does.
    pub is_certain: bool,
}

/// The number of findings that a repair adds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Cost {
    errors: usize,
    warnings: usize,
}

/// Returns repairs of a syntax error in a file, best first; none if no single change of brackets removes it. `check`
/// returns the findings in a changed text of the file; for a POGDDL file, together with its other half.
#[must_use]
pub fn syntax(source: &Source, error: &Diagnostic, check: &dyn Fn(&Source) -> Vec<Diagnostic>) -> Vec<Repair> {
    if error.rule.name != rules::syntax_error().name {
        return Vec::new();
    }
    let mut read = Vec::new();
    let mut texts = FxHashSet::default();
    let most = (READ / source.text.len().max(1)).max(8);
    for trial in trials(source, error).into_iter().take(most) {
        let text = super::edited(&source.text, [&trial.edit]);
        let tried = Source::parse(text, source.language);
        let words: Vec<&str> = words(&tried).map(|token| &tried.text[token.range.as_usize()]).collect();
        let errors = tried.errors.len();
        // Two neighbouring places may give the same text.
        if errors < source.errors.len() && texts.insert(words.join(" ")) {
            read.push((errors, trial, tried));
        }
    }
    let Some(fewest) = read.iter().map(|(errors, ..)| *errors).min() else { return Vec::new() };
    read.retain(|(errors, ..)| *errors == fewest);
    // Findings that existed before are not a cost of the repair.
    let found = check(source);
    let before = counts(&found, error.file);
    let mut rated: Vec<(Cost, Trial)> = read
        .into_iter()
        .take(CHECKED)
        .map(|(_, trial, tried)| (cost(&before, &check(&tried), error.file), trial))
        .collect();
    rated.sort_by_key(|(cost, trial)| (*cost, trial.is_odd, trial.distance));
    let Some(best) = rated.first().map(|(cost, _)| *cost) else { return Vec::new() };
    rated.retain(|(cost, _)| *cost == best);
    let is_certain = rated.len() == 1 && best == Cost { errors: 0, warnings: 0 };
    let offered = rated.into_iter().take(OFFERED);
    offered
        .map(|(_, trial)| {
            let edit = TextEdit { file: error.file, ..trial.edit };
            Repair { fix: Fix::new(trial.title, vec![edit]), is_certain }
        })
        .collect()
}

fn words(source: &Source) -> impl DoubleEndedIterator<Item = &Token> {
    source.tokens.iter().filter(|token| token.kind != TokenKind::Comment)
}

fn counts(findings: &[Diagnostic], file: FileId) -> BTreeMap<(&'static str, &str), usize> {
    let mut counts = BTreeMap::new();
    for finding in findings.iter().filter(|it| it.file == file || it.severity == Severity::Error) {
        *counts.entry((finding.rule.name, finding.message.as_str())).or_insert(0) += 1;
    }
    counts
}

fn cost(before: &BTreeMap<(&'static str, &str), usize>, after: &[Diagnostic], file: FileId) -> Cost {
    let mut cost = Cost { errors: 0, warnings: 0 };
    for (key, count) in counts(after, file) {
        let new = count.saturating_sub(before.get(&key).copied().unwrap_or(0));
        let finding = after.iter().find(|it| (it.rule.name, it.message.as_str()) == key);
        match finding.map(|it| it.severity) {
            Some(Severity::Error) => cost.errors += new,
            Some(Severity::Warning) => cost.warnings += new,
            _ => {}
        }
    }
    cost
}

/// One change of brackets.
struct Trial {
    edit: TextEdit,
    title: String,
    /// True for an opening bracket, which authors seldom forget. Such repairs come last.
    is_odd: bool,
    /// The number of bytes between the change and the error.
    distance: u32,
}

/// All changes near an error, nearest first.
fn trials(source: &Source, error: &Diagnostic) -> Vec<Trial> {
    let text = &*source.text;
    let tokens: Vec<&Token> = words(source).collect();
    let (from, to) = window(source, &tokens, error);
    let shown = |token: &Token| text[token.range.as_usize()].to_owned();
    let mut trials: Vec<Trial> = Vec::new();
    let mut push = |range: TextRange, insert: String, title: String| {
        let is_odd = insert == "(" || (insert.is_empty() && &text[range.as_usize()] == "(");
        let distance = range.start.abs_diff(error.range.start).min(range.start.abs_diff(error.range.end));
        trials.push(Trial { edit: TextEdit { file: error.file, range, insert }, title, is_odd, distance });
    };
    if error.range.len() > 1 && text[error.range.as_usize()].bytes().all(|byte| byte == b')') {
        push(error.range, String::new(), format!("Remove the {} `)`", error.range.len()));
    }
    for token in tokens.get(from..to).unwrap_or_default() {
        let after = TextRange::at(token.range.end);
        match token.kind {
            TokenKind::Close => push(token.range, String::new(), "Remove the `)`".to_owned()),
            // Two names must not become one.
            TokenKind::Open if is_glue(text, token.range) => {}
            TokenKind::Open => push(token.range, String::new(), "Remove the `(`".to_owned()),
            TokenKind::Unknown => push(token.range, String::new(), format!("Remove `{}`", shown(token).escape_debug())),
            _ => {}
        }
        push(after, ")".to_owned(), format!("Add `)` after `{}`", shown(token)));
        if token.kind != TokenKind::Close {
            push(TextRange::at(token.range.start), "(".to_owned(), format!("Add `(` before `{}`", shown(token)));
        }
    }
    // Several brackets may be missing before the next form begins.
    let last = tokens.partition_point(|token| token.range.end <= end_of(source, error)).checked_sub(1);
    if let Some(last) = last.map(|last| tokens[last]) {
        for count in 1..=MISSING {
            let title = match count {
                1 => "Add the missing `)`".to_owned(),
                count => format!("Add the {count} missing `)`"),
            };
            push(TextRange::at(last.range.end), ")".repeat(count), title);
        }
    }
    trials.sort_by_key(|trial| trial.distance);
    trials
}

/// True if there are names right before and after it.
fn is_glue(text: &str, range: TextRange) -> bool {
    let is_name = |c: char| !c.is_whitespace() && !matches!(c, '(' | ')' | ',' | ';' | '%');
    text[..range.start as usize].ends_with(is_name) && text[range.end as usize..].starts_with(is_name)
}

/// The end of the form that the error is about: before the related place.
fn end_of(source: &Source, error: &Diagnostic) -> u32 {
    let related = error.related.iter().map(|it| it.range.start).filter(|start| *start > error.range.start);
    related.max().unwrap_or(source.text.len() as u32)
}

/// The tokens that are tried: from the start of the form with the error to the start of another.
fn window(source: &Source, tokens: &[&Token], error: &Diagnostic) -> (usize, usize) {
    let begins = |at: &usize| {
        let start = tokens[*at].range.start as usize;
        let is_section = tokens[*at].kind == TokenKind::Open
            && tokens.get(at + 1).is_some_and(|next| source.text[next.range.as_usize()].starts_with(':'));
        start == 0 || is_section || matches!(source.text.as_bytes()[start - 1], b'\n' | b'\r')
    };
    let first = |offset: u32| tokens.partition_point(|token| token.range.end <= offset);
    let related = error.related.iter().map(|it| it.range);
    let start =
        related.clone().map(|range| range.start).min().map_or(error.range.start, |at| at.min(error.range.start));
    let end = related.map(|range| range.start).max().map_or(error.range.end, |at| at.max(error.range.end));
    let (start, end) = (first(start).min(tokens.len()), first(end).min(tokens.len()));
    let centre = first(error.range.start);
    let from = (0..=start).rev().filter(|at| *at < tokens.len()).find(begins).unwrap_or(0);
    let to = (end.max(centre + 1)..tokens.len()).find(begins).unwrap_or(tokens.len());
    (from.max(centre.saturating_sub(NEAR)), to.min(centre + NEAR).min(tokens.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Settings, check};
    use percept_syntax::Language;

    const GAME: &str = "\
(role white)
(init (cell 1 b))
(index 1)
(<= (legal white (mark ?x))
    (index ?x)
    (true (cell ?x b)))
(<= (next (cell ?x w))
    (does white (mark ?x)))
(<= terminal
    (true (cell 1 w)))
(<= (goal white 100)
    (true (cell 1 w)))
(<= (goal white 0)
    (not (true (cell 1 w))))
(<= (sees white (marked ?x))
    (does white (mark ?x)))
";

    /// The repairs of the first syntax error, and the text after the first of them.
    fn repaired(text: &str, language: Language) -> (Vec<Repair>, String) {
        let source = Source::parse(text, language);
        let check = |source: &Source| check(source, &Settings::default());
        let error = check(&source).into_iter().find(|it| it.rule.name == "syntax-error");
        let repairs = error.map(|error| syntax(&source, &error, &check)).unwrap_or_default();
        let after = repairs.first().map(|repair| super::super::edited(text, &repair.fix.edits)).unwrap_or_default();
        (repairs, after)
    }

    /// Removes and doubles every bracket of a correct game: a repair that is certain restores the original.
    #[test]
    fn what_is_certain_is_right() {
        let (mut certain, mut offered, mut all) = (0, 0, 0);
        let mut wrong = Vec::new();
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" )", ")");
        for (at, bracket) in GAME.char_indices().filter(|(_, c)| matches!(c, '(' | ')')) {
            let mut doubled = GAME.to_owned();
            doubled.insert(at, bracket);
            let mut left_out = GAME.to_owned();
            left_out.remove(at);
            for text in [doubled, left_out] {
                let source = Source::parse(text.as_str(), Language::GdlPrefix);
                if source.errors.is_empty() {
                    continue;
                }
                // For some brackets another rule has a better repair.
                if check(&source, &Settings::default()).iter().all(|it| it.rule.name != "syntax-error") {
                    continue;
                }
                all += 1;
                let (repairs, after) = repaired(&text, Language::GdlPrefix);
                offered += usize::from(!repairs.is_empty());
                if repairs.first().is_some_and(|first| first.is_certain) {
                    certain += 1;
                    if plain(&after) != plain(GAME) {
                        wrong.push(format!("{}\n-- {}\n{after}", text, repairs[0].fix.title));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{} of {certain}: {}", wrong.len(), wrong.join("\n====\n"));
        assert!(
            all > 90 && offered * 20 >= all * 19 && certain * 20 >= all * 19,
            "{certain} certain, {offered} offered of {all}"
        );
    }

    #[test]
    fn a_bracket_is_added_where_it_belongs() {
        let (repairs, after) =
            repaired(&GAME.replace("(mark ?x))\n    (index", "(mark ?x)\n    (index"), Language::GdlPrefix);
        assert_eq!(after, GAME, "{repairs:?}");
        assert!(repairs[0].is_certain);
    }

    #[test]
    fn the_end_of_a_long_definition_is_found() {
        let domain =
            include_str!("../../../cli/src/commands/new/templates/hidden-move-domain.pog").replace("NAME", "quiz");
        let cut = domain.trim_end().strip_suffix(')').expect("a definition").trim_end();
        let (repairs, after) = repaired(cut, Language::Pogddl);
        assert!(repairs[0].is_certain, "{repairs:?}");
        assert_eq!(after, format!("{cut})"));
    }

    #[test]
    fn infix_is_repaired_too() {
        let text = "role(white)\nlegal(white, mark(X) :- index(X)\nindex(1)\n";
        let (repairs, after) = repaired(text, Language::GdlInfix);
        assert!(after.contains("legal(white, mark(X)) :-"), "{repairs:?}");
    }

    #[test]
    fn a_long_text_takes_no_longer_than_a_short_one() {
        let text = format!("{}(<= (p ?x) (q ?x)\n{}", GAME.repeat(200), GAME.repeat(200));
        let (repairs, _) = repaired(&text, Language::GdlPrefix);
        assert!(repairs.len() <= OFFERED);
    }
}
