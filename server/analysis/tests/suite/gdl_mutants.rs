//! Published games with one small mistake each: counts how many get a new finding, and how many get one in the
//! statement of the mistake or about its name. The mistakes are drawn at random from all possible places, so none is
//! hand-picked. Many change nothing that the rules alone could show (two arguments of one kind exchanged). Mistakes
//! that only show in matches (a missing `not`, a fluent that no rule keeps) are tested elsewhere and not counted here.
//!
//! `PERCEPT_PRINT=1` prints the mutants without a finding, `PERCEPT_PRINT=many` those with more than three findings.

use std::collections::BTreeMap;

use percept_analysis::{Diagnostic, FileId, Settings, Severity, check};
use percept_syntax::gdl::{Description, Formula, Statement, Term, TermKind};
use percept_syntax::{Language, Source, Syntax, TextRange};

/// The most mutants of each kind per game.
const EACH: usize = 4;
/// The limit on the size of a game. The other suites cover larger games.
const MAX_BYTES: usize = 24_000;

/// A range to replace, with the new text.
struct Change {
    range: TextRange,
    insert: String,
    /// The name that the mistake is about, if there is one.
    name: Option<String>,
}

/// The possible changes of a game, by kind.
type Changes = BTreeMap<&'static str, Vec<Change>>;

fn change(range: TextRange, insert: impl Into<String>, name: Option<&str>) -> Change {
    Change { range, insert: insert.into(), name: name.map(str::to_owned) }
}

/// The name with a typo.
fn slip(name: &str) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    match letters.len() {
        0..=2 => letters.push('q'),
        n if letters[n - 1] == letters[n - 2] => letters.push('q'),
        n => letters.swap(n - 2, n - 1),
    }
    letters.into_iter().collect()
}

struct Maker<'a> {
    text: &'a str,
    roles: Vec<&'a str>,
    changes: Changes,
}

impl<'a> Maker<'a> {
    fn add(&mut self, kind: &'static str, change: Change) {
        self.changes.entry(kind).or_default().push(change);
    }

    fn text(&self, range: TextRange) -> &'a str {
        &self.text[range.as_usize()]
    }

    fn statement(&mut self, statement: &'a Statement) {
        let head = statement.head.as_ref();
        if head.is_some_and(|head| head.name.is("next")) {
            self.add("a rule for `next` left out", change(statement.range, "", None));
        }
        if statement.body.len() > 1 {
            for literal in &statement.body {
                self.add("a condition left out", change(literal.range(), "", None));
            }
        }
        let mut variables: BTreeMap<&str, Vec<TextRange>> = BTreeMap::new();
        let mut terms = Vec::new();
        let mut note = |term: &'a Term| {
            term.walk(&mut |part| {
                terms.push(part);
                if part.is_variable() {
                    variables.entry(&part.name.text).or_default().push(part.name.range);
                }
            });
        };
        head.into_iter().for_each(&mut note);
        statement.body.iter().for_each(|part| part.terms(&mut note));
        for places in variables.values().filter(|places| places.len() > 1) {
            for place in places {
                let name = self.text(*place);
                self.add("a variable misspelt", change(*place, slip(name), Some(&slip(name))));
            }
        }
        let is_role_fact = head.is_some_and(|head| head.name.is("role"));
        for term in terms {
            self.term(term, is_role_fact);
        }
        statement.body.iter().for_each(|part| self.negations(part));
    }

    fn term(&mut self, term: &'a Term, is_role_fact: bool) {
        let name = term.name.text.as_str();
        if name.is_empty() || matches!(term.kind, TermKind::Error(_)) {
            return;
        }
        self.add("a word left out", change(term.name.range, "", Some(name)));
        let is_word = name.len() > 2 && !name.bytes().any(|byte| byte.is_ascii_digit());
        if is_word && !term.is_variable() {
            let kind = match self.roles.contains(&name) {
                true if is_role_fact => return,
                true => "a role misspelt",
                false => "a name misspelt",
            };
            self.add(kind, change(term.name.range, slip(name), Some(&slip(name))));
        }
        let args = term.args();
        if args.len() < 2 {
            return;
        }
        for (n, arg) in args.iter().enumerate() {
            self.add("an argument left out", change(arg.range, "", Some(name)));
            let Some(next) = args.get(n + 1).filter(|next| self.text(next.range) != self.text(arg.range)) else {
                continue;
            };
            let between = TextRange::new(arg.range.end, next.range.start);
            let swapped = format!("{}{}{}", self.text(next.range), self.text(between), self.text(arg.range));
            self.add("two arguments exchanged", change(arg.range.cover(next.range), swapped, Some(name)));
        }
    }

    fn negations(&mut self, part: &'a Formula) {
        match part {
            Formula::Not { range, parts, .. } if parts.len() == 1 => {
                let inner = self.text(parts[0].range());
                self.add("`not` left out", change(*range, inner, None));
            }
            Formula::Or { parts, .. } | Formula::And { parts, .. } => {
                parts.iter().for_each(|part| self.negations(part))
            }
            _ => {}
        }
    }

    fn brackets(&mut self) {
        let mut in_comment = false;
        for (at, byte) in self.text.bytes().enumerate() {
            match byte {
                b';' => in_comment = true,
                b'\n' | b'\r' => in_comment = false,
                b')' if !in_comment => {
                    let range = TextRange::new(at as u32, at as u32 + 1);
                    self.add("a `)` left out", change(range, "", None));
                }
                _ => {}
            }
        }
    }
}

