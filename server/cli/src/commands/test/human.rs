//! The results of expectations for people: one line each. A failure also shows the expected and the actual value at its
//! place, and the command to run by hand.

use codespan_reporting::diagnostic::{Diagnostic, Label};
use codespan_reporting::files::SimpleFile;
use percept_report::words::counted;

use super::Tested;
use super::place::Places;
use super::run::Ran;
use crate::output;

/// Prints one suite.
pub(super) fn print(tested: &Tested) {
    let path = tested.suite.path.display();
    let several = !tested.suite.expected.also.is_empty();
    let mut lines = vec![path.to_string()];
    for ran in &tested.ran {
        let game = if several { format!("{}: ", ran.case.game) } else { String::new() };
        let is_new = ran.case.is_in(&tested.suite.filled) && ran.outcome.is_ok();
        let word = if is_new {
            "new "
        } else if ran.passed() {
            "ok  "
        } else {
            "FAIL"
        };
        lines.push(format!("  {word}  {game}{}  ({:.2} s)", ran.case.name, ran.seconds));
    }
    output::println(&lines.join("\n"));
    let file = SimpleFile::new(path.to_string(), &tested.suite.text);
    let places = Places::new(&tested.suite.text);
    let failed: Vec<_> = failed(tested).flat_map(|ran| findings(ran, &places)).collect();
    output::emit(&file, &failed);
}

/// The expectations that are not met; what was only asked for cannot fail.
fn failed(tested: &Tested) -> impl Iterator<Item = &Ran> {
    let is_new = |ran: &Ran| ran.case.is_in(&tested.suite.filled) && ran.outcome.is_ok();
    tested.ran.iter().filter(move |ran| !ran.passed() && !is_new(ran))
}

/// The findings about an expectation, at its places.
fn findings(ran: &Ran, places: &Places) -> Vec<Diagnostic<()>> {
    let run = format!("run: percept {}", command(ran));
    match &ran.outcome {
        Err(why) => {
            let label = Label::primary((), places.of(&ran.case, &[]));
            let head = format!("{}: nothing could be compared", ran.case.name);
            vec![Diagnostic::error().with_message(head).with_labels(vec![label]).with_notes(vec![why.clone(), run])]
        }
        Ok(differences) => differences
            .iter()
            .map(|it| {
                let label =
                    Label::primary((), places.of(&ran.case, &it.keys)).with_message(format!("found {}", it.found));
                let head = format!("{}: {} is not as expected", ran.case.name, it.keys.join("."));
                let mut notes = vec![format!("expected {}", it.expected)];
                notes.extend(it.note.clone());
                notes.push(run.clone());
                Diagnostic::error().with_message(head).with_labels(vec![label]).with_notes(notes)
            })
            .collect(),
    }
}

/// The command behind an expectation, in shell syntax.
pub(super) fn command(ran: &Ran) -> String {
    let plain =
        |word: &str| !word.is_empty() && word.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_./+:=".contains(&it));
    let quoted = |word: &String| if plain(word) { word.clone() } else { format!("'{}'", word.replace('\'', r"'\''")) };
    ran.case.command.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// The number of passed expectations.
pub(super) fn summary(tested: &[Tested]) -> String {
    let count = tested.iter().map(|one| one.ran.len()).sum();
    let failed = tested.iter().flat_map(failed).count();
    let expectations = counted(count, "expectation", "expectations");
    let files = counted(tested.len(), "file", "files");
    match failed {
        0 => format!("{expectations} in {files}: all as expected"),
        _ => format!("{expectations} in {files}: {failed} failed"),
    }
}
