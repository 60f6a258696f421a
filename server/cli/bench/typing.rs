//! `percept bench typing`: keystrokes in large texts, with the processor's time and the memory of the language server.
//! The texts are made here: rooms with a hidden lamp, without a finding, and every name is of one room.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::json;

use super::lsp::{Contender, Session, percentile};
use crate::args::{BenchTyping, Format};
use crate::failure::{Failure, OK, Outcome};
use crate::output;

/// The number of keystrokes; each waits for its findings.
const KEYSTROKES: usize = 48;
/// The keystrokes after which memory is measured for the first time.
const FEW: usize = 12;
/// An author's pace leaves the server idle between strokes.
const PACE: Duration = Duration::from_millis(50);
/// The time after which a server has put its memory in order.
const REST: Duration = Duration::from_millis(1500);

/// The figures of one text. Milliseconds, percentiles by nearest rank; megabytes of resident memory.
#[derive(Serialize)]
struct Row {
    text: &'static str,
    bytes: usize,
    /// From the start of the process to the first findings.
    open_ms: Option<f64>,
    keystroke_p50_ms: Option<f64>,
    keystroke_p95_ms: Option<f64>,
    /// The processor's time for one keystroke, if the system reports it.
    processor_ms: Option<f64>,
    opened_mb: Option<f64>,
    few_edits_mb: Option<f64>,
    edited_mb: Option<f64>,
    closed_mb: Option<f64>,
}

#[derive(Serialize)]
struct Figures {
    rows: Vec<Row>,
}

pub(super) fn run(args: &BenchTyping) -> Outcome {
    let own = std::env::current_exe().map_err(|error| Failure::new(format!("this program's own file: {error}")))?;
    let mut rows = Vec::new();
    for size in args.sizes.iter().map(|size| *size as usize * 1024) {
        for (name, language, text) in [("gdl", "gdl", gdl(size)), ("pddl", "pogddl", pddl(size))] {
            let uri = format!("file://{}", std::env::temp_dir().join(format!("percept-bench.{name}")).display());
            let command = vec![own.display().to_string(), "lsp".into()];
            let typist = Contender { name: "percept".into(), command, uri, language, text };
            let row = measure(name, &typist).ok_or_else(|| Failure::new("the language server did not answer"))?;
            rows.push(row);
        }
    }
    match args.format {
        Format::Json => output::json("bench-typing", &Figures { rows }),
        Format::Human => output::print(&table(&rows)),
    }
    Ok(OK)
}

/// Types a letter into a name in the middle of the text and deletes it, again and again.
fn measure(text: &'static str, typist: &Contender) -> Option<Row> {
    let mut session = Session::start(typist)?;
    std::thread::sleep(REST);
    let opened_mb = session.resident();
    let (line, column) = place(&typist.text)?;
    let (mut times, mut few_edits_mb) = (Vec::new(), None);
    let mut processor = 0.0;
    for stroke in 0..KEYSTROKES {
        let version = stroke as i64 + 2;
        let is_typed = stroke % 2 == 0;
        let start = json!({ "line": line, "character": column });
        let end = json!({ "line": line, "character": column + usize::from(!is_typed) });
        let change = json!({ "range": { "start": start, "end": end }, "text": if is_typed { "x" } else { "" } });
        let (before, begun) = (session.processor(), Instant::now());
        session.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": typist.uri, "version": version }, "contentChanges": [change] }),
        );
        session.findings(&typist.uri, version)?;
        times.push(begun.elapsed());
        std::thread::sleep(PACE);
        processor += session.processor().zip(before).map_or(f64::NAN, |(after, before)| after - before);
        if stroke + 1 == FEW {
            std::thread::sleep(REST);
            few_edits_mb = session.resident();
        }
    }
    std::thread::sleep(REST);
    let edited_mb = session.resident();
    session.notify("textDocument/didClose", json!({ "textDocument": { "uri": typist.uri } }));
    std::thread::sleep(REST);
    let each = processor / KEYSTROKES as f64;
    Some(Row {
        text,
        bytes: typist.text.len(),
        open_ms: percentile(&mut [session.first()], 50),
        keystroke_p50_ms: percentile(&mut times, 50),
        keystroke_p95_ms: percentile(&mut times, 95),
        processor_ms: (!each.is_nan()).then_some((each * 10.0).round() / 10.0),
        opened_mb,
        few_edits_mb,
        edited_mb,
        closed_mb: session.resident(),
    })
}

/// A line and column in the middle of the text, inside the name of an effect or a new fluent.
fn place(text: &str) -> Option<(usize, usize)> {
    let lines = text.lines().enumerate().skip(text.lines().count() / 2);
    let mut places = lines.filter(|(_, line)| line.contains("(next (") || line.contains(":effect (and ("));
    places.next().and_then(|(number, line)| Some((number, line.rfind('(')? + 2)))
}

