//! `percept bench wait`: the time that a person waits for each command, on a real terminal made by `script`: until the
//! command says what it does, until the first line of its answer, and until its end.

mod screen;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde::Serialize;

use self::screen::Screen;
use crate::args::{BenchWait, Format, GameArgs};
use crate::failure::{FOUND, Failure, OK, Outcome};
use crate::load::{Loaded, Loader, title};
use crate::output;
use crate::work::Work;

/// The time between two looks at a command's memory.
const GLANCE: Duration = Duration::from_millis(5);

/// One command on one game.
#[derive(Serialize)]
struct Row {
    game: String,
    command: &'static str,
    /// Seconds until the screen shows a word; `None` if it never does.
    word: Option<f64>,
    /// Seconds until a line of the answer stays on the screen.
    line: Option<f64>,
    /// Seconds until the end; `None` if it was ended at the limit.
    end: Option<f64>,
    /// The peak memory of the process, if the system reports it.
    peak_mb: Option<f64>,
}

#[derive(Serialize)]
struct Table {
    rows: Vec<Row>,
    /// The commands whose first line came later than this, in seconds.
    patience: f64,
    late: usize,
}

impl Row {
    /// True if the first line of the answer came too late, or not at all.
    fn is_late(&self, patience: Duration) -> bool {
        self.line.is_none_or(|line| line > patience.as_secs_f64())
    }
}

pub(super) fn run(args: &BenchWait) -> Outcome {
    let own = std::env::current_exe().map_err(|error| Failure::new(format!("this program's own file: {error}")))?;
    let files = if args.files.is_empty() { shipped()? } else { args.files.clone() };
    let folder = std::env::temp_dir().join(format!("percept-wait-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| Failure::io("make", &folder, &error))?;
    if args.format == Format::Human {
        output::println(&format!(
            "{:36} {:8} {:>8} {:>8} {:>8} {:>7}",
            "game", "command", "word s", "line s", "end s", "MB"
        ));
    }
    let mut rows = Vec::new();
    for file in &files {
        measured(&own, file, &folder.join("match"), args, &mut rows)?;
    }
    let _ = std::fs::remove_dir_all(&folder);
    let late = rows.iter().filter(|row| row.is_late(args.patience)).count();
    let table = Table { rows, patience: args.patience.as_secs_f64(), late };
    match args.format {
        Format::Json => output::json("bench-wait", &table),
        Format::Human => {
            output::println(&format!("{late} of {} had no answer within {} s", table.rows.len(), table.patience));
        }
    }
    Ok(if late > 0 { FOUND } else { OK })
}

/// The shipped games, one notation of each.
fn shipped() -> Result<Vec<PathBuf>, Failure> {
    let library = super::library()?;
    let in_folder = |folder: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    };
    let is_game = |path: &PathBuf| path.extension().is_some_and(|it| it == "kif" || it == "pog");
    let mut games: Vec<PathBuf> = in_folder(&library).iter().flat_map(|it| in_folder(it)).filter(is_game).collect();
    games.sort();
    // A domain alone is not a game.
    games.retain(|path| load(path).is_ok());
    Ok(games)
}

fn load(path: &Path) -> Result<Loaded, Failure> {
    let game = GameArgs { game: path.to_path_buf(), domain: None, pogddl_terminal: None };
    Loader::new(&game, &Work::quiet()).with_circuit_in(Duration::ZERO).load()
}

/// Runs every command on a game; all of them on the match that `play` saves.
fn measured(own: &Path, file: &Path, trace: &Path, args: &BenchWait, rows: &mut Vec<Row>) -> Result<(), Failure> {
    let loaded = load(file)?;
    let role = loaded.game.roles.iter().find(|role| !role.is_chance).map_or("", |role| role.name.as_str());
    let (game, saved, seed) = (text(file), text(trace), args.seed.to_string());
    let commands: [(&'static str, Vec<&str>); 8] = [
        ("play", vec![&game, "-n", "1", "--seed", &seed, "--save-trace", &saved]),
        ("check", vec![&game]),
        ("step", vec![&game, &saved, "--print"]),
        ("observe", vec![&game, &saved]),
        ("infoset", vec![&game, &saved, "--role", role]),
        ("advise", vec![&game, &saved, "--role", role, "--round", "0"]),
        ("prove", vec![&game]),
        ("solve", vec![&game]),
    ];
    for (command, options) in commands {
        if !args.commands.is_empty() && command != "play" && !args.commands.iter().any(|it| it == command) {
            continue;
        }
        let row = watched(own, command, &options, title(file), args.limit)?;
        if args.format == Format::Human {
            output::println(&line(&row));
        }
        rows.push(row);
    }
    Ok(())
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// Runs a command on a terminal and watches its screen.
fn watched(own: &Path, command: &'static str, options: &[&str], game: String, limit: Duration) -> Result<Row, Failure> {
    let words = [&[own.to_str().unwrap_or_default(), command], options].concat();
    let quoted: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect();
    let begin = Instant::now();
    let mut script = Command::new("script")
        .args(["-qc", &format!("stty cols 200; echo $$; exec {}", quoted.join(" ")), "/dev/null"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| Failure::new(format!("`script`, which makes a terminal, cannot be run: {error}")))?;
    let row = Row { game, command, word: None, line: None, end: None, peak_mb: None };
    let row = watch(&mut script, begin, limit, row);
    let _ = script.kill();
    let _ = script.wait();
    Ok(row)
}

fn watch(script: &mut Child, begin: Instant, limit: Duration, mut row: Row) -> Row {
    let (sender, receiver) = channel();
    let out = script.stdout.take();
    std::thread::spawn(move || {
        let (mut out, mut bytes) = (out?, [0; 4096]);
        while let Ok(count @ 1..) = out.read(&mut bytes) {
            sender.send((Instant::now(), bytes[..count].to_vec())).ok()?;
        }
        Some(())
    });
    let (mut head, mut process, mut screen) = (Vec::new(), None, Screen::default());
    loop {
        match receiver.recv_timeout(GLANCE) {
            Ok((at, bytes)) => {
                let bytes = match process {
                    Some(_) => bytes,
                    // The first line is the number of the process.
                    None => {
                        head.extend(bytes);
                        let Some(end) = head.iter().position(|&byte| byte == b'\n') else { continue };
                        process = String::from_utf8_lossy(&head[..end]).trim().parse::<u32>().ok();
                        head.split_off(end + 1)
                    }
                };
                screen.read(&bytes);
                let seconds = (at - begin).as_secs_f64();
                row.word = row.word.or(screen.has_word.then_some(seconds));
                row.line = row.line.or(screen.has_line.then_some(seconds));
            }
            Err(RecvTimeoutError::Disconnected) => {
                row.end = Some(begin.elapsed().as_secs_f64());
                return row;
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        row.peak_mb = process.and_then(super::lsp::peak).or(row.peak_mb);
        if begin.elapsed() > limit {
            if let Some(process) = process {
                let _ = Command::new("kill").arg(process.to_string()).status();
            }
            return row;
        }
    }
}

fn line(row: &Row) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_string(), |value| format!("{value:.2}"));
    let end = row.end.map_or_else(|| "too long".to_string(), |end| format!("{end:.2}"));
    let peak = row.peak_mb.map_or_else(|| "-".to_string(), |peak| format!("{peak:.0}"));
    let Row { game, command, .. } = row;
    format!("{game:36} {command:8} {:>8} {:>8} {end:>8} {peak:>7}", number(row.word), number(row.line))
}
