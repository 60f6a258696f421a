//! `percept bench hostile`: the cost of checking, formatting and converting unusual texts. Time that grows faster than
//! the text, or takes seconds, is a bug.
//!
//! There are two kinds of texts. Floods, such as millions of brackets, belong to no game: they are reported at their
//! place without building anything, so they take little more memory than their own size. Long lists of ordinary parts
//! are read like any other text: a name of one letter becomes a token, a node and a term, each with its place, which is
//! some tens of times its size.

mod shapes;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::Serialize;

use self::shapes::{SHAPES, Shape};
use crate::args::{BenchHostile, Format};
use crate::failure::{Failure, OK, Outcome};
use crate::output;

/// The figures of one command on one text, and their growth with the size of the text.
#[derive(Serialize)]
struct Row {
    language: &'static str,
    shape: &'static str,
    command: &'static str,
    bytes: usize,
    /// `None`: it did not end in time.
    ms: Option<f64>,
    /// The peak memory of the process, if the system reports it.
    peak_mb: Option<f64>,
    /// That memory, less the program's memory for a short text, per byte of this one.
    held: Option<f64>,
    /// The time for the text divided by that for half as many parts: about 2 for linear growth.
    growth: Option<f64>,
}

#[derive(Serialize)]
struct Figures {
    rows: Vec<Row>,
}

pub(super) fn run(args: &BenchHostile) -> Outcome {
    let chosen = |shape: &&Shape| format!("{} {}", shape.extension, shape.name).contains(&args.shape);
    let shapes: Vec<&Shape> = SHAPES.iter().filter(chosen).collect();
    if shapes.is_empty() {
        let names: Vec<String> = SHAPES.iter().map(|shape| format!("{} {}", shape.extension, shape.name)).collect();
        return Err(Failure::new(format!("no shape is called `{}`", args.shape))
            .note(format!("the shapes are {}", names.join(", "))));
    }
    if args.write {
        let [shape] = shapes[..] else {
            return Err(Failure::new("one shape is written at a time: name it with --shape"));
        };
        output::raw((shape.text)(args.size.unwrap_or(shape.size)).as_bytes());
        return Ok(OK);
    }
    let own = std::env::current_exe().map_err(|error| Failure::new(format!("this program's own file: {error}")))?;
    let folder = std::env::temp_dir().join(format!("percept-hostile-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| Failure::io("make", &folder, &error))?;
    let rows = measure_all(&own, &folder, &shapes, args);
    let _ = std::fs::remove_dir_all(&folder);
    let rows = rows?;
    match args.format {
        Format::Json => output::json("bench-hostile", &Figures { rows }),
        Format::Human => output::print(&table(&rows)),
    }
    Ok(OK)
}

fn measure_all(own: &Path, folder: &Path, shapes: &[&Shape], args: &BenchHostile) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    let shortest = folder.join("shortest.kif");
    std::fs::write(&shortest, "(p a)").map_err(|error| Failure::io("write", &shortest, &error))?;
    // It may end before its memory is read.
    let alone = || measure(own, "check", &shortest, &["--format", "json"], args.limit).and_then(|(_, peak)| peak);
    let alone = (0..20).filter_map(|_| alone()).max_by(f64::total_cmp);
    for shape in shapes {
        let size = args.size.unwrap_or(shape.size);
        let (half, whole) = (folder.join("half"), folder.join("whole"));
        let [half, whole] = [half, whole].map(|path| path.with_extension(shape.extension));
        let text = (shape.text)(size);
        for (path, text) in [(&half, &(shape.text)(size / 2)), (&whole, &text)] {
            std::fs::write(path, text).map_err(|error| Failure::io("write", path, &error))?;
        }
        for (command, options) in commands(shape.extension) {
            let Some((before, _)) = measure(own, command, &half, options, args.limit) else {
                rows.push(row(shape, command, text.len(), None, None, alone));
                continue;
            };
            let all = measure(own, command, &whole, options, args.limit);
            rows.push(row(shape, command, text.len(), all, Some(before), alone));
        }
    }
    Ok(rows)
}

/// The commands that read a description and do not run it.
fn commands(extension: &str) -> Vec<(&'static str, &'static [&'static str])> {
    let mut commands: Vec<(&str, &[&str])> = vec![("check", &["--format", "json"]), ("fmt", &["--check"])];
    match extension {
        "kif" => commands.push(("convert", &["--to", "hrf"])),
        "hrf" => commands.push(("convert", &["--to", "kif"])),
        _ => {}
    }
    commands
}

fn row(
    shape: &Shape,
    command: &'static str,
    bytes: usize,
    figures: Option<(Duration, Option<f64>)>,
    before: Option<Duration>,
    alone: Option<f64>,
) -> Row {
    let ms = |time: Duration| (time.as_secs_f64() * 1e4).round() / 10.0;
    // The start of the program would distort the growth.
    let growth = |time: Duration, before: Duration| (ms(before) >= 20.0).then(|| ms(time) / ms(before));
    let peak_mb = figures.and_then(|(_, peak)| peak);
    let held = peak_mb.zip(alone).map(|(peak, alone)| (peak - alone).max(0.0) * 1e6 / bytes.max(1) as f64);
    Row {
        language: shape.extension,
        shape: shape.name,
        command,
        bytes,
        ms: figures.map(|(time, _)| ms(time)),
        peak_mb,
        held,
        growth: figures.zip(before).and_then(|((time, _), before)| growth(time, before)),
    }
}

/// Runs this program on a file and returns time and memory. `None` if it does not end within the limit.
fn measure(
    own: &Path,
    command: &str,
    file: &Path,
    options: &[&str],
    limit: Duration,
) -> Option<(Duration, Option<f64>)> {
    let begun = Instant::now();
    let silent = || Stdio::null();
    let mut child =
        Command::new(own).arg(command).arg(file).args(options).stdout(silent()).stderr(silent()).spawn().ok()?;
    let mut peak = None;
    loop {
        peak = super::lsp::peak(child.id()).or(peak);
        if child.try_wait().ok()?.is_some() {
            return Some((begun.elapsed(), peak));
        }
        if begun.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn table(rows: &[Row]) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_string(), |value| format!("{value:.1}"));
    let mut out = format!(
        "{:<5} {:<20} {:<8} {:>9} {:>8} {:>8} {:>7} {:>7}\n",
        "", "shape", "command", "bytes", "s", "MB", "x size", "growth"
    );
    for row in rows {
        let seconds = row.ms.map_or_else(|| "too long".to_string(), |ms| format!("{:.2}", ms / 1e3));
        out.push_str(&format!(
            "{:<5} {:<20} {:<8} {:>9} {seconds:>8} {:>8} {:>7} {:>7}\n",
            row.language,
            row.shape,
            row.command,
            row.bytes,
            number(row.peak_mb),
            number(row.held),
            number(row.growth),
        ));
    }
    out + "the whole program, from its start to its end; x size: its most memory without what a text of five letters takes, over the size of the text; \
           growth: the time over that for half as many parts\n"
}
