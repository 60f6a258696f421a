//! The words that CONTRIBUTING.md's style sheet bans, as far as a program can find them.

use std::path::PathBuf;

use super::files;
use crate::support::{read, root};

/// Words that no comment, message or page contains, with what to write instead.
const BANNED: &[(&str, &str)] = &[
    ("nobody", "no role, no player"),
    ("somebody", "a role, a player"),
    ("everybody", "every role, all players"),
    ("anybody", "any role, a player"),
    ("whoever", "the caller that, players that"),
    ("anew", "again"),
    ("there are not", "there are no"),
    ("so many", "a number: `n`, up to `n`, the number of"),
    ("of that many", "a number: `n`, up to `n`, the number of"),
    (", did you mean", ": did you mean"),
    ("; did you mean", ": did you mean"),
    ("is meant?", ": did you mean `...`?"),
    ("was meant to be", "is a slip of"),
    ("told", "perceives, learns, reports, prints"),
    ("as it is written", "as written"),
    ("as they are written", "as written"),
];

/// Participles and questions that are not names of types.
const NOT_TYPES: &[&str] =
    &["Known", "Asked", "Told", "Found", "Said", "Seen", "Lived", "Why", "Who", "Met", "Gone", "Held", "Drawn"];

/// Participles and questions that are not names of functions.
const NOT_FUNCTIONS: &[&str] =
    &["known", "asked", "told", "found", "said", "seen", "lived", "who", "whose", "met", "gone", "held", "drawn"];

/// Participles that are not names of variables.
const NOT_VARIABLES: &[&str] = &["known", "asked", "told", "said"];

/// Words after which `is no` is a comparison.
const AFTER_IS_NO: &[&str] =
    &["longer", "more", "less", "fewer", "better", "worse", "larger", "smaller", "faster", "slower"];

/// Words that begin a clause; a comment begins with a noun or a verb.
const CLAUSES: &[&str] = &["What", "Whether", "How", "Where", "Who", "Whom", "Whose", "Which", "Why"];

/// Words that continue the name beside a comment instead of standing alone.
const PIECES: &[&str] = &["By", "Of", "In", "For", "At", "From", "To", "As", "With", "Per", "Its", "Likewise"];

/// The lines of a page without its blocks of code.
fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code && !line.starts_with("    ") {
            lines.push((number + 1, line));
        }
    }
    lines
}

/// True if `line` contains `phrase` as whole words, in any case.
fn says(line: &str, phrase: &str) -> bool {
    let line = line.to_ascii_lowercase();
    // Names of code and of rules are not words of a sentence: `anew`, message-to-nobody, {anew}.
    let is_word = |byte: Option<&u8>| byte.is_some_and(|it| it.is_ascii_alphanumeric() || b"_-`{}".contains(it));
    line.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&line.as_bytes()[..at], &line.as_bytes()[at + phrase.len()..]);
        (phrase.starts_with([',', ';']) || !is_word(before.last())) && !is_word(after.first())
    })
}

/// True if `line` says that something "is no" thing: it is not a thing.
fn denies_by_no(line: &str) -> bool {
    [" is no ", " are no ", " was no ", " were no ", " be no "].iter().any(|denial| {
        line.match_indices(denial).any(|(at, _)| {
            let before = line[..at].trim_end().rsplit(' ').next().unwrap_or_default().to_ascii_lowercase();
            let after = &line[at + denial.len()..];
            let noun = after.split(|it: char| !it.is_alphanumeric()).next().unwrap_or_default();
            // "there is no role" and "is no longer" are good English.
            !before.ends_with("there") && !AFTER_IS_NO.contains(&noun)
        })
    })
}

/// The stumbling block in a line of any text, if there is one.
fn fault(line: &str) -> Option<String> {
    if let Some((phrase, instead)) = BANNED.iter().find(|(phrase, _)| says(line, phrase)) {
        return Some(format!("`{phrase}`: write {instead}"));
    }
    denies_by_no(line).then(|| "`is no`: write `is not a`".into())
}

/// The stumbling block in the first line of a comment; `is_whole` if the comment has no other line.
fn opening_fault(line: &str, is_whole: bool) -> Option<String> {
    let first = line.split_whitespace().next()?.trim_end_matches([',', ':']);
    if CLAUSES.contains(&first) && !line.contains('?') {
        return Some(format!("begins with `{first}`: write a noun or a verb"));
    }
    if line.starts_with("As [") {
        return Some("begins with `As [`: write `Like [`".into());
    }
    if first == "By" && line.split_whitespace().take(3).any(|word| word.ends_with(':')) {
        return Some("begins with `By ...:`: write `For each ...`".into());
    }
    let count = line.split_whitespace().count();
    let is_fragment = is_whole && line.ends_with('.') && count <= 3 && (count == 1 || PIECES.contains(&first));
    (is_fragment && !line.starts_with('`')).then(|| "a piece of a sentence: write a whole phrase, or nothing".into())
}