/// A description of about this many bytes.
fn gdl(size: usize) -> String {
    let mut text = String::from(
        "; Rooms with a hidden lamp in each.\n(role ann)\n(role bob)\n(role random)\n\
         (place 1)\n(place 2)\n(place 3)\n(place 4)\n(legal bob wait)\n(<= (sees bob (seen ?x)) won (role ?x))\n\
         (<= terminal won)\n(<= (goal ann 100) won)\n(<= (goal ann 0) (not won))\n(<= (goal bob 50) (role bob))\n",
    );
    for n in 0.. {
        if text.len() >= size {
            break;
        }
        text += &format!(
            "\n; Room {n}\n(init (lamp{n} off))\n(init (at{n} ann 1))\n(step{n} 1 2)\n(step{n} 2 3)\n(step{n} 3 4)\n\
             (base (lamp{n} off))\n(base (lamp{n} on))\n(<= (base (at{n} ann ?place))\n    (place ?place))\n\
             (<= (legal ann (go{n} ?to))\n    (true (at{n} ann ?from))\n    (step{n} ?from ?to))\n\
             (how{n} on)\n(how{n} off)\n\
             (<= (legal random (switch{n} ?how))\n    (how{n} ?how)\n    (not (true (lamp{n} ?how))))\n\
             (<= (next (lamp{n} ?how))\n    (does random (switch{n} ?how)))\n\
             (<= (next (lamp{n} ?how))\n    (true (lamp{n} ?how))\n    (not (changed{n})))\n\
             (<= (changed{n})\n    (does random (switch{n} ?_how)))\n\
             (<= (next (at{n} ann ?to))\n    (does ann (go{n} ?to)))\n\
             (<= (sees ann (light{n} ?how))\n    (true (lamp{n} ?how))\n    (true (at{n} ann ?place))\n    \
             (distinct ?place 4))\n\
             (<= won\n    (true (at{n} ann 4))\n    (true (lamp{n} on)))\n"
        );
    }
    text
}

/// A domain of about this many bytes.
fn pddl(size: usize) -> String {
    let (mut predicates, mut actions) = (String::new(), String::new());
    for n in 0.. {
        if predicates.len() + actions.len() >= size {
            break;
        }
        predicates += &format!("    (lamp{n} ?r - room)\n    (at{n} ?p - role ?r - room)\n");
        actions += &format!(
            "  (:action switch{n}\n    :parameters (?p - role ?r - room)\n    \
             :precondition (and (whoseturn ?p) (at{n} ?p ?r) (not (lamp{n} ?r)))\n    \
             :effect (and (not (whoseturn ?p)) (lamp{n} ?r)\n      (observe (?p (lit{n} ?r)))))\n  \
             (:action go{n}\n    :parameters (?p - role ?from - room ?to - room)\n    \
             :precondition (and (whoseturn ?p) (at{n} ?p ?from) (door ?from ?to) (lamp{n} ?from))\n    \
             :effect (and (not (at{n} ?p ?from)) (at{n} ?p ?to)\n      \
             (when (lamp{n} ?to) (observe (?p (lit{n} ?to))))))\n"
        );
    }
    format!(
        "(define (domain rooms)\n  (:requirements :pogddl :strips :typing :conditional-effects \
         :negative-preconditions)\n  (:types role room - object)\n  (:predicates\n    (door ?a - room ?b - room)\n    \
         (whoseturn ?r - role)\n{predicates}  )\n{actions})\n"
    )
}

fn table(rows: &[Row]) -> String {
    let mut out = format!(
        "{:<5} {:>8} {:>9} {:>9} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8}\n",
        "text", "bytes", "open", "key p50", "key p95", "CPU", "MB", "12 keys", "48 keys", "closed"
    );
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_string(), |value| format!("{value:.1}"));
    for row in rows {
        out += &format!("{:<5} {:>8}", row.text, row.bytes);
        let times = [row.open_ms, row.keystroke_p50_ms, row.keystroke_p95_ms, row.processor_ms];
        times.into_iter().for_each(|time| out += &format!(" {:>9}", number(time)));
        let memory = [row.opened_mb, row.few_edits_mb, row.edited_mb, row.closed_mb];
        memory.into_iter().for_each(|megabytes| out += &format!(" {:>8}", number(megabytes)));
        out += "\n";
    }
    out + "milliseconds: from the start of the process to the first findings, a keystroke to its findings, the \
           processor's time for it; megabytes: opened, edited, closed\n"
}

#[cfg(test)]
mod tests {
    use percept_analysis::{Settings, Severity, check};
    use percept_syntax::{Language, Source};

    use super::*;

    #[test]
    fn made_texts_have_the_size_and_no_findings() {
        for (text, language) in [(gdl(20_000), Language::GdlPrefix), (pddl(20_000), Language::Pogddl)] {
            assert!((20_000..21_500).contains(&text.len()), "{}", text.len());
            let found = check(&Source::parse(text.as_str(), language), &Settings::default());
            assert!(found.iter().all(|finding| finding.severity < Severity::Warning), "{found:#?}");
            let (line, column) = place(&text).expect("a name in the middle");
            let line = text.lines().nth(line).expect("the line");
            assert!(line.as_bytes()[column].is_ascii_alphabetic(), "{line}");
        }
    }
}
