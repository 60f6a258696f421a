//! Short representations of parsed text, for expectations.

use percept_syntax::{
    Language, Source, Syntax, TextRange,
    gdl::{Formula, Statement, Term, TermKind},
    lines::{Encoding, LineIndex},
};

/// The number of cases of each property: `PERCEPT_CASES`, or a default for daily work.
pub fn cases() -> proptest::test_runner::Config {
    proptest::test_runner::Config { cases: percept_test::cases(500), failure_persistence: None, ..Default::default() }
}

/// The text with each error's range marked below its line.
pub fn marked(source: &Source) -> String {
    let index = LineIndex::new(&source.text);
    let mut out = String::new();
    for line in 0..index.len() {
        out.push_str(&source.text[index.line(line).as_usize()].replace('\0', "␀"));
        out.push('\n');
        for error in &source.errors {
            let (start, end) = index.positions(error.range, Encoding::Utf32);
            if start.line != line {
                continue;
            }
            let width = if end.line == line { (end.column - start.column).max(1) } else { 1 };
            let marks = "^".repeat(width as usize);
            out.push_str(&format!("{}{marks} {}\n", " ".repeat(start.column as usize), error.message));
        }
    }
    out
}

/// Parses the text and marks its errors.
pub fn errors(language: Language, text: &str) -> String {
    marked(&Source::parse(text, language))
}

/// Every statement in prefix notation, one per line.
pub fn statements(source: &Source) -> String {
    let Syntax::Gdl(description) = &source.syntax else { panic!("GDL") };
    description.statements.iter().map(|statement| format!("{}\n", show_statement(statement))).collect()
}

pub fn show_statement(statement: &Statement) -> String {
    let head = statement.head.as_ref().map(show_term).unwrap_or_default();
    if statement.arrow.is_none() {
        return head;
    }
    let body: String = statement.body.iter().map(|part| format!(" {}", show_formula(part))).collect();
    format!("(<= {head}{body})")
}

fn show_formula(formula: &Formula) -> String {
    let list = |word: &str, parts: &[Formula]| {
        let parts: String = parts.iter().map(|part| format!(" {}", show_formula(part))).collect();
        format!("({word}{parts})")
    };
    match formula {
        Formula::Atom(term) => show_term(term),
        Formula::Not { parts, .. } => list("not", parts),
        Formula::Or { parts, .. } => list("or", parts),
        Formula::And { parts, .. } => list("and", parts),
        Formula::Distinct { args, .. } => format!("(distinct{})", show_terms(args)),
    }
}

fn show_terms(terms: &[Term]) -> String {
    terms.iter().map(|term| format!(" {}", show_term(term))).collect()
}

pub fn show_term(term: &Term) -> String {
    match &term.kind {
        TermKind::Variable => format!("?{}", term.name.text),
        TermKind::Constant => term.name.text.to_string(),
        TermKind::Compound(args) => format!("({}{})", term.name.text, show_terms(args)),
        TermKind::Error(args) => format!("<error{}>", show_terms(args)),
    }
}

/// The typed syntax of a PDDL file without its ranges.
pub fn shape(source: &Source) -> String {
    let Syntax::Pddl(file) = &source.syntax else { panic!("PDDL") };
    without_ranges(&format!("{file:?}"))
}

/// Removes `range: 1..2` and the like, which depend on the position, and the words around a name.
pub fn without_ranges(debug: &str) -> String {
    let mut out = String::with_capacity(debug.len());
    let mut rest = debug;
    while let Some(at) = ["range: ", "keyword: "].iter().filter_map(|key| find_range(rest, key)).min() {
        let key = rest[at..].find(": ").expect("found above") + 2;
        let value = rest[at + key..].find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(0);
        out.push_str(rest[..at].trim_end_matches(", "));
        rest = rest[at + key + value..].trim_start_matches(", ");
        if !out.ends_with("{ ") && !rest.starts_with(' ') && !rest.starts_with('}') {
            out.push_str(", ");
        }
    }
    out.push_str(rest);
    out
}

/// The offset of `key` before a range.
fn find_range(text: &str, key: &str) -> Option<usize> {
    text.match_indices(key)
        .map(|(at, _)| at)
        .find(|at| text[at + key.len()..].starts_with(|c: char| c.is_ascii_digit()))
}

/// Checks that all ranges are in the text, on character boundaries, with ordered ends.
pub fn check_ranges(source: &Source) {
    let check = |range: TextRange, what: &str| {
        assert!(range.start <= range.end, "{what} {range:?} is the wrong way round");
        assert!(source.text.get(range.as_usize()).is_some(), "{what} {range:?} is outside or inside a character");
    };
    let mut end = 0;
    for token in source.tokens.iter() {
        check(token.range, "token");
        assert!(token.range.start >= end && !token.range.is_empty(), "tokens are in order and not empty");
        end = token.range.end;
    }
    for error in &source.errors {
        check(error.range, "error");
        if let Some((range, _)) = &error.related {
            check(*range, "related");
        }
    }
    let Syntax::Gdl(description) = &source.syntax else { return };
    for statement in description.statements.iter() {
        check(statement.range, "statement");
        let mut terms: Vec<&Term> = statement.head.iter().collect();
        statement.body.iter().for_each(|formula| {
            check(formula.range(), "formula");
            assert!(statement.range.contains_range(formula.range()));
            formula.terms(&mut |term| terms.push(term));
        });
        for term in terms {
            term.walk(&mut |term| {
                check(term.range, "term");
                check(term.name.range, "name");
                assert!(statement.range.contains_range(term.range));
            });
        }
    }
}