fn changes(text: &str, description: &Description) -> Changes {
    let facts = description.statements.iter().filter_map(|statement| statement.head.as_ref());
    let roles = facts.filter(|head| head.name.is("role")).filter_map(|head| head.args().first());
    let roles = roles.map(|role| role.name.text.as_str()).collect();
    let mut maker = Maker { text, roles, changes: Changes::new() };
    description.statements.iter().for_each(|statement| maker.statement(statement));
    maker.brackets();
    maker.changes
}

fn findings(text: &str) -> Vec<Diagnostic> {
    check(&Source::parse(text.to_owned(), Language::GdlPrefix), &Settings::default())
}

/// Pseudo-random numbers that are the same on every machine (Knuth's MMIX constants).
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % count as u64) as usize
    }
}

#[derive(Default)]
struct Row {
    made: usize,
    /// The mutants with at least a hint or information.
    hinted: usize,
    seen: usize,
    /// The mutants with a finding in the statement of the mistake or about its name.
    placed: usize,
    findings: usize,
}

fn judge(file: &str, text: &str, kind: &'static str, change: &Change, before: &[Diagnostic], row: &mut Row) {
    let (start, end) = (change.range.start as usize, change.range.end as usize);
    let mutant = format!("{}{}{}", &text[..start], change.insert, &text[end..]);
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for finding in before {
        *counts.entry((finding.rule.name, &finding.message)).or_default() += 1;
    }
    let after = findings(&mutant);
    let all: Vec<&Diagnostic> = after
        .iter()
        .filter(|finding| match counts.get_mut(&(finding.rule.name, finding.message.as_str())) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .collect();
    row.hinted += usize::from(!all.is_empty());
    let new: Vec<&Diagnostic> = all.into_iter().filter(|finding| finding.severity >= Severity::Warning).collect();
    // The range begins at the line before the mistake and ends with the line after it.
    let from = mutant[..start].rfind('\n').and_then(|at| mutant[..at].rfind('\n')).unwrap_or(0);
    let behind = start + change.insert.len();
    let to = mutant[behind..].match_indices('\n').nth(1).map_or(mutant.len(), |(at, _)| behind + at);
    let near = TextRange::new(from as u32, to as u32);
    let is_placed = |finding: &&Diagnostic| {
        assert_eq!(finding.file, FileId(0));
        let named = change.name.as_ref().is_some_and(|name| finding.message.contains(&format!("`{name}`")));
        let touches = |range: TextRange| range.start <= near.end && near.start <= range.end;
        named || touches(finding.range) || finding.related.iter().any(|related| touches(related.range))
    };
    row.made += 1;
    row.seen += usize::from(!new.is_empty());
    row.placed += usize::from(new.iter().any(is_placed));
    row.findings += new.len();
    let print = std::env::var("PERCEPT_PRINT").unwrap_or_default();
    let line = mutant[..start].matches('\n').count();
    let shown = mutant.lines().nth(line).unwrap_or_default().trim();
    if new.is_empty() && print == "1" {
        println!(
            "unseen: {kind}: {file}:{}: {shown}   WAS {}",
            line + 1,
            text.lines().nth(line).unwrap_or_default().trim()
        );
    }
    if new.len() > 3 && print == "many" {
        println!("{} findings: {kind}: {file}:{}: {shown}", new.len(), line + 1);
        new.iter().take(8).for_each(|finding| println!("    {}: {}", finding.rule.name, finding.message));
    }
}

mod corpus {
    use super::*;

    #[test]
    #[ignore = "needs PERCEPT_CORPUS"]
    fn mistakes_in_published_games_are_found_at_these_rates() {
        let files = percept_test::entries(percept_test::folder("PERCEPT_CORPUS").join("gdl"));
        let mut table: BTreeMap<&str, Row> = BTreeMap::new();
        for (n, path) in files.iter().enumerate() {
            let text = percept_test::lossy(path);
            if text.len() > MAX_BYTES {
                continue;
            }
            let source = Source::parse(text.clone(), Language::GdlPrefix);
            let Syntax::Gdl(description) = &source.syntax else { unreachable!("GDL was asked for") };
            let before = findings(&text);
            let mut dice = Dice(2_026 + n as u64);
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            for (kind, mut list) in changes(&text, description) {
                for _ in 0..EACH.min(list.len()) {
                    let change = list.swap_remove(dice.below(list.len()));
                    judge(&file, &text, kind, &change, &before, table.entry(kind).or_default());
                }
            }
        }
        let mut report = String::from(
            "kind of mistake: number made, percent with a new finding of any kind, percent with a warning or error, percent with one at their place; warnings and errors for each seen\n",
        );
        for (kind, row) in &table {
            let percent = |count: usize| count * 100 / row.made;
            report.push_str(&format!(
                "{kind}: {} made, {} % noted, {} % seen, {} % at their place, {:.1} findings\n",
                row.made,
                percent(row.hinted),
                percent(row.seen),
                percent(row.placed),
                row.findings as f64 / row.seen.max(1) as f64
            ));
        }
        expect_test::expect_file!["../gdl_mutants.expect"].assert_eq(&report);
    }
}
