//! Descriptions with marks: a comment line `;  ^^^^ rule-name: start of the message` marks a finding of exactly this
//! range in the line above. A fixture has all its findings marked and no others.
//!
//! `UPDATE_EXPECT=1` writes the marks again.

use percept_analysis::{Settings, check};
use percept_syntax::{Language, Source};
use percept_test::{entries, read};

/// The text without its marks.
fn unmarked(text: &str) -> String {
    let is_mark = |line: &&str| {
        let rest = line.trim_start().strip_prefix([';', '%']);
        !rest.is_some_and(|rest| rest.trim_start().starts_with('^'))
    };
    let mut plain: String = text.lines().filter(is_mark).collect::<Vec<_>>().join("\n");
    plain.push('\n');
    plain
}

/// The text with a mark under each finding. A range over several lines is marked on its first.
fn marked(text: &str, language: Language) -> String {
    let source = Source::parse(text, language);
    let findings = check(&source, &Settings::default());
    let comment = if language == Language::GdlInfix { '%' } else { ';' };
    let mut marked = String::new();
    let mut start = 0;
    for line in text.lines() {
        let end = start + line.len();
        marked.push_str(line);
        marked.push('\n');
        for finding in &findings {
            let range = finding.range.as_usize();
            if !(start..=end).contains(&range.start) {
                continue;
            }
            // The comment sign needs the first column.
            let column = text[start..range.start].chars().count().max(1);
            let width = text[range.start..range.end.min(end)].chars().count().max(1);
            let width = if range.start == start { width.saturating_sub(1).max(1) } else { width };
            let message: String = finding.message.chars().take(60).collect();
            marked.push_str(&format!(
                "{comment}{}{} {}: {message}\n",
                " ".repeat(column - 1),
                "^".repeat(width),
                finding.rule.name
            ));
        }
        start = end + 1;
    }
    marked
}

#[test]
fn fixtures_have_the_findings_they_mark() {
    compare("gdl");
}

#[test]
fn pogddl_fixtures_have_the_findings_they_mark() {
    compare("pogddl");
}

fn compare(language: &str) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in entries(percept_test::path("server/analysis/tests/fixtures").join(language)) {
        let text = read(&path);
        let language = Language::detect(&path, &text).expect("a description");
        let fresh = marked(&unmarked(&text), language);
        count += 1;
        if fresh != text {
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                std::fs::write(&path, &fresh).expect("a writable fixture");
            } else {
                wrong.push(format!("{}:\n{fresh}", path.display()));
            }
        }
    }
    assert!(count > 3);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
