//! The pages with instructions: every file on them is written, every command run, every answer compared.
//!
//! A fence names the file that its text becomes (`gdl phantom.kif`), or the file that it changes (`diff phantom.kif`: a
//! space before unchanged lines, `-` and `+` before others; an empty line separates two places). A `console` fence has
//! a command with its answer; a line `...` matches any lines. Of a `console sample` only the outline is compared (see
//! [`outline`]): the first match that shows a finding may differ from run to run. Other fences are only read. If a page
//! mentions `games/`, the shipped games are there.

use std::path::Path;

use crate::support::{folder, percept_in, root};

#[test]
fn the_tutorial_is_true() {
    let commands = follow("tutorial.md");
    assert!(commands > 8, "only {commands} commands were found");
}

#[test]
fn the_references_are_true() {
    assert_eq!((follow("gdl-ii.md"), follow("pogddl.md")), (3, 3));
}

#[test]
fn the_pages_of_tasks_are_true() {
    let readers = ["tutorial.md", "gdl-ii.md", "pogddl.md"];
    for entry in root().join("docs").read_dir().expect("there are pages") {
        let name = entry.expect("it can be read").file_name().into_string().expect("names are ASCII");
        if name.ends_with(".md") && !readers.contains(&name.as_str()) {
            let commands = follow(&name);
            let least = match name.as_str() {
                "checking.md" | "stepping.md" | "observing.md" | "solving.md" => 3,
                "playing.md" | "proofs.md" | "queries.md" | "testing.md" | "learning.md" => 2,
                _ => 0,
            };
            assert!(commands >= least, "only {commands} commands were found in {name}");
        }
    }
}

/// Nothing would check a command outside of the fences that are run.
#[test]
fn no_command_is_told_that_is_not_run() {
    for entry in root().join("docs").read_dir().expect("there are pages") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        let page = std::fs::read_to_string(&path).expect("a page is text");
        let mut console = false;
        for line in page.lines() {
            if let Some(fence) = line.strip_prefix("```") {
                console = fence.starts_with("console");
            }
            let command = line.trim_start().trim_start_matches("$ ");
            let is_command = command.starts_with("percept ") && (line.starts_with("    ") || line.starts_with('$'));
            assert!(console || !is_command, "{}: nothing runs this: {line}", path.display());
        }
    }
}

/// Follows a page; returns the number of its commands.
fn follow(name: &str) -> usize {
    let page = std::fs::read_to_string(root().join("docs").join(name)).expect("there is such a page");
    let place = folder();
    if page.contains(" games/") {
        copy(&root().join("games"), &place.path().join("games"));
    }
    let mut commands = 0;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(fence) = line.strip_prefix("```") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match fence.split_once(' ') {
            None if fence != "console" => {}
            None | Some(("console", "sample")) => {
                run(place.path(), &body, fence.ends_with("sample"));
                commands += 1;
            }
            Some(("diff", file)) => change(&place.path().join(file), &body),
            Some((_, file)) => {
                std::fs::write(place.path().join(file), body.join("\n") + "\n").expect("it can be written");
            }
        }
    }
    commands
}

/// Copies a folder with its content.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).expect("the folder is new");
    for entry in from.read_dir().expect("it can be listed") {
        let entry = entry.expect("it can be read");
        if entry.path().is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()));
        } else {
            std::fs::copy(entry.path(), to.join(entry.file_name())).expect("it can be copied");
        }
    }
}

/// The words of a command, where those between single quotes are one.
fn words(command: &str) -> Vec<&str> {
    let parts = command.split('\'').enumerate();
    parts.flat_map(|(at, part)| if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }).collect()
}

/// Applies the places of a change.
fn change(path: &Path, body: &[&str]) {
    let mut text = std::fs::read_to_string(path).expect("the file is on the page above");
    for place in body.split(|line| line.is_empty()) {
        let side = |other: char| -> String {
            let lines = place.iter().filter(|line| !line.starts_with(other));
            lines.map(|line| format!("{}\n", line.get(1..).unwrap_or_default())).collect()
        };
        let (old, new) = (side('+'), side('-'));
        assert_eq!(text.matches(&old).count(), 1, "one place is like this:\n{old}\nin\n{text}");
        text = text.replace(&old, &new);
    }
    std::fs::write(path, text).expect("it can be written");
}

/// Runs a command and compares its output.
fn run(place: &Path, body: &[&str], sample: bool) {
    let (command, expected) = body.split_first().expect("a command");
    let args = words(command.strip_prefix("$ percept ").expect("a command of percept"));
    let run = percept_in(place, &args);
    let answer = if run.out.is_empty() { &run.err } else { &run.out };
    let output: Vec<String> = answer.trim_end().lines().map(settled).collect();
    let expected: Vec<String> = expected.iter().map(|line| settled(line)).collect();
    let shown = format!("{command}\n{}{}", run.out, run.err);
    if sample {
        assert_eq!(outline(&output), outline(&expected), "{shown}");
    } else {
        assert!(alike(&expected, &output), "{shown}");
    }
}

/// The part that depends neither on the matches found nor on the number of states visited in time: words at the margin
/// (of a finding, its severity and rule; no notes), and the beginnings of lines about one of two histories and its
/// support.
fn outline(lines: &[String]) -> Vec<String> {
    let kept_line = |line: &String| {
        let finding = ["error[", "warning["].iter().any(|sign| line.starts_with(sign));
        let words: Vec<&str> = line.split_whitespace().take(3).collect();
        match words[..] {
            _ if finding => line.split(']').next().map(str::to_string),
            _ if line.starts_with("note[") => None,
            _ if line.starts_with(|first: char| first.is_ascii_alphabetic()) => Some(line.clone()),
            ["after", "1" | "2", _] | ["what", ..] => Some(words.join(" ")),
            _ => None,
        }
    };
    lines.iter().filter_map(kept_line).collect()
}

/// True if the lines are as expected, with `...` for any lines.
fn alike(expected: &[String], output: &[String]) -> bool {
    match expected.split_first() {
        None => output.is_empty(),
        Some((first, rest)) if first == "..." => (0..=output.len()).any(|skipped| alike(rest, &output[skipped..])),
        Some((first, rest)) => output.split_first().is_some_and(|(line, left)| line == first && alike(rest, left)),
    }
}

/// A line without the parts that differ from run to run: the method and the time; of a repair, its number and the bits
/// that were counted in time.
fn settled(line: &str) -> String {
    let line = line.trim_end().trim_end_matches(':');
    let counted = line.contains(" bits");
    let line =
        if counted { line.trim_start_matches(|c: char| c == ' ' || c == '.' || c.is_ascii_digit()) } else { line };
    let timed = counted || line.ends_with(" s)") || line.ends_with("s);");
    let text = if timed { line.rfind('(').map_or(line, |at| line[..at].trim_end()) } else { line };
    text.to_string()
}
