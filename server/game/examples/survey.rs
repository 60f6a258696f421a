//! Sets up and plays every description in files and folders and prints a table: how long set-up took, how the game is
//! run, how many matches were played how fast, how much memory it took, or why it cannot be played.
//!
//! ```text
//! cargo run --release -p percept-game --example survey -- [--matches N] [--time SECONDS] PATH..
//! ```
//!
//! Every game runs in a process of its own, so that its memory is measured alone and a crash is one line of the table.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use percept_game::Game;
use percept_game::play::{Limits, run};
use percept_syntax::{Language, Source, Syntax};

/// Matches are cut off here; the cut is told.
const MAX_ROUNDS: u32 = 2_000;

fn main() -> ExitCode {
    let (mut matches, mut time, mut alone, mut paths) = (100, 20.0, false, Vec::new());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || args.next().and_then(|text| text.parse::<f64>().ok()).expect("a number after the option");
        match arg.as_str() {
            "--matches" => matches = number() as u64,
            "--time" => time = number(),
            "--alone" => alone = true,
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    if alone {
        println!("{}", row(&paths[0], matches, Duration::from_secs_f64(time)));
        return ExitCode::SUCCESS;
    }
    println!(
        "{:<40} {:>9} {:>8} {:>9} {:>8} {:>12} {:>9} {:>8}",
        "game", "set-up s", "engine", "gates", "matches", "playouts/s", "rounds", "MB"
    );
    for path in paths.iter().flat_map(|path| descriptions(path)) {
        let child = Command::new(std::env::current_exe().expect("this program has a path"))
            .args(["--alone", "--matches", &matches.to_string(), "--time", &time.to_string()])
            .arg(&path)
            .output()
            .expect("this program can be started again");
        let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match child.status.success() {
            true => println!("{name:<40} {}", out.trim_end()),
            false => println!("{name:<40} FAILED {}: {}", child.status, err.lines().last().unwrap_or_default()),
        }
    }
    ExitCode::SUCCESS
}

/// The descriptions in a folder, or the file itself.
fn descriptions(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else { return vec![path.to_path_buf()] };
    let mut result: Vec<PathBuf> = entries.flatten().flat_map(|entry| descriptions(&entry.path())).collect();
    result.retain(|path| path.extension().is_some_and(|ext| ["kif", "gdl", "hrf"].iter().any(|known| ext == *known)));
    result.sort();
    result
}

/// The right part of a line of the table.
fn row(path: &Path, matches: u64, time: Duration) -> String {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => return format!("unreadable: {error}"),
    };
    let language = Language::detect(path, &text).unwrap_or(Language::GdlPrefix);
    let source = Source::parse(text, language);
    let line = |at: u32| source.text[..at as usize].matches('\n').count() + 1;
    if let Some(error) = source.errors.first() {
        return format!("syntax, line {}: {}", line(error.range.start), error.message);
    }
    let Syntax::Gdl(description) = &source.syntax else { return "not GDL".into() };
    let start = Instant::now();
    let game = match Game::from_gdl(description) {
        Ok(game) => game,
        Err(errors) => {
            return format!("refused, line {}: {} ({:.1?})", line(errors[0].range.start), errors[0], start.elapsed());
        }
    };
    let gates = game.rules.playouts().map(|playouts| playouts.size().0);
    let setup = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let limits = Limits { seed: 1, max_rounds: MAX_ROUNDS, deadline: Some(start + time) };
    let (mut played, mut rounds, mut cut) = (0, 0, 0);
    run(&game, 0..matches, &limits, &mut |record| {
        rounds += u64::from(record.rounds);
        match record.terminal || record.stuck || record.rounds >= MAX_ROUNDS {
            true => played += 1,
            false => cut += 1,
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    let engine = if gates.is_some() { "circuit" } else { "lifted" };
    let late = if cut > 0 { format!(" ({cut} cut off)") } else { String::new() };
    format!(
        "{setup:>9.3} {engine:>8} {:>9} {played:>8} {:>12.1} {rounds:>9} {:>8}{late}",
        gates.unwrap_or(0),
        f64::from(played as u32) / seconds,
        peak_megabytes()
    )
}

/// The most memory this process had, in megabytes (Linux).
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kibibytes| kibibytes.parse::<u64>().ok()).unwrap_or(0) / 1000
}