/// The stumbling block in a name that a line of Rust declares: a type, a function or a variable is a thing.
fn name_fault(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split(|it: char| !it.is_alphanumeric() && it != '_').collect();
    let declares = |keyword: &str, name: &str| match keyword {
        "struct" | "enum" | "trait" | "type" | "union" => NOT_TYPES.contains(&name),
        "fn" => NOT_FUNCTIONS.contains(&name),
        "let" | "mut" => NOT_VARIABLES.contains(&name),
        _ => false,
    };
    let is_comment = line.trim_start().starts_with("//");
    let pair = words.windows(2).find(|pair| declares(pair[0], pair[1])).filter(|_| !is_comment)?;
    Some(format!("`{}` is not a name: write a noun", pair[1]))
}

/// The comments of a Rust source that have lines of their own: mark, first line's number, lines.
fn comments(text: &str) -> Vec<(&str, usize, Vec<&str>)> {
    let mut blocks: Vec<(&str, usize, Vec<&str>)> = Vec::new();
    let mut last = 0;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let Some(mark) = ["///", "//!", "//"].into_iter().find(|mark| line.starts_with(mark)) else { continue };
        let words = line[mark.len()..].trim();
        match blocks.last_mut() {
            Some((kind, _, lines)) if *kind == mark && last + 1 == number => lines.push(words),
            _ => blocks.push((mark, number + 1, vec![words])),
        }
        last = number;
    }
    blocks
}

/// The parts of a source line that people read: a comment of its own, and the text of messages.
fn prose_of(line: &str, is_test: bool) -> Vec<&str> {
    let line = line.trim();
    if ["//", "*", "/*", "#", "--", ";", "%"].iter().any(|mark| line.starts_with(mark)) {
        return vec![line];
    }
    // A literal without a blank is a word of some language.
    let literals = line.split('"').skip(1).step_by(2).filter(|text| text.contains(' '));
    if is_test { Vec::new() } else { literals.collect() }
}

#[test]
fn texts_are_plain() {
    let mut faults = Vec::new();
    let mut checked = 0;
    let folders = ["server", "grammar", "editors", "tests", "docs", "games", "fuzz"];
    let mut paths: Vec<_> = folders
        .iter()
        .flat_map(|folder| files(&root().join(folder), &[".rs", ".md", ".ts", ".mjs", ".lua", ".el", ".py", ".kif"]))
        .collect();
    paths.extend(["README.md", "CHANGELOG.md", "SECURITY.md"].map(|name| root().join(name)));
    let is_read = |path: &&PathBuf| {
        !path.ends_with("house/words.rs") && !path.components().any(|it| it.as_os_str() == "fixtures")
    };
    for path in paths.iter().filter(is_read) {
        let text = read(path);
        let shown = path.strip_prefix(root()).expect("a file of the project").display().to_string();
        let ends = |ending: &str| path.extension().is_some_and(|it| it == ending);
        let is_test = shown.contains("tests");
        let lines: Vec<(usize, Vec<&str>)> = match ends("md") {
            true => prose(&text).into_iter().map(|(number, line)| (number, vec![line])).collect(),
            false => text.lines().enumerate().map(|(at, line)| (at + 1, prose_of(line, is_test))).collect(),
        };
        checked += lines.len();
        for (number, parts) in lines {
            faults.extend(parts.iter().filter_map(|part| Some(format!("{shown}:{number}: {}", fault(part)?))));
        }
        if ends("rs") {
            let names = text.lines().zip(1..).filter_map(|(line, number)| Some((number, name_fault(line)?)));
            faults.extend(names.map(|(number, fault)| format!("{shown}:{number}: {fault}")));
            faults.extend(comments(&text).iter().filter_map(|(mark, number, lines)| {
                let is_whole = lines.len() == 1 && *mark == "///";
                Some(format!("{shown}:{number}: {}", opening_fault(lines[0], is_whole)?))
            }));
        }
    }
    assert!(checked > 100_000, "only {checked} lines were read");
    assert!(faults.is_empty(), "{} places that stumble:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn stumbling_blocks_are_found() {
    for bad in [
        "Nobody moves.",
        "it is no role",
        "sorts anew",
        "reads so many rows",
        "no such name, did you mean a?",
        "The role is told its card.",
        "A name that was meant to be another.",
    ] {
        assert!(fault(bad).is_some(), "{bad}");
    }
    for good in [
        "there is no role",
        "it is no longer",
        "is not a role",
        "they share no code",
        "`anew`",
        "renewed",
        ": did you mean `a`?",
    ] {
        assert_eq!(fault(good), None, "{good}");
    }
    assert!(opening_fault("Whether it ends.", true).is_some() && opening_fault("By role.", true).is_some());
    assert!(opening_fault("As [`play`], but faster.", true).is_some());
    assert!(opening_fault("By role: its goal.", true).is_some() && opening_fault("By default: 0.", false).is_some());
    assert!(opening_fault("By default, all roles are judged.", true).is_none());
    for bad in ["pub(crate) struct Known<'a> {", "fn told(&self) -> bool {", "let mut asked = 0;", "    let known = 1;"]
    {
        assert!(name_fault(bad).is_some(), "{bad}");
    }
    for good in ["struct KnownRounds {", "let is_known = 1;", "// let known be 1", "let seen = Vec::new();"] {
        assert_eq!(name_fault(good), None, "{good}");
    }
    assert!(opening_fault("True if it ends.", true).is_none() && opening_fault("Why not? Because.", true).is_none());
}
